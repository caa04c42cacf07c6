//! Requests made of the spec's own lists, each member with a value that its type may not be: whatever they hold, the answer is
//! an answer or a refusal in the format of the path, and the books are right.

use std::path::Path;

use futures_util::{StreamExt, stream};
use serde_json::{Map, Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::formats::{answer, models, upstreams};
use tollgate_tests::gateway::{Options, client};
use tollgate_tests::random::Random;

const REQUESTS: usize = 1_000;
const AT_ONCE: usize = 16;
/// Formats of clients, with the body that each takes in the lists.
const FORMATS: [(&str, &str); 4] = [
    ("chat", "chat.request"),
    ("responses", "responses.request"),
    ("messages", "messages.request"),
    ("generate", "generate.request"),
];

/// Models that sell some of it and models that sell nothing, over each format.
fn config() -> String {
    const PRICES: &str = r#"tools = { web_search = "0.01", web_fetch = "0", mcp = "0", moderation = "0.001", file_search = "0.002" }
service_tiers = { flex = "0.5", priority = "2" }
speeds = { fast = "6" }"#;
    let sells = models("sells", "upstream-model", "", PRICES);
    [upstreams(), sells, models("plain", "upstream-model", "", "")].concat()
}

fn lists() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/dist/resolved.json");
    let resolved: Value = serde_json::from_slice(&std::fs::read(path).expect("the resolved spec")).expect("JSON");
    resolved["request_objects"].clone()
}

/// Makes bodies of what the lists know.
struct Maker<'l> {
    lists: &'l Value,
    random: Random,
}

impl Maker<'_> {
    /// A value of any type, small or odd.
    fn odd(&mut self) -> Value {
        const WORDS: [&str; 12] = [
            "",
            "auto",
            "flex",
            "priority",
            "fast",
            "text",
            "\u{0}",
            "none",
            "web_search",
            "../x",
            "é\u{202e}",
            "required",
        ];
        match self.random.below(16) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(-1),
            3 => json!(1.5),
            4 => json!(u64::MAX),
            5 => serde_json::from_str("1e308").expect("a number"),
            6 => json!({}),
            7 => json!([]),
            8 => json!([null, 1, "x", {}]),
            9 => json!({"type": self.random.pick(&WORDS)}),
            10 => json!({"type": 3, "name": [], "id": {}}),
            11 => json!("x".repeat(self.random.below(3_000))),
            12 => json!({"enabled": false, "mode": "off"}),
            _ => json!(self.random.pick(&WORDS)),
        }
    }

    /// An object of a list: some of its members, and a kind where it has kinds.
    fn object(&mut self, name: &str, depth: usize) -> Value {
        let list = &self.lists[name];
        let members: Vec<(&String, &Value)> = list["members"].as_object().expect("members").iter().collect();
        let mut object = Map::new();
        for _ in 0..self.random.below(5) {
            let (member, class) = members[self.random.below(members.len())];
            let inner = class["holds"].as_str().filter(|_| depth < 5 && self.random.below(4) > 0);
            let value = match inner {
                Some(inner) if self.random.below(2) == 0 => self.object(inner, depth + 1),
                Some(inner) => (0..self.random.below(4)).map(|_| self.object(inner, depth + 1)).collect(),
                None => self.odd(),
            };
            object.insert(member.clone(), value);
        }
        if let (Some(member), Some(kinds)) = (list["kind_in"].as_str(), list["kinds"].as_object()) {
            let kinds: Vec<&String> = kinds.keys().collect();
            let kind = kinds[self.random.below(kinds.len())].replace('*', "20260101");
            object.insert(member.to_owned(), if self.random.below(10) == 0 { self.odd() } else { json!(kind) });
        }
        Value::Object(object)
    }

    /// A body that is right, with odd members beside.
    fn body(&mut self, format: &str, list: &str, model: &str, streams: bool) -> Value {
        let messages = json!([{"role": "user", "content": "hello"}]);
        let mut body = match format {
            "chat" => json!({"model": model, "stream": streams, "messages": messages}),
            "responses" => json!({"model": model, "stream": streams, "input": "hello"}),
            "messages" => json!({"model": model, "stream": streams, "messages": messages, "max_tokens": 100}),
            _ => json!({"contents": [{"role": "user", "parts": [{"text": "hello"}]}]}),
        };
        let odd = self.object(list, 0);
        let fixed = ["model", "stream"];
        let members = odd.as_object().expect("an object").clone().into_iter();
        body.as_object_mut().expect("an object").extend(members.filter(|(name, _)| !fixed.contains(&name.as_str())));
        if self.random.below(8) == 0 {
            let value = self.odd();
            body[format!("unheard_of_{}", self.random.below(9))] = value;
        }
        body
    }
}

