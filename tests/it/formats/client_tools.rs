//! Tools that the client runs: in their own format they pass as they are and cost nothing beside tokens, to other formats they go
//! as functions and come back as what they were, wherever in a request they stand. What a provider runs is told from them in
//! all those places.

mod functions;
mod hidden;
mod history;
mod own_format;
mod restored;

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::formats::{models, upstreams};
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::upstream::Received;

const FORMATS: [&str; 4] = ["chat", "messages", "generate", "responses"];

/// A model over each format that has no prices of tools, and one that sells some.
async fn gateway() -> TestGateway {
    gateway_with("").await
}

/// The same with lines before all tables.
async fn gateway_with(lines: &str) -> TestGateway {
    const PRICES: &str = r#"tools = { web_search = "0.01", mcp = "0.002", code_execution = "0.05" }"#;
    let config = [
        lines.to_owned(),
        upstreams(),
        models("plain", "upstream-model", "", ""),
        models("sells", "upstream-model", "tool_uses_max = 5", PRICES),
    ];
    TestGateway::with(Options { config: config.concat(), credit: "1000", ..Options::default() }).await
}

/// An answer, and what became of its request.
struct Answered {
    status: u16,
    text: String,
    /// What the client is told that its provider was not sent.
    dropped: Option<String>,
    /// Empty where nothing was charged.
    receipt: Value,
    /// The body that the provider got, if it was asked.
    sent: Option<Value>,
}

impl Answered {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The events of a stream.
    fn events(&self) -> Vec<Value> {
        let data = self.text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).expect("JSON")).collect()
    }

    fn sent(&self) -> &Value {
        self.sent.as_ref().expect("the provider was asked")
    }

    fn charged(&self) -> String {
        amount(&self.receipt["charged_usd"])
    }
}

/// A short question in a format with more members, which take the place of those of their name.
async fn ask(gateway: &TestGateway, format: &str, model: &str, stream: bool, more: &Value) -> Answered {
    let turn = json!([{"role": "user", "content": "Hello"}]);
    let (path, mut body) = match format {
        "chat" => ("/v1/chat/completions".to_owned(), json!({"messages": turn})),
        "messages" => ("/v1/messages".to_owned(), json!({"messages": turn, "max_tokens": 500})),
        "responses" => ("/v1/responses".to_owned(), json!({"input": "Hello"})),
        _ => {
            let act = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
            (
                format!("/v1beta/models/{model}:{act}"),
                json!({"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]}),
            )
        }
    };
    if format != "generate" {
        (body["model"], body["stream"]) = (json!(model), json!(stream));
    }
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    drop(gateway.upstream.take_received());
    let request = client().post(gateway.url(&path)).bearer_auth(&gateway.key).header("anthropic-version", "2023-06-01");
    let reply = request.json(&body).send().await.expect("an answer");
    let header = |name: &str| reply.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
    let (status, dropped) = (reply.status().as_u16(), header("x-tollgate-dropped"));
    let request_id = header("x-request-id").expect("an id");
    let text = reply.text().await.expect("a body");
    let receipt = if status == 200 { gateway.receipt(&request_id).await } else { Value::Null };
    let sent = gateway.upstream.take_received().pop();
    let sent = sent.map(|sent| serde_json::from_slice(&sent.body).expect("JSON"));
    Answered { status, text, dropped, receipt, sent }
}

/// The name and the declaration of each function that a provider of a format was sent.
fn declared(format: &str, sent: &Value) -> Vec<(String, Value)> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let functions: Vec<Value> = match format {
        "chat" => list(&sent["tools"]).iter().map(|tool| tool["function"].clone()).collect(),
        "generate" => list(&sent["tools"]).iter().flat_map(|tool| list(&tool["functionDeclarations"])).collect(),
        _ => list(&sent["tools"]),
    };
    functions.into_iter().map(|function| (function["name"].as_str().unwrap_or_default().to_owned(), function)).collect()
}

/// The schema of a declared function.
fn schema<'d>(format: &str, declared: &'d Value) -> &'d Value {
    match format {
        "messages" => &declared["input_schema"],
        "generate" => &declared["parametersJsonSchema"],
        _ => &declared["parameters"],
    }
}

fn format_of(request: &Received) -> &'static str {
    match request.line.split(' ').nth(1).unwrap_or_default() {
        "/v1/chat/completions" => "chat",
        "/v1/messages" => "messages",
        "/v1/responses" => "responses",
        _ => "generate",
    }
}

fn streams(request: &Received) -> bool {
    let body: Value = serde_json::from_slice(&request.body).expect("JSON");
    body["stream"] == true || request.line.contains("streamGenerate")
}

/// The functions that the history of a body calls, by their names, and their arguments.
fn calls(format: &str, sent: &Value) -> Vec<(String, Value)> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let parsed = |text: &Value| serde_json::from_str(text.as_str().expect("text")).expect("JSON");
    let calls: Vec<(Value, Value)> = match format {
        "chat" => {
            let calls = list(&sent["messages"]).into_iter().flat_map(|message| list(&message["tool_calls"]));
            calls.map(|call| (call["function"]["name"].clone(), parsed(&call["function"]["arguments"]))).collect()
        }
        "messages" => {
            let blocks = list(&sent["messages"]).into_iter().flat_map(|message| list(&message["content"]));
            let calls = blocks.filter(|block| block["type"] == "tool_use");
            calls.map(|call| (call["name"].clone(), call["input"].clone())).collect()
        }
        "responses" => {
            let calls = list(&sent["input"]).into_iter().filter(|item| item["type"] == "function_call");
            calls.map(|call| (call["name"].clone(), parsed(&call["arguments"]))).collect()
        }
        _ => {
            let parts = list(&sent["contents"]).into_iter().flat_map(|content| list(&content["parts"]));
            let calls = parts.map(|part| part["functionCall"].clone()).filter(|call| !call.is_null());
            calls.map(|call| (call["name"].clone(), call["args"].clone())).collect()
        }
    };
    calls.into_iter().map(|(name, arguments)| (name.as_str().expect("a name").to_owned(), arguments)).collect()
}

/// Their names alone.
fn called(format: &str, sent: &Value) -> Vec<String> {
    calls(format, sent).into_iter().map(|(name, _)| name).collect()
}
