//! How often one address may do within a minute what takes no key: each payment that is looked at costs questions to the chain,
//! and each notice that is refused a line of the log.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use crate::base::Network;

const MINUTE_MS: i64 = 60_000;
/// Addresses that are remembered. When there are more, the count begins anew for all: a bound on memory, no bound on payers.
const ADDRESSES_MAX: usize = 100_000;

/// The tries of this process within a minute.
#[derive(Debug)]
pub(super) struct Tries {
    most: u32,
    minute: Mutex<Minute>,
}

#[derive(Debug, Default)]
struct Minute {
    began_at_ms: i64,
    counts: HashMap<Option<Network>, u32>,
}

impl Tries {
    /// So many for each address.
    pub(super) fn new(most: u32) -> Self {
        Self { most, minute: Mutex::default() }
    }

    /// Counts a try; where it is one too many, the seconds until the next.
    pub(super) fn count(&self, from: Option<IpAddr>, now_ms: i64) -> Result<(), u32> {
        // A count is whole after each of its changes, whoever panicked.
        let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        let over = minute.counts.is_empty() || !(minute.began_at_ms..minute.began_at_ms + MINUTE_MS).contains(&now_ms);
        if over || minute.counts.len() >= ADDRESSES_MAX {
            *minute = Minute { began_at_ms: now_ms, counts: HashMap::new() };
        }
        let wait_ms = minute.began_at_ms + MINUTE_MS - now_ms;
        let count = minute.counts.entry(from.map(Network::of_client)).or_default();
        if *count >= self.most {
            return Err(u32::try_from((wait_ms + 999) / 1000).unwrap_or(60));
        }
        *count += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_tries_a_minute_and_another_its_own() {
        let tries = Tries::new(60);
        let (one, other) = (Some(IpAddr::from([10, 0, 0, 1])), Some(IpAddr::from([10, 0, 0, 2])));
        for _ in 0..60 {
            assert_eq!(tries.count(one, 1_000), Ok(()));
        }
        assert_eq!(tries.count(one, 31_000), Err(30));
        assert_eq!((tries.count(other, 31_000), tries.count(None, 31_000)), (Ok(()), Ok(())));
        assert_eq!(tries.count(one, 61_000), Ok(()));
    }
}
