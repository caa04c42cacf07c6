//! Keys that were found before, for as long as it is certain that no key has changed since.
//!
//! The database counts every change of a key or of an account's state. What is cached belongs to one value of that
//! count; seeing another drops it all. A cached key is used only while the count was last compared less than
//! [`FRESH`] ago, so that a watcher that is late or cut off makes authentication slower, never laxer.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use tokio::time::Instant;

use super::key::KeyHash;
use super::{AccountState, KeyState};
use tollgate_base::Principal;

/// The greatest age of the last comparison with which a cached key is used.
pub(super) const FRESH: Duration = Duration::from_secs(1);
/// The most keys in the cache, beyond which it starts anew.
/// A bound on memory, far above the keys one node serves at a time.
const KEYS_MAX: usize = 100_000;

/// The facts that decide about a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundKey {
    pub(super) principal: Principal,
    pub(super) state: KeyState,
    pub(super) account_state: AccountState,
    pub(super) expires_at_ms: Option<i64>,
}

#[derive(Debug, Default)]
pub(super) struct KeyCache(RwLock<KeyCacheGeneration>);

#[derive(Debug, Default)]
struct KeyCacheGeneration {
    epoch: i64,
    /// The beginning of the comparison that last found `epoch` in the database.
    compared: Option<Instant>,
    keys: HashMap<KeyHash, FoundKey>,
    /// The moment before which nothing was read that is to be believed.
    since: Option<Instant>,
}

impl KeyCache {
    /// The key, if it is here and certain.
    pub(super) fn get(&self, hash: &KeyHash) -> Option<FoundKey> {
        let generation = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let found = generation.keys.get(hash)?;
        // Cheap to clone: only the scope of a key that has one is shared.
        (generation.compared?.elapsed() < FRESH).then(|| found.clone())
    }

    /// Forgets everything: this process has just changed a key, and need not wait to notice.
    pub(super) fn forget(&self) {
        let mut generation = self.0.write().unwrap_or_else(PoisonError::into_inner);
        generation.compared = None;
        generation.keys.clear();
        generation.since = Some(Instant::now());
    }

    /// Takes note that a read that began at `began` found `epoch`, and the key, if it found one.
    pub(super) fn observe(&self, epoch: i64, began: Instant, key: Option<(KeyHash, FoundKey)>) {
        let mut generation = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if epoch < generation.epoch || generation.since.is_some_and(|since| began < since) {
            // Read before a change that somebody else has seen since: of no use to anyone.
            return;
        }
        if epoch > generation.epoch || generation.keys.len() >= KEYS_MAX {
            generation.epoch = epoch;
            generation.compared = None;
            generation.keys.clear();
        }
        generation.compared = generation.compared.max(Some(began));
        generation.keys.extend(key);
    }
}
