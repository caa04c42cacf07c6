//! Streams for clients, written.

use bytes::BytesMut;
use serde_json::Value;

use super::super::super::{
    Block, Delta, Event, EventReader, EventWriter, Format, Kind, Media, Opening, Signature, Source, Stop, Usage,
};
use super::super::events_in::Reader;
use super::super::events_out::Writer;
use super::{echo, json};

fn open(index: usize, opening: Opening) -> Event {
    Event::Open { index, opening }
}

fn text(index: usize, text: &str) -> Event {
    Event::Delta { index, delta: Delta::Text(text.to_owned()) }
}

fn arguments(index: usize, text: &str) -> Event {
    Event::Delta { index, delta: Delta::Arguments(text.to_owned()) }
}

fn call(id: &str, name: &str) -> Opening {
    Opening::Call { id: id.to_owned(), name: name.to_owned(), custom: false }
}

fn sign(index: usize, signature: &Signature) -> Event {
    Event::Delta { index, delta: Delta::Signature(signature.clone()) }
}

fn written(mut writer: Writer, events: Vec<Event>) -> String {
    let mut out = BytesMut::new();
    for event in events {
        writer.write(event, &mut out);
    }
    String::from_utf8(out.to_vec()).expect("text")
}

/// The chunks; each must be one `data: ` line and a blank one.
pub fn chunks(stream: &str) -> Vec<Value> {
    let mut rest = stream;
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let (chunk, after) = rest.split_once("\n\n").expect("a blank line after each chunk");
        let line = chunk.strip_prefix("data: ").expect("a data line");
        assert!(!line.contains(['\n', '\r']), "{line:?}");
        chunks.push(json(line));
        rest = after;
    }
    chunks
}

/// The parts of all chunks but for the last, and the last chunk.
fn parts(events: Vec<Event>) -> (Value, Value) {
    let mut all = chunks(&written(Writer::new(echo()), events));
    let last = all.pop().expect("a chunk");
    for chunk in &all {
        assert_eq!(chunk["candidates"][0]["content"]["role"], "model");
        assert!(chunk["candidates"][0].get("finishReason").is_none());
        assert!(chunk.get("usageMetadata").is_none());
    }
    let parts =
        all.iter().flat_map(|chunk| chunk["candidates"][0]["content"]["parts"].as_array().expect("parts").clone());
    (Value::Array(parts.collect()), last)
}

fn ending(stop: Stop) -> [Event; 2] {
    [Event::Stop(stop), Event::End]
}

#[test]
fn a_text_streams_and_its_end_stands_in_the_last_chunk() {
    let usage = Usage { input: 3, output: 4, reasoning: 1, ..Usage::default() };
    let mut events = vec![Event::Start { id: "up".into() }, open(0, Opening::Text), text(0, "Hé"), Event::Ping];
    events.extend([text(0, "l"), text(0, ""), text(0, "lo ✓"), Event::Close { index: 0 }, Event::Usage(usage)]);
    events.extend(ending(Stop::Natural));
    let (before, last) = parts(events);
    assert_eq!(before, json(r#"[{"text":"H"},{"text":"é"},{"text":"llo "}]"#));
    assert_eq!(
        last,
        json(
            r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"✓"}]},"finishReason":"STOP","index":0}],
               "usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":3,"totalTokenCount":7,"thoughtsTokenCount":1},
               "modelVersion":"alias","responseId":"0123"}"#
        )
    );
}

