//! The protocol's own exchange: what is to be paid and what became of it are told in headers.

use data_encoding::BASE64;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tollgate_tests::chain::{NETWORK, PAYER, account};
use tollgate_tests::client;
use tollgate_tests::gateway::exact;

use super::{House, assert_names_its_order};

/// An answer of the exchange.
pub(super) struct Told {
    status: StatusCode,
    pub(super) body: Value,
    required: Option<Value>,
    response: Option<Value>,
}

impl House {
    /// Asks for an order, with whatever stands for a payment.
    async fn shake(&self, order: i64, payment: Option<&str>) -> Told {
        let mut request = client().get(self.gateway.url(&format!("/api/x402/pay/{order}")));
        if let Some(payment) = payment {
            request = request.header("PAYMENT-SIGNATURE", payment);
        }
        let reply = request.send().await.expect("an answer");
        let header = |name: &str| {
            let bytes = BASE64.decode(reply.headers().get(name)?.as_bytes()).expect("base64");
            Some(serde_json::from_slice(&bytes).expect("JSON"))
        };
        let (required, response) = (header("payment-required"), header("payment-response"));
        let status = reply.status();
        let body = exact(&reply.text().await.expect("a body"));
        assert_names_its_order(&body, order);
        Told { status, body, required, response }
    }

    pub(super) async fn shake_with(&self, order: i64, payment: &Value) -> Told {
        self.shake(order, Some(&BASE64.encode(payment.to_string().as_bytes()))).await
    }
}

