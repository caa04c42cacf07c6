//! `POST /v1/chat/completions`, whole: what travels, what is charged, what a failing provider does.

// suite of this file: quick

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::{COMPLETION_PICOUSD, PROMPT_PICOUSD, UPSTREAM_KEY, amount, hello};
use tollgate_tests::reply::{Reply, completion};

/// What usage costs in the harness, as a decimal of USD: figured here by other means than the gateway's.
fn price(prompt: u64, output: u64) -> String {
    let picos = u128::from(prompt * PROMPT_PICOUSD + output * COMPLETION_PICOUSD);
    let nanos = picos.div_ceil(1000);
    let text = format!("{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[tokio::test]
async fn an_answer_is_passed_on_charged_and_receipted() {
    let gateway = TestGateway::start().await;
    let reply = gateway.hello().send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    assert_eq!(reply.headers()["request-id"], request_id.as_str());
    // The client's name of the model stands in the place of the provider's.
    let expected = completion("hello there friend", 9, 3).to_string().replace("upstream-model", "small");
    assert_eq!(reply.text().await.expect("a body"), expected);

    let receipt = gateway.receipt(&request_id).await;
    assert_eq!(receipt["rule"], "reported");
    assert_eq!(amount(&receipt["charged_usd"]), price(9, 3));
    assert_eq!(receipt["model"], "small");
    assert_eq!(receipt["upstream"], "fake");
    assert_eq!(receipt["upstream_model"], "upstream-model");
    assert_eq!(receipt["stream"], false);
    assert_eq!(receipt["price_version"], "test-1");
    let (first_byte, duration) = (receipt["first_byte_ms"].as_u64(), receipt["duration_ms"].as_u64());
    assert!(first_byte.is_some() && first_byte <= duration, "{receipt}");
    assert_eq!(
        receipt["usage"],
        json!({"prompt_tokens": 9, "cached_tokens": 0, "cache_write_tokens": 0, "cache_write_long_tokens": 0, "completion_tokens": 3, "reasoning_tokens": 0,
            "audio_prompt_tokens": 0, "image_prompt_tokens": 0, "audio_completion_tokens": 0, "image_completion_tokens": 0, "estimated": false})
    );
    let balance = gateway.balance().await;
    assert_eq!(amount(&balance["held_usd"]), "0");
    let paid = 10_000_000_000_u64 - (9 * PROMPT_PICOUSD + 3 * COMPLETION_PICOUSD).div_ceil(1000);
    assert_eq!(amount(&balance["quota_usd"]), format!("9.{:09}", paid - 9_000_000_000).trim_end_matches('0'));
    gateway.assert_books().await;
}

#[tokio::test]
async fn the_provider_sees_its_own_key_and_name_and_never_the_callers() {
    let gateway = TestGateway::start().await;
    let request = gateway
        .hello()
        .header("openai-beta", "x=1")
        .header("idempotency-key", "1")
        .header("cookie", "session=1")
        .header("x-api-key", &gateway.key);
    assert_eq!(request.send().await.expect("an answer").status(), 200);
    let received = gateway.upstream.take_received().remove(0);
    assert_eq!(received.line, "POST /v1/chat/completions HTTP/1.1");
    assert_eq!(received.header("authorization"), Some(format!("Bearer {UPSTREAM_KEY}").as_str()));
    assert_eq!(received.header("openai-beta"), Some("x=1"));
    assert_eq!(received.header("idempotency-key"), None);
    assert_eq!((received.header("cookie"), received.header("x-api-key")), (None, None));
    let mut expected = hello(false);
    expected["model"] = json!("upstream-model");
    assert_eq!(received.body, expected.to_string().into_bytes());
    assert!(!format!("{received:?}").contains(&gateway.key));
}

#[tokio::test]
async fn cached_and_reasoning_tokens_are_priced_as_their_parts() {
    let gateway = TestGateway::start().await;
    let mut answer = completion("x", 100, 50);
    answer["usage"]["prompt_tokens_details"] = json!({"cached_tokens": 40});
    answer["usage"]["completion_tokens_details"] = json!({"reasoning_tokens": 20});
    gateway.upstream.answer(Reply::json(200, &answer));
    let reply = gateway.hello().send().await.expect("an answer");
    let receipt = gateway.receipt(reply.headers()["x-request-id"].to_str().expect("text")).await;
    // 60 at 0.15, 40 at 0.075, 50 at 0.6 USD per million: 9 + 3 + 30 micro-USD.
    assert_eq!(amount(&receipt["charged_usd"]), "0.000042");
    assert_eq!((&receipt["usage"]["cached_tokens"], &receipt["usage"]["reasoning_tokens"]), (&json!(40), &json!(20)));
}

/// What a provider answers, and what the client is told.
#[tokio::test]
async fn a_failing_provider_costs_nothing_and_has_the_right_code() {
    let gateway = TestGateway::start().await;
    let error = json!({"error": {"message": "no", "type": "x", "param": null, "code": "theirs"}});
    for (answer, status, code, retry) in [
        (Reply::hang_up(), 502, "bad_gateway", "true"),
        (Reply::json(500, &error), 502, "bad_gateway", "true"),
        (Reply::json(401, &error), 502, "bad_gateway", "true"),
        (Reply::json(403, &error), 502, "bad_gateway", "true"),
        (Reply::json(404, &error), 404, "upstream_refused", "false"),
        (Reply::json(200, &json!({})), 502, "bad_gateway", "true"),
        (Reply::json(200, &json!({"choices": []})), 502, "bad_gateway", "true"),
        (Reply::json(302, &error), 502, "bad_gateway", "true"),
        (Reply::json(402, &error), 503, "no_available_channel", "true"),
        (Reply::json(503, &error), 503, "no_available_channel", "true"),
        (Reply::json(504, &error), 504, "upstream_timeout", "true"),
        (Reply::json(429, &error).header("retry-after", "7"), 429, "upstream_rate_limited", "true"),
        (Reply::raw(200, "text/html", b"<html>".to_vec()), 502, "bad_gateway", "true"),
        (Reply::json(200, &error), 502, "bad_gateway", "true"),
        (Reply::json(400, &error), 400, "theirs", "false"),
        (Reply::json(413, &error), 413, "theirs", "false"),
        (Reply::json(422, &error), 422, "theirs", "false"),
        (Reply::raw(400, "text/html", b"<html>".to_vec()), 400, "upstream_refused", "false"),
        (Reply::json(422, &json!({"detail": "no"})), 422, "upstream_refused", "false"),
    ] {
        let described = format!("{answer:?}");
        gateway.upstream.answer(answer);
        let reply = gateway.hello().send().await.expect("an answer");
        assert_eq!(reply.status().as_u16(), status, "{described}");
        assert_eq!(reply.headers()["x-should-retry"], retry, "{described}");
        if status == 429 {
            assert_eq!(reply.headers()["retry-after"], "7");
        }
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        let body: Value = reply.json().await.expect("JSON");
        assert_eq!(body["error"]["code"], code, "{described}");
        let receipt = gateway.receipt(&request_id).await;
        assert_eq!(
            (receipt["rule"].as_str(), amount(&receipt["charged_usd"])),
            (Some("nothing_delivered"), "0".into())
        );
        assert_eq!((receipt["first_byte_ms"].as_u64(), receipt["duration_ms"].is_u64()), (None, true), "{described}");
    }
    assert_eq!(amount(&gateway.balance().await["available_usd"]), "10");
    gateway.assert_books().await;
}

/// A price so high that the worst case is beyond all money: nothing is sold, and nothing is sent.
#[tokio::test]
async fn what_cannot_be_priced_is_not_sold() {
    let config = "[models.dear]\ncontext_tokens = 1000000000000\nmax_output_tokens = 1000000000000\n\
        price = { prompt = \"1\", completion = \"9000000000000\" }\ncandidates = [{ upstream = \"fake\" }]\n";
    let gateway =
        TestGateway::with(tollgate_tests::gateway::Options { config: config.to_owned(), ..Default::default() }).await;
    let body = hello(false).to_string().replace("small", "dear").replace("\"max_tokens\":100,", "");
    let reply = gateway.chat(body).send().await.expect("an answer");
    assert_eq!(reply.status(), 503);
    assert_eq!(reply.json::<Value>().await.expect("JSON")["error"]["code"], "model_price_unknown");
    assert!(gateway.upstream.take_received().is_empty());
}

/// What a provider charges extra for and our prices do not know is refused by name, before anything is held.
#[tokio::test]
async fn what_has_no_price_is_refused_by_name() {
    let gateway = TestGateway::start().await;
    for (member, field) in [
        (r#""service_tier":"priority""#, "service_tier"),
        (r#""web_search_options":{}"#, "web_search_options"),
        (r#""audio":{"voice":"x"}"#, "audio"),
        (r#""plugins":[{"id":"web"}]"#, "plugins"),
        (r#""search_parameters":{"mode":"on"}"#, "search_parameters"),
        (
            r#""tools":[{"type":"function","function":{"name":"f"}},{"type":"web_search"}],"tool_choice":{"type":"web_search"}"#,
            "tools[1]",
        ),
        (r#""tools":[{"type":"function","type":"web_search"}]"#, "tools"),
    ] {
        let body = hello(false).to_string().replacen('{', &format!("{{{member},"), 1);
        let reply = gateway.chat(body).send().await.expect("an answer");
        assert_eq!(reply.status(), 400);
        let body: Value = reply.json().await.expect("JSON");
        assert!(body["error"]["message"].as_str().expect("text").contains(field), "{body}");
    }
    assert!(gateway.upstream.take_received().is_empty());
}
