//! Which holds somebody in this process has in hand.
//!
//! Expiry goes by the wall clock, for owners that died in another process. A clock that is set forward would end the holds
//! of requests that are under way here, and they would go uncharged. So the sweeper passes over what is in hand, however
//! late it seems: a hold in hand ends by its owner, who settles, releases or drops it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::base::HoldId;

/// The holds in hand. Cheap to clone; all clones are the same set.
#[derive(Debug, Clone, Default)]
pub(super) struct InHand(Arc<Mutex<HashSet<HoldId>>>);

impl InHand {
    /// To be called before the hold is handed out.
    pub(super) fn add(&self, hold: HoldId) {
        self.lock().insert(hold);
    }

    /// To be called after the hold's end was queued: the queue keeps the order, so a sweep finds it ended.
    pub(super) fn remove(&self, hold: HoldId) {
        self.lock().remove(&hold);
    }

    pub(super) fn contains(&self, hold: HoldId) -> bool {
        self.lock().contains(&hold)
    }

    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// All of them, in no order.
    pub(super) fn all(&self) -> Vec<HoldId> {
        self.lock().iter().copied().collect()
    }

    /// Nothing that can panic runs under the lock, and a set is whole after every step.
    fn lock(&self) -> MutexGuard<'_, HashSet<HoldId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
