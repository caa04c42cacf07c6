//! Every way that a call can end: which rule applies, what it costs, and what the client sees.

mod table;

use serde_json::{Value, json};
use tollgate_base::{Clock, Usd};
use tollgate_tests::gateway::{Options, amount, hello};
use tollgate_tests::reply::{DONE, Reply, Step, chunk, completion, usage_chunk};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway};

/// Eight bytes of output: two tokens by our own count.
fn text() -> String {
    chunk(&json!({"content": "12345678"}), None)
}

fn finish() -> String {
    chunk(&json!({}), Some("stop"))
}

/// Tokens of [`hello`] by our own count, whose size counts.
fn counted_prompt(stream: bool) -> i64 {
    let bytes = hello(stream).to_string().len();
    i64::try_from(bytes.div_ceil(4)).expect("a short prompt")
}

struct Charged<'a> {
    rule: &'a str,
    /// Prompt, output, and whether we counted; `None` where nothing is charged.
    usage: Option<(i64, i64, bool)>,
}

fn assert_charged(receipt: &Value, expected: &Charged<'_>, what: &str) {
    assert_eq!(receipt["rule"], expected.rule, "{what}: {receipt}");
    let usage = &receipt["usage"];
    match expected.usage {
        None => assert_eq!((usage, amount(&receipt["charged_usd"])), (&Value::Null, "0".to_owned()), "{what}"),
        Some((prompt, output, estimated)) => {
            let seen =
                (usage["prompt_tokens"].as_i64(), usage["completion_tokens"].as_i64(), usage["estimated"].as_bool());
            assert_eq!(seen, (Some(prompt), Some(output), Some(estimated)), "{what}");
            let nanos = (prompt * 150_000 + output * 600_000 + 999) / 1000;
            let charged: Usd = amount(&receipt["charged_usd"]).parse().expect("an amount");
            assert_eq!(charged.nanos(), nanos, "{what}");
        }
    }
    let nanos = |name: &str| amount(&receipt[name]).parse::<Usd>().expect("an amount").nanos();
    assert_eq!(nanos("charged_usd") + nanos("released_usd"), nanos("held_usd"), "{what}");
}

