//! What the writer counts. Plain numbers that only grow; whoever shows them decides how.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counters of the writer since the start.
#[derive(Debug, Default)]
pub struct WriterStats {
    /// Transactions committed with something in them.
    pub batches: AtomicU64,
    /// Operations answered.
    pub operations: AtomicU64,
    /// The most operations in one batch.
    pub batch_max: AtomicU64,
    /// Time spent writing and committing batches.
    pub commit_nanos: AtomicU64,
    /// Time that operations waited for their batch to begin.
    pub queue_wait_nanos: AtomicU64,
    /// Holds that were refused by the rules.
    pub holds_refused: AtomicU64,
    /// Holds that were refused because the queue stayed full.
    pub queue_full: AtomicU64,
    /// Batches that were rolled back and tried again, whole or in halves.
    pub retried: AtomicU64,
    /// Charges by our own count, because the provider reported no usage or none that could be true.
    pub counted: AtomicU64,
    /// Nano-USD of cost that accounts could not pay.
    pub shortfall_nanos: AtomicU64,
    /// Holds that were given back by the sweeper.
    pub expired: AtomicU64,
}

impl WriterStats {
    pub(super) fn add(counter: &AtomicU64, amount: u64) {
        counter.fetch_add(amount, Ordering::Relaxed);
    }

    pub(super) fn add_time(counter: &AtomicU64, time: Duration) {
        Self::add(counter, u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }
}
