//! Floor 2: accounts, their API keys, and the sessions of people. Who is calling, and may they?
//!
//! Imports `base`, `api` and `store`. Knows nothing of money: an account's balance is the ledger's, opened for
//! it by the database, and what a key may spend is written down here and enforced there. Invariants: a secret is shown
//! once and stored as its SHA-256 alone, a password as its argon2id hash; a revoked key, an expired key and a key of a
//! frozen account are refused within a second of the change, whichever process made it, because a cached answer is used
//! only while the watcher has seen within that second that no key has changed; sessions are not cached at all. A key that
//! is limited makes, changes and revokes none. [`operators`] has those who run the service.
//! Start reading at [`AccountService::authenticate`] and [`AccountService::sign_in`]; the text form of a key is in `key`.

mod acting;
mod agent_keys;
mod authenticate;
mod billing;
mod cache;
mod error;
mod failures;
mod handlers;
mod key;
mod limits;
mod manage_accounts;
mod manage_keys;
mod manage_sessions;
mod model;
mod name;
pub mod operators;
mod password;
mod people;
mod sign_in;
mod sql;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod token;
mod tries;

use std::sync::Arc;

use tollgate_base::Clock;
use tollgate_store::Store;

use cache::KeyCache;
use failures::SignInFailures;
use password::PasswordHashPool;

pub use acting::InvitationSecret;
pub use error::{AccountError, FirstPasswordRejection, KeyRejection, SessionRejection, SignInRejection};
pub use failures::SignInAttempt;
pub use limits::{BadLimit, KeyLimits, addresses, models, operations};
pub use model::{
    Account, AccountChange, AccountState, ActingMember, ApiKey, CreatedKey, KeyChange, KeyState, NewKey, NewSession,
    RevokedKey, UserSession,
};
pub use sign_in::is_address;
pub use tries::{AttemptLimiter, ClientNetwork};

/// The handle of this room. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AccountService {
    store: Store,
    clock: Clock,
    cache: Arc<KeyCache>,
    passwords: Arc<PasswordHashPool>,
    failures: Arc<SignInFailures>,
    registration: bool,
}

impl AccountService {
    /// A handle on the accounts of `store`. Until somebody runs [`AccountService::watch`] it asks the database at least once a
    /// second.
    #[must_use]
    pub fn new(store: Store, clock: Clock) -> Self {
        Self {
            store,
            clock,
            cache: Arc::default(),
            passwords: Arc::default(),
            failures: Arc::default(),
            registration: false,
        }
    }

    /// Sets if people may open accounts by themselves.
    #[must_use]
    pub fn with_registration(mut self, open: bool) -> Self {
        self.registration = open;
        self
    }

    /// True if people may open accounts by themselves.
    #[must_use]
    pub const fn is_registration_open(&self) -> bool {
        self.registration
    }
}
