//! The memory of providers' whole answers: it is bounded for all of them together, and what finds no room is refused and free.

// suite of this file: waiting

use serde_json::{Value, json};
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::reply::{Reply, Step, completion};
use tollgate_tests::{Gate, TestGateway};

const KIB: usize = 1 << 10;

async fn gateway(mib: usize) -> TestGateway {
    let config = format!("[listener]\nanswers_in_flight_mib = {mib}\n");
    TestGateway::with(Options { config, ..Options::default() }).await
}

/// An answer of so many bytes, in two pieces with the gate between them.
fn halves(bytes: usize, gate: &Gate) -> Reply {
    let text = completion(&"x".repeat(bytes), 9, 3).to_string().into_bytes();
    let (first, second) = text.split_at(text.len() / 2);
    let reply = Reply::raw(200, "application/json", first.to_vec());
    reply.then(Step::Wait(gate.clone())).then(Step::Send(second.to_vec()))
}

/// The provider answers by what it is asked: a request for `held` waits at the gate.
fn answer_by_words(gateway: &TestGateway, gate: &Gate, held: usize, other: usize) {
    let gate = gate.clone();
    gateway.upstream.on(move |request| match memchr::memmem::find(&request.body, b"held") {
        Some(_) => halves(held, &gate),
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
    let gateway = gateway(2).await;
    let gate = Gate::default();
    answer_by_words(&gateway, &gate, 1_200 * KIB, 1_600 * KIB);
    let first = ask(&gateway, "held");
    // It has been sent half of it when the provider waits at the gate; the second then cannot fit beside it, however much of
    // it has been read.
    let asked = || async { (!gateway.upstream.take_received().is_empty()).then_some(()) };
    tollgate_tests::wait::until("the first to be asked", asked).await;
    let mut refused = ask(&gateway, "second").await.expect("an answer");
    if refused.0 == 200 {
        // The first had not been read by then.
        refused = ask(&gateway, "third").await.expect("an answer");
    }
    let (status, id, wait, body) = refused;
    assert_eq!(
        (status, body["error"]["code"].as_str(), wait.as_deref()),
        (503, Some("overloaded"), Some("1")),
        "{body}"
    );
    let receipt = gateway.receipt(&id).await;
    let told = (receipt["rule"].as_str(), amount(&receipt["charged_usd"]));
    assert_eq!(told, (Some("nothing_delivered"), "0".to_owned()), "{receipt}");
    gate.open();
    let (status, ..) = first.await.expect("an answer");
    assert_eq!(status, 200, "who was there first is served");
    let (status, ..) = ask(&gateway, "again").await.expect("an answer");
    assert_eq!(status, 200, "and then there is room");
    gateway.assert_books().await;
}

/// Each holds half of the memory and needs the other half.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_wait_for_each_other_end() {
    let gateway = gateway(2).await;
    let gate = Gate::default();
    answer_by_words(&gateway, &gate, 1_500 * KIB, 1_000 * KIB);
    let both = [ask(&gateway, "held, one"), ask(&gateway, "held, two")];
    let mut asked = 0;
    while asked < 2 {
        tollgate_tests::wait::until("both to be asked", || async {
            let received = gateway.upstream.take_received().len();
            asked += received;
            (received > 0).then_some(())
        })
        .await;
    }
    gate.open();
    for one in both {
        let (status, _, _, body) = one.await.expect("it ends");
        assert!(status == 200 || status == 503, "{status} {body}");
    }
    let (status, ..) = ask(&gateway, "again").await.expect("an answer");
    assert_eq!(status, 200, "what they took is there again");
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
