//! Long conversations made short: sealed for the account, opened on the way in, paid for.

use serde_json::{Value, json};
use tollgate_tests::client;
use tollgate_tests::gateway::amount;
use tollgate_tests::reply::{Reply, completion};

use super::state::stranger;
use super::{FORMATS, Formats, post, says};

fn conversation() -> Value {
    json!([
        {"role": "user", "content": "My name is Ada."},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{\"at\":1}"},
        {"type": "function_call_output", "call_id": "c1", "output": "a bird"},
        {"role": "assistant", "content": "I saw a bird."},
    ])
}

async fn compacted(formats: &Formats, body: &Value) -> Value {
    formats.provider.on(|request| says(request, "Ada was shown a bird."));
    let reply = formats.post("/v1/responses/compact", body).await;
    let status = reply.status();
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let compacted: Value = reply.json().await.expect("JSON");
    assert_eq!(status, 200, "{compacted}");
    let receipt = formats.gateway.receipt(&request_id).await;
    assert_eq!((receipt["rule"].as_str(), amount(&receipt["charged_usd"])), (Some("reported"), "0.000016".into()));
    compacted
}

#[tokio::test]
async fn a_conversation_is_made_short_and_gone_on_with() {
    let formats = Formats::start().await;
    for format in FORMATS {
        let short = compacted(&formats, &json!({"model": format, "input": conversation()})).await;
        assert_eq!(short["object"], "response.compaction", "{short}");
        assert_eq!((&short["usage"]["input_tokens"], &short["usage"]["output_tokens"]), (&json!(11), &json!(5)));
        let asked = formats.sent().to_string();
        for part in ["My name is Ada.", "look", "a bird", "I saw a bird."] {
            assert!(asked.contains(part), "{format}: {asked}");
        }
        let output = short["output"].as_array().expect("items").clone();
        assert_eq!(output.len(), 2, "what the user said, and the rest: {short}");
        assert_eq!(output[0]["content"][0]["text"], "My name is Ada.");
        assert!(output[1]["encrypted_content"].as_str().is_some_and(|closed| closed.starts_with("tgc1.")), "{short}");

        // Sent back unchanged, with something new behind it.
        let mut input = output;
        input.push(json!({"role": "user", "content": "Which one?"}));
        let next = formats.ask(&json!({"model": format, "input": input})).await;
        let sent = formats.sent().to_string();
        let places = ["My name is Ada.", "Which one?"].map(|text| sent.find(text));
        assert!(places.iter().all(Option::is_some), "{format}: {sent}");
        assert!(sent.contains("Ada was shown a bird.") && !sent.contains("tgc1."), "{format}: {sent}");

        // And gone on from, and made short again.
        let further = json!({"model": format, "input": "So?", "previous_response_id": next["id"]});
        formats.ask(&further).await;
        assert!(formats.sent().to_string().contains("Ada was shown a bird."), "{format}");
        let again = compacted(&formats, &json!({"model": format, "previous_response_id": next["id"]})).await;
        let asked = formats.sent().to_string();
        assert!(asked.contains("Ada was shown a bird.") && asked.contains("Which one?"), "{format}: {asked}");
        assert_eq!(again["output"].as_array().map(Vec::len), Some(3), "{again}");
    }
    formats.gateway.assert_books().await;
}

/// A summary that is cut or empty is not sealed. It is paid for once, and clients do not send the request again.
#[tokio::test]
async fn a_summary_that_is_not_whole_is_refused_for_good() {
    let formats = Formats::start().await;
    for (text, finish, said) in [("Ada was sh", "length", "was cut"), ("", "stop", "without a text")] {
        let mut answer = completion(text, 11, 5);
        answer["choices"][0]["finish_reason"] = json!(finish);
        formats.provider.answer(Reply::json(200, &answer));
        let body = json!({"model": "chat", "input": conversation()});
        let reply = formats.post("/v1/responses/compact", &body).await;
        assert_eq!(reply.status(), 422);
        assert_eq!(reply.headers()["x-should-retry"], "false");
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        let error = reply.json::<Value>().await.expect("JSON")["error"].clone();
        assert!(error["message"].as_str().is_some_and(|message| message.contains(said)), "{error}");
        let receipt = formats.gateway.receipt(&request_id).await;
        assert_eq!((receipt["rule"].as_str(), amount(&receipt["charged_usd"])), (Some("reported"), "0.000016".into()));
    }
    formats.gateway.assert_books().await;
}

