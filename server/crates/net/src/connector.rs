//! Opening connections: DNS, TCP and TLS under one timeout.

use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower_service::Service;

use super::config::HttpClientConfig;
use super::error::ConnectTimeout;
use super::resolver::ResolverService;

/// The time after which a silent connection is probed, and the time between two probes.
const KEEPALIVE: Duration = Duration::from_secs(15);
/// The number of unanswered probes after which a connection is closed.
const KEEPALIVE_PROBES: u32 = 3;
/// The longest time that bytes we have sent may stay unacknowledged.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(30);

/// The connector of one client. The client clones it twice a request, so all of it is behind one pointer.
#[derive(Debug, Clone)]
pub(crate) struct Connector(Arc<Connecting>);

#[derive(Debug)]
struct Connecting {
    https: HttpsConnector<HttpConnector<ResolverService>>,
    /// The most time for DNS, TCP and TLS together.
    timeout: Duration,
}

impl Connector {
    pub(crate) fn new(config: &HttpClientConfig, tls: ClientConfig) -> Self {
        let mut http = HttpConnector::new_with_resolver(ResolverService(config.resolver.clone()));
        // Shared by the addresses of a host, so that one of them that does not answer leaves time for the next.
        http.set_connect_timeout(Some(config.connect_timeout));
        http.set_nodelay(true);
        http.set_keepalive(Some(KEEPALIVE));
        http.set_keepalive_interval(Some(KEEPALIVE));
        http.set_keepalive_retries(Some(KEEPALIVE_PROBES));
        #[cfg(target_os = "linux")]
        http.set_tcp_user_timeout(Some(UNACKNOWLEDGED_MAX));
        // TLS is added around it.
        http.enforce_http(false);
        let https = HttpsConnector::from((http, tls));
        Self(Arc::new(Connecting { https, timeout: config.connect_timeout }))
    }
}

impl Service<Uri> for Connector {
    type Response = MaybeHttpsStream<TokioIo<TcpStream>>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        let connecting = timeout(self.0.timeout, self.0.https.clone().call(target));
        Box::pin(async move { connecting.await.map_err(|_| ConnectTimeout)? })
    }
}
