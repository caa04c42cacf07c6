//! The live holds: those that have an owner in this process.
//!
//! Expiry goes by the wall clock, for owners that died in another process. A clock that is set forward would end the holds of
//! requests that are under way here, and they would go uncharged. So the sweeper passes over live holds, however late it seems:
//! a live hold ends by its owner, who settles, releases or drops it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tollgate_base::HoldId;

/// The holds that have an owner in this process. Cheap to clone; all clones are the same set.
#[derive(Debug, Clone, Default)]
pub(super) struct LiveHolds(Arc<Mutex<HashSet<HoldId>>>);

impl LiveHolds {
    /// Adds a hold, before it is handed out.
    pub(super) fn add(&self, hold: HoldId) {
        self.lock().insert(hold);
    }

    /// Removes a hold, after its end was queued: the queue keeps the order, so a sweep finds it ended.
    pub(super) fn remove(&self, hold: HoldId) {
        self.lock().remove(&hold);
    }

    pub(super) fn contains(&self, hold: HoldId) -> bool {
        self.lock().contains(&hold)
    }

    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Nothing that can panic runs under the lock, and a set is whole after every step.
    fn lock(&self) -> MutexGuard<'_, HashSet<HoldId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
