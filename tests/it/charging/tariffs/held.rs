//! What is held for such prices, and when nothing is charged for a request.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::reply::{Reply, completion};

/// Half of all prices is paid. In a short prompt the dearest token is one of two USD a million, in a long one of six; in the
/// answer reasoning is the dearest.
const CONFIG: &str = r#"
[groups.half]
ratio = "0.5"
[models.long]
context_tokens = 100000
max_output_tokens = 1000
candidates = [{ upstream = "fake", model = "upstream-model" }]
[models.long.price]
prompt = "1"
cache_write = "2"
cache_write_long = "2"
completion = "3"
reasoning = "4"
per_request = "0.002"
[[models.long.price.tiers]]
above = 1000
prompt = "6"
cache_write = "6"
cache_write_long = "6"
completion = "7"
"#;

async fn house() -> TestGateway {
    let gateway = TestGateway::with(Options { config: CONFIG.to_owned(), ..Options::default() }).await;
    let half = "half".parse().expect("a name");
    gateway.service().accounts.set_group(gateway.account, half, "test").await.expect("an account");
    gateway
}

/// Asks for ten tokens of output to a text of so many bytes; the receipt, and how long the body was.
async fn receipt(gateway: &TestGateway, text: usize) -> (Value, u64) {
    let message = json!({"role": "user", "content": "x".repeat(text)});
    let body = json!({"model": "long", "messages": [message], "max_completion_tokens": 10}).to_string();
    let len = u64::try_from(body.len()).expect("short");
    let reply = gateway.chat(body).send().await.expect("an answer");
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.bytes().await.expect("a body");
    (gateway.receipt(&id).await, len)
}

/// So many pico-USD, half of them, in USD.
fn half(picos: u64) -> String {
    let nanos = picos.div_ceil(2_000);
    format!("0.{nanos:09}").trim_end_matches('0').to_owned()
}

#[tokio::test]
async fn the_dearest_prices_that_the_request_can_come_to_are_held() {
    let gateway = house().await;
    gateway.upstream.answer(Reply::json(200, &completion("ab", 9, 3)));
    let request = 2_000_000_000;
    let (short, len) = receipt(&gateway, 10).await;
    assert_eq!(amount(&short["held_usd"]), half((len + 16) * 2_000_000 + 10 * 4_000_000 + request), "{short}");
    // Held for the long one; it turned out short.
    let (long, len) = receipt(&gateway, 2_000).await;
    assert_eq!(amount(&long["held_usd"]), half((len + 16) * 6_000_000 + 10 * 7_000_000 + request), "{long}");
    for receipt in [short, long] {
        assert_eq!(amount(&receipt["charged_usd"]), half(9_000_000 + 3 * 3_000_000 + request), "{receipt}");
        assert_eq!((&receipt["tier_above_tokens"], &receipt["ratio"]), (&Value::Null, &json!("0.5")));
    }
    // A prompt that the provider counts otherwise than was thought has the prices of what it counts.
    gateway.upstream.answer(Reply::json(200, &completion("ab", 1_001, 3)));
    let (counted, _) = receipt(&gateway, 10).await;
    assert_eq!(amount(&counted["charged_usd"]), half(1_001 * 6_000_000 + 3 * 7_000_000 + request), "{counted}");
    assert_eq!(counted["tier_above_tokens"], 1_000);
    gateway.assert_books().await;
}

/// Counted by us, it is charged as well; brought to nothing, it is not.
#[tokio::test]
async fn a_request_is_paid_for_where_something_is() {
    let gateway = house().await;
    let silent = json!({"id": "i", "object": "chat.completion", "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "abcd"}, "finish_reason": "stop"}]});
    gateway.upstream.answer(Reply::json(200, &silent));
    let (counted, len) = receipt(&gateway, 10).await;
    let tokens = counted["usage"]["prompt_tokens"].as_u64().expect("a count");
    assert!(
        (&counted["rule"], counted["usage"]["completion_tokens"].as_u64()) == (&json!("counted"), Some(1))
            && tokens < len
    );
    assert_eq!(amount(&counted["charged_usd"]), half(tokens * 1_000_000 + 3_000_000 + 2_000_000_000), "{counted}");
    for failure in
        [Reply::json(500, &json!({"error": {"message": "no"}})), Reply::json(400, &json!({"error": {"message": "no"}}))]
    {
        gateway.upstream.answer(failure);
        let (failed, _) = receipt(&gateway, 10).await;
        assert_eq!((amount(&failed["charged_usd"]).as_str(), &failed["rule"]), ("0", &json!("nothing_delivered")));
    }
    gateway.assert_books().await;
}
