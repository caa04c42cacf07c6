//! Budgets that several keys spend together: of an organisation, a team and a member.

mod kills;
mod sets;

use std::sync::Arc;

use tokio::task::JoinSet;

use super::*;
use crate::{BudgetHolder, BudgetPeriod};

const USD: i64 = 1_000_000_000;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
const TEAMS: i64 = 50;
const KEYS: i64 = 1_000;
/// Not quite one more.
const LEFT: i64 = USD - 1;

impl TestLedger {
    /// A pool of an account, with budgets as `columns = values`.
    async fn pool(&self, id: i64, account: AccountId, kind: &str, budgets: &[(&str, i64)]) -> i64 {
        let (names, values): (Vec<_>, Vec<_>) =
            budgets.iter().map(|(name, value)| (format!(", {name}"), format!(", {value}"))).unzip();
        let insert = format!(
            "INSERT INTO budget_pools (id, account_id, kind, name, state, created_at{}) \
             VALUES ({id}, {account}, '{kind}', '{kind} {id}', 'active', 1{})",
            names.concat(),
            values.concat()
        );
        raw::run(&self.store, &insert).await.unwrap();
        id
    }

    /// Changes a pool as its room does: under the lock that the ledger decides by.
    async fn change_pool(&self, id: i64, change: &str) {
        raw::run(&self.store, &format!("UPDATE budget_pools SET {change} WHERE id = {id}")).await.unwrap();
    }

    /// `(spent, held)` of the windows of a pool for a period, the earliest first.
    async fn windows(&self, pool: i64, period: &str) -> Vec<(i64, i64)> {
        let text = format!(
            "SELECT spent || ' ' || held FROM pool_windows WHERE pool_id = {pool} AND period = '{period}' ORDER BY starts_at"
        );
        let pair = |text: &String| {
            let (spent, held) = text.split_once(' ').unwrap();
            (spent.parse().unwrap(), held.parse().unwrap())
        };
        raw::texts(&self.store, &text).await.iter().map(pair).collect()
    }

    async fn pay(&self, account: AccountId, key: KeyId, cost: &str) {
        let hold = self.try_with(account, key, cost).await.unwrap();
        self.credit.settle(hold, settlement(cost)).await.unwrap();
    }

    /// The budget that refuses.
    async fn over(&self, account: AccountId, key: KeyId, want: &str) -> (BudgetHolder, BudgetPeriod, Usd, Option<i64>) {
        match self.try_with(account, key, want).await {
            Err(HoldRefused::OverBudget { holder, period, budget, resets_at_ms, .. }) => {
                (holder, period, budget, resets_at_ms)
            }
            other => panic!("{other:?}"),
        }
    }
}

async fn a_budget_is_spent_by_all_of_its_keys_and_its_refusal_names_it(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    house.pool(1, account, "organisation", &[("budget_month", 3 * USD)]).await;
    house.pool(2, account, "team", &[("budget_day", 2 * USD), ("budget_week", 10 * USD)]).await;
    house.pool(3, account, "member", &[("budget_life", 5 * USD)]).await;
    let of_team = house.key(11, account, &[("team_id", 2)]).await;
    let of_both = house.key(12, account, &[("team_id", 2), ("member_id", 3), ("budget_day", 9 * USD)]).await;
    let of_none = house.key(13, account, &[]).await;
    house.pay(account, of_team, "1").await;
    let first = house.try_with(account, of_both, "0.6").await.unwrap();
    assert_eq!(house.windows(2, "day").await, [(USD, 600_000_000)]);
    // What is tied up may come back, so that nobody is told to wait for another day.
    let (holder, period) = (BudgetHolder::Team, BudgetPeriod::Day);
    let tied = HoldRefused::BudgetTiedUp { holder, period, needed: usd("0.5"), left: usd("0.4"), held: usd("0.6") };
    assert_eq!(house.try_with(account, of_team, "0.5").await.unwrap_err(), tied);
    house.credit.settle(first, settlement("0.5")).await.unwrap();
    let (day, month) = (BudgetPeriod::Day.ends_at_ms(START_MS), BudgetPeriod::Month.ends_at_ms(START_MS));
    assert_eq!(house.over(account, of_team, "0.6").await, (BudgetHolder::Team, BudgetPeriod::Day, usd("2"), day));
    // The team's would do for a day. The organisation's does not, whatever key it is.
    let organisation = (BudgetHolder::Organisation, BudgetPeriod::Month, usd("3"), month);
    assert_eq!(house.over(account, of_none, "1.6").await, organisation);
    house.change_pool(1, "budget_month = NULL").await;
    house.pay(account, of_none, "50").await;
    house.hand.advance_ms(DAY_MS);
    for _ in 0..2 {
        house.pay(account, of_both, "2").await;
        house.hand.advance_ms(DAY_MS);
    }
    assert_eq!(house.over(account, of_both, "0.6").await, (BudgetHolder::Member, BudgetPeriod::Life, usd("5"), None));
    assert_eq!(house.windows(3, "life").await, [(4_500_000_000, 0)]);
    assert_eq!(house.windows(1, "month").await, [(1_500_000_000, 0)], "nothing counts where there is no budget");
    house.assert_clean().await;
}

