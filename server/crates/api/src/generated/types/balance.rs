// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `balance`.

use tollgate_macros::Wire;

use crate::api;

/// Credit in US dollars, exact to nine decimals.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/balance.yaml: Balance")]
pub struct Balance {
    /// The balance. What requests under way hold is still in it.
    pub quota_usd: api::Usd,
    /// Held for requests that have not been settled yet.
    pub held_usd: api::Usd,
    /// Credit that a new request may use: the balance less what is held. Never below zero.
    pub available_usd: api::Usd,
    /// Debt of the account, for money that was taken back when it was not there. The next credits pay it first.
    pub debt_usd: api::Usd,
    /// The balance in the older whole units, 500,000 to the dollar, rounded down.
    #[wire(min = 0)]
    pub quota: i64,
}

/// Answer of `balance.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/balance.yaml: BalanceReply")]
pub struct BalanceReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The credit.
    pub data: Balance,
}
