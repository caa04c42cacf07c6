//! What changes the price of a turn's tokens, or adds to them: steps that a provider takes beside the answer, regions and other
//! classes of service, verdicts beside the answer, and what is refused by name because nobody could charge for it.

use serde_json::{Value, json};
use tollgate_base::Usd;
use tollgate_tests::TestGateway;
use tollgate_tests::alarm_log::AlarmLog;
use tollgate_tests::beside_tokens::{Answer, Asked, OUTPUT, PROMPT, ask, asked, usd};
use tollgate_tests::formats::{models, upstreams};
use tollgate_tests::gateway::{Options, amount, exact};
use tollgate_tests::upstream::Received;

/// Nano-USD of the tokens of an answer, at 0.15 and 0.6 USD for a million.
const TOKENS_NANOS: u64 = PROMPT * 150 + OUTPUT * 600;
/// Tokens that a provider may add around a prompt.
const OVERHEAD: u64 = 16;
/// The longest prompt of a model, and its longest output.
const CONTEXT: u64 = 100_000;
const OUTPUT_MAX: u64 = 1000;

/// A model over each format that sells, and one that does not.
async fn gateway() -> TestGateway {
    const PRICES: &str = r#"tools = { moderation = "0.0005" }
service_tiers = { scale = "1.5" }
speeds = { fast = "6" }
regions = { us = "1.1", eu = "1.25" }"#;
    let config = [upstreams(), models("sells", "up", "", PRICES), models("plain", "up", "", "")].concat();
    TestGateway::with(Options { config, credit: "1000", ..Options::default() }).await
}

/// The one request that the provider was sent.
fn sent(gateway: &TestGateway) -> Value {
    let mut received = gateway.upstream.take_received();
    assert_eq!(received.len(), 1);
    serde_json::from_slice(&received.remove(0).body).expect("JSON")
}

/// As much as a turn can use that the provider makes a context short for, of a body of this length: a whole context is read and
/// the longest summary written, and then the turn itself.
fn most(format: &str, prompt: u64) -> Value {
    if format == "responses" {
        let (input, output) = (prompt + CONTEXT, 2 * OUTPUT_MAX);
        return json!({"input_tokens": input, "output_tokens": output, "total_tokens": input + output,
            "input_tokens_details": {"cache_write_tokens": input}});
    }
    // All of it is written to a cache for an hour, which is dearest.
    let written = |tokens: u64| {
        json!({"input_tokens": 0, "cache_read_input_tokens": 0, "cache_creation_input_tokens": tokens,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": tokens},
            "output_tokens": OUTPUT_MAX})
    };
    let step = |kind: &str, tokens: u64| {
        let mut step = written(tokens);
        step["type"] = json!(kind);
        step
    };
    let mut usage = written(prompt);
    usage["iterations"] = json!([step("compaction", CONTEXT), step("message", prompt)]);
    usage
}

/// The dearest turn with a compaction costs what was held for it, to the nano-USD.
#[tokio::test(flavor = "multi_thread")]
async fn a_hold_covers_the_pass_that_makes_a_context_short() {
    let gateway = gateway().await;
    for (format, write_picos, edits) in [
        ("messages", 300_000, json!({"edits": [{"type": "compact_20260112"}]})),
        ("responses", 187_500, json!([{"type": "compaction", "compact_threshold": 50_000}])),
    ] {
        for stream in [false, true] {
            let more = json!({"context_management": edits});
            let request = ask(format, &format!("plain-{format}"), stream, &more);
            let prompt = u64::try_from(request.1.to_string().len()).expect("small") + OVERHEAD;
            gateway.upstream.on(move |request| Answer::to(request).usage(most(format, prompt)).reply());
            let Asked { status, receipt, text, dropped } = asked(&gateway, &request).await;
            let what = format!("{format}, stream {stream}: {receipt} {text}");
            assert_eq!((status, dropped, &receipt["rule"]), (200, None, &json!("reported")), "{what}");
            let picos = (prompt + CONTEXT) * write_picos + 2 * OUTPUT_MAX * 600_000;
            assert_eq!(amount(&receipt["charged_usd"]), usd(picos.div_ceil(1000)), "{what}");
            assert_eq!(receipt["held_usd"], receipt["charged_usd"], "{what}");
            assert_eq!(sent(&gateway)["context_management"], edits, "{what}");
        }
    }
    gateway.assert_books().await;
}

