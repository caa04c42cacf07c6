//! Rows of what operators see of the whole ledger.

use crate::UsageSums;
use tollgate_base::{AccountId, Day, HoldId, KeyId, Usd};

/// A request for sums over all accounts.
#[derive(Debug, Clone, Copy)]
pub struct ServiceUsageQuery {
    /// The first day.
    pub from: Day,
    /// The day after the last.
    pub to: Day,
    /// True for a row for each day.
    pub by_day: bool,
    /// True for a row for each account.
    pub by_account: bool,
    /// True for a row for each model.
    pub by_model: bool,
    /// At most so many rows.
    pub rows_max: u32,
}

/// The sums of one group of requests, of all accounts. They are never of one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceUsage {
    /// The account, where rows are grouped by it.
    pub account: Option<AccountId>,
    /// The sums.
    pub sums: UsageSums,
}

/// Credit that is held for a request under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenHold {
    /// Its number.
    pub id: HoldId,
    /// The account that pays.
    pub account: AccountId,
    /// The key that was shown.
    pub key: KeyId,
    /// The request.
    pub request_id: String,
    /// The model that was asked for.
    pub model: String,
    /// The amount.
    pub held: Usd,
    /// The name of the server that took it, where that is known.
    pub server: Option<String>,
    /// True for what outlives a server.
    pub is_durable: bool,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// Unix time in milliseconds at which it ends by itself.
    pub expires_at_ms: i64,
}

/// A start of a server on this ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerStart {
    /// The number of the start.
    pub epoch: i64,
    /// The server's name.
    pub name: String,
    /// False once it has ended or was taken for gone.
    pub is_up: bool,
    /// Unix time in milliseconds.
    pub started_at_ms: i64,
    /// Unix time in milliseconds at which it last wrote that it is there; on a file, of its start.
    pub seen_at_ms: i64,
}
