//! Connections counted by where they come from, so that one client does not take all places.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;

/// Most connections of one address that are told at the same time that it has too many; others are closed at once.
const TOLD_MAX: usize = 8;
/// The part of an IPv6 address that its owner is given; the rest is the owner's to choose.
const IPV6_NETWORK: u128 = !(u64::MAX as u128);

/// The count of open connections per address, or per IPv6 network.
#[derive(Debug)]
pub(super) struct ConnectionCounts {
    open: Mutex<HashMap<IpAddr, AddressCount>>,
    most: usize,
    exempt: Vec<IpNet>,
}

#[derive(Debug, Default)]
struct AddressCount {
    served: usize,
    told: usize,
}

/// The decision about a new connection.
#[derive(Debug)]
pub(super) enum AdmissionDecision {
    /// It is served; its place is counted while this lives.
    Served(Option<CountedConnection>),
    /// It is told that its address has too many.
    Told(CountedConnection),
    /// It is closed.
    Closed,
}

/// One counted connection; the count goes down when this is dropped.
#[derive(Debug)]
pub(super) struct CountedConnection {
    addresses: Arc<ConnectionCounts>,
    network: IpAddr,
    served: bool,
}

impl ConnectionCounts {
    pub(super) fn new(most: usize, exempt: Vec<IpNet>) -> Arc<Self> {
        Arc::new(Self { open: Mutex::default(), most, exempt })
    }

    /// Counts a connection from `peer`.
    pub(super) fn receive(self: &Arc<Self>, peer: IpAddr) -> AdmissionDecision {
        let peer = peer.to_canonical();
        if self.exempt.iter().any(|net| net.contains(&peer)) {
            return AdmissionDecision::Served(None);
        }
        let network = network(peer);
        let mut open = self.open();
        let count = open.entry(network).or_default();
        let served = count.served < self.most;
        if !served && count.told >= TOLD_MAX {
            return AdmissionDecision::Closed;
        }
        *count.of(served) += 1;
        drop(open);
        let seat = CountedConnection { addresses: self.clone(), network, served };
        if served { AdmissionDecision::Served(Some(seat)) } else { AdmissionDecision::Told(seat) }
    }

    /// Numbers alone are changed under the lock, so that a panic elsewhere leaves them right.
    fn open(&self) -> MutexGuard<'_, HashMap<IpAddr, AddressCount>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AddressCount {
    fn of(&mut self, served: bool) -> &mut usize {
        if served { &mut self.served } else { &mut self.told }
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let mut open = self.addresses.open();
        let Some(count) = open.get_mut(&self.network) else { return };
        *count.of(self.served) -= 1;
        if count.served + count.told == 0 {
            open.remove(&self.network);
        }
    }
}

fn network(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V4(_) => peer,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & IPV6_NETWORK).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receive(addresses: &Arc<ConnectionCounts>, peer: &str) -> AdmissionDecision {
        addresses.receive(peer.parse().expect("an address"))
    }

    #[test]
    fn an_ipv6_network_is_one_address_and_so_is_a_mapped_one() {
        let addresses = ConnectionCounts::new(1, Vec::new());
        for (first, second, other) in
            [("2001:db8::1", "2001:db8::ffff:0:0:1", "2001:db8:0:1::1"), ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2")]
        {
            let held = receive(&addresses, first);
            assert!(matches!(held, AdmissionDecision::Served(Some(_))));
            assert!(matches!(receive(&addresses, second), AdmissionDecision::Told(_)), "{second}");
            assert!(matches!(receive(&addresses, other), AdmissionDecision::Served(Some(_))), "{other}");
        }
    }

    #[test]
    fn a_few_are_told_and_the_rest_are_closed() {
        let addresses = ConnectionCounts::new(2, Vec::new());
        let served: Vec<_> = (0..2).map(|_| receive(&addresses, "192.0.2.1")).collect();
        let told: Vec<_> = (0..TOLD_MAX).map(|_| receive(&addresses, "192.0.2.1")).collect();
        assert!(told.iter().all(|reception| matches!(reception, AdmissionDecision::Told(_))));
        assert!(matches!(receive(&addresses, "192.0.2.1"), AdmissionDecision::Closed));
        drop(served);
        // Those that are being told take nobody's place.
        assert!(matches!(receive(&addresses, "192.0.2.1"), AdmissionDecision::Served(Some(_))));
        drop(told);
        assert!(addresses.open().is_empty(), "nothing is kept about who has gone");
    }

    #[test]
    fn a_proxy_has_as_many_as_it_needs() {
        let addresses = ConnectionCounts::new(0, vec!["10.0.0.0/8".parse().expect("a network")]);
        assert!(matches!(receive(&addresses, "10.1.2.3"), AdmissionDecision::Served(None)));
        assert!(matches!(receive(&addresses, "11.1.2.3"), AdmissionDecision::Told(_)));
    }
}
