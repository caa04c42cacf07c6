//! The headers of all that the console answers: who may frame it, keep it, guess its type, and is told where it was.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tollgate_accounts::operators::OperatorRole;
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, client};

use super::signing_in::Fixture;
use crate::accounts::console::{offer, payment, rails, set_aside_order};
use crate::spec::conformance::document;

/// Values of the parameters of paths, by name: of something that is there.
async fn values(fixture: &Fixture, session: &str) -> BTreeMap<&'static str, Vec<String>> {
    offer(&fixture.gateway).await;
    let order = set_aside_order(&fixture.gateway, payment("0xf1")).await;
    let own = client().get(fixture.gateway.url("/api/admin/session")).header("cookie", session);
    let own: Value = own.send().await.expect("an answer").json().await.expect("JSON");
    BTreeMap::from([
        ("account_id", vec![fixture.gateway.account.to_string()]),
        ("order_id", vec![order.to_string()]),
        ("operator_id", vec![own["data"]["operator_id"].to_string()]),
        // Each is the name of one entry alone, so that each page has one.
        ("name", ["alpha", "quick", "swift"].map(str::to_owned).to_vec()),
        ("request_id", vec![charged_request(fixture).await]),
        ("file", ["console.css", "console.js"].map(str::to_owned).to_vec()),
    ])
}

/// The id of a request that was charged.
async fn charged_request(fixture: &Fixture) -> String {
    let reply = fixture.gateway.hello().send().await.expect("an answer");
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.bytes().await.expect("a body");
    fixture.gateway.receipt(&id).await;
    id
}

#[tokio::test]
async fn pages_are_kept_by_nobody_framed_by_nobody_and_tell_nobody_where_they_were() {
    let fixture = Fixture::with(Options { topup: Some(rails()), ..Options::default() }).await;
    let (_, session) = fixture.enrolled("root", OperatorRole::Owner).await;
    let cookie = format!("operator_session={session}");
    let values = values(&fixture, &cookie).await;
    let mut pages = BTreeMap::new();
    for (id, operation) in document().operations.iter().filter(|(id, _)| id.starts_with("admin_console.")) {
        for route in &operation.routes {
            let parameter = operation.path.keys().next().map(String::as_str);
            let paths = match parameter {
                None => vec![route.path.clone()],
                Some(name) => {
                    let given = values.get(name).unwrap_or_else(|| panic!("{id}: say what {name} is there"));
                    given.iter().map(|value| route.path.replace(&format!("{{{name}}}"), value)).collect()
                }
            };
            for cookie in [cookie.as_str(), "operator_session=ended", ""] {
                for path in &paths {
                    let request = client().get(fixture.gateway.url(path)).header("cookie", cookie);
                    let reply = request.header("accept", "text/html").send().await.expect("an answer");
                    let is_page = reply.status() == 200;
                    assert_headers(path, &reply);
                    *pages.entry(id.clone()).or_insert(false) |= is_page;
                }
            }
        }
    }
    let absent: Vec<&String> = pages.iter().filter(|(_, is_page)| !**is_page).map(|(id, _)| id).collect();
    assert!(absent.is_empty() && pages.len() > 12, "{absent:?} of {} were answered no page", pages.len());
}

pub(crate) fn assert_headers(path: &str, reply: &reqwest::Response) {
    let header = |name: &str| reply.headers().get(name).map(|value| value.to_str().expect("text"));
    let is_file = reply.status() == 200 && path.contains("/files/");
    let cache = if is_file { "no-cache" } else { "no-store" };
    let told = json!({
        "cache-control": header("cache-control"),
        "nosniff": header("x-content-type-options"),
        "frames": header("x-frame-options"),
        "referrer": header("referrer-policy"),
    });
    let wanted = json!({"cache-control": cache, "nosniff": "nosniff", "frames": "DENY", "referrer": "no-referrer"});
    assert_eq!(told, wanted, "{path}: {}", reply.status());
    let policy = header("content-security-policy").unwrap_or_default();
    assert!(policy.contains("frame-ancestors 'none'") && policy.starts_with("default-src 'none'"), "{path}: {policy}");
    assert_eq!(header("access-control-allow-origin"), None, "{path}");
}

