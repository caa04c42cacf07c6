//! The header `x-tollgate-tags`: taken in every format, kept with the receipt, told by lists and by usage; and what is refused.

// suite of this file: waiting

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::formats::{answer, config};
use tollgate_tests::gateway::{Options, amount, client, exact, hello};
use tollgate_tests::postgres::Postgres;

use crate::formats::images::PAINTER;
use crate::formats::videos::STUDIOS;
use crate::ledger::restartable::On;

const TAGS: &str = "x-tollgate-tags";
const JUDGE: &str = "[moderation]\nmodel = \"judge\"\n[models.judge]\ncontext_tokens = 1000\nmax_output_tokens = 1\n\
    price = { prompt = \"0\", completion = \"0\" }\ncandidates = [{ upstream = \"fake\", model = \"up\" }]\n";

async fn gateway(on: On) -> TestGateway {
    let database = match on {
        On::File => String::new(),
        On::Server => {
            let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
            format!("[database]\nurl = {url:?}\n")
        }
    };
    let config = [&database, STUDIOS, &config(), PAINTER, JUDGE].concat();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    gateway.upstream.on(answer);
    gateway
}

/// A request of each operation that money is held for, with the format of its errors.
fn requests() -> Vec<(&'static str, &'static str, Value)> {
    let turn = json!([{"role": "user", "content": "Hello"}]);
    let contents = json!([{"parts": [{"text": "Hello"}]}]);
    let content = json!({"content": {"parts": [{"text": "Hello"}]}});
    let one_of_many = json!({"model": "models/small", "content": {"parts": [{"text": "Hello"}]}});
    vec![
        ("o", "/v1/chat/completions", json!({"model": "via-chat", "messages": turn})),
        ("o", "/v1/chat/completions", json!({"model": "via-messages", "messages": turn, "stream": true})),
        ("a", "/v1/messages", json!({"model": "via-generate", "messages": turn, "max_tokens": 50})),
        ("g", "/v1beta/models/via-chat:generateContent", json!({"contents": contents})),
        ("g", "/v1beta/models/via-generate:streamGenerateContent?alt=sse", json!({"contents": contents})),
        ("o", "/v1/responses", json!({"model": "via-responses", "input": "Hello"})),
        ("o", "/v1/responses/compact", json!({"model": "via-chat", "input": "Hello"})),
        ("o", "/v1/completions", json!({"model": "small", "prompt": "Hello"})),
        ("o", "/v1/embeddings", json!({"model": "small", "input": "Hello"})),
        ("o", "/v1/engines/small/embeddings", json!({"input": "Hello"})),
        ("g", "/v1beta/models/small:embedContent", content),
        ("g", "/v1beta/models/small:batchEmbedContents", json!({"requests": [one_of_many]})),
        ("o", "/v1/moderations", json!({"input": "Hello"})),
        ("o", "/v1/images/generations", json!({"model": "painter", "prompt": "a cat"})),
        (
            "o",
            "/v1/images/edits",
            json!({"model": "painter", "prompt": "a hat", "images": [{"image_url": "https://example.com/a.png"}]}),
        ),
        ("o", "/v1/videos", json!({"model": "film-o", "prompt": "a cat", "seconds": "4"})),
        ("o", "/videoA/v1/videos/text2video", json!({"model": "film-o", "prompt": "a cat"})),
    ]
}

fn post(gateway: &TestGateway, path: &str, body: &Value) -> RequestBuilder {
    let request = client().post(gateway.url(path)).bearer_auth(&gateway.key).json(body);
    request.header("anthropic-version", "2023-06-01")
}

/// Status, request id and body.
async fn answered(request: RequestBuilder) -> (u16, String, String) {
    let reply = request.send().await.expect("an answer");
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    (reply.status().as_u16(), id, reply.text().await.expect("a body"))
}

/// The data of what an account reads of its own.
async fn read_by(gateway: &TestGateway, key: &str, path: &str) -> Value {
    let reply = client().get(gateway.url(path)).bearer_auth(key).send().await.expect("an answer");
    let status = reply.status();
    let text = reply.text().await.expect("a body");
    assert_eq!(status, 200, "{path}: {text}");
    exact(&text)["data"].clone()
}

