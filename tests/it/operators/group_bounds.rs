//! The bounds that a group has for the model requests of each of its accounts.

use reqwest::Method;
use serde_json::{Value, json};
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway, client};

use super::admin_client::AdminClient;

/// The status of a chat, its wait, and its body.
async fn chat(gateway: &TestGateway, key: &str) -> (u16, Option<u64>, Value) {
    let body = json!({"model": "small", "messages": [{"role": "user", "content": "hello"}]});
    let asked = client().post(gateway.url("/v1/chat/completions")).bearer_auth(key).json(&body);
    let reply = asked.send().await.expect("an answer");
    let wait = reply.headers().get("retry-after").map(|wait| wait.to_str().expect("text").parse().expect("seconds"));
    (reply.status().as_u16(), wait, reply.json().await.expect("JSON"))
}

/// A gateway whose account is in the group `slow`, which has these bounds.
async fn gateway_of(bounds: Value) -> (TestGateway, AdminClient) {
    let gateway = TestGateway::start().await;
    gateway.upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
    let admin = AdminClient::of(&gateway).await;
    AdminClient::data(admin.post("groups", &bounds).await);
    let account = format!("accounts/{}", gateway.account);
    AdminClient::data(admin.send(Method::PATCH, &account, Some(&json!({"group": "slow"})), "*").await);
    (gateway, admin)
}

async fn held(gateway: &TestGateway) -> Value {
    let reply = client().get(gateway.url("/api/user/self/balance")).bearer_auth(&gateway.key).send().await;
    reply.expect("an answer").json().await.expect("JSON")
}

#[tokio::test]
async fn an_account_begins_as_many_requests_a_minute_as_its_group_says() {
    let (gateway, admin) = gateway_of(json!({"name": "slow", "ratio": "1", "requests_per_minute": 1})).await;
    let other = gateway.key_of_another().await;
    let own_second = gateway.new_key().await;
    assert_eq!(chat(&gateway, &gateway.key).await.0, 200);
    let before = held(&gateway).await;
    let (status, wait, told) = chat(&gateway, &gateway.key).await;
    let text = told["error"]["message"].as_str().expect("a text");
    assert!(status == 429 && text.contains("an account of its group may begin 1 a minute"), "{told}");
    assert!(wait.is_some_and(|wait| (1..=60).contains(&wait)), "{wait:?}");
    assert_eq!(chat(&gateway, &own_second).await.0, 429, "all keys of the account count together");
    assert_eq!(held(&gateway).await, before, "nothing was held or charged, and what is no model request is answered");
    assert_eq!(gateway.upstream.take_received().len(), 1, "no provider was asked");
    assert_eq!(
        chat(&gateway, &other).await.0,
        402,
        "an account of another group comes to its credit, of which it has none"
    );
    // A bound that is raised or taken off holds from the next request on.
    AdminClient::data(admin.put("groups/slow", &json!({"ratio": "1"})).await);
    assert_eq!(chat(&gateway, &gateway.key).await.0, 200);
}

#[tokio::test]
async fn an_account_has_as_many_requests_under_way_as_its_group_says() {
    let (gateway, admin) = gateway_of(json!({"name": "slow", "ratio": "1", "requests_in_flight": 1})).await;
    let gate = ReplyGate::default();
    let held_up = gate.clone();
    gateway.upstream.on(move |_| Reply::json(200, &completion("ab", 9, 3)).after(held_up.clone()));
    let under_way = chat(&gateway, &gateway.key);
    let others = async {
        until("the request at the provider", async || (!gateway.upstream.take_received().is_empty()).then_some(()))
            .await;
        let (status, _, told) = chat(&gateway, &gateway.key).await;
        let text = told["error"]["message"].as_str().expect("a text");
        assert!(
            status == 429 && text.contains("1 of the account are in flight, all that its group may have"),
            "{told}"
        );
        AdminClient::data(admin.put("groups/slow", &json!({"ratio": "1", "requests_in_flight": 2})).await);
        let second = chat(&gateway, &gateway.key);
        let opened = async {
            until("the second at the provider", async || (!gateway.upstream.take_received().is_empty()).then_some(()))
                .await;
            gate.open();
        };
        tokio::join!(second, opened).0.0
    };
    let (first, second) = tokio::join!(under_way, others);
    assert_eq!((first.0, second), (200, 200));
    assert_eq!(chat(&gateway, &gateway.key).await.0, 200, "its place is free again");
}

#[tokio::test]
async fn bounds_are_checked_and_told() {
    let gateway = TestGateway::start().await;
    let admin = AdminClient::of(&gateway).await;
    for (key, bad) in [("requests_per_minute", json!(0)), ("requests_in_flight", json!(1_000_000_001))] {
        let (code, detail) =
            AdminClient::refused(admin.post("groups", &json!({"name": "a", "ratio": "1", key: bad})).await);
        assert!(code == "BAD_FIELD" && detail.contains(key), "{detail}");
    }
    let bounds = json!({"name": "fast", "ratio": "1", "requests_per_minute": 600, "requests_in_flight": 50});
    let made = AdminClient::data(admin.post("groups", &bounds).await);
    assert_eq!((&made["requests_per_minute"], &made["requests_in_flight"]), (&json!(600), &json!(50)));
    let page = admin.page("prices").await;
    assert!(page.contains("value=\"600\"") && page.contains("value=\"50\""), "the console tells and changes them");
}
