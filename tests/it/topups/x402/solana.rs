//! The same on Solana: the payer signs a transaction, we pay its fee, and nothing else of ours ever moves.

mod attacks;
mod crash;
mod ends;
mod faults;
mod fees;
mod fit;
mod forged;

use serde_json::{Value, json};
use tollgate_base::OrderId;
use tollgate_tests::gateway::{Options, exact};
use tollgate_tests::svm::{FINAL_BLOCKS, NETWORK, PAYER_SEED, Svm};
use tollgate_tests::wait::until_later;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, client};

/// A gateway on a network of its own, without credit.
struct House {
    svm: Svm,
    gateway: TestGateway,
}

impl House {
    /// A network and a gateway that credits what lies so deep.
    async fn open(depth: &str) -> Self {
        let svm = Svm::start();
        let config = svm.config(depth);
        let gateway = TestGateway::with(Options { credit: "0", config, ..Options::default() }).await;
        Self { svm, gateway }
    }

    /// An order over so many dollars: its number and its challenge.
    async fn order(&self, usd: &str) -> (i64, Value) {
        self.order_by(&self.gateway.key, json!({"amount_usd": usd.parse::<u32>().expect("whole dollars")})).await
    }

    async fn order_by(&self, key: &str, body: Value) -> (i64, Value) {
        let made = self.post(key, "/api/user/topup/x402/orders", &body).await;
        assert_eq!(made["success"], true, "{made}");
        let order = &made["data"];
        (order["order_id"].to_string().parse().expect("a number"), order["challenge"].clone())
    }

    async fn post(&self, key: &str, path: &str, body: &Value) -> Value {
        let request = client().post(self.gateway.url(path)).bearer_auth(key).json(body);
        exact(&request.send().await.expect("an answer").text().await.expect("a body"))
    }

    /// Submits a payment.
    async fn pay(&self, order: i64, body: &Value) -> Value {
        let request = client().post(self.gateway.url(&format!("/api/x402/pay/{order}"))).json(body);
        let reply = request.send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "the answer is always 200");
        exact(&reply.text().await.expect("a body"))
    }

    async fn balance(&self) -> String {
        self.gateway.balance().await["quota_usd"].to_string().trim_matches('"').to_owned()
    }

    async fn balance_is(&self, usd: &str) {
        until_later("the credit", async || (self.balance().await == usd).then_some(())).await;
    }

    /// The orders that the list has.
    async fn waiting(&self) -> usize {
        let reply = self.gateway.get("/api/user/topup/x402/orders").send().await.expect("an answer");
        exact(&reply.text().await.expect("a body"))["data"].as_array().expect("a list").len()
    }

    /// What was paid to us in the first coin, in its smallest units.
    async fn received(&self) -> u64 {
        self.svm.units("coinAccount").await
    }

    /// The transaction that an order was paid by.
    async fn reference(&self, order: i64) -> Option<String> {
        let found = self.gateway.service().topups.order(OrderId(order)).await.expect("the store answers");
        found.expect("an order").receipt
    }
}

