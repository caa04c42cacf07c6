//! The bound of failed tries to sign in: so many a minute with one name from one address, and with all names from there.
//!
//! It is counted in the memory of each server, before anything is read, written or hashed: whoever fails costs the ledger
//! nothing, and locks a name for nobody who comes from elsewhere. A try counts from its beginning, so that many at the same
//! moment are no more; where it succeeds, it is taken back.

use std::net::IpAddr;

use sha2::{Digest, Sha256};

use super::{ClientNetwork, SignInRefused, Tries};
use crate::base::Network;
use crate::generated::limits;

/// The failures of this server's last minute.
#[derive(Debug)]
pub(super) struct Failures {
    by_name: Tries<(ClientNetwork, [u8; 32])>,
    by_address: Tries<ClientNetwork>,
    registrations: Tries<ClientNetwork>,
}

/// A try that counts as a failure until it is taken back.
#[derive(Debug)]
pub(super) struct Try {
    from: ClientNetwork,
    /// A hash: what is typed for a name may be a password.
    name: [u8; 32],
}

impl Default for Failures {
    fn default() -> Self {
        Self {
            by_name: Tries::new(limits::LOGIN_TRIES),
            by_address: Tries::new(limits::LOGIN_ADDRESS_TRIES),
            registrations: Tries::new(limits::LOGIN_TRIES),
        }
    }
}

impl Failures {
    /// Begins a try to sign in.
    pub(super) fn begin(&self, name: &str, from: Option<IpAddr>, now_ms: i64) -> Result<Try, SignInRefused> {
        let from = from.map(Network::of_client);
        let name = Sha256::digest(name.to_lowercase()).into();
        let begun = Try { from, name };
        self.by_name.count(&(from, name), now_ms).map_err(too_many)?;
        if let Err(wait_seconds) = self.by_address.count(&from, now_ms) {
            self.by_name.uncount(&(from, name));
            return Err(too_many(wait_seconds));
        }
        Ok(begun)
    }

    /// Takes a try back that was none, or that succeeded.
    pub(super) fn take_back(&self, begun: &Try) {
        self.by_name.uncount(&(begun.from, begun.name));
        self.by_address.uncount(&begun.from);
    }

    /// Counts an account that somebody wants to open, which is not taken back: each that succeeds is one more.
    pub(super) fn register(&self, from: Option<IpAddr>, now_ms: i64) -> Result<(), SignInRefused> {
        self.registrations.count_from(from, now_ms).map_err(too_many)
    }
}

const fn too_many(wait_seconds: u32) -> SignInRefused {
    SignInRefused::TooMany { wait_seconds }
}
