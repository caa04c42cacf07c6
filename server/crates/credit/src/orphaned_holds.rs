//! Holds of servers that are gone, given back a part at a time: at the start, and in the background.
//!
//! A server may leave hundreds of thousands of open holds when it dies. Each part is a short transaction over few accounts, so
//! that a request to one of them waits for one part at the most, and no statement comes near its time limit. Parts take accounts
//! in the order of their numbers and pass over those that others have: several servers give back side by side, and none waits
//! for another in a circle. What is not given back yet stays held. Where a server dies between two parts, whoever looks next
//! goes on: a start that is gone is done with when nothing of it is held.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::commit::{Step, commit};
use super::sql::{self, HoldPosition};
use super::{LedgerStore, SettlementRule};
use tollgate_store::{ErrorClass, StoreError, WriterPlace};

/// The most holds in one part.
pub(super) const PART_HOLDS: usize = 2_000;
/// The time of a part after which the next one has half as many holds. A request for one of its accounts waits for it.
const PART_TAKES: Duration = Duration::from_millis(250);
const PART_HOLDS_LEAST: usize = 64;
/// The time after which a part is given up: more than a statement may take.
const PART_PATIENCE: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The time for which holds may be left before somebody is to look, and then again.
const ALARM_AFTER: Duration = Duration::from_secs(60);
const ALARM_AGAIN: Duration = Duration::from_secs(600);
/// The alarm counts no further.
const COUNT_MAX: i64 = 1_000_000;
/// After so many holds in a row that cannot be given back one by one, the rest of their account is left for the next time.
const FAILURES_MAX: u32 = 16;

/// The task that gives back the holds of servers that are gone.
#[derive(Debug)]
pub(super) struct OrphanedHolds {
    books: LedgerStore,
    /// Told where a server was just taken for gone, so that nobody waits for the next look.
    found: Arc<Notify>,
    /// True if the last look left something: accounts that others have are waited for a moment then.
    is_left: bool,
    alarm: OrphanedHoldsAlarm,
}

impl OrphanedHolds {
    pub(super) fn new(books: LedgerStore, found: Arc<Notify>) -> Self {
        Self { books, found, is_left: false, alarm: OrphanedHoldsAlarm::default() }
    }

