//! The last hour of a provider, as operators read it.

use serde_json::{Value, json};
use tollgate_base::Clock;
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::Options;
use tollgate_tests::reply::Reply;

use super::admin_client::AdminClient;

/// The minutes in which something happened, with their places.
fn used(health: &Value) -> Vec<(usize, &Value)> {
    let minutes = health["minutes"].as_array().expect("a list");
    assert_eq!(minutes.len(), 60);
    minutes.iter().enumerate().filter(|(_, minute)| minute["requests"] != 0).collect()
}

#[tokio::test]
async fn attempts_are_told_by_the_minute_with_how_they_ended() {
    let (clock, hand) = Clock::manual(1_800_000_000_000);
    let config = "[breaker]\nfailures = 2\n".to_owned();
    let gateway = TestGateway::with(Options { clock, config, ..Options::default() }).await;
    let admin = AdminClient::of(&gateway).await;
    let health = async || AdminClient::data(admin.get("providers/fake/health").await);
    assert_eq!(used(&health().await), []);
    let asks = async |status: u16| {
        if status != 200 {
            gateway.upstream.on(move |_| Reply::json(status, &json!({"error": {"message": "no"}})));
        }
        gateway.hello().send().await.expect("an answer").status().as_u16()
    };
    assert_eq!(asks(200).await, 200);
    // A refusal of the request is an answer.
    assert_eq!(asks(400).await, 400);
    hand.advance_ms(60_000);
    assert_eq!(asks(429).await, 429);
    for _ in 0..2 {
        assert!(asks(500).await >= 500);
    }
    assert!(asks(500).await >= 500, "it is not asked while its breaker is open");
    let told = health().await;
    let [(58, first), (59, second)] = used(&told)[..] else { panic!("{told}") };
    let of = |minute: &Value| {
        ["requests", "failures", "limited", "breaker_openings"].map(|name| minute[name].as_i64().expect("a number"))
    };
    assert_eq!((of(first), of(second)), ([2, 0, 0, 0], [3, 2, 1, 1]));
    assert_eq!((&first["at"], &second["at"]), (&json!("2027-01-15T08:00:00Z"), &json!("2027-01-15T08:01:00Z")));
    assert!(first["first_byte_ms"].is_u64() && second["first_byte_ms"].is_null(), "{first} {second}");
    hand.advance_ms(59 * 60_000);
    assert_eq!(used(&health().await).len(), 1, "of an hour ago nothing is known");
}

/// A provider keeps its figures where its settings change, and one of the same name that comes later begins anew.
#[tokio::test]
async fn figures_belong_to_a_provider_by_its_name() {
    let gateway = TestGateway::start().await;
    let admin = AdminClient::of(&gateway).await;
    let settings = json!({"base_url": gateway.upstream.base_url()});
    AdminClient::data(admin.post("providers", &json!({"name": "alpha", "settings": settings})).await);
    let price = json!({"name": "price", "settings": {"prompt": "1", "completion": "1"}});
    AdminClient::data(admin.post("prices", &price).await);
    let model = json!({
        "context_tokens": 1000, "max_output_tokens": 100, "listed_as": "price", "candidates": [{"upstream": "alpha"}],
    });
    AdminClient::data(admin.post("models", &json!({"name": "quick", "settings": model})).await);
    let requests = async || {
        let health = AdminClient::data(admin.get("providers/alpha/health").await);
        used(&health).iter().map(|(_, minute)| minute["requests"].as_i64().expect("a number")).sum::<i64>()
    };
    let asks = async || {
        let body = json!({"model": "quick", "messages": [{"role": "user", "content": "hello"}], "max_tokens": 10});
        assert_eq!(gateway.chat(body.to_string()).send().await.expect("an answer").status(), 200);
    };
    asks().await;
    let changed = json!({"settings": {"base_url": gateway.upstream.base_url(), "concurrency_max": 7}});
    AdminClient::data(admin.put("providers/alpha", &changed).await);
    asks().await;
    assert_eq!(requests().await, 2);
    AdminClient::data(admin.delete("models/quick?reason=done").await);
    AdminClient::data(admin.delete("providers/alpha?reason=done").await);
    AdminClient::data(admin.post("providers", &json!({"name": "alpha", "settings": settings})).await);
    assert_eq!(requests().await, 0);
}
