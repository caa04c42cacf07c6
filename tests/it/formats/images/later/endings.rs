//! What becomes of a task, and what that costs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tollgate_base::Clock;
use tollgate_credit::LedgerStore;
use tollgate_store::{Store, StoreConfig};
use tollgate_tests::gateway::{Options, TestGateway, amount};
use tollgate_tests::reply::{Reply, Step};
use tollgate_tests::reply_gate::ReplyGate;
use tollgate_tests::upstream::Received;
use tollgate_tests::wait::until;

use super::super::messages::{charged, draw, members, post};
use super::super::receipt;
use super::{CONFIG, Easel, asked_for, gateway, gateway_with, is_question, over, results, script};

#[tokio::test]
async fn of_a_task_that_made_some_pictures_those_are_given_and_paid_for() {
    let (gateway, _) = gateway().await;
    let (status, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "half", "n": 3})).await;
    assert_eq!((status, members(&answer, "url").len()), (200, 1), "{answer}");
    assert_eq!(charged(&gateway, &headers).await, ("0.04".to_owned(), 1));
    // Nobody tells its tokens: it counts as the longest that there is, and the two others as none.
    let (status, headers, answer) = draw(&gateway, &json!({"model": "by-tokens", "prompt": "half", "n": 3})).await;
    assert_eq!((status, members(&answer, "url").len()), (200, 1), "{answer}");
    assert_eq!(charged(&gateway, &headers).await.1, 1000);
    gateway.assert_books().await;
}