#[test]
fn interleaved_calls_come_whole_and_in_order() {
    let mut events = vec![open(0, Opening::Text), text(0, "x"), open(1, call("a", "f")), open(2, call("b", "g"))];
    events.extend([arguments(2, "{\"n\":\n"), arguments(1, "{\"a\""), arguments(2, "2}"), Event::Close { index: 2 }]);
    events.extend([text(0, "y"), Event::Close { index: 0 }, arguments(1, ":1.0}"), Event::Close { index: 1 }]);
    events.extend(ending(Stop::Calls));
    let (before, last) = parts(events);
    assert_eq!(before, json(r#"[{"text":"x"},{"text":"y"},{"functionCall":{"id":"a","name":"f","args":{"a":1.0}}}]"#));
    assert_eq!(
        last["candidates"][0]["content"]["parts"],
        json(r#"[{"functionCall":{"id":"b","name":"g","args":{"n":2}}}]"#)
    );
    assert_eq!(last["candidates"][0]["finishReason"], "STOP");
}

#[test]
fn thoughts_are_signed_on_their_last_piece() {
    let foreign = Signature::made_by("a-up", Format::Messages, None, "sig".into());
    let packed = super::super::signing::write(&foreign);
    let mut events = vec![open(0, Opening::Thinking), text(0, "hm"), sign(0, &foreign), Event::Close { index: 0 }];
    events.extend([open(1, Opening::Thinking), sign(1, &foreign), Event::Close { index: 1 }]);
    let closed = Block { at: String::new(), kind: Kind::ClosedThinking(foreign), extra: Vec::new() };
    events.extend([open(2, Opening::Whole(Box::new(closed))), Event::Close { index: 2 }]);
    events.extend([open(3, Opening::Refusal), text(3, "no"), Event::Close { index: 3 }]);
    events.extend(ending(Stop::Refused));
    let (before, last) = parts(events);
    assert_eq!(
        before,
        json(format!(
            r#"[{{"text":"h","thought":true}},{{"text":"m","thought":true,"thoughtSignature":"{packed}"}},
                {{"thought":true,"thoughtSignature":"{packed}"}},{{"thoughtSignature":"{packed}"}},{{"text":"n"}}]"#
        ))
    );
    assert_eq!(last["candidates"][0]["finishReason"], "SAFETY");
    assert_eq!(last["candidates"][0]["content"]["parts"], json(r#"[{"text":"o"}]"#));
}

#[test]
fn a_thought_that_comes_back_in_pieces_is_one_again() {
    let foreign = Signature::made_by("a-up", Format::Messages, None, "sig".into());
    let mut events = vec![open(0, Opening::Thinking), text(0, "let me"), text(0, " see"), sign(0, &foreign)];
    events.extend([Event::Close { index: 0 }, open(1, call("a", "f")), Event::Close { index: 1 }]);
    events.extend(ending(Stop::Calls));
    // The official SDKs keep each chunk as a content of its own.
    let contents: Vec<Value> = chunks(&written(Writer::new(echo()), events))
        .iter()
        .map(|chunk| chunk["candidates"][0]["content"].clone())
        .collect();
    let ask = super::read(&json_text(&contents));
    let blocks: Vec<&Kind> = ask.turns.iter().flat_map(|turn| &turn.blocks).map(|block| &block.kind).collect();
    assert_eq!(blocks.len(), 2);
    assert!(
        matches!(blocks[0], Kind::Thinking { text, signature: Some(signature), .. } if text == "let me see" && *signature == foreign)
    );
    assert!(matches!(blocks[1], Kind::Call { id, .. } if id == "a"));
}

fn json_text(contents: &[Value]) -> String {
    serde_json::json!({ "contents": contents }).to_string()
}

#[test]
fn pictures_pass_and_foreign_blocks_do_not() {
    let media =
        Media { mime: Some("image/png".into()), source: Source::Base64("AA==".into()), name: None, detail: None };
    let whole = |kind| Opening::Whole(Box::new(Block { at: String::new(), kind, extra: Vec::new() }));
    let raw = serde_json::value::to_raw_value(&1).expect("JSON");
    let mut events = vec![open(0, whole(Kind::Image(media))), Event::Close { index: 0 }];
    events.extend([open(1, whole(Kind::Other { name: "server_tool_use".into(), raw })), Event::Close { index: 1 }]);
    events.extend(ending(Stop::Natural));
    let (before, last) = parts(events);
    assert_eq!(before, json("[]"));
    let part = json(r#"[{"inlineData":{"mimeType":"image/png","data":"AA=="}}]"#);
    assert_eq!(last["candidates"][0]["content"]["parts"], part);
}

#[test]
fn nothing_said_still_ends() {
    let (before, last) = parts(ending(Stop::Refused).into());
    assert_eq!(before, json("[]"));
    assert_eq!(last["candidates"][0]["content"]["parts"], json("[]"));
    assert_eq!(last["candidates"][0]["finishReason"], "SAFETY");
}

#[test]
fn a_list_is_json_as_a_whole() {
    let mut events = vec![open(0, Opening::Text), text(0, "abc"), Event::Close { index: 0 }];
    events.extend(ending(Stop::Natural));
    let list = written(Writer::array(echo()), events);
    assert!(list.starts_with("[{") && list.contains("},\n{") && list.ends_with("}]"), "{list}");
    assert_eq!(json(&list).as_array().expect("a list").len(), 2);
    assert_eq!(json(written(Writer::array(echo()), ending(Stop::Natural).into())).as_array().expect("a list").len(), 1);
}

#[test]
fn a_broken_stream_says_so_and_nothing_after() {
    let body = b"{\"error\":{\"code\":503,\n\"message\":\"m\",\"status\":\"UNAVAILABLE\"}}";
    let run = |mut writer: Writer| {
        let mut out = BytesMut::new();
        writer.write(open(0, Opening::Text), &mut out);
        writer.write(text(0, "ab"), &mut out);
        writer.write(Event::Error("theirs".into()), &mut out);
        writer.fail("upstream_failed", "m", body, &mut out);
        writer.write(Event::End, &mut out);
        String::from_utf8(out.to_vec()).expect("text")
    };
    let all = chunks(&run(Writer::new(echo())));
    assert_eq!(all.len(), 3);
    assert_eq!(all[1]["candidates"][0]["content"]["parts"], json(r#"[{"text":"b"}]"#));
    assert_eq!(all[2], json(body));
    let list = json(run(Writer::array(echo())));
    assert_eq!(list.as_array().expect("a list").last(), Some(&json(body)));
    let mut early = Writer::array(echo());
    let mut out = BytesMut::new();
    early.fail("upstream_failed", "m", body, &mut out);
    assert_eq!(json(&out), Value::Array(vec![json(body)]));
}

#[test]
fn what_was_not_ended_has_no_reason() {
    let stream = written(Writer::new(echo()), vec![open(0, Opening::Text), text(0, "abc"), Event::Close { index: 0 }]);
    assert!(!stream.contains("finishReason"));
    let mut reader = Reader::new("up");
    let mut events = Vec::new();
    for chunk in chunks(&stream) {
        reader.read(None, chunk.to_string().as_bytes(), &mut events).expect("a chunk");
    }
    reader.finish(&mut events);
    assert!(!events.iter().any(|event| matches!(event, Event::End)));
}
