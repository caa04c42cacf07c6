//! What is sold beside tokens: requests that ask for it, and answers of 1,000 tokens of prompt and 100 of output that tell of
//! it, in the four formats, whole and streamed.

use serde_json::{Value, json};
use tollgate_base::Usd;

use crate::gateway::{TestGateway, client};
use crate::reply::{DONE, Reply};
use crate::upstream::Received;

/// Tokens of the prompt of each answer.
pub const PROMPT: u64 = 1000;
/// Tokens of output of each answer.
pub const OUTPUT: u64 = 100;

/// A provider's answer.
#[derive(Debug)]
pub struct Answer {
    format: &'static str,
    stream: bool,
    calls: Vec<Value>,
    usage: Value,
    more: Value,
}

impl Answer {
    /// To this request, in its format.
    ///
    /// # Panics
    /// When the request is no JSON.
    #[must_use]
    pub fn to(request: &Received) -> Self {
        let body: Value = serde_json::from_slice(&request.body).expect("JSON");
        let stream = body["stream"] == true || request.line.contains("streamGenerate");
        let path = request.line.split(' ').nth(1).unwrap_or_default();
        let format = match path {
            "/v1/chat/completions" => "chat",
            "/v1/messages" => "messages",
            "/v1/responses" => "responses",
            _ => "generate",
        };
        Self { format, stream, calls: Vec::new(), usage: json!({}), more: json!({}) }
    }

    /// The format: `chat`, `messages`, `generate` or `responses`.
    #[must_use]
    pub const fn format(&self) -> &'static str {
        self.format
    }

    /// The same with these before its text: blocks of format A, items of format R, parts of format G.
    #[must_use]
    pub fn calls(self, calls: Vec<Value>) -> Self {
        Self { calls, ..self }
    }

    /// The same with these members in its usage, which stand in the place of those of their names.
    #[must_use]
    pub fn usage(self, usage: Value) -> Self {
        Self { usage, ..self }
    }

    /// The same with these members beside its usage; in format G, in its candidate.
    #[must_use]
    pub fn more(self, more: Value) -> Self {
        Self { more, ..self }
    }

    /// As it is sent.
    #[must_use]
    pub fn reply(self) -> Reply {
        match self.format {
            "messages" => self.in_a(),
            "responses" => self.in_r(),
            "generate" => self.in_g(),
            _ => self.in_o(),
        }
    }

    fn in_a(self) -> Reply {
        let usage = with(json!({"input_tokens": PROMPT, "output_tokens": OUTPUT}), &self.usage);
        let message = |content: Value, stop: Value, usage: &Value| {
            let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "up", "content": content,
                "stop_reason": stop, "stop_sequence": null, "usage": usage});
            with(message, &self.more)
        };
        if !self.stream {
            let text = json!({"type": "text", "text": "Found"});
            let content: Vec<Value> = self.calls.iter().cloned().chain([text]).collect();
            return Reply::json(200, &message(json!(content), json!("end_turn"), &usage));
        }
        let first = json!({"input_tokens": PROMPT, "output_tokens": 1});
        let mut told = vec![json!({"type": "message_start", "message": message(json!([]), Value::Null, &first)})];
        let text = json!({"type": "text", "text": ""});
        for (index, block) in self.calls.iter().chain([&text]).enumerate() {
            told.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
            if block["type"] == "text" {
                let delta = json!({"type": "text_delta", "text": "Found"});
                told.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
            }
            told.push(json!({"type": "content_block_stop", "index": index}));
        }
        let delta = json!({"stop_reason": "end_turn", "stop_sequence": null});
        told.push(json!({"type": "message_delta", "delta": delta, "usage": usage}));
        told.push(json!({"type": "message_stop"}));
        events(&told)
    }

    fn in_r(self) -> Reply {
        let text = json!({"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
            "content": [{"type": "output_text", "text": "Found", "annotations": []}]});
        let items: Vec<Value> = self.calls.iter().cloned().chain([text]).collect();
        let usage = json!({"input_tokens": PROMPT, "output_tokens": OUTPUT, "total_tokens": PROMPT + OUTPUT});
        let response = |status: &str, output: Value, usage: Value| {
            let response = json!({"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": "up",
                "service_tier": "default", "output": output, "usage": usage});
            with(response, &self.more)
        };
        let whole = response("completed", json!(items), with(usage, &self.usage));
        if !self.stream {
            return Reply::json(200, &whole);
        }
        let first = response("in_progress", json!([]), Value::Null);
        let mut told = vec![json!({"type": "response.created", "response": first})];
        for (index, item) in items.iter().enumerate() {
            told.push(json!({"type": "response.output_item.added", "output_index": index, "item": item}));
            told.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
        }
        told.push(json!({"type": "response.completed", "response": whole}));
        events(&told)
    }

    fn in_g(self) -> Reply {
        let parts: Vec<Value> = self.calls.into_iter().chain([json!({"text": "Found"})]).collect();
        let candidate = json!({"content": {"role": "model", "parts": parts}, "finishReason": "STOP"});
        let usage =
            json!({"promptTokenCount": PROMPT, "candidatesTokenCount": OUTPUT, "totalTokenCount": PROMPT + OUTPUT});
        let whole = json!({"candidates": [with(candidate, &self.more)], "usageMetadata": with(usage, &self.usage),
            "modelVersion": "up"});
        match self.stream {
            true => Reply::stream([format!("data: {whole}\n\n")]),
            false => Reply::json(200, &whole),
        }
    }

    fn in_o(self) -> Reply {
        let usage = json!({"prompt_tokens": PROMPT, "completion_tokens": OUTPUT, "total_tokens": PROMPT + OUTPUT});
        let usage = with(usage, &self.usage);
        let base = |object: &str, choices: Value| {
            let whole = json!({"id": "1", "object": object, "created": 1, "model": "up", "service_tier": "default",
                "choices": choices});
            with(whole, &self.more)
        };
        if !self.stream {
            let message = json!({"role": "assistant", "content": "Found"});
            let whole = base("chat.completion", json!([{"index": 0, "message": message, "finish_reason": "stop"}]));
            return Reply::json(200, &with(whole, &json!({"usage": usage})));
        }
        let piece = json!([{"index": 0, "delta": {"content": "Found"}, "finish_reason": "stop"}]);
        let last = with(base("chat.completion.chunk", json!([])), &json!({"usage": usage}));
        let chunks = [base("chat.completion.chunk", piece), last].map(|chunk| format!("data: {chunk}\n\n"));
        Reply::stream(chunks.into_iter().chain([DONE.to_owned()]))
    }
}

