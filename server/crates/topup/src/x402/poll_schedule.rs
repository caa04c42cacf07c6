//! The schedule by which each open payment of a chain is looked for: exponential backoff per payment, so that one whose look fails
//! or hangs does not delay the others.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use super::sql::PendingPayment;
use tollgate_api::generated::machines::payment::State;

/// The first and the longest pause after a look that failed: a chain that answers again is noticed within it.
const PAUSE: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(15);
/// The pause between looks for a payment that was given up, or one that was just credited.
const REST: Duration = Duration::from_secs(15);
/// The pause for a payment that was credited some time ago.
const LONG_REST: Duration = Duration::from_secs(60);
/// The time limit of a look, doubled after one that reached it: what is looked for may lie far back.
const PATIENCE: Duration = Duration::from_secs(15);
const PATIENCE_MAX: Duration = Duration::from_secs(240);
pub(super) const LOOKS_IN_VAIN: u32 = 3;

/// The result of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PollResult {
    /// The chain has answered; the next look is due at once.
    Well,
    /// The chain has answered; the next look is due after a pause.
    Rest,
    /// The chain has answered; the next look is due after a minute.
    LongRest,
    /// The chain has not answered.
    Failed,
    /// The look reached its time limit.
    TooLong,
}

/// The looks of one chain, by the number of the payment.
#[derive(Debug, Default)]
pub(super) struct PollSchedule(HashMap<i64, PollEntry>);

#[derive(Debug, Clone, Copy)]
struct PollEntry {
    /// The time of the next look; none while one is under way.
    due: Option<Instant>,
    pause: Duration,
    patience: Duration,
    /// The number of looks in a row in which the chain has not answered.
    vain: u32,
}

/// The start of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PollStart {
    /// The time limit of the look.
    pub(super) patience: Duration,
    /// The number of looks in a row before it that failed.
    pub(super) vain: u32,
}

impl PollSchedule {
    /// The open payments that are due, those that have waited longest first, credited ones last. Payments that are not open any
    /// more are dropped.
    pub(super) fn due(&mut self, open: Vec<PendingPayment>, now: Instant) -> VecDeque<PendingPayment> {
        let ids: HashSet<i64> = open.iter().map(|kept| kept.payment).collect();
        self.0.retain(|id, look| look.due.is_none() || ids.contains(id));
        let fresh = PollEntry { due: Some(now), pause: PAUSE, patience: PATIENCE, vain: 0 };
        let mut due: Vec<(Instant, PendingPayment)> = Vec::new();
        for kept in open {
            let look = self.0.entry(kept.payment).or_insert(fresh);
            due.extend(look.due.filter(|due| *due <= now).map(|due| (due, kept)));
        }
        due.sort_by_key(|(due, kept)| (kept.state == State::Paid, *due, kept.payment));
        due.into_iter().map(|(_, kept)| kept).collect()
    }

    /// Marks the start of a look.
    pub(super) fn begins(&mut self, payment: i64) -> PollStart {
        let Some(look) = self.0.get_mut(&payment) else { return PollStart { patience: PATIENCE, vain: 0 } };
        look.due = None;
        PollStart { patience: look.patience, vain: look.vain }
    }

