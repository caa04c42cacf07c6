//! What bounds a key beside the credit of its account, under one clock, many callers and several servers.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::*;
use crate::{BudgetHolder, BudgetPeriod, RateKind, RateLimited, RateMeter};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

impl TestLedger {
    /// A key of an account, with limits as `columns = values`.
    pub(super) async fn key(&self, number: i64, account: AccountId, limits: &[(&str, i64)]) -> KeyId {
        let (names, values): (Vec<_>, Vec<_>) =
            limits.iter().map(|(name, value)| (format!(", {name}"), format!(", {value}"))).unzip();
        let hash = format!("{number:064x}");
        let hash = if raw::is_file(&self.store) { format!("x'{hash}'") } else { format!("'\\x{hash}'") };
        let insert = format!(
            "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at{}) \
             VALUES ({number}, {account}, {hash}, 's', '', 'active', 1{})",
            names.concat(),
            values.concat()
        );
        raw::run(&self.store, &insert).await.unwrap();
        KeyId(number)
    }

    pub(super) async fn change(&self, key: KeyId, change: &str) {
        raw::run(&self.store, &format!("UPDATE api_keys SET {change} WHERE id = {key}")).await.unwrap();
    }

    pub(super) fn ask_with(&self, account: AccountId, key: KeyId, want: &str) -> HoldRequest {
        HoldRequest { key, ..self.ask(account, want) }
    }

    pub(super) async fn try_with(&self, account: AccountId, key: KeyId, want: &str) -> Result<Hold, HoldRefused> {
        self.credit.hold(self.ask_with(account, key, want)).await
    }

    /// `(spent, held)` of the budgets of a key for a period, all days, weeks or months together.
    async fn spent(&self, key: KeyId, period: &str) -> (Usd, Usd) {
        let sum = async |what: &str| {
            let text = format!(
                "SELECT CAST(coalesce(sum({what}), 0) AS BIGINT) FROM spend_windows WHERE key_id = {key} AND period = '{period}'"
            );
            Usd::from_nanos(raw::number(&self.store, &text).await)
        };
        (sum("spent").await, sum("held").await)
    }

    async fn under_way(&self, key: KeyId) -> i64 {
        raw::number(&self.store, &format!("SELECT in_flight FROM key_rates WHERE key_id = {key}")).await
    }
}

const USD: i64 = 1_000_000_000;

async fn a_budget_is_spent_once_and_begins_anew_with_its_day(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    let key = house.key(1, account, &[("budget_day", USD)]).await;
    let free = house.key(2, account, &[]).await;
    let first = house.try_with(account, key, "0.7").await.unwrap();
    // As much as is left, where that is enough.
    let part = HoldRequest { least: usd("0.1"), ..house.ask_with(account, key, "0.7") };
    let second = house.credit.hold(part).await.unwrap();
    assert_eq!(second.amount(), usd("0.3"));
    let tied = HoldRefused::TiedUp { needed: usd("0.1"), available: Usd::ZERO, held: usd("1") };
    assert_eq!(house.try_with(account, key, "0.1").await.unwrap_err(), tied);
    house.credit.settle(first, settlement("0.6")).await.unwrap();
    house.credit.release(second, SettlementRule::NothingDelivered, UpstreamDelivery::default()).await.unwrap();
    assert_eq!(house.spent(key, "day").await, (usd("0.6"), Usd::ZERO));
    let over = HoldRefused::OverBudget {
        holder: BudgetHolder::Key,
        period: BudgetPeriod::Day,
        needed: usd("0.5"),
        budget: usd("1"),
        used: usd("0.6"),
        resets_at_ms: BudgetPeriod::Day.ends_at_ms(START_MS),
    };
    assert_eq!(house.try_with(account, key, "0.5").await.unwrap_err(), over);
    assert!(house.try_with(account, free, "50").await.is_ok(), "another key of the account is not bound by it");
    drop(house.try_with(account, key, "0").await.expect("what costs nothing is within any budget"));
    // What was held yesterday is spent of yesterday's.
    let over_midnight = house.try_with(account, key, "0.4").await.unwrap();
    house.hand.advance_ms(DAY_MS);
    let today = house.try_with(account, key, "1").await.unwrap();
    house.credit.settle(over_midnight, settlement("0.4")).await.unwrap();
    house.credit.settle(today, settlement("1")).await.unwrap();
    assert_eq!(house.spent(key, "day").await, (usd("2"), Usd::ZERO));
    house.settled_down().await;
    house.assert_clean().await;
}