    /// Gives back what is left, again and again, until it is told to end; on a file, whose one server is this, until nothing
    /// is left.
    pub(super) async fn release_for_ever(mut self, closing: CancellationToken) {
        loop {
            match self.release(usize::MAX, &closing).await {
                Ok(false) if !self.is_shared() => return,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "holds of servers that are gone cannot be given back at the moment"
                    );
                    self.is_left = true;
                    self.alarm_when_due(true).await;
                }
            }
            let next_look = timeout(LOOK_EVERY, self.found.notified());
            if closing.run_until_cancelled(next_look).await.is_none() {
                return;
            }
        }
    }

    /// Gives back what is left, in at most so many parts, and answers whether something is left still.
    pub(super) async fn release(&mut self, parts_max: usize, closing: &CancellationToken) -> Result<bool, StoreError> {
        let mut parts = parts_max;
        let mut is_left = false;
        for epoch in sql::unreleased_starts(self.books.store.readers()).await? {
            let holds = self.release_of(epoch, &mut parts, closing).await?;
            if holds > 0 {
                tracing::warn!(holds, epoch, "holds of a server that is gone were given back: they were not charged");
            }
            is_left |= !self.end(epoch).await?;
        }
        self.is_left = is_left;
        self.alarm_when_due(is_left).await;
        Ok(is_left)
    }

    /// Goes once through what a start holds that is gone, and answers how many holds were given back.
    async fn release_of(
        &mut self,
        epoch: i64,
        parts: &mut usize,
        closing: &CancellationToken,
    ) -> Result<u64, StoreError> {
        let mut walk = ReleasePass::default();
        let mut released = 0;
        // One account at a time, where it may have to be waited for.
        let waits = self.is_left && self.is_shared();
        while *parts > 0 && !closing.is_cancelled() {
            let limit = i64::try_from(walk.limit).unwrap_or(i64::MAX);
            let mut part = sql::orphaned_holds(self.books.store.readers(), epoch, walk.after, limit).await?;
            let Some(first) = part.first().copied() else { break };
            if waits {
                part.retain(|hold| hold.group == first.group);
            }
            *parts -= 1;
            let began = Instant::now();
            let given_back = self.release_part(epoch, &part, waits).await;
            let given_back = given_back.map_err(|error| (ErrorClass::of_store(&error), error));
            released += walk.go_on(&part, waits, began.elapsed(), given_back)?;
            self.alarm_when_due(true).await;
        }
        Ok(released)
    }

    async fn release_part(&self, epoch: i64, part: &[HoldPosition], waits: bool) -> Result<u64, StoreError> {
        let give_back = async {
            let (rule, now_ms) = (SettlementRule::Crashed.as_str(), self.books.clock.now_ms());
            let mut transaction = self.books.store.begin_unordered().await?;
            let released = sql::release_orphaned(&mut transaction, epoch, part, waits, (rule, now_ms)).await?;
            if released == 0 {
                // All of them are of accounts that others have, or were given back by others.
                let undone = transaction.rollback().await;
                return undone.map(|()| 0).map_err(StoreError::commit("nothing"));
            }
            commit(transaction, Step::GiveBack, "the end of holds of a server that is gone").await?;
            Ok(released)
        };
        timeout(PART_PATIENCE, give_back).await.unwrap_or(Err(StoreError::Silent))
    }

    /// Writes down that nothing is held any more by a start that is gone; false where something is.
    async fn end(&self, epoch: i64) -> Result<bool, StoreError> {
        let (readers, clock) = (self.books.store.readers(), &self.books.clock);
        if !sql::orphaned_holds(readers, epoch, HoldPosition::FIRST, 1).await?.is_empty() {
            return Ok(false);
        }
        let mut transaction = self.books.store.begin_unordered().await?;
        sql::end_start(&mut transaction, epoch, clock.now_ms()).await?;
        commit(transaction, Step::EndStart, "the end of a server that is gone").await?;
        Ok(true)
    }

    async fn alarm_when_due(&mut self, is_left: bool) {
        if !self.alarm.is_due(is_left, Instant::now()) {
            return;
        }
        let holds = sql::count_orphaned(self.books.store.readers(), COUNT_MAX).await.ok();
        tracing::error!(
            target: "alarm", alarm = "orphaned_holds", holds,
            "holds of servers that are gone are still open after a minute: the credit that they reserve cannot be used. Look \
             at the warnings before this line, and for sessions of the database that keep accounts locked"
        );
    }

    fn is_shared(&self) -> bool {
        matches!(self.books.store.writer(), WriterPlace::Server(_))
    }
}

/// A pass through the open holds of one start.
#[derive(Debug)]
struct ReleasePass {
    after: HoldPosition,
    /// The most holds in the next part.
    limit: usize,
    /// Holds in a row that could not be given back one by one.
    failures: u32,
}

impl Default for ReleasePass {
    fn default() -> Self {
        Self { after: HoldPosition::FIRST, limit: PART_HOLDS, failures: 0 }
    }
}

impl ReleasePass {
    /// Goes on after a part, and answers how many holds of it were given back. A part that fails is tried again by halves: it
    /// may be too large for a slow disk, or have one hold that the database keeps open by a rule, which is passed over then.
    fn go_on(
        &mut self,
        part: &[HoldPosition],
        waits: bool,
        took: Duration,
        given_back: Result<u64, (ErrorClass, StoreError)>,
    ) -> Result<u64, StoreError> {
        let Some(last) = part.last() else { return Ok(0) };
        let (fault, error) = match given_back {
            Ok(released) => {
                self.after = if waits && released == 0 { last.end_of_group() } else { *last };
                let is_slow = took > PART_TAKES;
                self.limit =
                    if is_slow { (self.limit / 2).max(PART_HOLDS_LEAST) } else { (self.limit * 2).min(PART_HOLDS) };
                self.failures = 0;
                return Ok(released);
            }
            Err(failed) => failed,
        };
        match fault {
            ErrorClass::Refused | ErrorClass::Passing if part.len() > 1 => self.limit = part.len() / 2,
            // It is not these holds.
            ErrorClass::Passing if self.failures + 1 >= FAILURES_MAX => return Err(error),
            ErrorClass::Refused | ErrorClass::Passing => {
                self.failures += 1;
                self.after = if self.failures < FAILURES_MAX { *last } else { last.end_of_group() };
                let error = &error as &dyn std::error::Error;
                tracing::warn!(hold = last.id, error, "a hold of a server that is gone cannot be given back");
            }
            ErrorClass::Lost | ErrorClass::Disk => return Err(error),
        }
        Ok(0)
    }
}

