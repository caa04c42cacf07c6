//! The operations of operators: who may call them, who learns nothing of them, and where they are served.

use axum::Router;
use axum::body::Body;
use http::{Method, Request, header};
use serde_json::json;
use tollgate_tests::api::OperatorRoutes;
use tollgate_tests::mini_service::{router, router_with};

use super::{Answer, ask, ask_of};

/// A request with these headers.
fn request(method: Method, path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let builder = Request::builder().method(method).uri(path).header(header::HOST, "mini");
    let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
    builder.body(Body::empty()).expect("a request")
}

/// A request with a key.
fn keyed(method: Method, path: &str, key: &str) -> Request<Body> {
    request(method, path, &[("authorization", &format!("Bearer {key}"))])
}

/// The code of a refusal below `/admin`.
fn code(answer: &Answer) -> &str {
    answer.body["message"].as_str().unwrap_or_default()
}

/// What came back, but for the id of the request.
fn without_id(mut answer: Answer) -> (u16, http::HeaderMap, String) {
    for name in ["x-request-id", "request-id"] {
        assert!(answer.headers.remove(name).is_some(), "{name}");
    }
    (answer.status, answer.headers, answer.body.to_string())
}

/// Holds that a request is answered as one for a path that is not there.
async fn is_hidden(service: Router, of: Request<Body>) {
    let (told, method, path) = (format!("{of:?}"), of.method().clone(), of.uri().path().to_owned());
    let answer = ask_of(service, of).await;
    assert_eq!((answer.status, &answer.body["error"]["code"]), (404, &json!("route_not_found")), "{told}");
    // As long, so that lengths are the same too.
    let nothing = format!("/admin/{}", "z".repeat(path.len() - "/admin/".len()));
    let (status, headers, body) = without_id(ask(request(method, &nothing, &[])).await);
    assert_eq!(without_id(answer), (status, headers, body.replace(&nothing, &path)), "{told}");
}

#[tokio::test]
async fn a_role_may_call_what_it_includes() {
    for (key, sees, clears) in [("op-viewer", 200, 403), ("op-keeper", 200, 200), ("op-owner", 200, 200)] {
        let seen = ask(keyed(Method::GET, "/admin/operators/x", key)).await;
        assert_eq!((seen.status, &seen.body["name"]), (sees, &json!(key.trim_start_matches("op-"))), "{key}");
        assert_eq!(seen.headers["cache-control"], "no-store");
        let cleared = ask(keyed(Method::POST, "/admin/things/clear", key)).await;
        assert_eq!(cleared.status, clears, "{key}");
        if clears == 403 {
            assert_eq!((code(&cleared), &cleared.body["data"]), ("ROLE_MISSING", &json!({"roles": "keeper, owner"})));
        }
    }
}

#[tokio::test]
async fn without_a_key_of_operators_nothing_is_there() {
    let see = |headers: &[(&str, &str)]| request(Method::GET, "/admin/operators/x", headers);
    for headers in [
        &[][..],
        &[("authorization", "Bearer sk-good")],
        &[("authorization", "Bearer sk-good"), ("cookie", "operator_session=viewing")],
        &[("authorization", "Basic op-viewer")],
        &[("x-g-key", "op-viewer")],
        &[("cookie", "session=viewing")],
        &[("authorization", "Bearer sk-good"), ("authorization", "Bearer sk-bad")],
    ] {
        is_hidden(router(), see(headers)).await;
    }
    is_hidden(router(), request(Method::POST, "/admin/things/clear", &[])).await;
}

#[tokio::test]
async fn another_method_is_another_path() {
    for (method, path) in [
        (Method::POST, "/admin/operators/x"),
        (Method::OPTIONS, "/admin/operators/x"),
        (Method::GET, "/admin/things/clear"),
        (Method::PUT, "/admin/session"),
    ] {
        is_hidden(router(), keyed(method.clone(), path, "op-owner")).await;
        is_hidden(router(), request(method, path, &[])).await;
    }
    assert_eq!(ask(request(Method::PATCH, "/v1/things", &[])).await.status, 405, "elsewhere a path has methods");
}

