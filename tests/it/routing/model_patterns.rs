//! Models on offer under every name of a pattern: prices, scopes, receipts, lists, and names that lead elsewhere.

use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tollgate_accounts::{KeyLimits, NewKey};
use tollgate_base::KeyScope;
use tollgate_tests::binary::run;
use tollgate_tests::formats::{answer, config};
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::{TestGateway, client};

/// Patterns over each other, over a model of its own, and at providers of formats O and G.
const PATTERNS: &str = r#"
[models."swift-*"]
context_tokens = 100000
max_output_tokens = 1000
price = { prompt = "1", completion = "2" }
candidates = [{ upstream = "by-chat" }]
[models."swift-large-*"]
context_tokens = 100000
max_output_tokens = 1000
price = { prompt = "10", completion = "20" }
candidates = [{ upstream = "by-chat", model = "org/swift-large-*:v1" }]
[models."g-*"]
context_tokens = 100000
max_output_tokens = 1000
price = { prompt = "1", completion = "2" }
candidates = [{ upstream = "by-generate" }]
[models.swift-large-own]
aliases = ["swift-alias"]
context_tokens = 100000
max_output_tokens = 1000
price = { prompt = "100", completion = "200" }
candidates = [{ upstream = "by-chat", model = "swift-*" }]
"#;

async fn gateway() -> TestGateway {
    let gateway = TestGateway::with(Options { config: config() + PATTERNS, ..Options::default() }).await;
    gateway.upstream.on(answer);
    gateway
}

fn hello(model: &str) -> Value {
    json!({"model": model, "messages": [{"role": "user", "content": "Hello"}], "max_completion_tokens": 9})
}

/// The status and the code of an answer to a key.
async fn told(gateway: &TestGateway, key: &str, model: &str) -> (u16, Value) {
    let request = client().request(Method::POST, gateway.url("/v1/chat/completions")).bearer_auth(key);
    let reply = request.json(&hello(model)).send().await.expect("an answer");
    let status = reply.status().as_u16();
    let body: Value = reply.json().await.expect("JSON");
    (status, body["error"]["code"].clone())
}

