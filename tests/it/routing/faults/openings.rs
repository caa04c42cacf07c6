//! A provider that dies when it has opened its answer and said nothing: a role, `response.created`, `message_start`, an empty
//! candidate. The next one answers, and the client sees one stream, whatever the two speak.

use serde_json::{Value, json};
use tollgate_tests::formats::{TEXT, answer};
use tollgate_tests::gateway::{amount, client};
use tollgate_tests::reply::{Reply, Step, chunk};
use tollgate_tests::upstream::Received;
use tollgate_tests::{ReplyGate, Upstream};

use super::{FORMATS, Faults, NEVER_RESTS, id};

/// What a format opens an answer with; its last event is the most that is no piece of it.
fn opening(format: &str) -> Vec<String> {
    let named = |event: Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a type"));
    match format {
        "chat" => vec![": wait\n\n".to_owned(), chunk(&json!({"role": "assistant", "content": ""}), None)],
        "messages" => {
            let message = json!({
                "id": "msg_dead", "type": "message", "role": "assistant", "model": "up", "content": [],
                "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 9, "output_tokens": 1},
            });
            vec![named(json!({"type": "message_start", "message": message})), named(json!({"type": "ping"}))]
        }
        "responses" => {
            let response = json!({
                "id": "resp_dead", "object": "response", "created_at": 7, "status": "in_progress", "error": null,
                "model": "up", "output": [], "usage": null,
            });
            ["response.created", "response.in_progress"]
                .iter()
                .enumerate()
                .map(|(number, kind)| named(json!({"type": kind, "sequence_number": number, "response": response})))
                .collect()
        }
        _ => {
            let candidate = json!({"content": {"role": "model", "parts": [{"text": ""}]}, "index": 0});
            vec![format!(
                "data: {}\n\n",
                json!({"candidates": [candidate], "modelVersion": "up", "responseId": "dead"})
            )]
        }
    }
}

/// An error within a stream, as each format has it.
fn error(format: &str) -> String {
    match format {
        "messages" => {
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"no\"}}\n\n"
        }
        "responses" => {
            "event: error\ndata: {\"type\":\"error\",\"code\":\"x\",\"message\":\"no\",\"sequence_number\":2}\n\n"
        }
        _ => "data: {\"error\":{\"code\":500,\"message\":\"no\",\"status\":\"INTERNAL\"}}\n\n",
    }
    .to_owned()
}

/// How a provider dies behind its opening, and what that is called.
fn deaths(format: &str) -> [(&'static str, Reply); 4] {
    let opened = || Reply::stream(opening(format));
    let torn = || opened().then(Step::Send(b"data: {\"choi".to_vec()));
    [
        ("cut", opened().then(Step::Cut)),
        ("closed", opened()),
        ("torn", torn().then(Step::Cut)),
        ("an error", opened().then(Step::Send(error(format).into_bytes())).then(Step::Cut)),
    ]
}

/// One whole stream of a client's format, from a provider that said three words.
fn assert_clean(format: &str, stream: &str, what: &str) {
    let (first, last) = match format {
        "chat" => ("\"role\":\"assistant\"", "[DONE]"),
        "messages" => ("event: message_start", "event: message_stop"),
        "responses" => ("event: response.created", "event: response.completed"),
        _ => ("\"text\":\"hell", "\"finishReason\":\"STOP\""),
    };
    assert_eq!((stream.matches(first).count(), stream.matches(last).count()), (1, 1), "{what}: {stream}");
    assert!(!stream.contains("dead") && !stream.contains("rror\":{"), "{what}: {stream}");
    assert_eq!(said(format, stream), TEXT, "{what}: {stream}");
}

/// What the pieces of a stream say together.
fn said(format: &str, stream: &str) -> String {
    let place = match format {
        "chat" => "/choices/0/delta/content",
        "messages" => "/delta/text",
        "responses" => "/delta",
        _ => "/candidates/0/content/parts/0/text",
    };
    let data = stream.lines().filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok());
    data.filter_map(|event| Some(event.pointer(place)?.as_str()?.to_owned())).collect()
}