/// The timer of the alarm about holds that are left.
#[derive(Debug, Default)]
struct OrphanedHoldsAlarm {
    /// Absent where nothing is left.
    rings_at: Option<Instant>,
}

impl OrphanedHoldsAlarm {
    fn is_due(&mut self, is_left: bool, now: Instant) -> bool {
        if !is_left {
            self.rings_at = None;
            return false;
        }
        let rings_at = *self.rings_at.get_or_insert(now + ALARM_AFTER);
        if now < rings_at {
            return false;
        }
        self.rings_at = Some(now + ALARM_AGAIN);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_rings_after_a_minute_and_again_after_ten() {
        let (start, mut alarm) = (Instant::now(), OrphanedHoldsAlarm::default());
        let mut at = |seconds, is_left| alarm.is_due(is_left, start + Duration::from_secs(seconds));
        assert_eq!([0, 59, 60, 61, 659, 660].map(|second| at(second, true)), [false, false, true, false, false, true]);
        // It begins anew where nothing was left meanwhile.
        assert_eq!([at(700, false), at(701, true), at(760, true), at(761, true)], [false, false, false, true]);
    }

    #[test]
    fn a_walk_halves_what_fails_and_goes_on_behind_it() {
        let part: Vec<HoldPosition> = (0..4).map(|id| HoldPosition { group: 1, id }).collect();
        let mut walk = ReleasePass::default();
        let at_once = Duration::ZERO;
        let passing = || Err((ErrorClass::Passing, StoreError::Silent));
        assert!(walk.go_on(&part, false, at_once, passing()).is_ok() && walk.limit == 2);
        assert_eq!(walk.after, HoldPosition::FIRST);
        assert!(walk.go_on(&part[..2], false, at_once, passing()).is_ok() && walk.limit == 1);
        assert!(walk.go_on(&part[..1], false, at_once, passing()).is_ok() && walk.after == part[0], "passed over");
        let more = (1..20).filter(|_| walk.go_on(&part[1..2], false, at_once, passing()).is_ok());
        assert_eq!(more.count(), 14, "then it is something else than these holds");
        assert!(walk.go_on(&part, false, at_once, Err((ErrorClass::Lost, StoreError::Silent))).is_err());
        assert_eq!(walk.go_on(&part[..1], false, at_once, Ok(1)).unwrap(), 1);
        assert_eq!((walk.after, walk.limit, walk.failures), (part[0], 2, 0));
        // What was waited for in vain is left with all of its account.
        assert_eq!(walk.go_on(&part[1..2], true, at_once, Ok(0)).unwrap(), 0);
        assert_eq!(walk.after, part[0].end_of_group());
    }

    #[test]
    fn parts_that_take_long_become_smaller() {
        let (part, mut walk) = ([HoldPosition { group: 1, id: 1 }], ReleasePass::default());
        let mut limit_after = |took: Duration| {
            walk.go_on(&part, false, took, Ok(1)).unwrap();
            walk.limit
        };
        assert_eq!([PART_TAKES * 2; 6].map(&mut limit_after), [1_000, 500, 250, 125, 64, 64]);
        assert_eq!([PART_TAKES; 6].map(&mut limit_after), [128, 256, 512, 1_024, PART_HOLDS, PART_HOLDS]);
    }
}
