//! The headers of all that the console of an account answers, and where it leads whoever is not signed in.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::Value;
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, client};

use super::sessions::signed_in;
use crate::operators::page_headers::{VISIT, assert_headers, shown};
use crate::spec::conformance::document;

/// The pages by operation, with what their paths name.
async fn paths(gateway: &TestGateway) -> BTreeMap<String, Vec<String>> {
    let reply = gateway.hello().send().await.expect("an answer");
    let request = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.bytes().await.expect("a body");
    gateway.receipt(&request).await;
    let keys: Value = gateway.get("/api/user/self/keys").send().await.expect("an answer").json().await.expect("JSON");
    let values = BTreeMap::from([
        ("key_id", vec![keys["data"][0]["key_id"].to_string()]),
        ("request_id", vec![request]),
        (
            "file",
            ["console.css", "account.css", "console.js", "topup.js", "oidc.js", "playground.js"]
                .map(str::to_owned)
                .to_vec(),
        ),
        ("provider", vec!["company".to_owned()]),
    ]);
    let document = document();
    let pages = document.operations.iter().filter(|(id, _)| id.starts_with("console."));
    let pages = pages.map(|(id, operation)| {
        let filled = operation.routes.iter().flat_map(|route| match operation.path.keys().next() {
            None => vec![route.path.clone()],
            Some(name) => {
                let given = values.get(name.as_str()).unwrap_or_else(|| panic!("{id}: say what {name} is there"));
                given.iter().map(|value| route.path.replace(&format!("{{{name}}}"), value)).collect()
            }
        });
        (id.clone(), filled.collect())
    });
    pages.collect()
}

#[tokio::test]
async fn pages_are_kept_by_nobody_framed_by_nobody_and_tell_nobody_where_they_were() {
    // Nobody signs in by it here.
    let config = "[[oidc]]\nname = \"company\"\nissuer = \"http://127.0.0.1:9\"\nclient_id = \"x\"\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let session = signed_in(&gateway).await;
    let (mut shown, pages) = (BTreeSet::new(), paths(&gateway).await);
    for (id, paths) in &pages {
        for cookie in [session.as_str(), "session=ended", ""] {
            for path in paths {
                let request = client().get(gateway.url(path)).header("cookie", cookie);
                let reply = request.header("accept", "text/html").send().await.expect("an answer");
                assert_headers(path, &reply);
                if reply.status() == 200 {
                    shown.insert(id.clone());
                }
            }
        }
    }
    assert_eq!(shown, pages.into_keys().collect());
}

#[tokio::test]
async fn who_is_not_signed_in_is_led_to_the_page_where_people_sign_in() {
    let gateway = TestGateway::start().await;
    let alone = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let told = async |path: &str, accept: &str, cookie: &str| {
        let request = alone.get(gateway.url(path)).header("cookie", cookie).header("accept", accept);
        let reply = request.send().await.expect("an answer");
        let to = reply.headers().get("location").map(|to| to.to_str().expect("text").to_owned());
        let status = reply.status().as_u16();
        let body: Value = serde_json::from_slice(&reply.bytes().await.expect("a body")).unwrap_or_default();
        (status, to.unwrap_or_default(), body["code"].as_str().unwrap_or_default().to_owned())
    };
    let led = (303, "/console/sign-in".to_owned(), String::new());
    let refused = |code: &str| (401, String::new(), code.to_owned());
    let (document, mut pages) = (document(), 0);
    for (id, operation) in document.operations.iter().filter(|(id, _)| id.starts_with("console.")) {
        if operation.auth.is_empty() {
            continue;
        }
        assert_eq!(operation.auth, ["session"], "{id}");
        let path = operation.routes[0].path.replace("{key_id}", "1").replace("{request_id}", "1");
        for (cookie, code) in [("session=ended", "SESSION_INVALID"), ("", "KEY_MISSING")] {
            assert_eq!(told(&path, VISIT, cookie).await, led, "{id}");
            assert_eq!(told(&path, "application/json", cookie).await, refused(code), "{id}");
        }
        pages += 1;
    }
    assert!(pages >= 11, "{pages} pages");
    // An operation of the API leads nowhere.
    assert_eq!(told("/api/user/self/sessions", VISIT, "").await, refused("KEY_MISSING"));
}

#[tokio::test]
async fn what_cannot_be_shown_is_told_by_a_page_to_people_and_as_json_to_programs() {
    let gateway = TestGateway::start().await;
    let session = signed_in(&gateway).await;
    for (path, status, code, title, why) in [
        ("/sign-in/nobody", 404, "ROUTE_NOT_FOUND", "Not found", "There is no page at this address."),
        (
            "/console/receipts/none",
            404,
            "RECEIPT_NOT_FOUND",
            "Not found",
            "This account has no receipt for the request",
        ),
        ("/console/receipts/%3Cb%3Emarked", 404, "RECEIPT_NOT_FOUND", "Not found", "&#60;b&#62;marked"),
        ("/console/keys/999999", 404, "KEY_NOT_FOUND", "Not found", "999999"),
        ("/console/keys/none", 400, "BAD_PARAMETER", "This cannot be shown", "key_id"),
        ("/console/nowhere", 404, "ROUTE_NOT_FOUND", "Not found", "There is no page at this address."),
    ] {
        let (shown_status, html) = shown(&gateway, path, &session).await;
        assert_eq!(shown_status, status, "{path}");
        for words in [&format!("<h1>{title}</h1>"), why, "href=\"/console/overview\""] {
            assert!(html.contains(words), "{path}, {words}: {html}");
        }
        assert!(!html.contains("<b>marked"), "{html}");
        let request = client().get(gateway.url(path)).header("cookie", &session).header("accept", "application/json");
        let reply = request.send().await.expect("an answer");
        let told = (reply.status().as_u16(), reply.json::<Value>().await.expect("JSON")["code"].clone());
        assert_eq!(told, (status, code.into()), "{path}");
    }
}

/// Whoever asks for the head alone gets what is told of the page, over either HTTP.
#[tokio::test]
async fn the_head_of_a_page_is_that_of_the_page() {
    let gateway = TestGateway::start().await;
    let session = signed_in(&gateway).await;
    let builder = || reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    for client in [builder().http1_only(), builder().http2_prior_knowledge()].map(|of| of.build().expect("a client")) {
        for (path, cookie, status) in [
            ("/console/overview", session.as_str(), 200),
            ("/console/receipts/none", &session, 404),
            ("/console/nowhere", &session, 404),
            ("/console/overview", "session=ended", 303),
        ] {
            let mut told = Vec::new();
            for method in [Method::GET, Method::HEAD] {
                let request = client.request(method.clone(), gateway.url(path)).header("cookie", cookie);
                let reply = request.header("accept", VISIT).send().await.expect("an answer");
                let kind = reply.headers().get("content-type").cloned();
                let (version, is_right) = (reply.version(), reply.status().as_u16() == status);
                let length =
                    reply.headers().get("content-length").map(|length| length.to_str().expect("text").to_owned());
                let body = reply.bytes().await.expect("a whole answer");
                assert!(is_right && (method == Method::GET || body.is_empty()), "{version:?} {method} {path}");
                told.push((kind, length.filter(|length| length != "0")));
            }
            assert_eq!(told[0], told[1], "{path}");
        }
    }
}

/// A key shows no page: whoever has it alone is no person in a browser.
#[tokio::test]
async fn a_key_opens_no_page() {
    let gateway = TestGateway::start().await;
    let reply = gateway.get("/console/overview").send().await.expect("an answer");
    assert_eq!(reply.status(), 401);
}
