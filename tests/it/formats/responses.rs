//! The responses interface over providers of all four formats: turns, what is remembered of them, compaction, counts.

mod closed;
mod compaction;
mod counts;
mod references;
mod state;
mod stored;
mod turns;

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tollgate_tests::gateway::{Options, client};
use tollgate_tests::reply::{
    Reply, chat_stream, completion, generated, message, message_stream, response, response_message, response_stream,
};
use tollgate_tests::upstream::Received;
use tollgate_tests::{TestGateway, Upstream};

/// The models, each named for the format of its provider.
const FORMATS: [&str; 4] = ["chat", "responses", "messages", "generate"];

/// A gateway with a model for each format, all at one provider that knows the format by the path.
struct Formats {
    gateway: TestGateway,
    provider: Upstream,
}

impl Formats {
    async fn start() -> Self {
        Self::with(Options::default()).await
    }

    async fn with(options: Options) -> Self {
        let provider = Upstream::start().await;
        let gateway = TestGateway::with(Options { config: models(&provider), ..options }).await;
        provider.on(|request| says(request, "hello there"));
        let _ = provider.take_received();
        Self { gateway, provider }
    }

    async fn post(&self, path: &str, body: &Value) -> reqwest::Response {
        post(&self.gateway, &self.gateway.key, path, body).await
    }

    /// Asks, and sees that it worked.
    async fn ask(&self, body: &Value) -> Value {
        let reply = self.post("/v1/responses", body).await;
        let status = reply.status();
        let answer: Value = reply.json().await.expect("JSON");
        assert_eq!(status, 200, "{body}: {answer}");
        answer
    }

    /// Asks for a stream, and reads it to its end.
    async fn ask_stream(&self, body: &Value) -> Vec<Value> {
        let reply = self.post("/v1/responses", body).await;
        assert_eq!(reply.headers()["content-type"], "text/event-stream", "{body}");
        events(&reply.text().await.expect("a body"))
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        let reply = self.gateway.get(path).send().await.expect("an answer");
        (reply.status().as_u16(), reply.json().await.expect("JSON"))
    }

    /// The one request that the provider was sent since the last look.
    fn sent(&self) -> Value {
        let mut received = self.provider.take_received();
        assert_eq!(received.len(), 1, "one request was sent");
        serde_json::from_slice(&received.remove(0).body).expect("JSON")
    }
}

async fn post(gateway: &TestGateway, key: &str, path: &str, body: &Value) -> reqwest::Response {
    let request = client().post(gateway.url(path)).bearer_auth(key).header("content-type", "application/json");
    request.body(body.to_string()).send().await.expect("an answer")
}

/// Configuration of one model a format.
fn models(provider: &Upstream) -> String {
    let one = |format: &str| {
        format!(
            "[upstreams.of_{format}]\nbase_url = {:?}\nformat = {format:?}\n[models.{format}]\ncontext_tokens = 100000\n\
             max_output_tokens = 1000\nprice = {{ prompt = \"1\", completion = \"1\" }}\n\
             candidates = [{{ upstream = \"of_{format}\", model = \"upstream-model\" }}]\n",
            provider.base_url()
        )
    };
    FORMATS.map(one).concat()
}

fn streams(request: &Received) -> bool {
    request.line.contains("streamGenerateContent")
        || serde_json::from_slice::<Value>(&request.body).is_ok_and(|body| body["stream"] == true)
}

/// A name for a provider's next response.
fn fresh_id() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("resp_up{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// An answer with this text, in the format of the request's path, with 11 tokens in and 5 out.
fn says(request: &Received, text: &str) -> Reply {
    let line = &request.line;
    match (line.split_whitespace().nth(1).expect("a path"), streams(request)) {
        ("/v1/responses/input_tokens", _) => {
            Reply::json(200, &json!({"object": "response.input_tokens", "input_tokens": 77}))
        }
        ("/v1/messages/count_tokens", _) => Reply::json(200, &json!({"input_tokens": 78})),
        (path, _) if path.ends_with(":countTokens") => Reply::json(200, &json!({"totalTokens": 79})),
        ("/v1/chat/completions", false) => Reply::json(200, &completion(text, 11, 5)),
        ("/v1/chat/completions", true) => Reply::stream(chat_stream(&[text], 11, 5)),
        ("/v1/responses", false) => {
            Reply::json(200, &response(&fresh_id(), &json!([response_message("msg_up", text)]), 11, 5))
        }
        ("/v1/responses", true) => Reply::stream(response_stream(&fresh_id(), text, 11, 5)),
        ("/v1/messages", false) => Reply::json(200, &message(&json!([{"type": "text", "text": text}]), 11, 5)),
        ("/v1/messages", true) => Reply::stream(message_stream(text, 11, 5)),
        (_, false) => Reply::json(200, &generated(&json!([{"text": text}]), 11, 5)),
        (_, true) => Reply::stream([format!("data: {}\n\n", generated(&json!([{"text": text}]), 11, 5))]),
    }
}

/// An answer that asks for a call of `look`.
fn calls(request: &Received) -> Reply {
    match request.line.split_whitespace().nth(1).expect("a path") {
        "/v1/chat/completions" => {
            let mut answer = completion("", 11, 5);
            let call =
                json!({"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{\"at\":1}"}});
            answer["choices"][0]["message"] = json!({"role": "assistant", "content": null, "tool_calls": [call]});
            answer["choices"][0]["finish_reason"] = json!("tool_calls");
            Reply::json(200, &answer)
        }
        "/v1/responses" => {
            let call = json!({"id": "fc_up", "type": "function_call", "status": "completed", "call_id": "call_1",
                "name": "look", "arguments": "{\"at\":1}"});
            Reply::json(200, &response(&fresh_id(), &json!([call]), 11, 5))
        }
        "/v1/messages" => {
            let call = json!({"type": "tool_use", "id": "call_1", "name": "look", "input": {"at": 1}});
            Reply::json(200, &message(&json!([call]), 11, 5))
        }
        _ => Reply::json(200, &generated(&json!([{"functionCall": {"name": "look", "args": {"at": 1}}}]), 11, 5)),
    }
}

/// The data of a stream's events, their names checked against them.
fn events(text: &str) -> Vec<Value> {
    let event = |event: &str| {
        let (name, data) = event.split_once('\n').expect("a name and data");
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").expect("data")).expect("JSON");
        assert_eq!(name, format!("event: {}", data["type"].as_str().expect("a type")));
        data
    };
    text.split("\n\n").filter(|event| !event.is_empty()).map(event).collect()
}

/// What an answer says.
fn text(response: &Value) -> String {
    let items = response["output"].as_array().expect("items").iter();
    items.filter_map(|item| item["content"][0]["text"].as_str()).collect()
}
