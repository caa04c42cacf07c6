//! Streams: what is forwarded, what is held back, what is taken out again.

use serde_json::{Value, json};
use tollgate_tests::gateway::{amount, hello};
use tollgate_tests::reply::{DONE, Reply, Step, chat_stream, chunk, usage_chunk};
use tollgate_tests::{ReplyGate, TestGateway};

#[tokio::test]
async fn a_stream_arrives_as_it_is_made_and_ends_after_its_charge() {
    let gateway = TestGateway::start().await;
    let gate = ReplyGate::default();
    let events = chat_stream(&["hello", " there"], 9, 3);
    gateway.upstream.answer(Reply::stream(events.clone()).step_at(3, Step::Wait(gate.clone())));
    let events: Vec<String> = events.iter().map(|event| shown(event)).collect();
    let mut reply = gateway.hello_stream().send().await.expect("an answer");
    assert_eq!(reply.headers()["content-type"], "text/event-stream");
    assert_eq!(reply.headers()["cache-control"], "no-cache");
    let mut text = String::new();
    while text.len() < events[..3].concat().len() {
        text.push_str(std::str::from_utf8(&reply.chunk().await.expect("a read").expect("more")).expect("text"));
    }
    assert_eq!(text, events[..3].concat(), "the first pieces come while the provider still works");
    gate.open();
    while let Some(piece) = reply.chunk().await.expect("a read") {
        text.push_str(std::str::from_utf8(&piece).expect("text"));
    }
    // The usage was our question, so its chunk is not the client's.
    assert_eq!(text, [&events[..4].concat(), DONE].concat());
    let balance = gateway.balance().await;
    assert_eq!(amount(&balance["held_usd"]), "0", "what a client saw complete is in the ledger");
    gateway.assert_books().await;
}

/// What a provider sent, with the client's name of the model in the place of the provider's.
fn shown(sent: &str) -> String {
    sent.replace("upstream-model", "small")
}

#[tokio::test]
async fn the_usage_switch_is_written_where_the_client_left_room() {
    let gateway = TestGateway::start().await;
    gateway.upstream.answer(Reply::stream(chat_stream(&["x"], 1, 1)));
    let on = r#""stream_options":{"include_usage":true}"#;
    for (sent, expected, asked) in [
        (
            r#"{"model":"small","messages":[1],"stream":true}"#,
            format!(r#"{{{on},"model":"upstream-model","messages":[1],"stream":true}}"#),
            false,
        ),
        (
            r#"{"model":"small","messages":[1],"stream":true,"stream_options":null}"#,
            r#"{"model":"upstream-model","messages":[1],"stream":true,"stream_options":{"include_usage":true}}"#.into(),
            false,
        ),
        (
            r#"{"stream_options": { } ,"model":"small","messages":[1],"stream":true}"#,
            r#"{"stream_options": {"include_usage":true } ,"model":"upstream-model","messages":[1],"stream":true}"#
                .into(),
            false,
        ),
        (
            r#"{"stream_options":{"x":1},"model":"small","messages":[1],"stream":true}"#,
            r#"{"stream_options":{"include_usage":true,"x":1},"model":"upstream-model","messages":[1],"stream":true}"#
                .into(),
            false,
        ),
        (
            r#"{"stream_options":{"include_usage": false},"model":"small","messages":[1],"stream":true}"#,
            r#"{"stream_options":{"include_usage": true},"model":"upstream-model","messages":[1],"stream":true}"#
                .into(),
            false,
        ),
        (
            r#"{"stream_options":{"include_usage":null},"model":"small","messages":[1],"stream":true}"#,
            r#"{"stream_options":{"include_usage":true},"model":"upstream-model","messages":[1],"stream":true}"#.into(),
            false,
        ),
        (
            r#"{"stream_options":{"include_usage":true},"model":"small","messages":[1],"stream":true}"#,
            r#"{"stream_options":{"include_usage":true},"model":"upstream-model","messages":[1],"stream":true}"#.into(),
            true,
        ),
    ] {
        let text = gateway.chat(sent).send().await.expect("an answer").text().await.expect("a body");
        let received = gateway.upstream.take_received().remove(0).body;
        assert_eq!(String::from_utf8(received).expect("text"), expected, "for {sent}");
        assert_eq!(text.contains("\"usage\""), asked, "for {sent}");
        assert!(text.ends_with(DONE));
    }
}

#[tokio::test]
async fn a_failure_before_the_first_event_has_a_status() {
    let gateway = TestGateway::start().await;
    let error = "data: {\"error\":{\"message\":\"no\"}}\n\n".to_owned();
    for answer in [
        Reply::stream([error]),
        Reply::stream(Vec::<String>::new()),
        Reply::stream([DONE]),
        Reply::stream([": wait\n\n"]),
        Reply::stream(["data: <html>\n\n"]),
        Reply::stream(Vec::<String>::new()).then(Step::Cut),
        Reply::json(500, &json!({})),
    ] {
        let described = format!("{answer:?}");
        gateway.upstream.answer(answer);
        let reply = gateway.hello_stream().send().await.expect("an answer");
        assert_eq!(reply.status(), 502, "{described}");
        let body: Value = reply.json().await.expect("JSON, and no stream");
        assert_eq!(body["error"]["code"], "bad_gateway", "{described}");
    }
    assert_eq!(amount(&gateway.balance().await["available_usd"]), "10");
}

#[tokio::test]
async fn a_stream_that_breaks_off_ends_with_an_error_and_without_done() {
    let gateway = TestGateway::start().await;
    let words = [chunk(&json!({"content": "hello"}), None)];
    for answer in [Reply::stream(words.clone()).then(Step::Cut), Reply::stream(words)] {
        gateway.upstream.answer(answer);
        let text = gateway.hello_stream().send().await.expect("an answer").text().await.expect("a body");
        assert!(!text.contains("[DONE]"), "{text}");
        let last = text.trim_end().rsplit("data: ").next().expect("an event");
        let error: Value = serde_json::from_str(last).expect("JSON");
        assert_eq!(error["error"]["code"], "upstream_broke_off");
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_stream_that_only_forgets_its_end_is_complete() {
    let gateway = TestGateway::start().await;
    let events = [chunk(&json!({"content": "x"}), None), chunk(&json!({}), Some("stop")), usage_chunk(5, 1)];
    gateway.upstream.answer(Reply::stream(events.clone()));
    let reply = gateway.chat(hello(true).to_string()).send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    assert_eq!(reply.text().await.expect("a body"), shown(&events[..2].concat()));
    assert_eq!(gateway.receipt(&request_id).await["rule"], "reported");
}

/// The receipt tells how long the provider took to begin and to end, seen from the request's arrival.
#[tokio::test]
async fn the_receipt_of_a_stream_tells_its_times() {
    let gateway = TestGateway::start().await;
    let gate = ReplyGate::default();
    let events = chat_stream(&["a"], 2, 2);
    gateway.upstream.answer(Reply::stream(events).step_at(2, Step::Wait(gate.clone())));
    let mut reply = gateway.hello_stream().send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.chunk().await.expect("a read").expect("a piece");
    // The time between the first piece and the end is what is measured.
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    gate.open();
    reply.text().await.expect("the rest");
    let receipt = gateway.receipt(&request_id).await;
    let ms = |name: &str| receipt[name].as_u64().unwrap_or_else(|| panic!("no {name}: {receipt}"));
    assert!(ms("first_byte_ms") + 200 <= ms("duration_ms"), "{receipt}");
}
