//! What a provider says, ready to be sent by [`crate::Upstream`].

use serde_json::{Value, json};

use crate::reply_gate::ReplyGate;

/// An answer, step by step.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status line's code.
    pub status: u16,
    /// Headers besides the framing.
    pub headers: Vec<(String, String)>,
    /// Held up before the head is sent.
    pub head_after: Option<ReplyGate>,
    /// What happens after the head was sent.
    pub steps: Vec<Step>,
}

/// One step of an answer.
#[derive(Debug, Clone)]
pub enum Step {
    /// Sends these bytes as one piece.
    Send(Vec<u8>),
    /// Waits for a gate.
    Wait(ReplyGate),
    /// Breaks the connection without an end.
    Cut,
}

impl Reply {
    /// A whole JSON answer.
    #[must_use]
    pub fn json(status: u16, body: &Value) -> Self {
        Self::raw(status, "application/json", body.to_string().into_bytes())
    }

    /// A whole answer in any bytes.
    #[must_use]
    pub fn raw(status: u16, content_type: &str, body: Vec<u8>) -> Self {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        Self { status, headers, head_after: None, steps: vec![Step::Send(body)] }
    }

    /// A stream, piece by piece.
    #[must_use]
    pub fn stream(pieces: impl IntoIterator<Item = impl Into<Vec<u8>>>) -> Self {
        let steps = pieces.into_iter().map(|piece| Step::Send(piece.into())).collect();
        let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        Self { status: 200, headers, head_after: None, steps }
    }

    /// A connection that breaks before anything was answered.
    #[must_use]
    pub fn hang_up() -> Self {
        Self { status: 0, headers: Vec::new(), head_after: None, steps: vec![Step::Cut] }
    }

    /// The same with a header more.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same, but nothing of it is sent before the gate opens.
    #[must_use]
    pub fn after(mut self, gate: ReplyGate) -> Self {
        self.head_after = Some(gate);
        self
    }

    /// The same with a step more at its end.
    #[must_use]
    pub fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// The same with a step put in the place `index`.
    #[must_use]
    pub fn step_at(mut self, index: usize, step: Step) -> Self {
        self.steps.insert(index, step);
        self
    }
}

/// A chat completion with this text and usage.
#[must_use]
pub fn completion(text: &str, prompt_tokens: u64, completion_tokens: u64) -> Value {
    json!({
        "id": "chatcmpl-test", "object": "chat.completion", "created": 1_700_000_000, "model": "upstream-model",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": usage(prompt_tokens, completion_tokens),
    })
}

/// A usage object.
#[must_use]
pub fn usage(prompt_tokens: u64, completion_tokens: u64) -> Value {
    json!({
        "prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    })
}

/// One event of a chat stream.
#[must_use]
pub fn chunk(delta: &Value, finish_reason: Option<&str>) -> String {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish_reason});
    event(&json!({
        "id": "chatcmpl-test", "object": "chat.completion.chunk", "created": 1_700_000_000,
        "model": "upstream-model", "choices": [choice],
    }))
}

/// The event of a chat stream that carries the usage alone.
#[must_use]
pub fn usage_chunk(prompt_tokens: u64, completion_tokens: u64) -> String {
    event(&json!({
        "id": "chatcmpl-test", "object": "chat.completion.chunk", "created": 1_700_000_000,
        "model": "upstream-model", "choices": [], "usage": usage(prompt_tokens, completion_tokens),
    }))
}

/// The event that ends a chat stream.
pub const DONE: &str = "data: [DONE]\n\n";

/// A whole chat stream: a piece for each word, then the end and the usage.
#[must_use]
pub fn chat_stream(words: &[&str], prompt_tokens: u64, completion_tokens: u64) -> Vec<String> {
    let mut events = vec![chunk(&json!({"role": "assistant", "content": ""}), None)];
    events.extend(words.iter().map(|word| chunk(&json!({"content": word}), None)));
    events.push(chunk(&json!({}), Some("stop")));
    events.push(usage_chunk(prompt_tokens, completion_tokens));
    events.push(DONE.to_owned());
    events
}

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

/// A response, format R's whole answer, with these items.
#[must_use]
pub fn response(id: &str, output: &Value, input_tokens: u64, output_tokens: u64) -> Value {
    json!({
        "id": id, "object": "response", "created_at": 1_700_000_000, "status": "completed", "model": "upstream-model",
        "error": null, "incomplete_details": null, "output": output, "store": false,
        "usage": {
            "input_tokens": input_tokens, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": output_tokens, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": input_tokens + output_tokens,
        },
    })
}

/// A message item of a response.
#[must_use]
pub fn response_message(id: &str, text: &str) -> Value {
    json!({
        "id": id, "type": "message", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    })
}

/// A whole stream of format R that says `text` in one piece.
#[must_use]
pub fn response_stream(id: &str, text: &str, input_tokens: u64, output_tokens: u64) -> Vec<String> {
    let message = response_message("msg_up", text);
    let mut running = response(id, &json!([]), 0, 0);
    (running["status"], running["usage"]) = (json!("in_progress"), Value::Null);
    let place = json!({"item_id": "msg_up", "output_index": 0, "content_index": 0});
    let with = |mut members: Value, more: &Value| {
        for (name, value) in more.as_object().expect("an object") {
            members[name] = value.clone();
        }
        members
    };
    let events = [
        ("response.created", json!({"response": running})),
        ("response.output_item.added", json!({"output_index": 0, "item": response_message("msg_up", "")})),
        ("response.output_text.delta", with(json!({"delta": text, "logprobs": []}), &place)),
        ("response.output_text.done", with(json!({"text": text, "logprobs": []}), &place)),
        ("response.output_item.done", json!({"output_index": 0, "item": message})),
        ("response.completed", json!({"response": response(id, &json!([message]), input_tokens, output_tokens)})),
    ];
    let event = |(number, (name, members)): (usize, (&str, Value))| {
        let data = with(json!({"type": name, "sequence_number": number}), &members);
        format!("event: {name}\ndata: {data}\n\n")
    };
    events.into_iter().enumerate().map(event).collect()
}

/// A message, format A's whole answer.
#[must_use]
pub fn message(content: &Value, input_tokens: u64, output_tokens: u64) -> Value {
    let calls = content.as_array().is_some_and(|blocks| blocks.iter().any(|block| block["type"] == "tool_use"));
    json!({
        "id": "msg_up", "type": "message", "role": "assistant", "model": "upstream-model", "content": content,
        "stop_reason": if calls { "tool_use" } else { "end_turn" }, "stop_sequence": null,
        "usage": {"input_tokens": input_tokens, "output_tokens": output_tokens},
    })
}

/// A whole stream of format A that says `text` in one piece.
#[must_use]
pub fn message_stream(text: &str, input_tokens: u64, output_tokens: u64) -> Vec<String> {
    let mut start = message(&json!([]), input_tokens, 0);
    start["stop_reason"] = Value::Null;
    let usage = json!({"output_tokens": output_tokens});
    let events = [
        json!({"type": "message_start", "message": start}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": usage}),
        json!({"type": "message_stop"}),
    ];
    events.iter().map(|data| format!("event: {}\ndata: {data}\n\n", data["type"].as_str().expect("a name"))).collect()
}

/// A whole answer of format G with these parts; it is also the one event of its shortest stream.
#[must_use]
pub fn generated(parts: &Value, prompt_tokens: u64, output_tokens: u64) -> Value {
    json!({
        "candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": prompt_tokens, "candidatesTokenCount": output_tokens,
            "totalTokenCount": prompt_tokens + output_tokens,
        },
        "modelVersion": "upstream-model",
    })
}