#[tokio::test]
async fn a_stream_that_runs_to_its_end_or_breaks() {
    let gateway = TestGateway::start().await;
    let prompt = counted_prompt(true);
    let absurd = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":-1,\"completion_tokens\":5}}\n\n".to_owned();
    let done = DONE.to_owned();
    for (what, events, cut, expected) in [
        (
            "complete",
            vec![text(), finish(), usage_chunk(7, 2), done.clone()],
            false,
            Charged { rule: "reported", usage: Some((7, 2, false)) },
        ),
        (
            "no usage",
            vec![text(), finish(), done.clone()],
            false,
            Charged { rule: "counted", usage: Some((prompt, 2, true)) },
        ),
        (
            "absurd usage",
            vec![text(), finish(), absurd, done.clone()],
            false,
            Charged { rule: "counted", usage: Some((prompt, 2, true)) },
        ),
        ("cut after output", vec![text()], true, Charged { rule: "broke_off_counted", usage: Some((prompt, 2, true)) }),
        (
            "ended after output",
            vec![text()],
            false,
            Charged { rule: "broke_off_counted", usage: Some((prompt, 2, true)) },
        ),
        (
            "usage that says nothing of the output",
            vec![text(), finish(), usage_chunk(7, 0), done.clone()],
            false,
            Charged { rule: "counted", usage: Some((7, 2, true)) },
        ),
        (
            "usage of nothing",
            vec![text(), finish(), usage_chunk(0, 0), done.clone()],
            false,
            Charged { rule: "counted", usage: Some((prompt, 2, true)) },
        ),
        (
            "cut after usage",
            vec![text(), usage_chunk(7, 2)],
            true,
            Charged { rule: "broke_off_reported", usage: Some((7, 2, false)) },
        ),
        ("cut before output", vec![], true, Charged { rule: "nothing_delivered", usage: None }),
        (
            "error before output",
            vec!["data: {\"error\":{}}\n\n".to_owned()],
            false,
            Charged { rule: "nothing_delivered", usage: None },
        ),
        (
            "error after output",
            vec![text(), "data: {\"error\":{}}\n\n".to_owned()],
            false,
            Charged { rule: "broke_off_counted", usage: Some((prompt, 2, true)) },
        ),
    ] {
        let mut reply = Reply::stream(events);
        if cut {
            reply = reply.then(Step::Cut);
        }
        gateway.upstream.answer(reply);
        let answered = gateway.hello_stream().send().await.expect("an answer");
        let request_id = answered.headers()["x-request-id"].to_str().expect("text").to_owned();
        let _ = answered.text().await;
        assert_charged(&gateway.receipt(&request_id).await, &expected, what);
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_whole_answer_without_usage_is_counted() {
    let gateway = TestGateway::start().await;
    let mut answer = completion("12345678", 0, 0);
    answer["usage"] = Value::Null;
    gateway.upstream.answer(Reply::json(200, &answer));
    let reply = gateway.hello().send().await.expect("an answer");
    let receipt = gateway.receipt(reply.headers()["x-request-id"].to_str().expect("text")).await;
    assert_charged(&receipt, &Charged { rule: "counted", usage: Some((counted_prompt(false), 2, true)) }, "whole");
    // An operator whose provider stops reporting wants to know.
    let metrics = tollgate_tests::client().get(gateway.url("/metrics")).send().await.expect("an answer");
    assert!(metrics.text().await.expect("text").contains("tollgate_usage_counted_total 1"));
}

#[tokio::test]
async fn a_client_that_leaves_pays_what_the_provider_reports() {
    let gateway = TestGateway::start().await;
    let gate = ReplyGate::default();
    let events = [text(), text(), finish(), usage_chunk(7, 4), DONE.to_owned()];
    gateway.upstream.answer(Reply::stream(events).step_at(1, Step::Wait(gate.clone())));
    let request_id = leave_after_first_piece(&gateway).await;
    gate.open();
    let receipt = gateway.receipt(&request_id).await;
    assert_charged(&receipt, &Charged { rule: "client_gone_reported", usage: Some((7, 4, false)) }, "read on");
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_client_that_leaves_pays_the_count_when_patience_ends() {
    let config = "[patience]\nabandoned_seconds = 0\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let never = ReplyGate::default();
    gateway.upstream.answer(Reply::stream([text(), finish(), DONE.to_owned()]).step_at(1, Step::Wait(never)));
    let request_id = leave_after_first_piece(&gateway).await;
    let receipt = gateway.receipt(&request_id).await;
    let expected = Charged { rule: "client_gone_counted", usage: Some((counted_prompt(true), 2, true)) };
    assert_charged(&receipt, &expected, "cancelled");
    until("the provider to notice", || async { (gateway.upstream.abandoned() == 1).then_some(()) }).await;
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_client_that_leaves_before_any_output_pays_nothing() {
    let config = "[patience]\nabandoned_seconds = 0\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let never = ReplyGate::default();
    gateway.upstream.answer(Reply::json(200, &completion("x", 1, 1)).step_at(0, Step::Wait(never)));
    let request = tokio::spawn(gateway.hello().send());
    until("the provider to be asked", || async { (!gateway.upstream.take_received().is_empty()).then_some(()) }).await;
    request.abort();
    until("the hold to be released", || async {
        let balance = gateway.balance().await;
        (amount(&balance["held_usd"]) == "0" && amount(&balance["available_usd"]) == "10").then_some(())
    })
    .await;
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_cost_above_the_hold_takes_the_rest_of_the_credit_and_no_more() {
    // The hold of `hello` is below a tenth of a cent; the provider reports eighteen cents' worth.
    let gateway = TestGateway::with(Options { credit: "0.1", ..Options::default() }).await;
    gateway.upstream.answer(Reply::json(200, &completion("x", 2, 300_000)));
    let reply = gateway.hello().send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    let receipt = gateway.receipt(reply.headers()["x-request-id"].to_str().expect("text")).await;
    assert_eq!(amount(&receipt["charged_usd"]), "0.1");
    assert_eq!(amount(&receipt["shortfall_usd"]), "0.0800003");
    assert_eq!(amount(&gateway.balance().await["available_usd"]), "0");
    gateway.assert_books().await;
}

/// Asks for a stream, takes its first piece, and hangs up.
async fn leave_after_first_piece(gateway: &TestGateway) -> String {
    let mut reply = gateway.hello_stream().send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.chunk().await.expect("a read").expect("a piece");
    drop(reply);
    request_id
}

/// A client that stays and does not read is not waited for beyond the request's time, and pays for what had arrived.
#[tokio::test]
async fn a_client_that_does_not_read_is_charged_when_its_time_is_up() {
    // Within which the answer has to begin too, however busy the machine is.
    let config = "[patience]\ntotal_seconds = 4\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    // More than all buffers on the way can hold.
    let piece = chunk(&json!({"content": "x".repeat(100_000)}), None);
    gateway.upstream.answer(Reply::stream(vec![piece; 400]));
    let mut reply = gateway.hello_stream().send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.chunk().await.expect("a read").expect("a piece");
    let receipt = gateway.receipt(&request_id).await;
    assert_eq!((receipt["rule"].as_str(), receipt["status"].as_str()), (Some("client_gone_counted"), Some("settled")));
    // Far more had arrived than the bound of the request allows: a count of ours never exceeds what was held.
    assert_eq!(receipt["charged_usd"], receipt["held_usd"]);
    gateway.assert_books().await;
    drop(reply);
}

/// A picture is many bytes and few tokens: where we count, its size in the body is not charged as text.
#[tokio::test]
async fn a_picture_that_we_have_to_count_costs_no_more_than_was_held() {
    let gateway = TestGateway::with(Options { credit: "1", ..Options::default() }).await;
    gateway.upstream.answer(Reply::stream(vec![text()]));
    let url = format!("data:image/png;base64,{}", "A".repeat(3_000_000));
    let content = json!([{"type": "image_url", "image_url": {"url": url}}]);
    let body = json!({"model": "small", "stream": true, "max_tokens": 100, "messages": [{"role": "user", "content": content}]});
    let reply = gateway.chat(body.to_string()).send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let _ = reply.text().await;
    let receipt = gateway.receipt(&request_id).await;
    assert_eq!(receipt["rule"], "broke_off_counted");
    let nanos = |name: &str| amount(&receipt[name]).parse::<Usd>().expect("an amount").nanos();
    assert!(nanos("charged_usd") <= nanos("held_usd"), "{receipt}");
    gateway.assert_books().await;
}

/// A client that reads to the last moment is told that the answer broke off, and its receipt does not say that it left.
#[tokio::test]
async fn a_client_that_reads_is_told_when_the_time_is_up() {
    // Within which the answer has to begin too, however busy the machine is.
    let config = "[patience]\ntotal_seconds = 4\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    gateway.upstream.answer(Reply::stream([text(), finish()]).step_at(1, Step::Wait(ReplyGate::default())));
    let reply = gateway.hello_stream().send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let stream = reply.text().await.expect("a stream");
    assert!(stream.contains("broke off") && !stream.contains("[DONE]"), "{stream}");
    let expected = Charged { rule: "broke_off_counted", usage: Some((counted_prompt(true), 2, true)) };
    assert_charged(&gateway.receipt(&request_id).await, &expected, "out of time");
    gateway.assert_books().await;
}

/// The machine's clock is set a day ahead in the middle of a stream: its hold is not over, and it is charged.
#[tokio::test]
async fn a_clock_that_jumps_ahead_makes_no_stream_free() {
    let (clock, hand) = Clock::manual(1_800_000_000_000);
    let gateway = TestGateway::with(Options { clock, ..Options::default() }).await;
    let gate = ReplyGate::default();
    let events = [text(), text(), finish(), usage_chunk(7, 4), DONE.to_owned()];
    gateway.upstream.answer(Reply::stream(events).step_at(1, Step::Wait(gate.clone())));
    let mut reply = gateway.hello_stream().send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.chunk().await.expect("a read").expect("a piece");
    hand.advance_ms(86_400_000);
    assert_eq!(gateway.service().credit.sweep().await.expect("a sweep"), 0);
    gate.open();
    assert!(reply.text().await.expect("the rest").ends_with(DONE));
    let receipt = gateway.receipt(&request_id).await;
    assert_charged(&receipt, &Charged { rule: "reported", usage: Some((7, 4, false)) }, "after the jump");
    gateway.assert_books().await;
}

/// The patience for a client that has gone is one deadline: steps of the provider's answer do not start it again.
#[tokio::test]
async fn a_provider_that_dribbles_does_not_outlast_the_patience() {
    let config = "[patience]\nabandoned_seconds = 6\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let head = ReplyGate::default();
    let never = ReplyGate::default();
    let reply = Reply::stream([text(), finish()]).after(head.clone());
    gateway.upstream.answer(reply.step_at(1, Step::Wait(never)));
    let request = tokio::spawn(gateway.hello_stream().send());
    until("the provider to be asked", || async { (!gateway.upstream.take_received().is_empty()).then_some(()) }).await;
    request.abort();
    let gone = std::time::Instant::now();
    // Most of the patience passes before the answer begins: how long that lasts is the matter, so it is a real wait.
    tokio::time::sleep(std::time::Duration::from_secs(4)).await;
    head.open();
    until("the provider to be hung up on", || async { (gateway.upstream.abandoned() == 1).then_some(()) }).await;
    let waited = gone.elapsed();
    assert!(waited.as_millis() < 9_500, "started again, it would have been ten seconds: {waited:?}");
    gateway.assert_books().await;
}
