//! `POST /v1/completions`: over providers that have it as it stands, over others as one turn of a conversation.

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tollgate_base::Usd;
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::reply::{DONE, Reply, chat_stream, completion, usage};
use tollgate_tests::{TestGateway, Upstream};

/// A gateway with `small` at a provider that has completions, `talker` at one of format O that has none, and `writer`
/// at one of format A.
struct Three {
    gateway: TestGateway,
    other: Upstream,
}

impl Three {
    async fn start(credit: &'static str) -> Self {
        let other = Upstream::start().await;
        let model = |name: &str| {
            format!(
                "[models.{name}]\ncontext_tokens = 8000\nmax_output_tokens = 1000\n\
                 price = {{ prompt = \"1\", completion = \"2\" }}\ncandidates = [{{ upstream = \"{name}\", model = \"up\" }}]\n"
            )
        };
        let url = other.base_url();
        let config = format!(
            "[upstreams.talker]\ncompletions = false\nbase_url = \"{url}\"\n\
             [upstreams.writer]\nformat = \"messages\"\nbase_url = \"{url}\"\n{}{}",
            model("talker"),
            model("writer"),
        );
        Self { gateway: TestGateway::with(Options { credit, config, ..Options::default() }).await, other }
    }

    async fn post(&self, body: &Value) -> (u16, HeaderMap, String) {
        let request = client().post(self.gateway.url("/v1/completions")).bearer_auth(&self.gateway.key).json(body);
        let reply = request.send().await.expect("an answer");
        (reply.status().as_u16(), reply.headers().clone(), reply.text().await.expect("a body"))
    }

    async fn receipt(&self, headers: &HeaderMap) -> Value {
        self.gateway.receipt(headers["x-request-id"].to_str().expect("text")).await
    }
}

fn continued(text: &str) -> Value {
    let choice = json!({"text": text, "index": 0, "logprobs": null, "finish_reason": "stop"});
    json!({"id": "cmpl-1", "object": "text_completion", "model": "up", "choices": [choice], "usage": usage(4, 3)})
}

fn piece(choices: &Value, usage: &Value) -> String {
    let chunk = json!({"id": "cmpl-1", "object": "text_completion", "choices": choices, "usage": usage});
    format!("data: {chunk}\n\n")
}

fn sent(upstream: &Upstream) -> (String, Value) {
    let received = upstream.take_received().remove(0);
    (received.line, serde_json::from_slice(&received.body).expect("JSON"))
}

/// Several prompts are several contexts: what they may cost together is held.
#[tokio::test]
async fn a_list_of_prompts_is_held_for_as_a_list() {
    let gateway = TestGateway::with(Options { credit: "100", ..Options::default() }).await;
    let texts: Vec<String> = vec!["word ".repeat(10_000); 5];
    let body = json!({"model": "small", "prompt": texts, "max_tokens": 1});
    let request = client().post(gateway.url("/v1/completions")).bearer_auth(&gateway.key).json(&body);
    let reply = request.send().await.expect("an answer");
    let receipt = gateway.receipt(reply.headers()["x-request-id"].to_str().expect("text")).await;
    let held: Usd = amount(&receipt["held_usd"]).parse().expect("an amount");
    // At a token a byte, beyond the context of one.
    assert!(held.nanos() > 250_000 * 150, "{receipt}");
}

#[tokio::test]
async fn a_provider_that_has_it_gets_the_bytes() {
    let three = Three::start("10").await;
    three.gateway.upstream.answer(Reply::json(200, &continued(" upon a time")));
    let body = json!({"model": "small", "prompt": [[1, 2], [3]], "echo": true, "max_tokens": 5, "mine": 1.5});
    let (status, headers, answer) = three.post(&body).await;
    let mut told = continued(" upon a time");
    told["model"] = json!("small");
    assert_eq!((status, answer), (200, told.to_string()));
    let mut expected = body;
    expected["model"] = json!("upstream-model");
    assert_eq!(sent(&three.gateway.upstream), ("POST /v1/completions HTTP/1.1".to_owned(), expected));
    let receipt = three.receipt(&headers).await;
    // 4 at 0.15 and 3 at 0.6 USD per million.
    assert_eq!((amount(&receipt["charged_usd"]).as_str(), &receipt["rule"]), ("0.0000024", &json!("reported")));
    three.gateway.assert_books().await;
}

#[tokio::test]
async fn a_stream_is_charged_by_a_usage_that_the_client_did_not_ask_for() {
    let three = Three::start("10").await;
    let text = |text| json!([{"text": text, "index": 0, "finish_reason": null}]);
    let pieces = [piece(&text("a"), &json!(null)), piece(&json!([]), &usage(4, 3)), DONE.to_owned()];
    three.gateway.upstream.answer(Reply::stream(pieces));
    let (status, headers, answer) = three.post(&json!({"model": "small", "prompt": "Once", "stream": true})).await;
    assert_eq!((status, headers["content-type"].to_str().expect("text")), (200, "text/event-stream"));
    assert!(
        answer.contains("\"text\":\"a\"") && answer.ends_with(DONE) && !answer.contains("prompt_tokens"),
        "{answer}"
    );
    assert_eq!(sent(&three.gateway.upstream).1["stream_options"], json!({"include_usage": true}));
    assert_eq!(three.receipt(&headers).await["rule"], "reported");
}

