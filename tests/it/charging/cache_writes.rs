//! What a provider writes to its cache is charged at prices of its own, in whole answers, streams and what broke off.

use std::sync::Mutex;

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::beside_tokens::usd;
use tollgate_tests::formats::config;
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::reply::{Reply, Step, completion};
use tollgate_tests::upstream::Received;

/// A model whose prices of writing are written down.
const PRICED: &str = r#"
[models.priced]
context_tokens = 100000
max_output_tokens = 1000
price = { prompt = "1", cache_write = "3", cache_write_long = "7", completion = "2" }
candidates = [{ upstream = "by-messages", model = "upstream-model" }]
"#;

/// 9 at 0.15, 20 read at 0.075, 40 written for five minutes at 0.1875, 30 for an hour at 0.3, 3 of output at 0.6 USD per
/// million: 1350 + 1500 + 7500 + 9000 + 1800 nano-USD.
const COST: &str = "0.00002115";

async fn gateway() -> TestGateway {
    TestGateway::with(Options { config: config() + PRICED, ..Options::default() }).await
}

/// Format A's figures, as a whole answer and the first event of a stream tell them.
fn usage(output_tokens: u64) -> Value {
    json!({"input_tokens": 9, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 70,
        "cache_creation": {"ephemeral_5m_input_tokens": 40, "ephemeral_1h_input_tokens": 30},
        "output_tokens": output_tokens})
}

fn message(usage: &Value) -> Reply {
    let message = json!({"id": "msg_up", "type": "message", "role": "assistant", "model": "upstream-model",
        "content": [{"type": "text", "text": "Hello"}], "stop_reason": "end_turn", "stop_sequence": null, "usage": usage});
    Reply::json(200, &message)
}

fn message_stream() -> Vec<String> {
    message_stream_of(&usage(3))
}

