//! What an answer tells of its cost: the figure of the receipt and of the ledger, digit by digit, in a header and where it is
//! asked for among the counts of tokens, of every format over every other.

// suite of this file: waiting

use reqwest::RequestBuilder;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tollgate_base::Usd;
use tollgate_tests::TestGateway;
use tollgate_tests::formats::{answer, config};
use tollgate_tests::gateway::{Options, amount, client, exact};
use tollgate_tests::reply::Reply;

use crate::formats::images::PAINTER;

const FORMATS: [&str; 4] = ["chat", "messages", "generate", "responses"];
/// 9 x 0.15 + 3 x 0.6 USD per million tokens, rounded up to a nano-USD.
const COST: &str = "0.00000315";

async fn gateway() -> TestGateway {
    let gateway = TestGateway::with(Options { config: config() + PAINTER, ..Options::default() }).await;
    gateway.upstream.on(answer);
    gateway
}

fn ask(gateway: &TestGateway, format: &str, model: &str, stream: bool) -> RequestBuilder {
    ask_by(&gateway.key, gateway, format, model, stream)
}

fn ask_by(key: &str, gateway: &TestGateway, format: &str, model: &str, stream: bool) -> RequestBuilder {
    let turn = json!([{"role": "user", "content": "Hello"}]);
    let (path, body) = match format {
        "chat" => ("chat/completions".to_owned(), json!({"model": model, "messages": turn, "stream": stream})),
        "messages" => {
            ("messages".to_owned(), json!({"model": model, "messages": turn, "stream": stream, "max_tokens": 50}))
        }
        "responses" => {
            ("responses".to_owned(), json!({"model": model, "input": "Hello", "stream": stream, "store": false}))
        }
        _ => {
            let verb = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
            (format!("models/{model}:{verb}"), json!({"contents": [{"parts": [{"text": "Hello"}]}]}))
        }
    };
    let request = client().post(gateway.url(&format!("/v1/{path}"))).bearer_auth(key);
    request.header("anthropic-version", "2023-06-01").json(&body)
}

/// Where the cost stands in an answer, or in the event of a stream that counts the tokens.
fn place(format: &str, stream: bool) -> &'static str {
    match (format, stream) {
        ("generate", _) => "/usageMetadata/cost",
        ("responses", true) => "/response/usage/cost",
        _ => "/usage/cost",
    }
}

/// Status, headers and text of an answer.
async fn told(request: RequestBuilder) -> (u16, HeaderMap, String) {
    let reply = request.send().await.expect("an answer");
    let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
    (status, headers, reply.text().await.expect("a body"))
}

/// What the receipt says was charged, and how it was found.
async fn charged(gateway: &TestGateway, headers: &HeaderMap) -> String {
    let receipt = gateway.receipt(headers["x-request-id"].to_str().expect("text")).await;
    amount(&receipt["charged_usd"])
}

fn header(headers: &HeaderMap) -> Option<&str> {
    headers.get("x-tollgate-cost-usd").map(|value| value.to_str().expect("text"))
}

/// The costs that the events of a stream tell.
fn costs(format: &str, text: &str) -> Vec<String> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| data.starts_with('{'));
    data.filter_map(|data| exact(data).pointer(place(format, true)).map(amount)).collect()
}

#[tokio::test]
async fn every_answer_tells_what_it_cost() {
    let gateway = gateway().await;
    let mut nanos = 0;
    for format in FORMATS {
        for provider in FORMATS {
            let (model, what) = (format!("via-{provider}"), format!("{format} over {provider}"));
            let (status, headers, text) = told(ask(&gateway, format, &model, false)).await;
            assert_eq!((status, header(&headers)), (200, Some(COST)), "{what}: {text}");
            assert_eq!(charged(&gateway, &headers).await, COST, "{what}");
            assert!(exact(&text).pointer(place(format, false)).is_none(), "nobody asked for it: {text}");
            let wished = ask(&gateway, format, &model, false).header("x-tollgate-include-cost", "true");
            let (_, headers, text) = told(wished).await;
            let cost = exact(&text).pointer(place(format, false)).map(amount);
            assert_eq!((cost.as_deref(), header(&headers)), (Some(COST), Some(COST)), "{what}: {text}");
            assert_eq!(charged(&gateway, &headers).await, COST, "{what}");
            nanos += 2 * 3_150;
        }
    }
    let left = Usd::from_nanos(10_000_000_000 - nanos);
    assert_eq!(amount(&gateway.balance().await["quota_usd"]), left.to_string());
    gateway.assert_books().await;
}

