//! The metadata of a provider (OpenID Connect Discovery 1.0), and the keys that it signs with.

use std::sync::Arc;

use jsonwebtoken::jwk::Jwk;
use reqwest::Url;
use serde::Deserialize;
use tokio::sync::Mutex;

use super::call::{OidcClient, read};
use super::error::OidcError;
use tollgate_base::Clock;

/// The time for which what a provider says of itself is not asked again.
const KEPT_MS: i64 = 600_000;
/// The time for which a provider is not asked again that did not answer, or not with what is looked for.
const DOWN_MS: i64 = 5_000;
/// The time for which keys are kept, for tokens that let nobody in.
const KEYS_KEPT_MS: i64 = 60_000;

/// The metadata of a provider, kept for a while.
#[derive(Debug)]
pub(super) struct Discovery {
    issuer: String,
    client: OidcClient,
    clock: Clock,
    metadata: Mutex<Option<CachedAnswer<ProviderMetadata>>>,
    keys: Mutex<Option<CachedAnswer<[Jwk]>>>,
}

/// The last that a provider said when it was asked for something, or the reason why it did not say it.
#[derive(Debug)]
struct CachedAnswer<T: ?Sized> {
    asked_at_ms: i64,
    told: Result<Arc<T>, String>,
}

/// The metadata of a provider, as far as they matter here.
#[derive(Debug)]
pub(super) struct ProviderMetadata {
    pub(super) authorization_endpoint: Url,
    pub(super) token_endpoint: Url,
    jwks_uri: Url,
    pub(super) userinfo_endpoint: Option<Url>,
    /// True if the secret of the client goes in a header, and not in the body.
    pub(super) takes_basic: bool,
    /// True if it says with each answer who it is (RFC 9207).
    pub(super) tells_issuer: bool,
}

#[derive(Deserialize)]
struct MetadataReply {
    issuer: String,
    authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    userinfo_endpoint: Option<Url>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// Keys are read one by one: those of a kind that is not known here are nobody's mistake (RFC 7517, 5).
#[derive(Deserialize)]
struct KeysReply {
    keys: Vec<serde_json::Value>,
}

impl Discovery {
    /// Nothing is asked yet.
    pub(super) fn of(issuer: String, client: OidcClient, clock: Clock) -> Self {
        Self { issuer, client, clock, metadata: Mutex::new(None), keys: Mutex::new(None) }
    }

    /// The metadata of the provider. Those who ask at once wait for one answer.
    pub(super) async fn metadata(&self) -> Result<Arc<ProviderMetadata>, OidcError> {
        let ask = async || self.ask_metadata().await.map(Arc::new);
        self.cached(&self.metadata, KEPT_MS, |_| true, ask).await
    }

    /// The last answer, where it was asked for within `kept_ms` and will do, or else within some seconds; a new one otherwise.
    async fn cached<T: ?Sized>(
        &self,
        last: &Mutex<Option<CachedAnswer<T>>>,
        kept_ms: i64,
        will_do: impl FnOnce(&T) -> bool,
        ask: impl AsyncFnOnce() -> Result<Arc<T>, OidcError>,
    ) -> Result<Arc<T>, OidcError> {
        let mut last = last.lock().await;
        let fresh = last.as_ref().filter(|last| {
            let kept_ms = if last.told.as_deref().is_ok_and(will_do) { kept_ms } else { DOWN_MS };
            (0..kept_ms).contains(&(self.clock.now_ms() - last.asked_at_ms))
        });
        let told = match fresh {
            Some(last) => last.told.clone(),
            None => {
                let told = ask().await.map_err(|error| error.to_string());
                // Whoever waited meanwhile is told the same, however long it took.
                *last = Some(CachedAnswer { asked_at_ms: self.clock.now_ms(), told: told.clone() });
                told
            }
        };
        told.map_err(OidcError::Unavailable)
    }

    async fn ask_metadata(&self) -> Result<ProviderMetadata, OidcError> {
        let issuer = &self.issuer;
        let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let unfit = |what: &str| OidcError::Unavailable(format!("discovery: {what}"));
        let url = Url::parse(&address).map_err(|_| unfit("the issuer is no address"))?;
        let reply: MetadataReply = read(self.client.get(url), "discovery").await?;
        if reply.issuer != *issuer {
            return Err(unfit("the provider calls itself by another issuer than the configuration does"));
        }
        let secure = issuer.starts_with("https://");
        let endpoints = [&reply.authorization_endpoint, &reply.token_endpoint, &reply.jwks_uri];
        if endpoints.into_iter().chain(&reply.userinfo_endpoint).any(|url| secure && url.scheme() != "https") {
            return Err(unfit("an endpoint is not https, as the issuer is"));
        }
        let methods = reply.token_endpoint_auth_methods_supported;
        Ok(ProviderMetadata {
            authorization_endpoint: reply.authorization_endpoint,
            token_endpoint: reply.token_endpoint,
            jwks_uri: reply.jwks_uri,
            userinfo_endpoint: reply.userinfo_endpoint,
            // Where it says nothing, it takes this one.
            takes_basic: methods.is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic")),
            tells_issuer: reply.authorization_response_iss_parameter_supported,
        })
    }

    /// The keys that the provider publishes now. They are asked for at each sign-in, so that a key that it has taken back signs
    /// nothing any more, and a new one does at once.
    pub(super) async fn keys(&self, metadata: &ProviderMetadata) -> Result<Vec<Jwk>, OidcError> {
        let KeysReply { keys } = read(self.client.get(metadata.jwks_uri.clone()), "keys").await?;
        Ok(keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect())
    }

    /// The keys as the provider has published them within a minute, and those of now where it has one of this name since then. However
    /// many ask, the provider is asked once in some seconds.
    pub(super) async fn kept_keys(&self, named: Option<&str>) -> Result<Arc<[Jwk]>, OidcError> {
        let metadata = self.metadata().await?;
        let has_key =
            |keys: &[Jwk]| named.is_none_or(|named| keys.iter().any(|key| key.common.key_id.as_deref() == Some(named)));
        let ask = async || self.keys(&metadata).await.map(Arc::from);
        self.cached(&self.keys, KEYS_KEPT_MS, has_key, ask).await
    }
}
