//! Clients of three formats, models reached over four: every pair answers, and costs what the provider reports.

use reqwest::{RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::formats::{TEXT, answer, config};
use tollgate_tests::gateway::{Options, UPSTREAM_KEY, amount, client};
use tollgate_tests::reply::{Reply, Step};

const UPSTREAMS: [&str; 4] = ["chat", "messages", "generate", "responses"];

/// 9 x 0.15 + 3 x 0.6 USD per million tokens, rounded up to a nano-USD.
const COST: &str = "0.00000315";

async fn gateway() -> TestGateway {
    let gateway = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    gateway.upstream.on(answer);
    gateway
}

/// A client's format: how it asks and where its text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speaks {
    O,
    A,
    G,
}

impl Speaks {
    fn ask(self, gateway: &TestGateway, model: &str, stream: bool) -> RequestBuilder {
        let turn = json!([{"role": "user", "content": "Hello"}]);
        match self {
            Self::O => {
                let body = json!({"model": model, "messages": turn, "stream": stream, "max_completion_tokens": 100});
                gateway.chat(body.to_string())
            }
            Self::A => {
                let body = json!({"model": model, "messages": turn, "stream": stream, "max_tokens": 100});
                messages(gateway, &body)
            }
            Self::G => {
                let action = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
                let body = json!({"contents": [{"parts": [{"text": "Hello"}]}]});
                client()
                    .post(gateway.url(&format!("/v1beta/models/{model}:{action}")))
                    .bearer_auth(&gateway.key)
                    .json(&body)
            }
        }
    }

    fn text(self, whole: &Value) -> &Value {
        match self {
            Self::O => &whole["choices"][0]["message"]["content"],
            Self::A => &whole["content"][0]["text"],
            Self::G => &whole["candidates"][0]["content"]["parts"][0]["text"],
        }
    }

    fn piece(self, event: &Value) -> &str {
        match self {
            Self::O => &event["choices"][0]["delta"]["content"],
            Self::A => &event["delta"]["text"],
            Self::G => &event["candidates"][0]["content"]["parts"][0]["text"],
        }
        .as_str()
        .unwrap_or_default()
    }

    fn last(self, stream: &str) -> bool {
        match self {
            Self::O => stream.ends_with("data: [DONE]\n\n"),
            Self::A => stream.ends_with("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"),
            Self::G => stream.contains("\"finishReason\":\"STOP\"") && stream.contains("\"totalTokenCount\":12"),
        }
    }
}

fn messages(gateway: &TestGateway, body: &Value) -> RequestBuilder {
    let request = client().post(gateway.url("/v1/messages")).header("x-api-key", &gateway.key);
    request.header("anthropic-version", "2023-06-01").json(body)
}

async fn charged(gateway: &TestGateway, reply: &reqwest::Response) -> String {
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let receipt = gateway.receipt(&request_id).await;
    assert_eq!(receipt["rule"], "reported", "{receipt}");
    amount(&receipt["charged_usd"])
}

