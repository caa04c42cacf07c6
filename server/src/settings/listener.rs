//! The listener's bounds, as an operator sets them.

use std::net::IpAddr;

use ipnet::IpNet;

use super::check::Found;
use super::file::Listener;
use crate::generated::limits;
use crate::http::Config;

/// The listener's configuration: what the spec says where the file says nothing.
pub(super) fn config(file: &Listener, found: &mut Vec<Found>) -> Config {
    let default = Config::default();
    for (key, given) in
        [("connections_per_address", file.connections_per_address), ("requests_in_flight", file.requests_in_flight)]
    {
        if given == Some(0) {
            found.push(Found::new(&["listener", key], "must be at least 1: with none, nobody is served"));
        }
    }
    Config {
        connections_per_address: file.connections_per_address.unwrap_or(default.connections_per_address),
        proxies: file.proxies.as_ref().map_or(default.proxies, |given| proxies(given, found)),
        ..default
    }
}

pub(super) fn requests_in_flight(file: &Listener) -> usize {
    file.requests_in_flight.unwrap_or(usize::try_from(limits::REQUESTS_IN_FLIGHT).unwrap_or(usize::MAX))
}

fn proxies(given: &[String], found: &mut Vec<Found>) -> Vec<IpNet> {
    let network = |text: &String| text.parse().ok().or_else(|| Some(IpNet::from(text.parse::<IpAddr>().ok()?)));
    let mut networks = Vec::with_capacity(given.len());
    for text in given {
        match network(text) {
            Some(network) => networks.push(network),
            None => {
                let message = format!("`{text}` is no address or network: write \"10.0.0.7\" or \"10.0.0.0/8\"");
                found.push(Found::new(&["listener", "proxies"], message));
            }
        }
    }
    networks
}
