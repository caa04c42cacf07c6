//! Sound and pictures that providers count in tokens: held for at their own prices, charged at them, told on the receipt.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::{Options, amount, client, hello};
use tollgate_tests::reply::{DONE, Reply, chunk, completion, generated};

/// `voice` and `voice-g` have prices for sound, `ear` for sound in the input alone, `drawer` for pictures in tokens.
const CONFIG: &str = r#"
[upstreams.g]
format = "generate"
base_url = "{upstream}"
[models.voice]
context_tokens = 1000
max_output_tokens = 500
price = { prompt = "1", completion = "2", audio_prompt = "10", audio_completion = "20", image_prompt = "3" }
candidates = [{ upstream = "fake", model = "upstream-model" }]
[models.voice-g]
context_tokens = 1000
max_output_tokens = 500
price = { prompt = "1", completion = "2", audio_prompt = "10", audio_completion = "20" }
candidates = [{ upstream = "g", model = "up" }]
[models.ear]
context_tokens = 1000
max_output_tokens = 500
price = { prompt = "1", completion = "2", audio_prompt = "10" }
candidates = [{ upstream = "fake", model = "upstream-model" }]
[models.drawer]
context_tokens = 8000
max_output_tokens = 1000
price = { prompt = "5", completion = "10", image_prompt = "8", image_completion = "40" }
candidates = [{ upstream = "fake", model = "upstream-model" }]
[models.broken]
context_tokens = 1000
max_output_tokens = 500
price = { prompt = "1", completion = "1", audio_prompt = "1", audio_completion = "1" }
candidates = [{ upstream = "nobody", model = "up" }]
fallback = ["voice"]
[upstreams.nobody]
base_url = "http://127.0.0.1:1/v1"
"#;

async fn gateway() -> TestGateway {
    TestGateway::with(Options { config: CONFIG.to_owned(), ..Options::default() }).await
}

/// A request with a sound in it, for an answer that is sound.
fn spoken(model: &str, stream: bool) -> Value {
    let sound = json!({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}});
    json!({
        "model": model, "messages": [{"role": "user", "content": [sound]}], "max_completion_tokens": 100, "stream": stream,
        "modalities": ["text", "audio"], "audio": {"voice": "a", "format": "wav"},
    })
}

/// 100 tokens in, 60 of them sound, and 50 out, 40 of them sound.
fn usage() -> Value {
    json!({
        "prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150,
        "prompt_tokens_details": {"audio_tokens": 60, "text_tokens": 40},
        "completion_tokens_details": {"audio_tokens": 40, "text_tokens": 10},
    })
}

fn said(usage: &Value) -> Value {
    let mut answer = completion("", 0, 0);
    answer["choices"][0]["message"] =
        json!({"role": "assistant", "content": null, "audio": {"id": "a", "data": "AAAA", "transcript": "hello"}});
    answer["usage"] = usage.clone();
    answer
}

/// The receipt of a request that worked.
async fn receipt(gateway: &TestGateway, request: reqwest::RequestBuilder) -> Value {
    let reply = request.send().await.expect("an answer");
    let (status, headers) = (reply.status(), reply.headers().clone());
    let body = reply.text().await.expect("a body");
    assert_eq!(status, 200, "{body}");
    gateway.receipt(headers["x-request-id"].to_str().expect("text")).await
}

fn media(usage: &Value) -> [Option<u64>; 4] {
    ["audio_prompt_tokens", "image_prompt_tokens", "audio_completion_tokens", "image_completion_tokens"]
        .map(|name| usage[name].as_u64())
}

