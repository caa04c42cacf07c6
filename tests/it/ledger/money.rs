//! Credit under pressure: it buys exactly what it covers, whoever asks at the same time.

// suite of this file: quick

use std::sync::Arc;

use serde_json::json;
use tokio::task::JoinSet;
use tollgate_accounts::NewKey;
use tollgate_base::{AccountId, Usd};
use tollgate_credit::GrantRequest;
use tollgate_tests::gateway::{Options, amount, exact, hello};
use tollgate_tests::reply::{Reply, Step, completion};
use tollgate_tests::{ReplyGate, TestGateway};

const RUNS: usize = 12;
/// With time for it.
const MANY_RUNS: usize = 100;
const REQUESTS: usize = 1000;
/// Requests that one HTTP/2 connection carries at the same time.
const REQUESTS_PER_CONNECTION: usize = 100;

/// 1,000 simultaneous requests against a balance that covers exactly k of them: k are answered, in every run.
// suite: quick processor
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exactly_as_many_are_admitted_as_the_balance_covers() {
    exactly_as_many_are_admitted(RUNS).await;
}

// suite: long 75s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exactly_as_many_are_admitted_a_hundred_times() {
    exactly_as_many_are_admitted(MANY_RUNS).await;
}

async fn exactly_as_many_are_admitted(runs: usize) {
    let gateway = Arc::new(TestGateway::start().await);
    let hold = hold_of_hello();
    for run in 0..runs {
        // Spread over small and large, never the same twice in a row.
        let covered = 1 + (run * 37) % 150;
        let (account, key) =
            account_with(&gateway, &format!("run-{run}"), hold * i64::try_from(covered).expect("small") + hold - 1)
                .await;
        let gate = ReplyGate::default();
        gateway.upstream.answer(Reply::json(200, &completion("x", 1, 1)).step_at(0, Step::Wait(gate.clone())));
        let admitted = storm(&gateway, &key, gate).await;
        assert_eq!(admitted, covered, "run {run}");
        let balance = gateway.service().credit.balance(account).await.expect("a balance");
        assert!(balance.posted >= Usd::ZERO && balance.held == Usd::ZERO, "run {run}: {balance:?}");
    }
    gateway.assert_books().await;
}

/// Sends all requests at the same time and opens the gate when every refusal is in; how many were answered.
async fn storm(gateway: &Arc<TestGateway>, key: &str, gate: ReplyGate) -> usize {
    let mut requests = JoinSet::new();
    for _ in 0..REQUESTS / REQUESTS_PER_CONNECTION {
        let client = reqwest::Client::builder().no_proxy().http2_prior_knowledge().build().expect("a client");
        for _ in 0..REQUESTS_PER_CONNECTION {
            let request = client.post(gateway.url("/v1/chat/completions")).bearer_auth(key);
            let request = request.header("content-type", "application/json").body(hello(false).to_string());
            requests.spawn(async move { request.send().await.expect("an answer").status().as_u16() });
        }
    }
    // No hold is given back before the gate opens, so all who cannot be served are refused by then.
    let mut refused = 0;
    let credit = &gateway.service().credit;
    let account = gateway.service().accounts.authenticate(key).await.expect("a key").account;
    let hold = hold_of_hello();
    while let Some(status) = requests.join_next().await {
        assert!(matches!(status.expect("no panic"), 402 | 429), "answered before the gate was open");
        refused += 1;
        let held = credit.balance(account).await.expect("a balance").held.nanos() / hold;
        if refused + usize::try_from(held).expect("not negative") == REQUESTS {
            break;
        }
    }
    gate.open();
    let mut admitted = 0;
    while let Some(status) = requests.join_next().await {
        assert_eq!(status.expect("no panic"), 200);
        admitted += 1;
    }
    assert_eq!(admitted + refused, REQUESTS);
    admitted
}

/// What the worst case of [`hello`] is held at, in nano-USD: its bytes and 16 as tokens of prompt, all of them written to
/// a cache, and 100 of output.
fn hold_of_hello() -> i64 {
    let prompt = i64::try_from(hello(false).to_string().len() + 16).expect("small");
    (prompt * 187_500 + 100 * 600_000 + 999) / 1000
}

