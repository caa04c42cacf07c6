//! The server's handle on the ledger.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use super::hold::{ResolveHold, TakeHold, WriterOperation, WriterQueue};
use super::hold_ending::HoldEnding;
use super::patience::PATIENCE;
use super::{
    AttachedStatements, Hold, HoldRefused, HoldRequest, IdempotencyStore, LedgerStore, LedgerStoreError, SettleFailed,
    SettledAmounts, Settlement, SettlementRule, UpstreamDelivery, WriterStats, sql,
};
use tollgate_base::{AccountId, HoldId, Usd};

/// The longest wait of a hold for a place in the queue.
const PLACE_PATIENCE: Duration = Duration::from_millis(250);
/// The expired holds that are read at once.
const SWEEP_ROWS: usize = 256;

/// The ledger of a running server: the [`LedgerStore`], and a writer that takes and ends holds. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Ledger {
    pub(super) books: LedgerStore,
    pub(super) queue: WriterQueue,
    pub(super) stats: Arc<WriterStats>,
    /// The start that its holds belong to.
    pub(super) epoch: i64,
    pub(super) repeats: IdempotencyStore,
}

impl Deref for Ledger {
    type Target = LedgerStore;

    fn deref(&self) -> &LedgerStore {
        &self.books
    }
}

impl Ledger {
    /// A handle on books with a writer behind `queue`.
    pub(super) fn new(books: LedgerStore, queue: WriterQueue, epoch: i64) -> Self {
        let repeats = IdempotencyStore::new(&books, epoch);
        Self { books, queue, stats: Arc::default(), epoch, repeats }
    }

    /// Reserves money. When this answers with a hold, it is on the disk. A caller that stops waiting holds nothing:
    /// what was taken for it meanwhile is released.
    ///
    /// # Errors
    /// Says why nothing is held.
    pub async fn hold(&self, ask: HoldRequest) -> Result<Hold, HoldRefused> {
        self.reserve(ask, AttachedStatements::new()).await
    }

    /// Asks the writer for a hold, and waits for at most `PATIENCE`.
    pub(super) async fn reserve(&self, ask: HoldRequest, rider: AttachedStatements) -> Result<Hold, HoldRefused> {
        timeout(PATIENCE, self.reserve_with_key(ask, rider)).await.unwrap_or(Err(HoldRefused::Unavailable))
    }

    /// A hold of a request without a claim, or with one on a key that no other has, or of whose first request nothing came.
    async fn reserve_with_key(&self, ask: HoldRequest, rider: AttachedStatements) -> Result<Hold, HoldRefused> {
        let Some(claim) = ask.claim.clone() else { return self.try_reserve(ask, rider).await };
        loop {
            let reserved = self.try_reserve(ask.clone(), rider.clone()).await;
            if !matches!(reserved, Err(HoldRefused::Claimed(_))) {
                return reserved;
            }
            if !self.repeats.reclaim(&claim).await.map_err(|_| HoldRefused::Unavailable)? {
                return reserved;
            }
        }
    }

    async fn try_reserve(&self, ask: HoldRequest, rider: AttachedStatements) -> Result<Hold, HoldRefused> {
        let (answer, answered) = oneshot::channel();
        self.queue_hold(WriterOperation::Hold(TakeHold { ask, rider, answer, queued: Instant::now() })).await?;
        answered.await.unwrap_or(Err(HoldRefused::Unavailable))
    }

    /// Charges the cost to a hold and gives the rest back. When this answers, the charge and its receipt are on the
    /// disk. Costs beyond the hold are taken from what is available, never more. A caller that stops waiting does not
    /// stop the charge.
    ///
    /// # Errors
    /// Nothing was charged and nothing will be, but for [`SettleFailed::Late`], after which it will be as soon as that is
    /// possible, and [`SettleFailed::Unknown`], after which nobody knows.
    pub async fn settle(&self, hold: Hold, settlement: Settlement) -> Result<SettledAmounts, SettleFailed> {
        let Settlement { cost, rule, usage, delivery, fallback, tier, services } = settlement;
        if cost < Usd::ZERO || !usage.is_plausible() {
            return Err(SettleFailed::Absurd(Box::new(hold)));
        }
        if usage.estimated {
            WriterStats::add(&self.stats.counted, 1);
        }
        let (usage, tier, services, held) = (Some(usage), tier.map(Box::new), services.boxed(), hold.amount());
        let rider = Vec::new();
        let ending = HoldEnding { usage, cost, rule, delivery, fallback, tier, services, if_expired: false, rider };
        let settled = end(hold, ending).await;
        if matches!(settled, Ok(_) | Err(SettleFailed::Late)) {
            self.stats.spent(cost, held);
        }
        if matches!(settled, Err(SettleFailed::Late)) {
            WriterStats::add(&self.stats.late, 1);
        }
        settled
    }

