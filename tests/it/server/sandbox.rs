//! The sandbox as a newcomer meets it: the binary without any configuration, and one request of each kind.

// suite of this file: quick

use serde_json::{Value, json};
use tollgate_tests::binary::Served;
use tollgate_tests::client;
use tollgate_tests::gateway::{amount, exact};
use tollgate_tests::wait::until;

struct Newcomer {
    served: Served,
    key: String,
    _folder: tempfile::TempDir,
}

impl Newcomer {
    fn arrive() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let served = Served::start(&["--data", &folder.path().display().to_string()]);
        let key = served.greeting["demo_key"].as_str().expect("the greeting names a key").to_owned();
        Self { served, key, _folder: folder }
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        serde_json::from_str(&self.text(path, body).await).expect("JSON")
    }

    async fn text(&self, path: &str, body: &Value) -> String {
        let url = format!("{}{path}", self.served.url());
        let reply = client().post(url).bearer_auth(&self.key).header("anthropic-version", "2023-06-01").json(body);
        let reply = reply.send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{path}");
        reply.text().await.expect("a body")
    }

    async fn get(&self, path: &str) -> reqwest::Response {
        let url = format!("{}{path}", self.served.url());
        client().get(url).bearer_auth(&self.key).send().await.expect("an answer")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_request_is_answered_without_any_configuration() {
    let newcomer = Newcomer::arrive();
    let embedded = newcomer.post("/v1/embeddings", &json!({"model": "sandbox", "input": ["a cat", "a dog"]})).await;
    assert_eq!(embedded["data"][1]["embedding"].as_array().expect("a vector").len(), 64);
    assert_eq!(embedded["usage"]["prompt_tokens"], 4);
    let coded = json!({"model": "sandbox", "input": "a cat", "encoding_format": "base64"});
    assert!(newcomer.post("/v1/embeddings", &coded).await["data"][0]["embedding"].is_string());
    for (text, flagged) in [("good day", false), ("flag-me", true)] {
        let verdict = newcomer.post("/v1/moderations", &json!({"input": text})).await;
        assert_eq!(verdict["results"][0]["flagged"], flagged);
    }
    let drawn = newcomer.post("/v1/images/generations", &json!({"model": "sandbox", "prompt": "a cat", "n": 2})).await;
    assert_eq!(drawn["data"].as_array().expect("a list").len(), 2);
    let parameters =
        json!({"model": "sandbox", "input": {"messages": [{"role": "user", "content": [{"text": "a cat"}]}]}});
    assert!(newcomer.post("/v1/images/generations", &parameters).await["data"][0]["b64_json"].is_string());
    let message = json!({"model": "sandbox", "prompt": "Hello"});
    assert!(newcomer.post("/v1/completions", &message).await["choices"][0]["text"].is_string());
    filmed(&newcomer).await;
}

async fn filmed(newcomer: &Newcomer) {
    let job = newcomer.post("/v1/videos", &json!({"prompt": "a cat", "seconds": 8})).await;
    let id = job["id"].as_str().expect("an id");
    let task = until("the video", || async {
        let task: Value = newcomer.get(&format!("/v1/video/generations/{id}")).await.json().await.ok()?;
        (task["status"] == "completed").then_some(task)
    })
    .await;
    let film = newcomer.get(&format!("/v1/videos/{id}/content")).await;
    assert_eq!(film.headers()["content-type"], "video/mp4");
    assert!(film.bytes().await.expect("a film").ends_with(b"filmed in the sandbox"));
    assert!(task["url"].as_str().expect("an address").ends_with("/content"));
    let balance = exact(&newcomer.get("/api/user/self/balance").await.text().await.expect("a body"));
    assert_eq!(amount(&balance["data"]["held_usd"]), "0");
}

/// By the binary alone, on a checkout page that says what it is; a restart knows what was paid.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newcomer_tops_up_on_a_checkout_page() {
    let newcomer = Newcomer::arrive();
    let told: Value = newcomer.get("/api/user/topup/info").await.json().await.expect("JSON");
    let rails = told["data"]["rails"].as_array().expect("rails").clone();
    let rail = rails.into_iter().find(|rail| rail["rail"] == "ewallet").expect("the rail");
    assert_eq!((&rail["enabled"], rail["wallets"].as_array().map(Vec::len)), (&json!(true), Some(14)));
    let balance = async || {
        let told = newcomer.get("/api/user/self/balance").await.text().await.expect("a body");
        amount(&exact(&told)["data"]["quota_usd"])
    };
    assert_eq!(balance().await, "10");
    let ask = json!({"amount_usd": 5, "wallet": "RABBIT_LINE_PAY"});
    let made = newcomer.post("/api/user/topup/ewallet/orders", &ask).await;
    let page = made["data"]["checkout_url"].as_str().expect("a page");
    let html = client().get(page).send().await.expect("a page").text().await.expect("a page");
    assert!(html.contains("Sandbox: no money moves") && html.contains("Rabbit LINE Pay"), "{html}");
    assert_eq!(client().post(format!("{page}/pay")).send().await.expect("an answer").status(), 303);
    until("the credit", async || (balance().await == "15").then_some(())).await;
    let path = format!("/api/user/topup/order/{}", made["data"]["trade_no"].as_str().expect("a name"));
    let order: Value = newcomer.get(&path).await.json().await.expect("JSON");
    assert_eq!(order["data"]["status"], "success", "{order}");
}