async fn account_with(gateway: &TestGateway, name: &str, nanos: i64) -> (AccountId, String) {
    let service = gateway.service();
    let account = service.accounts.create_account(name, "test").await.expect("an account").id;
    let amount = Usd::from_nanos(nanos);
    service
        .credit
        .grant(GrantRequest { account, amount, idem: name, actor: "test".into(), note: "" })
        .await
        .expect("a grant");
    let key = NewKey { account, label: String::new(), expires_at_ms: None };
    let key = service.accounts.create_key(key, "test").await.expect("a key");
    (account, key.secret.reveal().to_owned())
}

#[tokio::test]
async fn no_credit_is_refused_with_what_is_needed_and_not_retried() {
    let gateway = TestGateway::with(Options { credit: "0", ..Options::default() }).await;
    let reply = gateway.hello().send().await.expect("an answer");
    assert_eq!((reply.status().as_u16(), reply.headers()["x-should-retry"].as_bytes()), (402, &b"false"[..]));
    let body = exact(&reply.text().await.expect("a body"));
    assert_eq!(
        (&body["error"]["code"], &body["error"]["type"]),
        (&json!("insufficient_credit"), &json!("insufficient_quota"))
    );
    let needed = Usd::from_nanos(hold_of_hello()).to_string();
    assert_eq!(amount(&body["error"]["details"]["needed_usd"]), needed);
    assert_eq!(amount(&body["error"]["details"]["available_usd"]), "0");
    assert!(gateway.upstream.take_received().is_empty(), "nothing is sent that is not paid for");
}

#[tokio::test]
async fn credit_that_others_hold_is_a_matter_of_waiting() {
    let gateway = TestGateway::start().await;
    let hold = hold_of_hello();
    let (_, key) = account_with(&gateway, "tight", hold + hold / 2).await;
    let gate = ReplyGate::default();
    gateway.upstream.answer(Reply::json(200, &completion("x", 1, 1)).step_at(0, Step::Wait(gate.clone())));
    let ask = || {
        let request = tollgate_tests::client().post(gateway.url("/v1/chat/completions")).bearer_auth(&key);
        request.header("content-type", "application/json").body(hello(false).to_string()).send()
    };
    let first = tokio::spawn(ask());
    tollgate_tests::wait::until("the first to be sent", || async {
        (!gateway.upstream.take_received().is_empty()).then_some(())
    })
    .await;
    let second = ask().await.expect("an answer");
    assert_eq!((second.status().as_u16(), second.headers()["x-should-retry"].as_bytes()), (429, &b"true"[..]));
    assert!(second.headers().contains_key("retry-after"));
    let body: serde_json::Value = second.json().await.expect("JSON");
    assert_eq!(body["error"]["code"], "credit_in_flight");
    gate.open();
    assert_eq!(first.await.expect("no panic").expect("an answer").status(), 200);
}

/// Without a bound of its own, a request takes what its credit buys, and is told.
#[tokio::test]
async fn a_small_credit_buys_a_bounded_output() {
    let gateway = TestGateway::with(Options { credit: "0.0001", ..Options::default() }).await;
    let body = r#"{"model":"small","messages":[{"role":"user","content":"Hello"}],"max_completion_tokens":null}"#;
    let reply = gateway.chat(body).send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    let bound: u64 = reply.headers()["x-tollgate-output-bound"].to_str().expect("text").parse().expect("a number");
    // 0.0001 USD less the prompt's bound, written to a cache, at 0.6 USD per million.
    let prompt = u64::try_from(body.len() + 16).expect("small") * 187_500;
    assert_eq!(bound, (100_000_000 - prompt) / 600_000);
    let received = String::from_utf8(gateway.upstream.take_received().remove(0).body).expect("text");
    assert_eq!(received, body.replace("\"small\"", "\"upstream-model\"").replace("null", &bound.to_string()));
    let poor = TestGateway::with(Options { credit: "0.00001", ..Options::default() }).await;
    assert_eq!(poor.chat(body).send().await.expect("an answer").status(), 402, "less than a useful reply");
}
