//! Requests through the router.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use ::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri};
use axum::body::Body;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream;
use http_body_util::BodyExt;
use tower::ServiceExt;

use super::{ECHO, ECHO_A, FAIL, GENERATE, GET, OWN, RULES, Service, VERSION, code};
use crate::{BodyMemory, Call, Code, InFlightRequests, RouterBounds, RouterConfig, Routes, SessionCookies};
use tollgate_base::{CallerCredential, Clock};

async fn echo(service: Arc<Service>, mut call: Call) -> crate::Answer {
    let key = match call.caller_or_session(&*service).await?.by {
        CallerCredential::Key(key) | CallerCredential::Agent(_, key) => key.0,
        CallerCredential::Session(_) => 0,
    };
    let id: i64 = call.path("id", "a whole number")?;
    let page: Option<i64> = call.optional_query("page", "a whole number")?;
    let body: serde_json::Map<String, serde_json::Value> = call.json().await?;
    call.answer(&serde_json::json!({"id": id, "key": key, "page": page, "body": body, "query": call.cx.query}))
}

async fn own(service: Arc<Service>, call: Call) -> crate::Answer {
    let caller = call.caller_or_session(&*service).await?;
    call.answer(&serde_json::json!({"person": caller.person().0}))
}

async fn model(_: Arc<Service>, call: Call) -> crate::Answer {
    let model: String = call.path("model", "text")?;
    let version: Option<String> = call.optional_header(&VERSION, "text")?;
    call.answer(&serde_json::json!({"model": model, "version": version}))
}

async fn fail(_: Arc<Service>, call: Call) -> crate::Answer {
    match call.path::<String>("how", "text")?.as_str() {
        "panic" => panic!("on purpose"),
        "hours" => return Err(code::Full {}.failure().with_retry_after(3_600)),
        "late" => tokio::time::sleep(Duration::from_secs(3_600)).await,
        _ => {}
    }
    Err(code::Full {}.failure())
}

fn router() -> axum::Router {
    let bounds = RouterBounds {
        request_own: Duration::from_secs(30),
        places: InFlightRequests::new(100, 100),
        bodies: BodyMemory::new(1_000),
        retry_after_max: Duration::from_secs(60),
    };
    let mut config = RouterConfig::new(Clock::system(), &RULES, bounds);
    let trusted_origins = vec!["https://console.example".to_owned()];
    config.cookies = Arc::new(SessionCookies { secure: false, trusted_origins });
    let mut routes = Routes::new(Arc::new(Service), &RULES, config);
    routes.add(&ECHO, echo);
    routes.add(&ECHO_A, echo);
    routes.add(&OWN, own);
    routes.add(&GENERATE, model);
    routes.add(&GET, model);
    routes.add(&FAIL, fail);
    routes.finish()
}

/// `POST /path` with headers `name: value`, to the status and the body; checks what holds for every answer.
async fn send(line: &str, headers: &[&str], body: impl Into<Body>) -> (u16, String) {
    let (method, path) = line.split_once(' ').expect("a method and a path");
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers.iter().filter_map(|header| header.split_once(": ")) {
        request = request.header(name, value);
    }
    let response = router().oneshot(request.body(body.into()).expect("a request")).await.expect("infallible");
    let header = |name: &str| response.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
    assert_eq!(header("x-request-id"), header("request-id"));
    assert!(header("request-id").is_some_and(|id| id.starts_with("req_")));
    let status = response.status();
    assert_eq!(
        header("x-should-retry").is_some(),
        status.is_client_error() || status.is_server_error() || path.starts_with("/fail")
    );
    if let Some(allow) = header("allow") {
        return (status.as_u16(), allow);
    }
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    (status.as_u16(), String::from_utf8(bytes.to_vec()).expect("text"))
}

const CSRF: &str = "x-tollgate-csrf: 1";
const KEY: &str = "authorization: Bearer sk-good";
const JSON: &str = "content-type: application/json";