#[tokio::test]
async fn the_name_with_the_most_letters_counts_and_exact_names_before_all() {
    let gateway = gateway().await;
    gateway.upstream.on(|request| {
        let body: Value = serde_json::from_slice(&request.body).expect("JSON");
        let mut answer = completion("Hello", 9, 3);
        answer["model"] = body["model"].clone();
        Reply::json(200, &answer)
    });
    // 9 of prompt and 3 of output.
    for (asked, theirs, charged) in [
        ("swift-1", "swift-1", "0.000015"),
        ("swift-large", "swift-large", "0.000015"),
        ("swift-large-2", "org/swift-large-2:v1", "0.00015"),
        ("swift-large-own", "swift-*", "0.0015"),
        ("swift-alias", "swift-*", "0.0015"),
    ] {
        let reply = gateway.chat(hello(asked).to_string()).send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{asked}");
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        let receipt = gateway.receipt(&request_id).await;
        assert_eq!(
            (&receipt["model"], amount(&receipt["charged_usd"]).as_str()),
            (&json!(asked), charged),
            "{receipt}"
        );
        let received = gateway.upstream.take_received();
        let sent: Value = serde_json::from_slice(&received[0].body).expect("JSON");
        assert_eq!(sent["model"], theirs, "{asked}");
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn scopes_of_keys_are_for_the_names_that_are_asked_for() {
    let gateway = gateway().await;
    let key_for = async |names: &[&str]| {
        let models = Some(names.iter().map(|name| (*name).to_owned()).collect());
        let limits = KeyLimits { scope: KeyScope { models, ..KeyScope::default() }, ..KeyLimits::default() };
        let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: None };
        let created = gateway.service().accounts.create_limited_key(key, limits, "test").await.expect("a key");
        created.secret.reveal().to_owned()
    };
    let (one, all) = (key_for(&["swift-1", "swift-large-own"]).await, key_for(&["swift-*"]).await);
    let denied = (403, json!("model_not_allowed"));
    for (model, of_one, of_all) in [
        ("swift-1", true, true),
        ("swift-2", false, true),
        ("swift-large-2", false, false),
        ("swift-alias", true, false),
        ("g-1", false, false),
    ] {
        for (key, may) in [(&one, of_one), (&all, of_all)] {
            let expected = if may { (200, Value::Null) } else { denied.clone() };
            assert_eq!(told(&gateway, key, model).await, expected, "{model}");
        }
    }
}

#[tokio::test]
async fn a_pattern_is_no_model_and_a_name_of_it_is_one() {
    let gateway = gateway().await;
    let list: Value = gateway.get("/v1/models").send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(told(&gateway, &gateway.key, "swift-9").await.0, 200);
    let again: Value = gateway.get("/v1/models").send().await.expect("an answer").json().await.expect("JSON");
    let names: Vec<&str> =
        list["data"].as_array().expect("a list").iter().filter_map(|one| one["id"].as_str()).collect();
    assert!(names.contains(&"swift-large-own") && !names.iter().any(|name| name.contains('*')), "{names:?}");
    assert_eq!(list, again, "what was asked for is not on the list");
    let one: Value = gateway.get("/v1/models/swift-7").send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(one["id"], "swift-7");
    assert_eq!(gateway.get("/v1/models/swift-*").send().await.expect("an answer").status(), 404);
}

#[tokio::test]
async fn names_that_lead_elsewhere_reach_no_provider() {
    let gateway = gateway().await;
    let long = format!("g-{}", "x".repeat(200));
    for model in [
        "g-/../../v1beta/tunedModels/x",
        "g-..%2f..%2fx",
        "g-1?key=x",
        "g-1#x",
        "g-1:countTokens",
        "g-1:online",
        "g-1@preset/x",
        "g-1 x",
        "g-1\nx",
        "g-\u{e4}",
        "g-",
        "g-*",
        "other-1",
        &long,
    ] {
        assert_eq!(told(&gateway, &gateway.key, model).await, (404, json!("model_not_found")), "{model}");
        // Every byte as an escape: an address leaves some letters out where they stand for themselves.
        let name: String = model.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let path = gateway.url(&format!("/v1beta/models/{name}:generateContent"));
        let body = json!({"contents": [{"parts": [{"text": "Hello"}]}]});
        let reply = client().post(path).bearer_auth(&gateway.key).json(&body).send().await.expect("an answer");
        assert_eq!(reply.status(), 404, "{model}");
    }
    assert_eq!(gateway.upstream.take_received().len(), 0);
    // A slash is a letter of the name, and no part of the path.
    assert_eq!(told(&gateway, &gateway.key, "g-org/m").await.0, 200);
    let received = gateway.upstream.take_received();
    assert_eq!(received[0].line, "POST /v1/models/g-org%2Fm:generateContent HTTP/1.1");
    gateway.assert_books().await;
}

/// More names than are remembered, each of which the provider does not know: the others of the pattern go on.
#[tokio::test]
async fn names_that_no_provider_knows_close_the_pattern_to_nobody() {
    let gateway = gateway().await;
    gateway.upstream.on(|request| {
        let body: Value = serde_json::from_slice(&request.body).expect("JSON");
        if body["model"] == "swift-good" {
            answer(request)
        } else {
            Reply::json(503, &json!({"error": {"message": "no such model is loaded", "type": "server_error"}}))
        }
    });
    for number in 0..300 {
        assert_eq!(told(&gateway, &gateway.key, &format!("swift-bad-{number}")).await.0, 503, "{number}");
    }
    for _ in 0..9 {
        assert_eq!(told(&gateway, &gateway.key, "swift-bad-299").await.0, 503);
    }
    assert_eq!(told(&gateway, &gateway.key, "swift-good").await.0, 200);
    gateway.assert_books().await;
}

const LIST: &str = r#"
[prices."org/swift-1"]
prompt = "1"
completion = "2"
[models."org/swift-1"]
context_tokens = 1000
max_output_tokens = 100
[prices."org/swift-2"]
prompt = "3"
completion = "4"
[models."org/swift-2"]
context_tokens = 1000
max_output_tokens = 100
[prices."org/swift-unknown"]
prompt = "5"
completion = "6"
[prices."org/other"]
prompt = "7"
completion = "8"
"#;

/// What `check` says of a configuration with these models beside the list.
fn check(models: &str) -> (bool, String) {
    let folder: TempDir = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file of ours");
    write("prices.toml", LIST);
    write(
        "tollgate.toml",
        &format!("price_list = \"prices.toml\"\n[upstreams.main]\nbase_url = \"http://127.0.0.1:9/v1\"\n{models}"),
    );
    let output = run(&["--config", &folder.path().join("tollgate.toml").display().to_string(), "check"]);
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.success(), String::from_utf8(text).expect("text"))
}

