//! What a provider of format O says, ready to be sent by [`crate::Upstream`].

use serde_json::{Value, json};

use crate::gate::Gate;

/// An answer, step by step.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status line's code.
    pub status: u16,
    /// Headers besides the framing.
    pub headers: Vec<(String, String)>,
    /// Held up before the head is sent.
    pub head_after: Option<Gate>,
    /// What happens after the head was sent.
    pub steps: Vec<Step>,
}

/// One step of an answer.
#[derive(Debug, Clone)]
pub enum Step {
    /// Sends these bytes as one piece.
    Send(Vec<u8>),
    /// Waits for a gate.
    Wait(Gate),
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
    pub fn after(mut self, gate: Gate) -> Self {
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
