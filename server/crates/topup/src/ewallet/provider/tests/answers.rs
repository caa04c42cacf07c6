//! Answers that are the provider's: what they say of a payment, and those that make no sense.

use serde_json::{Value, json};

use super::super::calls::ProviderCall;
use super::super::{messages, wire};
use super::*;

const ORDER: OrderRef<'_> = OrderRef { trade_no: "tg-1" };

/// A paid payment, with these members in the place of its own; null takes one away.
fn status(changed: &Value) -> Result<ProviderStatus, UncertainAnswer> {
    let mut answer = json!({
        "result": {"resultStatus": "S", "resultCode": "SUCCESS", "resultMessage": "success"},
        "paymentStatus": "SUCCESS", "paymentRequestId": "tg-1", "paymentId": "P1",
        "paymentAmount": {"currency": "USD", "value": "1234"}, "paymentTime": "2026-11-21T16:30:00+08:00",
    });
    for (name, value) in changed.as_object().unwrap() {
        answer[name] = value.clone();
    }
    messages::status(serde_json::from_value(answer).unwrap(), ORDER)
}

#[test]
fn what_a_payment_is_is_said_by_its_status_and_not_by_the_result() {
    let paid = ProviderStatus::Paid {
        payment_id: PaymentId::read("P1".to_owned()).unwrap(),
        amount: Cents::new(1234).unwrap(),
        at_ms: Some(NOW),
    };
    let failed = |code: &str| ProviderStatus::Failed { code: code.to_owned() };
    for (changed, expected) in [
        (json!({}), paid),
        (json!({"paymentStatus": "PROCESSING"}), ProviderStatus::Unpaid),
        (json!({"paymentStatus": "PENDING"}), ProviderStatus::InProgress),
        (json!({"paymentStatus": "CANCELLED"}), ProviderStatus::Cancelled),
        (json!({"paymentStatus": "FAIL", "paymentResultCode": "RISK_REJECT"}), failed("RISK_REJECT")),
        (json!({"paymentStatus": "FAIL", "paymentAmount": null}), failed("")),
    ] {
        assert_eq!(status(&changed).unwrap(), expected, "{changed}");
    }
}

#[test]
fn an_answer_that_makes_no_sense_says_nothing() {
    for (changed, expected) in [
        (json!({"paymentRequestId": "tg-2"}), "another order"),
        (json!({"paymentRequestId": ""}), "another order"),
        (json!({"paymentId": null}), "without a name"),
        (json!({"paymentId": "P 1"}), "without a name"),
        (json!({"paymentAmount": null}), "without an amount"),
        (json!({"paymentAmount": {"currency": "SGD", "value": "1234"}}), "another currency"),
        (json!({"paymentAmount": {"currency": "USD", "value": "12.34"}}), "no number of cents"),
        (json!({"paymentStatus": "success"}), "leaves it open"),
        (json!({"paymentStatus": "REFUNDED"}), "leaves it open"),
    ] {
        let told = status(&changed).unwrap_err().to_string();
        assert!(told.contains(expected), "{changed}: {told}");
    }
}

#[test]
fn a_page_has_an_address_and_an_end() {
    let session = |url: &str, end: &str| {
        let told = json!({"paymentSessionId": "S1", "paymentSessionExpiryTime": end, "normalUrl": url});
        messages::session(serde_json::from_value::<wire::CreateSessionResponse>(told).unwrap())
    };
    let opened = session("https://pay.example/s", "2026-11-21T16:30:00+08:00").unwrap();
    assert_eq!((opened.url.as_str(), opened.expires_at_ms), ("https://pay.example/s", NOW));
    for (url, end) in [
        ("javascript:alert(1)", "2026-11-21T16:30:00+08:00"),
        ("", "2026-11-21T16:30:00+08:00"),
        ("https://pay.example/s", ""),
        ("https://pay.example/s", "tomorrow"),
    ] {
        assert!(matches!(session(url, end), Err(UncertainAnswer::Senseless(_))), "{url} {end}");
    }
}

#[test]
fn clients_of_the_sandbox_have_paths_of_their_own() {
    for (client_id, action, expected) in [
        ("SANDBOX_5Y", ProviderCall::Create, "/ams/sandbox/api/v1/payments/createPaymentSession"),
        ("SANDBOX_5Y", ProviderCall::Cancel, "/ams/sandbox/api/v1/payments/cancel"),
        ("5Y", ProviderCall::Create, "/ams/api/v1/payments/createPaymentSession"),
        ("5Y", ProviderCall::Inquire, "/ams/api/v1/payments/inquiryPayment"),
        ("sandbox_5Y", ProviderCall::Inquire, "/ams/api/v1/payments/inquiryPayment"),
    ] {
        assert_eq!(action.path(client_id), expected);
    }
}
