//! Told to stop, the gateway finishes what it began.

use tollgate_tests::reply::{DONE, Reply, Step, chat_stream};
use tollgate_tests::{Gate, TestGateway};

#[tokio::test]
async fn a_stream_under_way_is_finished_and_charged() {
    let gateway = TestGateway::start().await;
    let gate = Gate::default();
    gateway.upstream.answer(Reply::stream(chat_stream(&["a", "b"], 2, 2)).step_at(2, Step::Wait(gate.clone())));
    let mut reply = gateway.hello_stream().send().await.expect("an answer");
    reply.chunk().await.expect("a read").expect("a piece");
    let address = gateway.address();
    let ledger = gateway.ledger();
    let stopping = tokio::spawn(gateway.stop());
    tollgate_tests::wait::until("new connections to be refused", || async {
        tokio::net::TcpStream::connect(address).await.is_err().then_some(())
    })
    .await;
    assert!(!stopping.is_finished(), "a stream is under way");
    gate.open();
    let mut rest = Vec::new();
    while let Some(piece) = reply.chunk().await.expect("not cut") {
        rest.extend_from_slice(&piece);
    }
    assert!(rest.ends_with(DONE.as_bytes()));
    let (folder, _upstream) = stopping.await.expect("it stops");
    let folder = folder.path().display().to_string();
    let (clean, report) = tollgate_tests::binary::run_json(&["--data", &folder, "audit"]);
    assert!(clean && report["holds_open"] == serde_json::json!(0), "{report} {ledger:?}");
}
