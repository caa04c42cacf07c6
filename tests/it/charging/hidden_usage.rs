//! What answers report outside the totals of their usage, against a calculation of its own: steps that the totals leave out
//! are charged to the billionth of a dollar, another model that answers at its own prices, and whatever has no price rings.

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::alarm_log::AlarmLog;
use tollgate_tests::formats;
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::random::Random;
use tollgate_tests::reply::Reply;

const FIXTURES: usize = 300;
const AT_ONCE: usize = 16;
/// Nano-USD for a thousand tokens: unread, read from a cache, written for minutes, written for an hour, output.
const PRICES: [u64; 5] = [150_000, 75_000, 187_500, 300_000, 600_000];
/// How much dearer another model is, that providers answer by unasked.
const DEARER: u64 = 10;
/// What it is called there, and a version of it.
const DEAR: [&str; 2] = ["dear-model", "dear-model-2026-01-01"];

/// An answer of a provider.
#[derive(Debug, Clone)]
struct Fixture {
    /// The format of the provider: A, or another, of which all report a class of service alone.
    provider: &'static str,
    /// Whether the client speaks another format than the provider.
    foreign: bool,
    streams: bool,
    /// Tokens of the totals, by [`PRICES`].
    totals: [u64; 5],
    /// Tokens of a step that the totals leave out.
    compaction: Option<[u64; 5]>,
    /// Searches that the provider ran though none was offered.
    searches: u64,
    tier: &'static str,
    /// The model that it says has answered.
    model: &'static str,
}

/// A model over each format, and one at its side that costs more.
fn config() -> String {
    let dear = ["chat", "messages", "generate", "responses"].map(|format| {
        format!(
            r#"
[models.dear-{format}]
context_tokens = 100000
max_output_tokens = 1000
candidates = [{{ upstream = "by-{format}", model = "{}" }}]
[models.dear-{format}.price]
prompt = "1.5"
cached = "0.75"
cache_write = "1.875"
cache_write_long = "3"
completion = "6"
"#,
            DEAR[0]
        )
    });
    [formats::config(), dear.concat()].concat()
}

impl Fixture {
    fn all() -> Vec<Self> {
        let mut random = Random::new(20_261_125);
        (0..FIXTURES)
            .map(|number| {
                let provider = ["messages", "messages", "chat", "responses", "generate"][number % 5];
                let of_a = provider == "messages";
                let mut tokens = |caches: bool| {
                    let mut few = |some: bool| if some { u64::try_from(random.below(400)).expect("few") } else { 0 };
                    [few(true) + 1, few(caches), few(caches), few(caches), few(true) + 1]
                };
                let (totals, step) = (tokens(of_a), tokens(true));
                let pick = |one: usize| (number / 5 + one).is_multiple_of(3);
                Self {
                    provider,
                    foreign: (number / 10).is_multiple_of(2),
                    streams: (number / 20).is_multiple_of(2),
                    totals,
                    compaction: (of_a && pick(0)).then_some(step),
                    searches: if of_a && pick(1) { 2 } else { 0 },
                    tier: match (pick(2), provider) {
                        (true, _) => "priority",
                        (false, "messages") => "standard",
                        (false, _) => "default",
                    },
                    model: ["upstream-model", DEAR[0], "upstream-model-001", "nobody-s", DEAR[1]][number / 7 % 5],
                }
            })
            .collect()
    }

    /// What it costs, rounded up once.
    fn nanos(&self) -> u64 {
        let tokens = |index: usize| self.totals[index] + self.compaction.map_or(0, |step| step[index]);
        let times = if self.is_dear() { DEARER } else { 1 };
        (0..PRICES.len()).map(|index| tokens(index) * PRICES[index] * times).sum::<u64>().div_ceil(1_000)
    }

    fn is_dear(&self) -> bool {
        DEAR.contains(&self.model)
    }

    /// How often it rings: for what has no price, and for another model.
    fn rings(&self) -> usize {
        usize::from(self.searches > 0 || self.tier == "priority")
            + usize::from(self.is_dear() || self.model == "nobody-s")
    }

