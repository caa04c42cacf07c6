//! Another model takes the place of the one that was asked for, where the operator named one: in every format, seen by the
//! client, and paid for at its own prices.

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tollgate_tests::formats::{TEXT, answer};
use tollgate_tests::gateway::{Options, amount, client as http};
use tollgate_tests::reply::{Reply, Step, chunk};
use tollgate_tests::{ReplyGate, TestGateway, Upstream};

const CLIENTS: [&str; 6] = ["chat", "messages", "generate", "responses", "completions", "embeddings"];
const FORMATS: [&str; 4] = ["chat", "messages", "generate", "responses"];

/// A gateway with `main` at the harness's provider, which fails, and behind it `by-<format>` at another, for each format.
/// `main` costs 1 and the others 10 and 20 USD a million, in and out.
struct Rescue {
    gateway: TestGateway,
    second: Upstream,
}

impl Rescue {
    /// With `main` that falls back to `others`, and keys before its tables.
    async fn start(others: &[&str], options: Options) -> Self {
        let second = Upstream::start().await;
        second.on(answer);
        let others = others.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let main = format!(
            "{}\n[models.main]\ncontext_tokens = 100000\nmax_output_tokens = 1000\n\
             price = {{ prompt = \"1\", completion = \"1\" }}\n\
             candidates = [{{ upstream = \"fake\", model = \"upstream-model\" }}]\nfallback = [{others}]\n",
            options.config
        );
        let spare = |format: &str| {
            format!(
                "[upstreams.{format}]\nformat = \"{format}\"\nbase_url = {:?}\n[models.by-{format}]\n\
                 context_tokens = 100000\nmax_output_tokens = 50\nfallback = [\"main\"]\n\
                 price = {{ prompt = \"10\", cache_write = \"10\", cache_write_long = \"10\", completion = \"20\", version = \"spare\" }}\n\
                 candidates = [{{ upstream = \"{format}\", model = \"upstream-model\" }}]\n",
                second.base_url()
            )
        };
        let config = main + &FORMATS.map(spare).concat();
        let gateway = TestGateway::with(Options { config, ..options }).await;
        gateway.upstream.answer(Reply::json(500, &json!({"error": {"message": "no"}})));
        Self { gateway, second }
    }

    fn ask(&self, client: &str, stream: bool, bound: Option<u64>) -> RequestBuilder {
        let turn = json!([{"role": "user", "content": "Hello"}]);
        let mut body = match client {
            "chat" => json!({"model": "main", "messages": turn, "stream": stream, "max_completion_tokens": bound}),
            "messages" => {
                json!({"model": "main", "messages": turn, "stream": stream, "max_tokens": bound.unwrap_or(20)})
            }
            "generate" => json!({"contents": [{"parts": [{"text": "Hello"}]}], "generationConfig": {}}),
            "responses" => {
                json!({"model": "main", "input": "Hello", "stream": stream, "store": false, "max_output_tokens": bound})
            }
            "completions" => json!({"model": "main", "prompt": "Hello", "stream": stream, "max_tokens": bound}),
            _ => json!({"model": "main", "input": "Hello"}),
        };
        if let (Some(bound), true) = (bound, client == "generate") {
            body["generationConfig"]["maxOutputTokens"] = json!(bound);
        }
        let verb = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
        let path = match client {
            "chat" => "/v1/chat/completions".to_owned(),
            "generate" => format!("/v1/models/main:{verb}"),
            same => format!("/v1/{same}"),
        };
        let request = http().post(self.gateway.url(&path)).bearer_auth(&self.gateway.key);
        request.header("anthropic-version", "2023-06-01").json(&body)
    }

    /// The one body that the second provider was sent.
    fn sent(&self) -> Value {
        let mut received = self.second.take_received();
        assert_eq!(received.len(), 1);
        serde_json::from_slice(&received.remove(0).body).expect("JSON")
    }
}

