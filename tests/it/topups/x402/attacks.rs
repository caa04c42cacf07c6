//! Payments that are not what is asked for. Nothing is sent for any of them, and the order waits on.

use serde_json::{Value, json};
use tollgate_chains::EvmAddress;
use tollgate_chains::evm::{TokenUnits, TransferAuthorization};
use tollgate_tests::chain::{self, CHAIN, PAY_TO, PAYER, STRANGER, account};

use super::House;

/// An amount, where it is one that can be signed.
fn units(text: &str) -> TokenUnits {
    text.parse().expect("a number")
}

impl House {
    /// Submits a payment that has to be refused so, at such a place.
    async fn refused(&self, order: i64, payment: &Value, code: &str, field: &str) {
        let refused = self.pay(order, payment).await;
        let found = (refused["success"].as_bool(), refused["message"].as_str(), refused["data"]["field"].as_str());
        let field = Some(field).filter(|field| !field.is_empty());
        assert_eq!(found, (Some(false), Some(code), field), "{payment}: {refused}");
        assert_eq!(refused["data"]["status"], "pending", "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_claimed_has_to_be_what_is_asked_for() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let good = house.payment(&challenge, 1).body();
    let stranger = account(STRANGER).address;
    for (pointer, wrong) in [
        ("/x402Version", json!(1)),
        ("/x402Version", json!("2")),
        ("/x402Version", Value::Null),
        ("/accepted/scheme", json!("upto")),
        ("/accepted/network", json!("eip155:1")),
        ("/accepted/network", json!("EIP155:31337")),
        ("/accepted/asset", json!(stranger)),
        ("/accepted/payTo", json!(stranger)),
        ("/accepted/amount", json!("4999999")),
        ("/accepted/amount", json!("5000001")),
        ("/accepted/amount", json!(5_000_000)),
        ("/accepted/amount", json!("05000000")),
        ("/accepted/amount", json!("5e6")),
        ("/accepted/amount", json!("0x4c4b40")),
        ("/accepted/amount", json!("５000000")),
        ("/accepted/amount", json!("5000000.0")),
        ("/payload/authorization/to", json!(stranger)),
        ("/payload/authorization/value", json!("5000001")),
        ("/payload/authorization/value", json!("05000000")),
        ("/payload/authorization/value", json!(5_000_000)),
        ("/payload/authorization/from", json!("0x00")),
        ("/payload/authorization/nonce", json!("0x01")),
        ("/payload/authorization/validBefore", json!(4_000_000_000_u64)),
        ("/payload/authorization/validBefore", json!("1")),
        ("/payload/authorization/validAfter", json!("3999999999")),
        ("/payload/authorization", json!("x")),
        ("/payload/signature", json!("0x")),
        ("/payload/signature", json!(7)),
    ] {
        let mut payment = good.clone();
        *payment.pointer_mut(pointer).expect(pointer) = wrong;
        house.refused(order, &payment, "PAYLOAD_MISMATCH", &pointer[1..].replace('/', ".")).await;
    }
    assert_eq!((house.received().await, house.waiting().await), (0, 1));
    let paid = house.pay(order, &good).await;
    assert_eq!(paid["data"]["status"], "settled", "nothing of it was used up: {paid}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_signed_has_to_be_what_is_claimed() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let good = house.payment(&challenge, 1);
    let stranger: EvmAddress = account(STRANGER).address.parse().expect("an address");
    let now = 4_000_000_000_u64;
    for (signed, field) in [
        (TransferAuthorization { value: units("1"), ..good.signed }, "payload.authorization.value"),
        (TransferAuthorization { value: units("6000000"), ..good.signed }, "payload.authorization.value"),
        (TransferAuthorization { to: stranger, ..good.signed }, "payload.authorization.to"),
        (TransferAuthorization { valid_before: units("1000"), ..good.signed }, "payload.authorization.validBefore"),
        (
            TransferAuthorization { valid_after: units(&(now - 1).to_string()), ..good.signed },
            "payload.authorization.validAfter",
        ),
    ] {
        let payment = house.signed(good.accepted.clone(), signed);
        house.refused(order, &payment.body(), "PAYLOAD_MISMATCH", field).await;
        // The same signature under the words of a good payment.
        let lie = super::Payment { signed: good.signed, ..payment };
        house.refused(order, &lie.body(), "PAYLOAD_MISMATCH", "payload.signature").await;
    }
    for chain in [1, CHAIN + 1] {
        let elsewhere = chain::sign(PAYER, &good.signed, &house.anvil.token(), chain);
        let payment = super::Payment { signature: elsewhere, ..good.clone() };
        house.refused(order, &payment.body(), "PAYLOAD_MISMATCH", "payload.signature").await;
    }
    let foreign =
        super::Payment { signature: chain::sign(STRANGER, &good.signed, &house.anvil.token(), CHAIN), ..good.clone() };
    house.refused(order, &foreign.body(), "PAYLOAD_MISMATCH", "payload.signature").await;
    assert_eq!((house.received().await, house.waiting().await), (0, 1));
}

/// Other forms of a signature, some of which other software takes for it.
pub(super) fn malleated(signature: &str) -> Vec<String> {
    let digits = &signature[2..];
    let (r, s, v) = (&digits[..64], &digits[64..128], &digits[128..]);
    let n =
        alloy::primitives::U256::from_str_radix("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);
    let s_number = alloy::primitives::U256::from_str_radix(s, 16).expect("a number");
    let mirrored = format!("{:064x}", n.expect("a number") - s_number);
    let flipped = if v == "1b" { "1c" } else { "1b" };
    vec![
        format!("0x{r}{mirrored}{flipped}"),
        format!("0x{r}{s}"),
        format!("0x{r}{s}{flipped}"),
        format!("0x{r}{s}1d"),
        format!("0x{digits}{digits}"),
        format!("0x{}{}", "00".repeat(100), "6492".repeat(16)),
        format!("0x{}", "00".repeat(65)),
        digits.to_owned(),
        String::new(),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signature_has_one_form() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let good = house.payment(&challenge, 1);
    for signature in malleated(&good.signature) {
        let payment = super::Payment { signature, ..good.clone() };
        house.refused(order, &payment.body(), "PAYLOAD_MISMATCH", "payload.signature").await;
    }
    let (bytes, v) = good.signature.split_at(130);
    let small_v = format!("{bytes}{}", if v == "1b" { "00" } else { "01" });
    let paid = house.pay(order, &super::Payment { signature: small_v, ..good }.body()).await;
    assert_eq!(paid["success"], true, "some wallets count from 0: {paid}");
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_leaves_the_order_as_it_was() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let twice = r#"{"x402Version":2,"x402Version":2}"#;
    for body in ["", "null", "[]", "{", "x", "\u{0}", "\"\"", "{}", r#"{"x402Version":2}"#, deep.as_str(), twice] {
        let refused = house.submit(order, body.to_owned()).await;
        let found = (refused["success"].as_bool(), refused["message"].as_str(), refused["data"]["status"].as_str());
        assert_eq!(found, (Some(false), Some("PAYLOAD_MISMATCH"), Some("pending")), "{body:.40}: {refused}");
    }
    let refused = house.submit(order, "x".repeat((1 << 20) + 1)).await;
    assert_eq!(refused["message"], "BODY_TOO_LARGE", "{refused}");
    let unknown = house.submit(order + 1, "{}").await;
    assert_eq!(unknown["message"], "ORDER_NOT_FOUND", "{unknown}");
    assert_eq!(house.waiting().await, 1);
    let paid = house.pay(order, &house.payment(&challenge, 1).body()).await;
    assert_eq!(paid["success"], true, "{paid}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_tries_too_often_has_to_wait() {
    let house = House::open("0").await;
    let (order, _) = house.order("5").await;
    for _ in 0..tollgate_api::generated::limits::PAYMENT_TRIES {
        assert_eq!(house.submit(order, "{}").await["message"], "PAYLOAD_MISMATCH");
    }
    assert_eq!(house.submit(order, "{}").await["message"], "RATE_LIMITED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_the_chain_would_refuse_costs_us_nothing() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let good = house.payment(&challenge, 1).body();
    house.anvil.call_coin("02329a29", &[&format!("{:064x}", 1)]).await;
    house.refused(order, &good, "X402_PAYMENT_REJECTED", "").await;
    house.anvil.call_coin("02329a29", &[&format!("{:064x}", 0)]).await;
    let poor = TransferAuthorization {
        from: account(PAY_TO).address.parse().expect("an address"),
        ..house.payment(&challenge, 2).signed
    };
    let signature = chain::sign(PAY_TO, &poor, &house.anvil.token(), CHAIN);
    let poor = super::Payment { accepted: challenge["accepts"][0].clone(), signed: poor, signature };
    house.refused(order, &poor.body(), "X402_PAYMENT_REJECTED", "").await;
    let sent = house.anvil.ask("eth_getTransactionCount", json!([account(chain::RELAYER).address, "latest"])).await;
    assert_eq!((sent, house.waiting().await), (json!("0x0"), 1));
}
