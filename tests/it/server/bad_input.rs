//! Bad input: a clear error in the right shape, and nothing lost.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tollgate_tests::{TestGateway, client};

/// Bodies that are refused before anything is held, with the code and the field that is named.
const BODIES: &[(&str, &str, Option<&str>)] = &[
    ("", "bad_json", None),
    ("{", "bad_json", None),
    ("null", "bad_json", None),
    ("[]", "bad_json", None),
    ("\"x\"", "bad_json", None),
    ("{\"model\":\"small\",\"messages\":[1]} x", "bad_json", None),
    ("{\"model\":\"small\",\"messages\":[1],}", "bad_json", None),
    ("{\"model\":\"small\",\"messages\":[1],\"x\":01}", "bad_json", None),
    ("{\"model\":\"small\",\"messages\":[1],\"x\":NaN}", "bad_json", None),
    ("{\"model\":\"\\ud800\",\"messages\":[1]}", "bad_field", Some("model")),
    ("{\"messages\":[1]}", "missing_field", Some("model")),
    ("{\"model\":\"small\"}", "missing_field", Some("messages")),
    ("{\"model\":null,\"messages\":[1]}", "bad_field", Some("model")),
    ("{\"model\":7,\"messages\":[1]}", "bad_field", Some("model")),
    ("{\"model\":\"\",\"messages\":[1]}", "bad_field", Some("model")),
    ("{\"model\":\"small\",\"messages\":{}}", "bad_field", Some("messages")),
    ("{\"model\":\"small\",\"messages\":[]}", "bad_field", Some("messages")),
    ("{\"model\":\"small\",\"messages\":[1],\"stream\":1}", "bad_field", Some("stream")),
    ("{\"model\":\"small\",\"messages\":[1],\"stream\":\"true\"}", "bad_field", Some("stream")),
    ("{\"model\":\"small\",\"messages\":[1],\"stream_options\":3}", "bad_field", Some("stream_options")),
    ("{\"model\":\"small\",\"messages\":[1],\"max_tokens\":0}", "bad_field", Some("max_tokens")),
    ("{\"model\":\"small\",\"messages\":[1],\"max_tokens\":-5}", "bad_field", Some("max_tokens")),
    ("{\"model\":\"small\",\"messages\":[1],\"max_tokens\":1.5}", "bad_field", Some("max_tokens")),
    ("{\"model\":\"small\",\"messages\":[1],\"max_tokens\":1e400}", "bad_field", Some("max_tokens")),
    ("{\"model\":\"small\",\"messages\":[1],\"max_tokens\":99999999999999999999}", "bad_field", Some("max_tokens")),
    ("{\"model\":\"small\",\"messages\":[1],\"n\":129}", "bad_field", Some("n")),
    ("{\"model\":\"small\",\"messages\":[1],\"model\":\"tiny\"}", "bad_field", Some("model")),
    ("{\"model\":\"small\",\"mod\\u0065l\":\"tiny\",\"messages\":[1]}", "bad_field", Some("model")),
];