/// Steps of a turn that asked for them are charged one by one; those that the totals hold are not charged again.
#[tokio::test(flavor = "multi_thread")]
async fn the_steps_of_a_compacted_turn_are_charged_exactly() {
    let gateway = gateway().await;
    gateway.upstream.on(|request| {
        let iterations = json!([
            {"type": "compaction", "input_tokens": 40_001, "cache_read_input_tokens": 10, "output_tokens": 333},
            {"type": "compaction", "input_tokens": 7, "output_tokens": 1},
            {"type": "message", "input_tokens": PROMPT, "output_tokens": OUTPUT},
        ]);
        Answer::to(request).usage(json!({"iterations": iterations})).reply()
    });
    let more = json!({"context_management": {"edits": [{"type": "compact_20260112"}]}});
    for stream in [false, true] {
        let Asked { status, receipt, text, .. } =
            asked(&gateway, &ask("messages", "plain-messages", stream, &more)).await;
        assert_eq!(status, 200, "{text}");
        // The model has no price of its own for what is read from a cache.
        let steps = (40_001 + 10 + 7) * 150 + (333 + 1) * 600;
        assert_eq!(amount(&receipt["charged_usd"]), usd(TOKENS_NANOS + steps), "stream {stream}: {receipt}");
        assert_eq!(receipt["usage"]["prompt_tokens"], PROMPT + 40_001 + 10 + 7, "stream {stream}: {receipt}");
    }
    gateway.assert_books().await;
}

/// A step of another model is charged as those of the answer where it reports tokens of its own, and somebody is woken.
#[tokio::test(flavor = "multi_thread")]
async fn a_step_of_another_model_rings_and_its_tokens_are_charged() {
    let gateway = gateway().await;
    gateway.upstream.on(|request| {
        let advice = json!({"type": "advisor_message", "model": "other", "input_tokens": 500, "output_tokens": 50});
        let message = json!({"type": "message", "input_tokens": PROMPT, "output_tokens": OUTPUT});
        Answer::to(request).usage(json!({"iterations": [message, advice]})).reply()
    });
    for (rung, stream) in [false, true].into_iter().enumerate() {
        let Asked { receipt, .. } = asked(&gateway, &ask("messages", "plain-messages", stream, &json!({}))).await;
        assert_eq!(amount(&receipt["charged_usd"]), usd(TOKENS_NANOS + 500 * 150 + 50 * 600), "{receipt}");
        let told = AlarmLog::of_this_test().ring("usage", rung + 1).await.pop().expect("a line").to_string();
        assert!(told.contains("a step of another model: advisor_message"), "{told}");
    }
    gateway.assert_books().await;
}

/// An answer that says it was made in the class that the request asked for.
fn in_asked_class(request: &Received) -> Answer {
    let body: Value = serde_json::from_slice(&request.body).expect("JSON");
    let told = ["service_tier", "speed", "inference_geo"].into_iter();
    let told: Value = told.filter_map(|name| Some((name.to_owned(), body.get(name)?.clone()))).collect();
    let answer = Answer::to(request);
    if answer.format() == "messages" { answer.usage(told) } else { answer.more(told) }
}

