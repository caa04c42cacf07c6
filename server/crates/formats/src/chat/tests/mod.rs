//! Cases as data: JSON in, JSON out, compared by meaning.

mod any;
mod asks_in;
mod asks_out;
mod foreign;
mod replies;
mod streams_in;
mod streams_out;

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use serde_json::{Value, json};

use super::super::{
    BlockDelta, BlockKind, BlockOpening, ChatMessage, ChatRequest, ContentBlock, ConversionTarget, Format, MessageRole,
    ModelCapabilities, ResponseContext, StreamDecoder, StreamEncoder, StreamEvent, ThinkingSignature,
};
use super::{decode_request, decode_stream, encode_request, encode_stream};

const UPSTREAM: &str = "up";

fn target() -> ConversionTarget<'static> {
    ConversionTarget {
        upstream: UPSTREAM,
        model: "there",
        output_max: 1000,
        output_bought: None,
        older_bound_name: false,
        asks_for_cache: false,
        capabilities: ModelCapabilities::UNKNOWN,
    }
}

fn echo(include_usage: bool) -> ResponseContext {
    ResponseContext {
        id: "0123".into(),
        model: "m".into(),
        created: 7,
        include_usage,
        request: Bytes::new(),
        functions: Arc::default(),
        stop: Arc::default(),
        thinks: false,
        counted: None,
    }
}

fn read(body: &Value) -> ChatRequest {
    decode_request::read(body.to_string().as_bytes()).unwrap_or_else(|fault| panic!("{body}: {fault}"))
}

fn written(ask: &ChatRequest) -> (Value, Vec<String>) {
    let encoded = encode_request::write(ask, &target()).expect("carried");
    (serde_json::from_slice(&encoded.body).expect("JSON"), encoded.dropped)
}

/// A request of a client that speaks another format.
fn foreign(from: Format, turns: Vec<ChatMessage>) -> ChatRequest {
    let ask = read(&json!({"model": "m", "messages": [{"role": "system", "content": "x"}]}));
    ChatRequest { from, system: Vec::new(), turns, ..ask }
}

fn turn(role: MessageRole, kinds: Vec<BlockKind>) -> ChatMessage {
    ChatMessage { at: "messages[0]".into(), role, blocks: kinds.into_iter().map(block).collect(), extra: Vec::new() }
}

fn block(kind: BlockKind) -> ContentBlock {
    ContentBlock { at: "messages[0].content[0]".into(), kind, extra: Vec::new() }
}

fn text(text: &str) -> BlockKind {
    BlockKind::Text(text.into())
}

fn call(id: &str, name: &str, signature: Option<ThinkingSignature>) -> BlockKind {
    let arguments = r#"{"z":1.0,"a":12345678901234567890}"#.to_owned();
    BlockKind::Call { id: id.into(), name: name.into(), arguments, custom: false, signature }
}

fn result(id: &str, content: Vec<BlockKind>, failed: Option<bool>) -> BlockKind {
    let content = content.into_iter().map(block).collect();
    BlockKind::CallResult { id: id.into(), name: None, content, failed }
}

fn made_by(format: Format, text: &str) -> ThinkingSignature {
    ThinkingSignature::made_by(UPSTREAM, format, None, text.into())
}

/// The events that a reader makes of some data and of the end of the connection.
fn events(data: &[&str]) -> Vec<StreamEvent> {
    let mut reader = decode_stream::ChatStreamDecoder::new(UPSTREAM);
    let mut out = Vec::new();
    for data in data {
        reader.read(None, data.as_bytes(), &mut out).unwrap_or_else(|fault| panic!("{data}: {fault}"));
    }
    reader.finish(&mut out);
    out
}

/// Events in one line each, short enough to compare by eye.
fn told(events: &[StreamEvent]) -> Vec<String> {
    events.iter().map(tell).collect()
}

fn tell(event: &StreamEvent) -> String {
    match event {
        StreamEvent::Start { id } => format!("start {id}"),
        StreamEvent::Open { index, opening } => format!("{index} open {}", tell_opening(opening)),
        StreamEvent::Delta { index, delta: BlockDelta::Text(text) } => format!("{index} text {text}"),
        StreamEvent::Delta { index, delta: BlockDelta::Arguments(text) } => format!("{index} args {text}"),
        StreamEvent::Delta { index, delta: BlockDelta::Signature(signature) } => {
            format!("{index} sig {:?}", signature.text)
        }
        StreamEvent::Close { index } => format!("{index} close"),
        StreamEvent::Usage(usage) => format!("usage {}+{}", usage.prompt(), usage.output),
        StreamEvent::Stop(stop) => format!("stop {stop:?}"),
        StreamEvent::End => "end".into(),
        StreamEvent::Error(error) => format!("error {error}"),
        StreamEvent::Ping => "ping".into(),
    }
}

fn tell_opening(opening: &BlockOpening) -> String {
    match opening {
        BlockOpening::Text => "text".into(),
        BlockOpening::Refusal => "refusal".into(),
        BlockOpening::Thinking => "thinking".into(),
        BlockOpening::Call { id, name, custom } => format!("call {id} {name}{}", if *custom { " custom" } else { "" }),
        BlockOpening::Whole(block) => format!("whole {:?}", block.kind),
    }
}

/// The stream that a writer makes of some events.
fn stream(events: Vec<StreamEvent>, include_usage: bool) -> String {
    let mut writer = encode_stream::ChatStreamEncoder::new(echo(include_usage));
    let mut out = BytesMut::new();
    for event in events {
        writer.write(event, &mut out);
    }
    String::from_utf8(out.to_vec()).expect("text")
}

/// The data of a stream's events.
fn data(stream: &str) -> Vec<&str> {
    stream.split("\n\n").filter_map(|event| event.strip_prefix("data: ")).collect()
}
