//! The rules of the format, one small case each: JSON in, JSON out, compared by meaning.

mod ask;
mod carried;
mod carried_settings;
mod kept;
mod lifelike;
mod reply;
mod stream_in;
mod stream_out;
mod unreadable;

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use serde_json::{Value, json};

use super::super::{
    ChatRequest, ConversionTarget, ModelCapabilities, ResponseContext, StreamDecoder, StreamEncoder, StreamEvent,
    Unsupported,
};
use super::{ResponsesStreamDecoder, ResponsesStreamEncoder, read, write};

const ANSWER: &str = "00112233445566778899aabbccddeeff";

fn target() -> ConversionTarget<'static> {
    ConversionTarget {
        upstream: "up",
        model: "theirs",
        output_max: 4096,
        output_bought: None,
        older_bound_name: false,
        asks_for_cache: false,
        capabilities: ModelCapabilities::UNKNOWN,
    }
}

fn ask(body: &Value) -> ChatRequest {
    read(body.to_string().as_bytes()).unwrap_or_else(|wrong| panic!("{wrong}: {body}"))
}

fn body(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(bytes)))
}

/// The body that a provider is sent, and the places that are left out.
fn sent(ask: &ChatRequest) -> (Value, Vec<String>) {
    let encoded = write(ask, &target()).unwrap_or_else(|refused| panic!("{refused}"));
    (body(&encoded.body), encoded.dropped)
}

fn refused(ask: &ChatRequest) -> Unsupported {
    write(ask, &target()).expect_err("it cannot be carried")
}

fn echo(request: &Value) -> ResponseContext {
    ResponseContext {
        id: ANSWER.into(),
        model: "mine".into(),
        created: 1_700_000_000,
        include_usage: false,
        request: Bytes::from(request.to_string()),
        functions: Arc::default(),
        stop: Arc::default(),
        thinks: false,
        counted: None,
    }
}

/// Reads a provider's stream, events as JSON objects with their type.
fn read_stream(events: &[Value]) -> Vec<StreamEvent> {
    let mut reader = ResponsesStreamDecoder::new("up");
    let mut out = Vec::new();
    for event in events {
        let name = event["type"].as_str();
        reader.read(name, event.to_string().as_bytes(), &mut out).unwrap_or_else(|wrong| panic!("{wrong}: {event}"));
    }
    reader.finish(&mut out);
    out
}

/// Writes a stream and checks what holds of every stream: names, numbers, the first and the last event.
fn write_stream(events: Vec<StreamEvent>) -> Vec<Value> {
    let mut writer = ResponsesStreamEncoder::new(echo(&json!({"model": "mine", "input": "x"})));
    let mut out = BytesMut::new();
    for event in events {
        writer.write(event, &mut out);
    }
    parse_stream(&out)
}

fn parse_stream(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).expect("text");
    let mut events = Vec::new();
    for event in text.split_terminator("\n\n").filter(|event| !event.starts_with(':')) {
        let (name, data) = event.split_once('\n').expect("two lines");
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").expect("data")).expect("JSON");
        assert_eq!(name.strip_prefix("event: "), data["type"].as_str());
        assert_eq!(data["sequence_number"], events.len());
        events.push(data);
    }
    events
}

/// The events in a few words each, for tests: deltas joined per block.
fn told(events: &[StreamEvent]) -> Vec<String> {
    use super::super::{BlockDelta, BlockOpening};
    let mut out: Vec<String> = Vec::new();
    for event in events {
        match event {
            StreamEvent::Start { id } => out.push(format!("start {id}")),
            StreamEvent::Open { index, opening } => out.push(match opening {
                BlockOpening::Text => format!("{index} text"),
                BlockOpening::Refusal => format!("{index} refusal"),
                BlockOpening::Thinking => format!("{index} thinking"),
                BlockOpening::Call { id, name, custom } => {
                    format!("{index} call {id} {name}{}", if *custom { " custom" } else { "" })
                }
                BlockOpening::Whole(block) => format!("{index} whole {:?}", block.kind),
            }),
            StreamEvent::Delta { index, delta: BlockDelta::Text(piece) | BlockDelta::Arguments(piece) } => {
                out.push(format!("{index} + {piece}"));
            }
            StreamEvent::Delta { index, delta: BlockDelta::Signature(signature) } => {
                out.push(format!("{index} signed {} {:?}", signature.text, signature.item));
            }
            StreamEvent::Close { index } => out.push(format!("{index} closed")),
            StreamEvent::Usage(usage) => out.push(format!("usage {} {}", usage.prompt(), usage.output)),
            StreamEvent::Stop(stop) => out.push(format!("stop {stop:?}")),
            StreamEvent::End => out.push("end".into()),
            StreamEvent::Error(message) => out.push(format!("error {message}")),
            StreamEvent::Ping => out.push("ping".into()),
        }
    }
    out
}
