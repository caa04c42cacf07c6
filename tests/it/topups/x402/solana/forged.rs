//! Nodes of Solana that show money which did not come, or another amount than came: beside an honest one, and alone.

use serde_json::{Value, json};
use tollgate_base::Clock;
use tollgate_tests::AlarmLog;
use tollgate_tests::flaky_node::{FlakyNode, NodeFault};
use tollgate_tests::svm::{NETWORK, Svm};
use tollgate_tests::wait::until_later;

use super::{House, told};

/// More accounts than a payment names: a forged balance stands at each place.
const PLACES: usize = 32;
/// Looks after which a node would have been believed.
const LOOKS: usize = 3;
const HOUR_MS: i64 = 3_600_000;

/// A status of a transaction that was carried out, and lies as deep as can be.
fn final_status() -> NodeFault {
    let status = json!({"slot": 1, "confirmations": null, "err": null, "confirmationStatus": "finalized"});
    NodeFault::Lies(json!({"value": [status]}))
}

impl House {
    /// The outcome of a transaction by which so many units came, in whatever account.
    fn forged_meta(&self, units: u64) -> Value {
        let balances = |units: u64| -> Vec<Value> {
            let amount = json!({"amount": units.to_string()});
            let of = |place| json!({"accountIndex": place, "mint": self.svm.address("coin"), "uiTokenAmount": amount});
            (0..PLACES).map(of).collect()
        };
        json!({"err": null, "preTokenBalances": balances(7), "postTokenBalances": balances(7 + units)})
    }

    /// The answer of a node by whose word a payment is in a block, which it need not be, and has moved so many units.
    fn forged(&self, payment: &Value, units: u64) -> NodeFault {
        let bytes = json!([payment["payload"]["transaction"], "base64"]);
        NodeFault::Pretends(json!({"slot": 1, "transaction": bytes, "meta": self.forged_meta(units)}))
    }

    /// A node is asked several times more, and nothing comes of it.
    async fn waits_at(&self, node: &FlakyNode, balance: &str) {
        let asked = node.asked("getSignatureStatuses");
        let looks = async || (node.asked("getSignatureStatuses") >= asked + LOOKS).then_some(());
        until_later("several looks", looks).await;
        assert_eq!((self.balance().await.as_str(), self.waiting().await), (balance, 0));
    }
}

/// A node forges the whole payment: one that no block has, and one that came to nothing because its payer had spent the money. Of
/// an honest node beside it, first or last in the list, the other is known, and nothing is credited.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_one_node_forges_is_not_credited_beside_one_that_answers() {
    for (is_first, is_spent) in [(true, false), (true, true), (false, false), (false, true)] {
        let (house, node) = House::with_a_liar(is_first).await;
        house.svm.set(json!({"mineAtOnce": false})).await;
        let (order, challenge) = house.order("5").await;
        let payment = house.svm.payment(&challenge, "official").await;
        node.takes("getSignatureStatuses", final_status());
        node.takes("getTransaction", house.forged(&payment, 5_000_000));
        let paid = house.pay(order, &payment).await;
        assert_eq!(told(&paid), (true, "credit_pending"), "first: {is_first}: {paid}");
        if is_spent {
            house.svm.ask("test_send", json!([{"units": 999_999_000_000_u64}])).await;
            house.svm.mine(1).await;
        }
        house.waits_at(&node, "0").await;
        assert_eq!(house.received().await, 0);
        node.calm();
        if is_spent {
            until_later("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
            assert_eq!((house.balance().await.as_str(), house.received().await), ("0", 0));
            house.gateway.assert_books().await;
        } else {
            house.svm.mine(1).await;
            house.ends_well(order, &payment).await;
        }
    }
}

/// A node shows more or less than came, and an honest one what came: the credit waits until they agree, and is what was paid.
#[tokio::test(flavor = "multi_thread")]
async fn another_amount_that_one_node_shows_delays_the_credit() {
    for (is_first, units) in [(true, 4_999_999), (true, 500_000_000), (false, 1), (false, 5_000_001)] {
        let (house, node) = House::with_a_liar(is_first).await;
        let (order, challenge) = house.order("5").await;
        let payment = house.svm.payment(&challenge, "official").await;
        node.takes("getTransaction", NodeFault::Lies(json!({"meta": house.forged_meta(units)})));
        let paid = house.pay(order, &payment).await;
        assert_eq!(told(&paid), (true, "credit_pending"), "{units}: {paid}");
        house.waits_at(&node, "0").await;
        node.calm();
        house.ends_well(order, &payment).await;
    }
}

/// A node forges payment after payment, and there is no other, or one that says nothing, first or last in the list: as much is
/// credited as is believed of one within an hour. What is beyond that waits, and an operator hears of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_forges_alone_gets_no_more_than_the_amount_of_an_hour() {
    for silent_place in [None, Some(0), Some(1)] {
        let svm = Svm::start();
        let (liar, silent) = (FlakyNode::before(&svm.url).await, FlakyNode::before(&svm.url).await);
        let mut nodes = vec![liar.url()];
        if let Some(place) = silent_place {
            nodes.insert(place, silent.url());
        }
        let (clock, hand) = Clock::manual(Clock::system().now_ms());
        let house = House::on(svm, &nodes, "9.99", clock).await;
        house.svm.set(json!({"mineAtOnce": false})).await;
        let (bells, before) = (AlarmLog::of_this_test(), AlarmLog::of_this_test().rung().len());
        for status in ["settled", "credit_pending"] {
            let (order, challenge) = house.order("5").await;
            let payment = house.svm.payment(&challenge, "official").await;
            silent.takes("*", NodeFault::Fails);
            liar.takes("getSignatureStatuses", final_status());
            liar.takes("getTransaction", house.forged(&payment, 5_000_000));
            let paid = house.pay(order, &payment).await;
            assert_eq!(told(&paid), (true, status), "{silent_place:?}: {paid}");
            if status == "settled" {
                assert_eq!(bells.rung().len(), before, "{:?}", bells.rung());
                continue;
            }
            until_later("the alarm", async || (bells.rung().len() > before).then_some(())).await;
            let rung = &bells.rung()[before];
            assert_eq!((&rung["alarm"], &rung["order"]), (&json!("one_node"), &json!(order.to_string())), "{rung}");
            assert_eq!((&rung["credited_usd"], &rung["per_hour_usd"]), (&json!("5"), &json!("9.99")), "{rung}");
            assert_eq!(rung["network"], NETWORK, "{rung}");
        }
        // Within the hour nothing more comes of it, and after it another such amount.
        hand.advance_ms(HOUR_MS - 1_000);
        house.waits_at(&liar, "5").await;
        hand.advance_ms(1_001);
        house.balance_is("10").await;
        assert_eq!(house.received().await, 0, "all of it is made up");
        house.gateway.assert_books().await;
    }
}
