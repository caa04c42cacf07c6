//! OpenAPI as a running server tells it, tried out on that server by a tool that knows nothing else of it: whatever it sends, and
//! whoever it says that it is, no answer is one that is not declared, and none is a failure of the server.

// suite of this file: processor 25s

use std::process::Output;

use serde_json::{Value, json};
use tollgate_accounts::operators::OperatorRole;
use tollgate_spec_generator::{RoutedOperation, routed};
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, client, python, script};

use crate::spec::answers::{gateway, root, signed_in};

/// What ends the session that the others are asked by; last what also changes the password that sessions begin by.
const LEAVES: &[&str] = &["sessions.logout", "identities.remove", "sessions.change_password"];
/// Keys that the tool may revoke: it tries numbers that are low, and would lock itself out.
const OTHER_KEYS: usize = 100;

/// A gateway where everything is on, and credit for all that may be asked.
async fn house() -> TestGateway {
    gateway(Options { credit: "1000000", ..Options::default() }).await
}

/// What is served, by id.
fn operations(asked: impl Fn(&RoutedOperation) -> bool) -> Vec<String> {
    let served = routed(&root()).expect("the spec is sound");
    served.into_iter().filter(asked).map(|operation| operation.id).collect()
}

/// Tries out operations as somebody.
async fn tried(gateway: &TestGateway, who: &str, headers: Value, operations: Vec<String>) {
    let (url, names) = (gateway.url(""), operations.join(" "));
    let models = json!({"": "small", "images": "painter", "videos": "film", "video_a": "film"}).to_string();
    let told = [("GATEWAY_URL", url), ("HEADERS", headers.to_string()), ("OPERATIONS", names), ("MODELS", models)];
    let run = move || python::fuzz("fuzz.py", &told.each_ref().map(|(name, value)| (*name, value.as_str())));
    let output: Output = tokio::task::spawn_blocking(run).await.expect("the script ran");
    let out = String::from_utf8_lossy(&output.stdout);
    let summary = out.lines().find_map(|line| line.strip_prefix("ok-summary: "));
    println!("{who}: {}", summary.unwrap_or("no summary"));
    match script::held(&output) {
        Ok(held) => assert_eq!(held, operations.len(), "{who}: operations that answered\n{out}"),
        Err(told) => panic!("{who}:\n{told}"),
    }
    gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_undeclared_is_told_to_nobody() {
    tried(&house().await, "nobody", json!({}), operations(|_| true)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_undeclared_is_told_to_a_key() {
    let gateway = house().await;
    for _ in 0..OTHER_KEYS {
        gateway.new_key().await;
    }
    let key = gateway.new_key().await;
    tried(&gateway, "a key", json!({"authorization": format!("Bearer {key}")}), operations(|_| true)).await;
    let balance = client().get(gateway.url("/api/user/self/balance")).bearer_auth(key).send().await.expect("an answer");
    assert_eq!(balance.status(), 200, "the key was good to the end");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_undeclared_is_told_to_a_person() {
    let gateway = house().await;
    let by_session = |operation: &RoutedOperation| operation.codes.contains("SESSION_INVALID");
    let person =
        async || json!({"cookie": signed_in(&gateway).await, "origin": gateway.url(""), "x-tollgate-csrf": "1"});
    let first = person().await;
    let cookie = first["cookie"].as_str().expect("text").to_owned();
    tried(&gateway, "a person", first, operations(|it| by_session(it) && !LEAVES.contains(&it.id.as_str()))).await;
    let balance = client().get(gateway.url("/api/user/self/balance")).header("cookie", cookie);
    assert_eq!(balance.send().await.expect("an answer").status(), 200, "the session was good to the end");
    for &leaves in LEAVES {
        tried(&gateway, "somebody who leaves", person().await, operations(|it| it.id == leaves)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_undeclared_is_told_to_an_owner() {
    let gateway = house().await;
    let owner = gateway.service().operators.create_key("owner", OperatorRole::Owner, None, "test").await;
    let key = owner.expect("a key").secret;
    let headers = json!({"authorization": format!("Bearer {}", key.reveal())});
    tried(&gateway, "an owner", headers, operations(|it| it.id.starts_with("admin_"))).await;
    let session = client().get(gateway.url("/api/admin/session")).bearer_auth(key.reveal()).send().await;
    assert_eq!(session.expect("an answer").status(), 200, "the key was good to the end");
}
