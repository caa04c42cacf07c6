//! The HTTP client of the trace exporter. The exporter's thread has no reactor, so that requests run on our runtime.

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

/// Sends batches of spans to the collector.
#[derive(Debug)]
pub(super) struct CollectorClient {
    client: Client,
    runtime: Handle,
    /// True if the last batch was lost. A change is logged, and not each loss.
    failing: AtomicBool,
}

impl CollectorClient {
    /// Builds the client. Call it inside the runtime that is to run its requests.
    pub(super) fn build(patience: Duration) -> reqwest::Result<Self> {
        // No proxy and no redirect: spans go to the address that was configured, or nowhere.
        let client = Client::builder().no_proxy().redirect(Policy::none()).timeout(patience).build()?;
        Ok(Self { client, runtime: Handle::current(), failing: AtomicBool::new(false) })
    }

    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let request = reqwest::Request::try_from(request.map(reqwest::Body::from))?;
        let client = self.client.clone();
        // The exporter's thread has no reactor: the request is spawned on the runtime.
        let sent = self.runtime.spawn(async move { client.execute(request).await }).await?;
        let mut response = Response::new(Bytes::new());
        // The body of the response is of no use, and is not read.
        *response.status_mut() = sent?.status();
        Ok(response)
    }

    fn log_change(&self, sent: &Result<Response<Bytes>, HttpError>) {
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

impl HttpClient for CollectorClient {
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
            self.log_change(&sent);
            sent
        })
    }
}
