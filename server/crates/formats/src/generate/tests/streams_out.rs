//! Streams for clients, written.

use bytes::BytesMut;
use serde_json::Value;

use super::super::decode_stream::GenerateStreamDecoder;
use super::super::encode_stream::GenerateStreamEncoder;
use super::{echo, json};
use crate::{
    BlockDelta, BlockKind, BlockOpening, ContentBlock, Format, MediaContent, MediaSource, StopReason, StreamDecoder,
    StreamEncoder, StreamEvent, ThinkingSignature, TokenUsage,
};

fn open(index: usize, opening: BlockOpening) -> StreamEvent {
    StreamEvent::Open { index, opening }
}

fn text(index: usize, text: &str) -> StreamEvent {
    StreamEvent::Delta { index, delta: BlockDelta::Text(text.to_owned()) }
}

fn arguments(index: usize, text: &str) -> StreamEvent {
    StreamEvent::Delta { index, delta: BlockDelta::Arguments(text.to_owned()) }
}

fn call(id: &str, name: &str) -> BlockOpening {
    BlockOpening::Call { id: id.to_owned(), name: name.to_owned(), custom: false }
}

fn sign(index: usize, signature: &ThinkingSignature) -> StreamEvent {
    StreamEvent::Delta { index, delta: BlockDelta::Signature(signature.clone()) }
}

