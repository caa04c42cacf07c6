//! A provider that dies at each place of a stream: before its first event, between any two, within any, and behind the last.

use serde_json::Value;
use tollgate_tests::Upstream;
use tollgate_tests::formats::answer;
use tollgate_tests::gateway::amount;
use tollgate_tests::reply::{Reply, Step};
use tollgate_tests::upstream::Received;

use super::{FORMATS, Faults, NEVER_RESTS, id};

/// The events of a whole stream in the format of a request's path.
fn events(request: &Received) -> Vec<Vec<u8>> {
    let send = |step: Step| if let Step::Send(bytes) = step { Some(bytes) } else { None };
    answer(request).steps.into_iter().filter_map(send).collect()
}

/// The first `whole` events, and half of the next one where there is one and `torn` asks for it; then nothing more, not
/// even an end, or an orderly end that comes too early.
fn dies(request: &Received, whole: usize, torn: bool, orderly: bool) -> Reply {
    let events = events(request);
    let mut sent = events[..whole.min(events.len())].to_vec();
    if let (true, Some(next)) = (torn, events.get(whole)) {
        sent.push(next[..next.len() / 2].to_vec());
    }
    let reply = Reply::stream(sent);
    if orderly { reply } else { reply.then(Step::Cut) }
}

/// What was said in the events that came whole.
fn words(events: &[Vec<u8>]) -> u64 {
    let said = |event: &&Vec<u8>| {
        let text = String::from_utf8_lossy(event);
        let names = ["content", "text", "delta"].into_iter();
        let mut spellings =
            names.flat_map(|name| ["hello", " there", " friend"].map(|word| format!("\"{name}\":\"{word}\"")));
        spellings.any(|spelling| text.contains(&spelling))
    };
    u64::try_from(events.iter().filter(said).count()).expect("a few")
}

/// What ends a stream in each format, on the client's side.
fn is_ended(format: &str, stream: &str) -> bool {
    match format {
        "chat" => stream.ends_with("data: [DONE]\n\n"),
        "messages" => stream.contains("event: message_stop"),
        "responses" => stream.contains("event: response.completed"),
        _ => stream.contains("\"finishReason\":\"STOP\"") && !stream.contains("\"error\""),
    }
}

/// A request for a stream, as the provider of a format sees it.
fn request(format: &str) -> Received {
    let path = match format {
        "chat" => "chat/completions",
        "generate" => "models/up:streamGenerateContent?alt=sse",
        same => same,
    };
    let (line, body) = (format!("POST /v1/{path} HTTP/1.1"), b"{\"stream\":true}".to_vec());
    Received { line, headers: Vec::new(), body }
}

#[tokio::test]
async fn a_stream_that_dies_anywhere_is_had_elsewhere_or_charged_for_what_came() {
    let bad = Upstream::start().await;
    let faults = Faults::start(&bad.base_url(), NEVER_RESTS).await;
    // Each provider for a client of its own format, and for one of format O.
    let own = FORMATS.map(|format| (format, format)).into_iter();
    for (provider, speaks) in own.chain(FORMATS[1..].iter().map(|format| (*format, "chat"))) {
        let count = events(&request(provider)).len();
        let ends = [(false, false), (false, true), (true, false), (true, true)];
        let deaths = (0..=count).flat_map(|whole| ends.map(|(torn, orderly)| (whole, torn, orderly)));
        for (whole, torn, orderly) in deaths.filter(|(whole, torn, _)| !torn || *whole < count) {
            bad.on(move |request| dies(request, whole, torn, orderly));
            let what = format!("{provider} for {speaks}: {whole} of {count}, torn {torn}, orderly {orderly}");
            let said = words(&events(&request(provider))[..whole]);
            // An item of format R is shown to its own clients before it says anything.
            let items = provider == "responses" && speaks == provider && whole > 2;
            if said == 0 && !items {
                assert_had_elsewhere(&faults, provider, speaks, &what).await;
            }
            assert_accounted(&faults, (provider, speaks), said, orderly, &what).await;
        }
    }
    faults.assert_resolved().await;
}

async fn assert_had_elsewhere(faults: &Faults, provider: &str, speaks: &str, what: &str) {
    let reply = faults.ask(speaks, &format!("pair-{provider}"), true).await;
    let id = id(&reply);
    let stream = reply.text().await.expect("a body");
    assert!(is_ended(speaks, &stream), "{what}: {stream}");
    assert_eq!(faults.gateway.receipt(&id).await["upstream"], format!("good-{provider}"), "{what}");
}

/// Without another candidate: an error in time or a stream that says that it broke off, and the written rule for it. `said`
/// is how many words came.
async fn assert_accounted(faults: &Faults, (provider, speaks): (&str, &str), said: u64, orderly: bool, what: &str) {
    let reply = faults.ask(speaks, &format!("alone-{provider}"), true).await;
    let (status, id) = (reply.status().as_u16(), id(&reply));
    let body = reply.text().await.expect("a body that ends");
    let receipt = faults.gateway.receipt(&id).await;
    let (rule, charged) = (receipt["rule"].as_str().expect("it is resolved"), amount(&receipt["charged_usd"]));
    let ended = status == 200 && is_ended(speaks, &body);
    let output = receipt["usage"]["completion_tokens"].as_u64();
    match (said, rule) {
        // Nothing was said yet: nothing is charged, whether the stream had begun or not.
        (0, "nothing_delivered") => {
            assert!(!ended && charged == "0", "{what}: {receipt} {body}");
            assert!(status == 200 || serde_json::from_str::<Value>(&body).is_ok(), "{what}: {status} {body}");
        }
        // The event behind which there is nothing to say had come.
        (3, "reported") if ended => assert_eq!(charged, "0.000012", "{what}: {receipt}"),
        // Or the one that says why it ended, and in order: a client of the same format gets what the provider sent.
        (3, "reported") => assert!(orderly && speaks == provider && charged == "0.000012", "{what}: {receipt} {body}"),
        // The figures had, and the end had not.
        (3, "broke_off_reported") => assert!(!ended && charged == "0.000012", "{what}: {receipt} {body}"),
        // Two to seven bytes a word are one or two tokens.
        (1.., "broke_off_counted") => {
            assert!(!ended && receipt["usage"]["estimated"] == true, "{what}: {receipt} {body}");
            assert!(output.is_some_and(|output| (1..=2 * said).contains(&output)), "{what}: {receipt}");
        }
        // A provider that said that it was finished and ended in order has only forgotten to say how much that was.
        (3, "counted") if orderly => {
            assert!(output.is_some_and(|output| (1..=6).contains(&output)), "{what}: {receipt}");
        }
        _ => panic!("{what}: {status} {receipt} {body}"),
    }
}
