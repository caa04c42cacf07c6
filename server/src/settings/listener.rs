//! The listener's bounds, as an operator sets them.

use std::net::IpAddr;
use std::time::Duration;

use ipnet::IpNet;

use super::file::ListenerTable;
use tollgate_api::generated::limits;
use tollgate_catalog::UnplacedComplaint;
use tollgate_http::Config;

const MIB: usize = 1 << 20;
/// Least number of accounts that it takes to fill all places, where the file does not say how many one may have.
const ACCOUNTS_MIN: usize = 4;

/// The listener's configuration: what the spec says where the file says nothing.
pub(super) fn config(file: &ListenerTable, found: &mut Vec<UnplacedComplaint>) -> Config {
    let default = Config::default();
    for (key, given) in [
        ("connections_per_address", file.connections_per_address),
        ("requests_in_flight", file.requests_in_flight),
        ("requests_in_flight_per_account", file.requests_in_flight_per_account),
        ("bodies_in_flight_mib", file.bodies_in_flight_mib),
        ("answers_in_flight_mib", file.answers_in_flight_mib),
    ] {
        if given == Some(0) {
            found.push(UnplacedComplaint::new(&["listener", key], "must be at least 1: with none, nobody is served"));
        }
    }
    if file.client_read_idle_seconds == Some(0) {
        found.push(UnplacedComplaint::new(
            &["listener", "client_read_idle_seconds"],
            "must be at least 1: no client reads at once",
        ));
    }
    let trusted_proxies = networks(&file.trusted_proxies, &["listener", "trusted_proxies"], found);
    if trusted_proxies.iter().any(|network| network.prefix_len() == 0) {
        let message = "everybody is no proxy: then each client says itself where it is";
        found.push(UnplacedComplaint::new(&["listener", "trusted_proxies"], message));
    }
    Config {
        client_read_idle: file.client_read_idle_seconds.map_or(default.client_read_idle, Duration::from_secs),
        connections_per_address: file.connections_per_address.unwrap_or(default.connections_per_address),
        proxies: file
            .proxies
            .as_ref()
            .map_or(default.proxies, |given| networks(given, &["listener", "proxies"], found)),
        trusted_proxies,
        ..default
    }
}

/// The bounds on requests in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InFlightBounds {
    /// Requests.
    pub requests: usize,
    /// Requests of one account.
    pub requests_per_account: usize,
    /// Bytes of all requests' bodies.
    pub body_bytes: usize,
}

pub(super) fn in_flight(file: &ListenerTable) -> InFlightBounds {
    let count = |limit: u32| usize::try_from(limit).unwrap_or(usize::MAX);
    let requests = file.requests_in_flight.unwrap_or(count(limits::REQUESTS_IN_FLIGHT));
    // An operator who serves fewer at a time wants the same share for one account, and not all for the first.
    let share = match file.requests_in_flight {
        Some(requests) => (requests / ACCOUNTS_MIN).max(1),
        None => count(limits::REQUESTS_IN_FLIGHT_PER_ACCOUNT),
    };
    InFlightBounds {
        requests,
        requests_per_account: file.requests_in_flight_per_account.unwrap_or(share),
        body_bytes: file.bodies_in_flight_mib.map_or(limits::BODIES_IN_FLIGHT, |mib| mib.saturating_mul(MIB)),
    }
}

/// The memory of whole answers of providers, in bytes.
pub(super) fn answer_bytes(file: &ListenerTable) -> usize {
    file.answers_in_flight_mib.map_or(limits::ANSWERS_IN_FLIGHT, |mib| mib.saturating_mul(MIB))
}

/// Networks as an operator writes them, an address alone among them.
pub(super) fn networks(given: &[String], path: &[&str], found: &mut Vec<UnplacedComplaint>) -> Vec<IpNet> {
    let network = |text: &String| text.parse().ok().or_else(|| Some(IpNet::from(text.parse::<IpAddr>().ok()?)));
    let mut networks = Vec::with_capacity(given.len());
    for text in given {
        match network(text) {
            Some(network) => networks.push(network),
            None => {
                let message = format!("`{text}` is no address or network: write \"10.0.0.7\" or \"10.0.0.0/8\"");
                found.push(UnplacedComplaint::new(path, message));
            }
        }
    }
    networks
}