/// Whether it fails at once or when it is worked on: the code is the same, and so is what it means.
#[tokio::test]
async fn its_failures_are_sorted_by_their_code() {
    let (gateway, _) = gateway().await;
    for (code, status, told) in [
        ("InvalidParameter", 400, "upstream_refused"),
        ("DataInspectionFailed", 400, "upstream_refused"),
        ("InternalError.Algo.InvalidParameter", 400, "upstream_refused"),
        ("InternalError.Algo.DataInspectionFailed", 400, "upstream_refused"),
        ("InvalidApiKey", 502, "bad_gateway"),
        ("Arrearage", 502, "bad_gateway"),
        ("AccessDenied.Unpurchased", 502, "bad_gateway"),
        ("ModelNotFound", 404, "upstream_refused"),
        ("Throttling.RateQuota", 429, "upstream_rate_limited"),
        ("InternalError", 502, "bad_gateway"),
    ] {
        for way in ["error", "fails"] {
            let body = json!({"model": "painter", "prompt": format!("{way}: {code}")});
            let (found, headers, answer) = draw(&gateway, &body).await;
            assert_eq!((found, &answer["error"]["code"]), (status, &json!(told)), "{way} {code}: {answer}");
            let words = answer["error"]["message"].as_str().unwrap_or_default();
            assert_eq!(words.contains("scripted failure"), status == 400, "{way} {code}: {words}");
            assert_eq!(charged(&gateway, &headers).await, ("0".to_owned(), 0), "{way} {code}");
        }
    }
    let (status, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "none", "n": 2})).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!("upstream_refused")), "{answer}");
    assert_eq!(charged(&gateway, &headers).await, ("0".to_owned(), 0));
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_task_that_is_over_at_once_is_not_asked_about() {
    let (gateway, easel) = gateway().await;
    for (output, pictures) in [
        (results(2), 2),
        // What was made beyond what was asked for is paid for like the rest.
        (results(3), 3),
        (json!({"choices": null, "results": results(1)["results"]}), 1),
    ] {
        script(&gateway, &easel, move |_| Some(over("t-1", &output)));
        let (status, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat", "n": 2})).await;
        assert_eq!((status, members(&answer, "url").len()), (200, pictures), "{answer}");
        let receipt = receipt(&gateway, &headers).await;
        assert_eq!(receipt["usage"]["completion_tokens"], json!(pictures), "{receipt}");
        assert!(receipt["first_byte_ms"].is_u64(), "it began with what was read of the order: {receipt}");
        assert_eq!(gateway.upstream.take_received().len(), 1);
    }
    gateway.assert_books().await;
}

/// Where it has the choice, the client reads of the model that it asked for.
#[tokio::test]
async fn a_task_of_another_model_that_is_refused_is_no_refusal() {
    let (gateway, easel) = gateway_with("[breaker]\nfailures = 1\n").await;
    let broken = |request: &Received| request.line.starts_with("POST /v1/images/").then(Reply::hang_up);
    gateway.upstream.on({
        let easel = easel.clone();
        move |request| broken(request).unwrap_or_else(|| easel.answer(request))
    });
    for prompt in ["fails: InvalidParameter", "error: InvalidParameter", "none"] {
        let (status, headers, answer) = draw(&gateway, &json!({"model": "prompted", "prompt": prompt})).await;
        assert!(matches!(status, 502 | 503), "{prompt}: {answer}");
        assert_ne!(answer["error"]["code"], json!("upstream_refused"), "{prompt}: {answer}");
        assert_eq!(charged(&gateway, &headers).await, ("0".to_owned(), 0), "{prompt}");
    }
    assert_eq!(easel.taken_count(), 2);
    let (status, headers, answer) = draw(&gateway, &json!({"model": "prompted", "prompt": "a cat"})).await;
    assert_eq!((status, charged(&gateway, &headers).await.1), (200, 1), "it is well: {answer}");
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_task_that_comes_to_nothing_costs_nothing_and_is_had_elsewhere() {
    let (gateway, easel) = gateway().await;
    for (number, prompt) in ["canceled", "forgotten", "fails: SomethingNew", "fails: InternalError"].iter().enumerate()
    {
        let (status, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": prompt})).await;
        assert_eq!((status, &answer["error"]["code"]), (502, &json!("bad_gateway")), "{prompt}: {answer}");
        assert_eq!(charged(&gateway, &headers).await, ("0".to_owned(), 0), "{prompt}");
        let (status, headers, _) = draw(&gateway, &json!({"model": "either", "prompt": prompt})).await;
        assert_eq!((status, charged(&gateway, &headers).await.1), (200, 1), "{prompt}");
        assert_eq!(easel.taken_count(), 2 * (number + 1), "one task a request");
    }
    gateway.assert_books().await;
}

/// A name that would lead somewhere else is never asked for.
#[tokio::test]
async fn an_order_that_names_no_task_costs_nothing_and_is_had_elsewhere() {
    let (gateway, easel) = gateway().await;
    let named = |task: &str| json!({"output": {"task_id": task, "task_status": "PENDING"}});
    let half = br#"{"output":{"task_id":"t"#.to_vec();
    for reply in [
        Reply::json(200, &named("../keys")),
        Reply::json(200, &named("a/b")),
        Reply::json(200, &named("..")),
        Reply::json(200, &named("a\r\nb")),
        Reply::json(200, &named("a?b#c")),
        Reply::json(200, &named("")),
        Reply::json(200, &json!({"output": {"task_status": "PENDING"}})),
        Reply::json(200, &json!({"output": {"task_id": "t", "task_status": "SUCCEEDED", "results": []}})),
        Reply::json(200, &json!({"code": "InternalError", "message": "no", "request_id": "r"})),
        Reply::json(500, &json!({"code": "InternalError", "message": "no", "request_id": "r"})),
        Reply::raw(200, "text/html", b"<html>".to_vec()),
        Reply::raw(200, "application/json", half.clone()),
        Reply::raw(200, "application/json", half).then(Step::Cut),
        Reply::hang_up(),
    ] {
        script(&gateway, &easel, move |_| Some(reply.clone()));
        let (status, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
        assert_eq!((status, &answer["error"]["code"]), (502, &json!("bad_gateway")), "{answer}");
        assert_eq!(charged(&gateway, &headers).await.0, "0");
        let (status, headers, _) = draw(&gateway, &json!({"model": "either", "prompt": "a cat"})).await;
        assert_eq!((status, charged(&gateway, &headers).await.1), (200, 1));
        let received = gateway.upstream.take_received();
        assert!(received.iter().all(|request| request.line.starts_with("POST ")), "{received:?}");
    }
    gateway.assert_books().await;
}

/// No pause is so long that it would be lost.
#[tokio::test]
async fn what_is_ready_shortly_before_the_end_is_had() {
    // After the first question another one would come too late, but for the one that is asked a second before the end.
    let seldom = CONFIG.replace("poll_first_milliseconds = 10\n", "poll_first_milliseconds = 5000\n");
    let config = ["[patience]\ntotal_seconds = 10\n", &seldom].concat();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let (easel, questions) = (Easel::default(), AtomicUsize::new(0));
    script(&gateway, &easel, move |request| {
        let task = asked_for(request)?;
        let first = questions.fetch_add(1, Ordering::SeqCst) == 0;
        Some(if first { at_work(task) } else { over(task, &results(1)) })
    });
    let (status, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
    assert_eq!((status, charged(&gateway, &headers).await.1), (200, 1), "{answer}");
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_task_that_is_not_over_in_time_costs_nothing() {
    let (gateway, easel) = gateway_with("[patience]\ntotal_seconds = 2\n").await;
    for model in ["painter", "either"] {
        let (status, headers, answer) = draw(&gateway, &json!({"model": model, "prompt": "endless"})).await;
        assert_eq!((status, &answer["error"]["code"]), (504, &json!("upstream_timeout")), "{answer}");
        assert_eq!(charged(&gateway, &headers).await, ("0".to_owned(), 0));
    }
    assert_eq!((easel.taken_count(), amount(&gateway.balance().await["held_usd"]).as_str()), (2, "0"));
    gateway.assert_books().await;
}

/// The provider bills its task whoever waits: the patience with clients that have gone is for answers that come by themselves.
#[tokio::test]
async fn a_client_that_leaves_pays_what_is_over_in_time_and_nothing_else() {
    // What is over in time has it amply, and what is never over is waited for to the end.
    for (prompt, left, seconds) in [("a cat", "9.96", 20), ("endless", "10", 4)] {
        let patience = format!("[patience]\nabandoned_seconds = 0\ntotal_seconds = {seconds}\n");
        let (gateway, easel) = gateway_with(&patience).await;
        let over = held_open(&gateway, &easel);
        leave(&gateway, prompt).await;
        // It was seen by now that the client has gone.
        questions(&gateway, 5).await;
        over.open();
        until("the hold to end", || async {
            let balance = gateway.balance().await;
            (amount(&balance["held_usd"]) == "0" && amount(&balance["available_usd"]) == left).then_some(())
        })
        .await;
        assert_eq!(easel.taken_count(), 1);
        gateway.assert_books().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_whose_client_has_left_does_not_keep_the_gateway_from_ending() {
    const GRACE: Duration = Duration::from_secs(1);
    let (config, grace) = (CONFIG.to_owned(), Some(GRACE));
    let gateway = TestGateway::with(Options { config, grace, ..Options::default() }).await;
    let never = held_open(&gateway, &Easel::default());
    leave(&gateway, "a cat").await;
    let began = Instant::now();
    let (folder, _upstream) = gateway.stop().await;
    let took = began.elapsed();
    // A task that was not given up would be waited for five seconds more, as a settlement, or for its ten minutes.
    assert!((GRACE..GRACE * 6).contains(&took), "{took:?}");
    let (config, clock) = (StoreConfig::Sqlite { path: folder.path().join("tollgate.db") }, Clock::system());
    let store = Store::open(&config, &clock).await.expect("the ledger");
    let report = LedgerStore::new(store, clock).audit().await.expect("an audit");
    assert!(report.is_clean(), "{report}");
    assert_eq!((report.totals.holds_open, report.totals.settled), (0, 0), "{report}");
    never.open();
}

/// Until the gate is opened, every task is at work.
fn held_open(gateway: &TestGateway, easel: &Easel) -> ReplyGate {
    let over = ReplyGate::default();
    let held = over.clone();
    script(gateway, easel, move |request| {
        let task = asked_for(request).filter(|_| !held.is_open())?;
        Some(at_work(task))
    });
    over
}

fn at_work(task: &str) -> Reply {
    Reply::json(200, &json!({"output": {"task_id": task, "task_status": "RUNNING"}}))
}

/// A client that asks for a picture, and goes when its task is asked about.
async fn leave(gateway: &TestGateway, prompt: &str) {
    let body = json!({"model": "painter", "prompt": prompt});
    let request = tokio::spawn(post(gateway, "/v1/images/generations").json(&body).send());
    questions(gateway, 1).await;
    request.abort();
}

/// Waits for so many questions.
async fn questions(gateway: &TestGateway, count: usize) {
    let mut seen = 0;
    while seen < count {
        seen += until("a question", || async {
            let asked = gateway.upstream.take_received().iter().filter(|request| is_question(request)).count();
            (asked > 0).then_some(asked)
        })
        .await;
    }
}
