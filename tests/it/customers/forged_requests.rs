//! No page of anybody else changes anything by a customer's session, and no address of the console leads elsewhere.

use reqwest::Method;
use serde_json::Value;
use tollgate_tests::client;
use tollgate_tests::{TestGateway, gateway::Options};

use super::sessions::signed_in;
use crate::operators::forged_requests::{ADDRESSES, EVIL, PARAMETERS, path};
use crate::spec::conformance::document;

/// Fewer would mean that operations were lost.
const OPERATIONS_MIN: usize = 10;

#[tokio::test]
async fn no_operation_is_done_for_a_page_that_is_not_ours() {
    let gateway = TestGateway::start().await;
    let (session, own, csrf) = (signed_in(&gateway).await, gateway.url(""), ("x-tollgate-csrf", "1"));
    let forged: [&[(&str, &str)]; 8] = [
        &[],
        &[csrf],
        &[("origin", &own)],
        &[("origin", &own), ("x-tollgate-csrf", "")],
        &[csrf, ("origin", EVIL)],
        &[csrf, ("origin", "null")],
        &[csrf, ("sec-fetch-site", "cross-site")],
        &[csrf, ("origin", &own), ("sec-fetch-site", "same-site")],
    ];
    let (document, mut asked) = (document(), 0);
    let by_session =
        document.operations.iter().filter(|(_, operation)| operation.auth.iter().any(|it| it == "session"));
    for (id, operation) in by_session.filter(|(_, operation)| operation.routes[0].method != "GET") {
        asked += 1;
        for headers in forged {
            let method: Method = operation.routes[0].method.parse().expect("a method");
            let request = client().request(method, gateway.url(&path(operation))).header("cookie", &session);
            let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
            let request = request.header("content-type", "application/json").body("{}");
            let reply = request.send().await.expect("an answer");
            let told: Value = reply.json().await.expect("JSON");
            assert_eq!(told["code"], "ORIGIN_REFUSED", "{id} with {headers:?}");
        }
    }
    assert!(asked >= OPERATIONS_MIN, "{asked} operations");
    let list = client().get(gateway.url("/api/user/self/sessions")).header("cookie", &session);
    assert_eq!(list.send().await.expect("an answer").status(), 200, "the session is there as before");
}

#[tokio::test]
async fn no_address_of_the_console_leads_elsewhere() {
    let gateway = TestGateway::with(Options::default()).await;
    let session = signed_in(&gateway).await;
    let mut paths: Vec<String> = PATHS.map(str::to_owned).to_vec();
    for (_, operation) in document().operations.iter().filter(|(id, _)| id.starts_with("console.")) {
        let mut query = reqwest::Url::parse("http://query/").expect("an address");
        for parameter in PARAMETERS {
            for address in ADDRESSES {
                query.query_pairs_mut().clear().append_pair(parameter, address);
                paths.push(format!("{}?{}", path(operation), query.query().expect("a query")));
            }
        }
    }
    let alone = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    for cookie in [session.as_str(), "session=ended", ""] {
        for path in &paths {
            let request = alone.get(gateway.url(path)).header("accept", "text/html").header("cookie", cookie);
            let reply = request.send().await.expect("an answer");
            let to = reply.headers().get("location").map(|to| to.to_str().expect("text").to_owned());
            assert!(to.as_deref().is_none_or(|to| to == "/console/sign-in"), "{path}: {to:?}");
            assert_eq!(reply.status().is_redirection(), to.is_some(), "{path}");
            assert!(!format!("{:?}", reply.headers()).contains("evil"), "{path}: {:?}", reply.headers());
        }
    }
}

/// Paths that a careless router makes an address of.
const PATHS: [&str; 7] = [
    "//evil.example/console",
    "/console//evil.example",
    "/console/%2f%2fevil.example",
    "/console/..//evil.example",
    "/console/%5cevil.example",
    "/console/sign-in/%0d%0aLocation:%20%2f%2fevil.example",
    "/console/;@evil.example",
];
