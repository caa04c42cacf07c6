//! What lies at an address that somebody else named: fetched past a [`Guard`], with nothing of ours in the request.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, StatusCode, header};
use ipnet::IpNet;
use reqwest::dns::Resolve;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use tokio::time::timeout_at;

use crate::generated::limits;

use super::super::config::Patience;
use super::UpstreamError;
use super::answer::{Answer, AnswerBody, Deadlines};
use super::guard::{Forbidden, Guard, Guarded, SystemNames};
use super::send::{Place, install_tls};

/// Fetches. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Fetcher {
    guard: Guard,
    /// For https.
    open: Client,
    /// For http, which leads only to what an operator allows.
    in_the_clear: Client,
    idle: Duration,
}

/// Why nothing was fetched. Never carries an address: it may be one that opens a door by itself.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The address, or one that it led to, is none that is asked.
    #[error("the address is not asked")]
    Forbidden(#[from] Forbidden),
    /// It led from one address to the next too often.
    #[error("the address leads on and on")]
    TooManyHops,
    /// Nothing came, or not in time.
    #[error("nothing came from the address")]
    Failed(#[from] UpstreamError),
}

impl Fetcher {
    /// Makes the clients. `allowed` may be asked although they are not of the open internet, and in the clear.
    ///
    /// # Errors
    /// [`UpstreamError::Build`] when TLS has no roots.
    pub fn build(allowed: &[IpNet], patience: Patience) -> Result<Self, UpstreamError> {
        Self::with_names(&Arc::new(SystemNames), allowed, patience)
    }

    fn with_names<R: Resolve + 'static>(
        names: &Arc<R>,
        allowed: &[IpNet],
        patience: Patience,
    ) -> Result<Self, UpstreamError> {
        let guard = Guard::new(allowed);
        let client = |in_the_clear| {
            client(Guarded::new(names.clone(), guard.clone(), in_the_clear), patience)
                .map_err(|error| UpstreamError::Build { name: "fetch".to_owned(), source: error.into() })
        };
        Ok(Self { open: client(false)?, in_the_clear: client(true)?, guard, idle: patience.idle })
    }

    /// Asks for what lies at an address, with these headers and no others, and follows where it leads. Gives the head of the
    /// answer, whatever its status; the body is to be read under a bound, or passed on as it comes.
    ///
    /// # Errors
    /// [`FetchError`]; nothing of an answer has arrived then.
    pub async fn fetch(&self, address: &str, headers: &HeaderMap, deadlines: Deadlines) -> Result<Answer, FetchError> {
        let deadline = deadlines.begin.min(deadlines.whole);
        let mut url = self.guard.read(address)?;
        for _ in 0..=limits::FETCH_HOPS {
            let asked = self.ask(url.clone(), headers);
            let response = timeout_at(deadline, asked).await.map_err(|_| UpstreamError::TooSlow)??;
            match onward(&response) {
                Some(location) => url = self.guard.follow(&url, location)?,
                None => {
                    let (head, body) = http::Response::from(response).into_parts();
                    let body = AnswerBody::new(body, self.idle, deadlines, Place::unbounded());
                    return Ok(Answer { status: head.status, headers: head.headers, body });
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

/// Where an answer sends us on to. A status that means so without an address is an answer like any other.
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

/// The guard's word, where it was the guard that let no connection be made.
fn forbidden(error: &reqwest::Error) -> Option<Forbidden> {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(inner) = cause {
        if let Some(forbidden) = inner.downcast_ref::<Forbidden>() {
            return Some(*forbidden);
        }
        cause = inner.source();
    }
    None
}

fn client<R: Resolve + 'static>(names: Guarded<R>, patience: Patience) -> reqwest::Result<Client> {
    install_tls();
    Client::builder()
        .dns_resolver(Arc::new(names))
        .connect_timeout(patience.connect)
        .no_proxy()
        // Each step is looked at before it is taken.
        .redirect(Policy::none())
        .referer(false)
        // What lies there is not asked for twice, and a connection that is kept was checked for another address.
        .pool_max_idle_per_host(0)
        .build()
}

#[cfg(test)]
mod tests;
