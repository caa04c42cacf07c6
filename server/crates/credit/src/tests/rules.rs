//! The rule core against a model so naive that it must be right: it keeps history and adds everything up each time.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::rules::{HoldEndRefused, LoadedHold, LoadedRows, ReserveRefused};
use tollgate_base::HoldId;

const ACCOUNTS: i64 = 3;
const TIMES: i64 = 20;

#[derive(Debug, Clone)]
enum Act {
    Reserve { account: i64, want: i64, least: i64 },
    Resolve { hold: i64, cost: i64 },
    Expire { hold: i64, now_ms: i64 },
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (0..=ACCOUNTS, 0..400_i64, 0..400_i64).prop_map(|(account, want, least)| Act::Reserve {
            account,
            want: want.max(least),
            least
        }),
        (0..40_i64, 0..600_i64).prop_map(|(hold, cost)| Act::Resolve { hold, cost }),
        (0..40_i64, 0..TIMES).prop_map(|(hold, now_ms)| Act::Expire { hold, now_ms }),
    ]
}

/// All that ever happened, in 128 bits.
#[derive(Default)]
struct History {
    granted: HashMap<i64, i128>,
    /// `(account, amount, open, expires_at)`
    holds: Vec<(i64, i128, bool, i64)>,
    charges: Vec<(i64, i128)>,
}

impl History {
    fn posted(&self, account: i64) -> i128 {
        let charged: i128 = self.charges.iter().filter(|charge| charge.0 == account).map(|charge| charge.1).sum();
        self.granted.get(&account).copied().unwrap_or(0) - charged
    }

    fn held(&self, account: i64) -> i128 {
        self.holds.iter().filter(|hold| hold.0 == account && hold.2).map(|hold| hold.1).sum()
    }

    fn reserve(&mut self, account: i64, want: i64, least: i64, expires_at_ms: i64) -> Result<i128, &'static str> {
        if !self.granted.contains_key(&account) {
            return Err("no account");
        }
        let free = self.posted(account) - self.held(account);
        let amount = i128::from(want).min(free);
        if amount < i128::from(least) {
            return Err(if self.posted(account) >= i128::from(least) { "tied up" } else { "insufficient" });
        }
        self.holds.push((account, amount, true, expires_at_ms));
        Ok(amount)
    }

    fn resolve(&mut self, hold: i64, cost: i64) -> Option<(i128, i128)> {
        let (account, amount, open, _) = *self.holds.get(usize::try_from(hold).unwrap())?;
        if !open {
            return None;
        }
        let free = self.posted(account) - self.held(account) + amount;
        let charged = i128::from(cost).min(free);
        self.holds[usize::try_from(hold).unwrap()].2 = false;
        self.charges.push((account, charged));
        Some((charged, i128::from(cost) - charged))
    }
}

fn told(refused: ReserveRefused) -> &'static str {
    match refused {
        ReserveRefused::NoSuchAccount => "no account",
        ReserveRefused::Insufficient(_) => "insufficient",
        ReserveRefused::TiedUp(_) => "tied up",
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn every_decision_is_the_models(posted in prop::collection::vec(0..1_000_i64, 3), acts in prop::collection::vec(act(), 1..60)) {
        played(&posted, &acts)?;
    }
}

/// `TOLLGATE_STEPS` says how many steps there are, where it is not so many.
const STEPS: usize = 1_000_000;
const STEPS_OF_A_HISTORY: usize = 80;

/// Random decisions without end: proptest's cases are chosen to be shrunk, these to be many.
#[test]
fn every_decision_of_a_long_night_is_the_models() {
    let steps = std::env::var("TOLLGATE_STEPS").map_or(STEPS, |steps| steps.parse().unwrap());
    let mut dice = Dice::new(20_261_122);
    for history in 0..steps.div_ceil(STEPS_OF_A_HISTORY) {
        let posted = [dice.below(1_000), dice.below(1_000), dice.below(100)];
        let acts: Vec<Act> = (0..STEPS_OF_A_HISTORY).map(|_| rolled(&mut dice)).collect();
        played(&posted, &acts).unwrap_or_else(|failed| panic!("history {history}, {posted:?}, {acts:?}: {failed}"));
    }
}

