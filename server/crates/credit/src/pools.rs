//! Budgets that several keys spend together: those of a member, of a team and of the whole organisation.

use serde::{Deserialize, Serialize};

use super::limits::BudgetWindowId;
use super::{BudgetHolder, BudgetOwner, BudgetPeriod};
use tollgate_base::{PoolId, Usd};

/// A pool as it was loaded, with the raise that counts now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LoadedPool {
    pub(super) id: PoolId,
    pub(super) holder: BudgetHolder,
    /// In the order of [`BudgetPeriod::ALL`].
    pub(super) budgets: [Option<Usd>; 4],
}

/// A window as a hold has it written down: pool, period and its beginning.
#[derive(Debug, Serialize, Deserialize)]
struct WindowRow(i64, String, i64);

impl LoadedPool {
    /// A pool as a database tells it: the raise with its end.
    ///
    /// # Errors
    /// When it is of no known kind.
    pub(super) fn told(
        id: i64,
        kind: &str,
        budgets: [Option<i64>; 4],
        (raised_by, raised_until): (i64, Option<i64>),
        now_ms: i64,
    ) -> Result<Self, serde_json::Error> {
        let holder = BudgetHolder::from_text(kind).ok_or_else(|| unknown(kind))?;
        let budgets = budgets.map(|budget| in_force(budget, raised_by, raised_until, now_ms));
        Ok(Self { id: PoolId(id), holder, budgets })
    }

    /// The budgets that there are, each by its window at a time.
    pub(super) fn windows(&self, now_ms: i64) -> impl Iterator<Item = (BudgetWindowId, Usd)> + use<> {
        let (owner, budgets) = (BudgetOwner::Pool(self.id), BudgetPeriod::ALL.into_iter().zip(self.budgets));
        budgets.filter_map(move |(period, budget)| {
            let starts_at_ms = period.starts_at_ms(now_ms);
            Some((BudgetWindowId { owner, period, starts_at_ms }, budget?))
        })
    }
}

/// A budget with the raise that counts now; absent where there is none.
pub(super) fn in_force(budget: Option<i64>, raised_by: i64, raised_until: Option<i64>, now_ms: i64) -> Option<Usd> {
    let raise = if raised_until.is_some_and(|until| now_ms < until) { raised_by } else { 0 };
    Some(Usd::from_nanos(budget?.saturating_add(raise)))
}

/// The windows of pools that a hold counts against, as it has them written down; absent where there are none.
pub(super) fn written(windows: &[BudgetWindowId]) -> Option<String> {
    let row = |window: &BudgetWindowId| match window.owner {
        BudgetOwner::Pool(pool) => Some(WindowRow(pool.0, window.period.as_str().to_owned(), window.starts_at_ms)),
        BudgetOwner::Key(_) => None,
    };
    let rows: Vec<WindowRow> = windows.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| serde_json::to_string(&rows).expect("names and numbers are JSON"))
}

/// Reads what [`written`] wrote.
///
/// # Errors
/// When it is something else.
pub(super) fn read_windows(text: &str) -> Result<Vec<BudgetWindowId>, serde_json::Error> {
    let rows: Vec<WindowRow> = serde_json::from_str(text)?;
    let window = |WindowRow(pool, period, starts_at_ms): WindowRow| {
        let period = BudgetPeriod::from_text(&period).ok_or_else(|| unknown(&period))?;
        Ok(BudgetWindowId { owner: BudgetOwner::Pool(PoolId(pool)), period, starts_at_ms })
    };
    rows.into_iter().map(window).collect()
}

fn unknown(word: &str) -> serde_json::Error {
    serde::de::Error::custom(format!("there is no {word}"))
}
