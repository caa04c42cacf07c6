//! One batch, carried out and only then answered.
//!
//! A batch that a rule of the database refuses is rolled back and tried again in halves, so that one operation cannot
//! fail its neighbours. An ending that cannot be written at the moment is kept until it can, whether somebody still waits for
//! it or not.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::attempt::{BatchExecutor, BatchFailure, ExecutedBatch, OperationBatch};
use super::backend::BackendError;
use super::decide::OperationDecision;
use super::hold::{OpenHold, ResolveHold, WriterOperation, WriterQueue};
use super::hold_ending::HoldEnding;
use super::patience::PATIENCE;
use super::rules::HoldEndRefused;
use super::{Hold, HoldRefused, SettleFailed, SettledAmounts, SettlementRule, WriterStats};
use tollgate_api::ClaimState;
use tollgate_base::{AccountId, Clock, Usd};
use tollgate_store::ErrorClass;

/// The most reads or writes that may fail in a row before the disk is given up. A failed sync is never tried again.
const DISK_TROUBLES_MAX: u32 = 3;

/// Carries out batches, one after the other.
#[derive(Debug)]
pub(super) struct BatchRunner<A> {
    pub(super) ledger: A,
    pub(super) clock: Clock,
    pub(super) epoch: i64,
    pub(super) stats: Arc<WriterStats>,
    /// Given to each hold, which comes back by it. Both ends are kept, so that the queues close on request alone.
    pub(super) queue: WriterQueue,
    /// Troubles with the disk since the last commit.
    pub(super) disk_troubles: u32,
    /// Accounts that somebody else keeps locked, as of the last look: the others do not wait for them.
    pub(super) locked: BTreeSet<AccountId>,
}

/// The reason that nothing more may be written.
#[derive(Debug)]
pub(super) enum WriterHalt {
    /// The disk cannot be trusted, or nobody can tell what is on it.
    Disk(BackendError),
    /// This start may not write any more: another one may in its place, or it was taken for gone.
    Superseded,
}

impl<A: BatchExecutor> BatchRunner<A> {
    /// Carries out and answers all operations but those it returns, which are to be tried again later. All are answered
    /// when it halts.
    pub(super) async fn run(&mut self, operations: Vec<WriterOperation>) -> Result<Vec<WriterOperation>, WriterHalt> {
        let mut later = Vec::new();
        let mut parts = vec![operations];
        if !self.locked.is_empty() {
            let asked = self.locked.iter().copied().collect();
            self.locked = self.ledger.locked(asked).await;
            self.set_aside(&mut parts, &mut later);
        }
        while let Some(mut part) = parts.pop() {
            if part.is_empty() {
                continue;
            }
            let halt = match self.attempt(&mut part).await {
                Ok(()) => continue,
                Err(BatchFailure::Undone(trouble)) => {
                    match self.handle_undone(&mut parts, &mut later, part, trouble).await {
                        Ok(()) => continue,
                        Err(halt) => halt,
                    }
                }
                Err(BatchFailure::Unknown(trouble)) => {
                    part.into_iter().for_each(WriterOperation::fail_unknown);
                    WriterHalt::Disk(trouble)
                }
                Err(BatchFailure::Superseded) => {
                    part.into_iter().for_each(WriterOperation::refuse);
                    WriterHalt::Superseded
                }
            };
            // Not tried, or tried and undone.
            parts.into_iter().flatten().chain(later).for_each(WriterOperation::refuse);
            return Err(halt);
        }
        Ok(later)
    }

    /// True if all operations to be tried again, at least one, are of accounts that another session keeps locked.
    pub(super) fn waits_for_locked_alone(&self, later: &[WriterOperation]) -> bool {
        !later.is_empty() && later.iter().all(|operation| self.locked.contains(&operation.account()))
    }

    /// Leaves what is of locked accounts for later, in its order.
    fn set_aside(&self, parts: &mut [Vec<WriterOperation>], later: &mut Vec<WriterOperation>) {
        for part in parts.iter_mut().rev() {
            let kept = part.extract_if(.., |operation| self.locked.contains(&operation.account()));
            later.extend(kept.filter_map(postponed));
        }
    }

