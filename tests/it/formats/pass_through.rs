//! What is not ours to change is not changed: 10,000 random bodies each way, byte for byte.

use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::Options;
use tollgate_tests::random::Random;
use tollgate_tests::reply::Reply;

const BODIES: u64 = 10_000;
const TASKS: u64 = 8;

// suite: 30s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_bodies_reach_the_other_side_as_they_are() {
    // What nobody knows is among them, and this provider is sent it.
    let options = Options { upstream: "unknown_members = \"forward\"", ..Options::default() };
    let gateway = Arc::new(TestGateway::with(options).await);
    // The provider finds its answer by the case's number, which the request carries in a member of its own.
    let answers: Arc<Mutex<std::collections::HashMap<u64, Reply>>> = Arc::default();
    let known = answers.clone();
    gateway.upstream.on(move |request| {
        let body = String::from_utf8_lossy(&request.body);
        let case = body.split("\"case\":").nth(1).and_then(|rest| rest.split(',').next()).expect("a case");
        known.lock().expect("no panic").remove(&case.parse().expect("a number")).expect("an answer")
    });
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let (gateway, answers) = (gateway.clone(), answers.clone());
        tasks.spawn(async move {
            for case in (task..BODIES).step_by(usize::try_from(TASKS).expect("small")) {
                one(&gateway, &answers, case).await;
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("every case holds");
    }
    let sent = gateway.upstream.take_received();
    assert_eq!(sent.len(), usize::try_from(BODIES).expect("small"));
    for received in sent {
        let body = String::from_utf8(received.body).expect("UTF-8");
        let case: u64 = body
            .split("\"case\":")
            .nth(1)
            .and_then(|rest| rest.split(',').next())
            .expect("a case")
            .parse()
            .expect("a number");
        let expected = Case::make(case).upstream_body;
        assert_eq!(body, expected, "case {case}");
    }
    gateway.assert_books().await;
}

async fn one(gateway: &TestGateway, answers: &Mutex<std::collections::HashMap<u64, Reply>>, number: u64) {
    let case = Case::make(number);
    answers.lock().expect("no panic").insert(number, case.answer);
    let reply = gateway.chat(case.client_body).send().await.expect("an answer");
    let status = reply.status();
    let body = reply.bytes().await.expect("a body");
    assert_eq!(status, 200, "case {number}: {}", String::from_utf8_lossy(&body));
    assert_eq!(String::from_utf8_lossy(&body), case.client_sees, "case {number}");
}

/// One request and its answer, as sent and as they have to arrive.
struct Case {
    client_body: String,
    upstream_body: String,
    answer: Reply,
    client_sees: String,
}

impl Case {
    fn make(number: u64) -> Self {
        let random = &mut Random::new(number + 1);
        let stream = number % 2 == 1;
        let usage = stream && random.below(2) == 0;
        let (client_body, upstream_body) = request(random, number, stream, usage);
        let (answer, client_sees) = if stream { streamed(random, usage) } else { whole(random) };
        Self { client_body, upstream_body, answer, client_sees }
    }
}

/// A body with the members that decide among many that do not, in random order; and what the provider has to get.
fn request(random: &mut Random, number: u64, stream: bool, usage: bool) -> (String, String) {
    let model = ["\"small\"", "\"tiny\"", "\"sm\\u0061ll\""][random.below(3)];
    let mut members = vec![
        format!("\"case\":{number},\"x\":{}", value(random, 0)),
        format!("{}\"messages\"{}:{}[{}]", space(random), space(random), space(random), value(random, 0)),
        "\"max_tokens\": 20".to_owned(),
        "MODEL".to_owned(),
    ];
    if stream {
        members.push("\"stream\": true".to_owned());
    }
    if usage {
        members.push("\"stream_options\": {\"include_usage\" : true, \"y\":[1.0]}".to_owned());
    }
    for index in 0..random.below(6) {
        members.push(format!("{}\"unknown{index} {}\":{}", space(random), text(random), value(random, 0)));
    }
    // Shuffled; the case's number stays where a comma follows it.
    for index in (1..members.len()).rev() {
        let other = random.below(index + 1);
        members.swap(index, other);
    }
    let switch = if stream && !usage { "\"stream_options\":{\"include_usage\":true}," } else { "" };
    let end = space(random);
    let body = |name: &str, switch: &str| {
        let members = members.join(",").replace("MODEL", &format!("\"model\" :  {name}"));
        format!("{{{switch}{members}{end}}}")
    };
    (body(model, ""), body("\"upstream-model\"", switch))
}

fn whole(random: &mut Random) -> (Reply, String) {
    let body = format!(
        "{}{{\"a\":{},\"choices\":[{{\"message\":{{\"content\":\"{}\"}},\"z\":{}}}],\"usage\":{{\"prompt_tokens\":1,\"completion_tokens\":1,\"q\":{}}}}}{}",
        space(random),
        value(random, 0),
        text(random),
        value(random, 0),
        value(random, 0),
        space(random)
    );
    (Reply::raw(200, "application/json", body.clone().into_bytes()), body)
}

/// A stream in random pieces that do not keep to events, characters or line ends.
fn streamed(random: &mut Random, usage: bool) -> (Reply, String) {
    let mut all = String::new();
    let mut kept = String::new();
    for _ in 0..1 + random.below(4) {
        let end = random.pick(&["\n\n", "\r\n\r\n"]);
        let comment = random.pick(&["", ": note\n", "event: x\n", "id: 7\r\n"]);
        let head = format!(
            "{comment}data: {{\"a\":{},\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]",
            one_line(random),
            text(random)
        );
        let null = if usage { "" } else { random.pick(&["", ",\"usage\":null", " , \"usage\" : null"]) };
        let rest = format!(",\"b\":{}}}{end}", one_line(random));
        all.push_str(&[&head, null, &rest].concat());
        kept.push_str(&[&head, &rest[..]].concat());
    }
    let last = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}\n\n";
    all.push_str(last);
    if usage {
        kept.push_str(last);
    }
    all.push_str("data: [DONE]\n\n");
    kept.push_str("data: [DONE]\n\n");
    let mut pieces = Vec::new();
    let mut rest = all.as_bytes();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at((1 + random.below(40)).min(rest.len()));
        pieces.push(piece.to_vec());
        rest = after;
    }
    (Reply::stream(pieces), kept)
}