/// The last event repeats the sums, and not how long what was written lasts.
fn message_stream_of(usage: &Value) -> Vec<String> {
    let mut first = usage.clone();
    first["output_tokens"] = json!(1);
    let start = json!({"id": "msg_up", "type": "message", "role": "assistant", "model": "upstream-model", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": first});
    let mut last = usage.clone();
    last.as_object_mut().expect("an object").remove("cache_creation");
    let events = [
        json!({"type": "message_start", "message": start}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": last}),
        json!({"type": "message_stop"}),
    ];
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a type")))
        .collect()
}

/// A request in format A that asks for a cache.
fn in_a(gateway: &TestGateway, model: &str, stream: bool) -> RequestBuilder {
    let part = json!({"type": "text", "text": "Hello", "cache_control": {"type": "ephemeral", "ttl": "1h"}});
    let turn = json!([{"role": "user", "content": [part]}]);
    let request = client().post(gateway.url("/v1/messages")).header("x-api-key", &gateway.key);
    let body = json!({"model": model, "messages": turn, "stream": stream, "max_tokens": 100});
    request.header("anthropic-version", "2023-06-01").json(&body)
}

/// The same turn in format O, to a model that is reached over format A.
fn in_o(gateway: &TestGateway, stream: bool) -> RequestBuilder {
    gateway.chat(body_in_o("via-messages", stream))
}

fn body_in_o(model: &str, stream: bool) -> String {
    let turn = json!([{"role": "user", "content": "Hello"}]);
    json!({"model": model, "messages": turn, "stream": stream, "max_completion_tokens": 100}).to_string()
}

/// Sends a request to its end: its answer and its receipt.
async fn run(gateway: &TestGateway, request: RequestBuilder) -> (String, Value) {
    let reply = request.send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let text = reply.text().await.unwrap_or_default();
    (text, gateway.receipt(&request_id).await)
}

/// Read, written for five minutes, written for an hour.
fn parts(receipt: &Value) -> [Option<u64>; 3] {
    ["cached_tokens", "cache_write_tokens", "cache_write_long_tokens"].map(|name| receipt["usage"][name].as_u64())
}

#[tokio::test]
async fn writes_are_charged_to_every_client_whole_and_streamed() {
    let gateway = gateway().await;
    for stream in [false, true] {
        for (client, request) in [("A", in_a(&gateway, "via-messages", stream)), ("O", in_o(&gateway, stream))] {
            gateway.upstream.answer(if stream { Reply::stream(message_stream()) } else { message(&usage(3)) });
            let (answer, receipt) = run(&gateway, request).await;
            assert_eq!((parts(&receipt), &receipt["rule"]), ([Some(20), Some(40), Some(30)], &json!("reported")));
            assert_eq!(receipt["usage"]["prompt_tokens"], 99, "{client} {stream}");
            assert_eq!(amount(&receipt["charged_usd"]), COST, "{client} {stream}: {answer}");
            let prices = &receipt["prices"];
            assert_eq!(
                (&prices["cache_write_picousd"], &prices["cache_write_long_picousd"]),
                (&json!(187_500), &json!(300_000))
            );
        }
    }
    gateway.assert_books().await;
}

/// A stream that breaks off is charged for what its provider had said of the prompt by then.
#[tokio::test]
async fn writes_of_a_stream_that_breaks_off_are_charged() {
    let gateway = gateway().await;
    for request in [in_a(&gateway, "via-messages", true), in_o(&gateway, true)] {
        gateway.upstream.answer(Reply::stream(message_stream().into_iter().take(3)).then(Step::Cut));
        let (_, receipt) = run(&gateway, request).await;
        assert_eq!(receipt["rule"], "broke_off_counted");
        assert_eq!(parts(&receipt), [Some(20), Some(40), Some(30)], "{receipt}");
        // The prompt as above, and five bytes of output: 19350 + 2 x 600 nano-USD.
        assert_eq!(amount(&receipt["charged_usd"]), "0.00002055");
    }
    gateway.assert_books().await;
}

/// The dearest that can happen: every token that the body can be is written for an hour. It is what was held.
#[tokio::test]
async fn a_hold_covers_a_prompt_that_is_written_whole() {
    let gateway = gateway().await;
    for (model, written) in [("via-messages", "cache_creation_input_tokens"), ("via-chat", "cache_write_tokens")] {
        let body = body_in_o(model, false);
        let prompt = u64::try_from(body.len() + 16).expect("small");
        gateway.upstream.answer(if model == "via-chat" {
            let mut answer = completion("x", prompt, 100);
            answer["usage"]["prompt_tokens_details"] = json!({written: prompt});
            Reply::json(200, &answer)
        } else {
            message(&json!({"input_tokens": 0, written: prompt, "output_tokens": 100,
                "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": prompt}}))
        });
        let (_, receipt) = run(&gateway, gateway.chat(body)).await;
        assert_eq!(receipt["charged_usd"], receipt["held_usd"], "{model}: {receipt}");
        let price = if model == "via-chat" { 187_500 } else { 300_000 };
        let nanos = (prompt * price + 100 * 600_000).div_ceil(1000);
        assert_eq!(amount(&receipt["charged_usd"]), format!("0.{nanos:09}").trim_end_matches('0'), "{model}");
    }
    gateway.assert_books().await;
}

/// Models with prices of a cache, and without one for what is written.
const CACHED: &str = r#"
[models.cached]
context_tokens = 100000
max_output_tokens = 1000
price = { prompt = "1", cached = "0.1", cache_write = "1.25", completion = "2" }
candidates = [{ upstream = "by-messages", model = "upstream-model" }]
[models.uncached]
context_tokens = 100000
max_output_tokens = 1000
price = { prompt = "1", cached = "0.1", completion = "2" }
candidates = [{ upstream = "by-messages", model = "upstream-model" }]
"#;

/// Tokens after the last place that is cached, which a provider counts apart.
const TAIL: u64 = 3;

/// A provider of format A that keeps prompts where it is asked to: a token for each byte of the conversation. It reads the
/// longest beginning that it keeps, and writes the rest but for the tail.
fn caching_provider(request: &Received, kept: &Mutex<Vec<String>>) -> Reply {
    let body: Value = serde_json::from_slice(&request.body).expect("JSON");
    let messages: Vec<String> = body["messages"].as_array().expect("a list").iter().map(ToString::to_string).collect();
    let prompt = messages.concat();
    let size = |text: &str| u64::try_from(text.len()).expect("small");
    let asked = body["cache_control"] == json!({"type": "ephemeral"});
    let mut kept = kept.lock().expect("nobody panicked");
    let read = kept.iter().filter(|known| asked && prompt.starts_with(*known)).map(|known| size(known)).max();
    let (read, fresh) = (read.unwrap_or(0), if asked { TAIL } else { size(&prompt) });
    let written = size(&prompt) - fresh - read;
    if asked {
        kept.push(prompt[..prompt.len() - usize::try_from(TAIL).expect("small")].to_owned());
    }
    message(&json!({"input_tokens": fresh, "cache_read_input_tokens": read, "cache_creation_input_tokens": written,
        "output_tokens": 5}))
}

/// Four turns of an agent that calls a tool: each sends the whole conversation again.
#[tokio::test]
async fn a_loop_of_a_client_whose_format_caches_unasked_reads_its_prompt_from_the_cache() {
    let gateway = TestGateway::with(Options { config: config() + CACHED, ..Options::default() }).await;
    let mut paid = Vec::new();
    for model in ["cached", "uncached"] {
        let kept = Mutex::default();
        gateway.upstream.on(move |request| caching_provider(request, &kept));
        let mut turns = vec![json!({"role": "user", "content": "Look at the files. ".repeat(20)})];
        let (mut nanos, mut before) = (0, 0);
        for turn in 0..4 {
            let body = json!({"model": model, "messages": turns, "max_completion_tokens": 100,
                "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]});
            let (answer, receipt) = run(&gateway, gateway.chat(body.to_string())).await;
            let tokens = |name: &str| receipt["usage"][name].as_u64().unwrap_or(0);
            let (prompt, read, written) =
                (tokens("prompt_tokens"), tokens("cached_tokens"), tokens("cache_write_tokens"));
            let expected = if model == "cached" { (before, prompt - before - TAIL) } else { (0, 0) };
            assert_eq!((read, written), expected, "{model} {turn}: {receipt}");
            // Pico-USD: fresh at 1, read at 0.1, written at 1.25, 5 of output at 2 USD per million.
            let picos = (prompt - read - written) * 1_000_000 + read * 100_000 + written * 1_250_000 + 5 * 2_000_000;
            let charged = picos.div_ceil(1000);
            assert_eq!(amount(&receipt["charged_usd"]), format!("0.{charged:09}").trim_end_matches('0'), "{answer}");
            nanos += charged;
            before = prompt - TAIL;
            let call =
                json!({"id": format!("c{turn}"), "type": "function", "function": {"name": "look", "arguments": "{}"}});
            turns.push(json!({"role": "assistant", "tool_calls": [call]}));
            turns.push(json!({"role": "tool", "tool_call_id": format!("c{turn}"), "content": "a file and another"}));
        }
        paid.push(nanos);
    }
    assert!(paid[0] < paid[1], "{paid:?}");
    gateway.assert_books().await;
}

/// The body of the turn after these in a format, of which each was a word of the client's and one of the model's; with a
/// text of the system's.
fn after(format: &str, model: &str, turns: usize, stream: bool) -> (String, Value) {
    const SYSTEM: &str = "You look at files.";
    let said = |turn: usize| if turn.is_multiple_of(2) { ("user", "Look there.") } else { ("assistant", "Looked.") };
    let turns = (0..=2 * turns).map(said);
    if format == "responses" {
        let input: Vec<Value> = turns.map(|(role, text)| json!({"role": role, "content": text})).collect();
        let body = json!({"model": model, "instructions": SYSTEM, "input": input, "max_output_tokens": 100, "store": false,
            "stream": stream, "prompt_cache_key": "a"});
        return ("/v1/responses".to_owned(), body);
    }
    let role = |role: &str| if role == "assistant" { "model" } else { "user" };
    let contents: Vec<Value> = turns.map(|(who, text)| json!({"role": role(who), "parts": [{"text": text}]})).collect();
    let act = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
    let body = json!({"contents": contents, "systemInstruction": {"parts": [{"text": SYSTEM}]}});
    (format!("/v1beta/models/{model}:{act}"), body)
}

/// Formats R and G cache unasked as O does: their clients' conversations are cached where that has a price, and what the answer
/// tells of reads and writes is charged.
#[tokio::test]
async fn conversations_of_formats_r_and_g_are_cached_where_that_has_a_price() {
    let gateway = TestGateway::with(Options { config: config() + CACHED, ..Options::default() }).await;
    for format in ["responses", "generate"] {
        // 9 fresh at 1, 20 read at 0.1, 40 and 30 written at 1.25 and 2, 3 of output at 2 USD per million, each in nano-USD.
        for (model, nanos) in [("cached", 9_000 + 2_000 + 50_000 + 60_000 + 6_000), ("uncached", 9_000 + 6_000)] {
            for (turns, stream) in [(0, false), (1, false), (2, true)] {
                let told = if model == "cached" { usage(3) } else { json!({"input_tokens": 9, "output_tokens": 3}) };
                gateway.upstream.answer(if stream { Reply::stream(message_stream_of(&told)) } else { message(&told) });
                let (path, body) = after(format, model, turns, stream);
                let request = client().post(gateway.url(&path)).bearer_auth(&gateway.key).json(&body);
                let (answer, receipt) = run(&gateway, request).await;
                let what = format!("{format} to {model}, turn {turns}: {receipt} {answer}");
                assert_eq!(amount(&receipt["charged_usd"]), usd(nanos), "{what}");
                let sent = gateway.upstream.take_received().pop().expect("a request");
                let sent: Value = serde_json::from_slice(&sent.body).expect("JSON");
                let asked = if model == "cached" { json!({"type": "ephemeral"}) } else { Value::Null };
                assert_eq!(sent["cache_control"], asked, "{what}: {sent}");
                assert_eq!(sent.to_string().matches("cache_control").count(), usize::from(model == "cached"), "{sent}");
                assert_eq!(sent["messages"].as_array().map(Vec::len), Some(2 * turns + 1), "{what}: {sent}");
                assert!(sent["system"].to_string().contains("You look at files."), "{what}: {sent}");
            }
        }
    }
    gateway.assert_books().await;
}

/// Who marks places itself has them, and no more.
#[tokio::test]
async fn marks_of_a_client_of_format_o_reach_the_provider() {
    let gateway = TestGateway::with(Options { config: config() + CACHED, ..Options::default() }).await;
    gateway.upstream.on(|_| message(&usage(3)));
    let mark = json!({"type": "ephemeral", "ttl": "1h"});
    let turn = json!([{"role": "user", "content": [{"type": "text", "text": "Hello", "cache_control": mark}]}]);
    for model in ["cached", "uncached"] {
        let body = json!({"model": model, "messages": turn, "max_completion_tokens": 100});
        run(&gateway, gateway.chat(body.to_string())).await;
    }
    for received in gateway.upstream.take_received() {
        let body: Value = serde_json::from_slice(&received.body).expect("JSON");
        assert_eq!(body["messages"][0]["content"][0]["cache_control"], mark, "{body}");
        assert_eq!(body["cache_control"], Value::Null, "{body}");
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn written_prices_stand_in_the_place_of_the_usual_ones() {
    let gateway = gateway().await;
    gateway.upstream.answer(message(&usage(3)));
    let (_, receipt) = run(&gateway, in_a(&gateway, "priced", false)).await;
    // 9 and 20 at 1, 40 at 3, 30 at 7, 3 at 2 USD per million.
    assert_eq!(amount(&receipt["charged_usd"]), "0.000365");
    let expected = json!({"prompt_picousd": 1_000_000, "cached_picousd": 1_000_000, "cache_write_picousd": 3_000_000,
        "cache_write_long_picousd": 7_000_000, "completion_picousd": 2_000_000,
        "audio_prompt_picousd": 1_000_000, "image_prompt_picousd": 1_000_000, "audio_completion_picousd": 2_000_000,
        "image_completion_picousd": 2_000_000, "reasoning_picousd": 2_000_000, "request_picousd": 0});
    assert_eq!(receipt["prices"], expected);
    gateway.assert_books().await;
}