    /// Handles a part of which nothing is written: halves it, refuses it, or keeps it for later.
    async fn handle_undone(
        &mut self,
        parts: &mut Vec<Vec<WriterOperation>>,
        later: &mut Vec<WriterOperation>,
        mut part: Vec<WriterOperation>,
        trouble: BackendError,
    ) -> Result<(), WriterHalt> {
        WriterStats::add(&self.stats.retried, 1);
        self.disk_troubles += u32::from(trouble.fault == ErrorClass::Disk);
        if self.disk_troubles > DISK_TROUBLES_MAX {
            part.into_iter().for_each(WriterOperation::refuse);
            return Err(WriterHalt::Disk(trouble));
        }
        match trouble.fault {
            ErrorClass::Refused if part.len() > 1 => {
                let second = part.split_off(part.len() / 2);
                parts.extend([second, part]);
            }
            ErrorClass::Refused => {
                let instead = part.into_iter().filter_map(|operation| refused_alone(operation, &trouble));
                parts.extend(instead.map(|operation| vec![operation]));
            }
            ErrorClass::Passing | ErrorClass::Lost | ErrorClass::Disk => {
                if trouble.fault == ErrorClass::Passing {
                    let accounts: BTreeSet<_> = part.iter().map(WriterOperation::account).collect();
                    let found = self.ledger.locked(accounts.into_iter().collect()).await;
                    if !found.is_empty() {
                        tracing::warn!(accounts = found.len(), "somebody else keeps accounts locked: the others go on");
                        self.locked.extend(found);
                        parts.push(part);
                        self.set_aside(parts, later);
                        return Ok(());
                    }
                }
                tracing::warn!(
                    error = &trouble as &dyn std::error::Error,
                    operations = part.len(),
                    "the ledger cannot be written at the moment"
                );
                // All that is left of the batch with it: nothing overtakes what was queued before, as the sweep of a hold
                // would its settlement.
                let left = parts.drain(..).rev().flatten();
                later.extend(part.into_iter().chain(left).filter_map(postponed));
            }
        }
        Ok(())
    }

    /// Tries a part whole. When it is on the disk its waiters are answered and `part` is empty.
    async fn attempt(&mut self, part: &mut Vec<WriterOperation>) -> Result<(), BatchFailure> {
        let (in_hand, now_ms) = (self.queue.in_hand.clone(), self.clock.now_ms());
        let batch = OperationBatch { operations: std::mem::take(part), in_hand, epoch: self.epoch, now_ms };
        let ExecutedBatch { operations, outcome } = self.ledger.attempt(batch).await;
        *part = operations;
        let done = outcome?;
        if let Some(took) = done.committed {
            WriterStats::took(&self.stats.commit, took);
            WriterStats::add(&self.stats.batches, 1);
            self.disk_troubles = 0;
        }
        self.answer(part, done.verdicts);
        Ok(())
    }

    fn answer(&self, part: &mut Vec<WriterOperation>, verdicts: Vec<OperationDecision>) {
        let operations = u64::try_from(part.len()).unwrap_or(u64::MAX);
        WriterStats::add(&self.stats.operations, operations);
        self.stats.batch.observe(operations);
        self.stats.batch_max.fetch_max(operations, std::sync::atomic::Ordering::Relaxed);
        for (operation, verdict) in part.drain(..).zip(verdicts) {
            match (operation, verdict) {
                (WriterOperation::Hold(take), OperationDecision::Held { id, amount, standing }) => {
                    let held = OpenHold { id, account: take.ask.account, request: take.ask.request, amount, standing };
                    // Nobody there any more: the hold comes back in the error and is dropped, and is thereby released where it
                    // is not kept. Whoever looks after what a kept one is for finds it.
                    take.ask.claim.iter().for_each(|claim| claim.set_state(ClaimState::Running));
                    let hold = if take.rider.is_empty() {
                        Hold::new(held, take.ask.claim, &self.queue)
                    } else {
                        Hold::durable(held, &self.queue)
                    };
                    drop(take.answer.send(Ok(hold)));
                }
                (WriterOperation::Hold(take), OperationDecision::HoldRefused(why)) => {
                    self.stats.refused(&why);
                    drop(take.answer.send(Err(why)));
                }
                (WriterOperation::Resolve(resolve), OperationDecision::Resolved(settled, claim)) => {
                    resolve.claim.iter().for_each(|ended| ended.set_state(claim));
                    self.notify_settled(resolve, settled);
                }
                (WriterOperation::Resolve(resolve), OperationDecision::ResolveRefused(why)) => {
                    notify_unresolved(resolve, why);
                }
                (WriterOperation::Hold(_), OperationDecision::Resolved(..) | OperationDecision::ResolveRefused(_))
                | (WriterOperation::Resolve(_), OperationDecision::Held { .. } | OperationDecision::HoldRefused(_)) => {
                    unreachable!("each operation is decided by its own kind, in order")
                }
            }
        }
    }