/// A value without line ends, which would end the line of an event.
fn one_line(random: &mut Random) -> String {
    value(random, 0).replace(['\r', '\n'], " ")
}

fn value(random: &mut Random, depth: usize) -> String {
    match random.below(if depth > 3 { 8 } else { 11 }) {
        0 => "18446744073709551616".to_owned(),
        1 => "0.10".to_owned(),
        2 => "1e400".to_owned(),
        3 => "-0".to_owned(),
        4 => random.pick(&["true", "false", "null"]).to_owned(),
        5..=7 => format!("\"{}\"", text(random)),
        8 => format!("[{}{}]", space(random), value(random, depth + 1)),
        9 => format!("[{},{} {}]", value(random, depth + 1), space(random), value(random, depth + 1)),
        // Duplicate names and names that decide, one level down where they decide nothing.
        _ => format!(
            "{{\"model\":{},{}\"stream\" :1,\"stream\":{}}}",
            value(random, depth + 1),
            space(random),
            value(random, depth + 1)
        ),
    }
}

fn text(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.below(5) {
        text.push_str(random.pick(&[
            "a",
            " ",
            "é",
            "𝄞",
            "\u{202e}",
            "日本",
            "\\u0000",
            "\\ud83d\\ude00",
            "\\n",
            "\\\"",
            "\\/",
            "/",
            "\u{7f}",
            "usage",
            "[DONE]",
        ]));
    }
    text
}

fn space(random: &mut Random) -> &'static str {
    random.pick(&["", "", " ", "  ", "\n", "\t \r\n"])
}