/// What a browser shows that opens this page.
pub(crate) async fn shown(gateway: &TestGateway, path: &str, cookie: &str) -> (u16, String) {
    let request = client().get(gateway.url(path)).header("cookie", cookie).header("accept", VISIT);
    let reply = request.send().await.expect("an answer");
    assert_headers(path, &reply);
    assert_eq!(reply.headers()["content-type"], "text/html; charset=utf-8", "{path}");
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let (status, html) = (reply.status().as_u16(), reply.text().await.expect("a text"));
    assert!(html.contains(&format!("<code>{id}</code>")), "{path} names its request: {html}");
    (status, html)
}

/// What a browser sends to open a page.
pub(crate) const VISIT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[tokio::test]
async fn a_browser_whose_session_has_ended_is_led_to_the_page_where_people_sign_in() {
    let fixture = Fixture::start().await;
    let (_, session) = fixture.enrolled("root", OperatorRole::Owner).await;
    let alone = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let told = async |method: &str, path: &str, accept: &str, cookie: &str| {
        let request = alone.request(method.parse().expect("a method"), fixture.gateway.url(path));
        let request = request.header("cookie", format!("operator_session={cookie}")).header("accept", accept);
        let reply = request.header("x-tollgate-csrf", "1").header("origin", fixture.gateway.url("")).send().await;
        let reply = reply.expect("an answer");
        assert!(reply.headers().contains_key("x-request-id"));
        let to = reply.headers().get("location").map(|to| to.to_str().expect("text").to_owned());
        let status = reply.status().as_u16();
        let body: Value = serde_json::from_slice(&reply.bytes().await.expect("a body")).unwrap_or_default();
        (status, to.unwrap_or_default(), body["code"].as_str().unwrap_or_default().to_owned())
    };
    let led = (303, "/admin/sign-in".to_owned(), String::new());
    let refused = (401, String::new(), "SESSION_INVALID".to_owned());
    let mut pages = 0;
    for (id, operation) in document().operations.iter().filter(|(id, _)| id.starts_with("admin_console.")) {
        if operation.roles.is_empty() {
            continue;
        }
        let parts = operation.routes[0].path.split('/').map(|part| if part.starts_with('{') { "1" } else { part });
        let path = parts.collect::<Vec<_>>().join("/");
        assert_eq!(told("GET", &path, VISIT, "ended").await, led, "{id}");
        assert_eq!(told("GET", &path, "application/json", "ended").await, refused, "{id}");
        assert_eq!(told("GET", &path, "*/*", "ended").await, refused, "{id}");
        pages += 1;
    }
    assert!(pages >= 14, "{pages} pages");
    for (method, path) in [("GET", "/api/admin/accounts"), ("DELETE", "/api/admin/session")] {
        assert_eq!(told(method, path, VISIT, "ended").await, refused, "{path}");
    }
    // Whoever is nobody is told no more than before, and who is signed in of what is not there.
    let absent = (404, String::new(), "ACCOUNT_NOT_FOUND".to_owned());
    assert_eq!(told("GET", "/admin/accounts/1", "*/*", &session).await, absent);
    let no_page = (404, String::new(), "ROUTE_NOT_FOUND".to_owned());
    assert_eq!(told("GET", "/admin/overview", VISIT, "").await, no_page);
    for cookie in [session.as_str(), "ended", ""] {
        assert_eq!(told("GET", "/admin/nowhere", VISIT, cookie).await, no_page, "it looks as it does elsewhere");
    }
    let (status, html) = shown(&fixture.gateway, "/admin/accounts/1", &format!("operator_session={session}")).await;
    assert_eq!(status, 404);
    for words in ["<h1>Not found</h1>", "href=\"/admin/overview\"", "name the request", "ACCOUNT_NOT_FOUND"] {
        assert!(html.contains(words), "{words}: {html}");
    }
    assert_eq!(told("DELETE", "/api/admin/session", VISIT, &session).await.0, 200);
    assert_eq!(told("GET", "/admin/overview", VISIT, &session).await, led);
}
