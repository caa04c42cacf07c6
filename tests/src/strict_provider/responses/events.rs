//! What a provider of format R answers as a stream.

use serde_json::{Value, json};

use super::super::conduct::{Answer, Stop};
use super::super::seen::Seen;
use super::super::{named_event, pieces};
use super::answer::{fresh_id, items, response, started};

pub(super) fn stream(answer: &Answer, seen: &Seen) -> Vec<String> {
    let id = fresh_id();
    let mut events = vec![
        json!({"type": "response.created", "response": started(&id)}),
        json!({"type": "response.in_progress", "response": started(&id)}),
    ];
    for (index, item) in items(answer, seen).iter().enumerate() {
        self::item(index, item, &mut events);
    }
    let last = if answer.stop == Stop::Length { "response.incomplete" } else { "response.completed" };
    events.push(json!({"type": last, "response": response(&id, answer, seen)}));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    events.iter().map(named_event).collect()
}

/// An item: added empty, filled, done.
fn item(index: usize, item: &Value, events: &mut Vec<Value>) {
    let mut added = item.clone();
    let (hollow, empty) = match item["type"].as_str() {
        Some("message") => ("content", json!([])),
        Some("reasoning") => ("summary", json!([])),
        _ => ("arguments", json!("")),
    };
    added[hollow] = empty;
    if !item["status"].is_null() {
        added["status"] = json!("in_progress");
    }
    events.push(json!({"type": "response.output_item.added", "output_index": index, "item": added}));
    match item["type"].as_str() {
        Some("message") => message(index, item, events),
        Some("reasoning") => reasoning(index, item, events),
        _ => arguments(index, item, events),
    }
    events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
}

/// An event within an item.
fn within(kind: &str, index: usize, item: &Value, more: &Value) -> Value {
    let mut event = json!({"type": kind, "item_id": item["id"], "output_index": index});
    for (name, value) in more.as_object().into_iter().flatten() {
        event[name] = value.clone();
    }
    event
}

fn message(index: usize, item: &Value, events: &mut Vec<Value>) {
    let part = &item["content"][0];
    let (member, kind) = if part["type"] == "refusal" { ("refusal", "refusal") } else { ("text", "output_text") };
    let mut hollow = part.clone();
    hollow[member] = json!("");
    events.push(within("response.content_part.added", index, item, &json!({"content_index": 0, "part": hollow})));
    let text = part[member].as_str().unwrap_or_default();
    for piece in pieces(text) {
        let more = json!({"content_index": 0, "delta": piece, "logprobs": []});
        events.push(within(&format!("response.{kind}.delta"), index, item, &more));
    }
    let done = json!({"content_index": 0, member: text, "logprobs": []});
    events.push(within(&format!("response.{kind}.done"), index, item, &done));
    events.push(within("response.content_part.done", index, item, &json!({"content_index": 0, "part": part})));
}

fn reasoning(index: usize, item: &Value, events: &mut Vec<Value>) {
    let Some(part) = item["summary"].get(0) else { return };
    let text = part["text"].as_str().unwrap_or_default();
    let hollow = json!({"summary_index": 0, "part": {"type": "summary_text", "text": ""}});
    events.push(within("response.reasoning_summary_part.added", index, item, &hollow));
    for piece in pieces(text) {
        let more = json!({"summary_index": 0, "delta": piece});
        events.push(within("response.reasoning_summary_text.delta", index, item, &more));
    }
    let done = json!({"summary_index": 0, "text": text});
    events.push(within("response.reasoning_summary_text.done", index, item, &done));
    let done = json!({"summary_index": 0, "part": part});
    events.push(within("response.reasoning_summary_part.done", index, item, &done));
}

fn arguments(index: usize, item: &Value, events: &mut Vec<Value>) {
    let arguments = item["arguments"].as_str().unwrap_or_default();
    for piece in pieces(arguments) {
        events.push(within("response.function_call_arguments.delta", index, item, &json!({"delta": piece})));
    }
    let done = json!({"arguments": arguments});
    events.push(within("response.function_call_arguments.done", index, item, &done));
}
