//! What payers whose payments the network does not carry out cost our account on Solana: in an hour so much, whoever they are.

use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::{Clock, OrderId};
use tollgate_tests::gateway::{IN_FILE, Options};
use tollgate_tests::svm::{LAPSED_BLOCKS, NETWORK, Svm};
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

    /// The number of payments of the ledger's file of which this is true.
    pub(super) async fn payments_where(&self, condition: &'static str) -> i64 {
        let options = SqliteConnectOptions::new().filename(self.gateway.ledger()).read_only(true);
        let mut ledger = options.connect().await.expect("a ledger");
        let asked = format!("SELECT count(*) FROM chain_payments WHERE {condition}");
        sqlx::query_scalar(sqlx::AssertSqlSafe(asked)).fetch_one(&mut ledger).await.expect("a number")
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

/// A node hides that a payment has failed until it has lapsed by its word, and shows it then. Its fee stays in the amount of the
/// hour all along, and the block that shows it is kept: by that the payments that an account has at stake are counted.
#[tokio::test(flavor = "multi_thread")]
async fn a_fee_that_a_node_hides_stays_in_the_amount_of_the_hour() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let svm = Svm::start();
    let one_fee = "[chains.svm]\ncoin_usd = \"1000\"\nrelayer_usd_per_hour = \"0.015\"";
    let config = svm.config("0").replace("[chains.svm]", one_fee).replace("wait_seconds = 5", "wait_seconds = 0");
    let config = format!("{config}\n{IN_FILE}");
    let options = Options { credit: "0", config: config.clone(), clock: clock.clone(), ..Options::default() };
    let mut house = House { gateway: TestGateway::with(options).await, svm };
    let key = house.gateway.key.clone();
    house.svm.set(json!({"mineAtOnce": false})).await;
    let (_, paid) = house.tries(&key, 5, 1).await;
    assert_eq!(told(&paid), (true, "credit_pending"), "{paid}");
    house.svm.set(json!({"hidden": true})).await;
    house.svm.ask("test_send", json!([{"units": 999_999_000_000_u64}])).await;
    house.svm.mine(LAPSED_BLOCKS).await;
    until_later("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
    assert_eq!((house.svm.carried_out().await, house.received().await), (1, 0), "it failed, and has cost a fee");
    house.svm.set(json!({"mineAtOnce": true, "hidden": false})).await;
    let (_, refused) = house.tries(&key, 1, 2).await;
    assert_eq!(told(&refused), (false, "CHAIN_UNAVAILABLE"), "{refused}");
    // Whoever starts looks at once: the block is seen, and more than ten minutes later the payment is closed.
    for (minutes, condition) in [(0, "seen_block IS NOT NULL AND closed = 0"), (11, "closed = 1 AND fee > 0")] {
        hand.advance_ms(minutes * 60_000);
        let House { svm, gateway } = house;
        house = House { gateway: gateway.again(&config, clock.clone()).await, svm };
        until_later(condition, async || (house.payments_where(condition).await == 1).then_some(())).await;
        let (_, refused) = house.tries(&key, 1, 3).await;
        assert_eq!(told(&refused), (false, "CHAIN_UNAVAILABLE"), "after {minutes} minutes: {refused}");
    }
    hand.advance_ms(HOUR_MS);
    let (_, paid) = house.tries(&key, 1, 4).await;
    assert!(told(&paid).0, "{paid}");
    house.balance_is("1").await;
    house.gateway.assert_books().await;
}