async fn budgets_for_several_times_all_hold(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    // A Friday in the middle of a month: its week ends before that does.
    let limits = [
        ("budget_day", 2 * USD),
        ("budget_week", 5 * USD / 2),
        ("budget_month", 7 * USD / 2),
        ("budget_life", 9 * USD / 2),
    ];
    let key = house.key(1, account, &limits).await;
    let refused = async |want| match house.try_with(account, key, want).await {
        Err(HoldRefused::OverBudget { budget, resets_at_ms, .. }) => (budget, resets_at_ms),
        other => panic!("{other:?}"),
    };
    let spend = async |cost| {
        let hold = house.try_with(account, key, cost).await.unwrap();
        house.credit.settle(hold, settlement(cost)).await.unwrap();
    };
    spend("2").await;
    assert_eq!(refused("0.1").await, (usd("2"), BudgetPeriod::Day.ends_at_ms(START_MS)));
    house.hand.advance_ms(DAY_MS);
    // The day's would do. The week's does not, and then the month's does not.
    assert_eq!(refused("0.6").await, (usd("2.5"), BudgetPeriod::Week.ends_at_ms(START_MS)));
    spend("0.5").await;
    house.hand.advance_ms(2 * DAY_MS);
    spend("1").await;
    assert_eq!(refused("0.5").await, (usd("3.5"), BudgetPeriod::Month.ends_at_ms(START_MS)));
    house.hand.advance_ms(31 * DAY_MS);
    spend("1").await;
    assert_eq!(refused("0.1").await, (usd("4.5"), None));
    assert_eq!(house.spent(key, "week").await, (usd("4.5"), Usd::ZERO));
    house.assert_clean().await;
}

async fn a_charge_stops_at_the_budget_and_the_rest_is_a_shortfall(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    let key = house.key(1, account, &[("budget_day", USD)]).await;
    let (dear, other) = (house.try_with(account, key, "0.5").await, house.try_with(account, key, "0.2").await);
    let settled = house.credit.settle(dear.unwrap(), settlement("3")).await.unwrap();
    assert_eq!((settled.charged, settled.shortfall), (usd("0.8"), usd("2.2")));
    assert_eq!(house.credit.settle(other.unwrap(), settlement("0.2")).await.unwrap().charged, usd("0.2"));
    assert_eq!(house.spent(key, "day").await, (usd("1"), Usd::ZERO));
    assert_eq!(house.money(account).await, (usd("99"), Usd::ZERO));
    house.assert_clean().await;
}

async fn a_budget_that_is_lowered_or_raised_counts_at_once(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    let key = house.key(1, account, &[("budget_life", 10 * USD)]).await;
    let (one, two) =
        (house.try_with(account, key, "4").await.unwrap(), house.try_with(account, key, "4").await.unwrap());
    house.change(key, &format!("budget_life = {}", 5 * USD)).await;
    assert!(matches!(house.try_with(account, key, "0.1").await, Err(HoldRefused::TiedUp { .. })));
    house.credit.settle(one, settlement("3")).await.unwrap();
    // 3 are spent and 4 held of 5: what was granted stays granted, and no more.
    assert_eq!(house.credit.settle(two, settlement("4.5")).await.unwrap().charged, usd("4"));
    assert!(matches!(house.try_with(account, key, "0.1").await, Err(HoldRefused::OverBudget { .. })));
    house.change(key, &format!("budget_life = {}", 8 * USD)).await;
    assert!(house.try_with(account, key, "1.1").await.is_err());
    drop(house.try_with(account, key, "1").await.unwrap());
    house.change(key, "budget_life = NULL").await;
    drop(house.try_with(account, key, "50").await.unwrap());
    house.settled_down().await;
    house.assert_clean().await;
}

