//! Which tasks somebody in this process looks after: their orders on the way, and their watches.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The tasks that are looked after. Cheap to clone; all clones are the same set.
#[derive(Debug, Clone, Default)]
pub(super) struct WatchedTasks(Arc<Mutex<HashSet<String>>>);

/// One of them, as long as it is there: also one that panicked is given up, and found again.
#[derive(Debug)]
pub(super) struct Watching {
    tasks: WatchedTasks,
    id: String,
}

impl WatchedTasks {
    /// From now on the task is looked after. To be called before its row is there.
    pub(super) fn enter(&self, id: &str) -> Watching {
        self.lock().insert(id.to_owned());
        Watching { tasks: self.clone(), id: id.to_owned() }
    }

    /// The same, unless somebody does already.
    pub(super) fn enter_if_free(&self, id: &str) -> Option<Watching> {
        let is_free = self.lock().insert(id.to_owned());
        is_free.then(|| Watching { tasks: self.clone(), id: id.to_owned() })
    }

    /// Nothing that can panic runs under the lock, and a set is whole after every step.
    fn lock(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watching {
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