/// Of each format: a request that offers a tool and names it, whole or as a stream.
fn with_tool(format: &str, stream: bool) -> (String, Value) {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let said = "Please use read_file \"README.md\" now.";
    let turn = json!([{"role": "user", "content": said}]);
    let function = json!({"name": "read_file", "description": "Reads.", "parameters": schema});
    match format {
        "O" => {
            let tools = json!([{"type": "function", "function": function}]);
            (
                "/v1/chat/completions".to_owned(),
                json!({"model": "sandbox", "messages": turn, "tools": tools, "stream": stream}),
            )
        }
        "A" => {
            let tools = json!([{"name": "read_file", "description": "Reads.", "input_schema": schema}]);
            let body =
                json!({"model": "sandbox", "messages": turn, "tools": tools, "stream": stream, "max_tokens": 500});
            ("/v1/messages".to_owned(), body)
        }
        "G" => {
            let verb = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
            let contents = json!([{"role": "user", "parts": [{"text": said}]}]);
            let body = json!({"contents": contents, "tools": [{"functionDeclarations": [function]}]});
            (format!("/v1beta/models/sandbox:{verb}"), body)
        }
        _ => {
            let member =
                json!({"type": "function", "name": "read_file", "description": "Reads.", "parameters": schema});
            let group = json!({"type": "namespace", "name": "files", "description": "Files.", "tools": [member]});
            let tools = json!([group, {"type": "custom", "name": "apply_patch", "description": "Patches."}]);
            let body = json!({"model": "sandbox", "input": turn, "tools": tools, "stream": stream, "store": false});
            ("/v1/responses".to_owned(), body)
        }
    }
}

/// The name and the arguments of a call, as an answer of a format has them, and the request that goes on with its result.
fn called(format: &str, mut request: Value, answer: &Value) -> (Value, Value, Value) {
    let parsed = |text: &Value| serde_json::from_str(text.as_str().expect("text")).expect("JSON");
    match format {
        "O" => {
            let message = &answer["choices"][0]["message"];
            let call = &message["tool_calls"][0];
            let result = json!({"role": "tool", "tool_call_id": call["id"], "content": "two cats"});
            request["messages"].as_array_mut().expect("a list").extend([message.clone(), result]);
            (call["function"]["name"].clone(), parsed(&call["function"]["arguments"]), request)
        }
        "A" => {
            let call = answer["content"].as_array().and_then(|content| content.last()).expect("a block");
            let result = json!([{"type": "tool_result", "tool_use_id": call["id"], "content": "two cats"}]);
            let more = [
                json!({"role": "assistant", "content": answer["content"]}),
                json!({"role": "user", "content": result}),
            ];
            request["messages"].as_array_mut().expect("a list").extend(more);
            (call["name"].clone(), call["input"].clone(), request)
        }
        "G" => {
            let content = &answer["candidates"][0]["content"];
            let call = &content["parts"][0]["functionCall"];
            let result = json!({"functionResponse": {"name": "read_file", "response": {"output": "two cats"}}});
            let more = [content.clone(), json!({"role": "user", "parts": [result]})];
            request["contents"].as_array_mut().expect("a list").extend(more);
            (call["name"].clone(), call["args"].clone(), request)
        }
        _ => {
            let call = answer["output"].as_array().and_then(|output| output.last()).expect("an item");
            assert_eq!(call["namespace"], "files", "{answer}");
            let result = json!({"type": "function_call_output", "call_id": call["call_id"], "output": "two cats"});
            request["input"].as_array_mut().expect("a list").extend([call.clone(), result]);
            (call["name"].clone(), parsed(&call["arguments"]), request)
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_is_called_when_the_user_says_so() {
    let newcomer = Newcomer::arrive();
    for format in ["O", "A", "G", "R"] {
        let (path, request) = with_tool(format, false);
        let answer = newcomer.post(&path, &request).await;
        let (name, arguments, next) = called(format, request, &answer);
        assert_eq!((name, arguments), (json!("read_file"), json!({"path": "README.md"})), "{format}: {answer}");
        let told = newcomer.post(&path, &next).await.to_string();
        assert!(told.contains("The tool gave:") && told.contains("two cats"), "{format}: {told}");
        let (path, request) = with_tool(format, true);
        let stream = newcomer.text(&path, &request).await;
        let ends = match format {
            "O" => "\"finish_reason\":\"tool_calls\"",
            "A" => "\"stop_reason\":\"tool_use\"",
            "G" => "\"functionCall\":",
            _ => "event: response.completed",
        };
        for part in ["\"read_file\"", "README.md", ends] {
            assert!(stream.contains(part), "{format} streamed: no {part} in {stream}");
        }
    }
    let (path, mut request) = with_tool("R", false);
    request["input"] = json!("use apply_patch `*** Begin Patch`");
    let call = newcomer.post(&path, &request).await["output"][0].clone();
    assert_eq!((&call["type"], &call["input"]), (&json!("custom_tool_call"), &json!("*** Begin Patch")), "{call}");
}
