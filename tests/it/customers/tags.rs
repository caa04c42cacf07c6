//! Tags of requests in the console: on a receipt, in the search for receipts, and among the sums of usage.

use tollgate_base::{Clock, Day};
use tollgate_tests::{TestGateway, client};

use super::sessions::signed_in;
use crate::spec::answers;

#[tokio::test]
async fn tags_are_shown_and_searched_for_by_their_account_alone() {
    let gateway = TestGateway::start().await;
    let mut requests = Vec::new();
    for tags in ["team-search,nightly", "nightly", ""] {
        let reply = gateway.hello().header("x-tollgate-tags", tags).send().await.expect("an answer");
        requests.push(reply.headers()["x-request-id"].to_str().expect("text").to_owned());
        reply.bytes().await.expect("a body");
        gateway.receipt(requests.last().expect("one")).await;
    }
    let (own, stranger) = (signed_in(&gateway).await, answers::signed_in(&gateway).await);
    let shown = async |cookie: &str, path: &str| {
        let request = client().get(gateway.url(path)).header("cookie", cookie).header("accept", "text/html");
        let reply = request.send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{path}");
        reply.text().await.expect("a page")
    };
    let page = shown(&own, &format!("/console/receipts/{}", requests[0])).await;
    assert!(page.contains(">team-search, nightly</dd>"), "{page}");
    let page = shown(&own, &format!("/console/receipts/{}", requests[2])).await;
    assert!(!page.contains("id=\"tags\""), "{page}");
    for (tag, found) in [("team-search", [true, false, false]), ("nightly", [true, true, false]), ("night", [false; 3])]
    {
        let page = shown(&own, &format!("/console/receipts?tag={tag}")).await;
        let has = |request: &String| page.contains(&format!("/console/receipts/{request}"));
        assert_eq!(requests.iter().map(has).collect::<Vec<_>>(), found, "{tag}");
        assert!(page.contains(&format!("value=\"{tag}\"")), "the search stays typed");
    }
    let usage = shown(&own, "/console/usage").await;
    assert!(usage.contains("by=tag") && !usage.contains("(without a tag)"), "it is told where it is asked for");
    let usage = shown(&own, "/console/usage?by=tag").await;
    for told in ["By tag", ">team-search</th>", ">nightly</th>", "(without a tag)", "group_by=day%2Ctag"] {
        assert!(usage.contains(told), "{told}: {usage}");
    }
    let first = Day::of_ms(Clock::system().now_ms()).plus(-40);
    let wide = shown(&own, &format!("/console/usage?from={first}&by=tag")).await;
    assert!(wide.contains("By day") && wide.contains("Choose fewer days"), "by tags, fewer days are told");
    for path in ["/console/usage?by=tag", "/console/receipts?tag=nightly"] {
        let page = shown(&stranger, path).await;
        assert!(!page.contains("nightly</th>") && !requests.iter().any(|request| page.contains(request)), "{path}");
    }
}
