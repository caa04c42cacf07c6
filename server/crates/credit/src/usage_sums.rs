//! Sums over the requests of an account: what is asked for, and a row of the answer.

use super::BilledUsage;
use tollgate_base::{AccountId, Day, KeyId, Usd};

/// A request for sums.
#[derive(Debug, Clone, Copy)]
pub struct UsageSumQuery {
    /// The account.
    pub account: AccountId,
    /// Only requests with this key.
    pub key: Option<KeyId>,
    /// The first day.
    pub from: Day,
    /// The day after the last.
    pub to: Day,
    /// The columns that rows are grouped by.
    pub by: UsageGrouping,
    /// At most so many rows.
    pub rows_max: u32,
}

/// The columns that rows are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UsageGrouping {
    /// The day.
    pub day: bool,
    /// The key.
    pub key: bool,
    /// The model.
    pub model: bool,
}

/// The sums of one group of requests. A request is counted when it has ended, on the day of its hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageSums {
    /// The day, where rows are grouped by it.
    pub day: Option<Day>,
    /// The key, where rows are grouped by it.
    pub key: Option<KeyId>,
    /// The model that was asked for, where rows are grouped by it.
    pub model: Option<String>,
    /// The number of requests.
    pub requests: u64,
    /// The number of requests that were given back whole.
    pub released: u64,
    /// The sum of the charges.
    pub charged: Usd,
    /// The sum that the account could not pay.
    pub shortfall: Usd,
    /// The sum of the usage; whether a part of it was estimated is not told.
    pub usage: BilledUsage,
}
