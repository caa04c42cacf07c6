//! Answers in each format, whole and as streams.

use serde_json::{Value, json};

use crate::reply::Reply;

use super::call::{Call, Input};
use super::{OUTPUT_TOKENS, PROMPT_TOKENS};

/// A format of providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    Chat,
    Responses,
    Messages,
    Generate,
}

/// What the model says.
#[derive(Debug, Clone)]
pub enum Answer {
    Text(&'static str),
    Call(Box<Call>),
}

impl Wire {
    /// By the path that is asked.
    pub fn of(line: &str) -> Option<Self> {
        let path = line.split_whitespace().nth(1)?.split('?').next()?;
        match path {
            path if path.ends_with("/chat/completions") => Some(Self::Chat),
            path if path.ends_with("/responses") => Some(Self::Responses),
            path if path.ends_with("/messages") => Some(Self::Messages),
            path if path.contains(":generateContent") || path.contains(":streamGenerateContent") => {
                Some(Self::Generate)
            }
            _ => None,
        }
    }
}

/// The answer, as the request wants it.
pub fn reply(wire: Wire, body: &Value, line: &str, answer: &Answer) -> Reply {
    let stream = body["stream"] == true || line.contains(":streamGenerateContent");
    let (whole, events) = match wire {
        Wire::Chat => chat(answer),
        Wire::Responses => responses(answer),
        Wire::Messages => messages(answer),
        Wire::Generate => generate(answer),
    };
    if stream { Reply::stream(events) } else { Reply::json(200, &whole) }
}

/// The arguments of a call: a function that stands for a tool with free text takes it as its one argument.
fn arguments(call: &Call) -> Value {
    match &call.input {
        Input::Arguments(arguments) => arguments.clone(),
        Input::Text(text) => json!({"input": text}),
    }
}

/// Two pieces of a text, so that streams are put together.
fn halves(text: &str) -> [&str; 2] {
    let middle = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    [&text[..middle], &text[middle..]]
}

fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or_default())
}

fn chat(answer: &Answer) -> (Value, Vec<String>) {
    let usage = json!({"prompt_tokens": PROMPT_TOKENS, "completion_tokens": OUTPUT_TOKENS,
        "total_tokens": PROMPT_TOKENS + OUTPUT_TOKENS});
    let base = |object: &str, choice: Value| json!({"id": "chatcmpl-1", "object": object, "created": 1, "model": "scripted", "choices": [choice]});
    let (message, pieces, finish) = match answer {
        Answer::Text(text) => {
            let pieces = halves(text).map(|piece| json!({"content": piece})).to_vec();
            (json!({"role": "assistant", "content": text}), pieces, "stop")
        }
        Answer::Call(call) => {
            let text = arguments(call).to_string();
            let whole =
                json!({"id": call.id, "type": "function", "function": {"name": call.tool.name, "arguments": text}});
            let mut pieces = vec![json!({"tool_calls": [{"index": 0, "id": call.id, "type": "function",
                "function": {"name": call.tool.name, "arguments": ""}}]})];
            let piece = |piece: &str| json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]});
            pieces.extend(halves(&text).map(piece));
            (json!({"role": "assistant", "content": null, "tool_calls": [whole]}), pieces, "tool_calls")
        }
    };
    let mut whole = base("chat.completion", json!({"index": 0, "message": message, "finish_reason": finish}));
    whole["usage"] = usage.clone();
    let chunk = |delta: Value, finish: Value| {
        base("chat.completion.chunk", json!({"index": 0, "delta": delta, "finish_reason": finish}))
    };
    let mut events = vec![data(&chunk(json!({"role": "assistant"}), Value::Null))];
    events.extend(pieces.into_iter().map(|piece| data(&chunk(piece, Value::Null))));
    events.push(data(&chunk(json!({}), json!(finish))));
    let last = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
        "choices": [], "usage": usage});
    events.extend([data(&last), "data: [DONE]\n\n".to_owned()]);
    (whole, events)
}

