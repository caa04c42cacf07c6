//! The runtime under every generated route, seen through the small spec: reading, refusing, answering.

mod operators;

use axum::Router;
use axum::body::Body;
use http::{Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tollgate_tests::mini_service::{OWN_TIME, router};
use tower::ServiceExt;

/// What came back: status, headers, and the body as JSON or as text.
struct Answer {
    status: u16,
    headers: http::HeaderMap,
    body: Value,
}

async fn ask(request: Request<Body>) -> Answer {
    ask_of(router(), request).await
}

async fn ask_of(service: Router, request: Request<Body>) -> Answer {
    let response = service.oneshot(request).await.expect("a router always answers");
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

/// A page is answered as it is, and has the time of what waits for nobody.
#[tokio::test(start_paused = true)]
async fn a_page_is_given_no_time_of_others() {
    let page = ask(get("/things").body(Body::empty()).expect("a request")).await;
    assert_eq!((page.status, page.headers["content-type"].as_bytes()), (200, &b"text/html; charset=utf-8"[..]));
    let began = tokio::time::Instant::now();
    let slow = ask(get("/things?kind=large").body(Body::empty()).expect("a request")).await;
    assert_eq!((slow.status, slow.body["error"]["code"].as_str()), (504, Some("request_timeout")));
    assert_eq!(began.elapsed().as_secs(), OWN_TIME.as_secs());
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
        ("/v1/things/a:shout", StatusCode::NOT_FOUND),
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

/// A form of the boundary `xx`.
fn form(method: &str, path: &str, kind: &str, body: impl Into<Body>) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header("authorization", "Bearer sk-good");
    request.header(header::CONTENT_TYPE, kind).body(body.into()).expect("a request")
}

const FORM: &str = "multipart/form-data; charset=utf-8; boundary=\"xx\"";

#[tokio::test]
async fn a_form_is_passed_on_and_its_texts_decide() {
    let body: &[u8] = b"for nobody\r\n--xx \r\ncontent-disposition: form-data; name=model\r\n\r\n\"brush\"\r\n--xx\r\n\
        Content-Type: image/png\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a \\\"b\\\";.png\"\r\n\r\n\
        \xff\r\n--x\r\n\r\n--xx\r\nContent-Disposition: form-data; name=\"count\"\r\n\r\n3\r\n--xx\r\n\
        Content-Disposition: form-data; name=\"ground\"\r\n\r\nglass\r\n--xx\r\n\
        Content-Disposition: form-data; name=\"image\"; filename=\"\"\r\n\r\n\r\n--xx--\r\nfor nobody";
    for path in ["/v1/pictures", "/v2/pictures"] {
        let drawn = ask(form("POST", path, FORM, body)).await;
        let files = r#"[(Some("a \"b\";.png"), b"\xff\r\n--x\r\n"), (Some(""), b"")]"#;
        assert_eq!(drawn.body, json!(format!("\"brush\" \"brush\" Some(3) Some(Glass) {files}")));
    }
    let drawn = ask(form("POST", "/v1/pictures", "application/json", r#"{"model":"brush","count":2}"#)).await;
    assert_eq!(drawn.body, json!(r#"brush "brush" Some(2) None []"#));
    let uploaded = ask(form("PUT", "/v1/files/x", FORM, body)).await;
    assert_eq!(uploaded.body, json!("\"brush\" Some(3) 5"));
    let told = |name: &str| uploaded.headers.get(name).map(|value| value.to_str().expect("a text"));
    assert_eq!(told("deprecation"), Some("@1795219200"), "2026-11-21");
    assert_eq!(told("sunset"), Some("Tue, 01 Jun 2027 00:00:00 GMT"));
    assert_eq!(told("link"), Some("</v1/pictures>; rel=\"successor-version\""));
}

#[tokio::test]
async fn a_form_that_is_none_is_refused() {
    let part =
        |name: &str, text: &str| format!("--xx\r\nContent-Disposition: form-data; name={name}\r\n\r\n{text}\r\n");
    let whole =
        |parts: &[(&str, &str)]| parts.iter().map(|(name, text)| part(name, text)).collect::<String>() + "--xx--\r\n";
    let many: Vec<(&str, &str)> = std::iter::repeat_n(("m", ""), 257).collect();
    for (body, status, word) in [
        (whole(&[("model", "a"), ("count", "many")]), 400, "'count' must be a whole number of 1 to 4"),
        (whole(&[("model", "a"), ("count", "9")]), 400, "'count' must be a whole number of 1 to 4"),
        (whole(&[("model", "a"), ("ground", "sand")]), 400, "'ground' must be one of `paper`, `glass`"),
        (whole(&[("model", "")]), 400, "'model' must be"),
        (whole(&[("model", "a"), ("model", "b")]), 400, "the part twice"),
        (whole(&[("count", "1")]), 400, "'model' is missing"),
        (part("model", "a"), 400, "without its end"),
        (String::new(), 400, "without its boundary"),
        ("--xxx\r\n".to_owned(), 400, "whose boundary does not end its line"),
        ("--xx\r\n\r\na\r\n--xx--".to_owned(), 400, "with a part that has no name"),
        ("--xx\r\n--xx--".to_owned(), 400, "with a part that has no name"),
        ("--xx\r\nContent-Disposition: form-data; name=\"a\r\n\r\n\r\n--xx--".to_owned(), 400, "no name"),
        ("--xx--".to_owned(), 400, "'model' is missing"),
        (whole(&many), 413, "larger"),
    ] {
        let refused = ask(form("POST", "/v1/pictures", FORM, body.clone())).await;
        let message = refused.body["error"]["message"].as_str().expect("text");
        assert_eq!(refused.status, status, "{body:?}: {message}");
        assert!(message.contains(word), "{body:?}: {message}");
    }
    for kind in ["multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=xx", "text/plain"]
    {
        assert_eq!(ask(form("PUT", "/v1/files/x", kind, whole(&[("model", "a")]))).await.status, 415, "{kind}");
    }
    let json = ask(form("PUT", "/v1/files/x", "application/json", "{}")).await;
    assert_eq!((json.status, json.body["error"]["type"].as_str()), (415, Some("invalid_request_error")));
}

#[tokio::test]
async fn a_stream_is_asked_for_in_the_body_or_in_the_query() {
    let drawn = |body: &'static str| ask(form("POST", "/v1/pictures", "application/json", body));
    let streamed = drawn(r#"{"model":"a","stream":true}"#).await;
    let text = streamed.body.as_str().expect("events");
    let (stroke, failure) = text.split_once("\n\n").expect("two events");
    assert_eq!(stroke, "event: stroke\ndata: {\"type\":\"stroke\",\"at\":1}");
    let failure = failure.strip_prefix("event: error\ndata: ").and_then(|rest| rest.strip_suffix("\n\n"));
    let failure: Value = serde_json::from_str(failure.expect("one event")).expect("JSON in one line");
    assert_eq!((&failure["type"], &failure["error"]["message"]), (&json!("error"), &json!("failed")));
    assert_eq!(failure["request_id"], streamed.headers["x-request-id"].to_str().expect("text"));
    for whole in [r#"{"model":"a","stream":null}"#, r#"{"model":"a","stream":false}"#, r#"{"model":"a"}"#] {
        assert_eq!(drawn(whole).await.headers["content-type"], "text/plain", "{whole}");
    }
    for (query, expected) in [
        ("?key=sk-good&alt=sse", json!("data: {\"name\":\"a/b\"}\n\n")),
        ("?key=sk-good&alt=json", json!([{"name": "a/b"}])),
        ("?key=sk-good", json!([{"name": "a/b"}])),
    ] {
        for path in ["/v1/pictures/a/b:watch", "/v2/pictures/a%2Fb%3Awatch"] {
            let request = Request::post(format!("{path}{query}")).header(header::CONTENT_TYPE, "application/json");
            let watched = ask(request.body(Body::from(r#"{"model":"a"}"#)).expect("a request")).await;
            assert_eq!((watched.status, &watched.body), (200, &expected), "{path}{query}");
        }
    }
}

#[tokio::test]
async fn bytes_are_answered_as_they_are() {
    for (range, status, length) in [(None, 200, 4), (Some("bytes=1-"), 206, 3)] {
        let mut request = Request::get("/v1/files/x");
        if let Some(range) = range {
            request = request.header(header::RANGE, range);
        }
        let response = router().oneshot(request.body(Body::empty()).expect("a request")).await.expect("an answer");
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (status, &"image/png".parse().expect("a type"))
        );
        assert_eq!(response.into_body().collect().await.expect("a body").to_bytes().len(), length);
    }
    let lost = ask(Request::get("/v1/files/nothing").body(Body::empty()).expect("a request")).await;
    assert_eq!((lost.status, lost.body["error"]["code"].as_str()), (404, Some("thing_not_found")));
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

#[test]
fn the_operations_that_take_a_key_are_named() {
    let keyed = tollgate_tests::generated::KEYED;
    assert!(keyed.contains(&"things.list") && !keyed.contains(&"things.get"), "{keyed:?}");
}
