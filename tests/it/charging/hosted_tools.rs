//! Tools that a provider runs, and classes of service: held for, charged by what the answer tells, and shown on the receipt.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::alarm_log::AlarmLog;
use tollgate_tests::beside_tokens::{Answer, Asked, ask, asked, usd};
use tollgate_tests::formats::{models, upstreams};
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::reply::Reply;
use tollgate_tests::upstream::Received;

const FORMATS: [&str; 4] = ["chat", "messages", "generate", "responses"];
/// Searches that the provider runs.
const SEARCHES: u64 = 3;
/// Nano-USD of 1,000 tokens of prompt and 100 of output at the prices below.
const TOKENS_NANOS: u64 = 150_000 + 60_000;
const SEARCH_NANOS: u64 = 10_000_000;

/// A model over each format with prices for searches and classes of service, and one that has none.
fn config() -> String {
    const PRICES: &str = r#"tools = { web_search = "0.01", code_execution = "0", file_search = "0.0025" }
service_tiers = { flex = "0.5", priority = "2" }
speeds = { fast = "6" }"#;
    [upstreams(), models("sells", "up", "tool_uses_max = 5", PRICES), models("plain", "up", "", "")].concat()
}

/// An answer that tells of these searches, in this class of service.
fn answer(request: &Received, searches: u64, class: Option<&str>) -> Reply {
    let answer = Answer::to(request);
    match answer.format() {
        "messages" => {
            let mut usage = json!({"server_tool_use": {"web_search_requests": searches, "web_fetch_requests": 0}});
            if let Some(class) = class {
                usage[if class == "fast" { "speed" } else { "service_tier" }] = json!(class);
            }
            answer.usage(usage)
        }
        "responses" => {
            let search = |number: u64| {
                json!({"id": format!("ws_{number}"), "type": "web_search_call", "status": "completed",
                    "action": {"type": "search", "query": format!("q{number}")}})
            };
            answer.calls((0..searches).map(search).collect()).more(json!({"service_tier": class.unwrap_or("default")}))
        }
        "generate" => {
            let queries: Vec<String> = (0..searches).map(|number| format!("q{number}")).collect();
            let grounding = json!({"webSearchQueries": queries, "groundingChunks": [{"web": {"uri": "u"}}]});
            let more = if searches > 0 { json!({"groundingMetadata": grounding}) } else { json!({}) };
            let usage = class.map_or(json!({}), |class| json!({"serviceTier": class.to_ascii_uppercase()}));
            answer.usage(usage).more(more)
        }
        _ => answer
            .usage(json!({"num_search_queries": searches}))
            .more(json!({"service_tier": class.unwrap_or("default")})),
    }
    .reply()
}