fn events(events: &[Value]) -> Reply {
    let named = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a type"));
    Reply::stream(events.iter().map(named))
}

/// An object with more members, which stand in the place of those of their names.
///
/// # Panics
/// When one of them is no object.
#[must_use]
pub fn with(mut object: Value, more: &Value) -> Value {
    object.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    object
}

/// A request of a format with more members: its path and its body.
#[must_use]
pub fn ask(format: &str, model: &str, stream: bool, more: &Value) -> (String, Value) {
    let messages = json!([{"role": "user", "content": "Look it up."}]);
    let (path, mut body) = match format {
        "messages" => ("/v1/messages".to_owned(), json!({"messages": messages, "max_tokens": 1000})),
        "chat" => ("/v1/chat/completions".to_owned(), json!({"messages": messages, "max_completion_tokens": 1000})),
        "responses" => {
            ("/v1/responses".to_owned(), json!({"input": "Look it up.", "max_output_tokens": 1000, "store": false}))
        }
        _ => {
            let act = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
            let contents = json!([{"role": "user", "parts": [{"text": "Look it up."}]}]);
            (format!("/v1beta/models/{model}:{act}"), json!({"contents": contents}))
        }
    };
    if format != "generate" {
        body["model"] = json!(model);
        body["stream"] = json!(stream);
    }
    (path, with(body, more))
}

/// What a client sees of an answer, and its receipt where it has one.
#[derive(Debug)]
pub struct Asked {
    /// The status.
    pub status: u16,
    /// The receipt of an answer; null where there is none.
    pub receipt: Value,
    /// The body.
    pub text: String,
    /// What was left out of the request, where something was.
    pub dropped: Option<String>,
}

/// Asks, with the account's key.
///
/// # Panics
/// When there is no answer.
pub async fn asked(gateway: &TestGateway, (path, body): &(String, Value)) -> Asked {
    let request = client().post(gateway.url(path)).bearer_auth(&gateway.key).header("anthropic-version", "2023-06-01");
    let reply = request.json(body).send().await.expect("an answer");
    let header = |name: &str| reply.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
    let (status, dropped) = (reply.status().as_u16(), header("x-tollgate-dropped"));
    let request_id = header("x-request-id").expect("an id");
    let text = reply.text().await.expect("text");
    let receipt = if status == 200 { gateway.receipt(&request_id).await } else { Value::Null };
    Asked { status, receipt, text, dropped }
}

/// Nano-USD as they are written.
///
/// # Panics
/// When they are more than anybody has.
#[must_use]
pub fn usd(nanos: u64) -> String {
    Usd::from_nanos(i64::try_from(nanos).expect("a little")).to_string()
}