const LISTED: &str = "[models.\"s-*\"]\nlisted_as = \"org/swift-*\"\ncandidates = [{ upstream = \"main\" }]\n";

#[test]
fn names_of_a_price_list_are_sold_at_their_own_prices() {
    let row = |told: &str, name: &str| {
        told.lines()
            .map(|line| line.split_whitespace().take(3).map(str::to_owned).collect::<Vec<_>>())
            .find(|row| row.first().is_some_and(|first| first == name))
    };
    let (ok, told) = check(LISTED);
    assert!(ok, "{told}");
    assert_eq!(row(&told, "s-1"), Some(["s-1", "1", "2"].map(str::to_owned).to_vec()), "{told}");
    assert_eq!(row(&told, "s-2"), Some(["s-2", "3", "4"].map(str::to_owned).to_vec()), "{told}");
    // Its lengths are known only where they are written.
    assert_eq!(row(&told, "s-unknown"), None, "{told}");
    let (_, told) = check(&LISTED.replace("listed_as", "context_tokens = 9\nmax_output_tokens = 9\nlisted_as"));
    assert!(row(&told, "s-unknown").is_some(), "{told}");
    // Where a longer pattern or a model has the name, it is theirs.
    let own = "context_tokens = 9\nmax_output_tokens = 9\nprice = { prompt = \"9\", completion = \"9\" }\ncandidates = [{ upstream = \"main\" }]\n";
    let lengths = LISTED.replace("listed_as", "context_tokens = 9\nmax_output_tokens = 9\nlisted_as");
    let (ok, told) = check(&format!("{lengths}[models.\"s-un*\"]\n{own}[models.\"s-2\"]\n{own}"));
    assert!(ok, "{told}");
    assert_eq!(row(&told, "s-2"), Some(["s-2", "9", "9"].map(str::to_owned).to_vec()), "{told}");
    assert_eq!(row(&told, "s-unknown"), None, "{told}");
}

#[test]
fn what_cannot_be_a_pattern_is_refused() {
    let own = "context_tokens = 9\nmax_output_tokens = 9\nprice = { prompt = \"9\", completion = \"9\" }\n";
    let main = "candidates = [{ upstream = \"main\" }]\n";
    for (models, complaint) in [
        (format!("[models.\"a*b*\"]\n{own}{main}"), "may have one `*`"),
        (format!("[models.\"a*\"]\naliases = [\"b\"]\n{own}{main}"), "`models.a*.aliases`"),
        (format!("[models.\"a*\"]\nin_model_lists = true\n{own}{main}"), "`models.a*.in_model_lists`"),
        (format!("[models.a]\nin_model_lists = true\n{own}{main}"), "`models.a.in_model_lists`"),
        (format!("[models.\"a*\"]\n{main}"), "`models.a*.price`"),
        (format!("[models.\"a*\"]\nlisted_as = \"b\"\n{main}"), "`models.a*.listed_as`"),
        (
            format!("[models.\"a*\"]\n{own}candidates = [{{ upstream = \"main\", model = \"**\" }}]\n"),
            "`models.a*.candidates`",
        ),
        (format!("[models.\"a*\"]\n{own}{main}[models.b]\nfallback = [\"a*\"]\n{own}{main}"), "`a*` is a pattern"),
        (format!("[moderation]\nmodel = \"a*\"\n[models.\"a*\"]\n{own}{main}"), "`moderation.model`"),
    ] {
        let (ok, told) = check(&models);
        assert!(!ok && told.contains(complaint), "{models}: {told}");
    }
}