    /// Marks the end of a look and schedules the next one.
    pub(super) fn ended(&mut self, payment: i64, turn: PollResult, now: Instant) {
        let Some(look) = self.0.get_mut(&payment) else { return };
        let (longer, vain) = ((look.pause * 2).min(PAUSE_MAX), look.vain.saturating_add(1));
        *look = match turn {
            PollResult::Well => PollEntry { due: Some(now), pause: PAUSE, patience: PATIENCE, vain: 0 },
            PollResult::Rest => PollEntry { due: Some(now + REST), pause: PAUSE, patience: PATIENCE, vain: 0 },
            PollResult::LongRest => PollEntry { due: Some(now + LONG_REST), pause: PAUSE, patience: PATIENCE, vain: 0 },
            PollResult::Failed => PollEntry { due: Some(now + look.pause), pause: longer, vain, ..*look },
            PollResult::TooLong => {
                let patience = (look.patience * 2).min(PATIENCE_MAX);
                PollEntry { due: Some(now + look.pause), pause: longer, patience, vain }
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::terms::SignedTerms;
    use super::*;
    use crate::NewPayment;
    use tollgate_base::OrderId;

    fn kept(payment: i64) -> PendingPayment {
        let text = || "x".to_owned();
        let terms = serde_json::json!({
            "form": "authorization", "token": "", "from": "", "to": "", "value": "", "valid_after": "", "valid_before": "", "nonce": "",
        });
        let new =
            NewPayment { source: text(), reference: text(), asset: text(), amount: text(), payer: None, receipt: None };
        let terms: SignedTerms = serde_json::from_value(terms).expect("terms");
        let (state, order) = (State::Claimed, OrderId(1));
        let (claimed_at_ms, decided_at_ms, since_block, seen_block) = (0, None, 0, None);
        let call = Vec::new();
        PendingPayment {
            payment,
            order,
            state,
            new,
            claimed_at_ms,
            decided_at_ms,
            since_block,
            terms,
            call,
            seen_block,
        }
    }

    fn ids(due: &VecDeque<PendingPayment>) -> Vec<i64> {
        due.iter().map(|kept| kept.payment).collect()
    }

    #[test]
    fn one_that_fails_makes_longer_pauses_and_nobody_else_does() {
        let (mut looks, start) = (PollSchedule::default(), Instant::now());
        let mut now = start;
        let both = || vec![kept(1), kept(2)];
        assert_eq!(ids(&looks.due(both(), now)), [1, 2]);
        let mut pauses = Vec::new();
        for _ in 0..6 {
            looks.begins(1);
            looks.begins(2);
            assert!(looks.due(both(), now).is_empty(), "both are under way");
            looks.ended(1, PollResult::Failed, now);
            looks.ended(2, PollResult::Well, now);
            assert_eq!(ids(&looks.due(both(), now)), [2]);
            let from = now;
            while !ids(&looks.due(both(), now)).contains(&1) {
                now += Duration::from_secs(1);
            }
            pauses.push((now - from).as_secs());
        }
        assert_eq!(pauses, [1, 2, 4, 8, 15, 15]);
        assert_eq!(ids(&looks.due(both(), now)), [2, 1], "who has waited longest comes first");
    }

    #[test]
    fn one_that_hangs_gets_more_time_and_one_that_was_given_up_rests() {
        let (mut looks, now) = (PollSchedule::default(), Instant::now());
        let one = || vec![kept(1)];
        let mut begun = Vec::new();
        for _ in 0..6 {
            looks.due(one(), now);
            let PollStart { patience, vain } = looks.begins(1);
            begun.push((patience.as_secs(), vain));
            looks.ended(1, PollResult::TooLong, now);
        }
        assert_eq!(begun, [(15, 0), (30, 1), (60, 2), (120, 3), (240, 4), (240, 5)]);
        looks.ended(1, PollResult::LongRest, now);
        assert!(looks.due(one(), now + Duration::from_secs(59)).is_empty());
        assert_eq!(ids(&looks.due(one(), now + Duration::from_secs(60))), [1]);
        looks.ended(1, PollResult::Rest, now);
        assert!(looks.due(one(), now + Duration::from_secs(14)).is_empty());
        assert_eq!(ids(&looks.due(one(), now + Duration::from_secs(15))), [1]);
        assert_eq!(looks.begins(1), PollStart { patience: PATIENCE, vain: 0 });
        // One that is open no more is forgotten, unless it is looked for.
        looks.due(Vec::new(), now);
        assert_eq!(looks.0.len(), 1);
        looks.ended(1, PollResult::Well, now);
        looks.due(Vec::new(), now);
        assert!(looks.0.is_empty());
    }
}
