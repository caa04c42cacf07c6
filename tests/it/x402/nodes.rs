//! A chain with two nodes, of which the first hangs, fails, refuses or forges: orders are made and paid in time all the same, and
//! nothing is credited that is not there.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use tollgate_server::base::Clock;
use tollgate_tests::Bells;
use tollgate_tests::chain::{Anvil, NETWORK, PAY_TO, PAYER, account};
use tollgate_tests::fickle::{Fickle, Mood};
use tollgate_tests::wait::until_later;

use super::forged::told_of;
use super::{House, gateway_at};

/// Within which an order is made, and within which a payment is taken. A node that says nothing is waited for alone for
/// a second at a time; where it was waited for to the end, a single question would take ten.
const MADE: Duration = Duration::from_secs(8);
const PAID: Duration = Duration::from_secs(10);

impl House {
    /// A house whose first node is a fickle one and whose second is true; above so much both have to show a payment.
    pub(super) async fn between(anvil: Anvil, depth: &str, above: &str) -> (Self, Fickle) {
        Self::between_at(anvil, depth, above, Clock::system()).await
    }

    async fn between_at(anvil: Anvil, depth: &str, above: &str, clock: Clock) -> (Self, Fickle) {
        let node = Fickle::before(&anvil.url).await;
        let one = format!("rpc_urls = [\"{}\"]", anvil.url);
        let both = format!("rpc_urls = [\"{}\", \"{}\"]", node.url(), anvil.url);
        let config = anvil.config(depth);
        assert!(config.contains(&one), "{config}");
        let config = config.replace(&one, &format!("{both}\nconfirm_by_two_above_usd = \"{above}\""));
        (Self { gateway: gateway_at(config, clock).await, anvil }, node)
    }

