//! How long a client is told to wait: what a provider asks for, where it is well formed and no longer than a minute.

use serde_json::json;
use tollgate_tests::TestGateway;
use tollgate_tests::reply::{Reply, completion};

#[tokio::test]
async fn the_providers_wait_is_bounded_and_well_formed() {
    let gateway = TestGateway::start().await;
    let error = json!({"error": {"message": "slow down"}});
    for (status, name, asked, told) in [
        (429, "retry-after", "7", "7"),
        (503, "retry-after", "9", "9"),
        (529, "retry-after", "9", "9"),
        (402, "retry-after", "9", "9"),
        (429, "retry-after", "3600", "60"),
        (429, "retry-after", "99999999999999999999", "60"),
        (429, "retry-after", "Fri, 31 Dec 9999 23:59:59 GMT", "60"),
        (429, "retry-after", "Mon, 01 Jan 2024 00:00:00 GMT", "1"),
        (429, "retry-after-ms", "1500", "2"),
        (429, "retry-after", "0", "1"),
        (429, "retry-after", "-5", "1"),
        (429, "retry-after", "1e9", "1"),
        (429, "retry-after", "tomorrow", "1"),
    ] {
        gateway.upstream.answer(Reply::json(status, &error).header(name, asked));
        let reply = gateway.hello().send().await.expect("an answer");
        assert_eq!(reply.status(), if status == 429 { 429 } else { 503 });
        assert_eq!(reply.headers()["retry-after"], told, "{name}: {asked}");
        assert_eq!(reply.headers().get("retry-after-ms"), None);
    }
}

#[tokio::test]
async fn what_is_not_to_be_repeated_names_no_wait() {
    let gateway = TestGateway::start().await;
    for answer in [Reply::json(400, &json!({"error": {}})), Reply::json(200, &completion("x", 1, 1))] {
        let answer = answer.header("retry-after", "7").header("retry-after-ms", "7000");
        gateway.upstream.answer(answer.header("connection", "x-odd").header("x-odd", "1").header("keep-alive", "7"));
        let reply = gateway.hello().send().await.expect("an answer");
        for name in ["retry-after", "retry-after-ms", "x-odd", "keep-alive"] {
            assert_eq!(reply.headers().get(name), None, "{name}");
        }
    }
}