/// A search in the words of a format.
fn search(format: &str) -> Value {
    match format {
        "messages" => json!({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}),
        "responses" => json!({"tools": [{"type": "web_search"}]}),
        "generate" => json!({"tools": [{"googleSearch": {}}]}),
        _ => json!({"web_search_options": {}}),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_sold_over_every_pair_of_formats() {
    let gateway = TestGateway::with(Options { config: config(), credit: "1000", ..Options::default() }).await;
    gateway.upstream.on(|request| answer(request, SEARCHES, None));
    for from in FORMATS {
        for to in FORMATS {
            for stream in [false, true] {
                let request = ask(from, &format!("sells-{to}"), stream, &search(from));
                let Asked { status, receipt, text: told, dropped } = asked(&gateway, &request).await;
                let cell = format!("{from} to {to}, stream {stream}: {receipt} {told}");
                assert_eq!(status, 200, "{cell}");
                // A bound that the client did not send is no part of its request.
                assert!(!dropped.as_deref().unwrap_or_default().contains("max_"), "{cell}: {dropped:?}");
                assert!(told.contains("Foun"), "{cell}");
                assert_eq!(amount(&receipt["charged_usd"]), usd(TOKENS_NANOS + SEARCHES * SEARCH_NANOS), "{cell}");
                let line = json!([{"tool": "web_search", "uses": SEARCHES, "price_usd": "0.01"}]);
                assert_eq!(receipt["tool_uses"], line, "{cell}");
                let sent = gateway.upstream.take_received().pop().expect("a request");
                let sent: Value = serde_json::from_slice(&sent.body).expect("JSON");
                let five = json!(5);
                let (found, bound) = match to {
                    "messages" => (sent["tools"][0]["type"] == "web_search_20250305", &sent["tools"][0]["max_uses"]),
                    "responses" => (sent["tools"][0]["type"] == "web_search", &sent["max_tool_calls"]),
                    // These two have no word for it.
                    "generate" => (sent["tools"][0]["googleSearch"].is_object(), &five),
                    _ => (sent["web_search_options"].is_object(), &five),
                };
                assert!(found, "{cell}: {sent}");
                assert_eq!(bound, 5, "{cell}: {sent}");
            }
        }
    }
    gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_covers_the_uses_that_may_come() {
    let gateway = TestGateway::with(Options { config: config(), credit: "1", ..Options::default() }).await;
    gateway.upstream.on(|request| answer(request, SEARCHES, None));
    for (uses, holds_least) in [(None, 5), (Some(2), 2), (Some(60), 60)] {
        let mut more = search("messages");
        if let Some(uses) = uses {
            more["tools"][0]["max_uses"] = json!(uses);
        }
        let Asked { status, receipt, text: told, .. } =
            asked(&gateway, &ask("messages", "sells-messages", false, &more)).await;
        assert_eq!(status, 200, "{told}");
        let held: f64 = amount(&receipt["held_usd"]).parse().expect("a number");
        assert!(held >= f64::from(holds_least) * 0.01, "{uses:?}: {held}");
    }
    // More than there is credit for.
    let mut more = search("messages");
    more["tools"][0]["max_uses"] = json!(100_000);
    assert_eq!(asked(&gateway, &ask("messages", "sells-messages", false, &more)).await.status, 402);
    for odd in [json!(-1), json!("many"), json!(1.5), json!([7])] {
        more["tools"][0]["max_uses"] = odd.clone();
        assert_eq!(asked(&gateway, &ask("messages", "sells-messages", false, &more)).await.status, 400, "{odd}");
    }
    gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_without_a_price_is_dropped_and_told() {
    let gateway = TestGateway::with(Options { config: config(), credit: "1000", ..Options::default() }).await;
    gateway.upstream.on(|request| answer(request, 0, None));
    for from in ["messages", "responses", "generate"] {
        for to in FORMATS {
            let request = ask(from, &format!("plain-{to}"), false, &search(from));
            let Asked { status, receipt, text: told, dropped } = asked(&gateway, &request).await;
            assert_eq!(status, 200, "{from} to {to}: {told}");
            assert!(dropped.as_deref().unwrap_or_default().starts_with("tools[0]"), "{from} to {to}: {dropped:?}");
            assert_eq!((&receipt["tool_uses"], amount(&receipt["charged_usd"])), (&json!([]), usd(TOKENS_NANOS)));
        }
    }
    let Asked { status, text: told, .. } = asked(&gateway, &ask("chat", "plain-chat", false, &search("chat"))).await;
    assert_eq!(status, 400);
    assert!(told.contains("`price.tools.web_search` of the model"), "{told}");
    gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_class_of_service_is_charged_as_the_answer_tells() {
    let gateway = TestGateway::with(Options { config: config(), credit: "1000", ..Options::default() }).await;
    gateway.upstream.on(|request| {
        let body: Value = serde_json::from_slice(&request.body).expect("JSON");
        let text = body.to_string();
        let class = ["flex", "priority", "default", "standard", "fast", "silent"]
            .into_iter()
            .find(|class| text.contains(&format!("answers-{class}")));
        answer(request, 0, class.filter(|class| *class != "silent"))
    });
    let mut rung = 0;
    for (format, more, told, class, halves) in [
        ("chat", json!({"service_tier": "flex"}), "flex", json!("service_tier: flex"), 1),
        ("chat", json!({"service_tier": "flex"}), "default", Value::Null, 2),
        ("chat", json!({"service_tier": "priority"}), "priority", json!("service_tier: priority"), 4),
        ("responses", json!({"service_tier": "flex"}), "flex", json!("service_tier: flex"), 1),
        ("responses", json!({}), "priority", json!("service_tier: priority"), 4),
        ("generate", json!({"serviceTier": "FLEX"}), "flex", json!("service_tier: flex"), 1),
        ("generate", json!({"serviceTier": "flex"}), "silent", json!("service_tier: flex"), 1),
        ("messages", json!({"speed": "fast"}), "fast", json!("speed: fast"), 12),
        ("messages", json!({"speed": "fast"}), "silent", json!("speed: fast"), 12),
        ("messages", json!({}), "standard", Value::Null, 2),
    ] {
        for stream in [false, true] {
            let mut more = more.clone();
            let field = match format {
                "generate" => "systemInstruction",
                "responses" => "instructions",
                "messages" => "system",
                _ => "user",
            };
            let note = format!("answers-{told}");
            more[field] = if format == "generate" { json!({"parts": [{"text": note}]}) } else { json!(note) };
            let Asked { status, receipt, text, .. } =
                asked(&gateway, &ask(format, &format!("sells-{format}"), stream, &more)).await;
            assert_eq!(status, 200, "{format} {more}: {text}");
            assert_eq!(receipt["service_class"], class, "{format} {more}: {receipt}");
            assert_eq!(amount(&receipt["charged_usd"]), usd(TOKENS_NANOS * halves / 2), "{format} {more}: {receipt}");
        }
    }
    // What a conversion leaves out was not asked for, and is not charged for.
    for (from, more) in [("chat", json!({"service_tier": "flex"})), ("messages", json!({"speed": "fast"}))] {
        let Asked { status, receipt, text, dropped } =
            asked(&gateway, &ask(from, "sells-generate", false, &more)).await;
        assert_eq!(status, 200, "{from}: {text}");
        let member = more.as_object().expect("an object").keys().next().expect("a member");
        assert!(dropped.as_deref().unwrap_or_default().contains(member.as_str()), "{from}: {dropped:?}");
        assert_eq!((&receipt["service_class"], amount(&receipt["charged_usd"])), (&Value::Null, usd(TOKENS_NANOS)));
    }
    // Without a multiplier it is refused where it is asked for, and rings where it comes unasked.
    let Asked { status, text: told, .. } =
        asked(&gateway, &ask("chat", "plain-chat", false, &json!({"service_tier": "flex"}))).await;
    assert_eq!(status, 400);
    assert!(told.contains("`price.service_tiers.flex` of the model"), "{told}");
    let Asked { status, receipt, .. } =
        asked(&gateway, &ask("chat", "plain-chat", false, &json!({"user": "answers-priority"}))).await;
    rung += 1;
    assert_eq!((status, amount(&receipt["charged_usd"])), (200, usd(TOKENS_NANOS)));
    AlarmLog::of_this_test().ring("usage", rung).await;
    gateway.assert_books().await;
}
