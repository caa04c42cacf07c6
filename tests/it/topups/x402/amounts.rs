//! Amounts as agents write them: what cannot be paid to the last digit is refused, with the nearest amount that can.

use serde_json::Value;
use tollgate_tests::chain::Anvil;
use tollgate_tests::client;
use tollgate_tests::gateway::{amount, exact};

use super::{House, gateway_on};

const ORDERS: &str = "/api/user/topup/x402/orders";

impl House {
    /// Asks for an order over an amount as it is written.
    async fn asks_for(&self, written: &str) -> Value {
        self.post(ORDERS, format!("{{\"amount_usd\":{written}}}")).await
    }

    /// It is refused, and the nearest amount is named, which is taken.
    async fn refuses(&self, written: &str, nearest: &str) {
        let refused = self.asks_for(written).await;
        assert_eq!(
            (refused["success"].as_bool(), refused["message"].as_str()),
            (Some(false), Some("X402_INVALID_AMOUNT"))
        );
        assert_eq!(amount(&refused["data"]["nearest_usd"]), nearest, "{written}: {refused}");
        let detail = refused["detail"].as_str().expect("words");
        assert!(detail.contains(&format!("the nearest is {nearest}")), "{detail}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_of_a_float_is_refused_with_the_nearest_amount() {
    let house = House::open("0").await;
    for (written, nearest) in [
        ("12.340000000000002", "12.34"),
        ("2.9999999999999996", "3"),
        ("5.0000001", "5"),
        ("1.0000005", "1.000001"),
        ("5e0", "5"),
        ("1e400", "1000"),
        ("-1e400", "1"),
        ("1e-400", "1"),
        ("0.5", "1"),
        ("1000.0000000001", "1000"),
    ] {
        house.refuses(written, nearest).await;
    }
    assert_eq!(house.waiting().await, 0, "no order was made");
    let made = house.asks_for("12.34").await;
    assert_eq!(
        (made["success"].as_bool(), amount(&made["data"]["amount_usd"]).as_str()),
        (Some(true), "12.34"),
        "{made}"
    );
    // Zeros behind it are no other amount.
    assert_eq!(house.asks_for("12.3400000000000000").await["success"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_is_that_of_a_refusal_of_business() {
    let house = House::open("0").await;
    for (body, status, code) in [
        (r#"{"amount_usd":12.340000000000002}"#, 200, "X402_INVALID_AMOUNT"),
        // What is no number at all is no amount.
        (r#"{"amount_usd":"12.34"}"#, 400, "BAD_FIELD"),
        (r#"{"amount_usd":null}"#, 400, "BAD_FIELD"),
        (r"{}", 400, "MISSING_FIELD"),
    ] {
        let request = client().post(house.gateway.url(ORDERS)).bearer_auth(&house.gateway.key);
        let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
        let found = reply.status().as_u16();
        let told = exact(&reply.text().await.expect("a body"));
        assert_eq!((found, told["message"].as_str()), (status, Some(code)), "{body}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_told_the_nearest_amount_too() {
    let anvil = Anvil::start().await;
    let gateway = gateway_on(format!("{}[topup.crypto]\nenabled = true\n", anvil.config("0"))).await;
    let house = House { anvil, gateway };
    let refused = house.post("/api/user/topup/crypto/orders", r#"{"amount_usd":12.340000000000002}"#.to_owned()).await;
    assert_eq!(refused["message"], "INVALID_AMOUNT", "{refused}");
    assert!(refused["detail"].as_str().is_some_and(|told| told.contains("the nearest is 12.34")), "{refused}");
}

/// Of two tokens the more precise one takes what the other cannot hold.
#[tokio::test(flavor = "multi_thread")]
async fn the_places_are_those_of_the_most_precise_token() {
    let anvil = Anvil::start().await;
    let tokens = [anvil.token(), anvil.permit2_token("Plain", "FINE", 1_000_000).await];
    let house = House { gateway: gateway_on(anvil.config_with("0", &tokens)).await, anvil };
    let made = house.asks_for("5.0000001").await;
    assert_eq!(made["data"]["challenge"]["accepts"].as_array().map(Vec::len), Some(1), "one token holds it: {made}");
    house.refuses("5.0000000001", "5").await;
    let of_the_other = r#"{"amount_usd":5.0000001,"symbol":"USDC"}"#.to_owned();
    let refused = house.post(ORDERS, of_the_other).await;
    assert_eq!(
        (refused["message"].as_str(), refused["data"]["decimal_places"].as_i64()),
        (Some("X402_INVALID_AMOUNT"), Some(6))
    );
}
