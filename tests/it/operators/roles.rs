//! The matrix of operations and roles, cell by cell, as the spec declares it, on both addresses.

use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use tollgate_accounts::operators::OperatorRole;
use tollgate_spec_generator::client_model::{ApiDocument, ApiOperation};
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, client};

use super::page_headers::VISIT;
use crate::spec::conformance::document;

/// A number that nothing has.
const NOTHING: &str = "4503599627370497";
/// Fewer would mean that operations were lost.
const CELLS_MIN: usize = 100;

/// A caller, and the key that it shows.
struct Caller {
    name: &'static str,
    key: Option<String>,
}

/// One of each role, and those who have none.
async fn callers(gateway: &TestGateway) -> Vec<Caller> {
    let operators = &gateway.service().operators;
    let mut callers = Vec::new();
    for role in OperatorRole::ALL {
        let created = operators.create_key(&format!("the {role}"), *role, None, "test").await.expect("a key");
        callers.push(Caller { name: role.as_str(), key: Some(created.secret.reveal().to_owned()) });
    }
    callers.push(Caller { name: "nobody", key: None });
    callers.push(Caller { name: "an account", key: Some(gateway.key.clone()) });
    callers
}

fn operations(document: &ApiDocument) -> impl Iterator<Item = (&str, &ApiOperation)> {
    let routed = document.operations.iter().filter(|(_, operation)| !operation.roles.is_empty());
    routed.map(|(id, operation)| (id.as_str(), operation))
}

/// A request about nothing, which changes nothing where it is let in.
fn request(base: &str, operation: &ApiOperation, caller: &Caller) -> RequestBuilder {
    let route = &operation.routes[0];
    let path: Vec<&str> =
        route.path.split('/').map(|step| if step.starts_with('{') { NOTHING } else { step }).collect();
    let method: Method = route.method.parse().expect("a method");
    let request = client().request(method, format!("{base}{}", path.join("/")));
    match &caller.key {
        Some(key) => request.bearer_auth(key),
        None => request,
    }
}

async fn told(request: RequestBuilder) -> (u16, Value) {
    let reply = request.send().await.expect("an answer");
    (reply.status().as_u16(), serde_json::from_slice(&reply.bytes().await.expect("a body")).unwrap_or_default())
}

/// The error where the cell is not as the spec says.
async fn wrong(base: &str, operation: &ApiOperation, caller: &Caller, served: bool) -> Option<String> {
    let (status, body) = told(request(base, operation, caller)).await;
    let (code, with) = (body["code"].as_str().unwrap_or_default(), &body["data"]);
    let is_role = OperatorRole::ALL.iter().any(|role| role.as_str() == caller.name);
    let fits = match operation.roles.iter().any(|role| role == caller.name) {
        _ if !served || !is_role => (status, code) == (404, "ROUTE_NOT_FOUND"),
        true => !["ROUTE_NOT_FOUND", "OPERATOR_ROLE", "KEY_INVALID"].contains(&code) && status < 500,
        false => (status, code) == (403, "OPERATOR_ROLE") && with["roles"] == operation.roles.join(", "),
    };
    (!fits).then(|| format!("{status} {body}"))
}

async fn hold(gateway: &TestGateway, base: &str, served: bool) {
    let document = document();
    let (mut cells, mut found) = (0, Vec::new());
    for caller in callers(gateway).await {
        for (id, operation) in operations(&document) {
            cells += 1;
            let wrong = wrong(base, operation, &caller, served).await;
            found.extend(wrong.map(|wrong| format!("{id} by {}: {wrong}", caller.name)));
        }
    }
    assert!(found.is_empty(), "{} of {cells} cells at {base}:\n{}", found.len(), found.join("\n"));
    assert!(cells >= CELLS_MIN, "{cells} cells");
}

#[tokio::test]
async fn every_cell_is_as_the_spec_says() {
    let gateway = TestGateway::start().await;
    hold(&gateway, &gateway.url(""), true).await;
}

#[tokio::test]
async fn operators_have_an_address_of_their_own_and_nobody_else_has_it() {
    let config = "[admin]\nlisten = \"127.0.0.1:0\"\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let own = gateway.operator_url("").expect("an address of their own");
    let document = document();
    let (id, operation) = operations(&document).next().expect("an operation");
    for caller in callers(&gateway).await {
        assert_eq!(wrong(&gateway.url(""), operation, &caller, false).await, None, "{id} where everybody is");
    }
    // What is not of operators is not there, but for the service's own health.
    for (path, status) in [("/v1/models", 404), ("/api/user/self/balance", 404), ("/healthz", 200), ("/readyz", 200)] {
        let reply = client().get(format!("{own}{path}")).bearer_auth(&gateway.key).send().await.expect("an answer");
        assert_eq!(reply.status().as_u16(), status, "{path}");
    }
    // Nor are the pages of customers.
    let reply =
        client().get(format!("{own}/console/overview")).header("accept", VISIT).send().await.expect("an answer");
    assert_eq!(reply.headers()["content-type"], "application/json");
    let second = TestGateway::with(Options {
        config: "[admin]\nlisten = \"127.0.0.1:0\"\npublic = true\n".to_owned(),
        ..Options::default()
    })
    .await;
    hold(&second, &second.operator_url("").expect("an address of their own"), true).await;
    let mut callers = callers_again(&second).await;
    let owner = callers.remove(0);
    assert_eq!(wrong(&second.url(""), operation, &owner, true).await, None, "both where it is written");
}

/// One more of each role, where the first ones are made.
async fn callers_again(gateway: &TestGateway) -> Vec<Caller> {
    let operators = &gateway.service().operators;
    let created = operators.create_key("another owner", OperatorRole::Owner, None, "test").await.expect("a key");
    vec![Caller { name: "owner", key: Some(created.secret.reveal().to_owned()) }]
}

/// A path of operators tells nothing to strangers: not by its body, its headers or another method.
#[tokio::test]
async fn a_hidden_path_is_like_one_that_does_not_exist() {
    let gateway = TestGateway::start().await;
    for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::HEAD] {
        for (paths, accept) in [
            (["/api/admin/accounts", "/api/admin/nothing0"], "*/*"),
            (["/admin/overview", "/admin/nothing0"], "*/*"),
            (["/admin/overview", "/admin/nothing0"], VISIT),
        ] {
            let mut seen = Vec::new();
            for path in paths {
                let request = client().request(method.clone(), gateway.url(path)).header("accept", accept);
                let reply = request.send().await.expect("an answer");
                let headers: Vec<String> = reply.headers().keys().map(ToString::to_string).collect();
                let status = reply.status();
                let body = reply.text().await.expect("a body").replace(path, "PATH");
                let body = body.split("\"request_id\"").next().unwrap_or_default().to_owned();
                seen.push((status, headers, body));
            }
            assert_eq!(seen[0], seen[1], "{method} {accept}");
        }
    }
}