async fn a_budget_begins_anew_with_its_day_its_week_and_its_month(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    let budgets = [("budget_day", 2 * USD), ("budget_week", 5 * USD), ("budget_month", 7 * USD)];
    house.pool(1, account, "organisation", &budgets).await;
    let key = house.key(11, account, &[]).await;
    // A Friday, the fifteenth of a month: the week ends before the month does.
    let mut spent = Vec::new();
    for _ in 0..20 {
        let hold = house.try_with(account, key, "1.5").await;
        spent.push(hold.is_ok());
        if let Ok(hold) = hold {
            house.hand.advance_ms(DAY_MS);
            // It is spent of the time in which it was taken.
            house.credit.settle(hold, settlement("1.5")).await.unwrap();
        } else {
            house.hand.advance_ms(DAY_MS);
        }
    }
    // Three fit into a week, and four into a month.
    let taken = |days: std::ops::Range<usize>| spent[days].iter().filter(|taken| **taken).count();
    assert_eq!((taken(0..3), taken(3..10), taken(10..17), taken(17..20)), (3, 1, 0, 3), "{spent:?}");
    assert_eq!(
        house.windows(1, "month").await.iter().map(|(spent, _)| *spent).collect::<Vec<_>>(),
        [6 * USD, 4_500_000_000]
    );
    house.assert_clean().await;
}

async fn a_raise_ends_by_itself_and_a_charge_stops_at_the_budget(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    house.pool(2, account, "team", &[("budget_life", 2 * USD)]).await;
    let key = house.key(11, account, &[("team_id", 2)]).await;
    house.change_pool(2, &format!("raised_by = {USD}, raised_until = {}", START_MS + 1_000)).await;
    house.pay(account, key, "2.5").await;
    house.hand.advance_ms(999);
    let hold = house.try_with(account, key, "0.3").await.unwrap();
    house.hand.advance_ms(1);
    assert_eq!(house.over(account, key, "0.1").await, (BudgetHolder::Team, BudgetPeriod::Life, usd("2"), None));
    drop(house.try_with(account, key, "0").await.expect("what costs nothing is within any budget"));
    // What was held in time is charged; no more.
    let settled = house.credit.settle(hold, settlement("0.9")).await.unwrap();
    assert_eq!((settled.charged, settled.shortfall), (usd("0.3"), usd("0.6")));
    house.settled_down().await;
    house.assert_clean().await;
}

/// However it became so since the hold was taken: lowered, raised, taken away, or by the end of a raise.
async fn a_charge_stops_at_the_budget_as_it_is_when_it_is_made(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    let until = START_MS + 1_000;
    let raised = format!("raised_by = {USD}, raised_until = {until}");
    for (team, before, after, wait_ms, [held, cost, charged]) in [
        (2, "budget_life = 10000000000", "budget_life = 1000000000", 0, ["0.5", "5", "1"]),
        (3, "budget_life = 1000000000", "budget_life = 10000000000", 0, ["1", "1.5", "1.5"]),
        (4, "budget_life = 1000000000", "budget_life = NULL", 0, ["1", "1.5", "1.5"]),
        (5, &*format!("budget_life = 2000000000, {raised}"), "rev = rev", 1_000, ["2.5", "2.9", "2.5"]),
    ] {
        house.pool(team, account, "team", &[]).await;
        house.change_pool(team, before).await;
        let key = house.key(10 + team, account, &[("team_id", team)]).await;
        let hold = house.try_with(account, key, held).await.unwrap();
        house.change_pool(team, after).await;
        house.hand.advance_ms(wait_ms);
        let settled = house.credit.settle(hold, settlement(cost)).await.unwrap();
        assert_eq!(settled.charged, usd(charged), "team {team}");
    }
    house.assert_clean().await;
}

