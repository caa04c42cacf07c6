//! Requests to URLs that somebody else named: checked by an [`AddressGuard`], and without credentials of ours.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, StatusCode, header};
use ipnet::IpNet;
use reqwest::dns::Resolve;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use tokio::time::timeout_at;

use crate::config::UpstreamLimits;
use tollgate_api::generated::limits;

use super::UpstreamError;
use super::address_guard::{AddressGuard, ForbiddenAddress, GuardedResolver, SystemResolver};
use super::answer::{AnswerBody, AnswerDeadlines, UpstreamAnswer};
use super::permit::UpstreamPermit;

/// The client for such URLs. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AddressFetcher {
    guard: AddressGuard,
    /// The HTTP client for https.
    open: Client,
    /// The HTTP client for http, which reaches only networks that an operator allows.
    in_the_clear: Client,
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
        Self::with_names(&Arc::new(SystemResolver), allowed, patience)
    }

    fn with_names<R: Resolve + 'static>(
        names: &Arc<R>,
        allowed: &[IpNet],
        patience: UpstreamLimits,
    ) -> Result<Self, UpstreamError> {
        let guard = AddressGuard::new(allowed);
        let client = |in_the_clear| {
            client(GuardedResolver::new(names.clone(), guard.clone(), in_the_clear), patience)
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
            let asked = self.ask(url.clone(), headers);
            let response = timeout_at(deadline, asked).await.map_err(|_| UpstreamError::TooSlow)??;
            match onward(&response) {
                Some(location) => url = self.guard.follow(&url, location)?,
                None => {
                    let (head, body) = http::Response::from(response).into_parts();
                    let body = AnswerBody::new(body, self.idle, deadlines, UpstreamPermit::unbounded());
                    return Ok(UpstreamAnswer { status: head.status, headers: head.headers, body });
                }
            }
        }
        Err(FetchError::TooManyHops)
    }

    async fn ask(&self, url: Url, headers: &HeaderMap) -> Result<Response, FetchError> {
        let client = if url.scheme() == "https" { &self.open } else { &self.in_the_clear };
        client.get(url).headers(headers.clone()).send().await.map_err(|error| match forbidden(&error) {
            Some(forbidden) => forbidden.into(),
            None if error.is_timeout() => UpstreamError::TooSlow.into(),
            None => UpstreamError::Unreachable(error.without_url()).into(),
        })
    }
}

/// The target of a redirect; `None` for any other answer, and for a redirect without a target.
fn onward(response: &Response) -> Option<&str> {
    match response.status() {
        StatusCode::MOVED_PERMANENTLY
        | StatusCode::FOUND
        | StatusCode::SEE_OTHER
        | StatusCode::TEMPORARY_REDIRECT
        | StatusCode::PERMANENT_REDIRECT => response.headers().get(header::LOCATION)?.to_str().ok(),
        _ => None,
    }
}

/// The guard's reason, where the guard refused the connection.
fn forbidden(error: &reqwest::Error) -> Option<ForbiddenAddress> {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(inner) = cause {
        if let Some(forbidden) = inner.downcast_ref::<ForbiddenAddress>() {
            return Some(*forbidden);
        }
        cause = inner.source();
    }
    None
}

fn client<R: Resolve + 'static>(names: GuardedResolver<R>, patience: UpstreamLimits) -> reqwest::Result<Client> {
    tollgate_net::install_tls();
    Client::builder()
        .dns_resolver(Arc::new(names))
        .connect_timeout(patience.connect)
        .no_proxy()
        // Each redirect is checked before it is followed.
        .redirect(Policy::none())
        .referer(false)
        // URLs are rarely fetched twice, and a pooled connection was checked for another URL.
        .pool_max_idle_per_host(0)
        .build()
}

#[cfg(test)]
mod tests;