#[tokio::test]
async fn a_stream_that_breaks_off_says_so_and_is_charged_by_what_came() {
    let three = Three::start("10").await;
    let text = json!([{"text": "12345678", "index": 0, "finish_reason": null}]);
    three.gateway.upstream.answer(Reply::stream([piece(&text, &json!(null))]));
    let (_, headers, answer) = three.post(&json!({"model": "small", "prompt": "Once", "stream": true})).await;
    assert!(answer.contains("\"error\"") && !answer.contains("[DONE]"), "{answer}");
    assert_eq!(three.receipt(&headers).await["rule"], "broke_off_counted");
}

#[tokio::test]
async fn every_answer_of_every_text_is_held_for() {
    let three = Three::start("10").await;
    three.gateway.upstream.answer(Reply::json(200, &continued("x")));
    let mut held = Vec::new();
    for body in [
        json!({"model": "small", "prompt": "aaaa", "max_tokens": 100}),
        json!({"model": "small", "prompt": ["a", "b"], "n": 2, "best_of": 5, "max_tokens": 100}),
    ] {
        let (_, headers, _) = three.post(&body).await;
        let text = amount(&three.receipt(&headers).await["held_usd"]);
        held.push(text.parse::<Usd>().expect("an amount").nanos());
    }
    // 100 tokens of output and 1,000 of them, at 0.6 USD per million.
    assert!(held[0] < 100_000 && held[1] > 600_000, "{held:?}");
}

#[tokio::test]
async fn the_bound_that_the_credit_buys_goes_by_its_older_name() {
    let three = Three::start("0.0001").await;
    three.gateway.upstream.answer(Reply::json(200, &continued("x")));
    let (status, headers, _) = three.post(&json!({"model": "small", "prompt": "Once"})).await;
    assert_eq!(status, 200);
    let bound: u64 = headers["x-tollgate-output-bound"].to_str().expect("text").parse().expect("a number");
    let (_, body) = sent(&three.gateway.upstream);
    assert!(body["max_tokens"] == bound && bound < 1000 && body.get("max_completion_tokens").is_none(), "{body}");
}

#[tokio::test]
async fn elsewhere_the_text_is_one_turn() {
    let three = Three::start("10").await;
    three.other.on(|request| {
        if request.line.contains("/messages") {
            let content = json!([{"type": "text", "text": " upon"}]);
            return Reply::json(200, &json!({
                "id": "msg_1", "type": "message", "role": "assistant", "model": "up", "content": content,
                "stop_reason": "max_tokens", "stop_sequence": null, "usage": {"input_tokens": 4, "output_tokens": 3},
            }));
        }
        Reply::json(200, &completion(" upon", 4, 3))
    });
    for (model, path, finish) in [("talker", "chat/completions", "stop"), ("writer", "messages", "length")] {
        let body = json!({"model": model, "prompt": "Once", "max_tokens": 5, "odd": 1});
        let (status, headers, answer) = three.post(&body).await;
        assert_eq!(status, 200, "{answer}");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!((&answer["object"], &answer["model"]), (&json!("text_completion"), &json!(model)));
        assert_eq!(
            answer["choices"],
            json!([{"text": " upon", "index": 0, "logprobs": null, "finish_reason": finish}])
        );
        assert_eq!(answer["usage"]["total_tokens"], 7);
        assert_eq!(headers["x-tollgate-dropped"], "odd");
        let (line, body) = sent(&three.other);
        assert_eq!(line, format!("POST /v1/{path} HTTP/1.1"));
        assert_eq!((&body["messages"][0]["role"], &body["model"]), (&json!("user"), &json!("up")));
        assert_eq!(amount(&three.receipt(&headers).await["charged_usd"]), "0.00001");
    }
}

#[tokio::test]
async fn a_stream_of_turns_is_a_stream_of_texts() {
    let three = Three::start("10").await;
    three.other.answer(Reply::stream(chat_stream(&[" upon", " a"], 4, 3)));
    let (status, headers, answer) = three.post(&json!({"model": "talker", "prompt": "Once", "stream": true})).await;
    assert_eq!(status, 200);
    let chunks: Vec<Value> =
        answer.split("\n\n").filter_map(|event| serde_json::from_str(event.strip_prefix("data: ")?).ok()).collect();
    let texts: String = chunks.iter().map(|chunk| chunk["choices"][0]["text"].as_str().expect("text")).collect();
    assert_eq!(texts, " upon a");
    assert_eq!(chunks.last().expect("a chunk")["choices"][0]["finish_reason"], "stop");
    assert!(answer.ends_with(DONE) && !answer.contains("usage"), "{answer}");
    assert_eq!(three.receipt(&headers).await["rule"], "reported");
    three.gateway.assert_books().await;
}

#[tokio::test]
async fn what_no_conversation_can_say_is_refused_before_it_is_sent() {
    let three = Three::start("10").await;
    for (prompt, member) in [(json!(["a"]), "prompt"), (json!([1, 2]), "prompt"), (json!("a"), "suffix")] {
        let mut body = json!({"model": "talker", "prompt": prompt});
        if member == "suffix" {
            body["suffix"] = json!("b");
        }
        let (status, headers, answer) = three.post(&body).await;
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!((status, &answer["error"]["code"]), (400, &json!("not_convertible")), "{answer}");
        assert!(answer["error"]["message"].as_str().expect("text").contains(member), "{answer}");
        assert_eq!(three.receipt(&headers).await["rule"], "not_sent");
    }
    assert!(three.other.take_received().is_empty());
}
