//! The service about itself: health, readiness, metrics.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tollgate_tests::gateway::{Options, hello};
use tollgate_tests::wait::until;
use tollgate_tests::{TestGateway, client};

async fn ask(gateway: &TestGateway, path: &str) -> (u16, String) {
    let reply = client().get(gateway.url(path)).send().await.expect("an answer");
    (reply.status().as_u16(), reply.text().await.expect("a body"))
}

#[tokio::test]
async fn a_service_that_cannot_write_its_ledger_runs_but_is_not_ready() {
    let gateway = TestGateway::start().await;
    let well = (200, r#"{"status":"ok"}"#.to_owned());
    assert_eq!(ask(&gateway, "/healthz").await, well);
    assert_eq!(ask(&gateway, "/readyz").await, well);
    let mut other = SqliteConnectOptions::new().filename(gateway.ledger()).connect().await.expect("a connection");
    let lock = other.begin_with("BEGIN IMMEDIATE").await.expect("the lock of the file");
    // What was proved a moment ago still counts, so the first answers may be of before.
    let refused = until("the gateway to see that it cannot write", || async {
        let (status, body) = ask(&gateway, "/readyz").await;
        (status == 503).then_some(body)
    })
    .await;
    let refused: Value = serde_json::from_str(&refused).expect("JSON");
    assert_eq!(refused["error"]["code"], "ledger_unavailable");
    assert_eq!(ask(&gateway, "/healthz").await, well, "a restart would not help");
    lock.rollback().await.expect("the lock is given back");
    until("the gateway to be ready", || async { (ask(&gateway, "/readyz").await == well).then_some(()) }).await;
    gateway.assert_books().await;
}

#[tokio::test]
async fn metrics_count_answers_and_the_ledger_and_name_nobody() {
    let gateway = TestGateway::start().await;
    for _ in 0..2 {
        assert_eq!(gateway.hello().send().await.expect("an answer").status(), 200);
    }
    assert_eq!(client().get(gateway.url("/v1/models")).send().await.expect("an answer").status(), 401);
    let reply = client().get(gateway.url("/metrics")).send().await.expect("an answer");
    assert_eq!(reply.headers()["content-type"], "application/openmetrics-text; version=1.0.0; charset=utf-8");
    let text = reply.text().await.expect("a body");
    for line in [
        r#"tollgate_answers_total{operation="chat.create",status="200",code=""} 2"#,
        r#"tollgate_answers_total{operation="models.list",status="401",code="KEY_MISSING"} 1"#,
        r#"tollgate_answer_duration_seconds_count{operation="chat.create"} 2"#,
        "tollgate_requests_in_flight 0",
        "tollgate_ledger_operations_total 4",
        "tollgate_ledger_holds_refused_total 0",
        "tollgate_usage_counted_total 0",
        "tollgate_shortfall_nanousd_total 0",
        "tollgate_ledger_holds_open 0",
        "tollgate_ledger_batch_sum 4.0",
        "tollgate_ledger_queue_wait_seconds_count 4",
        "tollgate_ledger_cost_percent_count 2",
        r#"tollgate_ledger_refusals_total{reason="insufficient"} 0"#,
        "# EOF",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    for word in ["tollgate_ledger_commit_seconds_bucket", "tollgate_ledger_queue_wait_seconds_bucket"] {
        assert!(text.contains(word), "{word} is not in\n{text}");
    }
    for secret in [gateway.key.as_str(), &gateway.account.to_string(), "small"] {
        assert!(!text.contains(secret), "{secret} is in\n{text}");
    }
}

#[tokio::test]
async fn metrics_are_for_the_machine_itself_unless_opened() {
    let gateway = TestGateway::start().await;
    for name in ["x-forwarded-for", "forwarded", "x-real-ip"] {
        let reply = client().get(gateway.url("/metrics")).header(name, "192.0.2.1").send().await.expect("an answer");
        assert_eq!(reply.status(), 404, "{name}");
        assert_eq!(reply.json::<Value>().await.expect("JSON")["error"]["code"], "route_not_found");
    }
    let config = "[metrics]\nopen_to = \"anyone\"".to_owned();
    let open = TestGateway::with(Options { config, ..Options::default() }).await;
    let reply = client().get(open.url("/metrics")).header("x-forwarded-for", "192.0.2.1").send().await;
    assert_eq!(reply.expect("an answer").status(), 200);
}

/// Where no operation is, an error has the shape of the client's format. A slash too many changes neither that nor what a
/// key may do.
#[tokio::test]
async fn unknown_routes_answer_in_the_format_of_the_client() {
    let gateway = TestGateway::start().await;
    for (path, header, place, want) in [
        ("/v1/files", "anthropic-version", "/type", "error"),
        ("/v1/files", "a-version", "/type", "error"),
        ("/v1/files", "x-api-key", "/error/type", "not_found_error"),
        ("/v1/files", "x-goog-api-key", "/error/status", "NOT_FOUND"),
        ("/v1/files?key=x", "accept", "/error/status", "NOT_FOUND"),
        ("/v1/files", "authorization", "/error/type", "invalid_request_error"),
        ("/files", "anthropic-version", "/type", "error"),
        ("//files//", "x-goog-api-key", "/error/status", "NOT_FOUND"),
        ("/v1beta/files", "x-api-key", "/error/status", "NOT_FOUND"),
        ("/v1beta/openai/files", "x-goog-api-key", "/error/type", "invalid_request_error"),
        ("/v1/messages/batches", "x-goog-api-key", "/type", "error"),
        ("/api/nothing", "x-api-key", "/code", "ROUTE_NOT_FOUND"),
    ] {
        let reply = client().get(gateway.url(path)).header(header, "x").send().await.expect("an answer");
        let status = reply.status();
        let body: Value = reply.json().await.expect("JSON");
        assert_eq!(
            (status.as_u16(), &body.pointer(place).expect("a place")),
            (404, &&json!(want)),
            "{path} {header}: {body}"
        );
    }
    let request = json!({"label": "for lists", "operations": ["models.list"]});
    let made = client().post(gateway.url("/api/user/self/keys")).bearer_auth(&gateway.key).json(&request);
    let made: Value = made.send().await.expect("an answer").json().await.expect("JSON");
    let limited = made["data"]["api_key"].as_str().expect("a key");
    for (path, want) in
        [("/v1/chat/completions", 403), ("/v1/chat/completions/", 403), ("//v1/models//", 200), ("/models", 200)]
    {
        let method = if want == 200 { reqwest::Method::GET } else { reqwest::Method::POST };
        let request = client().request(method, gateway.url(path)).bearer_auth(limited).json(&hello(false));
        assert_eq!(request.send().await.expect("an answer").status(), want, "{path}");
    }
}

/// Every route of a model takes a slash at its end, and two for one.
#[tokio::test]
async fn a_slash_too_many_is_none_on_any_route_of_a_model() {
    let gateway = TestGateway::start().await;
    gateway.upstream.on(tollgate_tests::formats::answer);
    let turns = json!([{"role": "user", "content": "Hello"}]);
    let contents = json!({"contents": [{"parts": [{"text": "Hello"}]}]});
    for (path, body) in [
        ("/v1/chat/completions/", json!({"model": "small", "messages": turns})),
        ("/chat/completions/", json!({"model": "small", "messages": turns})),
        ("/v1//completions/", json!({"model": "small", "prompt": "Hello"})),
        ("/v1/responses/", json!({"model": "small", "input": "Hello"})),
        ("//v1/messages/", json!({"model": "small", "messages": turns, "max_tokens": 9})),
        ("/v1/messages/count_tokens/", json!({"model": "small", "messages": turns})),
        ("/v1beta/models/small:generateContent/", contents.clone()),
        ("/v1beta//models/small:streamGenerateContent/?alt=sse", contents.clone()),
        ("/v1beta/models/small:countTokens/", contents),
        ("/v1beta/openai/chat/completions/", json!({"model": "small", "messages": turns})),
    ] {
        let request =
            client().post(gateway.url(path)).bearer_auth(&gateway.key).header("anthropic-version", "2023-06-01");
        let reply = request.json(&body).send().await.expect("an answer");
        let (status, text) = (reply.status(), reply.text().await.expect("text"));
        assert_eq!(status, 200, "{path}: {text}");
    }
    gateway.assert_books().await;
}

/// A body may be compressed with gzip: the provider is sent what comes out of it, and a little that stands for much is refused
/// as much is.
#[tokio::test]
async fn bodies_may_be_compressed() {
    let gateway = TestGateway::start().await;
    let packed = |data: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).expect("memory");
        encoder.finish().expect("memory")
    };
    let post = async |path: &str, encoding: &str, body: Vec<u8>| {
        let request = client().post(gateway.url(path)).bearer_auth(&gateway.key).header("content-encoding", encoding);
        let request = request.header("content-type", "application/json").header("anthropic-version", "2023-06-01");
        let reply = request.body(body).send().await.expect("an answer");
        (reply.status().as_u16(), reply.json::<Value>().await.expect("JSON"))
    };
    let plain = hello(false).to_string();
    assert_eq!(gateway.chat(plain.clone()).send().await.expect("an answer").status(), 200);
    assert_eq!(post("/v1/chat/completions", "gzip", packed(plain.as_bytes())).await.0, 200);
    let received = gateway.upstream.take_received();
    assert_eq!(received[0].body, received[1].body);
    assert_eq!(received[1].header("content-encoding"), None);
    let bomb = packed(&vec![b' '; 64 << 20]);
    assert!(bomb.len() < 100_000, "{} bytes", bomb.len());
    for (path, place) in [
        ("/v1/chat/completions", "/error/type"),
        ("/v1/messages", "/error/type"),
        ("/v1beta/models/small:generateContent", "/error/status"),
        ("/v1/responses", "/error/type"),
    ] {
        for (encoding, body, status) in [
            ("gzip", bomb.clone(), 413),
            ("gzip", bomb[..1_000].to_vec(), 400),
            ("br", plain.clone().into_bytes(), 415),
        ] {
            let (found, error) = post(path, encoding, body).await;
            assert_eq!(found, status, "{path} {encoding}: {error}");
            assert!(error.pointer(place).is_some(), "{path}: {error}");
        }
    }
    gateway.assert_books().await;
}

