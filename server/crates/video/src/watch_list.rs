//! The tasks that this process looks after: orders on their way, and watches.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The tasks that are looked after. Cheap to clone; all clones share one set.
#[derive(Debug, Clone, Default)]
pub(super) struct WatchedTasks(Arc<Mutex<HashSet<String>>>);

/// The entry of one task. It is removed when this is dropped, also by a panic, so that a sweep finds the task again.
#[derive(Debug)]
pub(super) struct WatchEntry {
    tasks: WatchedTasks,
    id: String,
}

impl WatchedTasks {
    /// Enters a task. To be called before its row is written.
    pub(super) fn enter(&self, id: &str) -> WatchEntry {
        self.lock().insert(id.to_owned());
        WatchEntry { tasks: self.clone(), id: id.to_owned() }
    }

    /// Enters a task, unless it is there already.
    pub(super) fn enter_if_free(&self, id: &str) -> Option<WatchEntry> {
        let is_free = self.lock().insert(id.to_owned());
        is_free.then(|| WatchEntry { tasks: self.clone(), id: id.to_owned() })
    }

    /// Locks the set; a poisoned lock is taken over, because nothing that can panic runs under it.
    fn lock(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WatchEntry {
    fn drop(&mut self) {
        self.tasks.lock().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_looked_after_by_one_at_a_time() {
        let tasks = WatchedTasks::default();
        let first = tasks.enter("a");
        assert!(tasks.enter_if_free("a").is_none());
        assert!(tasks.enter_if_free("b").is_some());
        drop(first);
        assert!(tasks.enter_if_free("a").is_some());
    }
}
