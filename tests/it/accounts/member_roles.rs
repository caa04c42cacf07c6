//! The matrix of operations and roles of members, cell by cell, as the spec declares it.

use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use tollgate_api::generated::types::MemberRole;
use tollgate_spec_generator::client_model::ApiOperation;
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, client};

use crate::spec::answers::another_member;
use crate::spec::conformance::document;

/// A number that nothing has.
const NOTHING: &str = "4503599627370497";
/// Fewer would mean that operations were lost.
const CELLS_MIN: usize = 150;
/// Operations after which the session of the caller is over or acts for another account.
const ENDING: [&str; 3] = ["sessions.logout", "members.leave", "organisations.create"];

/// A request about nothing, which changes nothing where it is let in.
fn request(gateway: &TestGateway, operation: &ApiOperation, cookie: &str) -> RequestBuilder {
    let route = &operation.routes[0];
    let path: Vec<&str> =
        route.path.split('/').map(|step| if step.starts_with('{') { NOTHING } else { step }).collect();
    let method: Method = route.method.parse().expect("a method");
    let request = client().request(method, gateway.url(&path.join("/"))).header("cookie", cookie);
    request.header("origin", gateway.url("")).header("x-tollgate-csrf", "1")
}

/// The error where the cell is not as the spec says.
async fn wrong(request: RequestBuilder, operation: &ApiOperation, role: &str) -> Option<String> {
    let reply = request.send().await.expect("an answer");
    let status = reply.status().as_u16();
    let body: Value = serde_json::from_slice(&reply.bytes().await.expect("a body")).unwrap_or_default();
    let (code, told) = (body["code"].as_str().unwrap_or_default(), &body["data"]["roles"]);
    let fits = if operation.members.iter().any(|member| member == role) {
        !["MEMBER_ROLE", "SESSION_INVALID", "KEY_MISSING"].contains(&code) && status < 500
    } else {
        (status, code) == (403, "MEMBER_ROLE") && *told == operation.members.join(", ")
    };
    (!fits).then(|| format!("{status} {body}"))
}

#[tokio::test]
async fn every_cell_is_as_the_spec_says() {
    let gateway = TestGateway::with(Options::default()).await;
    let (document, mut cells, mut found) = (document(), 0, Vec::new());
    for role in MemberRole::ALL {
        let (cookie, _) = another_member(&gateway, *role).await;
        for (id, operation) in document.operations.iter().filter(|(_, operation)| !operation.members.is_empty()) {
            cells += 1;
            let own =
                if ENDING.contains(&id.as_str()) { another_member(&gateway, *role).await.0 } else { cookie.clone() };
            let wrong = wrong(request(&gateway, operation, &own), operation, role.as_str()).await;
            found.extend(wrong.map(|wrong| format!("{id} by {}: {wrong}", role.as_str())));
        }
    }
    assert!(found.is_empty(), "{} of {cells} cells:\n{}", found.len(), found.join("\n"));
    assert!(cells >= CELLS_MIN, "{cells} cells");
}

/// Every operation that a session may call names its roles, so that none is open to everybody by silence.
#[test]
fn every_operation_of_a_session_names_roles() {
    for (id, operation) in &document().operations {
        let by_session = operation.auth.iter().any(|scheme| scheme == "session");
        assert_eq!(!operation.members.is_empty(), by_session, "{id}");
    }
}
