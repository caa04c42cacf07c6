//! A chain with two nodes, of which one hangs, fails, refuses or forges: orders are made and paid in time all the same, and nothing
//! is credited that is not there, but for what is believed of one node alone.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use tollgate_base::Clock;
use tollgate_tests::AlarmLog;
use tollgate_tests::chain::{Anvil, NETWORK, PAY_TO, PAYER, STRANGER, account};
use tollgate_tests::flaky_node::{FlakyNode, NodeFault};
use tollgate_tests::wait::until_later;
use tollgate_topup::{CreditAmount, PaymentResolveRefused, ResolveRequest};

use super::forged::told_of;
use super::{House, gateway_at};

/// Within which an order is made, and within which a payment is taken. A node that says nothing is waited for alone for
/// a second at a time; where it was waited for to the end, a single question would take ten.
const MADE: Duration = Duration::from_secs(8);
const PAID: Duration = Duration::from_secs(10);

impl House {
    /// A house whose first node is a fickle one and whose second is true.
    pub(super) async fn between(anvil: Anvil, depth: &str) -> (Self, FlakyNode) {
        let node = FlakyNode::before(&anvil.url).await;
        let nodes = [node.url(), anvil.url.clone()];
        (Self::on(anvil, depth, &nodes, "500", Clock::system()).await, node)
    }

    /// A house with these nodes, of which one alone is believed up to so much an hour.
    pub(super) async fn on(anvil: Anvil, depth: &str, nodes: &[String], per_hour: &str, clock: Clock) -> Self {
        let one = format!("rpc_urls = [\"{}\"]", anvil.url);
        let config = anvil.config(depth);
        assert!(config.contains(&one), "{config}");
        let config = config.replace(&one, &format!("rpc_urls = {nodes:?}\none_node_usd_per_hour = \"{per_hour}\""));
        Self { gateway: gateway_at(config, clock).await, anvil }
    }

    /// The same, with one node that is fickle, first or last in the list.
    async fn with_a_liar(anvil: Anvil, depth: &str, is_first: bool) -> (Self, FlakyNode) {
        let node = FlakyNode::before(&anvil.url).await;
        let mut nodes = [node.url(), anvil.url.clone()];
        if !is_first {
            nodes.reverse();
        }
        (Self::on(anvil, depth, &nodes, "500", Clock::system()).await, node)
    }

    /// Nothing is said of the payment for several looks.
    async fn waits_on(&self, node: &FlakyNode) {
        self.waits_at(node, "0").await;
    }