/// What is wrong with an answer, if something is.
fn complaint(format: &str, status: u16, text: &str) -> Option<String> {
    if status >= 500 {
        return Some("it blames us".to_owned());
    }
    if status == 200 {
        return None;
    }
    let Ok(body) = serde_json::from_str::<Value>(text) else { return Some("it is no JSON".to_owned()) };
    let error = &body["error"];
    let right = error["message"].is_string()
        && match format {
            "messages" => body["type"] == "error" && error["type"].is_string(),
            "generate" => error["code"] == status && error["status"].is_string(),
            _ => error["type"].is_string() && error["code"].is_string(),
        };
    (!right).then(|| "it has another shape than the format's".to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_request_holds_its_answer_has_the_right_shape() {
    let gateway = TestGateway::with(Options { config: config(), credit: "1000", ..Options::default() }).await;
    gateway.upstream.on(answer);
    let lists = lists();
    let mut maker = Maker { lists: &lists, random: Random::new(20_261_126) };
    let requests: Vec<_> = (0..REQUESTS)
        .map(|number| {
            let (format, list) = FORMATS[number % 4];
            let (to, _) = FORMATS[number / 4 % 4];
            let sells = if number.is_multiple_of(3) { "plain" } else { "sells" };
            let (model, streams) = (format!("{sells}-{to}"), number.is_multiple_of(5));
            let body = maker.body(format, list, &model, streams);
            let path = match (format, streams) {
                ("chat", _) => "/v1/chat/completions".to_owned(),
                ("responses", _) => "/v1/responses".to_owned(),
                ("messages", _) => "/v1/messages".to_owned(),
                (_, true) => format!("/v1beta/models/{model}:streamGenerateContent?alt=sse"),
                (_, false) => format!("/v1beta/models/{model}:generateContent"),
            };
            (format, path, body)
        })
        .collect();
    let gateway = &gateway;
    let answers: Vec<(u16, Option<String>)> = stream::iter(&requests)
        .map(|(format, path, body)| async move {
            let request = client().post(gateway.url(path)).bearer_auth(&gateway.key);
            let reply = request.header("anthropic-version", "2023-06-01").json(body).send().await.expect("an answer");
            assert!(reply.headers().contains_key("x-request-id"));
            let (status, text) = (reply.status().as_u16(), reply.text().await.expect("text"));
            (status, complaint(format, status, &text).map(|wrong| format!("{path}: {wrong}: {status} {text}\n{body}")))
        })
        .buffered(AT_ONCE)
        .collect()
        .await;
    let wrong: Vec<&str> = answers.iter().filter_map(|(_, wrong)| wrong.as_deref()).collect();
    assert!(wrong.is_empty(), "{} of {REQUESTS}:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n\n"));
    // Both sides are tried: what passes, and what does not.
    let passed = answers.iter().filter(|(status, _)| *status == 200).count();
    assert!(passed > REQUESTS / 10 && passed < REQUESTS * 9 / 10, "{passed} of {REQUESTS} passed");
    gateway.assert_books().await;
}
