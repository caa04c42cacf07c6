//! Every way that a provider can fail, to clients of every format, over a provider of the client's own format and of
//! another.

use futures_util::future::join_all;
use http::StatusCode;
use serde_json::json;
use tollgate_tests::formats::answer;
use tollgate_tests::gateway::Options;
use tollgate_tests::reply::{Reply, Step};
use tollgate_tests::{ReplyGate, TestGateway};

use super::asks::{Ask, Names};
use super::codes::{Cases, Expected, Shape};
use super::{Door, TURNS, gateway};

/// An order for a video, whose errors have a shape of their own.
const ORDER: &str = "video_a.create_from_text";
/// What is asked.
const ASKED: [&str; 7] = [TURNS[0], TURNS[1], TURNS[2], TURNS[3], TURNS[4], TURNS[5], ORDER];

pub(super) async fn run(cases: &mut Cases) {
    let gateway = gateway(Options::default()).await;
    let door = Door::open(gateway.service()).await;
    for operation in ASKED {
        for model in [own(operation), other(operation)] {
            for (reply, code, wait, status) in failures() {
                let expected = Expected { wait, status, ..Expected::new(Shape::of(operation), code) };
                gateway.upstream.answer(reply);
                cases.answered(expected, ask(&door, &gateway, operation, model).await).await;
            }
        }
    }
    gateway.upstream.on(|request| {
        let mut reply = answer(request);
        reply.steps.truncate(4);
        if let [step] = reply.steps.as_mut_slice() {
            // The one event of a short stream: half of it.
            *step = Step::Send(b"data: {".to_vec());
        }
        reply.then(Step::Cut)
    });
    for operation in ["chat.create", "messages.create", "content.stream", "responses.create"] {
        for model in [own(operation), other(operation)] {
            broken_off(cases, &door, &gateway, operation, model).await;
        }
    }
    gateway.assert_books().await;
    too_slow(cases).await;
}

/// A model that is reached in the client's own format.
fn own(operation: &str) -> &'static str {
    match operation {
        "chat.create" | "completions.create" => "via-chat",
        "messages.create" => "via-messages",
        "responses.create" => "via-responses",
        ORDER => "film",
        _ => "via-generate",
    }
}

/// One that is not.
fn other(operation: &str) -> &'static str {
    match operation {
        "chat.create" | "completions.create" => "via-messages",
        // One of the two kinds of providers has a test of its own.
        ORDER => "film",
        _ => "via-chat",
    }
}

async fn ask(door: &Door, gateway: &TestGateway, operation: &str, model: &str) -> reqwest::Response {
    let request = Ask::of(operation, &Names::of_model(model)).request(&door.url);
    door.send(operation, request.bearer_auth(&gateway.key)).await
}

/// What a provider may do instead of answering: the code for it, the wait that is told, and the status where it is the
/// provider's own.
fn failures() -> Vec<(Reply, &'static str, u32, Option<u16>)> {
    // Of no format, so that it is worded in the client's.
    let error = json!({"detail": "no"});
    let refuse = |status| Reply::json(status, &error);
    let mut failures = vec![
        (Reply::hang_up(), "UPSTREAM_FAILED", 1, None),
        (Reply::raw(200, "text/html", b"<html>".to_vec()), "UPSTREAM_FAILED", 1, None),
        (Reply::raw(200, "application/json", Vec::new()), "UPSTREAM_FAILED", 1, None),
        (Reply::raw(200, "application/json", b"{\"id\":".to_vec()).then(Step::Cut), "UPSTREAM_FAILED", 1, None),
        (refuse(200), "UPSTREAM_FAILED", 1, None),
        (refuse(429), "UPSTREAM_RATE_LIMITED", 1, None),
        (refuse(429).header("retry-after", "7"), "UPSTREAM_RATE_LIMITED", 7, None),
        (refuse(429).header("retry-after", "3600"), "UPSTREAM_RATE_LIMITED", 60, None),
        (refuse(402), "UPSTREAM_OVERLOADED", 1, None),
        (refuse(503), "UPSTREAM_OVERLOADED", 1, None),
        (refuse(503).header("retry-after", "9"), "UPSTREAM_OVERLOADED", 9, None),
        (refuse(408), "UPSTREAM_TIMEOUT", 1, None),
        (refuse(504), "UPSTREAM_TIMEOUT", 1, None),
    ];
    failures.extend([302, 401, 403, 409, 500, 502].map(|status| (refuse(status), "UPSTREAM_FAILED", 1, None)));
    failures.extend([400, 404, 413, 422].map(|status| (refuse(status), "UPSTREAM_REFUSED", 1, Some(status))));
    failures
}

/// A stream that breaks off tells it in its last event; in format R the event before the last.
async fn broken_off(cases: &mut Cases, door: &Door, gateway: &TestGateway, operation: &str, model: &str) {
    let request = Ask::of(operation, &Names::of_model(model)).streamed().request(&door.url);
    let reply = door.send(operation, request.bearer_auth(&gateway.key)).await;
    assert_eq!(
        (reply.status(), &reply.headers()["content-type"]),
        (StatusCode::OK, &"text/event-stream".parse().expect("a type"))
    );
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let text = reply.text().await.expect("a stream");
    let mut data = text.lines().filter_map(|line| line.strip_prefix("data: ")).rev();
    let what = format!("{operation} over {model}: {text}");
    if operation == "responses.create" {
        let error = data.nth(1).expect("an event before the last");
        assert!(error.contains("\"type\":\"error\"") && error.contains("UPSTREAM_BROKE_OFF"), "{what}");
        return;
    }
    let expected = Expected::new(Shape::of(operation), "UPSTREAM_BROKE_OFF");
    let last = data.next().expect("an event");
    cases.body(expected, StatusCode::BAD_GATEWAY, last.as_bytes(), &request_id, &what);
}

/// A provider that never answers is given up when the request's time is over.
async fn too_slow(cases: &mut Cases) {
    let options = Options { config: "[patience]\ntotal_seconds = 1\n".to_owned(), ..Options::default() };
    let gateway = gateway(options).await;
    let door = Door::open(gateway.service()).await;
    gateway.upstream.on(|request| answer(request).after(ReplyGate::default()));
    // At the same time, because the second that each waits is a real one.
    let replies = join_all(ASKED.map(|operation| ask(&door, &gateway, operation, own(operation)))).await;
    for (operation, reply) in ASKED.into_iter().zip(replies) {
        cases.answered(Expected::new(Shape::of(operation), "UPSTREAM_TIMEOUT"), reply).await;
    }
    gateway.assert_books().await;
}
