//! Input tokens: the provider's count where it has one, an estimate elsewhere, never a charge.

use serde_json::{Value, json};
use tollgate_tests::gateway::amount;
use tollgate_tests::reply::Reply;

use super::{FORMATS, Formats};

async fn count(formats: &Formats, body: &Value) -> i64 {
    let reply = formats.post("/v1/responses/input_tokens", body).await;
    assert_eq!(reply.status(), 200, "{body}");
    let told: Value = reply.json().await.expect("JSON");
    assert_eq!(told["object"], "response.input_tokens");
    told["input_tokens"].as_i64().expect("a count")
}

#[tokio::test]
async fn a_provider_counts_or_the_service_estimates() {
    let formats = Formats::start().await;
    for format in FORMATS {
        let long = "word ".repeat(400);
        let body = json!({"model": format, "input": long, "instructions": "Be kind.", "temperature": 0.5});
        let counted = count(&formats, &body).await;
        if format == "responses" {
            assert_eq!(counted, 77);
            let received = formats.provider.take_received().remove(0);
            assert!(received.line.starts_with("POST /v1/responses/input_tokens "), "{}", received.line);
            let sent: Value = serde_json::from_slice(&received.body).expect("JSON");
            assert_eq!((&sent["model"], &sent["instructions"]), (&json!("upstream-model"), &json!("Be kind.")));
            assert!(sent["temperature"].is_null(), "only what costs tokens is sent: {sent}");
        } else {
            assert!((500..600).contains(&counted), "{format}: {counted}");
            assert!(formats.provider.take_received().is_empty());
        }
        // The conversation before counts too.
        let first = formats.ask(&json!({"model": format, "input": "My name is Ada."})).await;
        let _ = formats.sent();
        let next = json!({"model": format, "input": "x", "previous_response_id": first["id"]});
        let alone = json!({"model": format, "input": "x"});
        let (with, without) = (count(&formats, &next).await, count(&formats, &alone).await);
        if format == "responses" {
            let received = formats.provider.take_received();
            assert!(String::from_utf8_lossy(&received[0].body).contains("My name is Ada."));
        } else {
            assert!(with > without, "{format}: {with} {without}");
        }
    }
    // The turns were paid for, the counts were not.
    assert_eq!(amount(&formats.gateway.balance().await["available_usd"]), "9.999936");
}

#[tokio::test]
async fn a_count_that_fails_says_so() {
    let formats = Formats::start().await;
    for (status, seen) in [(500, 502), (429, 429), (503, 503), (400, 400)] {
        formats.provider.answer(Reply::json(status, &json!({"error": {"message": "no"}})));
        let reply = formats.post("/v1/responses/input_tokens", &json!({"model": "responses", "input": "x"})).await;
        assert_eq!(reply.status(), seen, "{status}");
    }
    let reply = formats.post("/v1/responses/input_tokens", &json!({"model": "unknown", "input": "x"})).await;
    assert_eq!(reply.status(), 404);
}