#[tokio::test]
async fn sound_is_held_for_and_charged_at_its_prices() {
    let gateway = gateway().await;
    for stream in [false, true] {
        gateway.upstream.answer(match stream {
            false => Reply::json(200, &said(&usage())),
            true => {
                let audio = chunk(&json!({"audio": {"id": "a", "data": "AAAA", "transcript": "hello"}}), None);
                let last = json!({"id": "c", "object": "chat.completion.chunk", "choices": [], "usage": usage()});
                Reply::stream([audio, chunk(&json!({}), Some("stop")), format!("data: {last}\n\n"), DONE.to_owned()])
            }
        });
        for (model, version) in [("voice", Value::Null), ("broken", json!("voice"))] {
            let receipt = receipt(&gateway, gateway.chat(spoken(model, stream).to_string())).await;
            assert_eq!((&receipt["rule"], &receipt["fallback_model"]), (&json!("reported"), &version), "{stream}");
            assert_eq!(media(&receipt["usage"]), [Some(60), Some(0), Some(40), Some(0)], "{receipt}");
            // 40 at 1 and 60 at 10, 10 at 2 and 40 at 20.
            assert_eq!(amount(&receipt["charged_usd"]), "0.00146", "{stream}");
            // All of the context at 10, and the bound of the output at 20.
            assert_eq!(amount(&receipt["held_usd"]), "0.012", "{stream}");
            let prices = &receipt["prices"];
            let prices = ["audio_prompt_picousd", "image_prompt_picousd", "audio_completion_picousd"]
                .map(|name| prices[name].as_u64());
            assert_eq!(prices, [Some(10_000_000), Some(3_000_000), Some(20_000_000)]);
            assert_eq!(receipt["prices"]["image_completion_picousd"], 2_000_000, "as text");
        }
    }
    let sent: Value = serde_json::from_slice(&gateway.upstream.take_received()[0].body).expect("JSON");
    assert_eq!(sent["audio"], json!({"voice": "a", "format": "wav"}));
    gateway.assert_books().await;
}

/// Where a request names no sound, its price bounds nothing.
#[tokio::test]
async fn text_alone_is_held_for_at_the_prices_of_text() {
    let gateway = gateway().await;
    let body = hello(false).to_string();
    let held = async |model: &str| {
        let receipt = receipt(&gateway, gateway.chat(body.replace("small", model))).await;
        amount(&receipt["held_usd"])
    };
    // Two names of five letters and of three: two tokens of input at 1.25 are between the two.
    let nanos = |text: String| text.parse::<tollgate_base::Usd>().expect("an amount").nanos();
    let (voice, ear) = (nanos(held("voice").await), nanos(held("ear").await));
    assert_eq!(voice - ear, 2 * 1_250);
}

#[tokio::test]
async fn sound_without_a_price_is_refused_by_name() {
    let gateway = gateway().await;
    gateway.upstream.answer(Reply::json(200, &said(&usage())));
    let without = |members: &[&str], model: &str| {
        let mut body = spoken(model, false);
        for member in members {
            body.as_object_mut().expect("an object").remove(*member);
        }
        body
    };
    let text = json!([{"role": "user", "content": "Hello"}]);
    let with_text = |mut body: Value| {
        body["messages"] = text.clone();
        body
    };
    for (body, named) in [
        (without(&["modalities", "audio"], "small"), Some("input_audio")),
        (without(&["modalities", "audio"], "ear"), None),
        (without(&["audio"], "ear"), Some("modalities")),
        (without(&["modalities"], "ear"), Some("audio")),
        (with_text(without(&["modalities"], "small")), Some("audio")),
        (with_text(without(&["audio"], "small")), Some("modalities")),
        (without(&[], "voice"), None),
    ] {
        let reply = gateway.chat(body.to_string()).send().await.expect("an answer");
        let (status, told) = (reply.status(), reply.json::<Value>().await.expect("JSON"));
        assert_eq!(status, if named.is_some() { 400 } else { 200 }, "{body}: {told}");
        if let Some(named) = named {
            let message = told["error"]["message"].as_str().expect("text");
            assert!(message.contains(named) && message.contains("no price"), "{message}");
        }
    }
    let plain = json!({"model": "small", "messages": text, "modalities": ["text"], "audio": null});
    assert_eq!(gateway.chat(plain.to_string()).send().await.expect("an answer").status(), 200);
    gateway.assert_books().await;
}