#[tokio::test]
async fn what_was_not_sealed_here_for_the_account_is_refused() {
    let formats = Formats::start().await;
    let short = compacted(&formats, &json!({"model": "chat", "input": conversation()})).await;
    let closed = short["output"][1]["encrypted_content"].as_str().expect("sealed").to_owned();
    let flipped = if closed.ends_with('A') { "B" } else { "A" };
    let altered = format!("{}{flipped}", &closed[..closed.len() - 1]);
    let stranger = stranger(&formats).await;
    let _ = formats.provider.take_received();
    for (key, closed) in [
        (&formats.gateway.key, "gAAAA-from-elsewhere"),
        (&formats.gateway.key, altered.as_str()),
        (&formats.gateway.key, "tgc1."),
        (&stranger, closed.as_str()),
    ] {
        for format in FORMATS {
            for path in ["/v1/responses", "/v1/responses/compact", "/v1/responses/input_tokens"] {
                let input =
                    json!([{"type": "compaction", "encrypted_content": closed}, {"role": "user", "content": "x"}]);
                let reply = post(&formats.gateway, key, path, &json!({"model": format, "input": input})).await;
                assert_eq!(reply.status(), 400, "{format} {path}");
                let error = reply.json::<Value>().await.expect("JSON")["error"].clone();
                let code = error["code"].as_str().expect("a code").to_uppercase();
                assert_eq!(code, "BAD_COMPACTION", "{error}");
            }
        }
    }
    assert!(formats.provider.take_received().is_empty(), "nothing was sent");
}

/// Where the request has its provider compact, the provider's own parts are its affair.
#[tokio::test]
async fn a_provider_s_own_parts_pass_where_it_compacts() {
    let formats = Formats::start().await;
    let input =
        json!([{"type": "compaction", "encrypted_content": "of-the-provider"}, {"role": "user", "content": "x"}]);
    let management = json!([{"type": "compaction", "compact_threshold": 1000}]);
    let first = formats.ask(&json!({"model": "responses", "input": input, "context_management": management})).await;
    assert_eq!(formats.sent()["input"], input);
    // What was let in once is remembered.
    formats.ask(&json!({"model": "responses", "input": "y", "previous_response_id": first["id"]})).await;
    assert_eq!(formats.sent()["input"][0]["encrypted_content"], "of-the-provider");
}

#[tokio::test]
async fn nothing_is_not_made_short() {
    let formats = Formats::start().await;
    for input in [json!(null), json!([])] {
        let reply = formats.post("/v1/responses/compact", &json!({"model": "chat", "input": input})).await;
        assert_eq!(reply.status(), 400);
    }
    let reply = formats.post("/v1/responses/compact", &json!({"model": "unknown", "input": "x"})).await;
    assert_eq!(reply.status(), 404);
    assert!(formats.provider.take_received().is_empty());
}

/// What was sent is what is given again, and not the turn that it was made by; so is a response.
#[tokio::test]
async fn a_repeat_gets_the_same_bytes() {
    let formats = Formats::start().await;
    for format in FORMATS {
        formats.provider.on(|request| says(request, "Ada was shown a bird."));
        for path in ["/v1/responses", "/v1/responses/compact"] {
            let key = format!("{format} {path}");
            let body = json!({"model": format, "input": conversation()}).to_string();
            let ask = async || {
                let request = client().post(formats.gateway.url(path)).bearer_auth(&formats.gateway.key);
                let request = request.header("content-type", "application/json").header("idempotency-key", &key);
                let reply = request.body(body.clone()).send().await.expect("an answer");
                let replayed = reply.headers().contains_key("idempotent-replayed");
                let told = ["content-type", "x-tollgate-cost-usd"].map(|name| reply.headers().get(name).cloned());
                (reply.status().as_u16(), replayed, told, reply.bytes().await.expect("a body"))
            };
            let (first, again) = (ask().await, ask().await);
            assert_eq!((first.0, first.1, again.0, again.1), (200, false, 200, true), "{key}: {first:?}");
            assert_eq!((&first.2, &first.3), (&again.2, &again.3), "{key}");
            assert_eq!(formats.provider.take_received().len(), 1, "{key}");
        }
    }
    formats.gateway.assert_books().await;
}
