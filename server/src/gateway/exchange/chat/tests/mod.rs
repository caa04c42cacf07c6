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
    Ask, Block, Capabilities, Delta, Echo, Event, EventReader, EventWriter, Format, Kind, Opening, Role, Signature,
    Target, Turn,
};
use super::{ask_in, ask_out, events_in, events_out};

const UPSTREAM: &str = "up";

fn target() -> Target<'static> {
    Target {
        upstream: UPSTREAM,
        model: "there",
        output_max: 1000,
        output_bought: None,
        older_bound_name: false,
        asks_for_cache: false,
        capabilities: Capabilities::UNKNOWN,
    }
}

fn echo(include_usage: bool) -> Echo {
    Echo {
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

fn read(body: &Value) -> Ask {
    ask_in::read(body.to_string().as_bytes()).unwrap_or_else(|fault| panic!("{body}: {fault}"))
}

fn written(ask: &Ask) -> (Value, Vec<String>) {
    let encoded = ask_out::write(ask, &target()).expect("carried");
    (serde_json::from_slice(&encoded.body).expect("JSON"), encoded.dropped)
}

/// A request of a client that speaks another format.
fn foreign(from: Format, turns: Vec<Turn>) -> Ask {
    let ask = read(&json!({"model": "m", "messages": [{"role": "system", "content": "x"}]}));
    Ask { from, system: Vec::new(), turns, ..ask }
}

fn turn(role: Role, kinds: Vec<Kind>) -> Turn {
    Turn { at: "messages[0]".into(), role, blocks: kinds.into_iter().map(block).collect(), extra: Vec::new() }
}

fn block(kind: Kind) -> Block {
    Block { at: "messages[0].content[0]".into(), kind, extra: Vec::new() }
}

fn text(text: &str) -> Kind {
    Kind::Text(text.into())
}

fn call(id: &str, name: &str, signature: Option<Signature>) -> Kind {
    let arguments = r#"{"z":1.0,"a":12345678901234567890}"#.to_owned();
    Kind::Call { id: id.into(), name: name.into(), arguments, custom: false, signature }
}

fn result(id: &str, content: Vec<Kind>, failed: Option<bool>) -> Kind {
    let content = content.into_iter().map(block).collect();
    Kind::CallResult { id: id.into(), name: None, content, failed }
}

fn made_by(format: Format, text: &str) -> Signature {
    Signature::made_by(UPSTREAM, format, None, text.into())
}

/// The events that a reader makes of some data and of the end of the connection.
fn events(data: &[&str]) -> Vec<Event> {
    let mut reader = events_in::Reader::new(UPSTREAM);
    let mut out = Vec::new();
    for data in data {
        reader.read(None, data.as_bytes(), &mut out).unwrap_or_else(|fault| panic!("{data}: {fault}"));
    }
    reader.finish(&mut out);
    out
}

/// Events in one line each, short enough to compare by eye.
fn told(events: &[Event]) -> Vec<String> {
    events.iter().map(tell).collect()
}

fn tell(event: &Event) -> String {
    match event {
        Event::Start { id } => format!("start {id}"),
        Event::Open { index, opening } => format!("{index} open {}", tell_opening(opening)),
        Event::Delta { index, delta: Delta::Text(text) } => format!("{index} text {text}"),
        Event::Delta { index, delta: Delta::Arguments(text) } => format!("{index} args {text}"),
        Event::Delta { index, delta: Delta::Signature(signature) } => format!("{index} sig {:?}", signature.text),
        Event::Close { index } => format!("{index} close"),
        Event::Usage(usage) => format!("usage {}+{}", usage.prompt(), usage.output),
        Event::Stop(stop) => format!("stop {stop:?}"),
        Event::End => "end".into(),
        Event::Error(error) => format!("error {error}"),
        Event::Ping => "ping".into(),
    }
}

fn tell_opening(opening: &Opening) -> String {
    match opening {
        Opening::Text => "text".into(),
        Opening::Refusal => "refusal".into(),
        Opening::Thinking => "thinking".into(),
        Opening::Call { id, name, custom } => format!("call {id} {name}{}", if *custom { " custom" } else { "" }),
        Opening::Whole(block) => format!("whole {:?}", block.kind),
    }
}

/// The stream that a writer makes of some events.
fn stream(events: Vec<Event>, include_usage: bool) -> String {
    let mut writer = events_out::Writer::new(echo(include_usage));
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
