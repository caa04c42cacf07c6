//! A provider: how a sign-in begins there, and who comes back.

use super::answer::{OidcAnswer, OidcStart};
use super::call::OidcClient;
use super::config::OidcProviderConfig;
use super::discovery::Discovery;
use super::error::{OidcClientError, OidcError, UnusableSignInProvider};
use super::id_token::{exchange, verified};
use super::logout_token::{self, OidcLogout};
use super::person::{OidcPerson, described};
use super::sign_in_secret::{OidcPurpose, SignInSecret};
use super::signed_token::may_sign;
use tollgate_base::{Clock, Secret};

/// A provider, and what is known of it at the moment.
#[derive(Debug)]
pub(crate) struct OidcProvider {
    pub(crate) config: OidcProviderConfig,
    /// The address that it sends browsers back to.
    return_url: String,
    client: OidcClient,
    clock: Clock,
    discovery: Discovery,
}

impl OidcProvider {
    /// A provider as it is configured, for a service at this public address. No connection is opened yet.
    ///
    /// # Errors
    /// When TLS has no roots.
    pub(crate) fn new(config: OidcProviderConfig, public_url: &str, clock: Clock) -> Result<Self, OidcClientError> {
        let return_url = format!("{public_url}/sign-in/{}", config.name);
        let client = OidcClient::new()?;
        let discovery = Discovery::of(config.issuer.clone(), client.clone(), clock.clone());
        Ok(Self { config, return_url, client, clock, discovery })
    }

    /// Asks it for its metadata and its keys, which every sign-in needs.
    ///
    /// # Errors
    /// [`OidcError::Unavailable`].
    async fn check(&self) -> Result<(), OidcError> {
        let metadata = self.discovery.metadata().await?;
        let keys = self.discovery.keys(&metadata).await?;
        if !keys.iter().any(may_sign) {
            return Err(OidcError::Unavailable(
                "keys: it publishes none that an ID token may be signed by here".to_owned(),
            ));
        }
        Ok(())
    }

    /// Begins a sign-in, or what makes a person one of an account.
    ///
    /// # Errors
    /// [`OidcError::Unavailable`].
    pub(crate) async fn begin(&self, purpose: OidcPurpose) -> Result<OidcStart, OidcError> {
        let metadata = self.discovery.metadata().await?;
        let secret = SignInSecret::draw(self.clock.now_ms());
        let derived = secret.derive(&self.config.name, purpose);
        let mut url = metadata.authorization_endpoint.clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.config.client_id)
            .append_pair("redirect_uri", &self.return_url)
            .append_pair("scope", &self.config.scopes.join(" "))
            .append_pair("state", &derived.state)
            .append_pair("nonce", &derived.nonce)
            .append_pair("code_challenge", &derived.challenge())
            .append_pair("code_challenge_method", "S256");
        Ok(OidcStart { url: url.into(), expires_at_ms: secret.ends_at_ms(), secret: secret.into_secret() })
    }

    /// The person that a browser came back from the provider with.
    ///
    /// # Errors
    /// When the answer belongs to another sign-in, provider or purpose, is late or used, the ID token does not count, or the provider
    /// cannot be asked.
    pub(crate) async fn person(&self, answer: &OidcAnswer, purpose: OidcPurpose) -> Result<OidcPerson, OidcError> {
        let secret = SignInSecret::read(&answer.secret).ok_or(OidcError::Refused(FOREIGN))?;
        let derived = secret.derive(&self.config.name, purpose);
        if answer.state != derived.state {
            return Err(OidcError::Refused(FOREIGN));
        }
        if !secret.is_in_time(self.clock.now_ms()) {
            return Err(OidcError::Refused("it took too long"));
        }
        let metadata = self.discovery.metadata().await?;
        // RFC 9207: an answer of another provider is not sent to this one.
        let is_from_it = answer.issuer.as_ref().map_or(!metadata.tells_issuer, |issuer| *issuer == self.config.issuer);
        if !is_from_it {
            return Err(OidcError::Refused("it came from another provider"));
        }
        let given = (&answer.code, &derived.verifier, self.return_url.as_str());
        let tokens = exchange(&self.client, &self.config, &metadata, given).await?;
        let keys = self.discovery.keys(&metadata).await?;
        let times = (secret.begun_at_ms(), self.clock.now_ms());
        let claims = verified(&self.config, (&tokens.id_token, &keys), &derived.nonce, times)?;
        described(&self.client, &self.config, &metadata, (&tokens, claims)).await
    }

    /// The person whom it has signed out, as a logout token says.
    ///
    /// # Errors
    /// When the token does not count, or the provider cannot be asked for its keys.
    pub(crate) async fn signed_out(&self, token: &Secret) -> Result<OidcLogout, OidcError> {
        let named = logout_token::named_key(token)?;
        let keys = self.discovery.kept_keys(named.as_deref()).await?;
        logout_token::verified(&self.config, (token, &keys), self.clock.now_ms())
    }
}

/// Asks each sign-in provider of a configuration, before anything is started. What is returned are those that cannot be used: they
/// cannot be asked, call themselves by another issuer, or publish no key that an ID token may be signed by.
pub async fn check_sign_in_providers(configs: &[OidcProviderConfig], clock: &Clock) -> Vec<UnusableSignInProvider> {
    let mut unusable = Vec::new();
    for config in configs {
        // Nobody is sent back from it here.
        let checked = match OidcProvider::new(config.clone(), "", clock.clone()) {
            Ok(provider) => provider.check().await.map_err(Into::into),
            Err(error) => Err(error.into()),
        };
        unusable.extend(checked.err().map(|source| UnusableSignInProvider { name: config.name.clone(), source }));
    }
    unusable
}

/// The answer to a sign-in that this browser did not begin, or not for this.
const FOREIGN: &str = "it belongs to another sign-in than the one that this browser began";
