//! Every way to end in every format: the rule that the receipt names, and the charge to the billionth of a dollar.

use reqwest::RequestBuilder;
use serde_json::Value;
use tollgate_tests::formats::config;
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::reply::{Reply, Step};
use tollgate_tests::{ReplyGate, TestGateway, client};

use crate::formats::wire_samples::{Format, Part, TEXT, Usage, ask, error, events, whole};
use Ending::{Gone, GoneForEver, Stream, Whole};
use Format::{Chat, Completions, Generate, Messages, Responses};
use Part::{End, Error, Finish, Garbage, Text};
use Usage::{Silent, Told};

/// Who asks whom: each format of itself, and each of another one.
const PAIRS: [(Format, Format); 10] = [
    (Chat, Chat),
    (Completions, Completions),
    (Messages, Messages),
    (Generate, Generate),
    (Responses, Responses),
    (Chat, Messages),
    (Completions, Generate),
    (Messages, Responses),
    (Generate, Chat),
    (Responses, Generate),
];

/// What the provider does, and the client.
#[derive(Debug, Clone, Copy)]
enum Ending {
    /// A whole answer.
    Whole(Body),
    /// These parts; then the connection breaks, or the stream is closed.
    Stream(&'static [Part], Close),
    /// The client leaves within the text; the provider goes on and says these.
    Gone(&'static [Part]),
    /// The client leaves within the text; the provider says no more.
    GoneForEver,
}

#[derive(Debug, Clone, Copy)]
enum Body {
    Answer(Usage),
    Error,
    NoJson,
    Cut,
    Status(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Close {
    InOrder,
    Breaks,
}

/// What is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    Nothing,
    /// What the provider said.
    Reported(i64, i64),
    /// The prompt and the text by our own count.
    Counted,
    /// The text by our own count, the prompt by the provider's.
    CountedOf(i64),
}

const WHOLE: Usage = Told(7, 5);
const RUNNING: Usage = Told(7, 1);

#[rustfmt::skip] // a row is read as a row
const ENDINGS: [(&str, Ending, &str, Due); 24] = [
    ("whole", Whole(Body::Answer(WHOLE)), "reported", Due::Reported(7, 5)),
    ("whole, no usage", Whole(Body::Answer(Silent)), "counted", Due::Counted),
    ("whole, impossible usage", Whole(Body::Answer(Told(-1, 5))), "counted", Due::Counted),
    ("whole, usage beyond any context", Whole(Body::Answer(Told(7, i64::MAX))), "counted", Due::Counted),
    ("whole, usage without the output", Whole(Body::Answer(Told(7, 0))), "counted", Due::CountedOf(7)),
    ("an error for an answer", Whole(Body::Error), "nothing_delivered", Due::Nothing),
    ("no JSON for an answer", Whole(Body::NoJson), "nothing_delivered", Due::Nothing),
    ("whole, cut", Whole(Body::Cut), "nothing_delivered", Due::Nothing),
    ("the provider fails", Whole(Body::Status(500)), "nothing_delivered", Due::Nothing),
    ("complete", Stream(&[Text(Silent), Finish(WHOLE), End], Close::InOrder), "reported", Due::Reported(7, 5)),
    ("no usage", Stream(&[Text(Silent), Finish(Silent), End], Close::InOrder), "counted", Due::Counted),
    ("impossible usage", Stream(&[Text(Silent), Finish(Told(-1, 5)), End], Close::InOrder), "counted", Due::Counted),
    ("usage without the output", Stream(&[Text(Silent), Finish(Told(7, 0)), End], Close::InOrder), "counted", Due::CountedOf(7)),
    ("cut before the first event", Stream(&[], Close::Breaks), "nothing_delivered", Due::Nothing),
    ("empty", Stream(&[], Close::InOrder), "nothing_delivered", Due::Nothing),
    ("garbage", Stream(&[Garbage], Close::InOrder), "nothing_delivered", Due::Nothing),
    ("an error first", Stream(&[Error], Close::InOrder), "nothing_delivered", Due::Nothing),
    ("cut within", Stream(&[Text(Silent)], Close::Breaks), "broke_off_counted", Due::Counted),
    ("closed within", Stream(&[Text(Silent)], Close::InOrder), "broke_off_counted", Due::Counted),
    ("an error within", Stream(&[Text(Silent), Error], Close::InOrder), "broke_off_counted", Due::Counted),
    ("cut behind the usage", Stream(&[Text(Silent), Finish(WHOLE)], Close::Breaks), "broke_off_reported", Due::Reported(7, 5)),
    ("no terminator", Stream(&[Text(Silent), Finish(WHOLE)], Close::InOrder), "reported", Due::Reported(7, 5)),
    ("gone, reported", Gone(&[Finish(WHOLE), End]), "client_gone_reported", Due::Reported(7, 5)),
    ("gone, for ever", GoneForEver, "client_gone_counted", Due::Counted),
];

/// Endings that are not the same for all providers.
fn of_their_own(client: Format, provider: Format) -> Vec<(&'static str, Ending, &'static str, Due)> {
    let cut = Stream(&[Text(RUNNING)], Close::Breaks);
    let running = match provider {
        // Any usage in these counts for all so far.
        Chat | Completions => Some(("broke_off_reported", Due::Reported(7, 1))),
        // These tell the prompt at once and the output as it stands.
        Messages | Generate => Some(("broke_off_counted", Due::CountedOf(7))),
        // This one tells nothing before the end.
        Responses => None,
    };
    let mut all: Vec<_> = running.into_iter().map(|(rule, due)| ("cut within, with usage", cut, rule, due)).collect();
    let garbage = Stream(&[Text(Silent), Garbage, Finish(WHOLE), End], Close::InOrder);
    // Who can read the client's own format can read past it; who has to convert it cannot.
    all.push(if client == provider {
        ("garbage within", garbage, "reported", Due::Reported(7, 5))
    } else {
        ("garbage within", garbage, "broke_off_counted", Due::Counted)
    });
    all
}

impl Due {
    /// Prompt, output, and whether we counted; the size of the body counts as its prompt.
    fn usage(self, body: &Value) -> Option<(i64, i64, bool)> {
        let tokens = |bytes: usize| i64::try_from(bytes.div_ceil(4)).expect("few");
        let (prompt, output) = (tokens(body.to_string().len()), tokens(TEXT.len()));
        match self {
            Self::Nothing => None,
            Self::Reported(prompt, output) => Some((prompt, output, false)),
            Self::Counted => Some((prompt, output, true)),
            Self::CountedOf(prompt) => Some((prompt, output, true)),
        }
    }
}

fn answer(provider: Format, ending: Ending, gate: &ReplyGate) -> Reply {
    let stream = |parts: &[Part]| Reply::stream(parts.iter().flat_map(|part| events(provider, *part)));
    let text = events(provider, Text(Silent)).len();
    match ending {
        Whole(Body::Answer(usage)) => Reply::json(200, &whole(provider, usage)),
        Whole(Body::Error) => Reply::json(200, &error(provider)),
        Whole(Body::NoJson) => Reply::raw(200, "application/json", b"<html>".to_vec()),
        Whole(Body::Cut) => {
            let body = whole(provider, WHOLE).to_string().into_bytes();
            Reply::raw(200, "application/json", body[..body.len() / 2].to_vec()).then(Step::Cut)
        }
        Whole(Body::Status(status)) => Reply::json(status, &error(provider)),
        Stream(parts, Close::InOrder) => stream(parts),
        Stream(parts, Close::Breaks) => stream(parts).then(Step::Cut),
        Gone(parts) => {
            let whole = [&[Text(Silent)], parts].concat();
            stream(&whole).step_at(text, Step::Wait(gate.clone()))
        }
        GoneForEver => stream(&[Text(Silent), End]).step_at(text, Step::Wait(gate.clone())),
    }
}

/// Sends a request and takes what the client takes of the answer; gives the request's id.
async fn ended(request: RequestBuilder, leaves: bool) -> String {
    let mut reply = request.send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let mut seen = Vec::new();
    // Where some of the text has come, all of it has been counted.
    while let Ok(Some(piece)) = reply.chunk().await {
        seen.extend_from_slice(&piece);
        if leaves && memchr::memmem::find(&seen, &TEXT.as_bytes()[..2]).is_some() {
            break;
        }
    }
    request_id
}

/// What is wrong with a receipt.
fn wrong(receipt: &Value, rule: &str, due: Option<(i64, i64, bool)>) -> Option<String> {
    let usage = &receipt["usage"];
    let count = |name: &str| usage[name].as_i64();
    let seen = count("prompt_tokens").zip(count("completion_tokens")).zip(usage["estimated"].as_bool());
    let seen = seen.map(|((prompt, output), estimated)| (prompt, output, estimated));
    // Picodollars for a token of the prompt and of the output; rounded up once.
    let nanos = due.map_or(0, |(prompt, output, _)| (prompt * 150_000 + output * 600_000 + 999) / 1_000);
    let charged = format!("{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000);
    let charged = charged.trim_end_matches('0').trim_end_matches('.');
    let right = receipt["rule"] == rule && seen == due && amount(&receipt["charged_usd"]) == charged;
    (!right).then(|| format!("not {rule}, {due:?}, {charged}: {receipt}"))
}

#[tokio::test]
async fn every_ending_in_every_format_has_its_rule_and_its_price() {
    let patient = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    let short = ["[patience]\nabandoned_seconds = 0\n", &config()].concat();
    let impatient = TestGateway::with(Options { config: short, ..Options::default() }).await;
    let (mut count, mut all_wrong) = (0, Vec::new());
    for (asks, answers) in PAIRS {
        for (what, ending, rule, due) in ENDINGS.into_iter().chain(of_their_own(asks, answers)) {
            // In format R the last event tells of usage and is the terminator: what comes after it is of no matter.
            let is_over = answers == Responses && matches!(what, "cut behind the usage" | "no terminator");
            let rule = if is_over { "reported" } else { rule };
            let gateway = if matches!(ending, GoneForEver) { &impatient } else { &patient };
            let gate = ReplyGate::default();
            gateway.upstream.answer(answer(answers, ending, &gate));
            let model = ["via-", answers.name()].concat();
            let (path, body) = ask(asks, &model, !matches!(ending, Whole(_)));
            let request = client().post(gateway.url(&path)).bearer_auth(&gateway.key);
            let request = request.header("a-version", "2023-06-01").json(&body);
            let request_id = ended(request, matches!(ending, Gone(_) | GoneForEver)).await;
            if matches!(ending, Gone(_)) {
                gate.open();
            }
            let receipt = gateway.receipt(&request_id).await;
            let found = wrong(&receipt, rule, due.usage(&body));
            all_wrong.extend(found.map(|found| format!("{asks:?} of {answers:?}, {what}: {found}")));
            count += 1;
        }
    }
    assert!(all_wrong.is_empty(), "{} of {count}:\n{}", all_wrong.len(), all_wrong.join("\n"));
    assert!(count >= 12 * PAIRS.len(), "{count}");
    patient.assert_books().await;
    impatient.assert_books().await;
}
