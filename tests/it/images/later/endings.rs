//! What becomes of a task, and what that costs.

use serde_json::json;
use tollgate_tests::gateway::amount;
use tollgate_tests::reply::{Reply, Step};
use tollgate_tests::wait::until;

use super::super::messages::{charged, draw, members};
use super::{gateway, gateway_with, is_question, script};

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
        ("InvalidApiKey", 502, "bad_gateway"),
        ("Arrearage", 502, "bad_gateway"),
        ("AccessDenied.Unpurchased", 502, "bad_gateway"),
        ("ModelNotFound", 502, "bad_gateway"),
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

#[tokio::test]
async fn a_task_that_is_not_over_in_time_costs_nothing() {
    let (gateway, easel) = gateway_with("[patience]\ntotal_seconds = 1\n").await;
    for model in ["painter", "either"] {
        let (status, headers, answer) = draw(&gateway, &json!({"model": model, "prompt": "endless"})).await;
        assert_eq!((status, &answer["error"]["code"]), (504, &json!("upstream_timeout")), "{answer}");
        assert_eq!(charged(&gateway, &headers).await, ("0".to_owned(), 0));
    }
    assert_eq!((easel.taken_count(), amount(&gateway.balance().await["held_usd"]).as_str()), (2, "0"));
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_client_that_leaves_pays_what_is_over_in_time_and_nothing_else() {
    for (config, prompt, left) in [("", "a cat", "9.96"), ("[patience]\nabandoned_seconds = 0\n", "endless", "10")] {
        let (gateway, easel) = gateway_with(config).await;
        let body = json!({"model": "painter", "prompt": prompt});
        let request = super::super::messages::post(&gateway, "/v1/images/generations").json(&body);
        let request = tokio::spawn(request.send());
        until("the task", || async { gateway.upstream.take_received().iter().any(is_question).then_some(()) }).await;
        request.abort();
        until("the hold to end", || async {
            let balance = gateway.balance().await;
            (amount(&balance["held_usd"]) == "0" && amount(&balance["available_usd"]) == left).then_some(())
        })
        .await;
        assert_eq!(easel.taken_count(), 1);
        gateway.assert_books().await;
    }
}
