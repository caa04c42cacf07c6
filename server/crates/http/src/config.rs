//! Bounds on connections and on what a connection may take.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use tollgate_api::generated::limits;

/// Bounds on connections. The default is what the spec says.
#[derive(Debug, Clone)]
pub struct Config {
    /// Open connections at the same time; further ones wait to be accepted.
    pub connections: usize,
    /// Open connections of one address; further ones are refused.
    pub connections_per_address: usize,
    /// Networks that the bound per address does not apply to: reverse proxies, and the machine itself.
    pub proxies: Vec<IpNet>,
    /// Reverse proxies whose `X-Forwarded-For` says where a request came from. None are trusted by themselves.
    pub trusted_proxies: Vec<IpNet>,
    /// Time within which the headers of a request must arrive.
    pub header_read: Duration,
    /// Headers of one request.
    pub header_count: usize,
    /// Bytes of the path and all headers of one request.
    pub header_bytes: usize,
    /// Requests of one HTTP/2 connection at the same time.
    pub http2_streams: u32,
    /// Silence of an HTTP/2 client after which it is asked whether it is there.
    pub http2_silence: Duration,
    /// Time without a request after which an HTTP/2 connection is closed.
    pub http2_idle: Duration,
    /// The longest that a client may take nothing of an answer that is there for it.
    pub client_read_idle: Duration,
    /// Time within which replies must end once the gateway was told to stop.
    pub shutdown_grace: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            connections: count(limits::CONNECTIONS),
            connections_per_address: count(limits::CONNECTIONS_PER_ADDRESS),
            proxies: loopback(),
            trusted_proxies: Vec::new(),
            header_read: limits::HEADER_READ,
            header_count: count(limits::HEADER_COUNT),
            header_bytes: limits::HEADER_BYTES,
            http2_streams: limits::HTTP2_STREAMS,
            http2_silence: limits::HTTP2_SILENCE,
            http2_idle: limits::HTTP2_IDLE,
            client_read_idle: limits::CLIENT_READ_IDLE,
            shutdown_grace: limits::SHUTDOWN_GRACE,
        }
    }
}

/// The loopback networks, whose connections are the operator's own: of a reverse proxy, most often.
fn loopback() -> Vec<IpNet> {
    let four = Ipv4Net::new_assert(Ipv4Addr::new(127, 0, 0, 0), 8);
    let six = Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128);
    vec![four.into(), six.into()]
}

fn count(limit: u32) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}