fn responses(answer: &Answer) -> (Value, Vec<String>) {
    let item = match answer {
        Answer::Text(text) => json!({"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
            "content": [{"type": "output_text", "text": text, "annotations": []}]}),
        Answer::Call(call) => {
            let Call { tool, input, id } = &**call;
            let mut item = match input {
                Input::Text(text) if tool.custom => {
                    json!({"id": format!("ctc_{id}"), "type": "custom_tool_call", "status": "completed", "input": text})
                }
                _ => json!({"id": format!("fc_{id}"), "type": "function_call", "status": "completed",
                    "arguments": arguments(call).to_string()}),
            };
            item["call_id"] = json!(id);
            item["name"] = json!(tool.name);
            if let Some(namespace) = &tool.namespace {
                item["namespace"] = json!(namespace);
            }
            item
        }
    };
    let response = |status: &str, output: Value| {
        json!({"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": "scripted",
            "output": output, "usage": {"input_tokens": PROMPT_TOKENS, "output_tokens": OUTPUT_TOKENS,
            "total_tokens": PROMPT_TOKENS + OUTPUT_TOKENS}})
    };
    let whole = response("completed", json!([item]));
    let mut begun = response("in_progress", json!([]));
    begun["usage"] = Value::Null;
    let events = [
        json!({"type": "response.created", "sequence_number": 0, "response": begun}),
        json!({"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item}),
        json!({"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": item}),
        json!({"type": "response.completed", "sequence_number": 3, "response": whole}),
    ];
    let events = events.iter().map(event).collect();
    (whole, events)
}

fn messages(answer: &Answer) -> (Value, Vec<String>) {
    let (block, opened, deltas, stop) = match answer {
        Answer::Text(text) => (
            json!({"type": "text", "text": text}),
            json!({"type": "text", "text": ""}),
            halves(text).map(|piece| json!({"type": "text_delta", "text": piece})),
            "end_turn",
        ),
        Answer::Call(call) => {
            let input = arguments(call);
            let block = |input: &Value| json!({"type": "tool_use", "id": format!("toolu_{}", call.id), "name": call.tool.name, "input": input});
            let deltas =
                halves(&input.to_string()).map(|piece| json!({"type": "input_json_delta", "partial_json": piece}));
            (block(&input), block(&json!({})), deltas, "tool_use")
        }
    };
    let message = |content: Value, stop: Value, output: u64| {
        json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": content,
            "stop_reason": stop, "stop_sequence": null,
            "usage": {"input_tokens": PROMPT_TOKENS, "output_tokens": output}})
    };
    let whole = message(json!([block]), json!(stop), OUTPUT_TOKENS);
    let mut events = vec![
        json!({"type": "message_start", "message": message(json!([]), Value::Null, 1)}),
        json!({"type": "content_block_start", "index": 0, "content_block": opened}),
    ];
    events.extend(deltas.map(|delta| json!({"type": "content_block_delta", "index": 0, "delta": delta})));
    events.extend([
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
            "usage": {"output_tokens": OUTPUT_TOKENS}}),
        json!({"type": "message_stop"}),
    ]);
    (whole, events.iter().map(event).collect())
}

fn generate(answer: &Answer) -> (Value, Vec<String>) {
    let part = match answer {
        Answer::Text(text) => json!({"text": text}),
        Answer::Call(call) => json!({"functionCall": {"name": call.tool.name, "args": arguments(call)}}),
    };
    let whole = json!({"candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [part]}}],
        "modelVersion": "scripted", "usageMetadata": {"promptTokenCount": PROMPT_TOKENS,
        "candidatesTokenCount": OUTPUT_TOKENS, "totalTokenCount": PROMPT_TOKENS + OUTPUT_TOKENS}});
    let events = vec![data(&whole)];
    (whole, events)
}
