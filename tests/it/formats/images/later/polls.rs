//! The questions about a task: which are asked again, and what their failures say of the provider.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tollgate_tests::reply::{Reply, Step};
use tollgate_tests::reply_gate::ReplyGate;
use tollgate_tests::wait::until;

use super::super::messages::{charged, draw, post};
use super::{Easel, TestGateway, gateway, gateway_with, is_question, script};

/// The first `count` questions are answered by `reply`.
fn first_questions(gateway: &TestGateway, easel: &Easel, count: usize, reply: Reply) {
    let asked = Arc::new(AtomicUsize::new(0));
    script(gateway, easel, move |request| {
        let first = is_question(request) && asked.fetch_add(1, Ordering::SeqCst) < count;
        first.then(|| reply.clone())
    });
}

/// None of them says anything of the task, or of the provider's health.
#[tokio::test]
async fn a_question_that_fails_is_asked_again() {
    let (gateway, easel) = gateway_with("[breaker]\nfailures = 1\n").await;
    let other = json!({"output": {"task_id": "another", "task_status": "FAILED", "code": "InvalidParameter"}});
    let throttled = json!({"code": "Throttling.RateQuota", "message": "slow down", "request_id": "r"});
    let half = br#"{"output":{"task_id":"7f48"#.to_vec();
    // The name that the easel gives to its first task.
    let unknown = json!({"output": {"task_id": "7f4836cd-1c47-41b3-b3a4-0", "task_status": "UNKNOWN"}});
    let replies = [
        Reply::json(200, &unknown),
        Reply::json(500, &json!({"code": "InternalError", "message": "no", "request_id": "r"})),
        Reply::raw(503, "text/html", b"<html>".to_vec()),
        Reply::json(408, &json!({"code": "RequestTimeOut", "message": "no", "request_id": "r"})),
        Reply::json(429, &throttled),
        Reply::json(400, &throttled),
        Reply::json(200, &other),
        Reply::json(404, &json!({"code": "NotFound", "message": "no", "request_id": "r"})),
        Reply::raw(200, "text/html", b"<html>".to_vec()),
        Reply::raw(200, "application/json", half.clone()),
        Reply::raw(200, "application/json", half).then(Step::Cut),
        Reply::hang_up(),
    ];
    for (number, reply) in replies.into_iter().enumerate() {
        first_questions(&gateway, &easel, 3, reply);
        let (status, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
        assert_eq!((status, easel.taken_count()), (200, number + 1), "{answer}");
        assert_eq!(charged(&gateway, &headers).await, ("0.04".to_owned(), 1));
        let received = gateway.upstream.take_received();
        assert_eq!(received.iter().filter(|request| is_question(request)).count(), 6);
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_provider_that_wants_to_be_left_alone_is() {
    let (gateway, easel) = gateway().await;
    for status in [429, 503] {
        let busy = json!({"code": "Busy", "message": "later", "request_id": "r"});
        first_questions(&gateway, &easel, 1, Reply::json(status, &busy).header("retry-after", "1"));
        let asked = Instant::now();
        let (found, _, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
        assert_eq!(found, 200, "{answer}");
        assert!(asked.elapsed() >= Duration::from_secs(1), "{:?}", asked.elapsed());
    }
}

/// It may have drawn, but nobody can tell: after some questions the next one is asked for the pictures.
#[tokio::test]
async fn a_provider_that_dies_or_forgets_is_given_up() {
    let (gateway, easel) = gateway().await;
    let garbage = Reply::json(200, &json!({"output": {"task_id": "../keys", "task_status": "SUCCEEDED"}}));
    let lost = Reply::json(404, &json!({"code": "NotFound", "message": "no", "request_id": "r"}));
    let busy = Reply::raw(503, "text/html", b"<html>".to_vec());
    for reply in [Reply::hang_up(), garbage, lost, busy] {
        first_questions(&gateway, &easel, usize::MAX, reply);
        let (status, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
        assert_eq!((status, &answer["error"]["code"]), (502, &json!("bad_gateway")), "{answer}");
        assert_eq!(charged(&gateway, &headers).await, ("0".to_owned(), 0));
        assert_eq!(gateway.upstream.take_received().len(), 11, "an order, and ten questions");
        let (status, headers, _) = draw(&gateway, &json!({"model": "either", "prompt": "a cat"})).await;
        assert_eq!((status, charged(&gateway, &headers).await.1), (200, 1));
        assert_eq!(gateway.upstream.take_received().len(), 12, "the same, and the other painter");
    }
    assert_eq!(easel.taken_count(), 8);
    gateway.assert_books().await;
}

/// It has the time of the task at the most.
#[tokio::test]
async fn a_question_that_hangs_does_not_outlast_the_task() {
    // Within which there has to be a question, however busy the machine is.
    let (gateway, easel) = gateway_with("[patience]\ntotal_seconds = 3\n").await;
    let never = ReplyGate::default();
    first_questions(&gateway, &easel, 1, Reply::json(200, &json!({})).after(never.clone()));
    let (status, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
    assert_eq!((status, &answer["error"]["code"]), (504, &json!("upstream_timeout")), "{answer}");
    assert_eq!(charged(&gateway, &headers).await, ("0".to_owned(), 0));
    assert_eq!(gateway.upstream.take_received().len(), 2, "an order and a question");
    never.open();
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_question_that_is_turned_down_for_good_is_not_asked_again() {
    let (gateway, easel) = gateway().await;
    for (status, code) in [(401, "InvalidApiKey"), (403, "AccessDenied"), (410, "NotFound"), (400, "InvalidParameter")]
    {
        let no = json!({"code": code, "message": "scripted", "request_id": "r"});
        first_questions(&gateway, &easel, usize::MAX, Reply::json(status, &no));
        let (found, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
        assert_eq!((found, &answer["error"]["code"]), (502, &json!("bad_gateway")), "{status}: {answer}");
        assert_eq!(charged(&gateway, &headers).await, ("0".to_owned(), 0));
        assert_eq!(gateway.upstream.take_received().len(), 2, "{status}: an order and a question");
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn the_breaker_counts_what_fails_by_the_provider_and_nothing_else() {
    let (gateway, easel) = gateway_with("[breaker]\nfailures = 1\n[patience]\ntotal_seconds = 3\n").await;
    for prompt in ["fails: InvalidParameter", "fails: SomethingNew", "canceled", "none", "half", "a cat"] {
        let (status, _, answer) = draw(&gateway, &json!({"model": "painter", "prompt": prompt})).await;
        assert_ne!(status, 503, "{prompt}: {answer}");
    }
    // Limited to its end: it may be well.
    first_questions(&gateway, &easel, usize::MAX, Reply::json(429, &json!({"code": "Throttling", "message": "no"})));
    let (status, _, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
    assert_eq!((status, &answer["error"]["code"]), (429, &json!("upstream_rate_limited")), "{answer}");
    script(&gateway, &easel, |_| None);
    let (status, _, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "fails: InternalError"})).await;
    assert_eq!(status, 502, "{answer}");
    let (status, _, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
    assert_eq!((status, &answer["error"]["code"]), (503, &json!("no_available_channel")), "{answer}");
    gateway.assert_books().await;
}

/// As long as a task is under way it has a place at its provider, and its questions need none.
#[tokio::test]
async fn a_task_takes_one_place() {
    let config = "[upstreams.narrow]\nbase_url = \"{upstream}\"\nformat = \"pictures_later\"\n\
        api_key_env = \"FAKE_UPSTREAM_KEY\"\nconcurrency_max = 1\n[models.narrow]\ncontext_tokens = 8000\n\
        max_output_tokens = 1\nprice = { prompt = \"1\", completion = \"1\", image = \"0.04\" }\n\
        candidates = [{ upstream = \"narrow\", model = \"up\" }]\n[patience]\ntotal_seconds = 4\n";
    let (gateway, easel) = gateway_with(config).await;
    let endless = json!({"model": "narrow", "prompt": "endless"});
    let request = tokio::spawn(post(&gateway, "/v1/images/generations").json(&endless).send());
    until("a question", || async { gateway.upstream.take_received().iter().any(is_question).then_some(()) }).await;
    let (status, _, answer) = draw(&gateway, &json!({"model": "narrow", "prompt": "a cat"})).await;
    assert_eq!((status, easel.taken_count()), (503, 1), "{answer}");
    assert_eq!(request.await.expect("no panic").expect("an answer").status(), 504);
    let (status, _, answer) = draw(&gateway, &json!({"model": "narrow", "prompt": "a cat"})).await;
    assert_eq!((status, easel.taken_count()), (200, 2), "{answer}");
    gateway.assert_books().await;
}