async fn of_a_thousand_on_a_key_as_many_are_let_in_as_its_budget_has_room_for(on: On) {
    let house = Arc::new(TestLedger::open_on(on).await);
    let account = house.account(1, "100000").await;
    for (round, winners) in [0, 1, 137, 1_000].into_iter().enumerate() {
        let number = i64::try_from(round).unwrap() + 1;
        let key = house.key(number, account, &[("budget_month", winners * USD), ("in_flight_max", 1_000)]).await;
        a_thousand_race(&house, account, key, "month", winners).await;
    }
    house.assert_clean().await;
}

async fn of_a_thousand_of_an_agent_as_many_are_let_in_as_its_budget_has_room_for(on: On) {
    let house = Arc::new(TestLedger::open_on(on).await);
    let account = house.account(1, "100000").await;
    for (number, period, winners) in [(1, "day", 137), (2, "life", 1), (3, "life", 999)] {
        let agent = format!(
            "INSERT INTO agents (id, account_id, slot, chain, addr, label, nonce, state, created_at) \
             VALUES ({number}, {account}, {number}, 'evm', '0x{number:040x}', 'bot', 'nonce-{number:03}', 'active', 1)"
        );
        raw::run(&house.store, &agent).await.unwrap();
        let budget = format!("budget_{period}");
        let key = house.key(number, account, &[("agent_id", number), (&budget, winners * USD)]).await;
        a_thousand_race(&house, account, key, period, winners).await;
        // Revoked with its agent, at once and whatever its budget.
        house.change(key, "budget_day = NULL, budget_life = NULL").await;
        drop(house.try_with(account, key, "0").await.expect("it is live"));
        let revoke = format!("UPDATE agents SET state = 'revoked', rev = rev + 1 WHERE id = {number}");
        raw::run(&house.store, &revoke).await.unwrap();
        let refused = house.try_with(account, key, "0").await.unwrap_err();
        assert!(matches!(refused, HoldRefused::KeyRevoked), "{refused}");
    }
    house.settled_down().await;
    house.assert_clean().await;
}

/// A thousand at once with one key: as many are let in as its budget is dollars, and spend all of it.
async fn a_thousand_race(house: &Arc<TestLedger>, account: AccountId, key: KeyId, period: &str, winners: i64) {
    let mut racers = JoinSet::new();
    for _ in 0..1_000 {
        let house = house.clone();
        racers.spawn(async move { house.try_with(account, key, "1").await });
    }
    let won: Vec<Hold> = racers.join_all().await.into_iter().flatten().collect();
    assert_eq!(i64::try_from(won.len()).unwrap(), winners);
    let mut payers = JoinSet::new();
    for hold in won {
        let house = house.clone();
        payers.spawn(async move { house.credit.settle(hold, settlement("1")).await.unwrap() });
    }
    payers.join_all().await;
    assert_eq!(house.spent(key, period).await.0.nanos(), winners * USD);
}

