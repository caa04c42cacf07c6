//! How other gateways lost money, each as a test of ours by the name of what went wrong.
//!
//! | what went wrong elsewhere | the test |
//! | --- | --- |
//! | checked a cached balance, then acted | [`a_balance_that_was_read_before_is_not_acted_on`] |
//! | trusted users skipped the hold | [`a_rich_account_is_held_like_any_other`] |
//! | funding, token and log in three commits; a refund in the background | [`a_charge_and_its_receipt_are_there_together_or_not_at_all`] |
//! | a reservation lost for ever when the process died | [`a_reservation_does_not_outlive_its_process`] |
//! | spend added after the fact, increments lost | [`no_increment_of_many_at_once_is_lost`] |
//! | an oversized call slipped through | [`a_call_above_the_balance_is_refused_before_it_is_made`] |
//! | a balance below zero answered 402 even to free models | [`a_balance_of_nothing_still_buys_what_is_free`] |
//! | "insufficient" where money was only reserved | [`money_that_is_only_reserved_is_not_called_insufficient`] |
//! | phantom refusals that heal by themselves | [`what_was_given_back_can_be_held_at_once`] |
//! | the order was written after the provider was asked | [`money_does_not_come_without_an_order`], `fault_48_a_server_may_end_beside_each_commit_of_a_checkout` |
//! | the amount of a notice was not compared with the order | [`an_order_is_credited_with_its_own_amount_alone`], `fault_42_a_notice_that_does_not_fit_is_refused_and_parked` |
//! | the order's lock was in the memory of one process | [`an_order_is_credited_once_whoever_tries`] |
//! | a notice twice was credit twice | [`an_order_is_credited_once_whoever_tries`], `fault_40_a_notice_that_comes_twenty_times_credits_once` |
//! | binary floats, and a unit coarser than a price | [`a_single_token_of_the_cheapest_model_is_charged_exactly`] |
//! | a client left and paid nothing | `a_client_that_leaves_pays_what_the_provider_reports` |
//! | a client left and paid for a placeholder | `a_client_that_leaves_pays_the_count_when_patience_ends` |
//! | a stream was logged at no cost | `a_whole_answer_without_usage_is_counted`, `a_stream_that_runs_to_its_end_or_breaks` |
//! | whole routes were not counted | `no_routed_operation_that_costs_money_passes_by_the_budget_of_its_key` |
//! | the whole notice was written to the log | `nothing_of_a_notice_is_in_the_log` |
//! | the default setup failed open in an outage | `a_full_disk_is_told_in_time_and_written_to_again`, `a_database_server_that_dies_and_comes_back_is_used_again` |
//!
//! Those that are no links are of the gateway, in `tests/it`.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::*;

async fn a_balance_that_was_read_before_is_not_acted_on(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    assert_eq!(house.money(account).await.0, usd("1"), "both have read that there is enough");
    let (first, second) =
        tokio::join!(house.credit.hold(house.ask(account, "1")), house.credit.hold(house.ask(account, "1")));
    assert!(first.is_ok() != second.is_ok(), "{first:?}, {second:?}");
}

async fn a_rich_account_is_held_like_any_other(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "900000000").await;
    let _hold = house.hold(account, "0.000000001").await;
    assert_eq!(house.money(account).await.1, usd("0.000000001"));
}

async fn a_charge_and_its_receipt_are_there_together_or_not_at_all(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let hold = house.hold(account, "1").await;
    // One of the writes that come with a receipt is refused: it does not stay, nor does what it charged.
    let rule = "ALTER TABLE usage_days ADD CONSTRAINT no_more CHECK (charged = 0) NOT VALID";
    let rule = if raw::is_file(&house.store) {
        "CREATE TRIGGER no_more BEFORE INSERT ON usage_days WHEN NEW.charged > 0 BEGIN SELECT RAISE(ABORT, 'no more'); END"
    } else {
        rule
    };
    raw::run(&house.store, rule).await.unwrap();
    assert!(matches!(house.credit.settle(hold, settlement("1")).await, Err(SettleFailed::Unavailable)));
    house.settled_down().await;
    assert_eq!(house.money(account).await, (usd("1"), Usd::ZERO), "told that it is not charged, it is not");
    let charged = "SELECT count(*) FROM receipts WHERE state = 'settled'";
    assert_eq!(raw::number(&house.store, charged).await, 0);
}

async fn a_reservation_does_not_outlive_its_process(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    std::mem::forget(house.hold(account, "1").await);
    let house = house.crash().await;
    assert_eq!(house.money(account).await, (usd("1"), Usd::ZERO));
    house.assert_clean().await;
}

async fn no_increment_of_many_at_once_is_lost(on: On) {
    let house = Arc::new(TestLedger::open_on(on).await);
    let account = house.account(1, "1").await;
    let mut callers = JoinSet::new();
    for _ in 0..200 {
        let house = house.clone();
        callers.spawn(async move {
            let hold = house.hold(account, "0.000000001").await;
            house.credit.settle(hold, settlement("0.000000001")).await.unwrap();
        });
    }
    callers.join_all().await;
    assert_eq!(house.money(account).await, (usd("0.9999998"), Usd::ZERO));
    house.assert_clean().await;
}

async fn a_call_above_the_balance_is_refused_before_it_is_made(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "0.999999999").await;
    let refused = house.credit.hold(house.ask(account, "1")).await.unwrap_err();
    assert!(matches!(refused, HoldRefused::Insufficient { .. }), "{refused}");
}

async fn a_balance_of_nothing_still_buys_what_is_free(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let hold = house.hold(account, "1").await;
    let settled = house.credit.settle(hold, settlement("2")).await.unwrap();
    assert_eq!((settled.charged, settled.shortfall), (usd("1"), usd("1")), "never below nothing");
    assert_eq!(house.money(account).await, (Usd::ZERO, Usd::ZERO));
    let free = house.hold(account, "0").await;
    house.credit.settle(free, settlement("0")).await.unwrap();
}

