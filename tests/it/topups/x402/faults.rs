//! Nodes that fail, hang, are behind, or lose what they have answered: a payment is sent once, and credited once they tell.

use serde_json::{Value, json};
use tollgate_tests::chain::Anvil;
use tollgate_tests::client;
use tollgate_tests::flaky_node::{FlakyNode, NodeFault};
use tollgate_tests::wait::until_later;

use super::{House, gateway_on};

impl House {
    /// A house whose only node is a fickle one.
    pub(super) async fn behind(depth: &str) -> (Self, FlakyNode) {
        let anvil = Anvil::start().await;
        let node = FlakyNode::before(&anvil.url).await;
        let gateway = gateway_on(anvil.config(depth).replace(&anvil.url, &node.url())).await;
        (Self { anvil, gateway }, node)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_loses_its_answer_has_sent_the_payment() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    node.takes("eth_sendRawTransaction", NodeFault::LosesTheAnswer);
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "settled", "the chain shows it: {paid}");
    node.calm();
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_node_says_to_a_transaction_is_no_evidence() {
    for words in ["already known", "nonce too low", "replacement transaction underpriced", "insufficient funds"] {
        let (house, node) = House::behind("0").await;
        let (order, challenge) = house.order("5").await;
        let payment = house.payment(&challenge, 1).body();
        node.takes("eth_sendRawTransaction", NodeFault::SaysInstead(words));
        let paid = house.pay(order, &payment).await;
        assert_eq!(paid["data"]["status"], "settled", "{words}: {paid}");
        house.ends_well(order, &payment).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_a_node_swallows_is_sent_again() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    node.takes("eth_sendRawTransaction", NodeFault::Pretends(json!(format!("0x{}", "ab".repeat(32)))));
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    assert_eq!(house.received().await, 0);
    node.calm();
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_fails_leaves_the_order_as_it_was() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    for method in
        ["eth_getCode", "eth_call", "eth_estimateGas", "eth_getTransactionCount", "eth_maxPriorityFeePerGas", "*"]
    {
        node.takes(method, NodeFault::Fails);
        let refused = house.pay(order, &payment).await;
        assert_eq!(
            (refused["message"].as_str(), refused["data"]["status"].as_str()),
            (Some("CHAIN_UNAVAILABLE"), Some("pending")),
            "{method}"
        );
        node.calm();
    }
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "settled", "nothing of it was used up");
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_after_the_payment_was_sent_delays_its_credit() {
    let (house, node) = House::behind("3").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
    node.takes("*", NodeFault::Fails);
    house.anvil.mine(3).await;
    let again = house.pay(order, &payment).await;
    assert_eq!(again["message"], "X402_SETTLE_PENDING", "{again}");
    assert_eq!(house.balance().await, "0");
    node.calm();
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_hangs_keeps_no_payer_waiting_for_ever() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    node.takes("eth_estimateGas", NodeFault::Hangs);
    let refused = house.pay(order, &payment).await;
    assert_eq!(refused["message"], "CHAIN_UNAVAILABLE", "{refused}");
    node.calm();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "settled");
}

/// Behind one address may be several nodes, some of which have not got what the others have. That something never came is
/// believed of none that cannot know.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_behind_does_not_say_that_a_payment_never_came() {
    let (house, node) = House::behind("3").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let before = house.anvil.head().await;
    for method in ["eth_getTransactionReceipt", "eth_call", "eth_getLogs"] {
        node.takes(method, NodeFault::Lags(before));
    }
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    assert_eq!(house.received().await, 5_000_000, "it is there");
    house.anvil.age().await;
    // Its time is over, and it is looked for again and again.
    let asked = node.asked("eth_call");
    until_later("several looks", async || (node.asked("eth_call") >= asked + 6).then_some(())).await;
    assert_eq!((house.waiting().await, house.balance().await.as_str()), (0, "0"), "nobody says that it did not come");
    node.calm();
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_never_came_is_given_up_when_its_time_is_over() {
    let (house, node) = House::behind("3").await;
    let (order, challenge) = house.order("5").await;
    node.takes("eth_sendRawTransaction", NodeFault::Pretends(json!(format!("0x{}", "ab".repeat(32)))));
    let paid = house.pay(order, &house.payment(&challenge, 1).body()).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    assert_eq!(house.waiting().await, 0);
    house.anvil.age().await;
    until_later("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
    assert_eq!((house.received().await, house.balance().await.as_str()), (0, "0"));
    house.gateway.assert_books().await;
}

/// Each of ten payments has questions to which no node ever answers: the eleventh is credited as if they were not there.
#[tokio::test(flavor = "multi_thread")]
async fn payments_whose_questions_hang_keep_no_other_waiting() {
    let anvil = Anvil::start().await;
    let node = FlakyNode::before(&anvil.url).await;
    let config = anvil.config("3").replace(&anvil.url, &node.url()).replace("wait_seconds = 5", "wait_seconds = 0");
    let house = House { gateway: gateway_on(config).await, anvil };
    for number in 1..=11 {
        let (order, challenge) = house.order("1").await;
        let paid = house.pay(order, &house.payment(&challenge, number).body()).await;
        assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
        let newest = house.anvil.ask("eth_getBlockByNumber", json!(["latest", false])).await;
        let hash = newest["transactions"][0].as_str().expect("it made a block").to_owned();
        if number <= 10 {
            node.takes_about(&hash, NodeFault::Hangs);
        }
    }
    house.anvil.mine(3).await;
    house.balance_is("1").await;
    node.calm();
    house.balance_is("11").await;
    assert_eq!(house.received().await, 11_000_000);
    house.gateway.assert_books().await;
}

/// Somebody else has carried a payment, and of the nodes behind an address one has the newest state and another not what led to
/// it. To refuse it is to have its payer pay twice: the same payment may come again, and nothing else is asked for.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_whose_use_a_node_does_not_show_is_not_refused() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1);
    let before = house.anvil.head().await;
    house.carried_by_a_stranger(&payment).await;
    for mood in [NodeFault::Lags(before), NodeFault::Pretends(json!([]))] {
        node.takes("eth_getLogs", mood);
        let refused = house.pay(order, &payment.body()).await;
        assert_eq!(
            (refused["message"].as_str(), refused["data"]["status"].as_str()),
            (Some("X402_SETTLE_PENDING"), Some("pending")),
            "{refused}"
        );
        let asked = client().get(house.gateway.url(&format!("/api/x402/pay/{order}")));
        let header = data_encoding::BASE64.encode(payment.body().to_string().as_bytes());
        let told = asked.header("PAYMENT-SIGNATURE", header).send().await.expect("an answer");
        assert_eq!(
            (told.status().as_u16(), told.headers().get("payment-required")),
            (409, None),
            "no other is to be signed"
        );
    }
    node.calm();
    assert_eq!(house.pay(order, &payment.body()).await["data"]["status"], "settled");
    house.ends_well(order, &payment.body()).await;
    // The same for another order is refused, whatever a node shows: it is known here.
    let (other, _) = house.order("5").await;
    node.takes("eth_getLogs", NodeFault::Pretends(json!([])));
    node.takes("eth_call", NodeFault::Pretends(json!(format!("0x{:064x}", 1))));
    assert_eq!(house.pay(other, &payment.body()).await["message"], "X402_PAYMENT_REJECTED");
    node.takes("eth_getLogs", NodeFault::Fails);
    let refused = house.pay(other, &payment.body()).await;
    assert_eq!(refused["message"], "X402_PAYMENT_REJECTED", "{refused}");
    // Whoever lost the answer to the first one hears where to look before another is signed.
    assert!(refused["detail"].as_str().is_some_and(|told| told.contains(&format!("the order {order}:"))), "{refused}");
}

/// Many providers look through some blocks at once alone, and what is looked for may lie far back: it is found, if need be by
/// several looks.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_found_however_few_blocks_a_node_looks_through() {
    for (blocks, bound) in [(5_000, 300), (5_000, 10), (50, 1)] {
        let (house, node) = House::behind("0").await;
        let (order, challenge) = house.order("5").await;
        let payment = house.payment(&challenge, 1);
        house.anvil.mine(blocks).await;
        house.carried_by_a_stranger(&payment).await;
        node.takes("eth_getLogs", NodeFault::Bounds(bound));
        let mut told: Vec<Value> = Vec::new();
        while told.len() < 10 && told.last().is_none_or(|told| told["success"] == false) {
            told.push(house.pay(order, &payment.body()).await);
        }
        let (paid, before) = told.split_last().expect("it was tried");
        let status = paid["data"]["status"].as_str().unwrap_or_default();
        assert!(["settled", "credit_pending"].contains(&status), "{bound}: {paid}");
        assert!(before.iter().all(|told| told["message"] == "X402_SETTLE_PENDING"), "{bound}: {before:?}");
        assert_eq!(before.is_empty(), bound != 10, "{bound}: {before:?}");
        house.ends_well(order, &payment.body()).await;
    }
}
