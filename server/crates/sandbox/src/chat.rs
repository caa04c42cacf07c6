//! The sandbox's chat endpoint: format O, whole and streamed, as the real service frames it.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use http::{StatusCode, header};
use serde_json::{Value, json};

use super::model::SandboxAnswer;

const CREATED: u64 = 1_700_000_000;

/// `POST /v1/chat/completions`.
pub(super) async fn create(body: Bytes) -> Response {
    match serde_json::from_slice::<Value>(&body) {
        Ok(request) if request["messages"].is_array() => answer(&request),
        Ok(_) => refuse("`messages` must be a list"),
        Err(_) => refuse("the body is not JSON"),
    }
}

fn answer(request: &Value) -> Response {
    let bound = request["max_completion_tokens"].as_u64().or_else(|| request["max_tokens"].as_u64());
    let tokens_max = bound.and_then(|bound| usize::try_from(bound).ok()).unwrap_or(usize::MAX);
    let choices = request["n"].as_u64().unwrap_or(1).clamp(1, 128);
    let turn = SandboxAnswer::take(request, tokens_max);
    let usage = usage(&turn, choices);
    if request["stream"] == true {
        streamed(request, &turn, choices, &usage)
    } else {
        whole(request, &turn, choices, &usage)
    }
}

fn usage(turn: &SandboxAnswer, choices: u64) -> Value {
    let prompt = u64::try_from(turn.prompt_tokens).unwrap_or(u64::MAX);
    let completion = u64::try_from(turn.completion_tokens()).unwrap_or(u64::MAX).saturating_mul(choices);
    json!({
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt.saturating_add(completion),
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0},
    })
}

fn whole(request: &Value, turn: &SandboxAnswer, choices: u64, usage: &Value) -> Response {
    let choice = |index| {
        let text = turn.tokens.concat();
        let message = match &turn.tool {
            Some(name) => {
                let function = json!({"name": name, "arguments": text});
                let call = json!({"id": call_id(request, index), "type": "function", "function": function});
                json!({"role": "assistant", "content": null, "refusal": null, "tool_calls": [call]})
            }
            None => json!({"role": "assistant", "content": text, "refusal": null}),
        };
        json!({"index": index, "message": message, "logprobs": null, "finish_reason": turn.finish_reason()})
    };
    let reply = json!({
        "id": "chatcmpl-sandbox",
        "object": "chat.completion",
        "created": CREATED,
        "model": request["model"],
        "choices": (0..choices).map(choice).collect::<Vec<_>>(),
        "usage": usage,
        "system_fingerprint": "sandbox",
    });
    ([(header::CONTENT_TYPE, "application/json")], reply.to_string()).into_response()
}

fn streamed(request: &Value, turn: &SandboxAnswer, choices: u64, usage: &Value) -> Response {
    let with_usage = request["stream_options"]["include_usage"] == true;
    let chunk = |choices: Value, usage: Option<&Value>| {
        let mut chunk = json!({
            "id": "chatcmpl-sandbox",
            "object": "chat.completion.chunk",
            "created": CREATED,
            "model": request["model"],
            "system_fingerprint": "sandbox",
            "choices": choices,
        });
        if with_usage {
            chunk["usage"] = usage.cloned().unwrap_or(Value::Null);
        }
        Bytes::from(format!("data: {chunk}\n\n"))
    };
    let part = |index: u64, delta: Value, finish: Value| {
        chunk(json!([{"index": index, "delta": delta, "logprobs": null, "finish_reason": finish}]), None)
    };
    let mut events = Vec::new();
    for index in 0..choices {
        if let Some(name) = &turn.tool {
            let function = json!({"name": name, "arguments": ""});
            let call = json!({"index": 0, "id": call_id(request, index), "type": "function", "function": function});
            let first = json!({"role": "assistant", "content": null, "tool_calls": [call]});
            events.push(part(index, first, Value::Null));
            let more = |token| json!({"tool_calls": [{"index": 0, "function": {"arguments": token}}]});
            events.extend(turn.tokens.iter().map(|token| part(index, more(token), Value::Null)));
        } else {
            events.push(part(index, json!({"role": "assistant", "content": ""}), Value::Null));
            events.extend(turn.tokens.iter().map(|token| part(index, json!({"content": token}), Value::Null)));
        }
        events.push(part(index, json!({}), json!(turn.finish_reason())));
    }
    if with_usage {
        events.push(chunk(json!([]), Some(usage)));
    }
    events.push(Bytes::from_static(b"data: [DONE]\n\n"));
    let events = stream::iter(events.into_iter().map(Ok::<_, std::convert::Infallible>));
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response()
}

/// Unique in its conversation: it is as long as the messages before it.
fn call_id(request: &Value, choice: u64) -> String {
    let messages = request["messages"].as_array().map_or(0, Vec::len);
    format!("call_sandbox_{messages}_{choice}")
}

pub(super) fn refuse(message: &str) -> Response {
    let error = json!({"error": {"message": message, "type": "invalid_request_error", "param": null, "code": null}});
    (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], error.to_string()).into_response()
}
