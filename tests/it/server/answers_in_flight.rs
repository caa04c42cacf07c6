//! The memory of providers' whole answers: it is bounded for all of them together, and what finds no room is refused and free.

// suite of this file: waiting

use serde_json::{Value, json};
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::reply::{Reply, Step, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway};

const KIB: usize = 1 << 10;

async fn gateway(mib: usize) -> TestGateway {
    let config = format!("[listener]\nanswers_in_flight_mib = {mib}\n");
    TestGateway::with(Options { config, ..Options::default() }).await
}

/// An answer of so many bytes, with the gate before its last quarter.
fn quarters(bytes: usize, gate: &ReplyGate) -> Reply {
    let text = completion(&"x".repeat(bytes), 9, 3).to_string().into_bytes();
    let (first, second) = text.split_at(text.len() / 4 * 3);
    let reply = Reply::raw(200, "application/json", first.to_vec());
    reply.then(Step::Wait(gate.clone())).then(Step::Send(second.to_vec()))
}

/// The provider answers by what it is asked: a request for `held` waits at the gate.
fn answer_by_words(gateway: &TestGateway, gate: &ReplyGate, held: usize, other: usize) {
    let gate = gate.clone();
    gateway.upstream.on(move |request| match memchr::memmem::find(&request.body, b"held") {
        Some(_) => quarters(held, &gate),
        None => Reply::json(200, &completion(&"y".repeat(other), 9, 3)),
    });
}

fn ask(gateway: &TestGateway, words: &str) -> tokio::task::JoinHandle<(u16, String, Option<String>, Value)> {
    let body = json!({"model": "small", "messages": [{"role": "user", "content": words}], "max_tokens": 100});
    let request = gateway.chat(body.to_string());
    tokio::spawn(async move {
        let reply = request.send().await.expect("an answer");
        let header = |name: &str| reply.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
        let (status, id, wait) = (reply.status().as_u16(), header("x-request-id"), header("retry-after"));
        (status, id.expect("an id"), wait, reply.json().await.expect("JSON"))
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_finds_no_room_is_refused_and_free() {
    // Each of three that are being read has 2 MiB: room is made in powers of two. A fourth needs 1 MiB while it makes room for
    // 2, and has it alone.
    let gateway = gateway(8).await;
    let gate = ReplyGate::default();
    answer_by_words(&gateway, &gate, 1_900 * KIB, 1_600 * KIB);
    let first: Vec<_> = (0..3).map(|_| ask(&gateway, "held")).collect();
    // Until all three have been read that far there is room, and the answer is one.
    let refused = until("a refusal", || async {
        let told = ask(&gateway, "another").await.expect("an answer");
        (told.0 != 200).then_some(told)
    });
    let (status, id, wait, body) = refused.await;
    assert_eq!(
        (status, body["error"]["code"].as_str(), wait.as_deref()),
        (503, Some("overloaded"), Some("1")),
        "{body}"
    );
    let receipt = gateway.receipt(&id).await;
    let told = (receipt["rule"].as_str(), amount(&receipt["charged_usd"]));
    assert_eq!(told, (Some("nothing_delivered"), "0".to_owned()), "{receipt}");
    gate.open();
    for one in first {
        assert_eq!(one.await.expect("an answer").0, 200, "who was there first is served");
    }
    assert_eq!(ask(&gateway, "again").await.expect("an answer").0, 200, "and then there is room");
    gateway.assert_books().await;
}

/// Three hold 2 MiB of 8 each, and need 4 besides to go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_wait_for_each_other_end() {
    let gateway = gateway(8).await;
    let gate = ReplyGate::default();
    answer_by_words(&gateway, &gate, 2_700 * KIB, 1_600 * KIB);
    let all: Vec<_> = (0..3).map(|_| ask(&gateway, "held")).collect();
    let refused = || async { (ask(&gateway, "another").await.expect("an answer").0 == 503).then_some(()) };
    until("all of them to be read that far", refused).await;
    gate.open();
    for one in all {
        let (status, _, _, body) = one.await.expect("it ends");
        assert!(status == 200 || status == 503, "{status} {body}");
    }
    assert_eq!(ask(&gateway, "again").await.expect("an answer").0, 200, "what they took is there again");
    assert_eq!(amount(&gateway.balance().await["held_usd"]), "0");
    gateway.assert_books().await;
}

/// A text is bounded closer than pictures are.
#[tokio::test]
async fn a_text_beyond_its_bound_is_no_answer() {
    let gateway = gateway(256).await;
    gateway.upstream.answer(Reply::json(200, &completion(&"x".repeat(33 << 20), 9, 3)));
    let (status, id, ..) = ask(&gateway, "much").await.expect("an answer");
    assert_eq!(status, 502);
    assert_eq!(amount(&gateway.receipt(&id).await["charged_usd"]), "0");
}