    fn notify_settled(&self, mut resolve: ResolveHold, settled: SettledAmounts) {
        if settled.shortfall > Usd::ZERO {
            WriterStats::add(&self.stats.shortfall_nanos, settled.shortfall.nanos().unsigned_abs());
            tracing::error!(
                target: "alarm", alarm = "shortfall",
                hold = %resolve.hold, account = %resolve.account, charged_usd = %settled.charged, shortfall_usd = %settled.shortfall,
                "a request cost more than its hold and the account together: the rest is our loss"
            );
        }
        if resolve.ending.if_expired {
            WriterStats::add(&self.stats.expired, 1);
            tracing::warn!(hold = %resolve.hold, account = %resolve.account, "a hold expired and was given back");
        }
        resolve.notify(Ok(settled));
    }
}

fn notify_unresolved(mut resolve: ResolveHold, why: HoldEndRefused) {
    // Nobody waits for a dropped hold, which may have found its end already.
    if resolve.answer.is_some() && why == HoldEndRefused::NotOpen && !resolve.ending.if_expired {
        tracing::error!(
            hold = %resolve.hold, account = %resolve.account, rule = %resolve.ending.rule, cost_usd = %resolve.ending.cost,
            "a hold was resolved already: this ending was not booked"
        );
    }
    resolve.notify(Err(SettleFailed::AlreadyResolved));
}

/// The database refused this very operation.
fn refused_alone(operation: WriterOperation, trouble: &BackendError) -> Option<WriterOperation> {
    match operation {
        WriterOperation::Hold(take) => {
            let why = if trouble.duplicate { HoldRefused::Duplicate } else { HoldRefused::Unavailable };
            if !trouble.duplicate {
                tracing::error!(
                    error = trouble as &dyn std::error::Error, request = %take.ask.request,
                    "the database refused a hold that the rules allow"
                );
            }
            drop(take.answer.send(Err(why)));
            None
        }
        WriterOperation::Resolve(mut resolve) => {
            tracing::error!(
                error = trouble as &dyn std::error::Error, hold = %resolve.hold, rule = %resolve.ending.rule,
                "the database refused to resolve a hold as the rules allow"
            );
            if !resolve.ending.rider.is_empty() {
                // What it is kept for has moved on, or must not move so. Ended without it, the money would be out of step.
                resolve.notify(Err(SettleFailed::AlreadyResolved));
                return None;
            }
            // One more try as a plain release; if that is refused as well, the next start has to see to it.
            (resolve.ending.rule != SettlementRule::NotRecorded).then(|| WriterOperation::Resolve(given_up(resolve)))
        }
    }
}

/// The database cannot be written at the moment: holds are refused, endings are kept.
fn postponed(operation: WriterOperation) -> Option<WriterOperation> {
    match operation {
        WriterOperation::Hold(take) => {
            drop(take.answer.send(Err(HoldRefused::Unavailable)));
            None
        }
        // A durable hold stays as it is, and whoever ends it tries again: all those tries would gather here.
        WriterOperation::Resolve(mut resolve)
            if !resolve.ending.rider.is_empty() && resolve.queued.elapsed() > PATIENCE =>
        {
            resolve.notify(Err(SettleFailed::Unavailable));
            None
        }
        WriterOperation::Resolve(resolve) => Some(WriterOperation::Resolve(resolve)),
    }
}

/// Tells the waiter that nothing is charged, and makes it true.
fn given_up(mut resolve: ResolveHold) -> ResolveHold {
    resolve.notify(Err(SettleFailed::Unavailable));
    let if_expired = resolve.ending.if_expired;
    resolve.ending = HoldEnding { if_expired, ..HoldEnding::release(SettlementRule::NotRecorded) };
    resolve
}