#[tokio::test]
async fn a_key_of_operators_is_told_what_is_wrong() {
    for (key, status, told) in [
        ("op-nobody", 401, "KEY_INVALID"),
        ("op-revoked", 401, "KEY_DISABLED"),
        ("op-old", 401, "KEY_EXPIRED"),
        ("op-dark", 503, "LEDGER_UNAVAILABLE"),
    ] {
        let refused = ask(keyed(Method::GET, "/admin/operators/x", key)).await;
        assert_eq!((refused.status, code(&refused)), (status, told), "{key}");
    }
    let two = [("authorization", "Bearer op-viewer"), ("authorization", "Bearer op-owner")];
    let refused = ask(request(Method::GET, "/admin/operators/x", &two)).await;
    assert_eq!((refused.status, code(&refused)), (400, "BAD_PARAMETER"));
    let elsewhere = ask(keyed(Method::GET, "/v1/things", "op-owner")).await;
    assert_eq!((elsewhere.status, &elsewhere.body["error"]["code"]), (401, &json!("key_invalid")));
}

#[tokio::test]
async fn a_session_of_operators_has_a_cookie_of_its_own() {
    let begin = |headers: &[(&str, &str)]| {
        let mut begin = request(Method::POST, "/admin/session", headers);
        *begin.body_mut() = Body::from(r#"{"name":"me"}"#);
        begin.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
        begin
    };
    let begun = ask(begin(&[])).await;
    let cookie = "operator_session=viewing; Path=/; HttpOnly; SameSite=Lax; Max-Age=60";
    assert_eq!((begun.status, begun.headers[header::SET_COOKIE].to_str().expect("text")), (200, cookie));
    let foreign = ask(begin(&[("origin", "http://evil")])).await;
    assert_eq!((foreign.status, code(&foreign)), (403, "ORIGIN_REFUSED"));
    let own = [("origin", "http://mini"), ("x-tollgate-csrf", "1")];
    for (method, path, token, headers, status, told) in [
        (Method::GET, "/admin/operators/x", "viewing", &[][..], 200, ""),
        (Method::GET, "/admin/operators/x", "over", &[], 401, "SESSION_INVALID"),
        (Method::POST, "/admin/things/clear", "viewing", &own, 403, "ROLE_MISSING"),
        (Method::POST, "/admin/things/clear", "keeping", &own, 200, ""),
        (Method::POST, "/admin/things/clear", "keeping", &[], 403, "ORIGIN_REFUSED"),
        (Method::POST, "/admin/things/clear", "keeping", &[("origin", "http://evil")], 403, "ORIGIN_REFUSED"),
        (Method::DELETE, "/admin/session", "keeping", &own, 200, ""),
    ] {
        let cookie = format!("operator_session={token}");
        let headers = [&[("cookie", cookie.as_str())], headers].concat();
        let answer = ask(request(method.clone(), path, &headers)).await;
        assert_eq!((answer.status, code(&answer)), (status, told), "{method} {path} {headers:?}");
    }
    let both = [("authorization", "Bearer op-owner"), ("cookie", "operator_session=over")];
    let answer = ask(request(Method::POST, "/admin/things/clear", &both)).await;
    assert_eq!((answer.status, &answer.body["role"]), (200, &json!("owner")), "a key counts before a session");
}

#[tokio::test]
async fn a_deployment_may_leave_operators_out_or_serve_them_alone() {
    for (operators, things, theirs) in
        [(OperatorRoutes::Served, 200, 200), (OperatorRoutes::Absent, 200, 404), (OperatorRoutes::Alone, 404, 200)]
    {
        let thing = ask_of(router_with(operators), request(Method::GET, "/v1/things/x", &[])).await;
        assert_eq!(thing.status, things, "{operators:?}");
        let seen = ask_of(router_with(operators), keyed(Method::GET, "/admin/operators/x", "op-owner")).await;
        assert_eq!(seen.status, theirs, "{operators:?}");
        let begun = ask_of(router_with(operators), request(Method::POST, "/admin/session", &[])).await;
        assert_eq!(begun.status == 404, theirs == 404, "{operators:?}");
    }
    is_hidden(router_with(OperatorRoutes::Absent), keyed(Method::GET, "/admin/operators/x", "op-owner")).await;
}
