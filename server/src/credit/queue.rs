//! The queues of the writer.
//!
//! Two queues: holds wait in a bounded one and are refused when it stays full; endings go into one that never refuses,
//! because money that is held must be able to come back. It is bounded all the same: whoever has a hold ends it once, and
//! the sweeper waits for what it has asked.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::yield_now;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::attached_statements::AttachedStatements;
use super::live_holds::LiveHolds;
use super::{
    BilledUsage, FallbackModel, Hold, HoldRefused, HoldRequest, PriceTier, ServiceCharges, SettleFailed,
    SettledAmounts, SettlementRule, UpstreamDelivery,
};
use crate::api::KeyClaim;
use crate::base::{AccountId, HoldId, RequestId, Usd};
use crate::generated::limits;

/// The most holds that wait.
pub(super) const HOLDS_WAITING_MAX: usize = limits::LEDGER_QUEUE as usize;

/// The most rounds in which all ready tasks run before a batch begins, as long as each round queues something. A commit costs
/// as much for one operation as for fifty, so on a busy machine it is worth the wait.
const ROUNDS_MAX: usize = 8;

pub(super) type ResolveAnswer = oneshot::Sender<Result<SettledAmounts, SettleFailed>>;

/// One thing to do in a batch.
#[derive(Debug)]
pub(super) enum WriterOperation {
    Hold(TakeHold),
    Resolve(ResolveHold),
}

/// A hold to take.
#[derive(Debug)]
pub(super) struct TakeHold {
    pub(super) ask: HoldRequest,
    /// Statements that are carried out with the hold. Where there are any, the hold is durable.
    pub(super) rider: AttachedStatements,
    pub(super) answer: oneshot::Sender<Result<Hold, HoldRefused>>,
    pub(super) queued: Instant,
}

/// A hold to end.
#[derive(Debug)]
pub(super) struct ResolveHold {
    pub(super) hold: HoldId,
    pub(super) account: AccountId,
    /// The request that it was taken for; absent where whoever ends it knows it by its row.
    pub(super) request: Option<RequestId>,
    pub(super) ending: HoldEnding,
    /// Ends with it.
    pub(super) claim: Option<Arc<KeyClaim>>,
    /// Nobody waits for a dropped hold.
    pub(super) answer: Option<ResolveAnswer>,
    pub(super) queued: Instant,
}

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

impl ResolveHold {
    pub(super) fn new(hold: HoldId, account: AccountId, ending: HoldEnding, answer: Option<ResolveAnswer>) -> Self {
        Self { hold, account, request: None, ending, claim: None, answer, queued: Instant::now() }
    }

    /// Restricts it to the hold of this request, whatever has its number.
    pub(super) fn of(mut self, request: RequestId) -> Self {
        self.request = Some(request);
        self
    }

    /// Ends a claim with the hold that it was written down with.
    pub(super) fn with(mut self, claim: Option<Arc<KeyClaim>>) -> Self {
        self.claim = claim;
        self
    }
}

impl ResolveHold {
    /// Tells whoever waits what became of it.
    pub(super) fn notify(&mut self, end: Result<SettledAmounts, SettleFailed>) {
        let is_booked = matches!(end, Ok(_) | Err(SettleFailed::AlreadyResolved));
        let told = self.answer.take().is_none_or(|answer| answer.send(end).is_ok());
        if !told && !is_booked {
            self.raise_alarm();
        }
    }

    /// Nobody waits any more, so the answer that a charge was for has gone out. That it is not booked is our loss, and this
    /// line is all that is left of it. A durable hold is ended again by whoever looks after what it is kept for.
    fn raise_alarm(&self) {
        if self.ending.cost > Usd::ZERO && self.ending.rider.is_empty() {
            tracing::error!(
                target: "alarm", alarm = "unbooked",
                hold = %self.hold, account = %self.account, rule = %self.ending.rule, cost_usd = %self.ending.cost,
                "an answer was delivered, and nobody will write its charge or knows that it was"
            );
        }
    }
}

impl Drop for ResolveHold {
    /// Whatever way it is lost, a writer that panics included: whoever waits hears that nobody knows.
    fn drop(&mut self) {
        if self.answer.as_ref().is_some_and(oneshot::Sender::is_closed) {
            self.raise_alarm();
        }
    }
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

impl WriterOperation {
    pub(super) fn queued(&self) -> Instant {
        match self {
            Self::Hold(take) => take.queued,
            Self::Resolve(resolve) => resolve.queued,
        }
    }

    /// The account whose balance it changes.
    pub(super) fn account(&self) -> AccountId {
        match self {
            Self::Hold(take) => take.ask.account,
            Self::Resolve(resolve) => resolve.account,
        }
    }

