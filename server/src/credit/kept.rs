//! Durable holds: they outlive the process that took them, for work that may take longer than it lives.
//!
//! Such a hold is no object whose loss gives it back. A row of another room is made with it and ends with it, by a
//! [`Rider`]; neither a start nor the sweeper touches it, and the database lets it end with that row alone.

use tokio::sync::oneshot;

use super::handle::ended;
use super::queue::{Ending, Operation, Resolve};
use super::rider::Rider;
use super::{Credit, Delivery, HoldAsk, HoldRefused, SettleFailed, Settled, Settlement, SettlementRule, WriterStats};
use crate::base::{AccountId, HoldId, Usd};

/// The name of a durable hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptHold {
    /// Its number.
    pub id: HoldId,
    /// The account that pays.
    pub account: AccountId,
}

/// The reason that a durable hold was not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EndFailed {
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

impl Credit {
    /// Reserves money until it is ended by name; `rider` writes down what for. When this answers, both are on the disk. A
    /// caller that stops waiting changes nothing: whoever looks after those rows finds it.
    ///
    /// # Errors
    /// Says why nothing is held. After [`HoldRefused::Unavailable`] it may be; the row tells.
    pub async fn keep(&self, ask: HoldAsk, rider: Rider) -> Result<KeptHold, HoldRefused> {
        if rider.is_empty() {
            // Nobody would ever end it.
            return Err(HoldRefused::Invalid("a durable hold needs a statement that writes down what it is for"));
        }
        let hold = self.reserve(ask, rider).await?;
        Ok(KeptHold { id: hold.id(), account: hold.account() })
    }

    /// Charges the cost to a durable hold and gives the rest back, and carries out `rider` with it.
    ///
    /// # Errors
    /// Says why nothing was charged, and nothing will be by this call, but for [`EndFailed::Unknown`].
    pub async fn settle_kept(
        &self,
        hold: KeptHold,
        settlement: Settlement,
        rider: Rider,
    ) -> Result<Settled, EndFailed> {
        let Settlement { cost, rule, usage, delivery, fallback, tier, services } = settlement;
        if cost < Usd::ZERO || !usage.is_plausible() {
            return Err(EndFailed::Absurd);
        }
        if usage.estimated {
            WriterStats::add(&self.stats.counted, 1);
        }
        let (usage, tier, services) = (Some(usage), tier.map(Box::new), services.boxed());
        let ending = Ending { usage, cost, rule, delivery, fallback, tier, services, if_expired: false, rider };
        self.end_kept(hold, ending).await
    }

    /// Gives a durable hold back whole, and carries out `rider` with it.
    ///
    /// # Errors
    /// As [`settle_kept`](Self::settle_kept).
    pub async fn release_kept(
        &self,
        hold: KeptHold,
        rule: SettlementRule,
        delivery: Delivery,
        rider: Rider,
    ) -> Result<(), EndFailed> {
        self.end_kept(hold, Ending { delivery, rider, ..Ending::release(rule) }).await.map(drop)
    }

    async fn end_kept(&self, hold: KeptHold, ending: Ending) -> Result<Settled, EndFailed> {
        let (answer, answered) = oneshot::channel();
        let resolve = Resolve::new(hold.id, hold.account, ending, Some(answer));
        self.queue.ends.send(Operation::Resolve(resolve)).map_err(|_| EndFailed::Unavailable)?;
        ended(answered).await.map_err(|failed| match failed {
            SettleFailed::AlreadyResolved => EndFailed::Ended,
            SettleFailed::Unavailable => EndFailed::Unavailable,
            SettleFailed::Late | SettleFailed::Unknown => EndFailed::Unknown,
            SettleFailed::Absurd(_) => EndFailed::Absurd,
        })
    }
}