/// Nobody spells a letter as an escape, unless to be sold sound at the price of text.
#[tokio::test]
async fn sound_without_a_price_is_refused_however_it_is_written() {
    let gateway = gateway().await;
    for (model, part, more, refused) in [
        ("small", r#"{"type":"input\u005faudio","input\u005faudio":{"data":"AAAA"}}"#, "", true),
        ("small", r#"{"type":"audio_url","audio_url":{"url":"https://example.com/a.wav"}}"#, "", true),
        ("small", r#"{"type":"\u0061udio","at":"x"}"#, "", true),
        ("ear", r#"{"type":"input\u005faudio","input\u005faudio":{"data":"AAAA"}}"#, "", false),
        ("ear", r#"{"type":"text","text":"a"}"#, r#","modalities":["text","\u0061udio"]"#, true),
        ("small", r#"{"type":"text","text":"how is \\u0061 read?"}"#, r#","modalities":["text"]"#, false),
        ("small", r#"{"type":"text","text":"audio"}"#, "", false),
    ] {
        let messages = format!(r#"[{{"role":"user","content":[{part}]}}]"#);
        let body = format!(r#"{{"model":"{model}","messages":{messages},"max_completion_tokens":9{more}}}"#);
        let reply = gateway.chat(body.clone()).send().await.expect("an answer");
        let (status, told) = (reply.status(), reply.text().await.expect("text"));
        // A kind of part that is not listed is refused before anybody asks for its price.
        let named = told.contains("no price") || told.contains("'messages[0].content[0].type' is not known");
        assert_eq!((status.as_u16(), named), (if refused { 400 } else { 200 }, refused), "{body}");
    }
    let sound = json!({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}});
    for (model, status) in [("small", 400), ("ear", 200)] {
        let body = json!({"model": model, "input": [{"role": "user", "content": [sound]}], "store": false});
        let of_r = client().post(gateway.url("/v1/responses")).bearer_auth(&gateway.key).json(&body);
        let reply = of_r.send().await.expect("an answer");
        assert_eq!(reply.status(), status, "{model}: {}", reply.text().await.expect("text"));
    }
    gateway.assert_books().await;
}

/// Such a provider may settle by itself that it speaks: a client of any format can then be charged for sound.
#[tokio::test]
async fn sound_that_nobody_asked_a_provider_of_format_g_for_is_held_for() {
    let gateway = gateway().await;
    let mut answer = generated(&json!([{"text": "hello"}]), 10, 100);
    answer["usageMetadata"]["candidatesTokensDetails"] = json!([{"modality": "AUDIO", "tokenCount": 100}]);
    gateway.upstream.answer(Reply::json(200, &answer));
    let messages = json!([{"role": "user", "content": "Hello"}]);
    let body = json!({"model": "voice-g", "max_tokens": 100, "messages": messages});
    let of_a =
        client().post(gateway.url("/v1/messages")).bearer_auth(&gateway.key).header("a-version", "1").json(&body);
    for request in [gateway.chat(body.to_string()), of_a] {
        let receipt = receipt(&gateway, request).await;
        // 10 at 1 and 100 at 20.
        assert_eq!(amount(&receipt["charged_usd"]), "0.00201");
        let nanos = |name: &str| amount(&receipt[name]).parse::<tollgate_base::Usd>().expect("an amount").nanos();
        assert!(nanos("charged_usd") <= nanos("held_usd"), "{receipt}");
    }
    gateway.assert_books().await;
}

/// Format G tells kinds of tokens in lists, its own clients' and, converted, those of format O.
#[tokio::test]
async fn a_provider_of_format_g_tells_its_kinds_in_lists() {
    let gateway = gateway().await;
    let mut answer = generated(&json!([{"text": "hello"}]), 100, 50);
    answer["usageMetadata"]["promptTokensDetails"] =
        json!([{"modality": "TEXT", "tokenCount": 40}, {"modality": "AUDIO", "tokenCount": 60}]);
    answer["usageMetadata"]["candidatesTokensDetails"] = json!([{"modality": "AUDIO", "tokenCount": 40}]);
    gateway.upstream.answer(Reply::json(200, &answer));
    let sound = json!({"inlineData": {"mimeType": "audio/wav", "data": "AAAA"}});
    let body = json!({"contents": [{"role": "user", "parts": [sound]}], "generationConfig": {"maxOutputTokens": 100}});
    let own = client().post(gateway.url("/v1/models/voice-g:generateContent")).bearer_auth(&gateway.key).json(&body);
    let mut converted = spoken("voice-g", false);
    for member in ["modalities", "audio"] {
        converted.as_object_mut().expect("an object").remove(member);
    }
    for request in [own, gateway.chat(converted.to_string())] {
        let receipt = receipt(&gateway, request).await;
        assert_eq!(media(&receipt["usage"]), [Some(60), Some(0), Some(40), Some(0)], "{receipt}");
        assert_eq!(amount(&receipt["charged_usd"]), "0.00146");
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn figures_that_cannot_be_true_are_counted_by_us() {
    let gateway = gateway().await;
    for details in ["prompt_tokens_details", "completion_tokens_details"] {
        let mut absurd = usage();
        absurd[details]["audio_tokens"] = json!(101);
        gateway.upstream.answer(Reply::json(200, &said(&absurd)));
        let receipt = receipt(&gateway, gateway.chat(spoken("voice", false).to_string())).await;
        assert_eq!((&receipt["rule"], &receipt["usage"]["estimated"]), (&json!("counted"), &json!(true)), "{details}");
        assert_eq!(media(&receipt["usage"]), [Some(0); 4]);
    }
    gateway.assert_books().await;
}

fn drawn(usage: &Value) -> Reply {
    let picture = json!({"b64_json": "AAAA"});
    Reply::json(200, &json!({"created": 7, "data": [picture, picture], "usage": usage}))
}

#[tokio::test]
async fn pictures_are_charged_by_the_tokens_that_the_provider_reports() {
    let gateway = gateway().await;
    gateway.upstream.answer(drawn(&json!({
        "input_tokens": 50, "output_tokens": 1500, "total_tokens": 1550,
        "input_tokens_details": {"text_tokens": 10, "image_tokens": 40},
    })));
    let post = |path: &str, body: &Value| client().post(gateway.url(path)).bearer_auth(&gateway.key).json(body);
    let draw = post("/v1/images/generations", &json!({"model": "drawer", "prompt": "a cat", "n": 2}));
    let image = json!([{"image_url": "https://example.com/a.png"}]);
    let edit = post("/v1/images/edits", &json!({"model": "drawer", "prompt": "a dog", "images": image, "n": 2}));
    let nanos = |amount: String| amount.parse::<tollgate_base::Usd>().expect("an amount").nanos();
    for (request, input_held) in [(draw, None), (edit, Some(8_000 * 8_000))] {
        let receipt = receipt(&gateway, request).await;
        // 10 at 5 and 40 at 8, 1500 at 40.
        assert_eq!((&receipt["rule"], amount(&receipt["charged_usd"])), (&json!("reported"), "0.06037".to_owned()));
        assert_eq!(media(&receipt["usage"]), [Some(0), Some(40), Some(0), Some(1500)], "{receipt}");
        // Two pictures of a thousand tokens at 40, and of the input what there can be.
        let output_held = 2 * 1_000 * 40_000;
        let held = nanos(amount(&receipt["held_usd"])) - output_held;
        assert!(input_held.map_or(held > 0 && held < 64_000_000, |exact| held == exact), "{receipt}");
    }
    gateway.assert_books().await;
}

/// Nobody can tell the tokens of a picture by its size: what was held is charged, and the receipt says who counted.
#[tokio::test]
async fn pictures_that_nobody_counted_cost_what_was_held_for_them() {
    let gateway = gateway().await;
    for usage in
        [Value::Null, json!({"input_tokens": 1, "output_tokens": 5, "output_tokens_details": {"image_tokens": 6}})]
    {
        gateway.upstream.answer(drawn(&usage));
        let body = json!({"model": "drawer", "prompt": "a cat", "n": 2});
        let request = client().post(gateway.url("/v1/images/generations")).bearer_auth(&gateway.key).json(&body);
        let receipt = receipt(&gateway, request).await;
        assert_eq!((&receipt["rule"], &receipt["usage"]["estimated"]), (&json!("counted"), &json!(true)), "{usage}");
        assert_eq!(media(&receipt["usage"]), [Some(0), Some(0), Some(0), Some(2000)], "{receipt}");
        let nanos = |name: &str| amount(&receipt[name]).parse::<tollgate_base::Usd>().expect("an amount").nanos();
        assert!(nanos("charged_usd") <= nanos("held_usd"), "{receipt}");
    }
    gateway.assert_books().await;
}
