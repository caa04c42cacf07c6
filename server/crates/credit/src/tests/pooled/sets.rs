//! What holds count against is looked up: none of it outlives a change that makes it wrong, and hands may do with it what they can.

use super::*;

/// The keys of one team and one member, whose organisation has a budget too.
async fn open(on: On) -> (TestLedger, AccountId, KeyId) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    house.pool(1, account, "organisation", &[("budget_month", 30 * USD)]).await;
    house.pool(2, account, "team", &[("budget_day", 2 * USD)]).await;
    house.pool(3, account, "member", &[("budget_life", 50 * USD)]).await;
    let key = house.key(11, account, &[("team_id", 2), ("member_id", 3)]).await;
    (house, account, key)
}

async fn sets_that_go_or_are_made_by_hand_change_nothing(on: On) {
    let (house, account, key) = open(on).await;
    let hold = house.try_with(account, key, "0.5").await.unwrap();
    raw::run(&house.store, "DELETE FROM pool_sets").await.unwrap();
    house.credit.settle(hold, settlement("0.25")).await.unwrap();
    assert_eq!(house.windows(2, "day").await, [(250_000_000, 0)]);
    house.change_pool(2, &format!("raised_by = {USD}, raised_until = {}", START_MS + 1_000)).await;
    house.pay(account, key, "0.5").await;
    // For the time after the raise, which is not yet.
    let ahead = "INSERT INTO pool_sets (account_id, team_id, member_id, pools, made_at) \
        SELECT account_id, team_id, member_id, pools, made_at + 1000 FROM pool_sets";
    raw::run(&house.store, ahead).await.unwrap();
    house.pay(account, key, "1.75").await;
    assert_eq!(house.over(account, key, "0.6").await.2, usd("3"));
    house.hand.advance_ms(1_000);
    assert_eq!(house.over(account, key, "0.1").await.2, usd("2"));
    assert_eq!(house.windows(2, "day").await, [(2_500_000_000, 0)]);
    house.assert_clean().await;
}

async fn what_was_looked_up_days_ago_is_forgotten(on: On) {
    let (house, account, key) = open(on).await;
    for _ in 0..6 {
        house.pay(account, key, "2").await;
        house.hand.advance_ms(DAY_MS);
    }
    let kept = raw::number(&house.store, "SELECT count(*) FROM pool_sets").await;
    assert!(kept <= 3, "{kept}");
    assert_eq!(raw::number(&house.store, "SELECT count(*) FROM pool_set_windows").await, 3 * kept);
    house.assert_clean().await;
}

async fn a_budget_that_an_organisation_gets_or_loses_counts_from_the_next_hold(on: On) {
    let (house, account, key) = open(on).await;
    let first = house.try_with(account, key, "0.5").await.unwrap();
    house.change_pool(1, "budget_week = 1000000000").await;
    let second = house.try_with(account, key, "0.75").await.unwrap();
    assert_eq!(house.windows(1, "week").await, [(0, 750_000_000)]);
    house.change_pool(1, "budget_week = NULL, budget_month = NULL").await;
    house.pay(account, key, "0.5").await;
    for hold in [first, second] {
        house.credit.settle(hold, settlement("0.25")).await.unwrap();
    }
    assert_eq!(house.windows(1, "week").await, [(250_000_000, 0)]);
    assert_eq!(house.windows(1, "month").await, [(500_000_000, 0)]);
    assert_eq!(house.windows(3, "life").await, [(USD, 0)]);
    house.assert_clean().await;
}

#[tokio::test]
async fn a_change_that_saw_nothing_of_a_set_is_refused() {
    let (house, account, key) = open(On::Server).await;
    let mut hand = raw::RawSession::open(&house.store).await;
    hand.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM budget_pools").await.unwrap();
    house.pay(account, key, "0.5").await;
    let refused = hand.run("UPDATE budget_pools SET budget_day = 600000000 WHERE id = 2").await.unwrap_err();
    assert!(refused.contains("could not serialize access"), "{refused}");
    hand.run("ROLLBACK").await.unwrap();
    house.pay(account, key, "1.5").await;
    house.assert_clean().await;
}

#[tokio::test]
async fn a_set_is_made_as_a_change_under_way_leaves_its_budgets() {
    let (house, account, key) = open(On::Server).await;
    let mut hand = raw::RawSession::open(&house.store).await;
    hand.run("BEGIN; UPDATE budget_pools SET budget_day = 1000000000 WHERE id = 2").await.unwrap();
    let (held, ended) = tokio::join!(house.try_with(account, key, "1.5"), hand.run("COMMIT"));
    ended.unwrap();
    assert!(matches!(held, Err(HoldRefused::OverBudget { holder: BudgetHolder::Team, .. })), "{held:?}");
    house.pay(account, key, "1").await;
    house.assert_clean().await;
}

#[tokio::test]
async fn a_hold_that_waits_for_a_change_of_a_budget_is_not_counted_against_what_that_leaves() {
    let (house, account, key) = open(On::Server).await;
    // Which is over.
    house.change_pool(2, &format!("raised_by = {USD}, raised_until = {START_MS}")).await;
    house.pay(account, key, "0.5").await;
    let pools = raw::text(&house.store, "SELECT pools FROM pool_sets").await;
    let [mut hand, mut other] = [raw::RawSession::open(&house.store).await, raw::RawSession::open(&house.store).await];
    hand.run("BEGIN; UPDATE pool_windows SET budget = 3000000000, cap = 3000000000 WHERE pool_id = 2").await.unwrap();
    let hold = format!(
        "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, \
            expires_at, pools) SELECT 99, {account}, 11, 'r99', 2000000000, 'm', 0, id, 1000000, 1, {START_MS}, {START_MS} + 1, '{pools}' \
        FROM prices"
    );
    let (held, ended) = tokio::join!(other.run(&hold), hand.run("COMMIT"));
    ended.unwrap();
    let refused = held.unwrap_err();
    assert!(refused.contains("a budget was changed") || refused.contains("pool_cap"), "{refused}");
    assert_eq!(house.windows(2, "day").await, [(500_000_000, 0)]);
    house.pay(account, key, "1.5").await;
    house.assert_clean().await;
}

on_both!(
    sets_that_go_or_are_made_by_hand_change_nothing,
    what_was_looked_up_days_ago_is_forgotten,
    a_budget_that_an_organisation_gets_or_loses_counts_from_the_next_hold,
);