async fn a_key_that_is_put_elsewhere_ends_its_holds_where_they_were_taken(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    for team in [2, 3] {
        house.pool(team, account, "team", &[("budget_month", 2 * USD)]).await;
    }
    let key = house.key(11, account, &[("team_id", 2)]).await;
    let hold = house.try_with(account, key, "1").await.unwrap();
    house.change(key, "team_id = 3").await;
    let other = house.try_with(account, key, "2").await.unwrap();
    house.credit.settle(hold, settlement("1")).await.unwrap();
    assert_eq!(
        (house.windows(2, "month").await, house.windows(3, "month").await),
        (vec![(USD, 0)], vec![(0, 2 * USD)])
    );
    house.credit.release(other, SettlementRule::NothingDelivered, UpstreamDelivery::default()).await.unwrap();
    assert_eq!(house.windows(3, "month").await, [(0, 0)]);
    house.assert_clean().await;
}

async fn what_a_crash_held_of_a_budget_comes_back_to_it(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    house.pool(1, account, "organisation", &[("budget_day", 2 * USD)]).await;
    let key = house.key(11, account, &[]).await;
    house.try_with(account, key, "2").await.unwrap().orphan();
    let house = house.crash().await;
    house.settled_down().await;
    assert_eq!(house.windows(1, "day").await, [(0, 0)]);
    house.pay(account, key, "2").await;
    house.assert_clean().await;
}

/// An organisation with many teams and keys: the budgets of none but the organisation bound them.
async fn many_keys(house: &TestLedger) -> AccountId {
    let account = house.account(1, "1000000").await;
    house.pool(1, account, "organisation", &[("budget_life", 0)]).await;
    for team in 2..2 + TEAMS {
        house.pool(team, account, "team", &[("budget_month", 1_000_000 * USD)]).await;
    }
    for key in 0..KEYS {
        house.key(1_000 + key, account, &[("team_id", 2 + key % TEAMS)]).await;
    }
    account
}

/// All keys at once, each at one of the servers.
async fn all_ask(houses: &[Arc<TestLedger>], account: AccountId) -> Vec<(usize, Hold)> {
    let mut racers = JoinSet::new();
    for key in 0..KEYS {
        let place = usize::try_from(key).unwrap() % houses.len();
        let house = houses[place].clone();
        racers.spawn(async move { house.try_with(account, KeyId(1_000 + key), "1").await.map(|hold| (place, hold)) });
    }
    let (won, lost): (Vec<_>, Vec<_>) = racers.join_all().await.into_iter().partition(Result::is_ok);
    for refused in lost.into_iter().filter_map(Result::err) {
        assert!(matches!(refused, HoldRefused::BudgetTiedUp { .. } | HoldRefused::OverBudget { .. }), "{refused}");
    }
    won.into_iter().flatten().collect()
}

/// Exactly as many are admitted as the budget has room for, run after run.
async fn no_more_than_the_budget(houses: &[Arc<TestLedger>]) {
    let (house, runs) = (&houses[0], storm::runs());
    let account = many_keys(house).await;
    let (mut dice, mut spent) = (Dice::new(3_000), 0);
    for run in 0..runs {
        let fits = if run == 1 { 0 } else { dice.below(150) };
        house.change_pool(1, &format!("budget_life = {}", spent + fits * USD + LEFT)).await;
        let won = all_ask(houses, account).await;
        assert_eq!(won.len(), usize::try_from(fits).unwrap(), "run {run}");
        for (place, hold) in won {
            // Some cost less than they hold.
            let cost = if dice.below(4) == 0 { "0.25" } else { "1" };
            spent += houses[place].credit.settle(hold, settlement(cost)).await.unwrap().charged.nanos();
        }
        assert_eq!(house.windows(1, "life").await, [(spent, 0)], "run {run}");
    }
    house.assert_clean().await;
}