/// Provider and client in each format.
fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    FORMATS.into_iter().flat_map(|provider| FORMATS.map(|speaks| (provider, speaks)))
}

#[tokio::test]
async fn streams_that_die_when_they_have_opened_are_had_elsewhere() {
    let bad = Upstream::start().await;
    let faults = Faults::start(&bad.base_url(), NEVER_RESTS).await;
    for (provider, speaks) in pairs() {
        for (death, reply) in deaths(provider) {
            let what = format!("{provider} for {speaks}: {death}");
            bad.answer(reply);
            let reply = faults.ask(speaks, &format!("pair-{provider}"), true).await;
            let (status, request) = (reply.status(), id(&reply));
            let stream = reply.text().await.expect("a body");
            assert_eq!(status, 200, "{what}: {stream}");
            assert_clean(speaks, &stream, &what);
            let receipt = faults.gateway.receipt(&request).await;
            let told = ["upstream", "rule"].map(|name| receipt[name].as_str().expect("text").to_owned());
            assert_eq!(told, [format!("good-{provider}"), "reported".to_owned()], "{what}");
            assert_eq!(amount(&receipt["charged_usd"]), "0.000012", "{what}: the dead one costs nothing");
            // Without another one there is a status that says so.
            let alone = faults.ask(speaks, &format!("alone-{provider}"), true).await;
            let (status, request) = (alone.status().as_u16(), id(&alone));
            let body: Value = alone.json().await.expect("a typed error is JSON");
            assert_eq!(status, super::Told::Failed.status(speaks), "{what}: {body}");
            faults.assert_free(&request, &what).await;
        }
    }
    faults.assert_resolved().await;
}

/// A provider that opens and dies is blamed like one that hangs up.
#[tokio::test]
async fn a_provider_that_only_opens_rests() {
    let bad = Upstream::start().await;
    bad.on(|request| Reply::stream(opening(of(request))).then(Step::Cut));
    let faults = Faults::start(&bad.base_url(), "[breaker]\nfailures = 2\n").await;
    for format in FORMATS {
        let _ = bad.take_received();
        for _ in 0..3 {
            faults.assert_rescued(format, true, "opens and dies").await;
        }
        assert_eq!(bad.take_received().len(), 2, "{format}: after that it rests");
    }
}

/// The format of a request's path.
fn of(request: &Received) -> &'static str {
    let paths = [("/chat/", "chat"), ("/messages", "messages"), ("/responses", "responses")];
    paths.iter().find(|(path, _)| request.line.contains(path)).map_or("generate", |(_, format)| format)
}

/// What a client of a format is sent while nothing is said.
fn ping(format: &str) -> &'static str {
    match format {
        "messages" => "event: ping\ndata: {\"type\": \"ping\"}\n\n",
        "generate" => "\n",
        _ => ": ping\n\n",
    }
}

/// Without the signs of life at its start, of which there is one.
fn pinged<'s>(format: &str, stream: &'s str, what: &str) -> &'s str {
    let mut rest = stream.strip_prefix(ping(format)).unwrap_or_else(|| panic!("{what}: no ping: {stream}"));
    while let Some(more) = rest.strip_prefix(ping(format)) {
        rest = more;
    }
    rest
}

const SHORT: &str = "[breaker]\nfailures = 0\n[patience]\nfirst_content_milliseconds = 30\n";

