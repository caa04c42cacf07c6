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
/// The time for which a provider that did not answer is not asked again.
const DOWN_MS: i64 = 5_000;

/// The time for which keys are kept, for tokens that let nobody in.
const KEYS_KEPT_MS: i64 = 60_000;

/// The metadata of a provider, kept for a while.
#[derive(Debug)]
pub(super) struct Discovery {
    issuer: String,
    client: OidcClient,
    clock: Clock,
    metadata: Mutex<Option<CachedMetadata>>,
    keys: Mutex<Option<CachedKeys>>,
}

/// The keys as they were asked for last, or the reason why there were none.
#[derive(Debug, Clone)]
struct CachedKeys {
    asked_at_ms: i64,
    told: Result<Arc<[Jwk]>, String>,
}

/// The metadata as they were asked for last, or the reason why there were none.
#[derive(Debug, Clone)]
struct CachedMetadata {
    asked_at_ms: i64,
    told: Result<Arc<ProviderMetadata>, String>,
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
        let mut cached = self.metadata.lock().await;
        let now_ms = self.clock.now_ms();
        let told = match &*cached {
            Some(cached) if cached.is_fresh(now_ms) => cached.told.clone(),
            _ => {
                let asked = self.ask_metadata().await.map(Arc::new).map_err(|error| error.to_string());
                // Whoever waited meanwhile is told the same, however long it took.
                *cached = Some(CachedMetadata { asked_at_ms: self.clock.now_ms(), told: asked.clone() });
                asked
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
        let mut cached = self.keys.lock().await;
        let now_ms = self.clock.now_ms();
        let told = match &*cached {
            Some(cached) if cached.is_fresh(named, now_ms) => cached.told.clone(),
            _ => {
                let asked = self.keys(&metadata).await.map(Arc::from).map_err(|error| error.to_string());
                *cached = Some(CachedKeys { asked_at_ms: self.clock.now_ms(), told: asked.clone() });
                asked
            }
        };
        told.map_err(OidcError::Unavailable)
    }
}

impl CachedMetadata {
    fn is_fresh(&self, now_ms: i64) -> bool {
        let kept_ms = if self.told.is_ok() { KEPT_MS } else { DOWN_MS };
        (0..kept_ms).contains(&(now_ms - self.asked_at_ms))
    }
}

impl CachedKeys {
    fn is_fresh(&self, named: Option<&str>, now_ms: i64) -> bool {
        let has = |keys: &Arc<[Jwk]>| {
            named.is_none_or(|named| keys.iter().any(|key| key.common.key_id.as_deref() == Some(named)))
        };
        let kept_ms = if self.told.as_ref().is_ok_and(has) { KEYS_KEPT_MS } else { DOWN_MS };
        (0..kept_ms).contains(&(now_ms - self.asked_at_ms))
    }
}