    /// The usage in format A's words.
    fn usage_of_a(&self) -> Value {
        let tokens = |[unread, read, minutes, hour, output]: [u64; 5]| {
            json!({"input_tokens": unread, "cache_read_input_tokens": read, "cache_creation_input_tokens": minutes + hour,
                "cache_creation": {"ephemeral_5m_input_tokens": minutes, "ephemeral_1h_input_tokens": hour},
                "output_tokens": output})
        };
        let mut usage = tokens(self.totals);
        usage["service_tier"] = json!(self.tier);
        usage["server_tool_use"] = json!({"web_search_requests": self.searches, "web_fetch_requests": 0});
        let mut message = tokens(self.totals);
        message["type"] = json!("message");
        let mut iterations = vec![message];
        if let Some(step) = self.compaction {
            let mut step = tokens(step);
            step["type"] = json!("compaction");
            iterations.insert(0, step);
        }
        usage["iterations"] = json!(iterations);
        usage
    }

    fn answer(&self) -> Reply {
        let [unread, read, _, _, output] = self.totals;
        let (text, model) = ("Hello", self.model);
        match self.provider {
            "messages" => {
                let message = |content: Value, stop: Value, usage: Value| {
                    json!({"id": "msg_up", "type": "message", "role": "assistant", "model": model, "content": content,
                        "stop_reason": stop, "stop_sequence": null, "usage": usage})
                };
                let whole = message(json!([{"type": "text", "text": text}]), json!("end_turn"), self.usage_of_a());
                let first = json!({"input_tokens": 1, "output_tokens": 1});
                let events = [
                    json!({"type": "message_start", "message": message(json!([]), Value::Null, first)}),
                    json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
                    json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
                    json!({"type": "content_block_stop", "index": 0}),
                    json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null},
                        "usage": self.usage_of_a()}),
                    json!({"type": "message_stop"}),
                ];
                self.told(&whole, &events)
            }
            "chat" => {
                let usage = json!({"prompt_tokens": unread + read, "completion_tokens": output,
                    "total_tokens": unread + read + output, "prompt_tokens_details": {"cached_tokens": read}});
                let base = |object: &str, choices: Value| {
                    json!({"id": "1", "object": object, "created": 1, "model": model, "service_tier": self.tier,
                        "choices": choices})
                };
                let message = json!({"role": "assistant", "content": text});
                let mut whole =
                    base("chat.completion", json!([{"index": 0, "message": message, "finish_reason": "stop"}]));
                whole["usage"] = usage.clone();
                let piece = json!([{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]);
                let mut last = base("chat.completion.chunk", json!([]));
                last["usage"] = usage;
                let chunks = [base("chat.completion.chunk", piece), last];
                if self.streams {
                    let chunks = chunks.iter().map(|chunk| format!("data: {chunk}\n\n"));
                    return Reply::stream(chunks.chain(["data: [DONE]\n\n".to_owned()]));
                }
                Reply::json(200, &whole)
            }
            "generate" => self.answer_of_g(),
            _ => {
                let item = json!({"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
                    "content": [{"type": "output_text", "text": text, "annotations": []}]});
                let response = |status: &str, tier: &str, output_items: Value, usage: Value| {
                    json!({"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": model,
                        "service_tier": tier, "output": output_items, "usage": usage})
                };
                let usage = json!({"input_tokens": unread + read, "output_tokens": output,
                    "total_tokens": unread + read + output, "input_tokens_details": {"cached_tokens": read}});
                let whole = response("completed", self.tier, json!([item]), usage);
                let events = [
                    json!({"type": "response.created", "response": response("in_progress", "auto", json!([]), Value::Null)}),
                    json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
                    json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
                    json!({"type": "response.completed", "response": whole}),
                ];
                self.told(&whole, &events)
            }
        }
    }

    fn answer_of_g(&self) -> Reply {
        let [unread, read, _, _, output] = self.totals;
        let (text, model) = ("Hello", self.model);
        let usage = json!({"promptTokenCount": unread + read, "cachedContentTokenCount": read,
            "candidatesTokenCount": output, "totalTokenCount": unread + read + output,
            "serviceTier": self.tier.to_uppercase()});
        let candidate = json!({"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"});
        let whole = json!({"candidates": [candidate], "usageMetadata": usage, "modelVersion": model});
        match self.streams {
            true => Reply::stream([format!("data: {whole}\n\n")]),
            false => Reply::json(200, &whole),
        }
    }

    fn told(&self, whole: &Value, events: &[Value]) -> Reply {
        if !self.streams {
            return Reply::json(200, whole);
        }
        Reply::stream(
            events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a type"))),
        )
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_totals_leave_out_is_charged_and_what_has_no_price_rings() {
    let gateway = TestGateway::with(Options { config: config(), credit: "1000", ..Options::default() }).await;
    let fixtures = Fixture::all();
    let answers = fixtures.clone();
    gateway.upstream.on(move |request| {
        let body = String::from_utf8_lossy(&request.body).into_owned();
        let number = body.split("fixture-").nth(1).and_then(|rest| rest.split('.').next()).expect("a number");
        answers[number.parse::<usize>().expect("a number")].answer()
    });
    let gateway = &gateway;
    let wrong: Vec<String> = stream::iter(fixtures.iter().enumerate())
        .map(|(number, fixture)| async move { one(gateway, number, fixture).await })
        .buffer_unordered(AT_ONCE)
        .filter_map(|wrong| async { wrong })
        .collect()
        .await;
    assert!(wrong.is_empty(), "{} of {FIXTURES}:\n{}", wrong.len(), wrong.join("\n"));
    let due = fixtures.iter().map(Fixture::rings).sum();
    assert!(due > FIXTURES / 4, "{due}");
    AlarmLog::of_this_test().ring("usage", due).await;
    gateway.assert_books().await;
}

/// Asks, and tells what is wrong with the receipt.
async fn one(gateway: &TestGateway, number: usize, fixture: &Fixture) -> Option<String> {
    let text = format!("fixture-{number}.");
    let model = format!("via-{}", fixture.provider);
    let in_format = match (fixture.provider, fixture.foreign) {
        ("messages", false) | ("chat", true) => "messages",
        ("chat", false) | ("messages" | "responses" | "generate", true) => "chat",
        ("generate", false) => "generate",
        _ => "responses",
    };
    let messages = json!([{"role": "user", "content": text}]);
    let (path, mut body) = match in_format {
        "messages" => ("/v1/messages".to_owned(), json!({"messages": messages, "max_tokens": 1000})),
        "chat" => ("/v1/chat/completions".to_owned(), json!({"messages": messages, "max_completion_tokens": 1000})),
        "generate" => {
            let act = if fixture.streams { "streamGenerateContent?alt=sse" } else { "generateContent" };
            (format!("/v1beta/models/{model}:{act}"), json!({"contents": [{"parts": [{"text": text}]}]}))
        }
        _ => ("/v1/responses".to_owned(), json!({"input": text, "max_output_tokens": 1000, "store": false})),
    };
    if in_format != "generate" {
        body["model"] = json!(model);
        body["stream"] = json!(fixture.streams);
    }
    let request = client().post(gateway.url(&path)).bearer_auth(&gateway.key).header("anthropic-version", "2023-06-01");
    let reply = request.json(&body).send().await.expect("an answer");
    let (status, request_id) = (reply.status(), reply.headers()["x-request-id"].to_str().expect("text").to_owned());
    let told = reply.text().await.expect("text");
    let receipt = gateway.receipt(&request_id).await;
    let nanos = fixture.nanos();
    let expected: tollgate_base::Usd = tollgate_base::Usd::from_nanos(i64::try_from(nanos).expect("a little"));
    let charged = amount(&receipt["charged_usd"]);
    let dear = if fixture.is_dear() { json!(format!("dear-{}", fixture.provider)) } else { Value::Null };
    let by = &receipt["fallback_model"];
    let right = status == 200 && receipt["rule"] == "reported" && charged == expected.to_string() && *by == dear;
    (!right).then(|| format!("{number} {fixture:?}: {status}, {charged} and not {expected}: {receipt} {told}"))
}
