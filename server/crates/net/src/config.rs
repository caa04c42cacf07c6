//! The settings of an HTTP client.

use std::sync::Arc;
use std::time::Duration;

use super::resolver::NameResolver;

/// The settings of a client.
#[derive(Debug, Clone)]
pub struct HttpClientConfig {
    /// The versions of HTTP that it speaks.
    pub protocol: HttpProtocol,
    /// The most time to open a connection.
    pub connect_timeout: Duration,
    /// The most unused connections that are kept; with 0 each request opens its own.
    pub idle_connections_max: usize,
    /// True if the windows of HTTP/2 grow with the measured bandwidth.
    pub adaptive_window: bool,
    /// The DNS resolver.
    pub resolver: Arc<dyn NameResolver>,
}

/// The versions of HTTP that a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpProtocol {
    /// Over TLS the version that the peer prefers, else HTTP/1.1.
    Negotiated,
    /// HTTP/1.1 only.
    Http1,
    /// HTTP/2 only; in the clear this is "prior knowledge".
    Http2,
}
