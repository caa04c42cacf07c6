//! The HTTP client, with its pool of connections.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, Uri, header, uri};
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::client::danger::ServerCertVerifier;

use super::config::{HttpClientConfig, HttpProtocol};
use super::connector::Connector;
use super::error::{HttpError, UnusableTls, is_unprocessed};
use super::tls::{client_config, system_verifier};

/// The body of an answer as it arrives. Dropping it cancels the request.
pub type ResponseBody = hyper::body::Incoming;

/// The time after which an unused connection is closed.
const IDLE_MAX: Duration = Duration::from_secs(90);
/// The most times that a request is sent again after the peer refused it unprocessed.
const RESENDS_MAX: usize = 2;
const ANY_TYPE: HeaderValue = HeaderValue::from_static("*/*");

/// An HTTP client with a pool of connections of its own. Clones share the pool.
#[derive(Debug, Clone)]
pub struct HttpClient {
    client: Client<Connector, Full<Bytes>>,
    protocol: HttpProtocol,
}

impl HttpClient {
    /// Builds the client; no connection is opened yet.
    ///
    /// # Errors
    /// [`UnusableTls`] when the system has no certificates.
    pub fn build(config: &HttpClientConfig) -> Result<Self, UnusableTls> {
        Ok(Self::with_verifier(config, system_verifier()?))
    }

    pub(crate) fn with_verifier(config: &HttpClientConfig, verifier: Arc<dyn ServerCertVerifier>) -> Self {
        let connector = Connector::new(config, client_config(config.protocol, verifier));
        let client = Client::builder(TokioExecutor::new())
            .timer(TokioTimer::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_MAX)
            .pool_max_idle_per_host(config.idle_connections_max)
            .http2_only(config.protocol == HttpProtocol::Http2)
            .http2_adaptive_window(config.adaptive_window)
            .build(connector);
        Self { client, protocol: config.protocol }
    }

    /// Sends a request, by its absolute URL, and waits for the head of the answer, whatever its status.
    ///
    /// # Errors
    /// [`HttpError`]; nothing of an answer has arrived then.
    pub async fn send(&self, request: Request<Bytes>) -> Result<Response<ResponseBody>, HttpError> {
        let mut request = request.map(Full::new);
        request.headers_mut().entry(header::ACCEPT).or_insert(ANY_TYPE);
        // HTTP/1.1 has no such refusal, so that its requests need no copy.
        if self.may_speak_http2(request.uri()) {
            for _ in 0..RESENDS_MAX {
                match self.client.request(request.clone()).await {
                    Err(error) if is_unprocessed(&error) => {}
                    done => return done.map_err(HttpError::Request),
                }
            }
        }
        self.client.request(request).await.map_err(HttpError::Request)
    }

    fn may_speak_http2(&self, target: &Uri) -> bool {
        match self.protocol {
            HttpProtocol::Negotiated => target.scheme() == Some(&uri::Scheme::HTTPS),
            HttpProtocol::Http1 => false,
            HttpProtocol::Http2 => true,
        }
    }
}
