//! The circumstances of a request beyond its typed input, for the handler.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap};
use tokio::time::Instant;

use super::{Failure, KeyClaim, OperationError, RequestId};
use tollgate_base::RequestTags;

/// The circumstances of one request. Holds no credential: those were taken out before the handler was called.
#[derive(Debug)]
pub struct Cx {
    /// The id of the request, made by us for this request, never taken from the client.
    pub request_id: RequestId,
    /// The address that the request came from: [`ClientAddress`] if the listener set one, else the peer of the connection.
    /// Absent where a proxy that we trust did not say.
    pub client: Option<IpAddr>,
    /// The client's headers without any header that can carry a credential.
    pub headers: HeaderMap,
    /// The raw query without credential parameters, for forwarding; `None` when nothing is left of it.
    pub query: Option<String>,
    /// The moment at which the router took the request.
    pub started: Instant,
    /// The claim on its Idempotency-Key, for whoever holds money for it.
    pub claim: Option<Arc<KeyClaim>>,
    /// The tags that it carries, where it is one that is paid for.
    pub tags: RequestTags,
    /// Seconds before a retry; 0 where nobody said.
    pub(super) wait_seconds: AtomicU32,
}

impl Cx {
    /// Names the wait before a retry, for a failure that the handler is about to give back: its closed set has no room for
    /// one. Sent only with codes that say `retry: after`.
    pub fn retry_after(&self, seconds: u32) {
        self.wait_seconds.store(seconds, Ordering::Relaxed);
    }

    /// A handler's failure, with the wait that it named.
    #[must_use]
    pub fn failed(&self, error: impl OperationError) -> Failure {
        match self.wait_seconds.load(Ordering::Relaxed) {
            0 => error.failure(),
            seconds => error.failure().with_retry_after(seconds),
        }
    }
}

/// The client's address as a trusted proxy in front of us reports it, absent where it reports none; the listener puts it
/// into the request's extensions, where it wins over the peer of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub Option<IpAddr>);

pub(super) fn client_address(extensions: &Extensions) -> Option<IpAddr> {
    match extensions.get::<ClientAddress>() {
        Some(told) => told.0,
        None => extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip()),
    }
}