/// The status is sent when it was held back for long enough, and another provider can answer all the same.
#[tokio::test]
async fn a_status_that_was_sent_keeps_no_provider_from_answering() {
    let bad = Upstream::start().await;
    let faults = Faults::start(&bad.base_url(), SHORT).await;
    for (provider, speaks) in pairs() {
        for model in ["pair", "alone"] {
            let what = format!("{provider} for {speaks}: {model}");
            let gate = ReplyGate::default();
            bad.answer(Reply::stream(opening(provider)).then(Step::Wait(gate.clone())).then(Step::Cut));
            let mut reply = faults.ask(speaks, &format!("{model}-{provider}"), true).await;
            let (status, request) = (reply.status(), id(&reply));
            assert_eq!(status, 200, "{what}");
            assert_eq!(reply.headers()["content-type"], "text/event-stream", "{what}");
            let first = reply.chunk().await.expect("a read").expect("a sign of life");
            // The provider dies behind it.
            gate.open();
            let rest = reply.text().await.expect("the rest");
            let stream = format!("{}{rest}", std::str::from_utf8(&first).expect("text"));
            let stream = pinged(speaks, &stream, &what);
            if model == "pair" {
                assert_clean(speaks, stream, &what);
                let receipt = faults.gateway.receipt(&request).await;
                assert_eq!(receipt["upstream"], format!("good-{provider}"), "{what}: {receipt}");
                assert_eq!(amount(&receipt["charged_usd"]), "0.000012", "{what}");
            } else {
                assert!(stream.contains("broke off") && !stream.contains("dead"), "{what}: {stream}");
                faults.assert_free(&request, &what).await;
            }
        }
    }
    faults.assert_resolved().await;
}

/// The same for format G's list, which stays one JSON value.
#[tokio::test]
async fn a_list_with_signs_of_life_is_one_json_value() {
    let bad = Upstream::start().await;
    let faults = Faults::start(&bad.base_url(), SHORT).await;
    for model in ["pair-generate", "alone-generate", "pair-chat"] {
        let gate = ReplyGate::default();
        let provider = model.split('-').nth(1).expect("a format");
        bad.answer(Reply::stream(opening(provider)).then(Step::Wait(gate.clone())).then(Step::Cut));
        let url = faults.gateway.url(&format!("/v1/models/{model}:streamGenerateContent"));
        let body = json!({"contents": [{"parts": [{"text": "Hello"}]}]});
        let sent = client().post(url).bearer_auth(&faults.gateway.key).json(&body).send();
        let mut reply = sent.await.expect("an answer");
        assert_eq!(reply.status(), 200, "{model}");
        let first = reply.chunk().await.expect("a read").expect("a sign of life");
        gate.open();
        let text = [&first[..], &reply.bytes().await.expect("the rest")].concat();
        let list: Value = serde_json::from_slice(&text).expect(model);
        assert_eq!(list[0]["error"].is_object(), model == "alone-generate", "{list}");
    }
}

/// A provider that takes long to say anything, and then does, is the one that answers.
#[tokio::test]
async fn a_provider_that_was_only_slow_answers_behind_the_status() {
    let bad = Upstream::start().await;
    let faults = Faults::start(&bad.base_url(), SHORT).await;
    for (provider, speaks) in pairs() {
        let what = format!("{provider} for {speaks}");
        let gate = ReplyGate::default();
        let held = gate.clone();
        bad.on(move |request| {
            let mut reply = answer(request);
            // An empty piece opens format G.
            if provider == "generate" {
                reply = reply.step_at(0, Step::Send(opening(provider).concat().replace("dead", "up").into_bytes()));
            }
            reply.step_at(1, Step::Wait(held.clone()))
        });
        let mut reply = faults.ask(speaks, &format!("pair-{provider}"), true).await;
        let first = reply.chunk().await.expect("a read").expect("a sign of life");
        gate.open();
        let rest = reply.text().await.expect("the rest");
        let stream = format!("{}{rest}", std::str::from_utf8(&first).expect("text"));
        assert_clean(speaks, pinged(speaks, &stream, &what), &what);
        assert!(faults.sound.take_received().is_empty(), "{what}: nobody else was asked");
    }
    faults.assert_resolved().await;
}
