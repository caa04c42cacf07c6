//! No page of anybody else changes anything by an operator's session, whichever operation it asks, and no address of the console
//! sends a browser away.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::Value;
use tollgate_accounts::operators::OperatorRole;
use tollgate_spec_generator::client_model::ApiOperation;
use tollgate_tests::client;

use super::signing_in::Fixture;
use crate::spec::conformance::document;

/// Fewer would mean that operations were lost.
const OPERATIONS_MIN: usize = 35;
/// A number that nothing has.
const NOTHING: &str = "4503599627370497";
pub(crate) const EVIL: &str = "https://evil.example";

/// Operations that are asked without a session, and begin one or lead to it.
const WITHOUT_SESSION: [&str; 3] = ["admin_session.accept", "admin_session.login", "admin_session.offer"];
/// Those of them that begin one.
const BEGINNING: [&str; 2] = ["admin_session.accept", "admin_session.login"];

/// A path of an operation, about what is not there.
pub(crate) fn path(operation: &ApiOperation) -> String {
    let steps = operation.routes[0].path.split('/').map(|step| if step.starts_with('{') { NOTHING } else { step });
    steps.collect::<Vec<_>>().join("/")
}

fn is_of_operators(operation: &ApiOperation) -> bool {
    operation.routes.iter().any(|route| route.path.starts_with("/admin") || route.path.starts_with("/api/admin"))
}

impl Fixture {
    /// The status and the code of an operation that is asked with these headers.
    async fn told(&self, operation: &ApiOperation, headers: &[(&str, &str)]) -> (u16, String) {
        let route = &operation.routes[0];
        let method: Method = route.method.parse().expect("a method");
        let mut request = client().request(method, self.gateway.url(&path(operation)));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if operation.body.is_some() {
            request = request.header("content-type", "application/json").body("{}");
        }
        let reply = request.send().await.expect("an answer");
        let status = reply.status().as_u16();
        let body: Value = serde_json::from_slice(&reply.bytes().await.expect("a body")).unwrap_or_default();
        (status, body["code"].as_str().unwrap_or_default().to_owned())
    }

    /// The lines of the log of changes.
    async fn lines(&self, session: &str) -> Value {
        let request = client().get(self.gateway.url("/api/admin/changes"));
        let reply = request.header("cookie", session).send().await.expect("an answer");
        reply.json::<Value>().await.expect("JSON")["data"]["changes"].clone()
    }
}

#[tokio::test]
async fn no_operation_is_done_for_a_page_that_is_not_ours() {
    let fixture = Fixture::start().await;
    let (_, session) = fixture.enrolled("root", OperatorRole::Owner).await;
    let (cookie, own) = (format!("operator_session={session}"), fixture.gateway.url(""));
    let csrf = ("x-tollgate-csrf", "1");
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
    let before = fixture.lines(&cookie).await;
    let (document, mut asked, mut wrong) = (document(), 0, Vec::new());
    let mut public = BTreeSet::new();
    for (id, operation) in document.operations.iter().filter(|(_, operation)| is_of_operators(operation)) {
        if operation.routes.iter().all(|route| route.method == "GET") {
            continue;
        }
        asked += 1;
        if operation.auth.is_empty() {
            public.insert(id.as_str());
            continue;
        }
        assert!(operation.auth.iter().any(|scheme| scheme == "operator_session"), "{id}: say who calls it");
        for headers in forged {
            let told = fixture.told(operation, &[&[("cookie", cookie.as_str())], headers].concat()).await;
            if told != (403, "ORIGIN_REFUSED".to_owned()) {
                wrong.push(format!("{id} with {headers:?}: {told:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked >= OPERATIONS_MIN, "{asked} operations");
    assert_eq!(public, BTreeSet::from(WITHOUT_SESSION));
    assert_eq!(fixture.lines(&cookie).await, before);
    // From our own page each is refused at most for what it asks.
    for (id, operation) in document.operations.iter().filter(|(_, operation)| is_of_operators(operation)) {
        // Events go on for a minute.
        if operation.auth.is_empty() || id == "admin_session.logout" || id == "admin_console.live" {
            continue;
        }
        let told = fixture.told(operation, &[("cookie", cookie.as_str()), csrf, ("origin", &own)]).await;
        assert!(told.1 != "ORIGIN_REFUSED" && told.0 != 401, "{id}: {told:?}");
    }
    for id in BEGINNING {
        for headers in [[("origin", EVIL)], [("origin", "null")], [("sec-fetch-site", "cross-site")]] {
            let told = fixture.told(&document.operations[id], &headers).await;
            assert_eq!(told, (403, "ORIGIN_REFUSED".to_owned()), "{id} with {headers:?}");
        }
    }
}

/// Parameters by which pages elsewhere are told where to go on, and addresses of somebody else as they are written there.
pub(crate) const PARAMETERS: [&str; 10] =
    ["next", "return", "return_to", "redirect", "redirect_uri", "url", "to", "continue", "then", "after"];
pub(crate) const ADDRESSES: [&str; 9] = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "/%09/evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "x\r\nLocation: //evil.example\r\nSet-Cookie: operator_session=evil",
    "/admin/overview@evil.example",
];
/// Paths that a careless router makes an address of.
const PATHS: [&str; 10] = [
    "//evil.example/admin",
    "/admin//evil.example",
    "/admin/%2f%2fevil.example",
    "/admin/..//evil.example",
    "/admin/%5cevil.example",
    "/admin/\\evil.example",
    "/admin/sign-in/%0d%0aLocation:%20%2f%2fevil.example",
    "/admin%0d%0aSet-Cookie:%20operator_session=evil",
    "/admin/;@evil.example",
    "/admin/overview/",
];

#[tokio::test]
async fn no_address_of_the_console_leads_elsewhere() {
    let fixture = Fixture::start().await;
    let (_, session) = fixture.enrolled("root", OperatorRole::Owner).await;
    let mut paths: Vec<String> = PATHS.map(str::to_owned).to_vec();
    for (_, operation) in document().operations.iter().filter(|(id, _)| id.starts_with("admin_console.")) {
        let mut query = reqwest::Url::parse("http://query/").expect("an address");
        for parameter in PARAMETERS {
            for address in ADDRESSES {
                query.query_pairs_mut().clear().append_pair(parameter, address);
                paths.push(format!("{}?{}", path(operation), query.query().expect("a query")));
            }
        }
    }
    let alone = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    // With the session, with one that has ended, and with none.
    for cookie in [session.as_str(), "ended", ""] {
        for path in &paths {
            let request = alone.get(fixture.gateway.url(path)).header("accept", "text/html");
            let reply = request.header("cookie", format!("operator_session={cookie}")).send().await.expect("an answer");
            let to = reply.headers().get("location").map(|to| to.to_str().expect("text").to_owned());
            assert!(to.as_deref().is_none_or(|to| to == SIGN_IN), "{path}: {to:?}");
            assert_eq!(reply.status().is_redirection(), to.is_some(), "{path}");
            assert!(!format!("{:?}", reply.headers()).contains("evil"), "{path}: {:?}", reply.headers());
        }
    }
}

/// The one page that others lead to.
const SIGN_IN: &str = "/admin/sign-in";
