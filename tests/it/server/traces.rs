//! Traces reach a collector, say what they should and nothing else, and trouble with it is nobody else's.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;
use tollgate_tests::gateway::Options;
use tollgate_tests::reply::{Reply, chat_stream};
use tollgate_tests::spans::{Collector, Span};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway};

/// A trace that a client is in, and wants sampled.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

async fn traced(collector: &Collector, ratio: &str) -> TestGateway {
    TestGateway::with(Options { config: collector.config(ratio), ..Options::default() }).await
}

/// The id of a request that was answered to its end.
async fn answered(request: reqwest::RequestBuilder) -> String {
    let traceparent = format!("00-{TRACE}-b7ad6b7169203331-01");
    let reply = request.header("traceparent", traceparent).send().await.expect("an answer");
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.bytes().await.expect("a body");
    id
}

/// The spans of a request by name, once they are all there.
async fn spans(collector: &Collector, request: &str, names: &[&str]) -> BTreeMap<String, Span> {
    let mut found = BTreeMap::new();
    until("its spans", || {
        let of = |span: &Span| span.notes.get("tollgate.request_id").is_some_and(|id| id == request);
        found.extend(collector.take().into_iter().filter(of).map(|span| (span.name.clone(), span)));
        let complete = names.iter().all(|name| found.contains_key(*name)).then(|| found.clone());
        async { complete }
    })
    .await
}

fn note<'s>(spans: &'s BTreeMap<String, Span>, span: &str, name: &str) -> &'s str {
    spans[span].notes.get(name).map_or("", String::as_str)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_leaves_a_span_for_each_of_its_parts() {
    let collector = Collector::start().await;
    let gateway = traced(&collector, "1").await;
    let streamed = Reply::stream(chat_stream(&["a", "b"], 9, 3));
    for (stream, reply) in [(false, None), (true, Some(streamed))] {
        reply.into_iter().for_each(|reply| gateway.upstream.answer(reply));
        let request = answered(if stream { gateway.hello_stream() } else { gateway.hello() }).await;
        let spans = spans(&collector, &request, &["chat.create", "answer", "hold", "try", "settle"]).await;
        let root = &spans["chat.create"];
        assert_eq!((root.parent.as_str(), root.trace.len(), root.id.len()), ("", 32, 16));
        assert_ne!(root.trace, TRACE, "a client's own trace is linked to and not gone on with");
        for (name, span) in &spans {
            assert_eq!(span.trace, root.trace, "{name}");
            assert!(*name == root.name || span.parent == root.id, "{name}");
            assert!(span.times[0] <= span.times[1] && root.times[0] <= span.times[1], "{name}: {:?}", span.times);
        }
        assert_eq!(spans["answer"].links, [TRACE]);
        assert!(spans["answer"].times[1] >= spans["settle"].times[1], "it ends with its settlement");
        assert!(note(&spans, "hold", "tollgate.key_id").parse::<u64>().is_ok(), "its number, and not the key");
        let account = gateway.account.to_string();
        for (span, name, value) in [
            ("chat.create", "http.response.status_code", "200"),
            ("chat.create", "tollgate.operation", "chat.create"),
            ("answer", "tollgate.model", "small"),
            ("answer", "tollgate.format", "Chat"),
            ("answer", "tollgate.account_id", &account),
            ("hold", "tollgate.account_id", &account),
            ("try", "tollgate.upstream", "fake"),
            ("settle", "tollgate.rule", "reported"),
            ("settle", "tollgate.charged_usd", "0.00000315"),
        ] {
            assert_eq!(note(&spans, span, name), value, "{span}: {name}");
        }
    }
    gateway.upstream.on(|_| Reply::hang_up());
    let failed = answered(gateway.hello()).await;
    let failed = spans(&collector, &failed, &["chat.create", "settle"]).await;
    assert_eq!(note(&failed, "chat.create", "tollgate.code"), "UPSTREAM_FAILED");
    assert_eq!(note(&failed, "settle", "tollgate.rule"), "nothing_delivered");
    gateway.stop().await;
}

/// What a stranger sends has no say in what is traced at the house's cost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_cannot_have_itself_traced() {
    let collector = Collector::start().await;
    let gateway = traced(&collector, "0.000001").await;
    for _ in 0..20 {
        answered(gateway.hello()).await;
    }
    // What waits is sent at the end.
    gateway.stop().await;
    assert_eq!(collector.take(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_spans_are_sent_before_the_end() {
    let collector = Collector::start().await;
    let gateway = traced(&collector, "1").await;
    let request = answered(gateway.hello()).await;
    gateway.stop().await;
    let names: Vec<String> = collector.take().into_iter().map(|span| span.name).collect();
    for part in ["chat.create", "answer", "hold", "try", "settle"] {
        assert!(names.iter().any(|name| name == part), "{request}: {names:?}");
    }
}

/// A collector that hangs, that refuses, and one that is not there: requests neither wait nor fail, and the end is in time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trouble_with_the_collector_is_nobody_elses() {
    let (hangs, refuses, gone) = (Collector::start().await, Collector::start().await, Collector::start().await);
    let never = ReplyGate::default();
    hangs.0.answer(Reply::raw(200, "application/x-protobuf", Vec::new()).after(never));
    refuses.0.answer(Reply::raw(500, "text/plain", b"no".to_vec()));
    let configs = [hangs.config("1"), refuses.config("1"), gone.config("1")];
    drop(gone);
    for (index, config) in configs.into_iter().enumerate() {
        let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
        let began = Instant::now();
        // More than a batch: the exporter is at work on the first of them meanwhile.
        for _ in 0..150 {
            let reply = gateway.hello().send().await.expect("an answer");
            assert_eq!(reply.status(), 200);
        }
        let took = began.elapsed();
        let ends = Instant::now();
        gateway.stop().await;
        // The collector's own times are seconds: a request that waited for it once, or an end that did for each batch, is
        // longer than this, on any machine that finishes the suite.
        assert!(took < Duration::from_secs(30), "{took:?}");
        assert!(ends.elapsed() < Duration::from_secs(10), "{:?}", ends.elapsed());
        let asked = [&hangs, &refuses].get(index).is_none_or(|collector| !collector.take_bytes().is_empty());
        assert!(asked, "the collector was in the way at all");
    }
}
