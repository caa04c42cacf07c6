//! What payers whose payments the network does not carry out cost our account on Solana: in an hour so much, whoever they are.

use serde_json::{Value, json};
use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::{Clock, OrderId};
use tollgate_tests::gateway::Options;
use tollgate_tests::svm::{NETWORK, Svm};
use tollgate_tests::wait::until_later;
use tollgate_tests::{AlarmLog, TestGateway};

use super::{House, told};

const HOUR_MS: i64 = 3_600_000;
/// Four and a half fees: two signatures cost ten thousand lamports, which are a cent here.
const BUDGET: &str = "coin_usd = \"1000\"\nrelayer_usd_per_hour = \"0.045\"";
const BUDGET_LAMPORTS: u64 = 45_000;

impl House {
    /// An order over so many dollars by a key and its payment, a transaction of its own by the price: its number and the answer.
    async fn tries(&self, key: &str, usd: u64, price: usize) -> (OrderId, Value) {
        let (order, challenge) = self.order_by(key, json!({"amount_usd": usd})).await;
        let payment = self.svm.payment_with(&challenge, "good", json!({"price": price})).await;
        (OrderId(order), self.pay(order, &payment).await)
    }
}

/// Payers of several accounts have payments on their way, and spend the money before a block takes them. Each fails on the chain,
/// for a fee of ours: as many as the amount of the hour holds are carried, also after they have failed, and then none.
#[tokio::test(flavor = "multi_thread")]
async fn payers_whose_payments_fail_cost_no_more_than_the_amount_of_an_hour() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let svm = Svm::start();
    let config = svm.config("0").replace("[chains.svm]", &format!("[chains.svm]\n{BUDGET}"));
    let config = config.replace("wait_seconds = 5", "wait_seconds = 0");
    let gateway = TestGateway::with(Options { credit: "0", config, clock, ..Options::default() }).await;
    let house = House { svm, gateway };
    let mut keys = vec![house.gateway.key.clone()];
    for number in 0..3 {
        keys.push(house.gateway.key_of(&format!("payer {number}")).await);
    }
    let had = house.svm.lamports("feePayer").await;
    house.svm.set(json!({"mineAtOnce": false})).await;
    let mut taken = Vec::new();
    let refused = loop {
        let (order, paid) = house.tries(&keys[taken.len() % keys.len()], 5, taken.len() + 1).await;
        if told(&paid) != (true, "credit_pending") {
            break paid;
        }
        taken.push(order);
    };
    assert_eq!((told(&refused), taken.len()), ((false, "CHAIN_UNAVAILABLE"), 4), "{refused}");
    let rung = AlarmLog::of_this_test().rings("relayer_budget").await;
    assert_eq!((&rung["network"], &rung["per_hour_usd"]), (&json!(NETWORK), &json!("0.045")), "{rung}");
    house.svm.ask("test_send", json!([{"units": 999_999_000_000_u64}])).await;
    house.svm.mine(1).await;
    for order in &taken {
        let state = async || house.gateway.service().topups.order(*order).await.expect("the store answers");
        let waits = async || state().await.filter(|order| order.state == State::Pending);
        until_later("the order to wait again", waits).await;
    }
    // They failed, and count on: whoever comes is refused, with a good payment as well.
    house.svm.set(json!({"mineAtOnce": true})).await;
    for key in &keys[1..] {
        let (_, refused) = house.tries(key, 1, 9).await;
        assert_eq!(told(&refused), (false, "CHAIN_UNAVAILABLE"), "{refused}");
    }
    let lost = had - house.svm.lamports("feePayer").await;
    assert!((40_000..=BUDGET_LAMPORTS).contains(&lost), "{lost} lamports");
    assert_eq!((house.svm.carried_out().await, house.received().await), (4, 0));
    hand.advance_ms(HOUR_MS + 1);
    let (_, paid) = house.tries(&house.gateway.key, 1, 9).await;
    assert!(told(&paid).0, "{paid}");
    house.balance_is("1").await;
    assert_eq!(house.received().await, 1_000_000);
    house.gateway.assert_books().await;
}
