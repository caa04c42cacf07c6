//! A hold, as the object that its owner settles, releases or drops, and what the writer is asked: to take one, and to end it.
//!
//! The types refer to each other, and so share a file: a hold sends its end to the writer, and an answer of the writer can carry
//! a hold.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::attached_statements::AttachedStatements;
use super::hold_ending::HoldEnding;
use super::limits::RateLimitState;
use super::live_holds::LiveHolds;
use super::{HoldRefused, HoldRequest, SettledAmounts, SettlementRule};
use tollgate_api::KeyClaim;
use tollgate_base::{AccountId, HoldId, RequestId, Usd};

/// Reserved money. It ends by [`Ledger::settle`](super::Ledger::settle) or
/// [`Ledger::release`](super::Ledger::release); dropped, it is released.
#[derive(Debug)]
#[must_use = "a hold that is dropped is released, and the request is free"]
pub struct Hold {
    held: OpenHold,
    ends: mpsc::UnboundedSender<WriterOperation>,
    in_hand: LiveHolds,
    claim: Option<Arc<KeyClaim>>,
    open: bool,
}

/// The facts of a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenHold {
    pub(super) id: HoldId,
    pub(super) account: AccountId,
    pub(super) request: RequestId,
    pub(super) amount: Usd,
    pub(super) standing: RateLimitState,
}

impl Hold {
    /// A hold that is on the disk, and counts as live from now on.
    pub(super) fn new(held: OpenHold, claim: Option<Arc<KeyClaim>>, queue: &WriterQueue) -> Self {
        queue.in_hand.add(held.id);
        Self { held, ends: queue.ends.clone(), in_hand: queue.in_hand.clone(), claim, open: true }
    }

    /// A hold that is on the disk and stays there, whatever becomes of this object.
    pub(super) fn durable(held: OpenHold, queue: &WriterQueue) -> Self {
        let mut hold = Self::new(held, None, queue);
        hold.open = false;
        hold
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> HoldId {
        self.held.id
    }

    /// The account that pays.
    #[must_use]
    pub fn account(&self) -> AccountId {
        self.held.account
    }

    /// The request it is for.
    #[must_use]
    pub fn request(&self) -> RequestId {
        self.held.request
    }

    /// The reserved amount: what was wanted, or less where less was available.
    #[must_use]
    pub fn amount(&self) -> Usd {
        self.held.amount
    }

    /// The state of the key's rate limits after this hold.
    #[must_use]
    pub fn rate_limits(&self) -> RateLimitState {
        self.held.standing
    }

    /// The claim that was written down with it.
    #[must_use]
    pub fn claim(&self) -> Option<&KeyClaim> {
        self.claim.as_deref()
    }

    /// Gives the hold up to the writer, which resolves it: from here on dropping it does nothing.
    pub(super) fn end(mut self, ending: HoldEnding, answer: ResolveAnswer) -> Result<(), WriterGone> {
        self.send(ending, Some(answer))
    }

    /// Leaves the hold open without an owner, as an owner does that dies in another process.
    #[cfg(test)]
    pub(super) fn orphan(mut self) {
        self.open = false;
    }

    fn send(&mut self, ending: HoldEnding, answer: Option<ResolveAnswer>) -> Result<(), WriterGone> {
        self.open = false;
        let resolve = ResolveHold::new(self.held.id, self.held.account, ending, answer);
        let resolve = resolve.of(self.held.request).with(self.claim.take());
        self.ends.send(WriterOperation::Resolve(resolve)).map_err(|_| WriterGone)
    }

    fn release(&mut self) {
        let (hold, request) = (self.held.id, self.held.request);
        match self.send(HoldEnding::release(SettlementRule::NotRecorded), None) {
            Ok(()) => tracing::debug!(%hold, %request, "a hold was dropped and is released"),
            Err(WriterGone) => {
                tracing::warn!(%hold, %request, "a hold was dropped after the writer stopped: the next start releases it");
            }
        }
    }
}

/// The writer has stopped. The hold is in the database and is given back at the next start.
#[derive(Debug)]
pub(super) struct WriterGone;

impl Drop for Hold {
    fn drop(&mut self) {
        if self.open {
            self.release();
        }
        self.in_hand.remove(self.held.id);
    }
}

/// The reason that a hold was not settled or released.
#[derive(Debug, thiserror::Error)]
pub enum SettleFailed {
    /// It was resolved before, or expired: nothing was charged by this call.
    #[error("the hold is resolved already")]
    AlreadyResolved,
    /// The cost is negative or the usage contradicts itself. The hold comes back, untouched.
    #[error("the cost is negative, or the usage contradicts itself")]
    Absurd(Box<Hold>),
    /// It is not written yet: the ledger hangs, or cannot be written at the moment. It stays queued until it is, for as long
    /// as the process lives, and nothing but a rule of the database makes anything else of it.
    #[error("the ledger cannot write the charge yet: it stays queued")]
    Late,
    /// It could not be written. Nothing was charged, and nothing will be: the hold is given back when that is possible.
    #[error("the ledger is not available")]
    Unavailable,
    /// Nobody knows whether it was written: the charge may be on the disk. The receipt tells, once a server has started
    /// again.
    #[error("the ledger is not available, and the charge may have been recorded")]
    Unknown,
}

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
    pub(super) fn is_abandoned(&self) -> bool {
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
