//! One of two servers is killed while a day, a week, a month or a raise ends, and a thousand keys of fifty teams ask at both: neither
//! the time that ends nor the one that begins spends more than its budget, and what the killed one held is nowhere twice.
//!
//! The clock is in hand, so that a server is killed here as the rest of this crate does it: its writer is dropped in the middle of
//! whatever it does, and it starts again on the ledger as that left it. `tests/it/ledger/shared` kills processes within one budget.

use std::sync::atomic::{AtomicI64, Ordering};

use super::*;

/// Each end once.
const RUNS: i64 = 4;
/// With time for it.
const MANY_RUNS: i64 = 100;
/// The raise of the budget of the time that ends.
const RAISE: i64 = 3 * USD;

/// The time that ends while the keys ask.
#[derive(Debug, Clone, Copy)]
enum End {
    /// A day, a week or a month, and with it a raise.
    Period(BudgetPeriod),
    /// A raise within a day.
    Raise,
}

impl End {
    fn of_run(run: i64) -> Self {
        match run % 4 {
            0 => Self::Period(BudgetPeriod::Day),
            1 => Self::Raise,
            2 => Self::Period(BudgetPeriod::Week),
            _ => Self::Period(BudgetPeriod::Month),
        }
    }

    fn period(self) -> BudgetPeriod {
        match self {
            Self::Period(period) => period,
            Self::Raise => BudgetPeriod::Day,
        }
    }

    /// When it ends next, of a time of which nothing is spent yet.
    fn at_ms(self, now_ms: i64) -> i64 {
        let begins_ms = self.period().ends_at_ms(now_ms).unwrap();
        match self {
            Self::Period(period) => period.ends_at_ms(begins_ms).unwrap(),
            Self::Raise => begins_ms + DAY_MS / 2,
        }
    }
}

impl TestLedger {
    /// What receipts of holds that were taken in a time say was charged.
    async fn charged_between(&self, [from_ms, to_ms]: [i64; 2]) -> i64 {
        let sum = format!(
            "SELECT CAST(coalesce(sum(cost - shortfall), 0) AS BIGINT) FROM receipts \
             WHERE state = 'settled' AND created_at >= {from_ms} AND created_at < {to_ms}"
        );
        raw::number(&self.store, &sum).await
    }

    /// `(spent, held)` of the organisation's budget for the time that begins then. Nothing where nobody asked for any of it.
    async fn window(&self, period: BudgetPeriod, starts_at_ms: i64) -> (i64, i64) {
        let sum = async |what: &str| {
            let text = format!(
                "SELECT CAST(coalesce(sum({what}), 0) AS BIGINT) FROM pool_windows \
                 WHERE pool_id = 1 AND period = '{}' AND starts_at = {starts_at_ms}",
                period.as_str()
            );
            raw::number(&self.store, &text).await
        };
        (sum("spent").await, sum("held").await)
    }
}

/// A hold that somebody keeps while the others ask, or what was charged for one.
enum Asked {
    Keeps(Hold),
    Charged(i64),
    Refused,
}

/// All keys at once, at the servers in turn, one of which is killed among them; what was charged as far as its client knows, and the
/// number of holds that the killed one had in hand. In the middle of it the time ends.
async fn all_ask_and_one_is_killed(
    houses: [TestLedger; 2],
    account: AccountId,
    (killed, enough): (usize, i64),
) -> ([TestLedger; 2], i64, usize) {
    let answered = Arc::new(AtomicI64::new(0));
    let mut racers = JoinSet::new();
    for racer in 0..KEYS {
        let place = usize::try_from(racer).unwrap() % 2;
        let house = &houses[place];
        let ask = house.ask_with(account, KeyId(1_000 + racer), "1");
        let (credit, clock, hand) = (house.credit.clone(), house.clock.clone(), house.hand.clone());
        let answered = answered.clone();
        racers.spawn(async move {
            if racer == KEYS / 2 {
                hand.advance_ms(1);
            }
            let now_ms = clock.now_ms();
            let asked = HoldRequest { request: RequestId::mint(now_ms), expires_at_ms: now_ms + 60_000, ..ask };
            let held = credit.hold(asked).await;
            answered.fetch_add(1, Ordering::Relaxed);
            match held {
                Ok(hold) if racer % 3 == 0 => (place, Asked::Keeps(hold)),
                Ok(hold) => {
                    let cost = if racer % 5 == 0 { "0.25" } else { "1" };
                    let settled = credit.settle(hold, settlement(cost)).await;
                    (place, settled.map_or(Asked::Refused, |settled| Asked::Charged(settled.charged.nanos())))
                }
                Err(HoldRefused::BudgetTiedUp { .. } | HoldRefused::OverBudget { .. } | HoldRefused::Unavailable) => {
                    (place, Asked::Refused)
                }
                Err(refused) => panic!("{refused}"),
            }
        });
    }
    while answered.load(Ordering::Relaxed) < enough {
        tokio::task::yield_now().await;
    }
    let [first, second] = houses;
    let houses = if killed == 0 { [first.crash().await, second] } else { [first, second.crash().await] };
    let (mut charged, mut lost) = (0, 0);
    for (place, asked) in racers.join_all().await {
        match asked {
            Asked::Charged(nanos) => charged += nanos,
            Asked::Keeps(hold) if place != killed => {
                charged += houses[place].credit.settle(hold, settlement("1")).await.unwrap().charged.nanos();
            }
            // Whoever held it is no more.
            Asked::Keeps(hold) => {
                lost += 1;
                hold.orphan();
            }
            Asked::Refused => {}
        }
    }
    houses[0].settled_down().await;
    (houses, charged, lost)
}

