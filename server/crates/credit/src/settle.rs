//! The types that say how a hold ends.

use super::{BilledUsage, PriceTier, ServiceCharges, TokenPrices};
use tollgate_base::Usd;

/// The written policy by which a hold ended. It says what each rule means for the one who pays.
pub use tollgate_api::generated::types::SettlementRule;

/// The charge that a hold is settled with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// The cost; zero is allowed, less is not.
    pub cost: Usd,
    /// The rule that led to this cost.
    pub rule: SettlementRule,
    /// The usage of the request.
    pub usage: BilledUsage,
    /// The upstream that answered, and its times.
    pub delivery: UpstreamDelivery,
    /// The model that answered in the place of the one that was held for, if one did.
    pub fallback: Option<FallbackModel>,
    /// The prices that it was charged at by the length of its prompt, in the place of the hold's or the fallback's.
    pub tier: Option<PriceTier>,
    /// The charges beside tokens at those prices.
    pub services: ServiceCharges,
}

/// A model that answered in the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FallbackModel {
    /// The name that clients ask for it by.
    pub model: String,
    /// The prices that its answer was charged at, in the place of the hold's.
    pub price: TokenPrices,
}

/// The upstream that answered a request, and its times, for the receipt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UpstreamDelivery {
    /// The upstream that answered.
    pub upstream: Option<String>,
    /// The name of the model at the upstream.
    pub upstream_model: Option<String>,
    /// Milliseconds from the request to the first byte of the provider's answer; absent where none began.
    pub first_byte_ms: Option<u64>,
    /// Milliseconds from the request to the settlement.
    pub duration_ms: Option<u64>,
}

/// The amounts of a settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettledAmounts {
    /// The amount that the account paid.
    pub charged: Usd,
    /// The part of the cost that the account did not have; the operator's loss.
    pub shortfall: Usd,
}
