//! The receipt of a request: the terms of its hold, and its outcome.

use super::{BilledUsage, FallbackModel, PriceTier, ServiceCharges, SettlementRule, TokenPrices, UpstreamDelivery};
use tollgate_base::{AccountId, KeyId, RequestId, RequestTags, Usd};

/// A request's money, from its hold to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The request.
    pub request: RequestId,
    /// The account that pays.
    pub account: AccountId,
    /// The key that was shown.
    pub key: KeyId,
    /// The model that was asked for.
    pub model: String,
    /// True if a stream was asked for.
    pub stream: bool,
    /// The tags that the request carries.
    pub tags: RequestTags,
    /// The prices that apply.
    pub price: TokenPrices,
    /// The amount that was reserved.
    pub held: Usd,
    /// Unix time in milliseconds of the hold.
    pub created_at_ms: i64,
    /// Unix time in milliseconds at which the hold is given back, if nobody ends it before.
    pub expires_at_ms: i64,
    /// The outcome of the hold; absent while it is open.
    pub outcome: Option<HoldOutcome>,
}

/// The outcome of a hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldOutcome {
    /// The kind of end: settled or released.
    pub resolved: ResolutionKind,
    /// The amount that the account paid.
    pub charged: Usd,
    /// The part of the cost that the account could not pay.
    pub shortfall: Usd,
    /// The rule that led to it.
    pub rule: SettlementRule,
    /// The usage, where it was settled.
    pub usage: Option<BilledUsage>,
    /// The upstream that answered, and its times.
    pub delivery: UpstreamDelivery,
    /// The model that answered in the place of the one that was asked for, if one did.
    pub fallback: Option<FallbackModel>,
    /// The prices that it came to by the length of its prompt, if it came to any.
    pub tier: Option<PriceTier>,
    /// The charges beside tokens at those prices.
    pub services: ServiceCharges,
    /// Unix time in milliseconds.
    pub resolved_at_ms: i64,
}

/// The two ends of a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResolutionKind {
    /// Charged, be it zero.
    Settled,
    /// Given back.
    Released,
}

impl ResolutionKind {
    /// The end as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Settled => "settled",
            Self::Released => "released",
        }
    }

    /// Reads a stored end.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Settled, Self::Released].into_iter().find(|resolved| resolved.as_str() == text)
    }
}
