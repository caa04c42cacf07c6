//! The rail of hosted checkout pages, whole: orders that are paid on a page of the payment provider, its notices, and the
//! questions that it is asked where none comes.
//!
//! Steps of an order: it is written down with what the provider will know it by, then its page is opened ([`orders`]). A notice
//! is proven ([`provider`]), kept, and acted on ([`notices`]); a worker ([`worker`]) acts on what was kept and not acted on, and
//! asks about what nobody reported ([`questions`]). What the provider says, either way, is done in one place ([`outcome`]). Whoever returns
//! from the page is shown how the order stands ([`order_state`]), by the token in the address of that return ([`token`]).
//!
//! Invariants: nothing is asked of the ledger by a notice that is not proven; a page is opened for an order that is on the disk,
//! by its name, so that it can be asked about; an order ends without money by what the provider says, never by our clock alone;
//! what the provider says that does not fit its order is credited to nobody, and told to a person.

mod confirm;
mod handlers;
mod notices;
mod order_state;
mod orders;
mod outcome;
mod provider;
mod questions;
mod reconcile;
mod sql;
mod token;
mod worker;

use std::sync::Arc;

use tollgate_accounts::{AttemptLimiter, ClientNetwork};
use tollgate_api::generated::limits;
use tollgate_base::Clock;

use super::Topups;

pub use confirm::{OrderMismatch, confirm_payment};
pub use provider::{
    Antom, AuthenticityError, BadSignature, CLIENT_ID, Cents, CheckoutOrder, CheckoutPage, CheckoutProvider,
    ClientError, Config, KeyError, NotWholeCents, NoticeOutcome, NoticeRefused, OrderRef, PaymentId, PaymentNotice,
    ProviderError, ProviderStatus, REQUEST_TIME, RESPONSE_TIME, RawRequest, RawResponse, RequestTimeFormat, SIGNATURE,
    SignatureHeader, SignatureInput, SigningKey, UncertainAnswer, UnusableNotice, VerifyingKey, VerifyingKeys,
    WalletOption, called_path, default_wallets, published, reread,
};

/// Orders that are paid on a provider's page. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Checkouts(Arc<CheckoutsInner>);

#[derive(Debug)]
struct CheckoutsInner {
    topups: Topups,
    /// Absent where the rail is off.
    desk: Option<ProviderConnection>,
    /// Notices that were refused as not the provider's.
    refused: AttemptLimiter<ClientNetwork>,
    /// Questions about an order without its token.
    token_refusals: AttemptLimiter<ClientNetwork>,
}

/// The payment provider and the addresses by which it reaches this service.
#[derive(Debug)]
struct ProviderConnection {
    provider: Antom,
    public_url: String,
    notify_url: String,
    /// The path of notices, as the provider calls and signs it.
    notify_path: String,
}

impl Checkouts {
    /// Checkouts for these orders, at the provider of their configuration, of a service that is reached under `public_url`. No
    /// connection is opened yet.
    ///
    /// # Errors
    /// When the client for the provider cannot be made.
    pub fn new(topups: Topups, clock: Clock, public_url: &str) -> Result<Self, ClientError> {
        let config = topups.config().checkout.clone().filter(|_| topups.config().ewallet.enabled);
        let desk = config.map(|config| ProviderConnection::open(config, clock, public_url)).transpose()?;
        let refused = AttemptLimiter::new(limits::NOTICE_REFUSALS);
        let token_refusals = AttemptLimiter::new(limits::ORDER_TOKEN_REFUSALS);
        Ok(Self(Arc::new(CheckoutsInner { topups, desk, refused, token_refusals })))
    }

    fn topups(&self) -> &Topups {
        &self.0.topups
    }

    fn desk(&self) -> Option<&ProviderConnection> {
        self.0.desk.as_ref()
    }
}

impl ProviderConnection {
    fn open(config: Config, clock: Clock, public_url: &str) -> Result<Self, ClientError> {
        Ok(Self {
            public_url: public_url.to_owned(),
            notify_url: config.notify_url(public_url),
            notify_path: config.notify_path(public_url),
            provider: Antom::new(config, clock)?,
        })
    }

    /// The provider's name in the configuration.
    fn name(&self) -> &str {
        &self.config().provider
    }

    fn config(&self) -> &Config {
        self.provider.config()
    }
}