#[tokio::test]
async fn every_pair_of_formats_answers_whole_and_is_charged() {
    let gateway = gateway().await;
    for speaks in [Speaks::O, Speaks::A, Speaks::G] {
        for upstream in UPSTREAMS {
            let reply = speaks.ask(&gateway, &format!("via-{upstream}"), false).send().await.expect("an answer");
            assert_eq!(reply.status(), StatusCode::OK, "{speaks:?} over {upstream}");
            assert_eq!(reply.headers()["content-type"], "application/json");
            assert_eq!(charged(&gateway, &reply).await, COST, "{speaks:?} over {upstream}");
            let whole: Value = reply.json().await.expect("JSON");
            assert_eq!(speaks.text(&whole), TEXT, "{speaks:?} over {upstream}: {whole}");
        }
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn every_pair_of_formats_streams_to_its_end_and_is_charged() {
    let gateway = gateway().await;
    for speaks in [Speaks::O, Speaks::A, Speaks::G] {
        for upstream in UPSTREAMS {
            let mut reply = speaks.ask(&gateway, &format!("via-{upstream}"), true).send().await.expect("an answer");
            assert_eq!(reply.headers()["content-type"], "text/event-stream", "{speaks:?} over {upstream}");
            let mut stream = Vec::new();
            while let Some(piece) = reply.chunk().await.expect("a stream") {
                stream.extend_from_slice(&piece);
            }
            let stream = String::from_utf8(stream).expect("text");
            let events =
                stream.lines().filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok());
            let text: String = events.map(|event| speaks.piece(&event).to_owned()).collect();
            assert_eq!(text, TEXT, "{speaks:?} over {upstream}: {stream}");
            assert!(speaks.last(&stream), "{speaks:?} over {upstream}: {stream}");
            assert_eq!(charged(&gateway, &reply).await, COST, "{speaks:?} over {upstream}");
        }
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_provider_is_asked_as_its_format_wants() {
    let gateway = gateway().await;
    for (upstream, line, header, value) in [
        ("chat", "POST /v1/chat/completions HTTP/1.1", "authorization", format!("Bearer {UPSTREAM_KEY}")),
        ("responses", "POST /v1/responses HTTP/1.1", "authorization", format!("Bearer {UPSTREAM_KEY}")),
        ("messages", "POST /v1/messages HTTP/1.1", "x-api-key", UPSTREAM_KEY.to_owned()),
        (
            "generate",
            "POST /v1/models/upstream-model:generateContent HTTP/1.1",
            "x-goog-api-key",
            UPSTREAM_KEY.to_owned(),
        ),
    ] {
        let reply = Speaks::O.ask(&gateway, &format!("via-{upstream}"), false).send().await.expect("an answer");
        assert_eq!(reply.status(), StatusCode::OK);
        let received = gateway.upstream.take_received().remove(0);
        assert_eq!((received.line.as_str(), received.header(header)), (line, Some(value.as_str())));
        let version = received.header("anthropic-version");
        assert_eq!(version.is_some(), upstream == "messages", "only format A has a version");
    }
}

#[tokio::test]
async fn what_a_provider_has_no_word_for_is_refused_or_told() {
    let gateway = gateway().await;
    let ask = |more: Value| {
        let mut body = json!({"model": "via-messages", "messages": [{"role": "user", "content": "Hello"}]});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        gateway.chat(body.to_string())
    };
    let refused = ask(json!({"n": 2})).send().await.expect("an answer");
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
    let refused: Value = refused.json().await.expect("JSON");
    assert_eq!(refused["error"]["code"], "not_convertible", "{refused}");
    assert!(refused["error"]["message"].as_str().expect("text").contains("'n'"), "{refused}");
    assert!(gateway.upstream.take_received().is_empty(), "nothing was sent");

    let told = ask(json!({"seed": 7, "presence_penalty": 0.5})).send().await.expect("an answer");
    assert_eq!(told.status(), StatusCode::OK);
    let dropped = told.headers()["x-tollgate-dropped"].to_str().expect("text").to_owned();
    let mut dropped: Vec<_> = dropped.split(", ").collect();
    dropped.sort_unstable();
    assert_eq!(dropped, ["presence_penalty", "seed"]);

    let wrong = ask(json!({"messages": [{"role": "user", "content": 3}]})).send().await.expect("an answer");
    assert_eq!(wrong.status(), StatusCode::BAD_REQUEST);
    let wrong: Value = wrong.json().await.expect("JSON");
    assert_eq!(wrong["error"]["param"], "messages[0].content", "{wrong}");
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_refusal_in_another_format_is_worded_in_the_client_s() {
    let gateway = gateway().await;
    let error = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "too many pictures"}});
    gateway.upstream.on(move |_| Reply::json(400, &error));
    for speaks in [Speaks::O, Speaks::A, Speaks::G] {
        let reply = speaks.ask(&gateway, "via-messages", false).send().await.expect("an answer");
        assert_eq!(reply.status(), StatusCode::BAD_REQUEST);
        let body: Value = reply.json().await.expect("JSON");
        assert!(body["error"]["message"].as_str().expect("text").contains("too many pictures"), "{body}");
        assert_eq!(body["type"] == "error", speaks == Speaks::A, "{body}");
        assert_eq!(body["error"]["status"] == "INVALID_ARGUMENT", speaks == Speaks::G, "{body}");
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_stream_that_breaks_ends_with_an_error_of_the_client_s_format() {
    let gateway = gateway().await;
    gateway.upstream.on(|request| {
        let mut reply = answer(request);
        reply.steps.truncate(4);
        reply.then(Step::Cut)
    });
    for speaks in [Speaks::O, Speaks::A, Speaks::G] {
        for upstream in ["chat", "messages"] {
            let reply = speaks.ask(&gateway, &format!("via-{upstream}"), true).send().await.expect("an answer");
            let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
            let stream = reply.text().await.expect("a stream");
            let last = stream.trim_end().lines().last().expect("an event").strip_prefix("data: ").expect("data");
            let last: Value = serde_json::from_str(last).expect("JSON");
            assert!(last["error"]["message"].as_str().expect("text").contains("broke off"), "{speaks:?}: {stream}");
            assert!(!speaks.last(&stream), "{speaks:?} over {upstream}: {stream}");
            assert_eq!(gateway.receipt(&request_id).await["rule"], "broke_off_counted", "{speaks:?} over {upstream}");
        }
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn format_g_streams_a_list_to_who_does_not_ask_for_events() {
    let gateway = gateway().await;
    for upstream in UPSTREAMS {
        let url = gateway.url(&format!("/v1/models/via-{upstream}:streamGenerateContent"));
        let body = json!({"contents": [{"parts": [{"text": "Hello"}]}]});
        let reply =
            client().post(url).header("x-goog-api-key", &gateway.key).json(&body).send().await.expect("an answer");
        assert_eq!(reply.headers()["content-type"], "application/json", "{upstream}");
        let text = reply.text().await.expect("a body");
        let pieces: Vec<Value> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{upstream}: {error}: {text}"));
        let said: String = pieces.iter().map(|piece| Speaks::G.piece(piece)).collect();
        assert_eq!(said, TEXT, "{upstream}: {text}");
    }
    gateway.assert_books().await;
}

/// What a provider charges extra for is refused by name in every format, however it is spelt.
#[tokio::test]
async fn what_has_no_price_is_refused_by_name() {
    let gateway = gateway().await;
    let a =
        json!({"model": "via-messages", "max_tokens": 5, "messages": [{"role": "user", "content": "x"}]}).to_string();
    let g = json!({"contents": [{"parts": [{"text": "x"}]}]}).to_string();
    let r = json!({"model": "via-responses", "input": "x"}).to_string();
    for (path, body, member, named) in [
        ("/v1/messages", &a, r#""service_tier":"priority""#, "service_tier"),
        ("/v1/messages", &a, r#""speed":"fast""#, "speed"),
        ("/v1/messages", &a, r#""inference_geo":"us""#, "inference_geo"),
        ("/v1/messages", &a, r#""mcp_servers":[{"url":"x"}]"#, "mcp_servers"),
        ("/v1/messages", &a, r#""container":"c""#, "container"),
        ("/v1/messages", &a, r#""tools":[{"type":"custom","type":"web_search_20250305"}]"#, "tools"),
        ("/v1/messages", &a, r#""Max_Tokens":100000"#, "max_tokens"),
        ("/v1beta/models/via-generate:generateContent", &g, r#""cached_content":"cachedContents/a""#, "cached_content"),
        ("/v1beta/models/via-generate:generateContent", &g, r#""serviceTier":"priority""#, "serviceTier"),
        (
            "/v1beta/models/via-generate:generateContent",
            &g,
            r#""generation_config":{"candidate_count":"8"}"#,
            "generationConfig.candidateCount",
        ),
        ("/v1/responses", &r, r#""service_tier":"flex""#, "service_tier"),
        ("/v1/responses", &r, r#""tools":[{"type":"function","type":"web_search"}]"#, "tools"),
    ] {
        let body = body.replacen('{', &format!("{{{member},"), 1);
        let request =
            client().post(gateway.url(path)).bearer_auth(&gateway.key).header("anthropic-version", "2023-06-01");
        let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
        assert_eq!(reply.status(), StatusCode::BAD_REQUEST, "{member}");
        let said = reply.json::<Value>().await.expect("JSON")["error"]["message"].to_string();
        assert!(said.contains(named), "{member}: {said}");
    }
    assert!(gateway.upstream.take_received().is_empty());
}

/// An agent that offers one by default goes on, over a provider of its format and of another.
#[tokio::test]
async fn a_tool_that_a_provider_runs_without_a_price_is_taken_out_and_told() {
    let gateway = gateway().await;
    let user = json!([{"role": "user", "content": "x"}]);
    let function = json!({"name": "f", "parameters": {"type": "object", "properties": {}}});
    let tool = |nested: Value| json!({"type": "function", "function": nested});
    for (path, body, dropped) in [
        (
            "/v1/chat/completions",
            json!({"messages": user, "tools": [tool(function.clone()), {"type": "web_search"}]}),
            "tools[1]",
        ),
        (
            "/v1/messages",
            json!({"max_tokens": 5, "messages": user, "tools": [
                {"type": "web_search_20260318", "name": "web_search"}, {"name": "f", "input_schema": {"type": "object"}}]}),
            "tools[0]",
        ),
        (
            "/v1/responses",
            json!({"input": "x", "tools": [{"type": "web_search", "external_web_access": false}], "tool_choice": "auto"}),
            "tools[0], tool_choice",
        ),
        (
            "/v1beta/models/MODEL:generateContent",
            json!({"contents": [{"parts": [{"text": "x"}]}],
                "tools": [{"functionDeclarations": [function], "googleSearch": {}}, {"google_maps": {}}]}),
            "tools[0].googleSearch, tools[1].google_maps",
        ),
    ] {
        for model in ["via-chat", "via-messages", "via-generate", "via-responses"] {
            let mut body = body.clone();
            if !path.contains("MODEL") {
                body["model"] = json!(model);
            }
            let url = gateway.url(&path.replace("MODEL", model));
            let request = client().post(url).bearer_auth(&gateway.key).header("anthropic-version", "2023-06-01");
            let reply = request.json(&body).send().await.expect("an answer");
            let (status, headers) = (reply.status(), reply.headers().clone());
            assert_eq!(status, StatusCode::OK, "{path} {model}: {}", reply.text().await.expect("text"));
            let told = headers["x-tollgate-dropped"].to_str().expect("text");
            assert!(told.starts_with(dropped), "{path} {model}: {told}");
            let sent = gateway.upstream.take_received().remove(0).body;
            let sent = String::from_utf8(sent).expect("text").to_lowercase();
            assert!(!sent.contains("search") && !sent.contains("maps"), "{path} {model}: {sent}");
        }
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn bytes_of_one_format_pass_as_they_are() {
    let gateway = gateway().await;
    let body = r#"{ "max_tokens":5,"x_unknown":12345678901234567890, "model":"via-messages","messages":[{"role":"user","content":"h\u00e9"}] }"#;
    let request = client().post(gateway.url("/v1/messages")).header("x-api-key", &gateway.key);
    let request = request.header("anthropic-version", "2099-01-01").header("anthropic-beta", "b-1");
    let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
    assert_eq!(reply.status(), StatusCode::OK);
    let received = gateway.upstream.take_received().remove(0);
    let sent = String::from_utf8(received.body.clone()).expect("text");
    assert_eq!(sent, body.replace("via-messages", "upstream-model"));
    assert_eq!(
        (received.header("anthropic-version"), received.header("anthropic-beta")),
        (Some("2099-01-01"), Some("b-1"))
    );
    let body = r#"{"contents":[ {"parts":[{"text":"x"}]}],"x":1.0}"#;
    let request = client().post(gateway.url("/v1beta/models/via-generate:generateContent")).bearer_auth(&gateway.key);
    let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
    assert_eq!(reply.status(), StatusCode::OK);
    assert_eq!(gateway.upstream.take_received().remove(0).body, body.as_bytes());
}

#[tokio::test]
async fn more_tools_than_anybody_needs_are_refused_where_they_would_be_converted() {
    let gateway = gateway().await;
    let function = |at: usize| json!({"type": "function", "function": {"name": format!("f{at}")}});
    for (tools, upstream, status) in [
        (4096, "messages", StatusCode::OK),
        (4097, "messages", StatusCode::BAD_REQUEST),
        (4097, "chat", StatusCode::OK),
    ] {
        let tools: Vec<Value> = (0..tools).map(function).collect();
        let turn = json!([{"role": "user", "content": "Hello"}]);
        let body = json!({"model": format!("via-{upstream}"), "messages": turn, "tools": tools});
        let reply = gateway.chat(body.to_string()).send().await.expect("an answer");
        assert_eq!(reply.status(), status, "{upstream}");
        let told = reply.text().await.expect("a body");
        assert!(status == StatusCode::OK || told.contains("tools[4096]"), "{told}");
    }
    gateway.assert_books().await;
}
