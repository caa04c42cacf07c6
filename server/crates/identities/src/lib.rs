//! Floor 4: identities, by which people sign in to their account beside a password. An identity is a wallet, or a person as a provider
//! of OpenID Connect knows it.
//!
//! Imports `base`, `api`, `store`, `net`, `chains`, `accounts` and `organisations`. Sessions and accounts are those of `accounts`; this
//! room shows whose they are. Invariants: an identity is of one account, for ever, until it is taken away; what a wallet signs is written by the service,
//! word for word, and counts once; the last way to sign in to an account stays; who takes a way to sign in away is followed by
//! nobody who came in by it.
//! Wallets that are contracts (ERC-1271) cannot sign in: that takes a connection to their chain.
//! Start reading at [`IdentityService::sign_in_by_wallet`] and [`IdentityService::sign_in_by_oidc`].

mod challenge;
mod error;
mod handlers;
mod identity;
mod manage;
mod oidc;
mod oidc_logout;
mod oidc_sign_in;
mod sql;
#[cfg(test)]
mod tests;
mod unseen;
mod wallet_sign_in;

use std::sync::Arc;

use oidc::OidcProvider;
use tollgate_accounts::{AccountService, AttemptLimiter, ClientNetwork};
use tollgate_api::generated::limits;
use tollgate_base::Clock;
use tollgate_organisations::OrganisationService;
use tollgate_store::Store;

pub use challenge::WalletChallenge;
pub use error::IdentityError;
pub use identity::{Identity, NewWalletChallenge, WalletProof};
pub use oidc::{
    GroupRole, OidcAnswer, OidcClientError, OidcProviderConfig, OidcStart, UnusableSignInProvider,
    check_sign_in_providers,
};

/// The handle of this room. Cheap to clone.
#[derive(Debug, Clone)]
pub struct IdentityService {
    store: Store,
    clock: Clock,
    accounts: AccountService,
    /// The public address of the service, which wallets are shown; without one none signs in.
    audience: Option<Arc<str>>,
    /// The part of the CAIP-2 id after `solana:` of the network that texts for Solana name.
    solana_network: Arc<str>,
    challenges: Arc<AttemptLimiter<ClientNetwork>>,
    organisations: OrganisationService,
    providers: Arc<[OidcProvider]>,
}

impl IdentityService {
    /// A handle on the identities of `store`, whose accounts and sessions are those of `accounts`. `audience` is the public address
    /// of the service; without one nobody signs in by a wallet.
    #[must_use]
    pub fn new(
        store: Store,
        clock: Clock,
        accounts: AccountService,
        audience: Option<String>,
        solana_network: &str,
    ) -> Self {
        let challenges = Arc::new(AttemptLimiter::new(limits::WALLET_CHALLENGE_TRIES));
        let organisations = OrganisationService::new(store.clone(), clock.clone(), accounts.clone());
        Self {
            store,
            clock,
            accounts,
            organisations,
            providers: Arc::new([]),
            audience: audience.map(Arc::from),
            solana_network: Arc::from(solana_network),
            challenges,
        }
    }

    /// The same with other accounts of the same store: those where nobody opens one by themselves, say.
    #[must_use]
    pub fn with_accounts(self, accounts: AccountService) -> Self {
        Self { accounts, ..self }
    }

    /// The same for a service that is reached at another address, or at none that it knows.
    #[must_use]
    pub fn with_audience(self, audience: Option<String>) -> Self {
        Self { audience: audience.map(Arc::from), ..self }
    }

    /// The same with these sign-in providers, in this order. Browsers come back from them to the public address.
    ///
    /// # Errors
    /// When TLS has no roots.
    pub fn with_providers(self, providers: Vec<OidcProviderConfig>) -> Result<Self, OidcClientError> {
        let public_url = self.audience.as_deref().unwrap_or_default();
        let made = |config| OidcProvider::new(config, public_url, self.clock.clone());
        let providers = providers.into_iter().map(made).collect::<Result<_, _>>()?;
        Ok(Self { providers, ..self })
    }

    /// True if people can sign in by a wallet.
    #[must_use]
    pub const fn takes_wallets(&self) -> bool {
        self.audience.is_some()
    }
}