/// What was said of a payment: whether it was taken, and the code or the state.
fn told(reply: &Value) -> (bool, &str) {
    let taken = reply["success"] == true;
    (taken, if taken { &reply["data"]["status"] } else { &reply["message"] }.as_str().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_protocols_own_client_pays_on_solana() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let option = &challenge["accepts"][0];
    assert_eq!((option["network"].as_str(), &option["amount"]), (Some(NETWORK), &json!("5000000")));
    assert_eq!(option["extra"], json!({"feePayer": house.svm.address("feePayer"), "memo": format!("order:{order}")}));
    let payment = house.svm.payment(&challenge, "official").await;
    let paid = house.pay(order, &payment).await;
    assert_eq!(told(&paid), (true, "settled"), "{paid}");
    assert_eq!((&paid["data"]["balance_added"], house.balance().await.as_str()), (&json!(5), "5"));
    assert_eq!((house.received().await, house.svm.carried_out().await), (5_000_000, 1));
    let reference = house.reference(order).await.expect("it was paid by one");
    let shown = house.svm.ask("getSignatureStatuses", json!([[reference]])).await;
    assert_eq!(shown["value"][0]["err"], Value::Null, "{shown}");
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_of_the_newer_program_and_older_transactions_pay_as_well() {
    let house = House::open("0").await;
    let (order, challenge) = house.order_by(&house.gateway.key, json!({"amount_usd": 2, "symbol": "USDT"})).await;
    assert_eq!(challenge["accepts"][0]["asset"], json!(house.svm.address("newCoin")));
    let paid = house.pay(order, &house.svm.payment(&challenge, "official").await).await;
    assert_eq!(told(&paid), (true, "settled"), "{paid}");
    assert_eq!((house.svm.units("newCoinAccount").await, house.received().await), (2_000_000, 0));
    let (order, challenge) = house.order("3").await;
    let paid = house.pay(order, &house.svm.payment(&challenge, "legacy").await).await;
    assert_eq!(told(&paid), (true, "settled"), "{paid}");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 3_000_000));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_credited_when_it_lies_deep_enough() {
    for (depth, blocks) in [("\"finalized\"", FINAL_BLOCKS), ("2", 3)] {
        let house = House::open(depth).await;
        let (order, challenge) = house.order("5").await;
        let payment = house.svm.payment(&challenge, "official").await;
        let paid = house.pay(order, &payment).await;
        assert_eq!(told(&paid), (true, "credit_pending"), "{paid}");
        let again = house.pay(order, &payment).await;
        assert_eq!(told(&again), (false, "X402_SETTLE_PENDING"), "{again}");
        house.svm.mine(blocks - 2).await;
        assert_eq!((house.balance().await.as_str(), house.received().await), ("0", 5_000_000));
        house.svm.mine(2).await;
        house.balance_is("5").await;
        house.gateway.assert_books().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_without_votes_is_not_believed() {
    let house = House::open("\"confirmed\"").await;
    house.svm.set(json!({"confirmAfter": 2})).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    assert_eq!(told(&house.pay(order, &payment).await), (true, "credit_pending"));
    assert_eq!(house.balance().await, "0");
    house.svm.mine(2).await;
    house.balance_is("5").await;
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_at_once_pay_once_on_solana() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    // The same payment twenty times, then twenty transactions for one order.
    let same = house.svm.payment(&challenge, "official").await;
    let outcomes = futures_util::future::join_all((0..20).map(|_| house.pay(order, &same))).await;
    super::assert_paid_once(&outcomes);
    let (order, challenge) = house.order("5").await;
    let mut many = Vec::new();
    for price in 1..=20 {
        many.push(house.svm.payment_with(&challenge, "good", json!({"price": price})).await);
    }
    let outcomes = futures_util::future::join_all(many.iter().map(|payment| house.pay(order, payment))).await;
    super::assert_paid_once(&outcomes);
    assert_eq!((house.balance().await.as_str(), house.received().await), ("10", 10_000_000));
    assert_eq!(house.svm.carried_out().await, 2);
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agents_order_is_paid_by_its_wallet_alone() {
    let house = House::open("0").await;
    let wallet = Wallet::solana(PAYER_SEED);
    let agent =
        house.post(&house.gateway.key, "/api/user/self/agents", &wallet.registration(&house.gateway.url(""))).await;
    let key = agent["data"]["api_key"].as_str().unwrap_or_else(|| panic!("{agent}"));
    let (order, challenge) = house.order_by(key, json!({"amount_usd": 5})).await;
    let other = house.pay(order, &house.svm.payment(&challenge, "too poor").await).await;
    assert_eq!(told(&other), (false, "PAYLOAD_MISMATCH"), "{other}");
    assert_eq!(other["data"]["field"], "payload.transaction.authority");
    let paid = house.pay(order, &house.svm.payment(&challenge, "official").await).await;
    assert_eq!(told(&paid), (true, "settled"), "{paid}");
    // An agent on an EVM chain has nothing to pay with here.
    let wallet = Wallet::evm();
    let agent =
        house.post(&house.gateway.key, "/api/user/self/agents", &wallet.registration(&house.gateway.url(""))).await;
    let key = agent["data"]["api_key"].as_str().unwrap_or_else(|| panic!("{agent}"));
    let refused = house.post(key, "/api/user/topup/x402/orders", &json!({"amount_usd": 5})).await;
    assert_eq!(told(&refused), (false, "X402_UNSUPPORTED_ASSET"), "{refused}");
    house.gateway.assert_books().await;
}