async fn money_that_is_only_reserved_is_not_called_insufficient(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let _held = house.hold(account, "0.75").await;
    let refused = house.credit.hold(house.ask(account, "0.5")).await.unwrap_err();
    let (needed, available, held) = (usd("0.5"), usd("0.25"), usd("0.75"));
    assert_eq!(refused, HoldRefused::TiedUp { needed, available, held });
}

async fn what_was_given_back_can_be_held_at_once(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    for _ in 0..20 {
        let hold = house.hold(account, "1").await;
        house.credit.release(hold, SettlementRule::NotSent, UpstreamDelivery::default()).await.unwrap();
    }
}

const ORDER: &str =
    "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, place)";
/// One for that order.
const PAYMENT: &str = "INSERT INTO payments (id, source, reference, order_id, state, rev, asset, amount, payer, receipt, claimed_at, decided_at) VALUES (4, 'eip155:8453', '0xab', 3, 'claimed', 0, '0xa', '1', NULL, NULL, 1, NULL); \
    UPDATE payments SET state = 'paid', rev = 1, decided_at = 1;";

/// A top-up that `rows` come before, as a rail would write it.
async fn topped_up(house: &TestLedger, rows: &str, account: AccountId, nanos: i64, idem: &str) -> Result<u64, String> {
    let transfer = format!(
        "INSERT INTO transfers (kind, debit, credit, amount, idem, order_id, actor, created_at) \
            VALUES ('topup', 5, {account}, {nanos}, '{idem}', 3, 'x', 1)"
    );
    raw::run(&house.store, &format!("{rows}{transfer}")).await
}

/// An order of 10 nano-USD that has been paid.
fn paid_order(account: AccountId) -> String {
    format!(
        "{ORDER} VALUES (3, 't3', {account}, 'x402', 10, 'pending', 0, 1, 2, 1); \
            {PAYMENT} UPDATE topup_order SET status = 'settling', rev = 1; \
            UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2; "
    )
}

async fn money_does_not_come_without_an_order(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "0").await;
    let refused = topped_up(&house, "", account, 10, "a").await.unwrap_err();
    assert!(refused.contains("successful order"), "{refused}");
    let pending = format!("{ORDER} VALUES (3, 't3', {account}, 'x402', 10, 'pending', 0, 1, 2, 1); ");
    let refused = topped_up(&house, &pending, account, 10, "a").await.unwrap_err();
    assert!(refused.contains("successful order"), "{refused}");
    assert_eq!(house.money(account).await.0, Usd::ZERO);
}

async fn an_order_is_credited_with_its_own_amount_alone(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "0").await, house.account(2, "0").await);
    raw::run(&house.store, &paid_order(account)).await.unwrap();
    for (credited, nanos) in [(account, 11), (account, 9), (other, 10)] {
        let refused = topped_up(&house, "", credited, nanos, "a").await.unwrap_err();
        let rules = ["successful order", "transfers_one_per_order"];
        assert!(rules.iter().any(|rule| refused.contains(rule)), "{refused}");
    }
    assert!(topped_up(&house, "", account, 10, "a").await.is_err(), "the order has posted its credit");
    assert_eq!(house.money(account).await.0.nanos(), 10);
}

async fn an_order_is_credited_once_whoever_tries(on: On) {
    let house = Arc::new(TestLedger::open_on(on).await);
    let account = house.account(1, "0").await;
    let settling =
        paid_order(account).replace("UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2; ", "");
    raw::run(&house.store, &settling).await.unwrap();
    let mut notices = JoinSet::new();
    for _ in 0..20 {
        let house = house.clone();
        // Each on a connection of its own, as from processes of their own.
        let credited =
            "UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2 WHERE id = 3 AND status = 'settling'";
        notices.spawn(async move { raw::run(&house.store, credited).await });
    }
    assert_eq!(notices.join_all().await.into_iter().filter_map(Result::ok).sum::<u64>(), 1);
    assert_eq!(house.money(account).await.0.nanos(), 10);
    house.assert_clean().await;
}

async fn a_single_token_of_the_cheapest_model_is_charged_exactly(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let price = TokenPrices { prompt: PicoUsd::new(20_000).unwrap(), ..price() };
    let usage = BilledUsage { prompt: 1, ..BilledUsage::default() };
    let cost = price.charge(&usage, &[]).unwrap();
    assert_eq!(cost.nanos(), 20, "one token at 0.02 USD a million");
    for _ in 0..50 {
        let hold = house.credit.hold(HoldRequest { price: price.clone(), ..house.ask(account, "0.01") }).await.unwrap();
        house.credit.settle(hold, Settlement { cost, usage, ..settlement("0") }).await.unwrap();
    }
    assert_eq!(house.money(account).await.0, usd("0.999999"));
    house.assert_clean().await;
}

on_both!(
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    a_balance_that_was_read_before_is_not_acted_on,
    a_rich_account_is_held_like_any_other,
    a_charge_and_its_receipt_are_there_together_or_not_at_all,
    a_reservation_does_not_outlive_its_process,
    no_increment_of_many_at_once_is_lost,
    a_call_above_the_balance_is_refused_before_it_is_made,
    a_balance_of_nothing_still_buys_what_is_free,
    money_that_is_only_reserved_is_not_called_insufficient,
    what_was_given_back_can_be_held_at_once,
    money_does_not_come_without_an_order,
    an_order_is_credited_with_its_own_amount_alone,
    an_order_is_credited_once_whoever_tries,
    a_single_token_of_the_cheapest_model_is_charged_exactly,
);
