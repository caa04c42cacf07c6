//! The calls to providers: bounded in time and size, followed nowhere.

use std::time::Duration;

use bytes::BytesMut;
use http::StatusCode;
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Url};
use serde::de::DeserializeOwned;

use super::error::{OidcClientError, OidcError};
use tollgate_api::generated::limits;

const CONNECT: Duration = Duration::from_secs(5);

/// The client that asks providers. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct OidcClient(reqwest::Client);

/// An answer with its status.
pub(super) struct OidcReply {
    pub(super) status: StatusCode,
    body: BytesMut,
}

impl OidcClient {
    pub(super) fn new() -> Result<Self, OidcClientError> {
        tollgate_net::install_tls();
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            .timeout(limits::OIDC_CALL)
            .no_proxy()
            // What a provider is sent is for the addresses that it has published.
            .redirect(Policy::none())
            .referer(false)
            .build()?;
        Ok(Self(client))
    }

    pub(super) fn get(&self, url: Url) -> RequestBuilder {
        self.0.get(url)
    }

    pub(super) fn post(&self, url: Url) -> RequestBuilder {
        self.0.post(url)
    }
}

/// Sends a request and reads the answer whole. `what` is asked for, in words for the log.
pub(super) async fn answered(request: RequestBuilder, what: &str) -> Result<OidcReply, OidcError> {
    // Without its address, which is the operator's own and no news.
    let broken = |error: reqwest::Error| {
        let error = error.without_url();
        let source = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
        OidcError::Unavailable(format!("{what}: {error}{source}"))
    };
    let mut response = request.header("accept", "application/json").send().await.map_err(broken)?;
    let mut body = BytesMut::new();
    while let Some(piece) = response.chunk().await.map_err(broken)? {
        body.extend_from_slice(&piece);
        if body.len() > limits::OIDC_ANSWER {
            return Err(OidcError::Unavailable(format!("{what}: the answer is larger than {}", limits::OIDC_ANSWER)));
        }
    }
    Ok(OidcReply { status: response.status(), body })
}

/// The answer to a request, which has to be a success in JSON.
pub(super) async fn read<T: DeserializeOwned>(request: RequestBuilder, what: &str) -> Result<T, OidcError> {
    let reply = answered(request, what).await?;
    if reply.status != StatusCode::OK {
        return Err(OidcError::Unavailable(format!("{what}: status {}", reply.status.as_u16())));
    }
    reply.json(what)
}

impl OidcReply {
    pub(super) fn json<T: DeserializeOwned>(&self, what: &str) -> Result<T, OidcError> {
        // Where it is wrong, and none of what it says: there may be tokens in it.
        let unreadable = |error: serde_json::Error| {
            OidcError::Unavailable(format!("{what}: not the JSON that it should be, at column {}", error.column()))
        };
        serde_json::from_slice(&self.body).map_err(unreadable)
    }
}
