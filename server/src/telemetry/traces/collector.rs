//! The way to the collector: our own HTTP client, on our own runtime, for a thread that is no part of either.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use opentelemetry_http::{HttpClient, HttpError};
use reqwest::Client;
use reqwest::redirect::Policy;
use tokio::runtime::Handle;

/// Sends spans.
#[derive(Debug)]
pub(super) struct Collector {
    client: Client,
    runtime: Handle,
    /// Whether the last ones were lost: told once, and not again for each.
    failing: AtomicBool,
}

impl Collector {
    /// To be called in the runtime that is to carry what is sent.
    pub(super) fn build(patience: Duration) -> reqwest::Result<Self> {
        // No proxy and no redirect: spans go to the address that was configured, or nowhere.
        let client = Client::builder().no_proxy().redirect(Policy::none()).timeout(patience).build()?;
        Ok(Self { client, runtime: Handle::current(), failing: AtomicBool::new(false) })
    }

    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let request = reqwest::Request::try_from(request.map(reqwest::Body::from))?;
        let client = self.client.clone();
        // The thread that waits for it, and owns it, has no reactor: what needs one is begun where there is one.
        let sent = self.runtime.spawn(async move { client.execute(request).await }).await?;
        let mut response = Response::new(Bytes::new());
        // What it answers is of no use to us, and is not read.
        *response.status_mut() = sent?.status();
        Ok(response)
    }

    fn tell(&self, sent: &Result<Response<Bytes>, HttpError>) {
        let failing = !sent.as_ref().is_ok_and(|response| response.status().is_success());
        if self.failing.swap(failing, Ordering::Relaxed) == failing {
            return;
        }
        match sent {
            _ if !failing => tracing::info!("the collector takes spans again"),
            Ok(response) => tracing::warn!(status = response.status().as_u16(), "the collector refuses spans"),
            Err(error) => tracing::warn!(error = &**error as &dyn std::error::Error, "the collector cannot be reached"),
        }
    }
}

impl HttpClient for Collector {
    fn send_bytes<'s, 'f>(
        &'s self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        Box::pin(async move {
            let sent = self.send(request).await;
            self.tell(&sent);
            sent
        })
    }
}