    /// The same with a balance.
    async fn waits_at(&self, node: &FlakyNode, balance: &str) {
        let asked = node.asked("eth_getTransactionReceipt");
        until_later("several looks", async || (node.asked("eth_getTransactionReceipt") >= asked + 3).then_some(()))
            .await;
        assert_eq!((self.balance().await.as_str(), self.waiting().await), (balance, 0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_node_that_does_not_answer_costs_moments() {
    for mood in [
        NodeFault::Hangs,
        NodeFault::Fails,
        NodeFault::LosesTheAnswer,
        NodeFault::Refuses(-32005, "limit exceeded"),
        NodeFault::Refuses(-32000, "header not found"),
    ] {
        let (house, node) = House::between(Anvil::start().await, "0").await;
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
    let (house, node) = House::between(Anvil::start().await, "0").await;
    let mut credited = 0_u64;
    for (number, method) in
        (1..).zip(["eth_call", "eth_estimateGas", "eth_sendRawTransaction", "eth_getTransactionReceipt"])
    {
        let (order, challenge) = house.order("5").await;
        node.takes(method, NodeFault::Hangs);
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
    let (house, node) = House::between(Anvil::start().await, "0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1);
    house.anvil.mine(3_000).await;
    house.carried_by_a_stranger(&payment).await;
    node.takes("eth_getLogs", NodeFault::Bounds(50));
    assert_eq!(house.pay(order, &payment.body()).await["data"]["status"], "settled");
    house.ends_well(order, &payment.body()).await;
}

/// A token that keeps a part of what is moved, and a payer who has some.
async fn skimming() -> Anvil {
    let mut anvil = Anvil::start().await;
    anvil.coin = anvil.deploy("Skimming", "").await;
    anvil.mint(&account(PAYER).address, 1_000_000_000).await;
    anvil
}

/// The receipt of the payment of a number, as it would be where all of it had come.
fn forged(house: &House, number: u8) -> NodeFault {
    NodeFault::Lies(told_of(&house.anvil.coin, number, 5_000_000, &account(PAY_TO).address))
}

/// What one node forges credits nothing beside one that answers, wherever it stands in the list.
#[tokio::test(flavor = "multi_thread")]
async fn what_one_node_forges_credits_nothing_beside_one_that_answers() {
    for is_first in [true, false] {
        let (house, node) = House::with_a_liar(skimming().await, "0", is_first).await;
        let (order, challenge) = house.order("5").await;
        node.takes("eth_getTransactionReceipt", forged(&house, 1));
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
        house.gateway.assert_books().await;
    }
}

/// A node whose only neighbour says nothing is believed up to the hour's amount, whatever it says; what is beyond that waits, and
/// an operator hears of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_lies_alone_gets_no_more_than_the_amount_of_an_hour() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let anvil = skimming().await;
    let (liar, silent) = (FlakyNode::before(&anvil.url).await, FlakyNode::before(&anvil.url).await);
    let house = House::on(anvil, "0", &[liar.url(), silent.url()], "9.99", clock).await;
    let bells = AlarmLog::of_this_test();
    for (number, status) in [(1, "settled"), (2, "credit_pending")] {
        let (order, challenge) = house.order("5").await;
        silent.takes("*", NodeFault::Fails);
        liar.takes("eth_getTransactionReceipt", forged(&house, number));
        let paid = house.pay(order, &house.payment(&challenge, number).body()).await;
        assert_eq!(paid["data"]["status"], status, "{paid}");
        if number == 1 {
            assert!(bells.rung().is_empty(), "{:?}", bells.rung());
            continue;
        }
        let rung = bells.rings("one_node").await;
        assert_eq!((&rung["order"], &rung["network"]), (&json!(order.to_string()), &json!(NETWORK)), "{rung}");
        assert_eq!((&rung["credited_usd"], &rung["per_hour_usd"]), (&json!("5"), &json!("9.99")), "{rung}");
        assert_eq!((house.balance().await.as_str(), house.waiting().await), ("5", 0));
    }
    // Within the hour nothing more comes of it, and after it another such amount.
    hand.advance_ms(3_599_000);
    house.waits_at(&liar, "5").await;
    hand.advance_ms(1_001);
    house.balance_is("10").await;
    house.gateway.assert_books().await;
}

/// What is beyond the amount of an hour waits for the second node, and goes on by itself once there is one.
#[tokio::test(flavor = "multi_thread")]
async fn what_one_node_shows_beyond_its_amount_waits_for_another() {
    let anvil = Anvil::start().await;
    let node = FlakyNode::before(&anvil.url).await;
    let nodes = [node.url(), anvil.url.clone()];
    let house = House::on(anvil, "0", &nodes, "5", Clock::system()).await;
    // The amount itself is not beyond it.
    for (number, status) in [(1, "settled"), (2, "credit_pending")] {
        let (order, challenge) = house.order("5").await;
        node.takes("eth_getTransactionReceipt", NodeFault::Fails);
        let paid = house.pay(order, &house.payment(&challenge, number).body()).await;
        assert_eq!(paid["data"]["status"], status, "{paid}");
    }
    AlarmLog::of_this_test().rings("one_node").await;
    node.calm();
    house.balance_is("10").await;
    // What two show counts against nothing.
    let (order, challenge) = house.order("5").await;
    let paid = house.pay(order, &house.payment(&challenge, 3).body()).await;
    assert_eq!(paid["data"]["status"], "settled", "{paid}");
    assert_eq!(house.received().await, 15_000_000);
    house.gateway.assert_books().await;
}

/// Two nodes contradict each other for minutes: an operator hears of it, with what to do. Once they agree, it goes on by itself.
// suite: waiting 36s
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_of_which_nodes_say_two_things_for_minutes_rings() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let anvil = Anvil::start().await;
    let node = FlakyNode::before(&anvil.url).await;
    let nodes = [node.url(), anvil.url.clone()];
    let house = House::on(anvil, "0", &nodes, "500", clock).await;
    let bells = AlarmLog::of_this_test();
    let (order, challenge) = house.order("5").await;
    node.takes("eth_getTransactionReceipt", NodeFault::Lies(json!({"logs": []})));
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    let looks = async |more: usize| {
        let asked = node.asked("eth_getTransactionReceipt");
        until_later("a look", async || (node.asked("eth_getTransactionReceipt") >= asked + more).then_some(())).await;
    };
    looks(1).await;
    assert!(bells.rung().is_empty(), "they may agree yet: {:?}", bells.rung());
    hand.advance_ms(3 * 60_000);
    let rung = bells.rings("unconfirmed").await;
    assert_eq!((&rung["order"], &rung["network"]), (&json!(order.to_string()), &json!(NETWORK)), "{rung}");
    assert!(rung["seconds"].as_i64() >= Some(180), "{rung}");
    assert!(rung["why"].as_str().is_some_and(|why| why.contains("and another does not")), "{rung}");
    assert!(rung["message"].as_str().is_some_and(|told| told.contains("`rpc_urls`")), "{rung}");
    looks(1).await;
    assert_eq!((bells.rung().len(), house.balance().await.as_str()), (1, "0"), "once a minute, and not with each look");
    hand.advance_ms(60_000);
    until_later("it to ring again", async || (bells.rung().len() == 2).then_some(())).await;
    node.calm();
    house.ends_well(order, &payment).await;
}

/// A first node has stopped and answers all the same, as one does that lags: two others show what came, and it is credited as if it
/// were not there.
#[tokio::test(flavor = "multi_thread")]
async fn a_first_node_that_has_stopped_delays_no_credit() {
    for depth in ["0", "3"] {
        let anvil = Anvil::start().await;
        let (stopped, other) = (FlakyNode::before(&anvil.url).await, FlakyNode::before(&anvil.url).await);
        let nodes = [stopped.url(), other.url(), anvil.url.clone()];
        let house = House::on(anvil, depth, &nodes, "500", Clock::system()).await;
        let (order, challenge) = house.order("5").await;
        stopped.takes("*", NodeFault::Lags(house.anvil.head().await));
        let payment = house.payment(&challenge, 1).body();
        let paid = house.pay(order, &payment).await;
        assert_eq!(paid["success"], true, "{depth}: {paid}");
        house.anvil.mine(3).await;
        house.ends_well(order, &payment).await;
        assert_eq!(house.number("SELECT count(*) FROM chain_sends").await, 1, "{depth}");
    }
}

/// With one other node alone nothing is credited: an operator hears of it, and no fee is raised for what is in a block.
// suite: waiting 30s
#[tokio::test(flavor = "multi_thread")]
async fn a_first_node_that_has_stopped_rings_and_costs_no_fee() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let anvil = Anvil::start().await;
    let stopped = FlakyNode::before(&anvil.url).await;
    let nodes = [stopped.url(), anvil.url.clone()];
    let house = House::on(anvil, "0", &nodes, "500", clock).await;
    let bells = AlarmLog::of_this_test();
    let (order, challenge) = house.order("5").await;
    stopped.takes("*", NodeFault::Lags(house.anvil.head().await));
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    for _ in 0..3 {
        hand.advance_ms(31_000);
        let asked = stopped.asked("eth_getTransactionCount");
        let rounds = async || (stopped.asked("eth_getTransactionCount") >= asked + 3).then_some(());
        until_later("several rounds", rounds).await;
    }
    assert!(bells.rung().is_empty(), "it may go on yet: {:?}", bells.rung());
    hand.advance_ms(90_000);
    let rung = bells.rings("unconfirmed").await;
    assert_eq!((&rung["order"], &rung["network"]), (&json!(order.to_string()), &json!(NETWORK)), "{rung}");
    assert!(rung["why"].as_str().is_some_and(|why| why.contains("not all show it there")), "{rung}");
    let rung = bells.rings("relayer").await;
    assert!(rung["message"].as_str().is_some_and(|told| told.contains("a number of our account is used")), "{rung}");
    assert_eq!(house.number("SELECT count(*) FROM chain_sends").await, 1, "nothing was signed again");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("0", 5_000_000));
    stopped.calm();
    house.ends_well(order, &payment).await;
}

/// Nodes that were far ahead when an order was made have what was paid looked for where nothing is. An operator decides on it once
/// what was signed is over for a day, and nothing looks for it any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_is_not_found_is_decided_by_a_person() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let anvil = Anvil::start().await;
    let node = FlakyNode::before(&anvil.url).await;
    let config = anvil.config("0").replace(&anvil.url, &node.url()).replace("wait_seconds = 5", "wait_seconds = 0");
    let house = House { gateway: gateway_at(config, clock).await, anvil };
    node.takes_about("\"latest\"", NodeFault::Lies(json!({"number": "0xf4240"})));
    let (order, challenge) = house.order("5").await;
    node.calm();
    house.anvil.mine_at_once(false).await;
    let payment = house.payment(&challenge, 1);
    assert_eq!(house.pay(order, &payment.body()).await["data"]["status"], "credit_pending");
    house.anvil.call_first(STRANGER, &house.anvil.coin, &house.call(&payment)).await;
    house.anvil.mine(1).await;
    house.anvil.mine_at_once(true).await;
    assert_eq!((house.received().await, house.balance().await.as_str()), (5_000_000, "0"));
    let topups = &house.gateway.service().topups;
    let number = house.number("SELECT id FROM payments").await;
    let credit = Some(CreditAmount::OfOrder);
    let ask = ResolveRequest { payment: number, credit, actor: "test".into(), reason: "the explorer has it" };
    let refused = topups.resolve(ask).await.expect_err("it is on its way");
    assert!(matches!(refused, PaymentResolveRefused::OnItsWay), "{refused}");
    hand.advance_ms(2 * 86_400_000);
    topups.resolve(ask).await.expect("nothing more can come");
    house.balance_is("5").await;
    let closed =
        async || (house.number("SELECT count(*) FROM chain_payments WHERE closed = 0").await == 0).then_some(());
    until_later("the end of looking", closed).await;
    assert_eq!(topups.relayer_numbers().await.expect("a ledger")[0].on_their_way, 0);
    let told = house.data(&format!("/api/user/topup/order/{order}")).await;
    assert_eq!(told["status"], "success", "{told}");
    house.gateway.assert_books().await;
}

/// Nobody has found out for days what became of a payment: that is told with what is stranded.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_is_open_for_days_rings() {
    let anvil = Anvil::start().await;
    let node = FlakyNode::before(&anvil.url).await;
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let config = anvil.config("0").replace(&anvil.url, &node.url());
    let house = House { gateway: gateway_at(config.clone(), clock.clone()).await, anvil };
    let (order, challenge) = house.order("5").await;
    node.takes("eth_getTransactionReceipt", NodeFault::Fails);
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
    hand.advance_ms(2 * 86_400_000 + 1);
    // It is looked for at the start, and then each minute.
    let House { anvil, gateway } = house;
    let house = House { gateway: gateway.again(&config, clock).await, anvil };
    let rung = AlarmLog::of_this_test().rings("orphaned_payments").await;
    assert_eq!(rung["count"], 1, "{rung}");
    assert!(rung["of"].as_str().is_some_and(|of| of.contains("open for days") && of.contains(NETWORK)), "{rung}");
    node.calm();
    house.ends_well(order, &payment).await;
}