impl Told {
    /// It is a refusal of such a status and code.
    fn refused(&self, status: u16, code: &str) {
        let found = (self.status.as_u16(), self.body["success"].as_bool(), self.body["code"].as_str());
        assert_eq!(found, (status, Some(false), Some(code)), "{}", self.body);
        assert!(self.response.is_none(), "nothing was taken: {:?}", self.response);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_payment_the_challenge_of_the_order_is_told() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let told = house.shake(order, None).await;
    told.refused(402, "PAYMENT_REQUIRED");
    assert_eq!(
        (told.body["data"]["order_id"].to_string(), &told.body["data"]["status"]),
        (order.to_string(), &json!("pending"))
    );
    let required = told.required.expect("the header");
    let named = told.body["data"]["trade_no"].as_str().expect("its name");
    let polled = house.data(&format!("/api/user/topup/order/{named}")).await;
    assert_eq!((&polled["trade_no"], polled["order_id"].to_string()), (&json!(named), order.to_string()), "{polled}");
    assert_eq!((&required["x402Version"], &required["resource"]), (&json!(2), &challenge["resource"]));
    for member in ["scheme", "network", "asset", "payTo", "amount", "extra", "resource"] {
        assert_eq!(required["accepts"][0][member], challenge["accepts"][0][member], "{member}");
    }
    assert!(required.get("error").is_none(), "nobody was refused: {required}");
    house.shake(order + 1, None).await.refused(404, "ORDER_NOT_FOUND");
    assert_eq!(house.waiting().await, 1, "asking changes nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_in_the_header_is_taken_as_one_in_a_body() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let told = house.shake_with(order, &payment).await;
    assert_eq!((told.status.as_u16(), &told.body["data"]["status"]), (200, &json!("settled")), "{}", told.body);
    let response = told.response.expect("the header");
    let hash = response["transaction"].as_str().expect("a text").to_owned();
    assert_eq!(
        response,
        json!({"success": true, "transaction": hash, "network": NETWORK, "payer": account(PAYER).address, "amount": "5000000"})
    );
    let receipt = house.anvil.ask("eth_getTransactionReceipt", json!([hash])).await;
    assert_eq!(receipt["status"], "0x1", "the header names what carried it");
    for told in [house.shake_with(order, &payment).await, house.shake(order, None).await] {
        told.refused(409, "ORDER_ALREADY_SETTLED");
        assert!(told.required.is_none(), "there is nothing to pay any more");
    }
    assert_eq!(house.pay(order, &payment).await["message"], "ORDER_ALREADY_SETTLED", "by whichever way");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_its_credit_names_its_transaction_too() {
    let house = House::open("3").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let told = house.shake_with(order, &payment).await;
    assert_eq!((told.status.as_u16(), &told.body["data"]["status"]), (200, &json!("credit_pending")), "{}", told.body);
    let hash = told.response.expect("the header")["transaction"].clone();
    assert_eq!(house.anvil.ask("eth_getTransactionReceipt", json!([hash])).await["status"], "0x1");
    for told in [house.shake_with(order, &payment).await, house.shake(order, None).await] {
        told.refused(409, "X402_SETTLE_PENDING");
        assert!(told.required.is_none(), "nobody is asked to pay twice");
    }
    house.anvil.mine(3).await;
    house.balance_is("5").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_payment_is_asked_for_once_more() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let good = house.payment(&challenge, 1).body();
    let mut small = good.clone();
    small["accepted"]["amount"] = json!("1");
    let old = json!({"x402Version": 1, "payload": good["payload"]});
    let garbage = ["", "x", "e30", "!!!!", "bnVsbA==", "e30="].map(str::to_owned);
    let payments = [small, old].map(|payment| BASE64.encode(payment.to_string().as_bytes()));
    for payment in garbage.into_iter().chain(payments) {
        let told = house.shake(order, Some(&payment)).await;
        told.refused(400, "PAYLOAD_MISMATCH");
        let required = told.required.expect("the order still waits");
        assert_eq!(
            (&required["error"], &required["accepts"][0]["amount"]),
            (&json!("PAYLOAD_MISMATCH"), &json!("5000000"))
        );
    }
    house.anvil.call_coin("02329a29", &[&format!("{:064x}", 1)]).await;
    let told = house.shake_with(order, &good).await;
    told.refused(402, "X402_PAYMENT_REJECTED");
    assert_eq!(told.required.expect("the order still waits")["error"], "X402_PAYMENT_REJECTED");
    house.anvil.call_coin("02329a29", &[&format!("{:064x}", 0)]).await;
    assert_eq!(house.shake_with(order, &good).await.status.as_u16(), 200, "nothing of it was used up");
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_shakes_at_once_pay_once() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let outcomes = futures_util::future::join_all((0..20).map(|_| house.shake_with(order, &payment))).await;
    assert_eq!(outcomes.iter().filter(|told| told.status.is_success()).count(), 1);
    for told in outcomes.iter().filter(|told| !told.status.is_success()) {
        assert_eq!((told.status.as_u16(), told.required.is_none()), (409, true), "{}", told.body);
    }
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
}

#[tokio::test(flavor = "multi_thread")]
async fn both_ways_to_pay_share_one_bound() {
    let house = House::open("0").await;
    let (order, _) = house.order("5").await;
    for _ in 0..tollgate_api::generated::limits::PAYMENT_TRIES {
        house.shake(order, Some("x")).await.refused(400, "PAYLOAD_MISMATCH");
    }
    house.shake(order, Some("x")).await.refused(429, "RATE_LIMITED");
    assert_eq!(house.submit(order, "{}").await["message"], "RATE_LIMITED");
}

/// What a cache between is told of an answer to a request.
async fn caching(request: reqwest::RequestBuilder) -> (u16, Option<String>) {
    let reply = request.send().await.expect("an answer");
    let caching = reply.headers().get("cache-control").map(|value| value.to_str().expect("text").to_owned());
    (reply.status().as_u16(), caching)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_cache_between_keeps_what_is_told_of_payments() {
    let house = House::open("0").await;
    let url = |order: i64| house.gateway.url(&format!("/api/x402/pay/{order}"));
    let by_header = |order: i64, payment: &str| client().get(url(order)).header("PAYMENT-SIGNATURE", payment);
    let by_body = |order: i64, payment: &Value| {
        client().post(url(order)).header("content-type", "application/json").body(payment.to_string())
    };
    let (first, challenge) = house.order("5").await;
    let (second, other) = house.order("5").await;
    let (payment, in_body) = (house.payment(&challenge, 1).body(), house.payment(&other, 2).body());
    let in_header = BASE64.encode(payment.to_string().as_bytes());
    for (request, status, told) in [
        (client().get(url(first)), 402, "no-store"),
        (client().get(url(first - 1)), 404, "no-store"),
        (by_header(first, "x"), 400, "no-store"),
        (by_body(second, &json!({})), 200, "no-store"),
        (by_header(first, &in_header), 200, "private"),
        (by_header(first, &in_header), 409, "no-store"),
        (by_body(second, &in_body), 200, "private"),
        (by_body(second, &in_body), 200, "no-store"),
    ] {
        let shown = format!("{request:?}");
        assert_eq!(caching(request).await, (status, Some(told.to_owned())), "{shown}");
    }
    assert_eq!((house.balance().await.as_str(), house.received().await), ("10", 10_000_000));
}
