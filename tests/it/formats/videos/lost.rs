//! Clients, answers and makers that get lost: nothing stays held for nobody, nothing is filmed twice or given away.

use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};
use tollgate_base::Clock;
use tollgate_tests::TestGateway;
use tollgate_tests::fake_video_provider::{FakeVideoProvider, Plan};
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::reply::Reply;
use tollgate_tests::wait::until;

use super::{STUDIOS, answered, charged, gateway, order, over, pair, receipt};

#[tokio::test]
async fn a_client_that_leaves_while_its_order_is_written_down_leaves_nothing_held() {
    let (gateway, _) = gateway().await;
    let mut other = SqliteConnectOptions::new().filename(gateway.ledger()).connect().await.expect("the ledger");
    other.execute("BEGIN IMMEDIATE").await.expect("the lock");
    let request = client().post(gateway.url("/v1/videos")).bearer_auth(&gateway.key);
    let queued = || gateway.service().credit.stats().queue_wait.buckets().map(|(_, count)| count).sum::<u64>();
    let before = queued();
    let ordering = tokio::spawn(request.json(&json!({"model": "film-o", "prompt": "a cat"})).send());
    until("the hold to be tried", || async { (queued() > before).then_some(()) }).await;
    // The ledger cannot answer, so the client goes without one.
    ordering.abort();
    assert!(ordering.await.expect_err("nothing can be held yet").is_cancelled());
    other.execute("ROLLBACK").await.expect("the lock is given back");
    until("the video that nobody waits for", || async {
        let (_, _, list) = answered(gateway.get("/v1/videos")).await;
        (list["data"][0]["status"] == "completed").then_some(())
    })
    .await;
    let balance = gateway.balance().await;
    assert_eq!((amount(&balance["held_usd"]).as_str(), amount(&balance["quota_usd"]).as_str()), ("0", "9.6"));
    gateway.assert_books().await;
}

#[tokio::test]
async fn an_order_whose_answer_was_lost_is_found_by_our_name_and_not_given_again() {
    let (gateway, studio) = gateway().await;
    let answering = studio.clone();
    gateway.upstream.on(move |request| {
        let answer = answering.answer(request);
        if request.line.starts_with("POST") { Reply::hang_up() } else { answer }
    });
    let body = json!({"model": "film-a", "prompt": "a cat"});
    let (status, headers, created) = order(&gateway, "/videoA/v1/videos/text2video", &body).await;
    assert_eq!(status, 200, "{created}");
    assert_eq!(over(&gateway, created["task_id"].as_str().expect("an id")).await["status"], "completed");
    assert_eq!(studio.films().len(), 1);
    assert_eq!(charged(&receipt(&gateway, &headers).await), pair("0.25", "0.25"));
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_maker_that_cannot_be_asked_at_the_deadline_is_given_as_much_time_again() {
    let (clock, hand) = Clock::manual(1_800_000_000_000);
    let options = Options { config: STUDIOS.to_owned(), clock, ..Options::default() };
    let gateway = TestGateway::with(options).await;
    let studio = FakeVideoProvider::at(&gateway.upstream.base_url());
    let answering = studio.clone();
    gateway.upstream.on(move |request| answering.answer(request));
    studio.plan(Plan { questions: usize::MAX, ..Plan::default() });
    let body = json!({"model": "film-o", "prompt": "a cat"});
    let (_, _, first) = order(&gateway, "/v1/videos", &body).await;
    // One that says that it is still at work has had its time.
    hand.advance_ms(3_600_000);
    let late = over(&gateway, first["id"].as_str().expect("an id")).await;
    assert_eq!((&late["status"], &late["error"]["code"]), (&json!("failed"), &json!(504)));

    let (_, headers, second) = order(&gateway, "/v1/videos", &body).await;
    gateway.upstream.answer(Reply::json(500, &json!({})));
    hand.advance_ms(3_600_000);
    let _ = gateway.upstream.take_received();
    for _ in 0..2 {
        let asked = || async { (!gateway.upstream.take_received().is_empty()).then_some(()) };
        until("questions after the deadline", asked).await;
    }
    let answering = studio.clone();
    gateway.upstream.on(move |request| answering.answer(request));
    studio.plan(Plan { questions: 1, ..Plan::default() });
    assert_eq!(over(&gateway, second["id"].as_str().expect("an id")).await["status"], "completed");
    assert_eq!(charged(&receipt(&gateway, &headers).await), pair("0.4", "0.4"));
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_page_in_between_does_not_end_a_video() {
    let (gateway, studio) = gateway().await;
    studio.plan(Plan { questions: 7, ..Plan::default() });
    let answering = studio.clone();
    gateway.upstream.on(move |request| {
        let asked = answering.films().first().map_or(0, |film| film.asked);
        let answer = answering.answer(request);
        // Six times in a row: more often than an unknown video would be believed to be one.
        if request.line.starts_with("GET") && asked < 6 {
            return Reply::raw(404, "text/html", b"<html>no backend</html>".to_vec());
        }
        answer
    });
    let (_, _, job) = order(&gateway, "/v1/videos", &json!({"model": "film-o", "prompt": "a cat"})).await;
    assert_eq!(over(&gateway, job["id"].as_str().expect("an id")).await["status"], "completed");
}
