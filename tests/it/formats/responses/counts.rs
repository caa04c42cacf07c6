//! Input tokens: the provider's count where it has one, an estimate elsewhere, never a charge.

use serde_json::{Value, json};
use tollgate_tests::gateway::amount;
use tollgate_tests::reply::Reply;

use super::{FORMATS, Formats};

/// The count, and whether it is an estimate.
async fn count(formats: &Formats, body: &Value) -> (i64, bool) {
    let reply = formats.post("/v1/responses/input_tokens", body).await;
    assert_eq!(reply.status(), 200, "{body}");
    let estimated = reply.headers().get("x-tollgate-estimated").is_some_and(|told| told == "true");
    let told: Value = reply.json().await.expect("JSON");
    assert_eq!(told["object"], "response.input_tokens");
    (told["input_tokens"].as_i64().expect("a count"), estimated)
}

#[tokio::test]
async fn a_provider_counts_or_the_service_estimates() {
    let formats = Formats::start().await;
    for format in FORMATS {
        let long = "word ".repeat(400);
        let body = json!({"model": format, "input": long, "instructions": "Be kind.", "temperature": 0.5});
        let counted = count(&formats, &body).await;
        let by_provider = ["responses", "messages", "generate"].iter().position(|known| *known == format);
        if let Some(place) = by_provider {
            assert_eq!(counted, (77 + i64::try_from(place).expect("a few"), false));
        }
        if format == "responses" {
            let received = formats.provider.take_received().remove(0);
            assert!(received.line.starts_with("POST /v1/responses/input_tokens "), "{}", received.line);
            let sent: Value = serde_json::from_slice(&received.body).expect("JSON");
            assert_eq!((&sent["model"], &sent["instructions"]), (&json!("upstream-model"), &json!("Be kind.")));
            assert!(sent["temperature"].is_null(), "only what costs tokens is sent: {sent}");
        } else if by_provider.is_some() {
            let received = formats.provider.take_received();
            assert!(String::from_utf8_lossy(&received[0].body).contains("Be kind."), "{format}");
        } else {
            assert!((500..600).contains(&counted.0) && counted.1, "{format}: {counted:?}");
            assert!(formats.provider.take_received().is_empty());
        }
        // The conversation before counts too.
        let first = formats.ask(&json!({"model": format, "input": "My name is Ada."})).await;
        let _ = formats.sent();
        let next = json!({"model": format, "input": "x", "previous_response_id": first["id"]});
        let alone = json!({"model": format, "input": "x"});
        let (with, without) = (count(&formats, &next).await, count(&formats, &alone).await);
        if by_provider.is_some() {
            let received = formats.provider.take_received();
            assert!(String::from_utf8_lossy(&received[0].body).contains("My name is Ada."));
        } else {
            assert!(with > without, "{format}: {with:?} {without:?}");
        }
    }
    // The turns were paid for, the counts were not.
    assert_eq!(amount(&formats.gateway.balance().await["available_usd"]), "9.999936");
}

#[tokio::test]
async fn a_count_that_fails_is_estimated_and_a_mistake_is_told() {
    let formats = Formats::start().await;
    let body = json!({"model": "responses", "input": "twelve bytes"});
    for status in [500, 429, 503, 404] {
        formats.provider.answer(Reply::json(status, &json!({"error": {"message": "no"}})));
        // The model's name is text too: 21 bytes.
        assert_eq!(count(&formats, &body).await, (6, true), "{status}");
    }
    formats.provider.answer(Reply::json(400, &json!({"error": {"message": "no"}})));
    assert_eq!(formats.post("/v1/responses/input_tokens", &body).await.status(), 400);
    let unreadable = json!({"model": "chat", "input": [{"role": "user", "content": 3}]});
    assert_eq!(formats.post("/v1/responses/input_tokens", &unreadable).await.status(), 400);
    let reply = formats.post("/v1/responses/input_tokens", &json!({"model": "unknown", "input": "x"})).await;
    assert_eq!(reply.status(), 404);
}
