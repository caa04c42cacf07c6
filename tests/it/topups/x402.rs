//! Top-ups that are paid on a chain, over real chain software: what the protocol's own client pays is credited once, and
//! whatever anybody tries is credited never, or once, and costs the payer no more than that.

// suite of this file: waiting

mod accounts;
mod agents;
mod amounts;
mod attacks;
mod chain_ends;
mod check;
mod crashes;
mod faults;
mod fees;
mod forged;
mod guide;
mod handshake;
mod lies;
mod minimums;
mod nodes;
mod outages;
pub(crate) mod permit2;
mod polled;
mod relayer;
mod reorgs;
mod solana;
mod wallets;

use std::path::Path;

use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tollgate_base::Clock;
use tollgate_chains::evm::TransferAuthorization;
use tollgate_tests::chain::{self, Anvil, CHAIN, NETWORK, PAY_TO, PAYER, RELAYER, account};
use tollgate_tests::gateway::{Options, exact};
use tollgate_tests::wait::until_later;
use tollgate_tests::{TestGateway, client, python, script};

/// A gateway on a chain of its own, without credit.
pub(crate) struct House {
    pub(crate) anvil: Anvil,
    pub(crate) gateway: TestGateway,
}

/// A payment as a client makes it, before it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Payment {
    pub(crate) accepted: Value,
    pub(crate) signed: TransferAuthorization,
    pub(crate) signature: String,
}

impl Payment {
    pub(crate) fn body(&self) -> Value {
        let TransferAuthorization { from, to, value, valid_after, valid_before, nonce } = &self.signed;
        json!({
            "x402Version": 2, "accepted": self.accepted,
            "payload": {"signature": self.signature, "authorization": {
                "from": from.to_string(), "to": to.to_string(), "value": value.to_string(),
                "validAfter": valid_after.to_string(), "validBefore": valid_before.to_string(),
                "nonce": format!("0x{}", data_encoding::HEXLOWER.encode(nonce)),
            }},
        })
    }
}

impl House {
    /// A chain and a gateway that credits what lies so deep.
    pub(crate) async fn open(depth: &str) -> Self {
        let anvil = Anvil::start().await;
        let gateway = gateway_on(anvil.config(depth)).await;
        Self { anvil, gateway }
    }

    /// An order over so much: its number and its challenge.
    pub(crate) async fn order(&self, usd: &str) -> (i64, Value) {
        let made = self.post("/api/user/topup/x402/orders", format!("{{\"amount_usd\":{usd}}}")).await;
        assert_eq!(made["success"], true, "{made}");
        let order = &made["data"];
        (order["order_id"].to_string().parse().expect("a number"), order["challenge"].clone())
    }

    /// A good payment for a challenge, signed by the payer.
    pub(crate) fn payment(&self, challenge: &Value, nonce: u8) -> Payment {
        let option = &challenge["accepts"][0];
        let signed = chain::authorization_for(option, [nonce; 32]);
        self.signed(option.clone(), signed)
    }

    /// Signs what is to be signed, whatever it is.
    pub(crate) fn signed(&self, accepted: Value, signed: TransferAuthorization) -> Payment {
        let signature = chain::sign(PAYER, &signed, &self.anvil.token(), CHAIN);
        Payment { accepted, signed, signature }
    }

    /// Submits a payment.
    pub(crate) async fn pay(&self, order: i64, body: &Value) -> Value {
        self.submit(order, body.to_string()).await
    }

