//! Nodes of Solana that fail, lose what they have answered, and lie.

use serde_json::{Value, json};
use tollgate_base::Clock;
use tollgate_tests::flaky_node::{FlakyNode, NodeFault};
use tollgate_tests::gateway::Options;
use tollgate_tests::svm::{LAPSED_BLOCKS, NETWORK, Svm};
use tollgate_tests::wait::until_later;
use tollgate_tests::{AlarmLog, TestGateway};

use super::{House, told};

impl House {
    /// A house whose only node is a fickle one.
    async fn behind(depth: &str) -> (Self, FlakyNode) {
        let svm = Svm::start();
        let node = FlakyNode::before(&svm.url).await;
        let config = svm.config(depth).replace(&svm.url, &node.url());
        let gateway = TestGateway::with(Options { credit: "0", config, ..Options::default() }).await;
        (Self { svm, gateway }, node)
    }

    /// A house whose first node is a fickle one and whose second is true; one alone is believed up to five dollars an hour.
    async fn between(clock: Clock) -> (Self, FlakyNode) {
        let svm = Svm::start();
        let node = FlakyNode::before(&svm.url).await;
        let nodes = [node.url(), svm.url.clone()];
        (Self::on(svm, &nodes, "5", clock).await, node)
    }

    /// The same with the amount that is usual, and the fickle node first or last in the list.
    pub(super) async fn with_a_liar(is_first: bool) -> (Self, FlakyNode) {
        let svm = Svm::start();
        let node = FlakyNode::before(&svm.url).await;
        let mut nodes = [node.url(), svm.url.clone()];
        if !is_first {
            nodes.reverse();
        }
        (Self::on(svm, &nodes, "500", Clock::system()).await, node)
    }

    /// A house with these nodes, of which one alone is believed up to so much an hour.
    pub(super) async fn on(svm: Svm, nodes: &[String], per_hour: &str, clock: Clock) -> Self {
        let one = format!("rpc_urls = [\"{}\"]", svm.url);
        let all = format!("rpc_urls = {nodes:?}\none_node_usd_per_hour = \"{per_hour}\"");
        let config = svm.config("0").replace(&one, &all);
        assert!(config.contains(&all), "{config}");
        let gateway = TestGateway::with(Options { credit: "0", config, clock, ..Options::default() }).await;
        Self { svm, gateway }
    }

    /// The order is paid, and credited once.
    pub(super) async fn ends_well(&self, order: i64, payment: &Value) {
        self.balance_is("5").await;
        assert_eq!((self.received().await, self.svm.carried_out().await), (5_000_000, 1));
        assert_eq!(told(&self.pay(order, payment).await), (false, "ORDER_ALREADY_SETTLED"));
        self.gateway.assert_books().await;
    }
}

/// What one answer says alone ends no payment: another answer of the same node says otherwise, or it does not say what it has to.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_tells_only_a_part_ends_no_payment() {
    let failed = json!({"InstructionError": [2, {"Custom": 1}]});
    let status = json!({"slot": 1, "confirmations": null, "err": failed, "confirmationStatus": "finalized"});
    let meta = |err: &Value| json!({"err": err, "preTokenBalances": [], "postTokenBalances": []});
    for (name, method, lie) in [
        ("no balances", "getTransaction", json!({"meta": meta(&Value::Null)})),
        ("nothing of it", "getTransaction", json!({"meta": null})),
        ("it failed, in one place", "getTransaction", json!({"meta": meta(&failed)})),
        ("it failed, in the other place", "getSignatureStatuses", json!({"value": [status]})),
    ] {
        let (house, node) = House::behind("0").await;
        let (order, challenge) = house.order("5").await;
        let payment = house.svm.payment(&challenge, "official").await;
        node.takes(method, NodeFault::Lies(lie));
        let paid = house.pay(order, &payment).await;
        assert_eq!(told(&paid), (true, "credit_pending"), "it may be there: {name}: {paid}");
        assert_eq!((house.balance().await.as_str(), house.waiting().await), ("0", 0), "{name}");
        node.calm();
        house.ends_well(order, &payment).await;
    }
}

/// A node that says everywhere that nothing was carried out is believed, and not for ever.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_a_node_says_has_failed_is_credited_when_it_came() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    let failed = json!({"InstructionError": [2, {"Custom": 1}]});
    let status = json!({"slot": 1, "confirmations": null, "err": failed, "confirmationStatus": "finalized"});
    node.takes("getSignatureStatuses", NodeFault::Lies(json!({"value": [status]})));
    let meta = json!({"err": failed, "preTokenBalances": [], "postTokenBalances": []});
    node.takes("getTransaction", NodeFault::Lies(json!({"meta": meta})));
    let refused = house.pay(order, &payment).await;
    assert_eq!(told(&refused), (false, "X402_PAYMENT_REJECTED"), "{refused}");
    assert_eq!((house.balance().await.as_str(), house.waiting().await), ("0", 1));
    node.calm();
    house.ends_well(order, &payment).await;
}

