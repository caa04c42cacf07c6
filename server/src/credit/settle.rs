//! How a hold ends: the words for it.

use super::{Hold, Price, Services, Tier, Usage};
use crate::base::Usd;

/// Why a hold ended as it did: the written policy, which says what each rule means for the one who pays.
pub use crate::generated::types::SettlementRule;

/// How a request is charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// What it cost; zero is allowed, less is not.
    pub cost: Usd,
    /// The rule that led to this cost.
    pub rule: SettlementRule,
    /// What it used.
    pub usage: Usage,
    /// Where and how fast it was answered.
    pub delivery: Delivery,
    /// The model that answered in the place of the one that was held for, if one did.
    pub fallback: Option<Fallback>,
    /// The prices that it was charged at by the length of its prompt, in the place of the hold's or the fallback's.
    pub tier: Option<Tier>,
    /// What was charged for beside tokens at those prices.
    pub services: Services,
}

/// A model that answered in the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fallback {
    /// The name that clients ask for it by.
    pub model: String,
    /// The prices that its answer was charged at, in the place of the hold's.
    pub price: Price,
}

/// Where and how fast a request was answered, for its receipt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Delivery {
    /// The upstream that answered.
    pub upstream: Option<String>,
    /// What the model is called there.
    pub upstream_model: Option<String>,
    /// Milliseconds from the request to the first byte of the provider's answer; absent where none began.
    pub first_byte_ms: Option<u64>,
    /// Milliseconds from the request to the settlement.
    pub duration_ms: Option<u64>,
}

/// What was charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// What the account paid.
    pub charged: Usd,
    /// What the account did not have of the cost; the house's loss.
    pub shortfall: Usd,
}

/// Why a hold was not settled or released.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettleFailed {
    /// It was resolved before, or expired: nothing was charged by this call.
    #[error("the hold is resolved already")]
    AlreadyResolved,
    /// The cost is negative or the usage contradicts itself. The hold comes back, untouched.
    #[error("the settlement contradicts itself")]
    Absurd(Box<Hold>),
    /// It is not written yet: the ledger hangs, or cannot be written at the moment. It stays queued until it is, for as long
    /// as the process lives, and nothing but a rule of the database makes anything else of it.
    #[error("the ledger has not taken it yet, and will")]
    Late,
    /// It could not be written. Nothing was charged, and nothing will be: the hold is given back when that is possible.
    #[error("the ledger is not available")]
    Unavailable,
    /// Nobody knows whether it was written: the charge may be on the disk. The receipt tells, once a server has started
    /// again.
    #[error("the ledger is not available, and the charge may have been recorded")]
    Unknown,
}
