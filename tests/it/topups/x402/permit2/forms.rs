//! What a permit has to say, and how it has to be signed.

use serde_json::{Value, json};
use tollgate_chains::EvmAddress;
use tollgate_chains::evm::{EvmToken, TokenUnits, TransferAuthorization};
use tollgate_tests::chain::{self, CHAIN, PAYER, PERMIT2, STRANGER, account};

use super::super::Payment;
use super::super::attacks::malleated;
use super::{Permit, Permits};

fn units(text: &str) -> TokenUnits {
    text.parse().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn eighteen_decimals_are_exact() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5.123456789").await;
    let option = &challenge["accepts"][0];
    assert_eq!(
        (&option["amount"], &option["extra"]),
        (&json!("5123456789000000000"), &json!({"assetTransferMethod": "permit2"}))
    );
    let good = permits.permit(&challenge, 1);
    for off in ["5123456789000000001", "5123456788999999999", "5123456789", "5123456"] {
        let wrong = permits.signed(good.accepted.clone(), TransferAuthorization { value: units(off), ..good.signed });
        let field = Some("payload.permit2Authorization.permitted.amount");
        permits.refused(order, &wrong.body(&permits.token), "PAYLOAD_MISMATCH", field).await;
    }
    assert_eq!(permits.pay(order, &good).await["data"]["status"], "settled");
    assert_eq!(
        (permits.house.balance().await.as_str(), permits.received().await),
        ("5.123456789", 5_123_456_789_000_000_000)
    );
    permits.house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_has_to_say_what_is_asked_for() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let good = permits.permit(&challenge, 1).body(&permits.token);
    let stranger = account(STRANGER).address;
    for (pointer, wrong) in [
        ("/payload/permit2Authorization/spender", json!(stranger)),
        ("/payload/permit2Authorization/spender", json!(PERMIT2)),
        ("/payload/permit2Authorization/witness/to", json!(stranger)),
        ("/payload/permit2Authorization/witness/validAfter", json!("3999999999")),
        ("/payload/permit2Authorization/witness/validAfter", json!(0)),
        ("/payload/permit2Authorization/witness", json!("x")),
        ("/payload/permit2Authorization/permitted/token", json!(stranger)),
        ("/payload/permit2Authorization/permitted/amount", json!("1")),
        ("/payload/permit2Authorization/permitted/amount", json!("05000000000000000000")),
        ("/payload/permit2Authorization/permitted", json!([])),
        ("/payload/permit2Authorization/deadline", json!("1")),
        ("/payload/permit2Authorization/deadline", json!("4000000000")),
        ("/payload/permit2Authorization/nonce", json!("0x01")),
        ("/payload/permit2Authorization/nonce", json!("1e3")),
        ("/payload/permit2Authorization/from", json!("0x00")),
        ("/payload/permit2Authorization", Value::Null),
        ("/payload/signature", json!("0x")),
        ("/accepted/asset", json!(stranger)),
    ] {
        let mut payment = good.clone();
        *payment.pointer_mut(pointer).expect(pointer) = wrong;
        let field = pointer[1..].replace('/', ".");
        permits.refused(order, &payment, "PAYLOAD_MISMATCH", Some(&field)).await;
    }
    // What an EIP-3009 token would take.
    let coin = Payment {
        accepted: challenge["accepts"][0].clone(),
        signed: permits.permit(&challenge, 1).signed,
        signature: "0x".to_owned(),
    };
    permits.refused(order, &coin.body(), "PAYLOAD_MISMATCH", Some("payload.permit2Authorization")).await;
    permits.nothing_happened().await;
    assert_eq!(permits.house.pay(order, &good).await["data"]["status"], "settled", "nothing of it was used up");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_has_to_be_signed_as_it_stands() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let good = permits.permit(&challenge, 1);
    let stranger: EvmAddress = account(STRANGER).address.parse().expect("an address");
    for other in [
        TransferAuthorization { to: stranger, ..good.signed },
        TransferAuthorization { value: units("1"), ..good.signed },
        TransferAuthorization { nonce: [2; 32], ..good.signed },
        TransferAuthorization { valid_after: units("1"), ..good.signed },
        TransferAuthorization {
            valid_before: units(&(chain::soon().parse::<u64>().expect("a number") - 60).to_string()),
            ..good.signed
        },
    ] {
        // The signature of something else under the words of a good payment.
        let lie = Permit { signed: good.signed, ..permits.signed(good.accepted.clone(), other) };
        permits.refused(order, &lie.body(&permits.token), "PAYLOAD_MISMATCH", Some("payload.signature")).await;
    }
    let elsewhere = EvmToken { address: stranger, ..permits.token.clone() };
    for signature in [
        chain::sign(PAYER, &good.signed, &permits.token, 1),
        chain::sign(PAYER, &good.signed, &elsewhere, CHAIN),
        chain::sign(PAYER, &good.signed, &permits.house.anvil.token(), CHAIN),
        chain::sign(STRANGER, &good.signed, &permits.token, CHAIN),
    ] {
        let foreign = Permit { signature, ..good.clone() };
        permits.refused(order, &foreign.body(&permits.token), "PAYLOAD_MISMATCH", Some("payload.signature")).await;
    }
    permits.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_has_one_form_of_signature() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let good = permits.permit(&challenge, 1);
    for signature in malleated(&good.signature) {
        let payment = Permit { signature, ..good.clone() };
        permits.refused(order, &payment.body(&permits.token), "PAYLOAD_MISMATCH", Some("payload.signature")).await;
    }
    permits.nothing_happened().await;
    assert_eq!(permits.pay(order, &good).await["data"]["status"], "settled");
}
