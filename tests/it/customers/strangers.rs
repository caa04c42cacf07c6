//! What belongs to another account is on no page, and is as if it had never been.

use serde_json::Value;
use tollgate_tests::{TestGateway, client};

use crate::spec::answers::signed_in;

/// Pages that list what an account has.
const LISTS: [&str; 7] = [
    "/console/overview",
    "/console/keys",
    "/console/receipts",
    "/console/usage",
    "/console/agents",
    "/console/organisation",
    "/console/settings",
];

#[tokio::test]
async fn no_page_has_what_is_another_s() {
    let gateway = TestGateway::start().await;
    let reply = gateway.hello().send().await.expect("an answer");
    let request = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.bytes().await.expect("a body");
    gateway.receipt(&request).await;
    let keys: Value = gateway.get("/api/user/self/keys").send().await.expect("an answer").json().await.expect("JSON");
    let key = &keys["data"][0];
    let (number, prefix) = (key["key_id"].to_string(), key["prefix"].as_str().expect("text").to_owned());
    let stranger = signed_in(&gateway).await;
    let shown = async |path: &str| {
        let reply = client().get(gateway.url(path)).header("cookie", &stranger).send().await.expect("an answer");
        (reply.status().as_u16(), reply.text().await.expect("a page"))
    };
    for path in LISTS {
        let (status, page) = shown(path).await;
        assert_eq!(status, 200, "{path}");
        for named in [&request, &number, &prefix] {
            assert!(!page.contains(named.as_str()), "{path} has {named}: {page}");
        }
    }
    // One that is another's is told as one that is nobody's, which the page after it is, too.
    for (theirs, nobodys, code) in [
        (format!("/console/keys/{number}"), "/console/keys/4503599627370497".to_owned(), "KEY_NOT_FOUND"),
        (format!("/console/receipts/{request}"), "/console/receipts/req_none".to_owned(), "RECEIPT_NOT_FOUND"),
    ] {
        for path in [theirs, nobodys] {
            let (status, told) = shown(&path).await;
            assert!(status == 404 && told.contains(code), "{path}: {status} {told}");
        }
    }
    for search in [format!("request={request}"), format!("after={request}"), format!("key_id={number}")] {
        let (status, page) = shown(&format!("/console/receipts?{search}")).await;
        assert!(status == 200 && !page.contains(&format!("/console/receipts/{request}")), "{search}: {page}");
    }
}