    /// Submits whatever it is.
    pub(crate) async fn submit(&self, order: i64, body: impl Into<reqwest::Body>) -> Value {
        let request = client().post(self.gateway.url(&format!("/api/x402/pay/{order}")));
        let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "the answer is always 200");
        let told = exact(&reply.text().await.expect("a body"));
        assert_names_its_order(&told, order);
        told
    }

    /// A POST with the account's key.
    pub(crate) async fn post(&self, path: &str, body: String) -> Value {
        let request = client().post(self.gateway.url(path)).bearer_auth(&self.gateway.key);
        let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
        exact(&reply.text().await.expect("a body"))
    }

    /// Of a GET with the account's key, `data`.
    pub(crate) async fn data(&self, path: &str) -> Value {
        let reply = self.gateway.get(path).send().await.expect("an answer");
        exact(&reply.text().await.expect("a body"))["data"].clone()
    }

    /// What the account has.
    pub(crate) async fn balance(&self) -> String {
        self.gateway.balance().await["quota_usd"].to_string().trim_matches('"').to_owned()
    }

    /// Waits until the account has so much.
    pub(crate) async fn balance_is(&self, usd: &str) {
        until_later("the credit", async || (self.balance().await == usd).then_some(())).await;
    }

    /// What was paid to us, in the smallest units.
    pub(crate) async fn received(&self) -> u64 {
        self.anvil.coins(&account(PAY_TO).address).await
    }

    /// The orders that the list has.
    pub(crate) async fn waiting(&self) -> usize {
        self.data("/api/user/topup/x402/orders").await.as_array().expect("a list").len()
    }

    /// One number out of the ledger's file.
    pub(crate) async fn number(&self, statement: &'static str) -> i64 {
        let options = SqliteConnectOptions::new().filename(self.gateway.ledger()).read_only(true);
        let mut ledger = options.connect().await.expect("a ledger");
        sqlx::query_scalar(statement).fetch_one(&mut ledger).await.expect("a number")
    }

    /// The order is paid, and credited once.
    pub(crate) async fn ends_well(&self, order: i64, payment: &Value) {
        self.balance_is("5").await;
        assert_eq!(self.received().await, 5_000_000);
        assert_eq!(self.pay(order, payment).await["message"], "ORDER_ALREADY_SETTLED");
        self.gateway.assert_books().await;
    }
}

/// An answer that is about the order has its number and its name, whether the payment was taken or refused.
fn assert_names_its_order(told: &Value, order: i64) {
    let data = &told["data"];
    if told["success"] == false && data["status"].is_null() {
        return;
    }
    assert_eq!(data["order_id"].to_string(), order.to_string(), "{told}");
    assert!(data["trade_no"].as_str().is_some_and(|name| name.starts_with("tg")), "{told}");
}

/// A gateway with these rails.
pub(crate) async fn gateway_on(config: String) -> TestGateway {
    gateway_at(config, Clock::system()).await
}

