//! Durable holds: they outlive the process that took them, for work that may take longer than it lives.
//!
//! Such a hold is no object whose loss gives it back. A row of another room is made with it and ends with it, by a
//! [`AttachedStatements`]; neither a start nor the sweeper touches it, and the database lets it end with that row alone.

use tokio::sync::oneshot;

use super::attached_statements::AttachedStatements;
use super::handle::ended;
use super::hold::{ResolveHold, WriterOperation};
use super::hold_ending::HoldEnding;
use super::{
    HoldRefused, HoldRequest, Ledger, SettleFailed, SettledAmounts, Settlement, SettlementRule, UpstreamDelivery,
    WriterStats,
};
use tollgate_base::{AccountId, HoldId, Usd};

/// The name of a durable hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DurableHold {
    /// Its number.
    pub id: HoldId,
    /// The account that pays.
    pub account: AccountId,
}

/// The reason that a durable hold was not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DurableEndFailed {
    /// It, or what it is kept for, was ended before: nothing was changed by this call.
    #[error("the hold, or what it is kept for, has ended already")]
    Ended,
    /// It could not be written. The hold is as it was; to be tried again.
    #[error("the ledger is not available")]
    Unavailable,
    /// Nobody knows whether it was written; to be tried again, which is harmless.
    #[error("the ledger is not available, and the end may have been recorded")]
    Unknown,
    /// The cost is negative or the usage contradicts itself. The hold is as it was.
    #[error("the cost is negative, or the usage contradicts itself")]
    Absurd,
}

impl Ledger {
    /// Reserves money until it is ended by name; `rider` writes down what for. When this answers, both are on the disk. A
    /// caller that stops waiting changes nothing: whoever looks after those rows finds it.
    ///
    /// # Errors
    /// Says why nothing is held. After [`HoldRefused::Unavailable`] it may be; the row tells.
    pub async fn hold_durable(&self, ask: HoldRequest, rider: AttachedStatements) -> Result<DurableHold, HoldRefused> {
        if rider.is_empty() {
            // Nobody would ever end it.
            return Err(HoldRefused::Invalid("a durable hold needs a statement that writes down what it is for"));
        }
        let hold = self.reserve(ask, rider).await?;
        Ok(DurableHold { id: hold.id(), account: hold.account() })
    }

    /// Charges the cost to a durable hold and gives the rest back, and carries out `rider` with it.
    ///
    /// # Errors
    /// Says why nothing was charged, and nothing will be by this call, but for [`DurableEndFailed::Unknown`].
    pub async fn settle_durable(
        &self,
        hold: DurableHold,
        settlement: Settlement,
        rider: AttachedStatements,
    ) -> Result<SettledAmounts, DurableEndFailed> {
        let Settlement { cost, rule, usage, delivery, fallback, tier, services } = settlement;
        if cost < Usd::ZERO || !usage.is_plausible() {
            return Err(DurableEndFailed::Absurd);
        }
        if usage.estimated {
            WriterStats::add(&self.stats.counted, 1);
        }
        let (usage, tier, services) = (Some(usage), tier.map(Box::new), services.boxed());
        let ending = HoldEnding { usage, cost, rule, delivery, fallback, tier, services, if_expired: false, rider };
        self.end_durable(hold, ending).await
    }

    /// Gives a durable hold back whole, and carries out `rider` with it.
    ///
    /// # Errors
    /// As [`settle_durable`](Self::settle_durable).
    pub async fn release_durable(
        &self,
        hold: DurableHold,
        rule: SettlementRule,
        delivery: UpstreamDelivery,
        rider: AttachedStatements,
    ) -> Result<(), DurableEndFailed> {
        self.end_durable(hold, HoldEnding { delivery, rider, ..HoldEnding::release(rule) }).await.map(drop)
    }

    async fn end_durable(&self, hold: DurableHold, ending: HoldEnding) -> Result<SettledAmounts, DurableEndFailed> {
        let (answer, answered) = oneshot::channel();
        let resolve = ResolveHold::new(hold.id, hold.account, ending, Some(answer));
        self.queue.ends.send(WriterOperation::Resolve(resolve)).map_err(|_| DurableEndFailed::Unavailable)?;
        ended(answered).await.map_err(|failed| match failed {
            SettleFailed::AlreadyResolved => DurableEndFailed::Ended,
            SettleFailed::Unavailable => DurableEndFailed::Unavailable,
            SettleFailed::Late | SettleFailed::Unknown => DurableEndFailed::Unknown,
            SettleFailed::Absurd(_) => DurableEndFailed::Absurd,
        })
    }
}
