//! Counters of the writer. Plain numbers that only grow; whoever shows them decides how.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{Histogram, HoldRefused};
use tollgate_base::Usd;

/// Bounds of buckets of times, in nanoseconds: from a fast disk to one that hangs.
const NANOS: &[u64] = &[
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    1_000_000_000,
    5_000_000_000,
];
/// Bounds of buckets of operations in a batch.
const OPERATIONS: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
/// Bounds of buckets of per cent.
const PERCENT: &[u64] = &[1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 150, 200];

/// Counters of the writer since the start.
#[derive(Debug)]
pub struct WriterStats {
    /// Transactions committed with something in them.
    pub batches: AtomicU64,
    /// Operations answered.
    pub operations: AtomicU64,
    /// The most operations in one batch.
    pub batch_max: AtomicU64,
    /// Operations in each batch.
    pub batch: Histogram,
    /// Nanoseconds spent writing and committing each batch.
    pub commit: Histogram,
    /// Nanoseconds that each operation waited for its batch to begin.
    pub queue_wait: Histogram,
    /// Costs of requests, in hundredths of the amounts that were held for them.
    pub cost_percent: Histogram,
    /// Holds that were refused by the rules.
    pub holds_refused: AtomicU64,
    /// Refused holds of accounts that did not have it.
    pub refused_insufficient: AtomicU64,
    /// Refused holds of accounts that had it tied up.
    pub refused_tied_up: AtomicU64,
    /// Refused holds of keys that had spent a budget.
    pub refused_budget: AtomicU64,
    /// Refused holds of keys that asked too often.
    pub refused_rate: AtomicU64,
    /// Refused holds of keys and accounts that are out of use.
    pub refused_disabled: AtomicU64,
    /// Holds that were refused because the queue stayed full.
    pub queue_full: AtomicU64,
    /// Batches that were rolled back and tried again, whole or in halves.
    pub retried: AtomicU64,
    /// Charges by our own count, because the provider reported no usage or none that could be true.
    pub counted: AtomicU64,
    /// Charges that were not written in time for whoever waited, and stayed queued.
    pub late: AtomicU64,
    /// Nano-USD of cost that accounts could not pay.
    pub shortfall_nanos: AtomicU64,
    /// Holds that were given back by the sweeper.
    pub expired: AtomicU64,
    /// Seconds for which the oldest row without a seal has waited for one, when it was last looked at.
    pub unsealed_seconds: AtomicU64,
}

impl Default for WriterStats {
    fn default() -> Self {
        let none = AtomicU64::default;
        Self {
            batches: none(),
            operations: none(),
            batch_max: none(),
            batch: Histogram::over(OPERATIONS),
            commit: Histogram::over(NANOS),
            queue_wait: Histogram::over(NANOS),
            cost_percent: Histogram::over(PERCENT),
            holds_refused: none(),
            refused_insufficient: none(),
            refused_tied_up: none(),
            refused_budget: none(),
            refused_rate: none(),
            refused_disabled: none(),
            queue_full: none(),
            retried: none(),
            counted: none(),
            late: none(),
            shortfall_nanos: none(),
            expired: none(),
            unsealed_seconds: none(),
        }
    }
}

impl WriterStats {
    /// Counts a refusal. A request that came again is told what became of the first, and is none.
    pub(super) fn refused(&self, why: &HoldRefused) {
        if matches!(why, HoldRefused::Claimed(_)) {
            return;
        }
        Self::add(&self.holds_refused, 1);
        match why {
            HoldRefused::Insufficient { .. } => Self::add(&self.refused_insufficient, 1),
            HoldRefused::TiedUp { .. } => Self::add(&self.refused_tied_up, 1),
            HoldRefused::OverBudget { .. } | HoldRefused::BudgetTiedUp { .. } => Self::add(&self.refused_budget, 1),
            HoldRefused::TooSoon(_) => Self::add(&self.refused_rate, 1),
            HoldRefused::KeyRevoked | HoldRefused::KeyExpired | HoldRefused::AccountFrozen => {
                Self::add(&self.refused_disabled, 1);
            }
            HoldRefused::NoSuchAccount
            | HoldRefused::Duplicate
            | HoldRefused::Claimed(_)
            | HoldRefused::Invalid(_)
            | HoldRefused::QueueFull
            | HoldRefused::Unavailable => {}
        }
    }

    /// Counts a cost in per cent of its hold. A cost of zero is zero per cent of any hold, and any other of a hold of zero is
    /// 100.
    pub(super) fn spent(&self, cost: Usd, held: Usd) {
        let [cost, held] = [cost, held].map(|usd| u128::from(usd.nanos().unsigned_abs()));
        let percent = (cost * 100).checked_div(held).unwrap_or(if cost == 0 { 0 } else { 100 });
        self.cost_percent.observe(u64::try_from(percent).unwrap_or(u64::MAX));
    }

    pub(super) fn add(counter: &AtomicU64, amount: u64) {
        counter.fetch_add(amount, Ordering::Relaxed);
    }

    pub(super) fn took(spread: &Histogram, time: Duration) {
        spread.observe(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }
}
