//! The address of a client behind a reverse proxy of the operator.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

use tollgate_api::ClientAddress;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The networks of proxies whose `X-Forwarded-For` is believed.
#[derive(Debug, Clone)]
pub(super) struct TrustedProxies(Arc<[IpNet]>);

impl TrustedProxies {
    pub(super) fn new(networks: &[IpNet]) -> Self {
        Self(networks.into())
    }

    /// The client's address where the peer is a trusted proxy: the last hop that is none. Each proxy adds the hop before it at the
    /// end of the header, so what stands further left is the client's own word, and proves nothing.
    pub(super) fn client(&self, peer: SocketAddr, headers: &HeaderMap) -> Option<ClientAddress> {
        if !self.has(peer.ip().to_canonical()) {
            return None;
        }
        let lines = headers.get_all(FORWARDED_FOR).into_iter().rev();
        let hops = lines.flat_map(|line| line.to_str().unwrap_or("?").rsplit(','));
        let mut furthest = None;
        for hop in hops {
            let Some(hop) = address(hop.trim()) else { return Some(ClientAddress(None)) };
            furthest = Some(hop);
            if !self.has(hop) {
                break;
            }
        }
        // A proxy that names nobody has asked by itself.
        Some(ClientAddress(furthest.or(Some(peer.ip().to_canonical()))))
    }

    fn has(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// An address as proxies write it: alone, in brackets, or with a port.
fn address(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(hop);
    let alone = bare.parse().ok();
    alone
        .or_else(|| hop.parse().ok().map(|address: SocketAddr| address.ip()))
        .map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn client(peer: &str, lines: &[&str]) -> Option<Option<String>> {
        let networks = ["10.0.0.0/8", "::1/128"].map(|text| text.parse().expect("a network"));
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, HeaderValue::from_str(line).expect("a value"));
        }
        let peer = SocketAddr::new(peer.parse().expect("an address"), 4711);
        let told = TrustedProxies::new(&networks).client(peer, &headers)?;
        Some(told.0.map(|address| address.to_string()))
    }

    #[test]
    fn the_last_hop_that_is_no_proxy_of_ours_is_the_client() {
        for (peer, lines, want) in [
            ("192.0.2.1", vec!["198.51.100.7"], None),
            ("10.0.0.1", vec!["198.51.100.7"], Some("198.51.100.7")),
            ("::ffff:10.0.0.1", vec!["198.51.100.7"], Some("198.51.100.7")),
            ("10.0.0.1", vec!["203.0.113.9, 198.51.100.7"], Some("198.51.100.7")),
            ("10.0.0.1", vec!["203.0.113.9, 198.51.100.7, 10.0.0.2"], Some("198.51.100.7")),
            ("10.0.0.1", vec!["203.0.113.9", "198.51.100.7", "10.0.0.2,10.0.0.3"], Some("198.51.100.7")),
            ("::1", vec!["2001:db8::7"], Some("2001:db8::7")),
            ("::1", vec!["[2001:db8::7]:80, 10.1.1.1:90"], Some("2001:db8::7")),
            ("::1", vec!["::ffff:198.51.100.7"], Some("198.51.100.7")),
            // All of them are ours, or nobody is named.
            ("10.0.0.1", vec!["10.9.9.9, 10.0.0.2"], Some("10.9.9.9")),
            ("10.0.0.1", vec![], Some("10.0.0.1")),
        ] {
            assert_eq!(client(peer, &lines), want.map(|want| Some(want.to_owned())), "{peer} {lines:?}");
        }
    }

    #[test]
    fn who_cannot_be_told_is_nobody() {
        for line in ["unknown", "", "198.51.100.7,", "198.51.100.7, _hidden", "198.51.100.7 10.0.0.2", "\u{e9}"] {
            assert_eq!(client("10.0.0.1", &[line]), Some(None), "{line:?}");
        }
    }
}
