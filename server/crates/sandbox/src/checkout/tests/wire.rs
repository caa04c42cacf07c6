//! The calls of the adapter, and its reading of the answers.

use http::HeaderMap;
use serde_json::{Value, json};

use super::*;
use tollgate_base::Secret;

#[tokio::test]
async fn one_order_has_one_page() {
    let shop = Shop::open().await;
    let asked = order("tg-1", &shop);
    let session = shop.antom.create(&asked).await.unwrap();
    assert!(session.url.starts_with(&shop.provider) && !session.provider_ref.is_empty());
    assert_eq!(session.expires_at_ms, NOW + 1_000);
    assert_eq!(shop.antom.create(&asked).await.unwrap(), session);
    assert_ne!(shop.antom.create(&order("tg-2", &shop)).await.unwrap(), session);
    let dearer = CheckoutOrder { amount: Cents::new(9999).unwrap(), ..asked };
    let unknown = CheckoutOrder { wallet: "CASH", ..order("tg-3", &shop) };
    for (asked, expected) in [(dearer, "REPEAT_REQ_INCONSISTENT"), (unknown, "PAYMENT_METHOD_NOT_SUPPORT")] {
        let refused = shop.antom.create(&asked).await.unwrap_err();
        assert!(matches!(&refused, ProviderError::Definite { code } if code == expected), "{refused:?}");
    }
}

#[tokio::test]
async fn what_is_given_up_is_not_paid() {
    let shop = Shop::open().await;
    let cancel = async |trade_no| shop.antom.cancel(OrderRef { trade_no }).await;
    assert_eq!(cancel("tg-0").await.unwrap(), ProviderStatus::NotFound);
    assert_eq!(shop.status("tg-0").await.unwrap(), ProviderStatus::NotFound);
    let asked = order("tg-1", &shop);
    shop.antom.create(&asked).await.unwrap();
    assert_eq!(shop.status("tg-1").await.unwrap(), ProviderStatus::Unpaid);
    for _ in 0..2 {
        assert_eq!(cancel("tg-1").await.unwrap(), ProviderStatus::Cancelled);
    }
    let closed = shop.antom.create(&asked).await.unwrap_err();
    assert!(matches!(&closed, ProviderError::Definite { code } if code == "ORDER_IS_CANCELED"), "{closed:?}");
    shop.press(&order("tg-2", &shop), "pay").await;
    assert_eq!(cancel("tg-2").await.unwrap(), ProviderStatus::Cancelled, "what was paid meanwhile goes back");
    assert_eq!(shop.status("tg-2").await.unwrap(), ProviderStatus::Cancelled);
    shop.press(&order("tg-3", &shop), "fail").await;
    let open = cancel("tg-3").await.unwrap_err();
    assert!(matches!(&open, ProviderError::Unknown(UncertainAnswer::Open { .. })), "{open:?}");
}

/// A call past the adapter, signed with the merchant's key unless `key` is another.
async fn call(shop: &Shop, name: &str, key: &str, body: &Value) -> Value {
    let path = format!("/ams/sandbox/api/v1/payments/{name}");
    let (body, time) = (body.to_string(), "2026-11-21T08:30:00Z");
    let key = SigningKey::read(&Secret::new(key.to_owned())).unwrap();
    let signed = SignatureInput { path: &path, client_id: published::CLIENT_ID, time, body: body.as_bytes() };
    let mut headers = HeaderMap::new();
    for (name, value) in
        [(CLIENT_ID, published::CLIENT_ID), (REQUEST_TIME, time), (SIGNATURE, &signed.header(&key, "1"))]
    {
        headers.insert(name, value.parse().unwrap());
    }
    let answer = shop.http.post(format!("{}{path}", shop.provider)).headers(headers).body(body).send().await.unwrap();
    serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
}

#[tokio::test]
async fn the_provider_believes_its_merchant_alone() {
    let shop = Shop::open().await;
    shop.antom.create(&order("tg-1", &shop)).await.unwrap();
    let asked = json!({"paymentRequestId": "tg-1"});
    for (key, name, expected) in [
        (published::MERCHANT_PRIVATE, "inquiryPayment", "SUCCESS"),
        (published::PROVIDER_PRIVATE, "inquiryPayment", "INVALID_SIGNATURE"),
        (published::MERCHANT_PRIVATE, "pay", "NO_INTERFACE_DEF"),
        (published::MERCHANT_PRIVATE, "createPaymentSession", "PARAM_ILLEGAL"),
    ] {
        assert_eq!(call(&shop, name, key, &asked).await["result"]["resultCode"], expected);
    }
    let path = format!("{}/ams/sandbox/api/v1/payments/cancel", shop.provider);
    let bare = shop.http.post(path).body(asked.to_string()).send().await.unwrap().text().await.unwrap();
    assert!(bare.contains("INVALID_CLIENT"), "{bare}");
    let put = shop.http.put(format!("{}/control/faults", shop.provider)).body("{\"dorp\": true}");
    assert_eq!(put.send().await.unwrap().status(), 400, "a fault that there is not");
}

#[tokio::test]
async fn money_is_given_back_once_and_no_more_than_came() {
    let mut shop = Shop::open().await;
    shop.press(&order("tg-1", &shop), "pay").await;
    let payment_id = shop.arrived().await.read.unwrap().payment_id.to_string();
    let asked = |name: &str, payment_id: &str, value: &str| json!({"refundRequestId": name, "paymentId": payment_id, "refundAmount": {"currency": "USD", "value": value}});
    for (name, payment_id, value, expected) in [
        ("r1", payment_id.as_str(), "1000", "SUCCESS"),
        ("r1", &payment_id, "1000", "SUCCESS"),
        ("r1", &payment_id, "234", "REPEAT_REQ_INCONSISTENT"),
        ("r2", &payment_id, "235", "REFUND_AMOUNT_EXCEED"),
        ("r2", &payment_id, "234", "SUCCESS"),
        ("r3", &payment_id, "1", "REFUND_AMOUNT_EXCEED"),
        ("r4", "P0", "1", "ORDER_NOT_EXIST"),
        ("r5", &payment_id, "0", "PARAM_ILLEGAL"),
    ] {
        let answer = call(&shop, "refund", published::MERCHANT_PRIVATE, &asked(name, payment_id, value)).await;
        assert_eq!(answer["result"]["resultCode"], expected, "{name} {value}");
    }
}
