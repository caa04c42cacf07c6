//! A hold that is asked for, and the reasons why nothing is held.

use std::sync::Arc;

use super::limits::RateLimited;
use super::{BudgetHolder, BudgetPeriod, TokenPrices};
use tollgate_api::KeyClaim;
use tollgate_base::{AccountId, KeyId, RequestId, RequestTags, Usd};

/// A hold that is asked for: the amount, the account that pays, and the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldRequest {
    /// The account that pays.
    pub account: AccountId,
    /// The key that was shown.
    pub key: KeyId,
    /// The request. It has one hold at the most.
    pub request: RequestId,
    /// Tokens of it that are known beforehand, for the rate of the key. Its settlement knows all of them.
    pub tokens: u64,
    /// The most that it can cost.
    pub want: Usd,
    /// The least that makes a useful answer: where less is available, nothing is held.
    pub least: Usd,
    /// Unix time in milliseconds from which it is given back if its owner is gone. One that lives keeps it.
    pub expires_at_ms: i64,
    /// The model that was asked for.
    pub model: String,
    /// True if a stream was asked for; shown on the receipt.
    pub stream: bool,
    /// The prices that apply.
    pub price: TokenPrices,
    /// The tags that the request carries; shown on the receipt.
    pub tags: RequestTags,
    /// The request's claim on its Idempotency-Key, written down with the hold.
    pub claim: Option<Arc<KeyClaim>>,
}

/// The reason that nothing is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HoldRefused {
    /// The account does not have it.
    #[error("not enough credit: {needed} USD needed, {available} available, {held} held")]
    Insufficient {
        /// The least that was asked for.
        needed: Usd,
        /// The amount that can be held.
        available: Usd,
        /// The amount that other requests hold.
        held: Usd,
    },
    /// The account has it, but other requests hold it at the moment.
    #[error("credit is tied up by other requests: {needed} USD needed, {available} available, {held} held")]
    TiedUp {
        /// The least that was asked for.
        needed: Usd,
        /// The amount that can be held.
        available: Usd,
        /// The amount that other requests hold.
        held: Usd,
    },
    /// A budget that the key spends from is spent.
    #[error("the budget of the {} is {budget} USD, {used} of it spent or held: {needed} USD needed", .holder.as_str())]
    OverBudget {
        /// The kind of its holder.
        holder: BudgetHolder,
        /// The time that it is for.
        period: BudgetPeriod,
        /// The least that was asked for.
        needed: Usd,
        /// The budget.
        budget: Usd,
        /// The part of it that is spent, or held by other requests.
        used: Usd,
        /// Unix time in milliseconds at which it begins anew; absent where it never does.
        resets_at_ms: Option<i64>,
    },
    /// A budget that several keys spend from would suffice, but other requests hold it at the moment.
    #[error("the budget of the {} is tied up by other requests: {needed} USD needed, {left} left, {held} held", .holder.as_str())]
    BudgetTiedUp {
        /// The kind of its holder.
        holder: BudgetHolder,
        /// The time that it is for.
        period: BudgetPeriod,
        /// The least that was asked for.
        needed: Usd,
        /// The part of the budget that can be held.
        left: Usd,
        /// The part of it that other requests hold.
        held: Usd,
    },
    /// The key asks more often than it may.
    #[error("the key has used up its {:?} limit of {}", .0.rate, .0.limit)]
    TooSoon(RateLimited),
    /// The key was revoked.
    #[error("the key was revoked")]
    KeyRevoked,
    /// The time of the key is over.
    #[error("the key has expired")]
    KeyExpired,
    /// The account is frozen.
    #[error("the account is frozen")]
    AccountFrozen,
    /// No such account has a balance.
    #[error("no such account")]
    NoSuchAccount,
    /// The request id was used for a hold before.
    #[error("this request id was used before")]
    Duplicate,
    /// Another request has its Idempotency-Key.
    #[error("request {0} has the idempotency key")]
    Claimed(RequestId),
    /// The amounts, the time or a name of the hold that is asked for are not valid.
    #[error("the hold is not valid: {0}")]
    Invalid(&'static str),
    /// The writer is too busy.
    #[error("the ledger is too busy")]
    QueueFull,
    /// It could not be written, or nobody knows whether it was. If it was, it is given back.
    #[error("the ledger is not available")]
    Unavailable,
}