/// Each class of service: the format and member that ask for it, the charge for it in hundredths of the base one, and the price
/// that a refusal names. Service tiers that are flexible or have priority are in `hosted_tools`.
fn classes() -> [(&'static str, Value, u64, &'static str, &'static str); 6] {
    [
        ("messages", json!({"inference_geo": "us"}), 110, "inference_geo: us", "regions.us"),
        ("messages", json!({"inference_geo": "EU"}), 125, "inference_geo: eu", "regions.eu"),
        ("messages", json!({"speed": "fast"}), 600, "speed: fast", "speeds.fast"),
        ("messages", json!({"service_tier": "scale"}), 150, "service_tier: scale", "service_tiers.scale"),
        ("chat", json!({"service_tier": "scale"}), 150, "service_tier: scale", "service_tiers.scale"),
        ("responses", json!({"service_tier": "scale"}), 150, "service_tier: scale", "service_tiers.scale"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_region_and_each_other_class_is_charged_where_it_has_a_multiplier() {
    let gateway = gateway().await;
    gateway.upstream.on(|request| in_asked_class(request).reply());
    let held = |receipt: &Value| {
        let held: Usd = amount(&receipt["held_usd"]).parse().expect("an amount");
        u64::try_from(held.nanos()).expect("it is held")
    };
    for (format, more, hundredths, class, _) in classes() {
        for stream in [false, true] {
            let request = ask(format, &format!("sells-{format}"), stream, &more);
            let Asked { status, receipt, text, .. } = asked(&gateway, &request).await;
            let what = format!("{format} {more}, stream {stream}: {receipt} {text}");
            assert_eq!((status, &receipt["service_class"]), (200, &json!(class)), "{what}");
            assert_eq!(amount(&receipt["charged_usd"]), usd(TOKENS_NANOS * hundredths / 100), "{what}");
            let plain = asked(&gateway, &ask(format, &format!("sells-{format}"), stream, &json!({}))).await.receipt;
            assert!(held(&receipt) * 100 >= held(&plain) * hundredths, "{what}");
        }
    }
    // Two of them multiply each other: 1.1 x 6.
    let both = json!({"inference_geo": "us", "speed": "fast"});
    let receipt = asked(&gateway, &ask("messages", "sells-messages", false, &both)).await.receipt;
    assert_eq!(amount(&receipt["charged_usd"]), usd(TOKENS_NANOS * 66 / 10), "{receipt}");
    assert_eq!(receipt["service_class"], "inference_geo: us, speed: fast", "{receipt}");
    gateway.assert_books().await;
}

/// Verdicts beside an answer are charged once for a request that asks for them, whatever the answer says.
#[tokio::test(flavor = "multi_thread")]
async fn verdicts_beside_an_answer_are_sold() {
    let gateway = gateway().await;
    gateway.upstream.on(|request| Answer::to(request).reply());
    for format in ["chat", "responses"] {
        for stream in [false, true] {
            let more = json!({"moderation": {"model": "judge-latest"}});
            let Asked { status, receipt, text, dropped } =
                asked(&gateway, &ask(format, &format!("sells-{format}"), stream, &more)).await;
            let what = format!("{format}, stream {stream}: {receipt} {text}");
            assert_eq!((status, dropped), (200, None), "{what}");
            assert_eq!(amount(&receipt["charged_usd"]), usd(TOKENS_NANOS + 500_000), "{what}");
            let line = json!([{"tool": "moderation", "uses": 1, "price_usd": "0.0005"}]);
            assert_eq!(receipt["tool_uses"], line, "{what}");
            assert_eq!(sent(&gateway)["moderation"], more["moderation"], "{what}");
        }
    }
    gateway.assert_books().await;
}

/// What a cache keeps for the usual time passes.
#[tokio::test(flavor = "multi_thread")]
async fn a_cache_that_is_kept_for_the_usual_time_passes() {
    let gateway = gateway().await;
    gateway.upstream.on(|request| Answer::to(request).reply());
    for format in ["chat", "responses"] {
        let more = json!({"prompt_cache_options": {"ttl": "30m"}});
        let Asked { status, receipt, text, .. } =
            asked(&gateway, &ask(format, &format!("plain-{format}"), false, &more)).await;
        assert_eq!((status, amount(&receipt["charged_usd"])), (200, usd(TOKENS_NANOS)), "{format}: {text}");
        assert_eq!(sent(&gateway)["prompt_cache_options"], more["prompt_cache_options"], "{format}");
    }
    gateway.assert_books().await;
}

/// What is refused: its format, its members, the field that is named, and what else the message says.
type Refusal = (&'static str, Value, String, String);

fn refusals() -> Vec<Refusal> {
    const OTHER: &str = "another model is not offered for model";
    let advisor = json!({"type": "advisor_20260301", "name": "advisor", "model": "other"});
    let config = |member: &str, value: Value| json!({"generationConfig": {member: value}});
    let mark = json!({"type": "text", "text": "x", "prompt_cache_breakpoint": {"mode": "explicit", "ttl": "12h"}});
    let marked = json!({"type": "input_text", "text": "x", "prompt_cache_breakpoint": {"ttl": "12h"}});
    let selection = json!({"featureSelectionPreference": "PRIORITIZE_COST"});
    let routing = json!({"autoMode": {"modelRoutingPreference": "PRIORITIZE_COST"}});
    let half_a_day = json!({"prompt_cache_options": {"ttl": "12h"}});
    let moderation = json!({"moderation": {"model": "judge-latest"}});
    let unpriced = "`price.tools.moderation` of the model";
    let cells: [(&str, Value, &str, &str); 12] = [
        ("messages", json!({"tools": [advisor]}), "tools[0]", OTHER),
        ("messages", json!({"fallbacks": [{"model": "other"}]}), "fallbacks", OTHER),
        ("generate", config("modelSelectionConfig", selection.clone()), "generationConfig.modelSelectionConfig", OTHER),
        ("generate", config("routingConfig", routing), "generationConfig.routingConfig", OTHER),
        (
            "generate",
            json!({"generation_config": {"model_selection_config": selection}}),
            "generation_config.model_selection_config",
            OTHER,
        ),
        ("chat", json!({"models": ["other", "another"]}), "models", OTHER),
        ("chat", moderation.clone(), "moderation", unpriced),
        ("responses", moderation, "moderation", unpriced),
        ("chat", half_a_day.clone(), "prompt_cache_options.ttl", "must be what the base price is for, not 12h"),
        ("responses", half_a_day, "prompt_cache_options.ttl", "must be what the base price is for, not 12h"),
        (
            "chat",
            json!({"messages": [{"role": "user", "content": [mark]}]}),
            "messages[0].content[0].prompt_cache_breakpoint.ttl",
            "must be what the base price is for, not 12h",
        ),
        (
            "responses",
            json!({"input": [{"role": "user", "content": [marked]}]}),
            "input[0].content[0].prompt_cache_breakpoint.ttl",
            "must be what the base price is for, not 12h",
        ),
    ];
    let cells = cells.into_iter().map(|(format, more, field, says)| (format, more, field.to_owned(), says.to_owned()));
    let unpriced = classes().into_iter().map(|(format, more, _, class, price)| {
        let field = class.split_once(':').expect("a member").0.to_owned();
        (format, more, field, format!("`price.{price}` of the model"))
    });
    cells.chain(unpriced).collect()
}

/// The message of an error in the shape of a format.
fn message<'e>(format: &str, error: &'e Value) -> &'e str {
    let inner = &error["error"];
    match format {
        "messages" => assert_eq!((&error["type"], &inner["type"]), (&json!("error"), &json!("invalid_request_error"))),
        "generate" => assert_eq!((&inner["code"], &inner["status"]), (&json!(400), &json!("INVALID_ARGUMENT"))),
        _ => {
            assert_eq!(inner["type"], "invalid_request_error", "{error}");
            assert!(inner["code"].is_string() && inner["param"].is_string(), "{error}");
        }
    }
    inner["message"].as_str().expect("a message")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_could_charge_for_is_refused_by_name() {
    let gateway = gateway().await;
    gateway.upstream.on(|request| Answer::to(request).reply());
    for (format, more, field, says) in refusals() {
        for stream in [false, true] {
            let request = ask(format, &format!("plain-{format}"), stream, &more);
            let Asked { status, text, .. } = asked(&gateway, &request).await;
            assert_eq!(status, 400, "{format} {more}: {text}");
            let error = exact(&text);
            let message = message(format, &error);
            assert!(message.contains(&format!("'{field}'")), "{format} {more}: {message}");
            assert!(message.contains(&says), "{format} {more}: {message}");
        }
    }
    assert_eq!(gateway.upstream.take_received().len(), 0, "no provider is asked");
    let balance = gateway.balance().await;
    assert_eq!(amount(&balance["quota_usd"]), "1000", "{balance}");
    gateway.assert_books().await;
}
