//! A key as a batch loads it, with all that bounds it beside the credit of its account.

use super::limits::{BudgetWindowId, LoadedLimits, RateUsage};
use super::pools::LoadedPool;
use super::{BudgetHolder, BudgetOwner};
use tollgate_base::{AccountId, KeyId, Usd};

/// A key as it was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LoadedKey {
    pub(super) account: AccountId,
    pub(super) active: bool,
    pub(super) account_active: bool,
    pub(super) expires_at_ms: Option<i64>,
    pub(super) limits: LoadedLimits,
    pub(super) used: RateUsage,
    /// The pools that it spends from.
    pub(super) pools: Vec<LoadedPool>,
}

impl LoadedKey {
    /// True if anything but the credit of its account bounds it.
    pub(super) fn is_bounded(&self) -> bool {
        !self.limits.is_empty() || !self.pools.is_empty()
    }

    /// The kind of the owner of a budget that it spends from.
    pub(super) fn holder(&self, owner: BudgetOwner) -> BudgetHolder {
        let pool = self.pools.iter().find(|pool| BudgetOwner::Pool(pool.id) == owner);
        pool.map_or(BudgetHolder::Key, |pool| pool.holder)
    }

    /// All budgets that it spends from, its own first, each by its window at a time.
    pub(super) fn windows(&self, key: KeyId, now_ms: i64) -> impl Iterator<Item = (BudgetWindowId, Usd)> {
        self.limits.windows(key, now_ms).chain(self.pools.iter().flat_map(move |pool| pool.windows(now_ms)))
    }
}
