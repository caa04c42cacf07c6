//! Too many requests at once: further ones are refused at once, in the shape of their path, and can be sent again.

use serde_json::Value;
use tollgate_tests::gateway::Options;
use tollgate_tests::reply::{DONE, Reply, Step, chat_stream};
use tollgate_tests::wait::until;
use tollgate_tests::{Gate, TestGateway, client};

async fn full(places: usize) -> TestGateway {
    let config = format!("[listener]\nrequests_in_flight = {places}");
    TestGateway::with(Options { config, ..Options::default() }).await
}

#[tokio::test]
async fn what_finds_no_place_is_refused_in_the_shape_of_its_path() {
    let gateway = full(1).await;
    let gate = Gate::default();
    gateway.upstream.answer(Reply::stream(chat_stream(&["a"], 1, 1)).step_at(1, Step::Wait(gate.clone())));
    let mut stream = gateway.hello_stream().send().await.expect("an answer");
    stream.chunk().await.expect("a read").expect("a piece");
    for (path, header, status, place, code) in [
        ("/v1/models", ("x", "x"), 503, "/error/code", "overloaded"),
        ("/v1/models", ("x-goog-api-key", "x"), 503, "/error/status", "UNAVAILABLE"),
        ("/v1/models", ("anthropic-version", "1"), 529, "/error/type", "overloaded_error"),
        ("/api/user/self/balance", ("x", "x"), 503, "/code", "OVERLOADED"),
    ] {
        let request = client().get(gateway.url(path)).header(header.0, header.1);
        let reply = request.send().await.expect("an answer");
        assert_eq!(reply.status(), status, "{path} {header:?}");
        for (name, value) in [("retry-after", "1"), ("x-should-retry", "true")] {
            assert_eq!(reply.headers()[name], value, "{path} {header:?}");
        }
        let body: Value = reply.json().await.expect("JSON");
        assert_eq!(body.pointer(place).and_then(Value::as_str), Some(code), "{path}: {body}");
    }
    // The service still tells about itself, and paths without an operation cost nothing.
    for (path, status) in [("/healthz", 200), ("/readyz", 200), ("/metrics", 200), ("/nothing", 404)] {
        assert_eq!(client().get(gateway.url(path)).send().await.expect("an answer").status(), status, "{path}");
    }
    gate.open();
    let mut rest = Vec::new();
    while let Some(piece) = stream.chunk().await.expect("not cut") {
        rest.extend_from_slice(&piece);
    }
    assert!(rest.ends_with(DONE.as_bytes()), "the stream that had the place was not disturbed");
    until("the place to be free", || async {
        (gateway.get("/v1/models").send().await.ok()?.status() == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_place_is_given_back_however_a_request_ends() {
    let gateway = full(1).await;
    for turn in 0..20 {
        // Whole answers, refusals, unread bodies.
        assert_eq!(gateway.hello().send().await.expect("an answer").status(), 200, "{turn}");
        assert_eq!(gateway.chat("{").send().await.expect("an answer").status(), 400, "{turn}");
        let head = client().head(gateway.url("/v1/models")).bearer_auth(&gateway.key);
        assert_eq!(head.send().await.expect("an answer").status(), 200, "{turn}");
    }
    // A client that goes away in the middle of a stream.
    let gate = Gate::default();
    gateway.upstream.answer(Reply::stream(chat_stream(&["a"], 1, 1)).step_at(1, Step::Wait(gate.clone())));
    let mut stream = gateway.hello_stream().send().await.expect("an answer");
    stream.chunk().await.expect("a read").expect("a piece");
    assert_eq!(gateway.get("/v1/models").send().await.expect("an answer").status(), 503);
    drop(stream);
    until("the place to be free", || async {
        (gateway.get("/v1/models").send().await.ok()?.status() == 200).then_some(())
    })
    .await;
    gate.open();
}