/// Asks until the budget lets nothing in any more.
async fn fill(house: &TestLedger, account: AccountId) {
    while let Ok(hold) = house.try_with(account, KeyId(1_000), "1").await {
        house.credit.settle(hold, settlement("1")).await.unwrap();
    }
}

async fn killed_over_an_end(runs: i64) {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    let mut houses = [first, second];
    let account = many_keys(&houses[0]).await;
    let (mut dice, mut seen, mut lost_in_all) = (Dice::new(6_000), 0, 0);
    for run in 0..runs {
        let end = End::of_run(run);
        let period = end.period();
        let budget = (dice.below(60) + 1) * USD + LEFT;
        let now_ms = houses[0].clock.now_ms();
        let ends_ms = end.at_ms(now_ms);
        let raise = format!("raised_by = {RAISE}, raised_until = {ends_ms}");
        let none = "budget_life = NULL, budget_day = NULL, budget_week = NULL, budget_month = NULL";
        houses[0].change_pool(1, none).await;
        houses[0].change_pool(1, &format!("budget_{} = {budget}, {raise}", period.as_str())).await;
        houses[0].hand.advance_ms(ends_ms - 1 - now_ms);
        let kill = (usize::try_from(run % 2).unwrap(), dice.below(KEYS));
        let (left, charged, lost) = all_ask_and_one_is_killed(houses, account, kill).await;
        houses = left;
        let (began_ms, over_ms) = (period.starts_at_ms(ends_ms - 1), period.ends_at_ms(ends_ms).unwrap());
        let house = &houses[kill.0];
        let charges = house.charged_between([began_ms, over_ms]).await;
        assert!(charges >= charged, "run {run}: {charged} were seen charged, and {charges} are");
        seen += charged;
        lost_in_all += lost;
        // As it is spent of what it was held of, by the servers that are left and the one that started again.
        fill(house, account).await;
        let before = house.charged_between([began_ms, ends_ms]).await;
        let after = house.charged_between([ends_ms, over_ms]).await;
        match end {
            End::Period(_) => {
                assert_eq!(house.window(period, began_ms).await, (before, 0), "run {run}: the {period:?} that ended");
                assert_eq!(house.window(period, ends_ms).await, (after, 0), "run {run}: the new {period:?}");
                assert!(before <= budget + RAISE && after <= budget, "run {run}: {before} and {after} of {budget}");
                assert!(after + USD > budget, "run {run}: {after} of {budget}, and nothing is held");
            }
            End::Raise => {
                let spent = before + after;
                assert_eq!(house.window(period, began_ms).await, (spent, 0), "run {run}: one day");
                assert!(spent <= budget + RAISE, "run {run}: {spent} of {budget} and a raise");
                // Whoever came after the raise found room within the budget alone.
                assert!(after == 0 || spent <= budget, "run {run}: {before} and then {after} of {budget}");
                assert!(spent + USD > budget, "run {run}: {spent} of {budget}, and nothing is held");
            }
        }
    }
    assert!(seen > 0, "the load was real");
    assert!(runs < MANY_RUNS || lost_in_all > 0, "and servers were killed with something in hand");
    houses[0].assert_clean().await;
    eprintln!("{runs} kills, by which {lost_in_all} holds lost their server");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_killed_while_a_time_ends_spends_of_neither_more_than_its_budget() {
    killed_over_an_end(RUNS).await;
}

// suite: long 120s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_servers_killed_while_a_time_ends_spend_of_none_more_than_its_budget() {
    killed_over_an_end(MANY_RUNS).await;
}