/// What a node says to a transaction, or does not, is no evidence of anything.
#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_is_sent_once_whatever_a_node_says_to_it() {
    for mood in [
        NodeFault::LosesTheAnswer,
        NodeFault::SaysInstead("Transaction simulation failed: Blockhash not found"),
        NodeFault::SaysInstead("This transaction has already been processed"),
    ] {
        let (house, node) = House::behind("0").await;
        let (order, challenge) = house.order("5").await;
        let payment = house.svm.payment(&challenge, "official").await;
        node.takes("sendTransaction", mood.clone());
        let paid = house.pay(order, &payment).await;
        assert_eq!(told(&paid), (true, "settled"), "{mood:?}: the chain shows it: {paid}");
        node.calm();
        house.ends_well(order, &payment).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_a_node_does_not_take_is_sent_again() {
    for mood in [NodeFault::Fails, NodeFault::Hangs, NodeFault::Pretends(json!("1".repeat(64)))] {
        let (house, node) = House::behind("0").await;
        let (order, challenge) = house.order("5").await;
        let payment = house.svm.payment(&challenge, "official").await;
        node.takes("sendTransaction", mood.clone());
        let paid = house.pay(order, &payment).await;
        let expected =
            if matches!(mood, NodeFault::Fails) { (false, "X402_SETTLE_PENDING") } else { (true, "credit_pending") };
        assert_eq!(told(&paid), expected, "{mood:?}: {paid}");
        assert_eq!((house.received().await, house.svm.given().await), (0, 0));
        node.calm();
        house.ends_well(order, &payment).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_fails_on_the_way_delays_the_credit() {
    for (method, mood) in [
        ("getSignatureStatuses", NodeFault::Fails),
        ("getSignatureStatuses", NodeFault::LosesTheAnswer),
        ("getTransaction", NodeFault::Fails),
        ("getTransaction", NodeFault::Hangs),
    ] {
        let (house, node) = House::behind("0").await;
        let (order, challenge) = house.order("5").await;
        let payment = house.svm.payment(&challenge, "official").await;
        node.takes(method, mood.clone());
        let paid = house.pay(order, &payment).await;
        assert_eq!(told(&paid), (true, "credit_pending"), "{method} {mood:?}: {paid}");
        assert_eq!((house.balance().await.as_str(), house.received().await), ("0", 5_000_000));
        node.calm();
        house.ends_well(order, &payment).await;
    }
}

/// The answer of a node by whose word the last block that takes a transaction is this one.
fn last_block(height: u64) -> NodeFault {
    NodeFault::Lies(json!({"value": {"blockhash": "1".repeat(32), "lastValidBlockHeight": height}}))
}

/// One node says that no block takes a transaction any more, or that each will for ever. Beside an honest one, first or last in the
/// list, the payment waits as long as it can come, and no longer.
#[tokio::test(flavor = "multi_thread")]
async fn what_one_node_says_of_the_last_block_neither_ends_a_payment_nor_keeps_it() {
    for (is_first, height) in [(true, 1), (false, 1), (true, 1 << 40), (false, 1 << 40)] {
        let (house, node) = House::with_a_liar(is_first).await;
        house.svm.set(json!({"deaf": true})).await;
        let (order, challenge) = house.order("5").await;
        let payment = house.svm.payment(&challenge, "official").await;
        node.takes("getLatestBlockhash", last_block(height));
        let paid = house.pay(order, &payment).await;
        assert_eq!(told(&paid), (true, "credit_pending"), "first: {is_first}, {height}: {paid}");
        assert_eq!(node.asked("getLatestBlockhash"), 1, "each node is asked");
        let asked = node.asked("getEpochInfo");
        until_later("several looks", async || (node.asked("getEpochInfo") >= asked + 3).then_some(())).await;
        assert_eq!(house.waiting().await, 0, "first: {is_first}, {height}: it can still come");
        house.svm.mine(LAPSED_BLOCKS).await;
        until_later("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
        house.gateway.assert_books().await;
    }
}

/// Where there is no other node, a last block that cannot be right is refused before anything is signed; so is a whole lie about
/// the newest block beside an honest node, as nobody knows which of the two is right.
#[tokio::test(flavor = "multi_thread")]
async fn a_last_block_that_cannot_be_right_is_refused_before_anything_is_signed() {
    let refused = async |house: &House, order: i64, payment: &Value| {
        let refused = house.pay(order, payment).await;
        assert_eq!(told(&refused), (false, "CHAIN_UNAVAILABLE"), "{refused}");
        assert_eq!((house.svm.given().await, house.waiting().await), (0, 1), "nothing is on its way");
    };
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    for height in [1, 1 << 40] {
        node.takes("getLatestBlockhash", last_block(height));
        refused(&house, order, &payment).await;
    }
    node.calm();
    house.pay(order, &payment).await;
    house.ends_well(order, &payment).await;
    for is_first in [true, false] {
        let (house, node) = House::with_a_liar(is_first).await;
        let (order, challenge) = house.order("5").await;
        let payment = house.svm.payment(&challenge, "official").await;
        for (height, last) in [(1, 151), (1_u64 << 40, (1 << 40) + 150)] {
            node.takes("getBlockHeight", NodeFault::Pretends(json!(height)));
            node.takes("getLatestBlockhash", last_block(last));
            refused(&house, order, &payment).await;
        }
        node.calm();
        house.pay(order, &payment).await;
        house.ends_well(order, &payment).await;
    }
}

/// A node sends what it is only to try: without our signature it cannot, so nothing is carried out that nobody has kept.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_sends_what_it_is_to_try_carries_nothing_out() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    node.takes("simulateTransaction", NodeFault::DoesBefore("sendTransaction"));
    node.takes(
        "sendTransaction",
        NodeFault::Pretends(json!("1111111111111111111111111111111111111111111111111111111111111111")),
    );
    let paid = house.pay(order, &payment).await;
    assert_eq!(told(&paid), (true, "credit_pending"), "{paid}");
    assert_eq!((node.asked("simulateTransaction"), house.svm.carried_out().await), (1, 0));
    node.calm();
    house.ends_well(order, &payment).await;
}

/// Of two nodes the first hangs: the order is made and paid in time; and what it forges is not believed where it is much.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_node_answers_for_the_first_and_against_it() {
    let (house, node) = House::between(Clock::system()).await;
    node.takes("*", NodeFault::Hangs);
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    assert_eq!(told(&house.pay(order, &payment).await), (true, "settled"));
    node.calm();
    house.ends_well(order, &payment).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    node.takes("getTransaction", NodeFault::Fails);
    let paid = house.pay(order, &payment).await;
    assert_eq!(told(&paid), (true, "credit_pending"), "one node alone has shown it: {paid}");
    let rung = AlarmLog::of_this_test().rings("one_node").await;
    assert_eq!((&rung["credited_usd"], &rung["per_hour_usd"]), (&json!("5"), &json!("5")), "{rung}");
    assert_eq!(house.balance().await, "5");
    node.calm();
    house.balance_is("10").await;
    assert_eq!(house.received().await, 10_000_000);
    house.gateway.assert_books().await;
}

/// Two nodes contradict each other, or one of them is gone and both have to say that a payment has failed: an operator hears of it
/// within minutes.
// suite: waiting 36s
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_waits_for_a_node_for_minutes_rings_on_solana() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let (house, node) = House::between(clock).await;
    let bells = AlarmLog::of_this_test();
    let (order, challenge) = house.order("6").await;
    let payment = house.svm.payment(&challenge, "official").await;
    node.takes("getTransaction", NodeFault::Pretends(Value::Null));
    assert_eq!(told(&house.pay(order, &payment).await), (true, "credit_pending"));
    let asked = node.asked("getSignatureStatuses");
    until_later("a look", async || (node.asked("getSignatureStatuses") > asked).then_some(())).await;
    assert!(bells.rung().is_empty(), "it may come back: {:?}", bells.rung());
    hand.advance_ms(3 * 60_000);
    let rung = bells.rings("unconfirmed").await;
    assert_eq!((&rung["order"], &rung["network"]), (&json!(order.to_string()), &json!(NETWORK)), "{rung}");
    assert!(rung["why"].as_str().is_some_and(|why| why.contains("and another does not")), "{rung}");
    node.calm();
    house.balance_is("6").await;
    // One that its payer has spent before fails on chain: anything but money is believed of both alone.
    house.svm.set(json!({"mineAtOnce": false})).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    assert_eq!(told(&house.pay(order, &payment).await), (true, "credit_pending"));
    node.takes("*", NodeFault::Fails);
    house.svm.ask("test_send", json!([{"units": 999_994_000_000_u64}])).await;
    house.svm.mine(1).await;
    hand.advance_ms(3 * 60_000);
    until_later("it to ring", async || (bells.rung().len() == 2).then_some(())).await;
    assert_eq!((&bells.rung()[1]["order"], house.waiting().await), (&json!(order.to_string()), 0));
    node.calm();
    until_later("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_fee_payer_takes_no_payment_and_rings() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    node.takes("getBalance", NodeFault::Pretends(json!({"context": {"slot": 1}, "value": 890_880})));
    assert_eq!(told(&house.pay(order, &payment).await), (false, "CHAIN_UNAVAILABLE"));
    let rung = AlarmLog::of_this_test().ring("relayer", 1).await;
    assert_eq!(
        (&rung[0]["fee_payer"], rung[0]["lamports"].as_u64()),
        (&json!(house.svm.address("feePayer")), Some(890_880))
    );
    assert_eq!((house.svm.given().await, house.waiting().await), (0, 1));
    node.calm();
    house.pay(order, &payment).await;
    house.ends_well(order, &payment).await;
}
