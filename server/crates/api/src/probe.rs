//! Probes: what a request may have that its operation or family asks about.

use http::HeaderMap;

use super::WireName;
use super::params::query_pairs;

/// Something a request may have.
#[derive(Debug)]
pub enum Probe {
    /// A header, under any of its names.
    Header(&'static WireName),
    /// A query parameter.
    Query(&'static str),
}

impl Probe {
    pub(super) fn is_in(&self, headers: &HeaderMap, query: Option<&str>) -> bool {
        match self {
            Self::Header(name) => name.is_in(headers),
            Self::Query(name) => query_pairs(query).any(|(key, _)| key == *name),
        }
    }
}

/// The probes of an operation that the request has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen(u32);

impl Seen {
    /// True if the request has what probe `index` asks about.
    #[must_use]
    pub const fn has(self, index: u32) -> bool {
        self.0 >> index & 1 == 1
    }

    pub(super) fn of(probes: &[Probe], headers: &HeaderMap, query: Option<&str>) -> Self {
        let bit = |probe: &Probe| u32::from(probe.is_in(headers, query));
        Self(probes.iter().rev().fold(0, |bits, probe| bits << 1 | bit(probe)))
    }
}
