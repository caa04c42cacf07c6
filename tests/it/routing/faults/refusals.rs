//! Providers that speak HTTP and say no, nothing, or nonsense.

use serde_json::{Value, json};
use tollgate_tests::reply::{Reply, Step};
use tollgate_tests::{ReplyGate, Upstream};

use super::{Faults, Told, all};

/// Bodies that are an answer in no format.
fn garbage() -> Vec<Reply> {
    let json = |body: &[u8]| Reply::raw(200, "application/json", body.to_vec());
    let events = |body: &[u8]| Reply::stream([body]);
    [json, events]
        .into_iter()
        .flat_map(|made: fn(&[u8]) -> Reply| {
            let bodies: [&[u8]; 7] =
                [b"", b"<html>busy</html>", b"{\"choices\":", b"\xff\xfe\x00", b"null", b"[]", b"data: <html>\n\n"];
            bodies.map(made)
        })
        .chain([Reply::raw(200, "text/html", b"<html>sign in</html>".to_vec())])
        .collect()
}

#[tokio::test]
async fn what_a_provider_refuses_is_had_elsewhere_or_told() {
    let bad = Upstream::start().await;
    let faults = Faults::start(&bad.base_url(), "").await;
    for (status, told) in [
        (401, Told::Failed),
        (403, Told::Failed),
        (404, Told::Missing),
        (500, Told::Failed),
        (502, Told::Failed),
        (503, Told::Overloaded),
        (504, Told::TooSlow),
        (529, Told::Overloaded),
        (429, Told::RateLimited),
    ] {
        bad.answer(Reply::json(status, &json!({"error": {"message": "no"}})).header("retry-after", "7"));
        for (format, stream) in all() {
            faults.assert_rescued(format, stream, &status.to_string()).await;
            faults.assert_told(format, stream, told, &status.to_string()).await;
            if matches!(told, Told::Overloaded | Told::RateLimited) {
                let reply = faults.ask(format, &format!("alone-{format}"), stream).await;
                assert_eq!(reply.headers()["retry-after"], "7", "{status}, {format}");
            }
        }
    }
    faults.assert_resolved().await;
}

#[tokio::test]
async fn what_makes_no_sense_is_had_elsewhere_or_told() {
    let bad = Upstream::start().await;
    let faults = Faults::start(&bad.base_url(), "").await;
    for garbage in garbage() {
        let what = format!("{garbage:?}");
        bad.answer(garbage);
        for (format, stream) in all() {
            faults.assert_rescued(format, stream, &what).await;
            faults.assert_told(format, stream, Told::Failed, &what).await;
        }
    }
    faults.assert_resolved().await;
}

#[tokio::test]
async fn a_provider_that_hangs_is_given_up_in_time() {
    let bad = Upstream::start().await;
    let silent = || {
        [
            Reply::json(200, &Value::Null).after(ReplyGate::default()),
            Reply::stream([""; 0]).then(Step::Wait(ReplyGate::default())),
        ]
    };
    let streams = Faults::start(&bad.base_url(), "[patience]\nfirst_event_seconds = 1").await;
    let whole = Faults::start(&bad.base_url(), "[patience]\ntotal_seconds = 1").await;
    for hangs in silent() {
        let what = format!("{hangs:?}");
        bad.answer(hangs);
        for (format, stream) in all() {
            if stream {
                streams.assert_rescued(format, true, &what).await;
                streams.assert_told(format, true, Told::TooSlow, &what).await;
            } else {
                whole.assert_told(format, false, Told::TooSlow, &what).await;
            }
        }
    }
    streams.assert_resolved().await;
    whole.assert_resolved().await;
}
