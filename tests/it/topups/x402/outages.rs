//! Chains that cannot be asked: no order waits for them, and what is not on offer is told as what it is.

use serde_json::{Value, json};
use tollgate_tests::chain::{Anvil, NETWORK};
use tollgate_tests::client;
use tollgate_tests::flaky_node::{FlakyNode, NodeFault};
use tollgate_tests::gateway::exact;
use tollgate_tests::svm::{self, Svm};

use super::{House, gateway_on};

const ORDERS: &str = "/api/user/topup/x402/orders";

/// A house with a chain behind a fickle node, and one that is well; what is returned keeps them.
async fn two_chains() -> (House, FlakyNode, Svm) {
    let (anvil, svm) = (Anvil::start().await, Svm::start());
    let node = FlakyNode::before(&anvil.url).await;
    let rails = svm.config("0");
    let (_, other) = rails.split_once("[chains.svm]").expect("a chain");
    let config = format!("{}[chains.svm]{other}", anvil.config("0").replace(&anvil.url, &node.url()));
    (House { gateway: gateway_on(config).await, anvil }, node, svm)
}

impl House {
    async fn makes(&self, body: &Value) -> Value {
        self.post(ORDERS, body.to_string()).await
    }
}

/// The networks of a challenge, each once.
fn offered(order: &Value) -> Vec<&str> {
    let accepts = order["challenge"]["accepts"].as_array().expect("options");
    let mut networks: Vec<&str> = accepts.iter().map(|option| option["network"].as_str().expect("a text")).collect();
    networks.dedup();
    networks
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_that_does_not_answer_is_left_out_and_told() {
    let (house, node, _svm) = two_chains().await;
    let whole = house.makes(&json!({"amount_usd": 5})).await;
    assert_eq!(offered(&whole["data"]), [NETWORK, svm::NETWORK], "{whole}");
    assert!(whole["data"].get("left_out").is_none(), "nothing is left out: {whole}");
    for mood in [NodeFault::Hangs, NodeFault::Fails] {
        node.takes("*", mood.clone());
        let made = house.makes(&json!({"amount_usd": 5})).await;
        let order = &made["data"];
        assert_eq!(offered(order), [svm::NETWORK], "{mood:?}: {made}");
        let left_out = json!([{"network": NETWORK, "reason": "unavailable"}]);
        assert_eq!(order["left_out"], left_out, "{mood:?}: {made}");
        let listed = house.data(ORDERS).await;
        let same = listed.as_array().expect("a list").iter().find(|one| one["order_id"] == order["order_id"]);
        assert_eq!(same.expect("it waits")["left_out"], left_out, "the list tells it as well");
        node.calm();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_is_told_as_an_outage_and_not_as_a_switch() {
    let (house, node) = House::behind("0").await;
    for (mood, body) in
        [(NodeFault::Fails, json!({"amount_usd": 5})), (NodeFault::Hangs, json!({"amount_usd": 5, "network": NETWORK}))]
    {
        node.takes("*", mood.clone());
        let request = client().post(house.gateway.url(ORDERS)).bearer_auth(&house.gateway.key).json(&body);
        let reply = request.send().await.expect("an answer");
        let again = reply.headers().get("retry-after").and_then(|again| again.to_str().ok()).map(str::to_owned);
        assert_eq!((reply.status().as_u16(), again.as_deref()), (200, Some("5")), "{mood:?}");
        let refused = exact(&reply.text().await.expect("a body"));
        assert_eq!(refused["message"], "X402_CHAIN_UNAVAILABLE", "{mood:?}: {refused}");
        assert_eq!(refused["data"], json!({"networks": NETWORK}), "{mood:?}");
        node.calm();
    }
    assert_eq!(house.waiting().await, 0, "no order was made");
    house.order("5").await;
}

/// One of whose nodes hangs is no chain that hangs: whichever node answers first is believed.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_waits_for_no_node_while_another_answers() {
    let (house, node) = House::between(Anvil::start().await, "0").await;
    node.takes("*", NodeFault::Hangs);
    // What is waited for a chain is less than the node would take.
    house.order("5").await;
}

/// An amount that only one of two chains can hold is paid on that one.
#[tokio::test(flavor = "multi_thread")]
async fn a_chain_whose_tokens_cannot_hold_the_amount_is_told_so() {
    let (anvil, svm) = (Anvil::start().await, Svm::start());
    let fine = anvil.permit2_token("Plain", "FINE", 1_000_000).await;
    let rails = svm.config("0");
    let (_, other) = rails.split_once("[chains.svm]").expect("a chain");
    let gateway = gateway_on(format!("{}[chains.svm]{other}", anvil.config_with("0", &[fine]))).await;
    let house = House { gateway, anvil };
    let made = house.post(ORDERS, r#"{"amount_usd":5.0000001}"#.to_owned()).await;
    assert_eq!(offered(&made["data"]), [NETWORK], "{made}");
    assert_eq!(made["data"]["left_out"], json!([{"network": svm::NETWORK, "reason": "too_precise"}]), "{made}");
}