#[tokio::test]
async fn a_whole_request() {
    let (status, body) = send("POST /echo/7?page=2&key=sk-good&x=%20", &[KEY, JSON], r#"{"a":1}"#).await;
    assert_eq!((status, body.as_str()), (200, r#"{"id":7,"key":2,"page":2,"body":{"a":1},"query":"page=2&x=%20"}"#));
}

#[tokio::test]
async fn credentials_may_stand_in_several_places_and_must_agree() {
    for (line, headers, want) in [
        ("POST /echo/7", vec![], 401),
        ("POST /echo/7", vec!["authorization: bearer  sk-good"], 200),
        ("POST /echo/7", vec!["authorization: Bearer sk-bad"], 401),
        ("POST /echo/7", vec!["authorization: Basic sk-good"], 401),
        ("POST /echo/7?key=good", vec![], 200),
        ("POST /echo/7", vec!["x-vendor-key: good"], 200),
        ("POST /echo/7?key=good", vec!["x-g-key: good", "x-vendor-key: good"], 200),
        ("POST /echo/7", vec!["x-g-key: good", "x-vendor-key: also good"], 400),
        ("POST /echo/7?key=good", vec![KEY], 400),
        ("POST /echo/7?key=sk-good", vec![KEY], 200),
        ("POST /echo/7", vec!["cookie: session=good", "host: h"], 401),
        ("POST /echo/7", vec!["cookie: a=b; session=good", "host: h", "origin: http://h"], 401),
        ("POST /echo/7", vec!["cookie: a=b; session=good", "host: h", "origin: http://h", CSRF], 200),
        ("POST /echo/7", vec!["cookie: session=good", "host: h", "origin: https://evil", CSRF], 401),
        ("POST /echo/7", vec!["cookie: session=good", "origin: https://console.example", CSRF], 200),
        (
            "POST /echo/7",
            vec!["cookie: session=good", "origin: http://h", "host: h", CSRF, "x-tollgate-account: 1"],
            200,
        ),
        (
            "POST /echo/7",
            vec!["cookie: session=good", "origin: http://h", "host: h", CSRF, "x-tollgate-account: 2"],
            401,
        ),
        (
            "POST /echo/7",
            vec!["cookie: session=good", "origin: http://h", "host: h", CSRF, "x-tollgate-account: "],
            401,
        ),
        ("POST /echo/7", vec![KEY, "x-tollgate-account: 2"], 200),
        ("GET /own", vec!["cookie: session=good", "x-tollgate-account: 2"], 200),
        ("POST /echo/7", vec![KEY, "cookie: session=good"], 200),
        ("POST /echo/7", vec![KEY, "cookie: session=other"], 401),
        ("POST /echo/7", vec![KEY, "cookie: session=bad", "origin: https://evil"], 200),
    ] {
        assert_eq!(send(line, &headers, "{}").await.0, want, "{line} {headers:?}");
    }
}

#[tokio::test]
async fn members_need_a_role_and_keys_and_accounts_need_none() {
    const OWN_PAGE: [&str; 3] = ["host: h", "origin: http://h", CSRF];
    for (line, credentials, want) in [
        ("POST /echo/7", vec!["cookie: session=good"], (200, r#""id":7"#)),
        ("POST /echo/7", vec!["cookie: session=owning"], (200, r#""id":7"#)),
        ("POST /echo/7", vec!["cookie: session=viewing"], (403, r#""code":"member_role""#)),
        ("POST /echo/7", vec![KEY, "cookie: session=viewing"], (200, r#""key":2"#)),
        ("POST /echo/7", vec![KEY], (200, r#""key":2"#)),
        ("GET /own", vec!["cookie: session=good"], (200, r#""person":1"#)),
        ("GET /own", vec!["cookie: session=owning"], (403, r#""details":{"roles":""}"#)),
    ] {
        let (status, body) = send(line, &[&OWN_PAGE[..], &credentials].concat(), "{}").await;
        assert_eq!((status, body.contains(want.1)), (want.0, true), "{line} {credentials:?}: {body}");
    }
}

/// Who may not call it is told so before the body is looked at, and by which role it would be called.
#[tokio::test]
async fn a_missing_role_is_told_before_anything_else() {
    let headers = ["host: h", "origin: http://h", CSRF, "cookie: session=viewing", "content-type: text/plain"];
    for line in ["POST /echo/7", "POST /echo/x"] {
        assert_eq!(send(line, &headers, "no JSON").await.0, 403, "{line}");
    }
    let call = send("GET /own", &["cookie: session=viewing"], "").await;
    assert_eq!(call.0, 403, "{}", call.1);
}

#[tokio::test]
async fn parameters_are_typed_and_come_once() {
    for (line, want) in [
        ("POST /echo/x", r#""param":"id""#),
        ("POST /echo/7?page=1&page=1", r#""param":"page""#),
        ("POST /echo/7?page=+1", r#""param":"page""#),
        ("POST /echo/%ff", r#""param":"id""#),
    ] {
        let (status, body) = send(line, &[KEY], "{}").await;
        assert_eq!(status, 400, "{line}");
        assert!(body.contains(want), "{line}: {body}");
    }
}

#[tokio::test]
async fn bodies_are_bounded_and_checked() {
    let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(57));
    let text = |text: &str| Body::from(text.to_owned());
    let pieces = |text: &str| {
        let pieces: Vec<_> =
            text.as_bytes().chunks(5).map(|piece| Ok::<_, std::io::Error>(Bytes::copy_from_slice(piece))).collect();
        Body::from_stream(stream::iter(pieces))
    };
    let gzip = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory");
        Body::from(encoder.finish().expect("memory"))
    };
    for (headers, body, want) in [
        (vec![], text("{}"), (200, "{}")),
        (vec![JSON], text(&long[..64]), (400, "bad_json")),
        (vec!["content-length: 65"], text(&long), (413, "too_large")),
        (vec![], pieces(&long), (413, "too_large")),
        (vec![], pieces(r#"{"pieces":true}"#), (200, r#""body":{"pieces":true}"#)),
        (vec!["content-type: text/plain"], text("{}"), (415, "bad_content_type")),
        (vec!["content-type: application/problem+JSON; charset=utf-8"], text("{}"), (200, "{}")),
        (vec!["content-encoding: identity"], text("{}"), (200, "{}")),
        (vec!["content-encoding: br"], text("{}"), (415, "bad_content_type")),
        (vec!["content-encoding: gzip, gzip"], gzip("{}"), (415, "bad_content_type")),
        (vec!["content-encoding: gzip", "content-encoding: identity"], gzip("{}"), (200, "{}")),
        (vec!["content-encoding: gzip", "content-encoding: br"], gzip("{}"), (415, "bad_content_type")),
        (vec!["content-encoding: X-GZIP"], gzip(r#"{"a":2}"#), (200, r#""body":{"a":2}"#)),
        (vec!["content-encoding: gzip"], text("{}"), (400, "bad_json")),
        (vec!["content-encoding: gzip"], gzip(&long), (413, "too_large")),
        (vec!["content-encoding: gzip", "content-length: 65"], gzip("{}"), (413, "too_large")),
        (vec![], text(""), (400, "bad_json")),
        (vec![], text("[1]"), (400, "bad_field")),
    ] {
        let mut all = vec![KEY];
        all.extend(&headers);
        let (status, body) = send("POST /echo/7", &all, body).await;
        assert_eq!(status, want.0, "{headers:?} {body}");
        assert!(body.contains(want.1), "{headers:?} {body}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_stops_is_not_waited_for() {
    let never = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
    // Never silent for long enough, and never done.
    let dripping = Body::from_stream(stream::unfold((), async |()| {
        tokio::time::sleep(Duration::from_secs(3)).await;
        Some((Ok::<_, std::io::Error>(Bytes::from_static(b" ")), ()))
    }));
    for (body, want) in [(never, r#"{"bound":"idle","seconds":5}"#), (dripping, r#"{"bound":"total","seconds":10}"#)] {
        let (status, body) = send("POST /a/echo/7", &[KEY], body).await;
        assert_eq!((status, body.contains(want)), (408, true), "{want}: {body}");
    }
}

#[tokio::test]
async fn no_answer_asks_for_a_longer_wait_than_the_spec_allows() {
    for (how, want) in [("hours", "60"), ("other", "1")] {
        let request = Request::get(format!("/fail/{how}")).body(Body::empty()).expect("a request");
        let response = router().oneshot(request).await.expect("infallible");
        assert_eq!(response.headers()["retry-after"], want, "{how}");
    }
}

#[tokio::test]
async fn names_of_models_may_have_slashes_and_verbs() {
    for (line, want) in [
        ("POST /a/models/x:generate", (200, r#"{"model":"x","version":null}"#)),
        ("POST /a/models/y/x%3Agenerate", (200, r#"{"model":"y/x","version":null}"#)),
        ("POST /a/models/y%2Fx:generate", (200, r#"{"model":"y/x","version":null}"#)),
        ("GET /a/models/y%2Fx", (200, r#"{"model":"y/x","version":null}"#)),
        ("GET /b/models/y/x", (200, r#"{"model":"y/x","version":null}"#)),
        ("HEAD /b/models/y/x", (200, "")),
    ] {
        let (status, body) = send(line, &[], "").await;
        assert_eq!((status, body.as_str()), want, "{line}");
    }
}

#[tokio::test]
async fn what_matches_no_operation_has_the_shape_of_its_family() {
    for (line, status, want) in [
        ("GET /nothing", 404, r#""code":"unknown_path""#),
        ("GET /a", 404, r#""type":"error""#),
        ("GET /ab", 404, r#""code":"unknown_path""#),
        ("POST /a/models/x:walk", 404, r#""type":"error""#),
        ("POST /a/models/x", 405, "GET, HEAD, OPTIONS"),
        ("DELETE /a/models/x:generate", 405, "GET, HEAD, OPTIONS, POST"),
        ("GET /a/models/y/x", 404, r#""type":"error""#),
        ("OPTIONS /echo/7", 204, "OPTIONS, POST"),
        ("PUT /echo/7", 405, "OPTIONS, POST"),
    ] {
        let (got, body) = send(line, &[], "").await;
        assert_eq!(got, status, "{line}");
        assert!(body.contains(want), "{line}: {body}");
    }
}

#[test]
fn a_family_may_be_of_paths_that_end_with_a_verb_and_of_requests_that_have_something() {
    for (path, headers, family) in [
        ("/echo/x:walk", &[][..], "a"),
        ("/echo/y/x%3Awalk", &[], "a"),
        ("/echo/x%3awalk", &[], "a"),
        ("/echo/x", &[], "o"),
        ("/echo/x:", &[], "o"),
        ("/echo/ft:x:org::Ab9", &[], "o"),
        ("/echo/x:walk/y", &[], "o"),
        ("/echoes/x:walk", &[], "o"),
        ("/both/x", &[], "o"),
        ("/both/x", &["a-version"], "a"),
        ("/both/x", &["vendor-version"], "a"),
        ("/both/x?v=1", &[], "a"),
        ("/both/x?w=1", &["version"], "o"),
        ("/other?v=1", &["a-version"], "o"),
    ] {
        let value = HeaderValue::from_static("1");
        let headers: HeaderMap = headers.iter().map(|name| (HeaderName::from_static(name), value.clone())).collect();
        assert_eq!(RULES.family(&Uri::from_static(path), &headers).name, family, "{path} {headers:?}");
    }
}

/// The status, and what a browser is told about the page that asks.
async fn asked_by_a_page(line: &str, headers: &[&str]) -> (u16, Vec<String>) {
    let (method, path) = line.split_once(' ').expect("a method and a path");
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers.iter().filter_map(|header| header.split_once(": ")) {
        request = request.header(name, value);
    }
    let response = router().oneshot(request.body(Body::empty()).expect("a request")).await.expect("infallible");
    let told = response.headers().iter().filter(|(name, _)| name.as_str().starts_with("access-control-"));
    let mut told: Vec<_> = told.map(|(name, value)| format!("{name}: {}", value.to_str().expect("text"))).collect();
    told.sort_unstable();
    (response.status().as_u16(), told)
}

#[tokio::test]
async fn pages_of_any_origin_may_call_what_is_open_and_nothing_else() {
    const PAGE: &str = "origin: https://page.example";
    let asks =
        [PAGE, "access-control-request-method: POST", "access-control-request-headers: authorization,x-stainless-os"];
    let may = [
        "access-control-allow-headers: authorization,x-stainless-os",
        "access-control-allow-methods: POST",
        "access-control-allow-origin: *",
        "access-control-max-age: 86400",
    ];
    for path in ["/a/echo/7", "/a/models/x:generate", "/a/nothing", "/fail/other"] {
        assert_eq!(
            asked_by_a_page(&format!("OPTIONS {path}"), &asks).await,
            (204, may.map(str::to_owned).to_vec()),
            "{path}"
        );
    }
    let read = ["access-control-allow-origin: *", "access-control-expose-headers: *"].map(str::to_owned);
    for (line, status) in [
        ("POST /a/echo/7", 401),
        ("GET /a/models/x", 200),
        ("PUT /a/models/x", 405),
        ("GET /a/nothing", 404),
        ("GET /fail/other", 200),
    ] {
        assert_eq!(asked_by_a_page(line, &[PAGE]).await, (status, read.to_vec()), "{line}");
        assert_eq!(asked_by_a_page(line, &[]).await, (status, Vec::new()), "{line}: no page asks");
    }
    for (line, status) in [("OPTIONS /echo/7", 204), ("POST /echo/7", 401), ("GET /nothing", 404), ("GET /ab", 404)] {
        assert_eq!(asked_by_a_page(line, &asks).await, (status, Vec::new()), "{line}: closed");
    }
}

#[tokio::test]
async fn the_request_may_choose_the_shape_of_its_errors() {
    let two = ["a-version: 1", "vendor-version: 2"];
    let (status, body) = send("GET /b/models/x", &two, "").await;
    assert_eq!((status, body.contains(r#""type":"error""#)), (400, true));
    let (status, body) = send("GET /b/models/x", &["a-version: 1", "vendor-version: 1"], "").await;
    assert_eq!((status, body.as_str()), (200, r#"{"model":"x","version":"1"}"#));
}

#[tokio::test(start_paused = true)]
async fn panics_and_delays_have_a_shape_and_the_one_status() {
    for (how, want) in [("panic", "broken"), ("late", "late"), ("other", "too_full")] {
        let (status, body) = send(&format!("GET /fail/{how}"), &[], "").await;
        assert_eq!(status, StatusCode::OK, "{how}");
        assert!(body.contains(&format!(r#""code":"{want}""#)), "{how}: {body}");
    }
    assert_eq!(send(&format!("{} /fail/x", Method::TRACE), &[], "").await.0, 405);
}