fn written(mut writer: GenerateStreamEncoder, events: Vec<StreamEvent>) -> String {
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
fn parts(events: Vec<StreamEvent>) -> (Value, Value) {
    let mut all = chunks(&written(GenerateStreamEncoder::new(echo()), events));
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

fn ending(stop: StopReason) -> [StreamEvent; 2] {
    [StreamEvent::Stop(stop), StreamEvent::End]
}

#[test]
fn a_text_streams_and_its_end_stands_in_the_last_chunk() {
    let usage = TokenUsage { input: 3, output: 4, reasoning: 1, ..TokenUsage::default() };
    let mut events =
        vec![StreamEvent::Start { id: "up".into() }, open(0, BlockOpening::Text), text(0, "Hé"), StreamEvent::Ping];
    events.extend([
        text(0, "l"),
        text(0, ""),
        text(0, "lo ✓"),
        StreamEvent::Close { index: 0 },
        StreamEvent::Usage(usage),
    ]);
    events.extend(ending(StopReason::Natural));
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
    let mut events = vec![open(0, BlockOpening::Text), text(0, "x"), open(1, call("a", "f")), open(2, call("b", "g"))];
    events.extend([
        arguments(2, "{\"n\":\n"),
        arguments(1, "{\"a\""),
        arguments(2, "2}"),
        StreamEvent::Close { index: 2 },
    ]);
    events.extend([
        text(0, "y"),
        StreamEvent::Close { index: 0 },
        arguments(1, ":1.0}"),
        StreamEvent::Close { index: 1 },
    ]);
    events.extend(ending(StopReason::Calls));
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
    let foreign = ThinkingSignature::made_by("a-up", Format::Messages, None, "sig".into());
    let packed = super::super::signing::write(&foreign);
    let mut events =
        vec![open(0, BlockOpening::Thinking), text(0, "hm"), sign(0, &foreign), StreamEvent::Close { index: 0 }];
    events.extend([open(1, BlockOpening::Thinking), sign(1, &foreign), StreamEvent::Close { index: 1 }]);
    let closed = ContentBlock { at: String::new(), kind: BlockKind::ClosedThinking(foreign), extra: Vec::new() };
    events.extend([open(2, BlockOpening::Whole(Box::new(closed))), StreamEvent::Close { index: 2 }]);
    events.extend([open(3, BlockOpening::Refusal), text(3, "no"), StreamEvent::Close { index: 3 }]);
    events.extend(ending(StopReason::Refused));
    let (before, last) = parts(events);
    assert_eq!(
        before,
        json(format!(
            r#"[{{"text":"h","thought":true}},{{"text":"m","thought":true,"thoughtSignature":"{packed}"}},
                {{"text":"","thought":true,"thoughtSignature":"{packed}"}},{{"text":"","thoughtSignature":"{packed}"}},{{"text":"n"}}]"#
        ))
    );
    assert_eq!(last["candidates"][0]["finishReason"], "SAFETY");
    assert_eq!(last["candidates"][0]["content"]["parts"], json(r#"[{"text":"o"}]"#));
}

#[test]
fn a_thought_that_comes_back_in_pieces_is_one_again() {
    let foreign = ThinkingSignature::made_by("a-up", Format::Messages, None, "sig".into());
    let mut events = vec![open(0, BlockOpening::Thinking), text(0, "let me"), text(0, " see"), sign(0, &foreign)];
    events.extend([StreamEvent::Close { index: 0 }, open(1, call("a", "f")), StreamEvent::Close { index: 1 }]);
    events.extend(ending(StopReason::Calls));
    // The official SDKs keep each chunk as a content of its own.
    let contents: Vec<Value> = chunks(&written(GenerateStreamEncoder::new(echo()), events))
        .iter()
        .map(|chunk| chunk["candidates"][0]["content"].clone())
        .collect();
    let ask = super::read(&json_text(&contents));
    let blocks: Vec<&BlockKind> = ask.turns.iter().flat_map(|turn| &turn.blocks).map(|block| &block.kind).collect();
    assert_eq!(blocks.len(), 2);
    assert!(
        matches!(blocks[0], BlockKind::Thinking { text, signature: Some(signature), .. } if text == "let me see" && *signature == foreign)
    );
    assert!(matches!(blocks[1], BlockKind::Call { id, .. } if id == "a"));
}

fn json_text(contents: &[Value]) -> String {
    serde_json::json!({ "contents": contents }).to_string()
}

#[test]
fn pictures_pass_and_foreign_blocks_do_not() {
    let media = MediaContent {
        mime: Some("image/png".into()),
        source: MediaSource::Base64("AA==".into()),
        name: None,
        detail: None,
    };
    let whole = |kind| BlockOpening::Whole(Box::new(ContentBlock { at: String::new(), kind, extra: Vec::new() }));
    let raw = serde_json::value::to_raw_value(&1).expect("JSON");
    let mut events = vec![open(0, whole(BlockKind::Image(media))), StreamEvent::Close { index: 0 }];
    events.extend([
        open(1, whole(BlockKind::Other { name: "server_tool_use".into(), raw })),
        StreamEvent::Close { index: 1 },
    ]);
    events.extend(ending(StopReason::Natural));
    let (before, last) = parts(events);
    assert_eq!(before, json("[]"));
    let part = json(r#"[{"inlineData":{"mimeType":"image/png","data":"AA=="}}]"#);
    assert_eq!(last["candidates"][0]["content"]["parts"], part);
}

#[test]
fn nothing_said_still_ends() {
    let (before, last) = parts(ending(StopReason::Refused).into());
    assert_eq!(before, json("[]"));
    assert_eq!(last["candidates"][0]["content"]["parts"], json("[]"));
    assert_eq!(last["candidates"][0]["finishReason"], "SAFETY");
}

#[test]
fn a_list_is_json_as_a_whole() {
    let mut events = vec![open(0, BlockOpening::Text), text(0, "abc"), StreamEvent::Close { index: 0 }];
    events.extend(ending(StopReason::Natural));
    let list = written(GenerateStreamEncoder::array(echo()), events);
    assert!(list.starts_with("[{") && list.contains("},\n{") && list.ends_with("}]"), "{list}");
    assert_eq!(json(&list).as_array().expect("a list").len(), 2);
    assert_eq!(
        json(written(GenerateStreamEncoder::array(echo()), ending(StopReason::Natural).into()))
            .as_array()
            .expect("a list")
            .len(),
        1
    );
}

#[test]
fn a_broken_stream_says_so_and_nothing_after() {
    let body = b"{\"error\":{\"code\":503,\n\"message\":\"m\",\"status\":\"UNAVAILABLE\"}}";
    let run = |mut writer: GenerateStreamEncoder| {
        let mut out = BytesMut::new();
        writer.write(open(0, BlockOpening::Text), &mut out);
        writer.write(text(0, "ab"), &mut out);
        writer.write(StreamEvent::Error("theirs".into()), &mut out);
        writer.fail("upstream_failed", "m", body, &mut out);
        writer.write(StreamEvent::End, &mut out);
        String::from_utf8(out.to_vec()).expect("text")
    };
    let all = chunks(&run(GenerateStreamEncoder::new(echo())));
    assert_eq!(all.len(), 3);
    assert_eq!(all[1]["candidates"][0]["content"]["parts"], json(r#"[{"text":"b"}]"#));
    assert_eq!(all[2], json(body));
    let list = json(run(GenerateStreamEncoder::array(echo())));
    assert_eq!(list.as_array().expect("a list").last(), Some(&json(body)));
    let mut early = GenerateStreamEncoder::array(echo());
    let mut out = BytesMut::new();
    early.fail("upstream_failed", "m", body, &mut out);
    assert_eq!(json(&out), Value::Array(vec![json(body)]));
}

#[test]
fn what_was_not_ended_has_no_reason() {
    let stream = written(
        GenerateStreamEncoder::new(echo()),
        vec![open(0, BlockOpening::Text), text(0, "abc"), StreamEvent::Close { index: 0 }],
    );
    assert!(!stream.contains("finishReason"));
    let mut reader = GenerateStreamDecoder::new("up");
    let mut events = Vec::new();
    for chunk in chunks(&stream) {
        reader.read(None, chunk.to_string().as_bytes(), &mut events).expect("a chunk");
    }
    reader.finish(&mut events);
    assert!(!events.iter().any(|event| matches!(event, StreamEvent::End)));
}