/// Programs are given the address with `/v1`, without it, or with what another provider has in its place; people open it.
#[tokio::test]
async fn other_base_addresses_lead_to_the_same_operations() {
    let gateway = TestGateway::start().await;
    for base in ["/v1", "", "/v1beta/openai"] {
        let url = gateway.url(&format!("{base}/chat/completions"));
        let reply = client().post(url).bearer_auth(&gateway.key).json(&hello(false)).send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{base}");
        let reply = gateway.get(&format!("{base}/models")).send().await.expect("an answer");
        let list: Value = reply.json().await.expect("JSON");
        assert_eq!(list["object"], "list", "{base}");
        let model: Value =
            gateway.get(&format!("{base}/models/small")).send().await.expect("an answer").json().await.expect("JSON");
        assert_eq!(model["object"], "model", "{base}");
        let (status, unknown) = ask(&gateway, &format!("{base}/nothing")).await;
        assert!(status == 404 && unknown.contains("\"type\""), "{base}: in format O: {unknown}");
    }
    let body = json!({"model": "small", "max_tokens": 10, "messages": [{"role": "user", "content": "hello"}]});
    for path in ["/v1/messages", "/messages", "/messages/", "//v1//messages", "/messages/count_tokens"] {
        let request = client().post(gateway.url(path)).header("x-api-key", &gateway.key);
        let reply = request.header("anthropic-version", "2023-06-01").json(&body).send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{path}");
    }
    for path in ["/", "/docs"] {
        let (status, page) = ask(&gateway, path).await;
        assert!(status == 200 && page.contains("<html"), "{path}: {page}");
    }
    gateway.assert_books().await;
}