#[tokio::test]
async fn another_model_answers_in_every_format_and_is_paid_at_its_prices() {
    for format in FORMATS {
        let name = format!("by-{format}");
        let rescue = Rescue::start(&[&name], Options::default()).await;
        for (client, stream) in CLIENTS.into_iter().flat_map(|client| [(client, false), (client, true)]) {
            let embeds = client == "embeddings";
            if embeds && (stream || format != "chat") {
                continue;
            }
            let what = format!("{client} at {format}, stream {stream}");
            let reply = rescue.ask(client, stream, None).send().await.expect("an answer");
            let (status, headers) = (reply.status(), reply.headers().clone());
            let body = reply.text().await.expect("a body");
            let told = headers.get("x-tollgate-fallback").map(|told| told.to_str().expect("text"));
            assert_eq!((status.as_u16(), told), (200, Some(&*name)), "{what}: {body}");
            // Streams bring it in pieces.
            assert!(embeds || body.contains(if stream { "hell" } else { TEXT }), "{what}: {body}");
            let receipt = rescue.gateway.receipt(headers["x-request-id"].to_str().expect("text")).await;
            let told = ["model", "fallback_model", "upstream", "price_version", "rule"].map(|name| &receipt[name]);
            assert_eq!(told, ["main", &name, format, "spare", "reported"], "{what}");
            let prices = ["prompt_picousd", "completion_picousd"].map(|name| receipt["prices"][name].as_u64());
            assert_eq!(prices, [Some(10_000_000), Some(20_000_000)], "{what}");
            // 9 in and 3 out, but for embeddings, which have no output.
            let cost = if embeds { "0.00009" } else { "0.00015" };
            assert_eq!(amount(&receipt["charged_usd"]), cost, "{what}");
        }
        rescue.gateway.assert_books().await;
    }
}

#[tokio::test]
async fn the_model_that_was_asked_for_comes_first_and_is_held_for_with_the_others() {
    let rescue = Rescue::start(&["by-chat"], Options::default()).await;
    rescue.gateway.upstream.on(answer);
    let reply = rescue.ask("chat", false, Some(10)).send().await.expect("an answer");
    assert!(reply.headers().get("x-tollgate-fallback").is_none());
    let receipt = rescue.gateway.receipt(reply.headers()["x-request-id"].to_str().expect("text")).await;
    assert_eq!((&receipt["fallback_model"], amount(&receipt["charged_usd"])), (&Value::Null, "0.000012".to_owned()));
    assert!(rescue.second.take_received().is_empty());
    // The dearer one's worst case: its prompt at ten times the price, ten tokens of output at twenty times.
    let alone = Rescue::start(&[], Options::default()).await;
    alone.gateway.upstream.on(answer);
    let reply = alone.ask("chat", false, Some(10)).send().await.expect("an answer");
    let cheap = alone.gateway.receipt(reply.headers()["x-request-id"].to_str().expect("text")).await;
    let nanos =
        |receipt: &Value| amount(&receipt["held_usd"]).parse::<tollgate_base::Usd>().expect("an amount").nanos();
    // `main` costs 1.25 for a prompt that is written to a cache, and 1 for output; the other 10 and 20.
    let prompt = (nanos(&cheap) - 10 * 1_000) * 10 / 12_500;
    assert_eq!(nanos(&receipt), prompt * 10_000 + 10 * 20_000);
}

/// The other model gives 50 tokens at the most; the client bounded its output by what the first one can.
#[tokio::test]
async fn the_bound_of_the_output_fits_the_other_model() {
    for format in FORMATS {
        let name = format!("by-{format}");
        let rescue = Rescue::start(&[&name], Options::default()).await;
        for client in &CLIENTS[..5] {
            for (bound, expected) in [(900, 50), (40, 40)] {
                let reply = rescue.ask(client, false, Some(bound)).send().await.expect("an answer");
                let what = format!("{client} at {format}: {}", reply.status());
                let told = reply.headers().get("x-tollgate-output-bound").map(|told| told.to_str().expect("text"));
                assert_eq!(told, (bound != expected).then_some("50"), "{what}");
                let sent = rescue.sent();
                let places = [
                    "/max_completion_tokens",
                    "/max_tokens",
                    "/max_output_tokens",
                    "/generationConfig/maxOutputTokens",
                ];
                let found: Vec<_> = places.iter().filter_map(|place| sent.pointer(place)?.as_u64()).collect();
                assert_eq!(found, [expected], "{what}: {sent}");
            }
        }
    }
}

