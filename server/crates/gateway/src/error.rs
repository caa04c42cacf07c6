//! The errors of a model request. `handlers` map them to the codes of the operation.

use crate::members::MemberRefusal;
use tollgate_base::{Usd, rfc3339};
use tollgate_credit::{BudgetHolder, BudgetPeriod, BudgetUsage, RateKind, RateLimited};
use tollgate_formats::{MalformedRequest, Unsupported};

/// An error that ends a model request without an answer.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// No model goes by that name.
    #[error("no such model")]
    NoModel,
    /// The key may not use the model.
    #[error("the key may not use the model")]
    NotAllowed,
    /// The bounds times the prices overflow the range of money.
    #[error("the bounds of the request times its prices overflow")]
    Unpriceable,
    /// A member of the request is unknown, not sold, or kept at the provider.
    #[error("a member of the request is not accepted: {0:?}")]
    Member(MemberRefusal),
    /// A member of the request that a provider charges extra for, and that has no price here.
    #[error("`{0}` has no price")]
    NotSold(String),
    /// No provider of the model can be sent a part of the request, because its format lacks it.
    #[error("the request cannot be carried to the provider")]
    NotCarried(#[source] Unsupported),
    /// The request is not what its format says.
    #[error("the request cannot be read")]
    Unreadable(#[source] MalformedRequest),
    /// The account cannot pay for it.
    #[error("the credit is too small")]
    Insufficient(CreditShortage),
    /// The account could pay for it if other requests held less.
    #[error("the credit is held by other requests")]
    TiedUp(CreditShortage),
    /// The key has spent its budget.
    #[error("the budget of the key is spent")]
    OverBudget(BudgetOverrun),
    /// A budget that several keys spend from would suffice, but other requests hold it.
    #[error("other requests hold the budget of the {}", .0.holder.as_str())]
    BudgetTiedUp(BudgetInUse),
    /// The key has reached one of its rates.
    #[error("the key has reached a rate limit")]
    TooSoon(RateLimited),
    /// The key was revoked, or its account frozen, after it was authenticated.
    #[error("the key is disabled")]
    KeyDisabled,
    /// The key expired after it was authenticated.
    #[error("the key has expired")]
    KeyExpired,
    /// The ledger takes no writes at the moment.
    #[error("the ledger is unavailable")]
    Ledger,
    /// Answers of providers use all the memory that they may; nothing was charged.
    #[error("the memory for answers of providers is used up")]
    NoRoom,
    /// No provider could be reached, or all that were failed.
    #[error("every provider failed")]
    Failed,
    /// The provider did not answer in time.
    #[error("the provider did not answer in time")]
    TooSlow,
    /// The provider refused the request, with a body that is not in the client's format.
    #[error("the provider refused the request with {status}")]
    Refused {
        /// The provider's status.
        status: http::StatusCode,
        /// The provider's message, where it gave one.
        message: Option<String>,
    },
    /// No provider can take the request now.
    #[error("every provider is overloaded")]
    Overloaded {
        /// The provider's Retry-After, in seconds.
        retry_after_seconds: Option<u32>,
    },
    /// The provider limits our rate of requests.
    #[error("the provider rate-limits this gateway")]
    RateLimited {
        /// The provider's Retry-After, in seconds.
        retry_after_seconds: Option<u32>,
    },
}

impl GatewayError {
    /// An error for a model that lacks a service; `does` completes "a model that".
    #[must_use]
    pub fn misfit(model: &str, does: &str) -> Self {
        let expected = format!("a model that {does}, one of the model list");
        Self::Unreadable(MalformedRequest::new("model", &expected, &format!("`{model}`")))
    }

    /// The seconds to wait, from the key's rate or the provider's Retry-After; `None` where unknown.
    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<u32> {
        if let Self::TooSoon(why) = self {
            return Some(u32::try_from(why.wait_ms.div_ceil(1_000)).unwrap_or(u32::MAX));
        }
        let (Self::RateLimited { retry_after_seconds } | Self::Overloaded { retry_after_seconds }) = self else {
            return None;
        };
        *retry_after_seconds
    }
}

/// A request that does not fit into a budget beside the other requests that are under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetInUse {
    /// The kind of the holder of the budget.
    pub holder: BudgetHolder,
    /// The time that the budget is for.
    pub period: BudgetPeriod,
    /// The least that the request had to hold.
    pub needed: Usd,
    /// The part of the budget that can be held.
    pub left: Usd,
    /// The part of it that other requests hold.
    pub held: Usd,
}

/// A request that does not fit into a budget that its key spends from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetOverrun {
    /// The kind of the holder of the budget.
    pub holder: BudgetHolder,
    /// The time that the budget is for.
    pub period: BudgetPeriod,
    /// The least that the request had to hold.
    pub needed: Usd,
    /// The budget.
    pub budget: Usd,
    /// The part of the budget that is spent or held by other requests.
    pub used: Usd,
    /// The Unix time in milliseconds at which the budget is renewed; `None` for never.
    pub resets_at_ms: Option<i64>,
}

impl BudgetOverrun {
    /// True if the key that was shown has the budget, and no other key spends from it.
    #[must_use]
    pub fn is_of_key(&self) -> bool {
        self.holder == BudgetHolder::Key
    }

    /// The part of the budget that is left; never below zero.
    #[must_use]
    pub fn left(&self) -> Usd {
        BudgetUsage { most: self.budget, taken: self.used }.left()
    }

    /// The time at which the budget is renewed, in RFC 3339, or `never`.
    #[must_use]
    pub fn resets_at(&self) -> String {
        self.resets_at_ms.map_or("never".to_owned(), rfc3339)
    }
}

/// A sentence about the reached rate of a key, with its limit.
#[must_use]
pub fn rate(why: &RateLimited) -> String {
    let limit = why.limit;
    match why.rate {
        RateKind::Requests => format!("the key may send {limit} requests a minute"),
        RateKind::Tokens => format!("the key may use {limit} tokens a minute"),
        RateKind::InFlight => format!("the key may have {limit} requests under way"),
    }
}

/// The amounts of a request that the account cannot pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditShortage {
    /// The least that the request had to hold.
    pub needed: Usd,
    /// The credit that was available.
    pub available: Usd,
    /// The credit that other requests hold.
    pub held: Usd,
}