    /// Nothing is said of the payment for several looks.
    async fn waits_on(&self, node: &Fickle) {
        let asked = node.asked("eth_getTransactionReceipt");
        until_later("several looks", async || (node.asked("eth_getTransactionReceipt") >= asked + 4).then_some(()))
            .await;
        assert_eq!((self.balance().await.as_str(), self.waiting().await), ("0", 0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_node_that_does_not_answer_costs_moments() {
    for mood in [
        Mood::Hangs,
        Mood::Fails,
        Mood::LosesTheAnswer,
        Mood::Refuses(-32005, "limit exceeded"),
        Mood::Refuses(-32000, "header not found"),
    ] {
        let (house, node) = House::between(Anvil::start().await, "0", "100").await;
        node.takes("*", mood.clone());
        let since = Instant::now();
        let (order, challenge) = house.order("5").await;
        assert!(since.elapsed() < MADE, "{mood:?}: {:?}", since.elapsed());
        let payment = house.payment(&challenge, 1).body();
        let since = Instant::now();
        let paid = house.pay(order, &payment).await;
        assert_eq!(paid["data"]["status"], "settled", "{mood:?}: {paid}");
        assert!(since.elapsed() < PAID, "{mood:?}: {:?}", since.elapsed());
        house.ends_well(order, &payment).await;
    }
}

/// One that is well until the payment comes, and then says nothing to some question of those that it takes.
#[tokio::test(flavor = "multi_thread")]
async fn a_first_node_that_stops_on_the_way_costs_moments() {
    let (house, node) = House::between(Anvil::start().await, "0", "100").await;
    let mut credited = 0_u64;
    for (number, method) in
        (1..).zip(["eth_call", "eth_estimateGas", "eth_sendRawTransaction", "eth_getTransactionReceipt"])
    {
        let (order, challenge) = house.order("5").await;
        node.takes(method, Mood::Hangs);
        let since = Instant::now();
        let paid = house.pay(order, &house.payment(&challenge, number).body()).await;
        assert_eq!(paid["data"]["status"], "settled", "{method}: {paid}");
        assert!(since.elapsed() < PAID, "{method}: {:?}", since.elapsed());
        credited += 5;
        assert_eq!((house.balance().await, house.received().await), (credited.to_string(), credited * 1_000_000));
        node.calm();
    }
    house.gateway.assert_books().await;
}

/// The first node looks through fewer blocks than are asked for: the second is asked.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_node_refuses_for_its_bound_the_next_is_asked() {
    let (house, node) = House::between(Anvil::start().await, "0", "100").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1);
    house.anvil.mine(3_000).await;
    house.carried_by_a_stranger(&payment).await;
    node.takes("eth_getLogs", Mood::Bounds(50));
    assert_eq!(house.pay(order, &payment.body()).await["data"]["status"], "settled");
    house.ends_well(order, &payment.body()).await;
}

/// What is much is credited when two nodes show the same, and what one forges alone is not.
#[tokio::test(flavor = "multi_thread")]
async fn what_one_node_forges_credits_nothing_that_is_much() {
    let mut anvil = Anvil::start().await;
    anvil.coin = anvil.deploy("Skimming", "").await;
    anvil.mint(&account(PAYER).address, 1_000_000_000).await;
    let (house, node) = House::between(anvil, "0", "4.99").await;
    let (order, challenge) = house.order("5").await;
    node.takes(
        "eth_getTransactionReceipt",
        Mood::Lies(told_of(&house.anvil.coin, 1, 5_000_000, &account(PAY_TO).address)),
    );
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    house.waits_on(&node).await;
    node.calm();
    // It is what it is: less than was signed.
    until_later("a person to be told", async || {
        (house.number("SELECT count(*) FROM payments WHERE state = 'surplus'").await == 1).then_some(())
    })
    .await;
    let refused = house.pay(order, &payment).await;
    assert_eq!(refused["message"], "X402_PAYMENT_SET_ASIDE", "{refused}");
    assert_eq!((refused["data"]["status"].as_str(), house.balance().await.as_str()), (Some("failed"), "0"));
    assert_eq!(house.received().await, 4_950_000);
    house.set_aside_once(order).await;
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_much_waits_for_the_second_node() {
    let (house, node) = House::between(Anvil::start().await, "0", "5").await;
    // The bound itself is not beyond it.
    for (usd, status) in [("5", "settled"), ("5.01", "credit_pending")] {
        let (order, challenge) = house.order(usd).await;
        node.takes("eth_getTransactionReceipt", Mood::Hangs);
        let paid = house.pay(order, &house.payment(&challenge, 1 + u8::from(usd != "5")).body()).await;
        assert_eq!(paid["data"]["status"], status, "{usd}: {paid}");
        node.calm();
    }
    house.balance_is("10.01").await;
    assert_eq!(house.received().await, 10_010_000);
    house.gateway.assert_books().await;
}

/// Of two nodes one is gone: what is much waits for it, and an operator hears of that within minutes, with what to do. Once there
/// are two again, it goes on by itself.
// suite: waiting 36s
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_waits_for_a_node_for_minutes_rings() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let (house, node) = House::between_at(Anvil::start().await, "0", "4.99", clock).await;
    let bells = Bells::of_this_test();
    let (order, challenge) = house.order("5").await;
    node.takes("*", Mood::Fails);
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    let looks = async |more: usize| {
        let asked = node.asked("eth_getTransactionReceipt");
        until_later("a look", async || (node.asked("eth_getTransactionReceipt") >= asked + more).then_some(())).await;
    };
    looks(1).await;
    assert!(bells.rung().is_empty(), "it may come back: {:?}", bells.rung());
    hand.advance_ms(3 * 60_000);
    let rung = bells.rings("unconfirmed").await;
    assert_eq!((&rung["order"], &rung["network"]), (&json!(order.to_string()), &json!(NETWORK)), "{rung}");
    assert!(rung["seconds"].as_i64() >= Some(180), "{rung}");
    assert!(rung["why"].as_str().is_some_and(|why| why.contains("too few of them show a payment")), "{rung}");
    assert!(rung["message"].as_str().is_some_and(|told| told.contains("`rpc_urls`")), "{rung}");
    looks(1).await;
    assert_eq!((bells.rung().len(), house.balance().await.as_str()), (1, "0"), "once a minute, and not with each look");
    hand.advance_ms(60_000);
    until_later("it to ring again", async || (bells.rung().len() == 2).then_some(())).await;
    node.calm();
    house.ends_well(order, &payment).await;
}

/// Nobody has found out for days what became of a payment: that is told with what is stranded.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_is_open_for_days_rings() {
    let anvil = Anvil::start().await;
    let node = Fickle::before(&anvil.url).await;
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let config = anvil.config("0").replace(&anvil.url, &node.url());
    let house = House { gateway: gateway_at(config.clone(), clock.clone()).await, anvil };
    let (order, challenge) = house.order("5").await;
    node.takes("eth_getTransactionReceipt", Mood::Fails);
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
    hand.advance_ms(2 * 86_400_000 + 1);
    // It is looked for at the start, and then each minute.
    let House { anvil, gateway } = house;
    let house = House { gateway: gateway.again(&config, clock).await, anvil };
    let rung = Bells::of_this_test().rings("stranded").await;
    assert_eq!(rung["count"], 1, "{rung}");
    assert!(rung["of"].as_str().is_some_and(|of| of.contains("open for days") && of.contains(NETWORK)), "{rung}");
    node.calm();
    house.ends_well(order, &payment).await;
}