#[tokio::test]
async fn each_is_tried_in_turn_and_their_own_lists_are_not_followed() {
    let rescue = Rescue::start(&["by-chat", "by-messages"], Options::default()).await;
    rescue.second.on(|request| match request.line.contains("/chat/") {
        true => Reply::json(503, &json!({})).header("retry-after", "1"),
        false => answer(request),
    });
    let reply = rescue.ask("generate", true, None).send().await.expect("an answer");
    assert_eq!(reply.headers()["x-tollgate-fallback"], "by-messages");
    let _ = reply.text().await;
    // `by-messages` names `main` for itself, which was asked once already.
    rescue.second.answer(Reply::json(500, &json!({})));
    let _ = (rescue.gateway.upstream.take_received(), rescue.second.take_received());
    let reply = rescue.ask("chat", false, None).send().await.expect("an answer");
    assert_eq!(reply.status(), 502);
    assert_eq!((rescue.gateway.upstream.take_received().len(), rescue.second.take_received().len()), (1, 2));
    rescue.gateway.assert_books().await;
}

/// Why the others failed says nothing of the model that the client named.
#[tokio::test]
async fn the_client_reads_why_its_own_model_did_not_answer() {
    let rescue = Rescue::start(&["by-chat"], Options::default()).await;
    rescue.gateway.upstream.answer(Reply::json(429, &json!({})).header("retry-after", "7"));
    for other in [400, 404, 503] {
        rescue.second.answer(Reply::json(other, &json!({"error": {"message": "by-chat cannot", "code": "x"}})));
        let reply = rescue.ask("chat", false, None).send().await.expect("an answer");
        assert_eq!((reply.status().as_u16(), &reply.headers()["retry-after"]), (429, &"7".parse().expect("a value")));
        let told: Value = reply.json().await.expect("JSON");
        assert_eq!(told["error"]["code"], "upstream_rate_limited", "{told}");
        assert_eq!(rescue.second.take_received().len(), 1, "{other}");
    }
    // A request that its own model's provider finds fault with is asked nowhere else.
    rescue.gateway.upstream.answer(Reply::json(400, &json!({"error": {"message": "no"}})));
    assert_eq!(rescue.ask("chat", false, None).send().await.expect("an answer").status(), 400);
    assert!(rescue.second.take_received().is_empty());
    assert_eq!(amount(&rescue.gateway.balance().await["available_usd"]), "10");
    rescue.gateway.assert_books().await;
}

#[tokio::test]
async fn credit_that_buys_the_first_alone_is_no_reason_to_refuse() {
    // A prompt of some 6,000 tokens: below a cent at `main`, six cents at the other.
    let rescue = Rescue::start(&["by-chat"], Options { credit: "0.02", ..Options::default() }).await;
    let content = "word ".repeat(1_000);
    let body = json!({"model": "main", "messages": [{"role": "user", "content": content}], "max_tokens": 10});
    assert_eq!(rescue.gateway.chat(body.to_string()).send().await.expect("an answer").status(), 502);
    assert!(rescue.second.take_received().is_empty(), "nobody could have paid for it");
    rescue.gateway.upstream.on(answer);
    assert_eq!(rescue.gateway.chat(body.to_string()).send().await.expect("an answer").status(), 200);
    rescue.gateway.assert_books().await;
}

#[tokio::test]
async fn a_stream_that_has_begun_is_no_other_model_s() {
    let rescue = Rescue::start(&["by-chat"], Options::default()).await;
    let gate = ReplyGate::default();
    let events = [chunk(&json!({"content": "half"}), None)];
    rescue.gateway.upstream.answer(Reply::stream(events).then(Step::Wait(gate.clone())).then(Step::Cut));
    let reply = rescue.ask("chat", true, None).send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    gate.open();
    let text = reply.text().await.expect("a stream");
    assert!(text.contains("half") && text.contains("broke off"), "{text}");
    let receipt = rescue.gateway.receipt(&request_id).await;
    assert_eq!((&receipt["rule"], &receipt["fallback_model"]), (&json!("broke_off_counted"), &Value::Null));
    assert!(rescue.second.take_received().is_empty());
}

