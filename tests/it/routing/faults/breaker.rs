//! The breaker over real sockets: it opens, lets one request through when its time has come, and closes when that is answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tollgate_tests::formats::answer;
use tollgate_tests::reply::Reply;
use tollgate_tests::upstream::Received;
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, Upstream};

use super::{FORMATS, Faults, Told, id};

const KEYS: &str = "[breaker]\nfailures = 3";
/// How long it stays open at first.
pub(crate) const OPEN: Duration = Duration::from_secs(2);

/// How many probes may have been let through since a moment before the failure that opened it for `open`: each of them fails,
/// and opens it for twice as long. None within `open`; on a machine that is so slow that more has passed, one or two.
pub(crate) fn probes_since(moment: Instant, mut open: Duration) -> usize {
    let (mut passed, mut probes) = (moment.elapsed(), 0);
    while let Some(rest) = passed.checked_sub(open) {
        (passed, open, probes) = (rest, open * 2, probes + 1);
    }
    probes
}

fn failing() -> Reply {
    Reply::json(500, &json!({"error": {"message": "no"}}))
}

#[tokio::test]
async fn it_opens_probes_with_one_request_and_closes_in_every_format() {
    join_all(FORMATS.map(opens_probes_and_closes)).await;
}

async fn opens_probes_and_closes(format: &str) {
    let bad = Upstream::start().await;
    let faults = Faults::start(&bad.base_url(), KEYS).await;
    let asks = Arc::new(AtomicUsize::new(0));
    let asked = || asks.swap(0, Ordering::SeqCst);
    let script = |reply: fn(&Received) -> Reply, gate: Option<ReplyGate>| {
        let asks = asks.clone();
        bad.on(move |request| {
            asks.fetch_add(1, Ordering::SeqCst);
            let reply = reply(request);
            gate.clone().map_or(reply.clone(), |gate| reply.after(gate))
        });
    };
    // 1. Three failures in a row open it: further requests go by, and no time is lost on it.
    script(|_| failing(), None);
    for _ in 0..2 {
        faults.assert_rescued(format, true, "opening").await;
    }
    let opened = Instant::now();
    for _ in 0..3 {
        faults.assert_rescued(format, true, "opening").await;
    }
    let (sent, probes) = (asked(), probes_since(opened, OPEN));
    assert!((3..=3 + probes).contains(&sent), "{format}: passed by since the third: {sent}");
    // 2. When its rest is over, one request tries it; another one at the same time does not.
    let gate = ReplyGate::default();
    script(|_| failing(), Some(gate.clone()));
    let model = format!("pair-{format}");
    let probe = async {
        until("a probe", || async {
            let reply = faults.ask(format, &model, false).await;
            let receipt = faults.gateway.receipt(&id(&reply)).await;
            assert_eq!(receipt["upstream"], format!("good-{format}"), "its probe failed, so the other one answered");
            (asks.load(Ordering::SeqCst) == 1).then_some(())
        })
        .await;
    };
    let beside = async {
        // As soon as the probe is under way, whoever comes is sent by; it is let go when that was seen.
        let under_way = || async { (asks.load(Ordering::SeqCst) == 1).then_some(opened.elapsed()) };
        let waited = until("the probe to be under way", under_way).await;
        assert!(waited >= OPEN, "{format}: rested from the third failure on: {waited:?}");
        faults.assert_rescued(format, false, "beside the probe").await;
        let fails = Instant::now();
        gate.open();
        fails
    };
    let ((), failed) = tokio::join!(probe, beside);
    // 3. It failed, so the breaker is open again, and for longer.
    faults.assert_rescued(format, false, "open again").await;
    let (sent, probes) = (asked(), probes_since(failed, OPEN * 2));
    assert!((1..=1 + probes).contains(&sent), "{format}: the probe and nothing else: {sent}");
    // 4. The next probe is answered: it closes, and every request goes there again.
    script(answer, None);
    until("the second probe", || async {
        let _ = faults.ask(format, &model, false).await;
        (asked() == 1).then_some(())
    })
    .await;
    for _ in 0..3 {
        let reply = faults.ask(format, &model, false).await;
        assert_eq!(faults.gateway.receipt(&id(&reply)).await["upstream"], format!("bad-{format}"));
    }
    assert_eq!(asked(), 3, "{format}: closed");
    faults.assert_resolved().await;
}

/// A model at a provider opens alone: the same provider's other models are asked on.
#[tokio::test]
async fn an_open_breaker_is_told_where_there_is_nobody_else() {
    let bad = Upstream::start().await;
    let faults = Faults::start(&bad.base_url(), KEYS).await;
    bad.answer(failing());
    for format in FORMATS {
        for _ in 0..2 {
            faults.assert_told(format, false, Told::Failed, "opening").await;
        }
        let (mut since, mut open) = (Instant::now(), OPEN);
        faults.assert_told(format, false, Told::Failed, "opening").await;
        let reply = loop {
            let _ = bad.take_received();
            let asked = Instant::now();
            let reply = faults.ask(format, &format!("alone-{format}"), true).await;
            if bad.take_received().is_empty() {
                break reply;
            }
            // On a machine so slow that it was a probe: the next one is let through after twice the time.
            assert!(since.elapsed() >= open, "{format}: sent while it is open");
            (since, open) = (asked, open * 2);
        };
        assert_eq!(reply.status(), Told::Overloaded.status(format), "{format}");
        let wait: u64 = reply.headers()["retry-after"].to_str().expect("text").parse().expect("seconds");
        assert!((1..=open.as_secs()).contains(&wait), "{format}: {wait}");
        let receipt = faults.gateway.receipt(&id(&reply)).await;
        assert_eq!(receipt["rule"], "not_sent", "{format}");
        // The same provider under its other model has a breaker of its own.
        faults.assert_rescued(format, false, "another model").await;
        assert_eq!(bad.take_received().len(), 1, "{format}");
    }
    faults.assert_resolved().await;
}