async fn at_midnight_each_day_lets_in_its_own(on: On) {
    let house = Arc::new(TestLedger::open_on(on).await);
    a_day_ends(&[house]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_midnight_each_day_lets_in_its_own_on_two_servers() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    a_day_ends(&[Arc::new(first), Arc::new(second)]).await;
}

/// A thousand at once with an agent's key while a day of its budget ends, on the servers in turn.
async fn a_day_ends(houses: &[Arc<TestLedger>]) {
    let house = &houses[0];
    let account = house.account(1, "1000").await;
    let agent = format!(
        "INSERT INTO agents (id, account_id, slot, chain, addr, label, nonce, state, created_at) \
         VALUES (1, {account}, 1, 'evm', '0x{:040x}', 'bot', 'nonce-001', 'active', 1)",
        1
    );
    raw::run(&house.store, &agent).await.unwrap();
    let key = house.key(1, account, &[("agent_id", 1), ("budget_day", 10 * USD)]).await;
    house.hand.advance_ms(BudgetPeriod::Day.ends_at_ms(START_MS).unwrap() - START_MS - 1);
    let mut won = Vec::new();
    for _ in 0..4 {
        won.push(house.try_with(account, key, "1").await.unwrap());
    }
    let mut racers = JoinSet::new();
    let hand = house.hand.clone();
    for racer in 0..1_000 {
        let (house, hand) = (houses[racer % houses.len()].clone(), hand.clone());
        racers.spawn(async move {
            if racer == 500 {
                hand.advance_ms(1);
            }
            house.try_with(account, key, "1").await
        });
    }
    won.extend(racers.join_all().await.into_iter().flatten());
    while let Ok(hold) = house.try_with(account, key, "1").await {
        won.push(hold);
    }
    let held = async |day: &str| {
        raw::number(&house.store, &format!("SELECT {day}(held) FROM spend_windows GROUP BY key_id")).await / USD
    };
    let (least, most) = (held("min").await, held("max").await);
    assert!((4..=10).contains(&least) && most == 10, "{least} and {most}");
    assert_eq!(raw::number(&house.store, "SELECT count(*) FROM spend_windows").await, 2);
    assert_eq!(i64::try_from(won.len()).unwrap(), least + most);
    drop(won);
    house.settled_down().await;
    assert_eq!(house.spent(key, "day").await, (Usd::ZERO, Usd::ZERO));
    house.assert_clean().await;
}

async fn rates_hold_and_come_back(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    let key = house.key(1, account, &[("requests_per_minute", 3), ("tokens_per_minute", 1_000)]).await;
    let ask = |tokens| HoldRequest { tokens, ..house.ask_with(account, key, "1") };
    let first = house.credit.hold(ask(100)).await.unwrap();
    assert_eq!(first.rate_limits().requests, Some(RateMeter { limit: 3, remaining: 2, reset_ms: 20_000 }));
    assert_eq!(first.rate_limits().tokens, Some(RateMeter { limit: 1_000, remaining: 900, reset_ms: 6_000 }));
    let refused = async |tokens| match house.credit.hold(ask(tokens)).await {
        Err(HoldRefused::TooSoon(RateLimited { rate, limit, wait_ms, .. })) => (rate, limit, wait_ms),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(901).await, (RateKind::Tokens, 1_000, 60));
    // It used more than was known of it: the others wait until that has run off.
    let usage = BilledUsage { prompt: 1_500, cached: 0, completion: 500, estimated: true, ..BilledUsage::default() };
    house.credit.settle(first, Settlement { usage, ..settlement("0") }).await.unwrap();
    assert_eq!(refused(1).await, (RateKind::Tokens, 1_000, 60_060));
    house.hand.advance_ms(60_060);
    let second = house.credit.hold(ask(1)).await.unwrap();
    let third = house.credit.hold(ask(0)).await.unwrap();
    let fourth = house.credit.hold(ask(0)).await.unwrap();
    assert_eq!(refused(0).await, (RateKind::Requests, 3, 20_000));
    for hold in [second, third, fourth] {
        house.credit.release(hold, SettlementRule::NothingDelivered, UpstreamDelivery::default()).await.unwrap();
    }
    // They were asked, whatever became of them.
    assert_eq!(refused(0).await, (RateKind::Requests, 3, 20_000));
    assert_eq!(house.under_way(key).await, 0);
    house.assert_clean().await;
}

async fn requests_under_way_end_with_the_process_too(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    let key = house.key(1, account, &[("in_flight_max", 2), ("budget_day", 2 * USD)]).await;
    let (one, two) =
        (house.try_with(account, key, "1").await.unwrap(), house.try_with(account, key, "1").await.unwrap());
    let full = house.try_with(account, key, "0").await.unwrap_err();
    assert!(matches!(full, HoldRefused::TooSoon(RateLimited { rate: RateKind::InFlight, limit: 2, .. })), "{full:?}");
    house.credit.settle(one, settlement("0.5")).await.unwrap();
    let three = house.try_with(account, key, "0.5").await.unwrap();
    two.orphan();
    three.orphan();
    let house = house.crash().await;
    assert_eq!((house.under_way(key).await, house.spent(key, "day").await), (0, (usd("0.5"), Usd::ZERO)));
    drop(house.try_with(account, key, "1.5").await.unwrap());
    house.settled_down().await;
    house.assert_clean().await;
}

async fn a_key_that_is_not_live_takes_no_hold(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "100").await, house.account(2, "100").await);
    let key = house.key(1, account, &[]).await;
    let held = house.try_with(account, key, "1").await.unwrap();
    assert_eq!(house.try_with(other, key, "1").await.unwrap_err(), HoldRefused::KeyRevoked);
    raw::run(&house.store, &format!("UPDATE accounts SET state = 'frozen' WHERE id = {account}")).await.unwrap();
    assert_eq!(house.try_with(account, key, "1").await.unwrap_err(), HoldRefused::AccountFrozen);
    raw::run(&house.store, &format!("UPDATE accounts SET state = 'active' WHERE id = {account}")).await.unwrap();
    house.change(key, "state = 'revoked', rev = rev + 1").await;
    // At once, not when the servers have noticed.
    assert_eq!(house.try_with(account, key, "1").await.unwrap_err(), HoldRefused::KeyRevoked);
    // What it holds is paid all the same.
    assert_eq!(house.credit.settle(held, settlement("1")).await.unwrap().charged, usd("1"));
    let brief = house.key(2, account, &[("expires_at", START_MS + 5)]).await;
    drop(house.try_with(account, brief, "1").await.unwrap());
    house.hand.advance_ms(5);
    assert_eq!(house.try_with(account, brief, "1").await.unwrap_err(), HoldRefused::KeyExpired);
    house.settled_down().await;
    house.assert_clean().await;
}

