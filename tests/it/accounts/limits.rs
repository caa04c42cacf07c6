//! What a key may spend and how fast, as clients of each format are told.

use reqwest::Response;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tollgate_accounts::{KeyLimits, NewKey};
use tollgate_base::{Clock, Usd};
use tollgate_tests::gateway::{IN_FILE, Options, hello};
use tollgate_tests::reply::{Reply, Step, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway, client};

const START_MS: i64 = 1_800_000_000_000;
const MINUTE_MS: i64 = 60_000;

async fn limited(gateway: &TestGateway, limits: KeyLimits) -> String {
    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: None };
    let created = gateway.service().accounts.create_limited_key(key, limits, "test").await.expect("a key");
    created.secret.reveal().to_owned()
}

async fn chat(gateway: &TestGateway, key: &str, body: &Value) -> Response {
    let request = client().post(gateway.url("/v1/chat/completions")).bearer_auth(key);
    request.header("content-type", "application/json").body(body.to_string()).send().await.expect("an answer")
}

async fn messages(gateway: &TestGateway, key: &str) -> Response {
    let body = json!({"model": "small", "max_tokens": 10, "messages": [{"role": "user", "content": "hello"}]});
    let request =
        client().post(gateway.url("/v1/messages")).header("x-api-key", key).header("anthropic-version", "2023-06-01");
    request.header("content-type", "application/json").body(body.to_string()).send().await.expect("an answer")
}

fn told<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).map(|value| value.to_str().expect("text"))
}

#[tokio::test]
async fn a_rate_is_told_with_each_answer_and_holds() {
    let (clock, hand) = Clock::manual(START_MS);
    let gateway = TestGateway::with(Options { clock, ..Options::default() }).await;
    gateway.upstream.answer(Reply::json(200, &completion("hi", 100, 50)));
    let limits = KeyLimits { requests_per_minute: Some(2), tokens_per_minute: Some(10_000), ..KeyLimits::default() };
    let key = limited(&gateway, limits).await;

    let first = chat(&gateway, &key, &hello(false)).await;
    assert_eq!(first.status(), 200);
    for (name, value) in [
        ("x-ratelimit-limit-requests", "2"),
        ("x-ratelimit-remaining-requests", "1"),
        ("x-ratelimit-reset-requests", "30s"),
        ("x-ratelimit-limit-tokens", "10000"),
    ] {
        assert_eq!(told(first.headers(), name), Some(value), "{name}");
    }
    // In the words of format A, also where the provider speaks another.
    let second = messages(&gateway, &key).await;
    assert_eq!(second.status(), 200);
    assert_eq!(told(second.headers(), "anthropic-ratelimit-requests-remaining"), Some("0"));
    assert_eq!(told(second.headers(), "anthropic-ratelimit-requests-reset"), Some("2027-01-15T08:01:00Z"));
    assert_eq!(told(second.headers(), "x-ratelimit-limit-requests"), None);

    let third = chat(&gateway, &key, &hello(false)).await;
    assert_eq!(third.status(), 429);
    assert_eq!(told(third.headers(), "retry-after"), Some("30"));
    assert_eq!(told(third.headers(), "x-should-retry"), Some("true"));
    assert_eq!(told(third.headers(), "x-ratelimit-remaining-requests"), Some("0"));
    let error: Value = third.json().await.expect("JSON");
    assert_eq!(error["error"]["code"], "rate_limit_exceeded");
    let said = error["error"]["message"].as_str().expect("a text");
    assert!(said.contains("the key may send 2 requests a minute"), "{said}");

    hand.advance_ms(MINUTE_MS / 2);
    assert_eq!(messages(&gateway, &key).await.status(), 200);
    // A key without limits is told of none.
    let free = gateway.hello().send().await.expect("an answer");
    assert!(free.headers().keys().all(|name| !name.as_str().contains("ratelimit")), "{:?}", free.headers());
    gateway.assert_books().await;
}