#[tokio::test]
async fn the_end_of_a_stream_tells_what_it_cost_where_it_is_asked_for() {
    let gateway = gateway().await;
    for format in FORMATS {
        for provider in FORMATS {
            let (model, what) = (format!("via-{provider}"), format!("{format} over {provider}"));
            let (_, headers, plain) = told(ask(&gateway, format, &model, true)).await;
            assert_eq!((header(&headers), costs(format, &plain)), (None, Vec::new()), "{what}: {plain}");
            let wished = ask(&gateway, format, &model, true).header("x-tollgate-include-cost", "true");
            let (status, headers, text) = told(wished).await;
            assert_eq!((status, costs(format, &text)), (200, vec![COST.to_owned()]), "{what}: {text}");
            assert_eq!(charged(&gateway, &headers).await, COST, "{what}");
            let last = |text: &str| text.trim_end().rsplit('\n').next().unwrap_or_default().to_owned();
            if matches!(format, "chat" | "messages") {
                assert_eq!(last(&text), last(&plain), "{what}: it ends as ever");
            }
        }
    }
    let url = gateway.url("/v1/models/via-chat:streamGenerateContent");
    let body = json!({"contents": [{"parts": [{"text": "Hello"}]}]});
    let list = client().post(url).bearer_auth(&gateway.key).header("x-tollgate-include-cost", "true").json(&body);
    let (_, _, text) = told(list).await;
    let elements = exact(&text);
    let costs: Vec<_> =
        elements.as_array().expect("a list").iter().filter_map(|one| one.pointer("/usageMetadata/cost")).collect();
    assert_eq!(costs, [&json!(COST)], "{text}");
    gateway.assert_books().await;
}

/// As programs ask that were written for routers; the member is for us, and no provider is sent it.
#[tokio::test]
async fn a_body_of_format_o_may_ask_for_it() {
    let gateway = gateway().await;
    for provider in FORMATS {
        for stream in [false, true] {
            let turn = json!([{"role": "user", "content": "Hello"}]);
            let body = json!({
                "model": format!("via-{provider}"), "usage": {"include": true}, "messages": turn, "stream": stream,
            });
            let (status, headers, text) = told(gateway.chat(body.to_string())).await;
            assert_eq!((status, headers.get("x-tollgate-dropped")), (200, None), "{provider}: {text}");
            let costs = if stream { costs("chat", &text) } else { vec![amount(&exact(&text)["usage"]["cost"])] };
            assert_eq!(costs, [COST], "{provider}: {text}");
            let sent: Value = serde_json::from_slice(&gateway.upstream.take_received()[0].body).expect("JSON");
            assert!(sent.get("usage").is_none(), "{provider}: {sent}");
        }
    }
    gateway.assert_books().await;
}

/// For programs that send no header of ours: made so, changed at once, and no limit of the key.
#[tokio::test]
async fn a_key_may_ask_for_it() {
    let gateway = gateway().await;
    let keys = gateway.url("/api/user/self/keys");
    let made = client().post(&keys).bearer_auth(&gateway.key).json(&json!({"label": "told", "include_cost": true}));
    let made: Value = made.send().await.expect("an answer").json().await.expect("JSON");
    let (key, id) = (made["data"]["api_key"].as_str().expect("a key"), &made["data"]["key"]["key_id"]);
    assert_eq!(made["data"]["key"]["include_cost"], true, "{made}");
    for wanted in [true, false] {
        for format in FORMATS {
            for stream in [false, true] {
                let what = format!("{format}, stream {stream}, wanted {wanted}");
                let (status, _, text) = told(ask_by(key, &gateway, format, "via-chat", stream)).await;
                assert_eq!(status, 200, "{what}: {text}");
                let found = match stream {
                    true => costs(format, &text),
                    false => exact(&text).pointer(place(format, false)).map(amount).into_iter().collect(),
                };
                assert_eq!(found, vec![COST; usize::from(wanted)], "{what}: {text}");
            }
        }
        // It is no limit: such a key makes others.
        let change = client().patch(format!("{keys}/{id}")).bearer_auth(key).json(&json!({"include_cost": !wanted}));
        assert_eq!(change.send().await.expect("an answer").status(), 200);
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn pictures_and_embeddings_tell_it_and_what_is_not_charged_does_not() {
    let gateway = gateway().await;
    let post = |path: &str, body: &Value| {
        let request = client().post(gateway.url(path)).bearer_auth(&gateway.key);
        request.header("x-tollgate-include-cost", "true").json(body)
    };
    for (path, body, in_body) in [
        ("/v1/images/generations", json!({"model": "painter", "prompt": "a cat"}), false),
        ("/v1/embeddings", json!({"model": "via-chat", "input": "a cat"}), true),
        ("/v1/completions", json!({"model": "via-chat", "prompt": "a cat", "max_tokens": 5}), true),
    ] {
        let (status, headers, text) = told(post(path, &body)).await;
        let charged = charged(&gateway, &headers).await;
        assert_eq!((status, header(&headers)), (200, Some(charged.as_str())), "{path}: {text}");
        assert_ne!(charged, "0", "{path}");
        let cost = exact(&text).pointer("/usage/cost").map(amount);
        assert_eq!(cost, in_body.then_some(charged), "{path}: {text}");
    }
    gateway.upstream.answer(Reply::json(400, &json!({"error": {"message": "no", "code": "x"}})));
    for format in FORMATS {
        let refused = ask(&gateway, format, "via-chat", false).header("x-tollgate-include-cost", "true");
        let (status, headers, text) = told(refused).await;
        assert_eq!((status, header(&headers)), (400, None), "{format}");
        assert!(!text.contains("\"cost\""), "{format}: {text}");
        assert_eq!(charged(&gateway, &headers).await, "0");
    }
    assert_eq!(header(&told(gateway.get("/v1/models")).await.1), None);
    gateway.assert_books().await;
}