async fn read(gateway: &TestGateway, path: &str) -> Value {
    read_by(gateway, &gateway.key, path).await
}

/// The tag of each row, and its requests.
fn rows(usage: &Value) -> Vec<(Option<&str>, i64)> {
    let row = |row: &'_ Value| row["requests"].as_i64().expect("a number");
    usage["rows"].as_array().expect("rows").iter().map(|each| (each["tag"].as_str(), row(each))).collect()
}

async fn every_format_carries_tags_to_its_receipt_and_to_no_provider(on: On) {
    let gateway = gateway(on).await;
    let requests = requests();
    for (number, (_, path, body)) in requests.iter().enumerate() {
        let own = format!("number/{number}");
        let tagged = post(&gateway, path, body).header(TAGS, format!("team-search, {own},team-search"));
        let (status, id, text) = answered(tagged).await;
        assert_eq!(status, 200, "{path}: {text}");
        assert_eq!(gateway.receipt(&id).await["tags"], json!(["team-search", own]), "{path}");
        let found = read(&gateway, &format!("/api/user/self/receipts?tag={own}")).await;
        assert_eq!(found["receipts"].as_array().map(Vec::len), Some(1), "{path}");
        assert_eq!(found["receipts"][0]["request_id"], id);
    }
    let sent = gateway.upstream.take_received();
    assert!(sent.len() >= requests.len() - 4, "most of them reach the provider: {}", sent.len());
    assert!(sent.iter().all(|request| request.header(TAGS).is_none()));
    let usage = read(&gateway, "/api/user/self/usage?group_by=tag").await;
    let all = i64::try_from(requests.len()).expect("few");
    assert_eq!(rows(&usage).len(), requests.len() + 1);
    assert!(rows(&usage).contains(&(Some("team-search"), all)), "{usage}");
    gateway.assert_books().await;
}

async fn what_is_no_tag_is_refused_before_anything_is_held(on: On) {
    let gateway = gateway(on).await;
    let (nine, long) = ("1,2,3,4,5,6,7,8,9", "x".repeat(65));
    for (shape, path, body) in requests() {
        for (tags, found) in [
            (nine.as_bytes(), "more than 8 tags"),
            (long.as_bytes(), "a tag of 65 characters"),
            (b"a b", "a tag with ' ' in it"),
            (b"a;b", "a tag with ';' in it"),
            (b"a\xe9", "other bytes than ASCII"),
        ] {
            let (status, _, text) = answered(post(&gateway, path, &body).header(TAGS, tags)).await;
            assert_eq!(status, 400, "{path}: {text}");
            let error: Value = serde_json::from_str(&text).expect("JSON");
            let (place, word) = match shape {
                "a" => ("/error/type", json!("invalid_request_error")),
                "g" => ("/error/status", json!("INVALID_ARGUMENT")),
                _ => ("/error/code", json!("bad_parameter")),
            };
            assert_eq!(error.pointer(place), Some(&word), "{path}: {text}");
            assert!(text.contains("x-tollgate-tags") && text.contains(found), "{path}: {text}");
            assert!(!text.contains("xxxx"), "what was sent is not repeated: {text}");
        }
    }
    // Over several lines they are one list.
    let split = post(&gateway, "/v1/chat/completions", &hello(false)).header(TAGS, "1,2,3,4,5").header(TAGS, "6,7,8,9");
    assert_eq!(answered(split).await.0, 400);
    assert!(gateway.upstream.take_received().is_empty());
    assert_eq!(read(&gateway, "/api/user/self/receipts").await["receipts"], json!([]));
    assert_eq!(amount(&gateway.balance().await["held_usd"]), "0");
    // The most that there may be.
    let most: Vec<String> = (0..8).map(|number| format!("{number}{}", "x".repeat(63))).collect();
    let (status, id, _) =
        answered(post(&gateway, "/v1/chat/completions", &hello(false)).header(TAGS, most.join(" , "))).await;
    assert_eq!((status, &gateway.receipt(&id).await["tags"]), (200, &json!(most)));
    for none in ["", " ", ",, ,"] {
        let (_, id, _) = answered(post(&gateway, "/v1/chat/completions", &hello(false)).header(TAGS, none)).await;
        assert_eq!(gateway.receipt(&id).await["tags"], json!([]), "{none:?}");
    }
    // What is free takes no tags, and looks at none.
    let list = client().get(gateway.url("/v1/models")).bearer_auth(&gateway.key).header(TAGS, nine);
    assert_eq!(answered(list).await.0, 200);
}