#[tokio::test]
async fn tokens_count_as_they_were_charged() {
    let (clock, hand) = Clock::manual(START_MS);
    let gateway = TestGateway::with(Options { clock, ..Options::default() }).await;
    gateway.upstream.answer(Reply::json(200, &completion("hi", 700, 500)));
    let key = limited(&gateway, KeyLimits { tokens_per_minute: Some(1_000), ..KeyLimits::default() }).await;
    assert_eq!(chat(&gateway, &key, &hello(false)).await.status(), 200);
    // 200 more than there are in a minute: the next waits for them, and for its own few.
    let refused = chat(&gateway, &key, &hello(false)).await;
    assert_eq!((refused.status().as_u16(), told(refused.headers(), "x-ratelimit-remaining-tokens")), (429, Some("0")));
    let wait: i64 = told(refused.headers(), "retry-after").expect("a wait").parse().expect("seconds");
    assert!((12..=15).contains(&wait), "{wait}");
    hand.advance_ms(wait * 1_000);
    assert_eq!(chat(&gateway, &key, &hello(false)).await.status(), 200);
}

#[tokio::test]
async fn requests_under_way_have_a_bound_and_give_their_place_back() {
    let gateway = TestGateway::start().await;
    let gate = ReplyGate::default();
    gateway.upstream.answer(Reply::json(200, &completion("hi", 1, 1)).step_at(0, Step::Wait(gate.clone())));
    let key = limited(&gateway, KeyLimits { in_flight: Some(1), ..KeyLimits::default() }).await;
    let body = hello(false);
    let first = async {
        let answer = chat(&gateway, &key, &body).await;
        assert_eq!(answer.status(), 200);
    };
    let second = async {
        until("the first to be sent", || async { (!gateway.upstream.take_received().is_empty()).then_some(()) }).await;
        let refused = chat(&gateway, &key, &body).await;
        assert_eq!((refused.status().as_u16(), told(refused.headers(), "retry-after")), (429, Some("1")));
        gate.open();
    };
    tokio::join!(first, second);
    assert_eq!(chat(&gateway, &key, &body).await.status(), 200);
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_spent_budget_says_when_it_begins_anew() {
    let (clock, hand) = Clock::manual(START_MS);
    let gateway = TestGateway::with(Options { clock, ..Options::default() }).await;
    gateway.upstream.answer(Reply::json(200, &completion("hi", 100, 1000)));
    // One answer costs 0.000615 USD.
    let budget_day = Some("0.0007".parse::<Usd>().expect("an amount"));
    let key = limited(&gateway, KeyLimits { budget_day, ..KeyLimits::default() }).await;
    let body =
        json!({"model": "small", "max_completion_tokens": 1000, "messages": [{"role": "user", "content": "hello"}]});
    assert_eq!(chat(&gateway, &key, &body).await.status(), 200);
    let refused = chat(&gateway, &key, &body).await;
    assert_eq!((refused.status().as_u16(), told(refused.headers(), "x-should-retry")), (402, Some("false")));
    let error: Value = refused.json().await.expect("JSON");
    assert_eq!(error["error"]["code"], "key_spend_cap_exceeded");
    let details = &error["error"]["details"];
    assert_eq!(details["resets_at"], "2027-01-16T00:00:00Z");
    assert_eq!((&details["cap_usd"], &details["spent_usd"]), (&json!(0.0007), &json!(0.000615)));
    // Another key of the account goes on, and so does this one tomorrow.
    assert_eq!(gateway.hello().send().await.expect("an answer").status(), 200);
    hand.advance_ms(24 * 60 * MINUTE_MS);
    assert_eq!(chat(&gateway, &key, &body).await.status(), 200);
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_key_that_is_revoked_sends_nothing_more_although_it_was_seen_a_moment_ago() {
    let gateway = TestGateway::with(Options { config: IN_FILE.to_owned(), ..Options::default() }).await;
    gateway.upstream.answer(Reply::json(200, &completion("hi", 1, 1)));
    let key = limited(&gateway, KeyLimits::default()).await;
    assert_eq!(chat(&gateway, &key, &hello(false)).await.status(), 200);
    drop(gateway.upstream.take_received());
    // By another process, so that this one has not heard of it.
    let clock = Clock::system();
    let config = tollgate_store::StoreConfig::Sqlite { path: gateway.ledger() };
    let store = tollgate_store::Store::open(&config, &clock).await.expect("a store");
    let beside = tollgate_accounts::AccountService::new(store, clock);
    let id = gateway.service().accounts.authenticate(&key).await.expect("a key").key;
    beside.revoke_key(&id.to_string(), "test").await.expect("revoked");
    let refused = chat(&gateway, &key, &hello(false)).await;
    let error: Value = refused.json().await.expect("JSON");
    assert_eq!(error["error"]["code"], "invalid_api_key");
    assert!(gateway.upstream.take_received().is_empty(), "nothing was sent");
}
