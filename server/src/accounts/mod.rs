//! Floor 2: accounts and their API keys. Who is calling, and may they?
//!
//! Imports `base` and `store`. Knows nothing of money: an account's balance is the ledger's, opened for it by the
//! database. Invariants: a secret is shown once and stored as its SHA-256 alone; a revoked key, an expired key and a
//! key of a frozen account are refused within a second of the change, whichever process made it, because a cached
//! answer is used only while the watcher has seen within that second that no key has changed.
//! Start reading at [`Accounts::authenticate`]; the text form of a key is in `key`.

mod authenticate;
mod billing;
mod cache;
mod error;
mod key;
mod manage_accounts;
mod manage_keys;
mod model;
mod sql;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::base::Clock;
use crate::store::Store;

use cache::KeyCache;

pub use error::{AccountError, KeyRefused};
pub use model::{Account, AccountState, ApiKey, CreatedKey, KeyState, NewKey, Revoked};

/// The handle of this room. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Accounts {
    store: Store,
    clock: Clock,
    cache: Arc<KeyCache>,
}

impl Accounts {
    /// A handle on the accounts of `store`. Until somebody runs [`Accounts::watch`] it asks the database at least once a
    /// second.
    #[must_use]
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { store, clock, cache: Arc::new(KeyCache::default()) }
    }
}