async fn usage_and_receipts_are_told_by_tags_to_their_account_alone(on: On) {
    let gateway = gateway(on).await;
    let ask = |tags: &'static str| post(&gateway, "/v1/chat/completions", &hello(false)).header(TAGS, tags);
    for tags in ["a/b,c", "a/b", "c", ""] {
        let (status, id, text) = answered(ask(tags)).await;
        assert_eq!(status, 200, "{text}");
        gateway.receipt(&id).await;
    }
    let usage = read(&gateway, "/api/user/self/usage?group_by=tag").await;
    assert_eq!(rows(&usage), [(Some("a/b"), 2), (Some("c"), 2), (None, 1)]);
    assert_eq!(amount(&usage["rows"][0]["charged_usd"]), "0.0000063");
    let usage = read(&gateway, "/api/user/self/usage?group_by=tag,model&tag=c").await;
    assert_eq!(rows(&usage), [(Some("a/b"), 1), (Some("c"), 2)]);
    assert_eq!(rows(&read(&gateway, "/api/user/self/usage?tag=c").await), [(None, 2)]);
    assert_eq!(rows(&read(&gateway, "/api/user/self/usage").await), [(None, 4)], "the sums that are kept");
    let csv = gateway.get("/api/user/self/usage?group_by=tag&format=csv").send().await.expect("an answer");
    let csv = csv.text().await.expect("text");
    assert!(csv.lines().next().is_some_and(|head| head.ends_with(",tag")) && csv.lines().count() == 4, "{csv}");
    let csv = gateway.get("/api/user/self/receipts?tag=c&format=csv").send().await.expect("an answer");
    let csv = csv.text().await.expect("text");
    assert!(csv.lines().count() == 3 && csv.contains("a/b"), "{csv}");
    for (path, status) in [
        ("usage?group_by=tag&from=2026-01-01&to=2026-02-01", 200),
        ("usage?group_by=tag&from=2026-01-01&to=2026-02-02", 400),
        ("usage?tag=c&from=2026-01-01&to=2026-02-02", 400),
        ("usage?from=2026-01-01&to=2026-02-02", 200),
        ("usage?tag=", 400),
        ("receipts?tag=", 400),
    ] {
        let reply = gateway.get(&format!("/api/user/self/{path}")).send().await.expect("an answer");
        assert_eq!(reply.status(), status, "{path}");
    }
    let another = gateway.key_of_another().await;
    for path in ["usage?group_by=tag", "usage?tag=c"] {
        let told = read_by(&gateway, &another, &format!("/api/user/self/{path}")).await;
        assert_eq!(told["rows"], json!([]), "{path}");
    }
    assert_eq!(read_by(&gateway, &another, "/api/user/self/receipts?tag=c").await["receipts"], json!([]));
}

async fn the_tags_of_the_first_count_where_a_request_comes_again(on: On) {
    let gateway = gateway(on).await;
    let ask = |tags: &'static str| {
        let request = post(&gateway, "/v1/chat/completions", &hello(false));
        request.header("idempotency-key", "one").header(TAGS, tags)
    };
    let (status, first, text) = answered(ask("first")).await;
    assert_eq!(status, 200);
    let (status, _, again) = answered(ask("second")).await;
    assert_eq!((status, again), (200, text));
    assert_eq!(answered(ask("no tag")).await.0, 400, "also where it would only be answered again");
    assert_eq!(gateway.receipt(&first).await["tags"], json!(["first"]));
    assert_eq!(rows(&read(&gateway, "/api/user/self/usage?group_by=tag").await), [(Some("first"), 1)]);
}

on_both!(
    every_format_carries_tags_to_its_receipt_and_to_no_provider,
    what_is_no_tag_is_refused_before_anything_is_held,
    usage_and_receipts_are_told_by_tags_to_their_account_alone,
    the_tags_of_the_first_count_where_a_request_comes_again,
);