async fn a_thousand_keys_of_fifty_teams_spend_no_more_than_their_budget(on: On) {
    no_more_than_the_budget(&[Arc::new(TestLedger::open_on(on).await)]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_keys_at_two_servers_spend_no_more_than_their_budget() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    no_more_than_the_budget(&[Arc::new(first), Arc::new(second)]).await;
}

/// They ask while a day, a week or a month ends, or a raise of their budgets.
async fn no_more_than_the_budget_over_an_end(houses: &[Arc<TestLedger>]) {
    let house = &houses[0];
    let account = many_keys(house).await;
    let mut dice = Dice::new(4_000);
    let mut life = 0;
    for run in 0..storm::runs() {
        let fits = dice.below(60) + 1;
        let (period, name) = [(BudgetPeriod::Day, "day"), (BudgetPeriod::Week, "week"), (BudgetPeriod::Month, "month")]
            [usize::try_from(run % 3).unwrap()];
        let now_ms = house.clock.now_ms();
        // A day further, so that nothing is spent of it yet.
        let ends_at_ms = period.ends_at_ms(period.ends_at_ms(now_ms).unwrap()).unwrap();
        let raise = match run % 2 {
            0 => format!("raised_by = {}, raised_until = {ends_at_ms}", 3 * USD),
            _ => "raised_by = 0, raised_until = NULL".to_owned(),
        };
        let none = "budget_life = NULL, budget_day = NULL, budget_week = NULL, budget_month = NULL";
        house.change_pool(1, none).await;
        house.change_pool(1, &format!("budget_{name} = {}, {raise}", fits * USD + LEFT)).await;
        house.hand.advance_ms(ends_at_ms - 1 - now_ms);
        let hand = house.hand.clone();
        let (won, ()) = tokio::join!(all_ask(houses, account), async move {
            tokio::task::yield_now().await;
            hand.advance_ms(1);
        });
        let mut won = won;
        while let Ok(hold) = house.try_with(account, KeyId(1_000 + dice.below(KEYS)), "1").await {
            won.push((0, hold));
        }
        for (place, hold) in won {
            life += houses[place].credit.settle(hold, settlement("1")).await.unwrap().charged.nanos();
        }
        let windows = house.windows(1, name).await;
        assert_eq!(windows.last(), Some(&(fits * USD, 0)), "run {run}: the new {name} lets in its own");
        let before = format!(
            "SELECT coalesce(max(spent + held), 0) FROM pool_windows WHERE pool_id = 1 AND period = '{name}' AND starts_at = {}",
            period.starts_at_ms(ends_at_ms - 1)
        );
        let raised = if run % 2 == 0 { fits + 3 } else { fits };
        assert!(raw::number(&house.store, &before).await <= raised * USD, "run {run}");
    }
    let (posted, held) = house.money(account).await;
    assert_eq!((posted.nanos() + life, held), (1_000_000 * USD, Usd::ZERO));
    house.assert_clean().await;
}

async fn each_day_week_month_and_raise_lets_in_its_own(on: On) {
    no_more_than_the_budget_over_an_end(&[Arc::new(TestLedger::open_on(on).await)]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_day_week_month_and_raise_lets_in_its_own_at_two_servers() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    no_more_than_the_budget_over_an_end(&[Arc::new(first), Arc::new(second)]).await;
}

on_both!(
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    a_budget_is_spent_by_all_of_its_keys_and_its_refusal_names_it,
    a_budget_begins_anew_with_its_day_its_week_and_its_month,
    a_raise_ends_by_itself_and_a_charge_stops_at_the_budget,
    a_charge_stops_at_the_budget_as_it_is_when_it_is_made,
    a_key_that_is_put_elsewhere_ends_its_holds_where_they_were_taken,
    what_a_crash_held_of_a_budget_comes_back_to_it,
    a_thousand_keys_of_fifty_teams_spend_no_more_than_their_budget,
    each_day_week_month_and_raise_lets_in_its_own,
);
