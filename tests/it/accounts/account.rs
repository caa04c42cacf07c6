//! `GET /api/user/self/balance` and `GET /api/user/self/receipts/{request_id}`.

use serde_json::{Value, json};
use tollgate_accounts::NewKey;
use tollgate_base::Clock;
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::reply::{Reply, Step, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway, client};

#[tokio::test]
async fn the_balance_is_exact_and_shows_what_is_held() {
    let gateway = TestGateway::with(Options { credit: "2.000000001", ..Options::default() }).await;
    let reply = gateway.get("/api/user/self/balance").send().await.expect("an answer");
    let text = reply.text().await.expect("a body");
    assert_eq!(
        text,
        r#"{"success":true,"message":"","data":{"quota_usd":2.000000001,"held_usd":0,"available_usd":2.000000001,"debt_usd":0,"quota":1000000}}"#
    );
    let gate = ReplyGate::default();
    gateway.upstream.answer(Reply::json(200, &completion("x", 1, 1)).step_at(0, Step::Wait(gate.clone())));
    let request = tokio::spawn(gateway.hello().send());
    let held = until("the hold", || async {
        let balance = gateway.balance().await;
        (amount(&balance["held_usd"]) != "0").then_some(balance)
    })
    .await;
    assert_eq!(amount(&held["quota_usd"]), "2.000000001", "held is still the account's");
    gate.open();
    assert_eq!(request.await.expect("no panic").expect("an answer").status(), 200);
}

#[tokio::test]
async fn a_receipt_is_there_from_the_hold_on_with_its_times() {
    let (clock, hand) = Clock::manual(1_800_000_000_125);
    let gateway = TestGateway::with(Options { clock, ..Options::default() }).await;
    let gate = ReplyGate::default();
    let events = tollgate_tests::reply::chat_stream(&["x"], 4, 1);
    gateway.upstream.answer(Reply::stream(events).step_at(2, Step::Wait(gate.clone())));
    let reply = gateway.hello_stream().send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let path = format!("/api/user/self/receipts/{request_id}");
    let open: Value = gateway.get(&path).send().await.expect("an answer").json().await.expect("JSON");
    let open = &open["data"];
    assert_eq!(
        (open["status"].as_str(), &open["rule"], &open["settled_at"]),
        (Some("held"), &Value::Null, &Value::Null)
    );
    assert_eq!(open["created_at"], "2027-01-15T08:00:00.125Z");
    assert_eq!(
        open["prices"],
        json!({
            "prompt_picousd": 150_000, "cached_picousd": 75_000, "cache_write_picousd": 187_500,
            "cache_write_long_picousd": 187_500, "completion_picousd": 600_000,
            "audio_prompt_picousd": 150_000, "image_prompt_picousd": 150_000,
            "audio_completion_picousd": 600_000, "image_completion_picousd": 600_000,
            "reasoning_picousd": 600_000, "request_picousd": 0,
        })
    );
    hand.advance_ms(875);
    gate.open();
    reply.bytes().await.expect("a body");
    let settled = gateway.receipt(&request_id).await;
    assert_eq!(
        (settled["stream"].as_bool(), settled["settled_at"].as_str()),
        (Some(true), Some("2027-01-15T08:00:01Z"))
    );
}

#[tokio::test]
async fn another_accounts_receipt_is_as_missing_as_one_that_never_was() {
    let gateway = TestGateway::start().await;
    let reply = gateway.hello().send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    assert_eq!(gateway.receipt(&request_id).await["status"], "settled");
    let accounts = &gateway.service().accounts;
    let stranger = accounts.create_account("stranger", "test").await.expect("an account").id;
    let key = NewKey { account: stranger, label: String::new(), expires_at_ms: None };
    let key = accounts.create_key(key, "test").await.expect("a key").secret;
    for id in [request_id.as_str(), "req_00000000000000000000000000", "nonsense", "%20"] {
        let url = gateway.url(&format!("/api/user/self/receipts/{id}"));
        let reply = client().get(url).bearer_auth(key.reveal()).send().await.expect("an answer");
        assert_eq!(reply.status(), 404, "{id}");
        let body: Value = reply.json().await.expect("JSON");
        assert_eq!(
            (body["code"].as_str(), body["message"].as_str()),
            (Some("RECEIPT_NOT_FOUND"), Some("RECEIPT_NOT_FOUND"))
        );
    }
}
