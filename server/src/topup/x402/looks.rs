//! When each open payment of a chain is looked for: a hundred that are well are looked for every round, and one whose questions
//! fail or hang makes pauses of its own, and takes nobody's turn.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use super::sql::Kept;
use crate::generated::machines::payment::State;

/// The first pause after a look that failed, and the longest: a chain that answers again is noticed within it.
const PAUSE: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(15);
/// Between two looks for a payment that was given up, or after one that is credited.
const REST: Duration = Duration::from_secs(15);
/// After one that was credited some time ago.
const LONG_REST: Duration = Duration::from_secs(60);
/// How long a look may last; one that lasted longer may twice as long the next time. What is looked for may lie far back.
const PATIENCE: Duration = Duration::from_secs(15);
const PATIENCE_MAX: Duration = Duration::from_secs(240);

/// How a look went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The chain has answered.
    Well,
    /// Likewise, and there is no hurry.
    Rest,
    /// Likewise, for a minute.
    LongRest,
    /// It has not.
    Failed,
    /// Its time was over.
    TooLong,
}

/// The looks of one chain.
#[derive(Debug, Default)]
pub(super) struct Looks(HashMap<i64, Look>);

#[derive(Debug, Clone, Copy)]
struct Look {
    /// None while it is under way.
    due: Option<Instant>,
    pause: Duration,
    patience: Duration,
    /// Looks in a row in which the chain has not answered.
    vain: u32,
}

/// A look that begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Begun {
    /// How long it may last.
    pub(super) patience: Duration,
    /// How many before it were in vain.
    pub(super) vain: u32,
}

impl Looks {
    /// Those of the open payments whose turn it is, who has waited longest first, and those that are credited last. What is open no more is forgotten.
    pub(super) fn due(&mut self, open: Vec<Kept>, now: Instant) -> VecDeque<Kept> {
        let ids: HashSet<i64> = open.iter().map(|kept| kept.payment).collect();
        self.0.retain(|id, look| look.due.is_none() || ids.contains(id));
        let fresh = Look { due: Some(now), pause: PAUSE, patience: PATIENCE, vain: 0 };
        let mut due: Vec<(Instant, Kept)> = Vec::new();
        for kept in open {
            let look = self.0.entry(kept.payment).or_insert(fresh);
            due.extend(look.due.filter(|due| *due <= now).map(|due| (due, kept)));
        }
        due.sort_by_key(|(due, kept)| (kept.state == State::Paid, *due, kept.payment));
        due.into_iter().map(|(_, kept)| kept).collect()
    }

    /// A look begins.
    pub(super) fn begins(&mut self, payment: i64) -> Begun {
        let Some(look) = self.0.get_mut(&payment) else { return Begun { patience: PATIENCE, vain: 0 } };
        look.due = None;
        Begun { patience: look.patience, vain: look.vain }
    }

    /// It has ended.
    pub(super) fn ended(&mut self, payment: i64, turn: Turn, now: Instant) {
        let Some(look) = self.0.get_mut(&payment) else { return };
        let (longer, vain) = ((look.pause * 2).min(PAUSE_MAX), look.vain.saturating_add(1));
        *look = match turn {
            Turn::Well => Look { due: Some(now), pause: PAUSE, patience: PATIENCE, vain: 0 },
            Turn::Rest => Look { due: Some(now + REST), pause: PAUSE, patience: PATIENCE, vain: 0 },
            Turn::LongRest => Look { due: Some(now + LONG_REST), pause: PAUSE, patience: PATIENCE, vain: 0 },
            Turn::Failed => Look { due: Some(now + look.pause), pause: longer, vain, ..*look },
            Turn::TooLong => {
                let patience = (look.patience * 2).min(PATIENCE_MAX);
                Look { due: Some(now + look.pause), pause: longer, patience, vain }
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::NewPayment;
    use super::super::terms::Terms;
    use super::*;
    use crate::base::OrderId;

    fn kept(payment: i64) -> Kept {
        let text = || "x".to_owned();
        let terms = serde_json::json!({
            "form": "authorization", "token": "", "from": "", "to": "", "value": "", "valid_after": "", "valid_before": "", "nonce": "",
        });
        let new =
            NewPayment { source: text(), reference: text(), asset: text(), amount: text(), payer: None, receipt: None };
        let terms: Terms = serde_json::from_value(terms).expect("terms");
        let (state, order) = (State::Claimed, OrderId(1));
        let (claimed_at_ms, decided_at_ms, since_block, seen_block) = (0, None, 0, None);
        let call = Vec::new();
        Kept { payment, order, state, new, claimed_at_ms, decided_at_ms, since_block, terms, call, seen_block }
    }

    fn ids(due: &VecDeque<Kept>) -> Vec<i64> {
        due.iter().map(|kept| kept.payment).collect()
    }

    #[test]
    fn one_that_fails_makes_longer_pauses_and_nobody_else_does() {
        let (mut looks, start) = (Looks::default(), Instant::now());
        let mut now = start;
        let both = || vec![kept(1), kept(2)];
        assert_eq!(ids(&looks.due(both(), now)), [1, 2]);
        let mut pauses = Vec::new();
        for _ in 0..6 {
            looks.begins(1);
            looks.begins(2);
            assert!(looks.due(both(), now).is_empty(), "both are under way");
            looks.ended(1, Turn::Failed, now);
            looks.ended(2, Turn::Well, now);
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
        let (mut looks, now) = (Looks::default(), Instant::now());
        let one = || vec![kept(1)];
        let mut begun = Vec::new();
        for _ in 0..6 {
            looks.due(one(), now);
            let Begun { patience, vain } = looks.begins(1);
            begun.push((patience.as_secs(), vain));
            looks.ended(1, Turn::TooLong, now);
        }
        assert_eq!(begun, [(15, 0), (30, 1), (60, 2), (120, 3), (240, 4), (240, 5)]);
        looks.ended(1, Turn::LongRest, now);
        assert!(looks.due(one(), now + Duration::from_secs(59)).is_empty());
        assert_eq!(ids(&looks.due(one(), now + Duration::from_secs(60))), [1]);
        looks.ended(1, Turn::Rest, now);
        assert!(looks.due(one(), now + Duration::from_secs(14)).is_empty());
        assert_eq!(ids(&looks.due(one(), now + Duration::from_secs(15))), [1]);
        assert_eq!(looks.begins(1), Begun { patience: PATIENCE, vain: 0 });
        // One that is open no more is forgotten, unless it is looked for.
        looks.due(Vec::new(), now);
        assert_eq!(looks.0.len(), 1);
        looks.ended(1, Turn::Well, now);
        looks.due(Vec::new(), now);
        assert!(looks.0.is_empty());
    }
}