#[tokio::test]
async fn a_body_that_cannot_be_used_is_named() {
    let gateway = TestGateway::start().await;
    for (body, code, field) in BODIES {
        let reply = gateway.chat(*body).send().await.expect("an answer");
        assert_eq!(reply.status(), 400, "{body}");
        assert!(reply.headers()["x-request-id"].to_str().expect("text").starts_with("req_"));
        assert_eq!(reply.headers()["x-should-retry"], "false", "{body}");
        let error = reply.json::<Value>().await.expect("JSON")["error"].clone();
        assert_eq!((error["code"].as_str(), error["param"].as_str()), (Some(*code), *field), "{body}: {error}");
        assert_eq!(error["type"], "invalid_request_error");
    }
    let deep = format!("{{\"model\":\"small\",\"messages\":[1],\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_read = format!("{{\"model\":\"small\",\"messages\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for body in [deep, deep_read] {
        let reply = gateway.chat(body).send().await.expect("an answer");
        assert_eq!(reply.json::<Value>().await.expect("JSON")["error"]["code"], "bad_json");
    }
    let latin = [b"{\"model\":\"small\",\"messages\":[\"", &b"\xe9"[..], b"\"]}"].concat();
    let reply = gateway.chat(latin).send().await.expect("an answer");
    assert_eq!(reply.json::<Value>().await.expect("JSON")["error"]["code"], "bad_json");
    assert!(gateway.upstream.take_received().is_empty());
    assert_eq!(gateway.balance().await["available_usd"].to_string(), "10");
}

#[tokio::test]
async fn an_oversize_body_is_refused_before_it_is_read() {
    let gateway = TestGateway::start().await;
    let large = vec![b' '; 32 * 1024 * 1024 + 1];
    let reply = gateway.chat(large.clone()).send().await.expect("an answer");
    assert_eq!(reply.status(), 413);
    let body: Value = reply.json().await.expect("JSON");
    assert_eq!(
        (body["error"]["code"].as_str(), body["error"]["details"]["limit_bytes"].as_i64()),
        (Some("body_too_large"), Some(32 * 1024 * 1024))
    );
    // Without a length, it is cut off where the limit is.
    let mut stream = TcpStream::connect(gateway.address()).await.expect("a connection");
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
        gateway.key
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    let (mut read, mut write) = stream.into_split();
    let sending = tokio::spawn(async move {
        // The gateway may close before all is sent.
        let _ = write.write_all(format!("{:x}\r\n", large.len()).as_bytes()).await;
        let _ = write.write_all(&large).await;
        write
    });
    let mut answer = vec![0; 12];
    read.read_exact(&mut answer).await.expect("an answer");
    assert_eq!(answer, b"HTTP/1.1 413");
    sending.abort();
}

#[tokio::test]
async fn paths_methods_and_types_are_refused_in_the_shape_of_the_family() {
    let gateway = TestGateway::start().await;
    let ask = async |method: &str, path: &str, content_type: Option<&str>| {
        let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
        let mut request = client().request(method, gateway.url(path)).bearer_auth(&gateway.key);
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type).body("{}");
        }
        let reply = request.send().await.expect("an answer");
        let (status, allow) = (reply.status().as_u16(), reply.headers().get("allow").cloned());
        assert!(reply.headers().contains_key("x-request-id"), "{path}");
        let text = reply.text().await.expect("a body");
        (status, serde_json::from_str::<Value>(&text).unwrap_or(Value::Null), allow)
    };
    for (path, place, code) in [
        ("/nothing", "/error/code", "route_not_found"),
        ("/v1", "/error/code", "route_not_found"),
        ("/v1/nothing", "/error/code", "route_not_found"),
        ("/v1//nothing/", "/error/code", "route_not_found"),
        ("/upload/v1beta/files", "/error/status", "NOT_FOUND"),
        ("/messages/nothing", "/error/type", "not_found_error"),
        ("/v1/messages/batches", "/error/code", "ROUTE_NOT_FOUND"),
        ("/v1/messages/nothing", "/error/type", "not_found_error"),
        ("/v1messages", "/error/code", "route_not_found"),
        ("/v1beta/nothing", "/error/status", "NOT_FOUND"),
        ("/api/nothing", "/code", "ROUTE_NOT_FOUND"),
        ("/api/x402/pay/1/nothing", "/message", "ROUTE_NOT_FOUND"),
        ("/videoA/v1/videos/nothing", "/error/code", "route_not_found"),
        ("/%ff/%00", "/error/code", "route_not_found"),
    ] {
        let (status, body, _) = ask("GET", path, None).await;
        assert_eq!((status, body.pointer(place).and_then(Value::as_str)), (404, Some(code)), "{path}: {body}");
    }
    let (status, body, allow) = ask("GET", "/v1/chat/completions", None).await;
    assert_eq!((status, body["error"]["code"].as_str()), (405, Some("method_not_allowed")));
    assert_eq!(allow.expect("a header"), "OPTIONS, POST");
    let (_, body, _) = ask("GET", "/v1/messages", None).await;
    assert!(body["error"]["message"].as_str().expect("text").ends_with("use OPTIONS, POST"), "{body}");
    let (status, body, _) = ask("DELETE", "/api/user/self/balance", None).await;
    assert_eq!((status, body["code"].as_str()), (405, Some("METHOD_NOT_ALLOWED")));
    for path in ["/v1/models/x:sing", "/v1/models/org/x:sing", "/v1beta/models/x:batchGenerateContent"] {
        let (status, body, _) = ask("POST", path, None).await;
        assert_eq!((status, body["error"]["status"].as_str()), (404, Some("NOT_FOUND")), "{path}: {body}");
    }
    let (_, body, _) = ask("POST", "/v1/models/x", None).await;
    assert_eq!(body["error"]["code"].as_str(), Some("method_not_allowed"));
    assert_eq!(ask("OPTIONS", "/v1/models", None).await.0, 204);
    assert_eq!(ask("HEAD", "/v1/models", None).await.0, 200);
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let (status, body, _) = ask("POST", "/v1/chat/completions", Some(content_type)).await;
        assert_eq!((status, body["error"]["code"].as_str()), (415, Some("bad_content_type")), "{content_type}");
    }
}

#[tokio::test]
async fn a_version_sent_twice_under_two_names_must_agree() {
    let gateway = TestGateway::start().await;
    let ask =
        |other: &str| gateway.get("/v1/models").header("a-version", "1").header("anthropic-version", other).send();
    assert_eq!(ask("1").await.expect("an answer").status(), 200);
    assert_eq!(ask("2").await.expect("an answer").status(), 400);
}

/// A client that sends half a head, or half a body, is not waited for forever; others are served meanwhile.
#[tokio::test]
async fn broken_requests_close_and_disturb_nobody() {
    let gateway = TestGateway::start().await;
    for broken in [
        "GET / HTTP/1.1\r\n",
        "\x16\x03\x01",
        "POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n",
        "GET /v1/models HTTP/9.9\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(gateway.address()).await.expect("a connection");
        stream.write_all(broken.as_bytes()).await.expect("sent");
        stream.shutdown().await.expect("closed");
        let mut answer = Vec::new();
        // Closed, with or without a word.
        let _ = stream.read_to_end(&mut answer).await;
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"), "{broken:?}");
        assert_eq!(gateway.get("/v1/models").send().await.expect("an answer").status(), 200);
    }
}