async fn an_audit_names_a_budget_or_a_rate_that_is_off(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    let key = house.key(1, account, &[("budget_day", 9 * USD)]).await;
    let hold = house.try_with(account, key, "1").await.unwrap();
    house.assert_clean().await;
    for damage in
        ["spend_windows SET spent = spent + 1", "spend_windows SET held = held - 2", "key_rates SET in_flight = 5"]
    {
        raw::run(&house.store, &format!("UPDATE {damage}")).await.unwrap();
    }
    let report = house.credit.audit().await.unwrap().to_string();
    let named = [
        "budget that is not what was spent and held of it: row 1",
        "requests under way that are not counted right: row 1",
    ];
    assert!(named.iter().all(|sign| report.contains(sign)), "{report}");
    hold.orphan();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_has_one_budget_and_one_rate_on_two_servers() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    let houses = [Arc::new(first), Arc::new(second)];
    let account = houses[0].account(1, "1000").await;
    for (limits, winners) in [
        (&[("budget_life", 37 * USD)][..], 37),
        (&[("in_flight_max", 23)], 23),
        (&[("requests_per_minute", 41), ("budget_day", 500 * USD)], 41),
    ] {
        let key = houses[0].key(winners, account, limits).await;
        let mut racers = JoinSet::new();
        for racer in 0..1_000 {
            let house = houses[racer % 2].clone();
            racers.spawn(async move { house.try_with(account, key, "1").await.map(|hold| (racer % 2, hold)) });
        }
        let won: Vec<_> = racers.join_all().await.into_iter().flatten().collect();
        assert_eq!(i64::try_from(won.len()).unwrap(), winners);
        // Ended by either: a hold is the ledger's.
        for (house, hold) in won {
            houses[house].credit.settle(hold, settlement("0.5")).await.unwrap();
        }
    }
    houses[1].change(KeyId(37), "state = 'revoked', rev = rev + 1").await;
    assert_eq!(houses[0].try_with(account, KeyId(37), "0").await.unwrap_err(), HoldRefused::KeyRevoked);
    houses[0].assert_clean().await;
}

on_both!(
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    a_budget_is_spent_once_and_begins_anew_with_its_day,
    budgets_for_several_times_all_hold,
    a_charge_stops_at_the_budget_and_the_rest_is_a_shortfall,
    a_budget_that_is_lowered_or_raised_counts_at_once,
    of_a_thousand_on_a_key_as_many_are_let_in_as_its_budget_has_room_for,
    of_a_thousand_of_an_agent_as_many_are_let_in_as_its_budget_has_room_for,
    at_midnight_each_day_lets_in_its_own,
    rates_hold_and_come_back,
    requests_under_way_end_with_the_process_too,
    a_key_that_is_not_live_takes_no_hold,
    an_audit_names_a_budget_or_a_rate_that_is_off,
);
