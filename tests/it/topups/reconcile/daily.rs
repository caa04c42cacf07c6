//! The comparison that a running service makes by itself.

use tollgate_tests::gateway::Options;
use tollgate_tests::{AlarmLog, TestGateway};

use super::*;

const DAY_MS: i64 = 86_400_000;

/// Sends the coins of the payer to us past the gateway.
async fn send(anvil: &Anvil, units: u64) {
    let data = format!("a9059cbb{}{units:064x}", word(&account(PAY_TO).address));
    anvil.call(PAYER, &anvil.coin, &data).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_difference_rings_once_a_day_on_one_server() {
    let anvil = Anvil::start().await;
    let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
    let config = format!("[database]\nurl = {url:?}\n{}", anvil.config("0"));
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let options = Options { credit: "0", config: config.clone(), clock, ..Options::default() };
    let gateway = TestGateway::with(options).await;
    let beside = gateway.beside(&config).await;
    let bells = AlarmLog::of_this_test();
    let compare = async |gateway: &TestGateway| {
        let service = gateway.service();
        service.reconciler.compare_due(&service.credit).await.expect("the store answers")
    };
    send(&anvil, 6_000_000).await;
    assert_eq!((compare(&beside).await, compare(&gateway).await), (0, 1));
    let rung = bells.ring("reconciliation", 1).await;
    assert_eq!((&rung[0]["kind"], &rung[0]["usd"]), (&json!("not_credited"), &json!("6")), "{rung:?}");
    assert_eq!((&rung[0]["source"], &rung[0]["amount"]), (&json!(chain::NETWORK), &json!("6000000")), "{rung:?}");
    // Within the day nothing is compared again.
    assert_eq!(compare(&gateway).await, 0);
    let metrics = async || {
        let told = client().get(gateway.url("/metrics")).send().await.expect("an answer").text().await.expect("a body");
        let of_it = told.lines().filter(|line| line.starts_with("tollgate_reconciliation_"));
        of_it.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(metrics().await, ["tollgate_reconciliation_findings 1", "tollgate_reconciliation_unread 0"]);
    // The next day it rings again, and what came since rings too.
    anvil.ask("evm_increaseTime", json!([86_400])).await;
    send(&anvil, 7_000_000).await;
    hand.advance_ms(DAY_MS);
    assert_eq!(compare(&gateway).await, 1);
    assert_eq!(bells.ring("reconciliation", 3).await.len(), 3);
    // After two days it is out of what is looked at.
    anvil.ask("evm_increaseTime", json!([86_400])).await;
    anvil.mine(1).await;
    hand.advance_ms(DAY_MS + 60_000);
    assert_eq!(compare(&gateway).await, 1);
    let rung = bells.ring("reconciliation", 4).await;
    assert_eq!(rung[3]["usd"], "7", "{rung:?}");
    gateway.assert_books().await;
}

/// A chain that does not answer rings when it has not for two days, and what came meanwhile is found then.
#[tokio::test(flavor = "multi_thread")]
async fn a_chain_that_was_away_for_days_is_looked_through_whole() {
    let anvil = Anvil::start().await;
    let node = tollgate_tests::flaky_node::FlakyNode::before(&anvil.url).await;
    let config = anvil.config("0").replace(&format!("[\"{}\"]", anvil.url), &format!("[\"{}\"]", node.url()));
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let gateway = TestGateway::with(Options { credit: "0", config, clock, ..Options::default() }).await;
    let bells = AlarmLog::of_this_test();
    let compare = async || {
        let service = gateway.service();
        service.reconciler.compare_due(&service.credit).await.expect("the store answers")
    };
    assert_eq!(compare().await, 1);
    send(&anvil, 6_000_000).await;
    node.takes("eth_getLogs", tollgate_tests::flaky_node::NodeFault::Fails);
    for days in 1..=3 {
        anvil.ask("evm_increaseTime", json!([86_400])).await;
        anvil.mine(1).await;
        hand.advance_ms(DAY_MS + 1);
        assert_eq!(compare().await, 1);
        // Once a day.
        assert_eq!(compare().await, 1);
        let rung = bells.rung();
        assert_eq!(rung.len(), usize::try_from(days - 1).expect("a number"), "after {days} days: {rung:?}");
    }
    node.calm();
    assert_eq!(compare().await, 1);
    let rung = bells.ring("reconciliation", 3).await;
    assert_eq!((&rung[0]["source"], rung[0]["why"].is_string()), (&json!(chain::NETWORK), true), "{rung:?}");
    assert_eq!((&rung[2]["kind"], &rung[2]["usd"]), (&json!("not_credited"), &json!("6")), "{rung:?}");
}
