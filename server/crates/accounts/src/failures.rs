//! The bound of failed tries to sign in: so many a minute with one name from one address, and with all names from there.
//!
//! It is counted in the memory of each server, before anything is read, written or hashed: whoever fails costs the ledger
//! nothing, and locks a name for nobody who comes from elsewhere. A try counts from its beginning, so that many at the same
//! moment are no more; where it succeeds, it is taken back.

use std::net::IpAddr;

use sha2::{Digest, Sha256};

use super::{AttemptLimiter, ClientNetwork, SignInRejection};
use tollgate_api::generated::limits;
use tollgate_base::AddressRange;

/// The failures of this server's last minute.
#[derive(Debug)]
pub(super) struct SignInFailures {
    by_name: AttemptLimiter<(ClientNetwork, [u8; 32])>,
    by_address: AttemptLimiter<ClientNetwork>,
    registrations: AttemptLimiter<ClientNetwork>,
}

/// A try that counts as a failure until it is taken back.
#[derive(Debug)]
pub struct SignInAttempt {
    from: ClientNetwork,
    /// A hash: what is typed for a name may be a password. Absent where no name is typed.
    name: Option<[u8; 32]>,
}

impl Default for SignInFailures {
    fn default() -> Self {
        Self {
            by_name: AttemptLimiter::new(limits::LOGIN_TRIES),
            by_address: AttemptLimiter::new(limits::LOGIN_ADDRESS_TRIES),
            registrations: AttemptLimiter::new(limits::LOGIN_TRIES),
        }
    }
}

impl SignInFailures {
    /// Begins a try to sign in.
    pub(super) fn begin(
        &self,
        name: &str,
        from: Option<IpAddr>,
        now_ms: i64,
    ) -> Result<SignInAttempt, SignInRejection> {
        let from = from.map(AddressRange::of_client);
        let name = Sha256::digest(name.to_lowercase()).into();
        self.by_name.count(&(from, name), now_ms).map_err(too_many)?;
        if let Err(wait_seconds) = self.by_address.count(&from, now_ms) {
            self.by_name.uncount(&(from, name));
            return Err(too_many(wait_seconds));
        }
        Ok(SignInAttempt { from, name: Some(name) })
    }

    /// Begins a try by a secret that names its owner.
    pub(super) fn begin_unnamed(&self, from: Option<IpAddr>, now_ms: i64) -> Result<SignInAttempt, SignInRejection> {
        let from = from.map(AddressRange::of_client);
        self.by_address.count(&from, now_ms).map_err(too_many)?;
        Ok(SignInAttempt { from, name: None })
    }

    /// Takes a try back that was none, or that succeeded.
    pub(super) fn take_back(&self, begun: &SignInAttempt) {
        if let Some(name) = begun.name {
            self.by_name.uncount(&(begun.from, name));
        }
        self.by_address.uncount(&begun.from);
    }

    /// Counts an account that somebody wants to open, which is not taken back: each that succeeds is one more.
    pub(super) fn register(&self, from: Option<IpAddr>, now_ms: i64) -> Result<(), SignInRejection> {
        self.registrations.count_from(from, now_ms).map_err(too_many)
    }
}

const fn too_many(wait_seconds: u32) -> SignInRejection {
    SignInRejection::TooMany { wait_seconds }
}