    /// True if it is a hold that nobody waits for any more. An ending is carried out whether anybody waits or not.
    fn is_abandoned(&self) -> bool {
        matches!(self, Self::Hold(take) if take.answer.is_closed())
    }

    /// Tells whoever waits that nothing of it is written, nor will be.
    pub(super) fn refuse(self) {
        self.fail(SettleFailed::Unavailable);
    }

    /// Tells whoever waits that nobody knows whether it is written.
    pub(super) fn fail_unknown(self) {
        self.fail(SettleFailed::Unknown);
    }

    fn fail(self, ending: SettleFailed) {
        match self {
            // One word for both: a hold that was written is given back by the next start.
            Self::Hold(take) => drop(take.answer.send(Err(HoldRefused::Unavailable))),
            Self::Resolve(mut resolve) => resolve.notify(Err(ending)),
        }
    }
}

/// The callers' ends of the two queues, and the callers' live holds.
#[derive(Debug, Clone)]
pub(super) struct WriterQueue {
    pub(super) holds: mpsc::Sender<WriterOperation>,
    pub(super) ends: mpsc::UnboundedSender<WriterOperation>,
    pub(super) in_hand: LiveHolds,
}

/// The writer's ends of the two queues.
#[derive(Debug)]
pub(super) struct WriterIntake {
    holds: mpsc::Receiver<WriterOperation>,
    ends: mpsc::UnboundedReceiver<WriterOperation>,
    closing: CancellationToken,
}

/// Two empty queues. When `closing` is cancelled they take nothing more and [`WriterIntake::take`] hands out what is left.
pub(super) fn queues(closing: CancellationToken) -> (WriterQueue, WriterIntake) {
    let (holds, holds_out) = mpsc::channel(HOLDS_WAITING_MAX);
    let (ends, ends_out) = mpsc::unbounded_channel();
    (
        WriterQueue { holds, ends, in_hand: LiveHolds::default() },
        WriterIntake { holds: holds_out, ends: ends_out, closing },
    )
}

impl WriterIntake {
    /// Adds operations to `batch` until there are `most`: endings first, because they free money for the holds behind
    /// them. Waits for the first one only, and for none where the batch has some already. Leaves the batch empty when
    /// both queues are closed and empty.
    pub(super) async fn take(&mut self, batch: &mut Vec<WriterOperation>, most: usize) {
        if !batch.is_empty() && self.closing.is_cancelled() {
            self.close_and_refuse_holds();
        }
        while batch.is_empty() && !(self.ends.is_closed() && self.ends.is_empty() && self.holds.is_empty()) {
            tokio::select! {
                biased;
                Some(first) = self.ends.recv() => batch.push(first),
                Some(first) = self.holds.recv() => batch.push(first),
                () = self.closing.cancelled() => self.close(),
            }
            batch.retain(|operation| !operation.is_abandoned());
        }
        // Whoever is ready to run may be about to queue something. On an idle machine this is nobody and costs nothing;
        // on a busy one it makes the batch as large as the machine is busy.
        for _ in 0..ROUNDS_MAX {
            let before = batch.len();
            yield_now().await;
            self.add_waiting(batch, most);
            if batch.len() == before {
                break;
            }
        }
    }

    /// Waits for so long, or until one more operation is there, which is added to `batch`.
    pub(super) async fn add_within(&mut self, most: Duration, batch: &mut Vec<WriterOperation>) {
        let next = async {
            tokio::select! {
                biased;
                Some(next) = self.ends.recv() => next,
                Some(next) = self.holds.recv() => next,
                else => pending().await,
            }
        };
        batch.extend(timeout(most, next).await.ok());
    }

    fn add_waiting(&mut self, batch: &mut Vec<WriterOperation>, most: usize) {
        while batch.len() < most {
            let next = self.ends.try_recv().or_else(|_| self.holds.try_recv());
            let Ok(operation) = next else { break };
            if !operation.is_abandoned() {
                batch.push(operation);
            }
        }
    }

    /// Takes nothing more, and refuses what waits.
    pub(super) fn refuse_all(&mut self) {
        self.holds.close();
        self.ends.close();
        while let Ok(operation) = self.ends.try_recv().or_else(|_| self.holds.try_recv()) {
            operation.refuse();
        }
    }

    /// True if nothing more is to be taken on.
    pub(super) fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// Takes endings that wait and nothing more: what is there already cannot be written, so no hold is begun.
    fn close_and_refuse_holds(&mut self) {
        self.holds.close();
        while let Ok(operation) = self.holds.try_recv() {
            operation.refuse();
        }
        self.ends.close();
    }

    /// Holds that wait are still taken, and may still be ended; after them nothing.
    fn close(&mut self) {
        self.holds.close();
        if self.holds.is_empty() {
            self.ends.close();
        }
    }
}
