//! Told to stop, the gateway finishes what it began.

use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tollgate_base::Clock;
use tollgate_credit::LedgerStore;
use tollgate_store::{Store, StoreConfig};
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::gateway::{Options, hello};
use tollgate_tests::reply::{DONE, Reply, Step, chat_stream};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway, Upstream, client};

#[tokio::test]
async fn a_stream_under_way_is_finished_and_charged() {
    let gateway = TestGateway::start().await;
    let gate = ReplyGate::default();
    gateway.upstream.answer(Reply::stream(chat_stream(&["a", "b"], 2, 2)).step_at(2, Step::Wait(gate.clone())));
    let mut reply = gateway.hello_stream().send().await.expect("an answer");
    reply.chunk().await.expect("a read").expect("a piece");
    let address = gateway.address();
    let stopping = tokio::spawn(gateway.stop());
    until("new connections to be refused", || async { TcpStream::connect(address).await.is_err().then_some(()) }).await;
    assert!(!stopping.is_finished(), "a stream is under way");
    gate.open();
    let mut rest = Vec::new();
    while let Some(piece) = reply.chunk().await.expect("not cut") {
        rest.extend_from_slice(&piece);
    }
    assert!(rest.ends_with(DONE.as_bytes()));
    let (folder, _upstream) = stopping.await.expect("it stops");
    assert_eq!(settled(&folder).await, 1);
}

/// Neither a client that stays and never sees an end, nor one that left before, keeps the gateway from ending: when the
/// grace is over, both are charged by what was counted.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_does_not_end_is_cut_after_the_grace_and_charged() {
    const GRACE: Duration = Duration::from_secs(1);
    let gateway = TestGateway::with(Options { grace: Some(GRACE), ..Options::default() }).await;
    let never = ReplyGate::default();
    gateway.upstream.on({
        let never = never.clone();
        move |_| Reply::stream(chat_stream(&["a", "b"], 2, 2)).step_at(2, Step::Wait(never.clone()))
    });
    let mut replies = Vec::new();
    for _ in 0..2 {
        let mut reply = gateway.hello_stream().send().await.expect("an answer");
        reply.chunk().await.expect("a read").expect("a piece");
        replies.push(reply);
    }
    drop(replies.pop());
    let began = Instant::now();
    let (folder, _upstream) = gateway.stop().await;
    let took = began.elapsed();
    // A gateway that did not cut them would wait five seconds more for their settlements, and one that waited for whoever has
    // gone half a minute.
    assert!((GRACE..GRACE * 6).contains(&took), "{took:?}, and not the patience with clients that have gone");
    while let Ok(piece) = replies[0].chunk().await {
        assert!(piece.is_some(), "cut, and not ended");
    }
    assert_eq!(settled(&folder).await, 2);
    never.open();
}

/// What is still answered on open connections says that no more should be sent here.
#[tokio::test]
async fn who_was_told_to_stop_is_not_ready() {
    let gateway = TestGateway::start().await;
    let gate = ReplyGate::default();
    gateway.upstream.answer(Reply::stream(chat_stream(&["a", "b"], 2, 2)).step_at(2, Step::Wait(gate.clone())));
    let address = gateway.address();
    let mut open = TcpStream::connect(address).await.expect("a connection");
    // A connection that has not begun to ask would be closed. The gateway has seen this one begin once it has answered
    // the one behind it.
    open.write_all(b"GET /readyz HTTP/1.1\r\nhost: x\r\n").await.expect("it is open");
    let mut reply = gateway.hello_stream().send().await.expect("an answer");
    reply.chunk().await.expect("a read").expect("a piece");
    let stopping = tokio::spawn(gateway.stop());
    until("new connections to be refused", || async { TcpStream::connect(address).await.is_err().then_some(()) }).await;
    open.write_all(b"\r\n").await.expect("it is still open");
    let mut answer = String::new();
    open.read_to_string(&mut answer).await.expect("an answer, and the end");
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    let code = "shutting_down";
    assert!(answer.contains("retry-after: ") && answer.contains(code), "{answer}");
    gate.open();
    while reply.chunk().await.expect("not cut").is_some() {}
    stopping.await.expect("it stops");
}

/// The same of the process itself: a signal, the rest of the stream, a clean exit, and the charge in the books.
#[tokio::test(flavor = "multi_thread")]
async fn a_process_told_to_stop_finishes_its_streams() {
    let upstream = Upstream::start().await;
    let gate = ReplyGate::default();
    let events = chat_stream(&["a", "b"], 9, 3);
    upstream.answer(Reply::stream(events.clone()).step_at(2, Step::Wait(gate.clone())));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let args = configured(&folder, &upstream);
    let command = |rest: &[&str]| {
        let args: Vec<&str> = args.iter().map(String::as_str).chain(rest.iter().copied()).collect();
        let (done, told) = run_json(&args);
        assert!(done, "{rest:?}: {told}");
        told
    };
    command(&["account", "create", "one"]);
    command(&["credit", "grant", "--account", "one", "--usd", "1"]);
    let key = command(&["key", "create", "--account", "one"])["key"].as_str().expect("a key").to_owned();
    let served = Served::start(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let request = client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(key);
    let request = request.header("content-type", "application/json").body(hello(true).to_string());
    let address = served.url().trim_start_matches("http://").to_owned();
    let mut reply = request.send().await.expect("an answer");
    let mut text = reply.chunk().await.expect("a read").expect("a piece").to_vec();
    let ending = tokio::task::spawn_blocking(move || served.terminate());
    until("new connections to be refused", || async { TcpStream::connect(&address).await.is_err().then_some(()) })
        .await;
    assert!(!ending.is_finished(), "a stream is under way");
    gate.open();
    while let Some(piece) = reply.chunk().await.expect("not cut") {
        text.extend_from_slice(&piece);
    }
    let told = [&events[..4].concat(), DONE].concat().replace("upstream-model", "small");
    assert_eq!(String::from_utf8_lossy(&text), told);
    assert!(ending.await.expect("it stops"), "a clean exit");
    let report = command(&["audit"]);
    let settled = (&report["clean"], &report["holds_open"], &report["settled"]);
    assert_eq!(settled, (&true.into(), &0.into(), &1.into()), "{report}");
    assert_ne!(report["posted_usd"], "1", "what was delivered is charged: {report}");
}

/// How many requests were settled in the ledger of a gateway that has ended; nothing is held in it, and its books are right.
async fn settled(folder: &TempDir) -> i64 {
    let (config, clock) = (StoreConfig::Sqlite { path: folder.path().join("tollgate.db") }, Clock::system());
    let store = Store::open(&config, &clock).await.expect("the ledger");
    let report = LedgerStore::new(store, clock).audit().await.expect("an audit");
    assert!(report.is_clean() && report.totals.holds_open == 0, "{report}");
    report.totals.settled
}

/// A configuration with one model at `upstream`, as arguments of the binary.
fn configured(folder: &TempDir, upstream: &Upstream) -> [String; 4] {
    let path = folder.path().join("tollgate.toml");
    let text = format!(
        r#"[upstreams.fake]
base_url = "{}"
[models.small]
context_tokens = 1000
max_output_tokens = 100
price = {{ prompt = "0.15", completion = "0.60" }}
candidates = [{{ upstream = "fake" }}]
"#,
        upstream.base_url()
    );
    std::fs::write(&path, text).expect("a file of ours");
    let show = |path: &std::path::Path| path.display().to_string();
    ["--config".to_owned(), show(&path), "--data".to_owned(), show(folder.path())]
}
