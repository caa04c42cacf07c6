//! What a handler learns about the request beyond its typed input.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap};
use tokio::time::Instant;

use super::RequestId;

/// The circumstances of one request. Holds no credential: those were taken out before the handler was called.
#[derive(Debug)]
pub struct Cx {
    /// Minted by us for this request, never taken from the client.
    pub request_id: RequestId,
    /// Where the request came from: [`ClientAddress`] if the listener set one, else the peer of the connection.
    pub client: Option<IpAddr>,
    /// The client's headers without any header that can carry a credential.
    pub headers: HeaderMap,
    /// The raw query without credential parameters, for forwarding; `None` when nothing is left of it.
    pub query: Option<String>,
    /// When the router took the request.
    pub started: Instant,
}

/// The client's address as a trusted proxy in front of us reports it; the listener puts it into the request's
/// extensions, where it wins over the peer of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

pub(super) fn client_address(extensions: &Extensions) -> Option<IpAddr> {
    let told = extensions.get::<ClientAddress>().map(|address| address.0);
    told.or_else(|| extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip()))
}