    /// Gives a hold back whole. `delivery` tells the receipt what was tried.
    ///
    /// # Errors
    /// When it was resolved before, or the ledger cannot be written yet, or nobody knows whether it was; then it is given
    /// back later.
    pub async fn release(
        &self,
        hold: Hold,
        rule: SettlementRule,
        delivery: UpstreamDelivery,
    ) -> Result<(), SettleFailed> {
        end(hold, HoldEnding { delivery, ..HoldEnding::release(rule) }).await.map(|_| ())
    }

    /// Gives back holds that have expired and whose owner is gone, a few hundred at most, and answers how many. Live holds of
    /// this process are not among them, whatever the clock says.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn sweep(&self) -> Result<usize, LedgerStoreError> {
        let ending = HoldEnding { if_expired: true, ..HoldEnding::release(SettlementRule::NotRecorded) };
        let expired = self.ownerless_holds().await?;
        let mut answers = Vec::with_capacity(expired.len());
        for (hold, account) in expired {
            let (answer, answered) = oneshot::channel();
            // A writer that has stopped leaves them to the next start, and `answered` to an error.
            drop(self.queue.ends.send(WriterOperation::Resolve(ResolveHold::new(
                hold,
                account,
                ending.clone(),
                Some(answer),
            ))));
            answers.push(answered);
        }
        let mut given_back = 0;
        for answered in answers {
            given_back += usize::from(matches!(answered.await, Ok(Ok(_))));
        }
        Ok(given_back)
    }

    /// Expired holds that nobody in this process owns, about a page of them, so that a sweep never fills a batch. Live ones are left
    /// out here and not by the database, to which all of them would have to be named each time.
    async fn ownerless_holds(&self) -> Result<Vec<(HoldId, AccountId)>, LedgerStoreError> {
        let (now_ms, mut after, mut ownerless) = (self.clock.now_ms(), None, Vec::new());
        loop {
            let page = sql::expired_holds(self.store.readers(), now_ms, self.epoch, after, SWEEP_ROWS).await?;
            let is_last = page.len() < SWEEP_ROWS;
            after = page.last().copied().or(after);
            let holds = page.into_iter().map(|(_, hold, account)| (hold, account));
            ownerless.extend(holds.filter(|(hold, _)| !self.queue.in_hand.contains(*hold)));
            if is_last || ownerless.len() >= SWEEP_ROWS {
                return Ok(ownerless);
            }
        }
    }

    /// The number of this start of the server, which its holds have.
    #[must_use]
    pub fn epoch(&self) -> i64 {
        self.epoch
    }

    /// The handle on Idempotency-Keys.
    #[must_use]
    pub fn idempotency(&self) -> &IdempotencyStore {
        &self.repeats
    }

    /// The number of live holds: those that requests of this process own.
    #[must_use]
    pub fn live_holds(&self) -> usize {
        self.queue.in_hand.len()
    }

    /// The counters of the writer.
    #[must_use]
    pub fn stats(&self) -> &WriterStats {
        &self.stats
    }

    async fn queue_hold(&self, operation: WriterOperation) -> Result<(), HoldRefused> {
        let operation = match self.queue.holds.try_send(operation) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Closed(_)) => return Err(HoldRefused::Unavailable),
            Err(TrySendError::Full(operation)) => operation,
        };
        match timeout(PLACE_PATIENCE, self.queue.holds.send(operation)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(HoldRefused::Unavailable),
            Err(_) => {
                WriterStats::add(&self.stats.queue_full, 1);
                Err(HoldRefused::QueueFull)
            }
        }
    }
}

async fn end(hold: Hold, ending: HoldEnding) -> Result<SettledAmounts, SettleFailed> {
    let (answer, answered) = oneshot::channel();
    hold.end(ending, answer).map_err(|_| SettleFailed::Unavailable)?;
    ended(answered).await
}

/// Waits for the writer's answer to an ending, for at most `PATIENCE`.
pub(super) async fn ended(
    answered: oneshot::Receiver<Result<SettledAmounts, SettleFailed>>,
) -> Result<SettledAmounts, SettleFailed> {
    match timeout(PATIENCE, answered).await {
        Ok(Ok(answer)) => answer,
        // The writer answers whatever it takes. One that broke may have written before it did.
        Ok(Err(_)) => Err(SettleFailed::Unknown),
        // It does not hear that nobody waits any more, and goes on.
        Err(_) => Err(SettleFailed::Late),
    }
}
