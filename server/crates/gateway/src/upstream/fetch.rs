//! Requests to URLs that somebody else named: checked by an [`AddressGuard`], and without credentials of ours.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode, header};
use ipnet::IpNet;
use tokio::time::timeout_at;
use url::Url;

use crate::config::UpstreamLimits;
use tollgate_api::generated::limits;
use tollgate_net::{HttpClient, HttpClientConfig, HttpProtocol, NameResolver, ResponseBody, SystemResolver};

use super::UpstreamError;
use super::address_guard::{AddressGuard, ForbiddenAddress, GuardedResolver};
use super::answer::{AnswerBody, AnswerDeadlines, UpstreamAnswer};
use super::permit::UpstreamPermit;
use super::service_uris::uri;

/// The client for such URLs. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AddressFetcher {
    guard: AddressGuard,
    /// The HTTP client for https.
    open: HttpClient,
    /// The HTTP client for http, which reaches only networks that an operator allows.
    in_the_clear: HttpClient,
    idle: Duration,
}

/// An error in fetching a URL. Never carries the URL, which may be a credential by itself.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The URL, or one that it redirected to, is not allowed.
    #[error("the address may not be fetched")]
    Forbidden(#[from] ForbiddenAddress),
    /// It redirected too often.
    #[error("the address redirects too often")]
    TooManyHops,
    /// No answer came, or not in time.
    #[error("fetching the address failed")]
    Failed(#[from] UpstreamError),
}

impl AddressFetcher {
    /// Builds the clients. The networks `allowed` may be reached although they are not public, and over plain HTTP.
    ///
    /// # Errors
    /// [`UpstreamError::Build`] when TLS has no roots.
    pub fn build(allowed: &[IpNet], patience: UpstreamLimits) -> Result<Self, UpstreamError> {
        Self::with_names(&(Arc::new(SystemResolver) as Arc<dyn NameResolver>), allowed, patience)
    }

    fn with_names(
        names: &Arc<dyn NameResolver>,
        allowed: &[IpNet],
        patience: UpstreamLimits,
    ) -> Result<Self, UpstreamError> {
        let guard = AddressGuard::new(allowed);
        let client = |in_the_clear| {
            let names = GuardedResolver::new(names.clone(), guard.clone(), in_the_clear);
            HttpClient::build(&client_config(names, patience))
                .map_err(|error| UpstreamError::Build { name: "fetch".to_owned(), source: error.into() })
        };
        Ok(Self { open: client(false)?, in_the_clear: client(true)?, guard, idle: patience.idle })
    }

    /// Requests a URL with these headers and no others, and follows redirects. Returns the head of the answer, whatever
    /// its status; the body is to be read under a bound, or streamed.
    ///
    /// # Errors
    /// [`FetchError`]; nothing of an answer has arrived then.
    pub async fn fetch(
        &self,
        address: &str,
        headers: &HeaderMap,
        deadlines: AnswerDeadlines,
    ) -> Result<UpstreamAnswer, FetchError> {
        let deadline = deadlines.begin.min(deadlines.whole);
        let mut url = self.guard.read(address)?;
        for _ in 0..=limits::FETCH_HOPS {
            let asked = self.ask(&url, headers);
            let response = timeout_at(deadline, asked).await.map_err(|_| UpstreamError::TooSlow)??;
            match onward(&response) {
                Some(location) => url = self.guard.follow(&url, location)?,
                None => {
                    let (head, body) = response.into_parts();
                    let body = AnswerBody::new(body, self.idle, deadlines, UpstreamPermit::unbounded());
                    return Ok(UpstreamAnswer { status: head.status, headers: head.headers, body });
                }
            }
        }
        Err(FetchError::TooManyHops)
    }

    async fn ask(&self, url: &Url, headers: &HeaderMap) -> Result<Response<ResponseBody>, FetchError> {
        let client = if url.scheme() == "https" { &self.open } else { &self.in_the_clear };
        let mut request = Request::new(Bytes::new());
        *request.uri_mut() = uri(url)?;
        *request.headers_mut() = headers.clone();
        client.send(request).await.map_err(|error| match error.cause::<ForbiddenAddress>() {
            Some(forbidden) => (*forbidden).into(),
            None if error.is_timeout() => UpstreamError::TooSlow.into(),
            None => UpstreamError::Unreachable(error).into(),
        })
    }
}

/// The target of a redirect; `None` for any other answer, and for a redirect without a target.
fn onward(response: &Response<ResponseBody>) -> Option<&str> {
    match response.status() {
        StatusCode::MOVED_PERMANENTLY
        | StatusCode::FOUND
        | StatusCode::SEE_OTHER
        | StatusCode::TEMPORARY_REDIRECT
        | StatusCode::PERMANENT_REDIRECT => response.headers().get(header::LOCATION)?.to_str().ok(),
        _ => None,
    }
}

fn client_config(names: GuardedResolver, patience: UpstreamLimits) -> HttpClientConfig {
    HttpClientConfig {
        protocol: HttpProtocol::Negotiated,
        connect_timeout: patience.connect,
        // URLs are rarely fetched twice, and a pooled connection was checked for another URL.
        idle_connections_max: 0,
        adaptive_window: false,
        resolver: Arc::new(names),
    }
}

#[cfg(test)]
mod tests;
