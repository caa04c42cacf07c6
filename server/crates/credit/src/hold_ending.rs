//! The end of a hold, as it is asked of the writer.

use super::attached_statements::AttachedStatements;
use super::{BilledUsage, FallbackModel, PriceTier, ServiceCharges, SettlementRule, UpstreamDelivery};
use tollgate_base::Usd;

/// The end of a hold that is asked for: a settlement or a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HoldEnding {
    /// A settlement has usage, a release has none.
    pub(super) usage: Option<BilledUsage>,
    pub(super) cost: Usd,
    pub(super) rule: SettlementRule,
    pub(super) delivery: UpstreamDelivery,
    /// The model that answered in the place of the one held for; of a settlement alone.
    pub(super) fallback: Option<FallbackModel>,
    /// The prices that it came to by the length of its prompt; of a settlement alone. Few come to any, and all are moved.
    pub(super) tier: Option<Box<PriceTier>>,
    /// The charges beside tokens; of a settlement alone. In a box, as few have any.
    pub(super) services: Option<Box<ServiceCharges>>,
    /// True if it ends only where it has expired and nobody in this process owns it.
    pub(super) if_expired: bool,
    /// Statements that are carried out with the end. Where there are any, the hold is durable.
    pub(super) rider: AttachedStatements,
}

impl HoldEnding {
    pub(super) fn release(rule: SettlementRule) -> Self {
        Self {
            usage: None,
            cost: Usd::ZERO,
            rule,
            delivery: UpstreamDelivery::default(),
            fallback: None,
            tier: None,
            services: None,
            if_expired: false,
            rider: AttachedStatements::new(),
        }
    }
}
