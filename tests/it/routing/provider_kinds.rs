//! A provider is asked only for what its kind does: of several candidates the next is asked, of one the client is told.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::formats;
use tollgate_tests::gateway::{Options, client};

/// Models at a provider that draws and at one that films, alone and in front of one that converses.
const CONFIG: &str = r#"
[upstreams.draws]
base_url = "{upstream}"
format = "pictures"
api_key_env = "FAKE_UPSTREAM_KEY"
[upstreams.draws-later]
base_url = "{upstream}"
format = "pictures_later"
api_key_env = "FAKE_UPSTREAM_KEY"
[upstreams.films]
base_url = "{upstream}"
format = "video_a"
access_key_env = "FAKE_ACCESS_KEY"
secret_key_env = "FAKE_SECRET_KEY"
[models.no-words]
context_tokens = 1000
max_output_tokens = 100
price = { prompt = "1", completion = "1", image = "0.04" }
candidates = [{ upstream = "films" }, { upstream = "draws" }, { upstream = "draws-later" }]
[models.films]
context_tokens = 1000
max_output_tokens = 100
price = { prompt = "1", completion = "1", image = "0.04" }
candidates = [{ upstream = "films" }]
[models.words-at-last]
context_tokens = 1000
max_output_tokens = 100
price = { prompt = "1", completion = "1", image = "0.04" }
candidates = [
    { upstream = "films" }, { upstream = "draws" }, { upstream = "draws-later" }, { upstream = "fake", model = "up" },
]
"#;

async fn gateway() -> TestGateway {
    let gateway = TestGateway::with(Options { config: CONFIG.to_owned(), ..Options::default() }).await;
    gateway.upstream.on(formats::answer);
    gateway
}

/// Requests for what only some providers do, and where an error names its code.
fn requests(model: &str) -> Vec<(String, Value, &'static str)> {
    let turns = json!([{"role": "user", "content": "Hello"}]);
    let contents = json!([{"parts": [{"text": "Hello"}]}]);
    vec![
        ("/v1/chat/completions".to_owned(), json!({"model": model, "messages": turns}), "/error/code"),
        ("/v1/chat/completions".to_owned(), json!({"model": model, "messages": turns, "stream": true}), "/error/code"),
        ("/v1/completions".to_owned(), json!({"model": model, "prompt": "Hello"}), "/error/code"),
        ("/v1/responses".to_owned(), json!({"model": model, "input": "Hello"}), "/error/code"),
        ("/v1/messages".to_owned(), json!({"model": model, "messages": turns, "max_tokens": 9}), "/error/code"),
        (format!("/v1beta/models/{model}:generateContent"), json!({"contents": contents}), "/error/details/0/reason"),
        ("/v1/embeddings".to_owned(), json!({"model": model, "input": "Hello"}), "/error/code"),
        ("/v1/moderations".to_owned(), json!({"model": model, "input": "Hello"}), "/error/code"),
    ]
}

async fn post(gateway: &TestGateway, path: &str, body: &Value) -> (u16, String) {
    let mut request = client().post(gateway.url(path)).bearer_auth(&gateway.key).json(body);
    if path.starts_with("/v1/messages") {
        request = request.header("anthropic-version", "2023-06-01");
    }
    let reply = request.send().await.expect("an answer");
    (reply.status().as_u16(), reply.text().await.expect("a body"))
}

#[tokio::test]
async fn what_no_provider_of_a_model_does_is_told_and_costs_nothing() {
    let gateway = gateway().await;
    for (path, body, at) in requests("no-words") {
        let (status, answer) = post(&gateway, &path, &body).await;
        let error: Value = serde_json::from_str(&answer).expect("JSON");
        let code = error.pointer(at).and_then(Value::as_str).unwrap_or_default().to_lowercase();
        assert_eq!((status, code.as_str()), (400, "not_convertible"), "{path}: {answer}");
        assert!(answer.contains("its provider"), "{path}: {answer}");
    }
    for (path, body) in [
        ("/v1/images/generations", json!({"model": "films", "prompt": "a cat"})),
        ("/v1/images/edits", json!({"model": "films", "prompt": "a cat", "images": [{"image_url": "https://x/a"}]})),
    ] {
        let (status, answer) = post(&gateway, path, &body).await;
        assert!(status == 400 && answer.contains("its provider draws no pictures"), "{answer}");
    }
    assert!(gateway.upstream.take_received().is_empty());
    gateway.assert_books().await;
}

#[tokio::test]
async fn the_next_provider_is_asked_for_what_the_others_do_not_do() {
    let gateway = gateway().await;
    for (path, body, _) in requests("words-at-last") {
        let (status, answer) = post(&gateway, &path, &body).await;
        assert_eq!(status, 200, "{path}: {answer}");
        assert_eq!(gateway.upstream.take_received().len(), 1, "{path}");
    }
    gateway.assert_books().await;
}

/// None of these providers counts, and counting is free: the text is measured.
#[tokio::test]
async fn tokens_are_estimated_where_no_provider_reads_words() {
    let gateway = gateway().await;
    let turns = json!([{"role": "user", "content": "Hello"}]);
    for (path, body) in [
        ("/v1/messages/count_tokens", json!({"model": "no-words", "messages": turns})),
        ("/v1beta/models/no-words:countTokens", json!({"contents": [{"parts": [{"text": "Hello"}]}]})),
        ("/v1/responses/input_tokens", json!({"model": "no-words", "input": "Hello"})),
    ] {
        let (status, answer) = post(&gateway, path, &body).await;
        assert_eq!(status, 200, "{path}: {answer}");
    }
    assert!(gateway.upstream.take_received().is_empty());
}
