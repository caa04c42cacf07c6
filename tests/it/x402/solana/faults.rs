//! Nodes of Solana that fail, lose what they have answered, and lie.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::fickle::{Fickle, Mood};
use tollgate_tests::gateway::Options;
use tollgate_tests::svm::Svm;

use super::{House, told};

impl House {
    /// A house whose only node is a fickle one.
    async fn behind(depth: &str) -> (Self, Fickle) {
        let svm = Svm::start();
        let node = Fickle::before(&svm.url).await;
        let config = svm.config(depth).replace(&svm.url, &node.url());
        let gateway = TestGateway::with(Options { credit: "0", config, ..Options::default() }).await;
        (Self { svm, gateway }, node)
    }

    /// The order is paid, and credited once.
    async fn ends_well(&self, order: i64, payment: &Value) {
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
        node.takes(method, Mood::Lies(lie));
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
    node.takes("getSignatureStatuses", Mood::Lies(json!({"value": [status]})));
    let meta = json!({"err": failed, "preTokenBalances": [], "postTokenBalances": []});
    node.takes("getTransaction", Mood::Lies(json!({"meta": meta})));
    let refused = house.pay(order, &payment).await;
    assert_eq!(told(&refused), (false, "X402_PAYMENT_REJECTED"), "{refused}");
    assert_eq!((house.balance().await.as_str(), house.waiting().await), ("0", 1));
    node.calm();
    house.ends_well(order, &payment).await;
}