fn rolled(dice: &mut Dice) -> Act {
    match dice.below(8) {
        0..4 => {
            let (account, want, least) = (dice.below(ACCOUNTS + 1), dice.below(400), dice.below(400));
            Act::Reserve { account, want: want.max(least), least }
        }
        4..7 => Act::Resolve { hold: dice.below(40), cost: dice.below(600) },
        _ => Act::Expire { hold: dice.below(40), now_ms: dice.below(TIMES) },
    }
}

/// Plays a history through the rules and through the model, and compares after each step.
fn played(posted: &[i64], acts: &[Act]) -> Result<(), TestCaseError> {
    let mut loaded = LoadedRows::default();
    let mut history = History::default();
    for (account, &posted) in (0..ACCOUNTS).zip(posted) {
        loaded.balances.insert(AccountId(account), AccountBalance { posted: Usd::from_nanos(posted), held: Usd::ZERO });
        history.granted.insert(account, i128::from(posted));
    }
    for (step, act) in (0_i64..).zip(acts) {
        let before = loaded.clone();
        let refused = match *act {
            Act::Reserve { account, want, least } => {
                let expires_at_ms = step % TIMES;
                let ours = loaded.reserve(AccountId(account), Usd::from_nanos(want), Usd::from_nanos(least));
                let theirs = history.reserve(account, want, least, expires_at_ms);
                prop_assert_eq!(ours.map(|amount| i128::from(amount.nanos())).map_err(told), theirs);
                if let Ok(amount) = ours {
                    let hold = LoadedHold {
                        account: AccountId(account),
                        request: None,
                        amount,
                        open: true,
                        expires_at_ms,
                        counted: None,
                        pooled: Vec::new(),
                    };
                    let id = HoldId(i64::try_from(history.holds.len()).unwrap() - 1);
                    loaded.holds.insert(id, hold);
                }
                ours.is_err()
            }
            Act::Resolve { hold, cost } => {
                let ours = loaded.resolve(HoldId(hold), Usd::from_nanos(cost), 0);
                let theirs = history.resolve(hold, cost);
                prop_assert_eq!(
                    ours.ok().map(|charge| (i128::from(charge.charged.nanos()), i128::from(charge.shortfall.nanos()))),
                    theirs
                );
                ours.is_err()
            }
            Act::Expire { hold, now_ms } => {
                let open_and_early =
                    history.holds.get(usize::try_from(hold).unwrap()).is_some_and(|hold| hold.2 && now_ms < hold.3);
                let ours = loaded.expire(HoldId(hold), now_ms);
                prop_assert_eq!(ours == Err(HoldEndRefused::NotExpired), open_and_early);
                if !open_and_early {
                    prop_assert_eq!(ours.is_ok(), history.resolve(hold, 0).is_some());
                }
                ours.is_err()
            }
        };
        if refused {
            prop_assert_eq!(&before, &loaded, "a refusal changes nothing");
        }
        for account in 0..ACCOUNTS {
            let balance = loaded.balances[&AccountId(account)];
            prop_assert_eq!(i128::from(balance.posted.nanos()), history.posted(account));
            prop_assert_eq!(i128::from(balance.held.nanos()), history.held(account));
            prop_assert!(Usd::ZERO <= balance.held && balance.held <= balance.posted);
        }
    }
    Ok(())
}

#[test]
fn the_ends_of_the_range_are_safe() {
    let rich = AccountBalance { posted: Usd::MAX, held: Usd::ZERO };
    let mut loaded = LoadedRows { balances: HashMap::from([(AccountId(1), rich)]), ..LoadedRows::default() };
    assert_eq!(loaded.reserve(AccountId(1), Usd::MAX, Usd::MAX), Ok(Usd::MAX));
    assert_eq!(loaded.reserve(AccountId(1), Usd::MAX, Usd::ZERO), Ok(Usd::ZERO));
    assert!(matches!(loaded.reserve(AccountId(1), Usd::MAX, usd("1")), Err(ReserveRefused::TiedUp(_))));
    loaded.holds.insert(
        HoldId(1),
        LoadedHold {
            account: AccountId(1),
            request: None,
            amount: Usd::MAX,
            open: true,
            expires_at_ms: 0,
            counted: None,
            pooled: Vec::new(),
        },
    );
    let charge = loaded.resolve(HoldId(1), Usd::MAX, 0).unwrap();
    assert_eq!((charge.charged, charge.shortfall), (Usd::MAX, Usd::ZERO));
    assert_eq!(loaded.resolve(HoldId(1), Usd::ZERO, 0), Err(HoldEndRefused::NotOpen));
}