/// A stream of the other model is charged by its own prices however it ends.
#[tokio::test]
async fn a_stream_of_the_other_model_that_breaks_off_costs_what_it_delivered_there() {
    let rescue = Rescue::start(&["by-chat"], Options::default()).await;
    rescue.second.answer(Reply::stream([chunk(&json!({"content": "12345678"}), None)]).then(Step::Cut));
    let reply = rescue.ask("chat", true, Some(20)).send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let _ = reply.text().await;
    let receipt = rescue.gateway.receipt(&request_id).await;
    assert_eq!((&receipt["rule"], &receipt["fallback_model"]), (&json!("broke_off_counted"), &json!("by-chat")));
    let turn = json!([{"role": "user", "content": "Hello"}]);
    let body = json!({"model": "main", "messages": turn, "stream": true, "max_completion_tokens": 20});
    let prompt = body.to_string().len().div_ceil(4);
    let nanos = prompt * 10_000 + 2 * 20_000;
    let charged: tollgate_base::Usd = amount(&receipt["charged_usd"]).parse().expect("an amount");
    assert_eq!(charged.nanos(), i64::try_from(nanos).expect("small"), "{receipt}");
    rescue.gateway.assert_books().await;
}

#[tokio::test]
async fn all_models_share_the_whole_time() {
    let config = "[patience]\ntotal_seconds = 1".to_owned();
    let rescue = Rescue::start(&["by-chat"], Options { config, ..Options::default() }).await;
    rescue.gateway.upstream.answer(Reply::json(200, &json!({})).after(ReplyGate::default()));
    assert_eq!(rescue.ask("chat", false, None).send().await.expect("an answer").status(), 504);
    assert!(rescue.second.take_received().is_empty());
}

/// The other model has a price for pictures of its own; one without is not tried.
#[tokio::test]
async fn pictures_are_drawn_by_another_model_that_has_a_price_for_them() {
    let painter = |name: &str, upstream: &str, image: &str, fallback: &str| {
        format!(
            "[models.{name}]\ncontext_tokens = 8000\nmax_output_tokens = 1\nfallback = [{fallback}]\n\
             price = {{ prompt = \"1\", completion = \"1\", {image} version = \"{name}\" }}\n\
             candidates = [{{ upstream = \"{upstream}\", model = \"up\" }}]\n"
        )
    };
    let second = Upstream::start().await;
    second.on(answer);
    let config = format!(
        "[upstreams.second]\nbase_url = {:?}\n{}{}{}",
        second.base_url(),
        painter("first", "fake", "image = \"0.04\",", "\"writer\", \"other\""),
        painter("writer", "second", "", ""),
        painter("other", "second", "image = \"0.05\",", ""),
    );
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    gateway.upstream.answer(Reply::hang_up());
    let body = json!({"model": "first", "prompt": "a cat"});
    let request = http().post(gateway.url("/v1/images/generations")).bearer_auth(&gateway.key).json(&body);
    let reply = request.send().await.expect("an answer");
    assert_eq!(
        (reply.status().as_u16(), &reply.headers()["x-tollgate-fallback"]),
        (200, &"other".parse().expect("a value"))
    );
    let receipt = gateway.receipt(reply.headers()["x-request-id"].to_str().expect("text")).await;
    assert_eq!((amount(&receipt["held_usd"]), amount(&receipt["charged_usd"])), ("0.05".to_owned(), "0.05".to_owned()));
    assert_eq!((&receipt["fallback_model"], &receipt["price_version"]), (&json!("other"), &json!("other")));
    assert_eq!(second.take_received().len(), 1);
    gateway.assert_books().await;
}
