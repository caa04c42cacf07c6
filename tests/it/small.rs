//! The runtime under every generated route, seen through the small spec: reading, refusing, answering.

use axum::body::Body;
use http::{Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tollgate_tests::small::router;
use tower::ServiceExt;

/// What came back: status, headers, and the body as JSON or as text.
struct Answer {
    status: u16,
    headers: http::HeaderMap,
    body: Value,
}

async fn ask(request: Request<Body>) -> Answer {
    let response = router().oneshot(request).await.expect("a router always answers");
    let (head, body) = response.into_parts();
    let bytes = body.collect().await.expect("a body in memory").to_bytes();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Answer { status: head.status.as_u16(), headers: head.headers, body }
}

fn get(path: &str) -> http::request::Builder {
    Request::get(path).header("authorization", "Bearer sk-good")
}

async fn tell(body: impl Into<Body>) -> Answer {
    let request = Request::post("/v1/things/a:tell").header("authorization", "Bearer sk-good").header("x-tone", "low");
    ask(request.header(header::CONTENT_TYPE, "application/json").body(body.into()).expect("a request")).await
}

#[tokio::test]
async fn a_selection_follows_the_headers() {
    let o = ask(get("/v1/things").body(Body::empty()).expect("a request")).await;
    assert_eq!((o.status, o.body["data"].as_array().map(Vec::len)), (200, Some(3)), "the default is three");
    for name in ["a-version", "other-version"] {
        let a = ask(get("/v1/things?limit=1").header(name, "1").body(Body::empty()).expect("a request")).await;
        assert_eq!((a.body["more"].as_bool(), a.body["things"].as_array().map(Vec::len)), (Some(true), Some(1)));
    }
    let g = ask(Request::get("/v1/things?key=sk-good&limit=2").body(Body::empty()).expect("a request")).await;
    assert_eq!(g.body["data"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_shape_is_written_as_declared() {
    let answer = ask(get("/v1/things/x").body(Body::empty()).expect("a request")).await;
    let expected = json!({"name": "x", "kind": "odd", "size": null, "price_usd": 1.5, "parts": [], "object": "thing"});
    assert_eq!((answer.status, answer.body), (200, expected));
    assert_eq!(answer.headers["x-request-id"], answer.headers["request-id"]);
}

#[tokio::test]
async fn a_closed_body_is_read_and_its_faults_are_named() {
    let told = tell(r#"{"words":"hi","colour":"red"}"#).await;
    assert_eq!((told.status, &told.body["name"]), (200, &json!("ahired")));
    for (body, word) in [
        (r#"{"words":"hi","lod":true}"#, "loud"),
        (r#"{"words":"much too long"}"#, "words"),
        (r#"{"words":"hi","colour":"re"}"#, "colour"),
        (r#"{"words":"hi","loud":"yes"}"#, "loud"),
        (r#"{"words":"hi","words":"ho"}"#, "words"),
        (r#"{"loud":true}"#, "words"),
        (r#"{"words":"hi""#, "JSON"),
        ("", "JSON"),
    ] {
        let refused = tell(body).await;
        assert_eq!((refused.status, &refused.body["type"]), (400, &json!("error")), "{body}");
        let message = refused.body["error"]["message"].as_str().expect("text");
        assert!(message.contains(word), "{body}: {message}");
    }
    assert_eq!(tell(vec![b' '; 1025]).await.status, 413);
}

#[tokio::test]
async fn a_failure_has_the_words_of_its_envelope() {
    let lost = ask(get("/v1/things/nothing").body(Body::empty()).expect("a request")).await;
    let error = &lost.body["error"];
    assert_eq!((lost.status, &error["code"], &error["type"]), (404, &json!("thing_not_found"), &json!("not_found")));
    assert_eq!(error["message"], "there is no 'nothing'; look again");
    assert_eq!(error["details"], json!({"thing": "nothing"}));
    assert_eq!(lost.headers["x-should-retry"], "false");
    let dear = tell(r#"{"words":"hi","loud":true}"#).await;
    assert_eq!((dear.status, &dear.body["error"]["message"]), (402, &json!("it costs 0.000000002 USD")));
    assert_eq!(dear.headers["x-should-retry"], "true");
}

#[tokio::test]
async fn who_may_not_call_is_told_why() {
    for (key, status, code) in [
        (None, 401, "key_missing"),
        (Some("Bearer sk-bad"), 401, "key_invalid"),
        (Some("Bearer sk-revoked"), 401, "key_disabled"),
        (Some("Bearer sk-old"), 401, "key_expired"),
        (Some("Bearer sk-dark"), 503, "ledger_unavailable"),
        (Some("Basic sk-good"), 401, "key_missing"),
    ] {
        let mut request = Request::get("/v1/things");
        if let Some(key) = key {
            request = request.header("authorization", key);
        }
        let refused = ask(request.body(Body::empty()).expect("a request")).await;
        assert_eq!((refused.status, refused.body["error"]["code"].as_str()), (status, Some(code)), "{key:?}");
        assert_eq!(refused.headers.contains_key("retry-after"), status == 503);
    }
}

#[tokio::test]
async fn a_panic_is_a_500_and_the_house_stands() {
    let broken = ask(get("/v1/things/broken").body(Body::empty()).expect("a request")).await;
    assert_eq!((broken.status, broken.body["error"]["code"].as_str()), (500, Some("internal")));
    assert!(broken.headers.contains_key("x-request-id"));
    assert_eq!(ask(get("/v1/things/x").body(Body::empty()).expect("a request")).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn what_takes_too_long_is_ended() {
    let slow = ask(get("/v1/things/slow").body(Body::empty()).expect("a request")).await;
    assert_eq!((slow.status, slow.body["error"]["code"].as_str()), (504, Some("request_timeout")));
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_comes_is_given_up() {
    let never = Body::from_stream(futures_util::stream::pending::<Result<bytes::Bytes, std::io::Error>>());
    let refused = tell(never).await;
    assert_eq!((refused.status, refused.headers["x-should-retry"].as_bytes()), (408, &b"true"[..]));
    assert_eq!(refused.body["error"]["message"], "too slow");
}

#[tokio::test]
async fn a_verb_is_part_of_the_path_and_not_of_the_name() {
    for (path, status) in [
        ("/v1/things/a:tell", StatusCode::OK),
        ("/v1/things/a%2Fb:tell", StatusCode::OK),
        ("/v1/things/a/b:tell", StatusCode::OK),
        ("/v1/things/a:shout", StatusCode::METHOD_NOT_ALLOWED),
        ("/v1/things/a", StatusCode::METHOD_NOT_ALLOWED),
    ] {
        let request = Request::post(path).header("authorization", "Bearer sk-good").header("x-tone", "low");
        let request = request.header(header::CONTENT_TYPE, "application/json").body(Body::from(r#"{"words":"x"}"#));
        assert_eq!(ask(request.expect("a request")).await.status, status.as_u16(), "{path}");
    }
}

#[tokio::test]
async fn a_relayed_body_keeps_its_bytes_and_loses_the_key() {
    let body = "{ \"model\" : \"\\u0061\" ,\"stream\":null,\"items\":[1],\"x\":1e400}";
    let request = Request::post("/v1/relay").header("authorization", "Bearer sk-good");
    let request = request.header(header::CONTENT_TYPE, "application/json; charset=utf-8").body(Body::from(body));
    let relayed = ask(request.expect("a request")).await;
    assert_eq!(relayed.body, json!("a Some(None) \"\\\"\\\\u0061\\\"\" false"));
}

#[tokio::test]
async fn what_is_planned_is_not_there() {
    let later = ask(get("/api/later").body(Body::empty()).expect("a request")).await;
    assert_eq!((later.status, &later.body["message"]), (404, &json!("ROUTE_NOT_FOUND")));
}

#[tokio::test]
async fn a_header_that_must_be_there_is_asked_for() {
    let request = Request::post("/v1/things/a:tell").header("authorization", "Bearer sk-good");
    let request = request.header(header::CONTENT_TYPE, "application/json").body(Body::from(r#"{"words":"x"}"#));
    let refused = ask(request.expect("a request")).await;
    assert_eq!((refused.status, &refused.body["error"]["message"]), (400, &json!("'x-tone' is missing")));
}

/// Codes as the runtime raises them by itself, in the envelope that has them in full.
#[test]
fn the_runtime_codes_are_those_of_the_spec() {
    use tollgate_server::generated::errors::RULES;
    let framework = &RULES.framework;
    let codes = [
        framework.missing_header,
        framework.body_timeout,
        framework.panic,
        framework.timeout,
        framework.origin_refused,
    ];
    let names = ["MISSING_HEADER", "BODY_TIMEOUT", "INTERNAL", "REQUEST_TIMEOUT", "ORIGIN_REFUSED"];
    assert_eq!(codes.map(|info| info.code), names);
    let overloaded = RULES.overloaded();
    assert_eq!(overloaded.info().code, "OVERLOADED");
    let id = "req_00000000000000000000000000".parse().expect("an id");
    let (status, headers, _) = overloaded.render(&tollgate_server::generated::errors::envelopes::O, &id);
    assert_eq!((status.as_u16(), headers["retry-after"].as_bytes()), (503, &b"1"[..]));
}
