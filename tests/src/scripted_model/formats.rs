//! Answers in each format, whole and as streams.

use std::sync::atomic::{AtomicUsize, Ordering};

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
    Text(String),
    Call(Box<Call>),
}

/// What it thought before, as its provider gives it.
#[derive(Debug, Clone, Copy)]
pub struct Thought {
    /// Some of it, for people.
    pub text: &'static str,
    /// What the provider wants back.
    pub signature: &'static str,
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
pub fn reply(wire: Wire, body: &Value, line: &str, answer: &Answer, thought: Option<Thought>) -> Reply {
    let stream = body["stream"] == true || line.contains(":streamGenerateContent");
    let (whole, events) = match wire {
        Wire::Chat => chat(answer, thought),
        Wire::Responses => responses(answer, thought, body),
        Wire::Messages => messages(answer, thought),
        Wire::Generate => generate(answer, thought),
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

/// A number that no other answer has.
fn fresh() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or_default())
}

fn chat(answer: &Answer, thought: Option<Thought>) -> (Value, Vec<String>) {
    let id = format!("chatcmpl-{}", fresh());
    let usage = json!({"prompt_tokens": PROMPT_TOKENS, "completion_tokens": OUTPUT_TOKENS,
        "total_tokens": PROMPT_TOKENS + OUTPUT_TOKENS});
    let base = |object: &str, choice: Value| json!({"id": id, "object": object, "created": 1, "model": "scripted", "choices": [choice]});
    let (mut message, pieces, finish) = match answer {
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
    let thinks = thought.map(|thought| json!({"reasoning_content": thought.text}));
    if let Some(thinks) = &thinks {
        message["reasoning_content"] = thinks["reasoning_content"].clone();
    }
    let mut whole = base("chat.completion", json!({"index": 0, "message": message, "finish_reason": finish}));
    whole["usage"] = usage.clone();
    let chunk = |delta: Value, finish: Value| {
        base("chat.completion.chunk", json!({"index": 0, "delta": delta, "finish_reason": finish}))
    };
    let mut events = vec![data(&chunk(json!({"role": "assistant"}), Value::Null))];
    events.extend(thinks.into_iter().chain(pieces).map(|piece| data(&chunk(piece, Value::Null))));
    events.push(data(&chunk(json!({}), json!(finish))));
    let last = json!({"id": id, "object": "chat.completion.chunk", "created": 1, "model": "scripted",
        "choices": [], "usage": usage});
    events.extend([data(&last), "data: [DONE]\n\n".to_owned()]);
    (whole, events)
}

fn responses(answer: &Answer, thought: Option<Thought>, body: &Value) -> (Value, Vec<String>) {
    let number = fresh();
    let item = match answer {
        Answer::Text(text) => {
            json!({"id": format!("msg_{number}"), "type": "message", "status": "completed", "role": "assistant",
            "content": [{"type": "output_text", "text": text, "annotations": []}]})
        }
        Answer::Call(call) => {
            let Call { tool, input, id } = &**call;
            let mut item = match input {
                Input::Text(text) if tool.custom => {
                    json!({"id": format!("ctc_{number}"), "type": "custom_tool_call", "status": "completed", "input": text})
                }
                _ => json!({"id": format!("fc_{number}"), "type": "function_call", "status": "completed",
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
        let mut response = json!({"id": format!("resp_{number}"), "object": "response", "created_at": 1, "completed_at": null,
            "status": status, "model": "scripted", "error": null, "incomplete_details": null, "output": output,
            "usage": {"input_tokens": PROMPT_TOKENS, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": OUTPUT_TOKENS, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": PROMPT_TOKENS + OUTPUT_TOKENS}});
        response.as_object_mut().expect("an object").extend(settings(body));
        response
    };
    let thought = thought.map(|Thought { text, signature }| {
        json!({"id": format!("rs_{number}"), "type": "reasoning", "summary": [{"type": "summary_text", "text": text}],
            "encrypted_content": signature})
    });
    let items: Vec<Value> = thought.into_iter().chain([item]).collect();
    let whole = response("completed", json!(items));
    let mut begun = response("in_progress", json!([]));
    begun["usage"] = Value::Null;
    let mut events = vec![json!({"type": "response.created", "response": begun})];
    for (index, item) in items.iter().enumerate() {
        events.extend(item_events(index, item));
    }
    events.push(json!({"type": "response.completed", "response": whole}));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    let events = events.iter().map(event).collect();
    (whole, events)
}

/// What an answer of format R repeats of its request.
fn settings(body: &Value) -> serde_json::Map<String, Value> {
    let defaults = json!({"background": false, "frequency_penalty": 0.0, "instructions": null, "max_output_tokens": null,
        "max_tool_calls": null, "metadata": {}, "parallel_tool_calls": true, "presence_penalty": 0.0,
        "previous_response_id": null, "prompt_cache_key": null, "reasoning": {"effort": null, "summary": null},
        "safety_identifier": null, "service_tier": "default", "store": true, "temperature": 1.0,
        "text": {"format": {"type": "text"}}, "tool_choice": "auto", "tools": [], "top_logprobs": 0, "top_p": 1.0,
        "truncation": "disabled"});
    let Value::Object(mut settings) = defaults else { unreachable!("it was written as an object") };
    for (name, value) in &mut settings {
        if let Some(said) = body.get(name).filter(|said| !said.is_null()) {
            *value = said.clone();
        }
    }
    for tool in settings["tools"].as_array_mut().into_iter().flatten() {
        for name in ["description", "parameters", "strict"] {
            let absent = tool.get(name).is_none();
            if absent && tool["type"] == "function" {
                tool[name] = Value::Null;
            }
        }
    }
    settings
}

/// What a stream tells of an item: begun, its pieces, and whole.
fn item_events(index: usize, item: &Value) -> Vec<Value> {
    let told = |kind: &str, item: &Value| json!({"type": kind, "output_index": index, "item": item});
    let piece = |kind: &str, more: Value| {
        let mut event = json!({"type": kind, "output_index": index, "item_id": item["id"]});
        event.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        event
    };
    let mut begun = item.clone();
    begun["status"] = json!("in_progress");
    let pieces = match item["type"].as_str() {
        Some("function_call") => {
            begun["arguments"] = json!("");
            let text = item["arguments"].as_str().unwrap_or_default();
            let delta = |half: &str| piece("response.function_call_arguments.delta", json!({"delta": half}));
            let done = piece("response.function_call_arguments.done", json!({"arguments": text, "name": item["name"]}));
            halves(text).map(delta).into_iter().chain([done]).collect()
        }
        Some("message") => {
            begun["content"] = json!([]);
            let part = &item["content"][0];
            let text = part["text"].as_str().unwrap_or_default();
            let with = |kind: &str, mut more: Value| {
                more["content_index"] = json!(0);
                piece(kind, more)
            };
            let empty = json!({"type": "output_text", "text": "", "annotations": []});
            let mut pieces = vec![with("response.content_part.added", json!({"part": empty}))];
            let delta = |half: &str| with("response.output_text.delta", json!({"delta": half, "logprobs": []}));
            pieces.extend(halves(text).map(delta));
            pieces.push(with("response.output_text.done", json!({"text": text, "logprobs": []})));
            pieces.push(with("response.content_part.done", json!({"part": part})));
            pieces
        }
        _ => {
            begun = item.clone();
            Vec::new()
        }
    };
    let (first, last) = (told("response.output_item.added", &begun), told("response.output_item.done", item));
    [first].into_iter().chain(pieces).chain([last]).collect()
}

fn messages(answer: &Answer, thought: Option<Thought>) -> (Value, Vec<String>) {
    let id = format!("msg_{}", fresh());
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
        json!({"id": id, "type": "message", "role": "assistant", "model": "scripted", "content": content,
            "stop_reason": stop, "stop_sequence": null,
            "usage": {"input_tokens": PROMPT_TOKENS, "output_tokens": output}})
    };
    let thinking = thought.map(|Thought { text, signature }| {
        (
            json!({"type": "thinking", "thinking": text, "signature": signature}),
            json!({"type": "thinking", "thinking": "", "signature": ""}),
            vec![
                json!({"type": "thinking_delta", "thinking": text}),
                json!({"type": "signature_delta", "signature": signature}),
            ],
        )
    });
    let blocks: Vec<_> = thinking.into_iter().chain([(block, opened, deltas.to_vec())]).collect();
    let whole = message(blocks.iter().map(|(block, ..)| block.clone()).collect(), json!(stop), OUTPUT_TOKENS);
    let mut events = vec![json!({"type": "message_start", "message": message(json!([]), Value::Null, 1)})];
    for (index, (_, opened, deltas)) in blocks.into_iter().enumerate() {
        events.push(json!({"type": "content_block_start", "index": index, "content_block": opened}));
        let delta = |delta| json!({"type": "content_block_delta", "index": index, "delta": delta});
        events.extend(deltas.into_iter().map(delta));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    events.extend([
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
            "usage": {"output_tokens": OUTPUT_TOKENS}}),
        json!({"type": "message_stop"}),
    ]);
    (whole, events.iter().map(event).collect())
}

fn generate(answer: &Answer, thought: Option<Thought>) -> (Value, Vec<String>) {
    let mut part = match answer {
        Answer::Text(text) => json!({"text": text}),
        Answer::Call(call) => json!({"functionCall": {"name": call.tool.name, "args": arguments(call)}}),
    };
    let thinks = thought.map(|Thought { text, signature }| {
        part["thoughtSignature"] = json!(signature);
        json!({"text": text, "thought": true})
    });
    let parts: Vec<Value> = thinks.into_iter().chain([part]).collect();
    let whole = json!({"candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": parts}}],
        "modelVersion": "scripted", "responseId": fresh().to_string(), "usageMetadata": {"promptTokenCount": PROMPT_TOKENS,
        "candidatesTokenCount": OUTPUT_TOKENS, "totalTokenCount": PROMPT_TOKENS + OUTPUT_TOKENS}});
    let events = vec![data(&whole)];
    (whole, events)
}
