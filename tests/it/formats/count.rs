//! Counting tokens in formats A and G: by the provider where it can, by size where it cannot, free either way.

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::reply::Reply;
use tollgate_tests::{TestGateway, Upstream};

const A: &str = "/v1/messages/count_tokens";

/// A gateway with `writer` in format A, `maker` in format G and `small` in format O.
async fn start() -> (TestGateway, Upstream) {
    let other = Upstream::start().await;
    let model = |name: &str, format: &str| {
        format!(
            "[upstreams.{name}]\nformat = \"{format}\"\nbase_url = \"{}\"\n\
             [models.{name}]\ncontext_tokens = 8000\nmax_output_tokens = 1000\n\
             price = {{ prompt = \"1\", completion = \"2\" }}\ncandidates = [{{ upstream = \"{name}\", model = \"up\" }}]\n",
            other.base_url()
        )
    };
    let config = [model("writer", "messages"), model("maker", "generate")].concat();
    let gateway = TestGateway::with(Options { credit: "0", config, ..Options::default() }).await;
    other.on(|request| {
        let count = if request.line.contains("countTokens") { "totalTokens" } else { "input_tokens" };
        Reply::json(200, &json!({count: 42, "more": 1}))
    });
    (gateway, other)
}

async fn post(gateway: &TestGateway, path: &str, body: &Value) -> (u16, HeaderMap, Value) {
    let request = client().post(gateway.url(path)).bearer_auth(&gateway.key).header("anthropic-version", "2023-06-01");
    let reply = request.json(body).send().await.expect("an answer");
    (reply.status().as_u16(), reply.headers().clone(), reply.json().await.expect("JSON"))
}

fn messages(model: &str) -> Value {
    json!({"model": model, "messages": [{"role": "user", "content": "twelve bytes"}]})
}

fn contents() -> Value {
    json!({"contents": [{"role": "user", "parts": [{"text": "twelve bytes"}]}]})
}

#[tokio::test]
async fn a_provider_of_the_format_counts_without_credit() {
    let (gateway, other) = start().await;
    let (status, headers, answer) = post(&gateway, A, &messages("writer")).await;
    assert_eq!((status, answer), (200, json!({"input_tokens": 42, "more": 1})));
    assert!(headers.get("x-tollgate-estimated").is_none());
    let received = other.take_received().remove(0);
    assert_eq!(received.line, "POST /v1/messages/count_tokens HTTP/1.1");
    assert_eq!(serde_json::from_slice::<Value>(&received.body).expect("JSON"), messages("up"));

    let (status, _, answer) = post(&gateway, "/v1beta/models/maker:countTokens", &contents()).await;
    assert_eq!((status, answer), (200, json!({"totalTokens": 42, "more": 1})));
    assert_eq!(other.take_received().remove(0).line, "POST /v1/models/up:countTokens HTTP/1.1");
    assert_eq!(amount(&gateway.balance().await["held_usd"]), "0");
}

#[tokio::test]
async fn a_counter_of_another_format_is_asked_in_its_words() {
    let (gateway, other) = start().await;
    assert_eq!(post(&gateway, A, &messages("maker")).await.2, json!({"input_tokens": 42}));
    let received = other.take_received().remove(0);
    let sent: Value = serde_json::from_slice(&received.body).expect("JSON");
    assert_eq!(sent["generateContentRequest"]["contents"][0]["parts"][0]["text"], "twelve bytes");
    let path = "/v1beta/models/writer:countTokens";
    assert_eq!(post(&gateway, path, &contents()).await.2, json!({"totalTokens": 42}));
    assert_eq!(other.take_received().remove(0).line, "POST /v1/messages/count_tokens HTTP/1.1");
}

#[tokio::test]
async fn without_a_counter_the_text_is_measured() {
    let (gateway, other) = start().await;
    let path = "/v1beta/models/small:countTokens";
    let (status, headers, answer) = post(&gateway, path, &contents()).await;
    assert_eq!(
        (status, answer, &headers["x-tollgate-estimated"]),
        (200, json!({"totalTokens": 3}), &"true".parse().expect("a value"))
    );
    assert!(gateway.upstream.take_received().is_empty());
    for reply in
        [Reply::json(404, &json!({})), Reply::json(500, &json!({})), Reply::json(200, &json!({})), Reply::hang_up()]
    {
        other.answer(reply);
        let (status, headers, answer) = post(&gateway, A, &messages("writer")).await;
        // The model's name is text too: 18 bytes.
        assert_eq!((status, answer), (200, json!({"input_tokens": 5})));
        assert_eq!(headers["x-tollgate-estimated"], "true");
    }
}

#[tokio::test]
async fn a_mistake_is_told_as_the_provider_tells_it() {
    let (gateway, other) = start().await;
    let refusal = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "no"}});
    other.answer(Reply::json(400, &refusal));
    let (status, _, answer) = post(&gateway, A, &messages("writer")).await;
    assert_eq!((status, answer), (400, refusal));
    assert_eq!(post(&gateway, A, &messages("nobody")).await.0, 404);
    assert_eq!(post(&gateway, A, &json!({"model": "writer"})).await.0, 400);
}

/// Tools that only the client's format has are counted as the functions that a turn would be sent.
#[tokio::test]
async fn tools_of_format_r_and_a_are_counted_as_functions_elsewhere() {
    let (gateway, other) = start().await;
    let function = json!({"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}});
    let tools = json!([{"type": "namespace", "name": "files", "description": "Files", "tools": [function]},
        {"type": "custom", "name": "patch", "description": "Patches"}]);
    let of_a = json!([{"type": "bash_20250124", "name": "bash"}]);
    for (path, body, names) in [
        (
            "/v1/responses/input_tokens",
            json!({"model": "writer", "input": "Hello", "tools": tools}),
            vec!["files__look", "patch"],
        ),
        (
            "/v1/responses/input_tokens",
            json!({"model": "maker", "input": "Hello", "tools": tools}),
            vec!["files__look", "patch"],
        ),
        (A, json!({"model": "maker", "messages": messages("maker")["messages"], "tools": of_a}), vec!["bash"]),
    ] {
        let (status, headers, answer) = post(&gateway, path, &body).await;
        assert_eq!((status, &answer["input_tokens"]), (200, &json!(42)), "{body}: {answer}");
        assert!(headers.get("x-tollgate-estimated").is_none(), "{body}");
        let sent: Value = serde_json::from_slice(&other.take_received().remove(0).body).expect("JSON");
        let found: Vec<&str> =
            names.iter().copied().filter(|name| sent.to_string().contains(&format!("\"name\":\"{name}\""))).collect();
        assert_eq!(found, names, "{sent}");
    }
}