/// The same with a clock.
async fn gateway_at(config: String, clock: Clock) -> TestGateway {
    TestGateway::with(Options { credit: "0", config, clock, ..Options::default() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_protocols_own_client_pays() {
    let house = House::open("0").await;
    let (url, key) = (house.gateway.url(""), house.gateway.key.clone());
    let output = tokio::task::spawn_blocking(move || {
        chain::run("pay.js", &[("GATEWAY", &url), ("KEY", &key), ("PAYER", PAYER), ("NETWORK", NETWORK)])
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(4));
    assert_eq!((house.balance().await.as_str(), house.received().await), ("11.75", 11_750_000));
    house.gateway.assert_books().await;
}

/// The protocol's Python client pays 5, 2 and 1.5.
async fn python_pays(house: &House) {
    let (url, key) = (house.gateway.url(""), house.gateway.key.clone());
    let output = tokio::task::spawn_blocking(move || {
        let env = [("GATEWAY", url.as_str()), ("KEY", &key), ("PAYER", PAYER), ("NETWORK", NETWORK)];
        python::pay(Path::new("pay.py"), &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(3));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_protocols_python_client_pays() {
    let house = House::open("0").await;
    python_pays(&house).await;
    assert_eq!((house.balance().await.as_str(), house.received().await), ("8.5", 8_500_000));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_credited_once_however_often_it_comes() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["success"], true, "{paid}");
    assert_eq!(
        (paid["data"]["status"].as_str(), paid["data"]["balance_added"].to_string().trim_matches('"')),
        (Some("settled"), "5")
    );
    for _ in 0..3 {
        let again = house.pay(order, &payment).await;
        assert_eq!(
            (again["success"].as_bool(), again["message"].as_str()),
            (Some(false), Some("ORDER_ALREADY_SETTLED"))
        );
        assert_eq!(again["code"], again["message"]);
        assert_eq!(again["data"]["status"], "settled");
    }
    let (other, _) = house.order("5").await;
    let used = house.pay(other, &payment).await;
    assert_eq!(used["message"], "X402_PAYMENT_REJECTED", "{used}");
    assert_eq!((house.balance().await.as_str(), house.received().await, house.waiting().await), ("5", 5_000_000, 1));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_lies_not_deep_enough_is_credited_when_it_does() {
    let house = House::open("3").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(
        (paid["success"].as_bool(), paid["data"]["status"].as_str()),
        (Some(true), Some("credit_pending")),
        "{paid}"
    );
    assert_eq!(paid["data"]["balance_added"].to_string().trim_matches('"'), "0");
    let again = house.pay(order, &payment).await;
    assert_eq!(again["message"], "X402_SETTLE_PENDING", "{again}");
    house.anvil.mine(2).await;
    assert_eq!((house.balance().await.as_str(), house.received().await), ("0", 5_000_000));
    house.anvil.mine(1).await;
    house.balance_is("5").await;
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_at_once_pay_once() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    // The same payment twenty times, then twenty payments for one order.
    let same = house.payment(&challenge, 1).body();
    let outcomes = futures_util::future::join_all((0..20).map(|_| house.pay(order, &same))).await;
    assert_paid_once(&outcomes);
    let (order, challenge) = house.order("5").await;
    let many: Vec<Value> = (1..=20).map(|nonce| house.payment(&challenge, 100 + nonce).body()).collect();
    let outcomes = futures_util::future::join_all(many.iter().map(|payment| house.pay(order, payment))).await;
    assert_paid_once(&outcomes);
    assert_eq!((house.balance().await.as_str(), house.received().await), ("10", 10_000_000));
    house.gateway.assert_books().await;
}

/// One was taken; the others were told that it was, or that it is on its way.
fn assert_paid_once(outcomes: &[Value]) {
    let taken = outcomes.iter().filter(|outcome| outcome["success"] == true).count();
    assert_eq!(taken, 1, "{outcomes:?}");
    for refused in outcomes.iter().filter(|outcome| outcome["success"] == false) {
        let code = refused["message"].as_str().unwrap_or_default();
        assert!(["SETTLING_IN_PROGRESS", "X402_SETTLE_PENDING", "ORDER_ALREADY_SETTLED"].contains(&code), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_accounts_numbers_do_not_collide() {
    let house = House::open("0").await;
    let mut orders = Vec::new();
    for nonce in 1..=3 {
        let (order, challenge) = house.order("1").await;
        orders.push((order, house.payment(&challenge, nonce).body()));
    }
    let outcomes =
        futures_util::future::join_all(orders.iter().map(|(order, payment)| house.pay(*order, payment))).await;
    assert!(outcomes.iter().all(|outcome| outcome["success"] == true), "{outcomes:?}");
    let sent = house.anvil.ask("eth_getTransactionCount", json!([account(RELAYER).address, "latest"])).await;
    assert_eq!((house.balance().await.as_str(), sent), ("3", json!("0x3")));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_challenge_and_the_config_say_the_same() {
    let house = House::open("0").await;
    let config = house.data("/api/user/topup/x402/config").await;
    assert_eq!((config["enabled"].as_bool(), config["network"].as_str()), (Some(true), Some(NETWORK)));
    let (order, challenge) = house.order("7.5").await;
    let option = &challenge["accepts"][0];
    assert_eq!((&option["amount"], &option["maxAmountRequired"]), (&json!("7500000"), &json!("7500000")));
    assert_eq!((&option["payTo"], &option["network"]), (&config["pay_to"], &config["network"]));
    assert_eq!((&option["resource"], option["scheme"].as_str()), (&challenge["resource"]["url"], Some("exact")));
    assert_eq!(option["resource"].as_str(), Some(house.gateway.url(&format!("/api/x402/pay/{order}")).as_str()));
    assert_eq!(option["extra"], json!({"name": "USD Coin", "version": "2"}));
    let left: i64 = option["maxTimeoutSeconds"].to_string().parse().expect("a number");
    assert!((590..=600).contains(&left), "{left}");
    let told = house.data("/api/user/topup/info").await;
    assert!(
        told["rails"]
            .as_array()
            .expect("rails")
            .iter()
            .any(|rail| rail["rail"] == "x402" && rail["networks"][0]["symbols"][0] == "USDC")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_that_cannot_be_paid_are_not_made() {
    let house = House::open("0").await;
    for (body, code) in [
        (r#"{"amount_usd":0.5}"#, "X402_INVALID_AMOUNT"),
        (r#"{"amount_usd":1000.01}"#, "X402_INVALID_AMOUNT"),
        (r#"{"amount_usd":5.0000001}"#, "X402_INVALID_AMOUNT"),
        (r#"{"amount_usd":5,"network":"eip155:1"}"#, "X402_UNSUPPORTED_ASSET"),
        (r#"{"amount_usd":5,"symbol":"DOGE"}"#, "X402_UNSUPPORTED_ASSET"),
    ] {
        let refused = house.post("/api/user/topup/x402/orders", body.to_owned()).await;
        assert_eq!((refused["success"].as_bool(), refused["message"].as_str()), (Some(false), Some(code)), "{body}");
    }
    for _ in 0..3 {
        house.order("5").await;
    }
    let fourth = house.post("/api/user/topup/x402/orders", r#"{"amount_usd":5}"#.to_owned()).await;
    assert_eq!((fourth["message"].as_str(), house.waiting().await), (Some("X402_PENDING_CAP"), 3));
}
