//! Cases of the format's facts, as data: JSON in, JSON out, compared by meaning.

#![expect(clippy::needless_pass_by_value, reason = "cases are written where they are used")]

mod any;
mod ask_in;
mod ask_out_other;
mod ask_out_same;
mod ask_out_settings;
mod count;
mod events_in;
mod events_out;
mod reply;

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};

use super::super::{
    ChatRequest, ConversionTarget, DropReport, EncodedRequest, Format, ModelCapabilities, ResponseContext,
    StreamDecoder, StreamEvent, Unsupported,
};

/// The upstream of all cases.
const UPSTREAM: &str = "up";

fn target() -> ConversionTarget<'static> {
    ConversionTarget {
        upstream: UPSTREAM,
        model: "theirs",
        output_max: 64_000,
        output_bought: None,
        older_bound_name: false,
        asks_for_cache: false,
        capabilities: ModelCapabilities::UNKNOWN,
    }
}

fn echo() -> ResponseContext {
    ResponseContext {
        id: "0123".into(),
        model: "ours".into(),
        created: 1,
        include_usage: false,
        request: Bytes::new(),
        functions: Arc::default(),
        stop: Arc::default(),
        thinks: false,
        counted: None,
    }
}

/// A request with these members beside the required ones.
fn body(members: Value) -> Value {
    let mut body = json!({"model": "ours", "max_tokens": 10, "messages": [{"role": "user", "content": "Hi"}]});
    body.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
    body
}

fn ask(members: Value) -> ChatRequest {
    let body = body(members);
    super::decode_request::read(body.to_string().as_bytes()).unwrap_or_else(|error| panic!("{body}: {error:?}"))
}

/// A request as if a client of another format had sent it.
fn foreign(members: Value) -> ChatRequest {
    ChatRequest { from: Format::Chat, ..ask(members) }
}

/// The body that is sent, and the places that are left out.
fn sent(ask: &ChatRequest) -> Result<(Value, Vec<String>), Unsupported> {
    let EncodedRequest { body, dropped } = super::encode_request::write(ask, &target())?;
    Ok((serde_json::from_slice(&body).expect("JSON"), dropped))
}

/// The events that a reader makes of the provider's.
fn events(script: &[Value]) -> Vec<StreamEvent> {
    let mut reader = super::decode_stream::MessagesStreamDecoder::new(UPSTREAM);
    let mut out = Vec::new();
    for event in script {
        reader.read(event["type"].as_str(), event.to_string().as_bytes(), &mut out).expect("an event of the format");
    }
    reader.finish(&mut out);
    out
}

/// Fills in what may be left out, and takes away nulls, so that what means the same is the same.
fn by_meaning(mut body: Value) -> Value {
    fn content(value: &mut Value) {
        if let Value::String(text) = value {
            *value = if text.is_empty() { json!([]) } else { json!([{"type": "text", "text": text}]) };
        }
    }
    fn clean(value: &mut Value) {
        match value {
            Value::Array(list) => list.iter_mut().for_each(clean),
            Value::Object(members) => {
                members.retain(|_, member| !member.is_null());
                members.values_mut().for_each(clean);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    if let Some(system) = body.get_mut("system") {
        content(system);
    }
    for message in body["messages"].as_array_mut().into_iter().flatten() {
        content(&mut message["content"]);
        for block in message["content"].as_array_mut().into_iter().flatten() {
            if block["type"] == "tool_result" && block.get("content").is_some() {
                content(&mut block["content"]);
                if block["content"] == json!([]) {
                    block["content"].take();
                }
            }
        }
    }
    for tool in body.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
        if tool["type"] == "custom" {
            tool["type"].take();
        }
    }
    if body["stream"] == json!(false) {
        body["stream"].take();
    }
    clean(&mut body);
    body
}

#[test]
fn the_module_s_own_measure_tells_what_differs() {
    let (one, other) = (body(json!({"system": "a"})), body(json!({"system": [{"type": "text", "text": "a"}]})));
    assert_eq!(by_meaning(one.clone()), by_meaning(other));
    assert_ne!(by_meaning(one), by_meaning(body(json!({"system": "b"}))));
    assert!(DropReport::new(&ask(json!({})), Format::Messages).same_format());
}
