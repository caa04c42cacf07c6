//! Streams for clients: what their SDKs put together from them.

use serde_json::{Value, json};

use super::super::encode_stream::ChatStreamEncoder;
use super::{block, data, echo, events, made_by, stream, told};
use crate::{
    BlockDelta, BlockKind, BlockOpening, Format, MediaContent, MediaSource, StopReason, StreamEncoder, StreamEvent,
    ThinkingSignature, TokenUsage,
};

fn open(index: usize, opening: BlockOpening) -> StreamEvent {
    StreamEvent::Open { index, opening }
}

fn words(index: usize, text: &str) -> StreamEvent {
    StreamEvent::Delta { index, delta: BlockDelta::Text(text.into()) }
}

fn arguments(index: usize, text: &str) -> StreamEvent {
    StreamEvent::Delta { index, delta: BlockDelta::Arguments(text.into()) }
}

fn call(id: &str, name: &str) -> BlockOpening {
    BlockOpening::Call { id: id.into(), name: name.into(), custom: false }
}

fn whole(events: Vec<StreamEvent>, stop: StopReason) -> Vec<StreamEvent> {
    let start = StreamEvent::Start { id: "upstream's".into() };
    std::iter::once(start).chain(events).chain([StreamEvent::Stop(stop), StreamEvent::End]).collect()
}

/// The deltas of a stream, and its finish reason; checks what all chunks have in common.
fn deltas(stream: &str) -> (Vec<Value>, String) {
    let data = data(stream);
    let (last, chunks) = data.split_last().expect("events");
    assert_eq!(*last, "[DONE]");
    let mut deltas = Vec::new();
    for chunk in chunks {
        let chunk: Value = serde_json::from_str(chunk).expect("JSON");
        assert_eq!(
            [&chunk["id"], &chunk["object"], &chunk["created"], &chunk["model"]],
            [&json!("chatcmpl-0123"), &json!("chat.completion.chunk"), &json!(7), &json!("m")]
        );
        assert_eq!(chunk.get("usage"), None);
        deltas.push(chunk["choices"][0].clone());
    }
    let finish = deltas.pop().expect("a finish chunk");
    assert!(deltas.iter().all(|choice| choice["finish_reason"].is_null() && choice["index"] == 0));
    assert_eq!(finish["delta"], json!({}));
    let word = finish["finish_reason"].as_str().expect("a word").to_owned();
    (deltas.into_iter().map(|choice| choice["delta"].clone()).collect(), word)
}

fn check(events: Vec<StreamEvent>, stop: StopReason, expected: &Value, word: &str) {
    let (deltas, finish) = deltas(&stream(whole(events, stop), false));
    assert_eq!(deltas[0], json!({"role": "assistant", "content": ""}));
    assert_eq!((json!(deltas[1..]), finish.as_str()), (expected.clone(), word));
}

#[test]
fn text_refusal_and_thought() {
    check(
        vec![
            open(0, BlockOpening::Thinking),
            words(0, "hm"),
            StreamEvent::Close { index: 0 },
            open(1, BlockOpening::Text),
            words(1, "a"),
            words(1, ""),
            words(1, "b"),
            StreamEvent::Ping,
            StreamEvent::Close { index: 1 },
        ],
        StopReason::Natural,
        &json!([{"reasoning_content": "hm"}, {"content": "a"}, {"content": "b"}]),
        "stop",
    );
    check(
        vec![open(0, BlockOpening::Refusal), words(0, "no")],
        StopReason::Refused,
        &json!([{"refusal": "no"}]),
        "stop",
    );
    check(vec![], StopReason::Refused, &json!([]), "content_filter");
}

#[test]
fn calls_interleave_and_each_is_named_once() {
    check(
        vec![
            open(0, call("1", "f")),
            open(1, call("2", "g")),
            arguments(1, "{}"),
            arguments(0, "{\"a\""),
            arguments(0, ":1}"),
            StreamEvent::Close { index: 0 },
            StreamEvent::Close { index: 1 },
            open(2, call("3", "h")),
            StreamEvent::Close { index: 2 },
        ],
        StopReason::Calls,
        &json!([
            {"tool_calls": [{"index": 0, "id": "2", "type": "function", "function": {"name": "g", "arguments": ""}}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]},
            {"tool_calls": [{"index": 1, "id": "1", "type": "function", "function": {"name": "f", "arguments": ""}}]},
            {"tool_calls": [{"index": 1, "function": {"arguments": "{\"a\""}}]},
            {"tool_calls": [{"index": 1, "function": {"arguments": ":1}"}}]},
            {"tool_calls": [{"index": 2, "id": "3", "type": "function", "function": {"name": "h", "arguments": ""}}]},
            {"tool_calls": [{"index": 2, "function": {"arguments": "{}"}}]},
        ]),
        "tool_calls",
    );
}

#[test]
fn a_call_s_signature_rides_on_its_id() {
    let signature = made_by(Format::Generate, "g");
    let sign = |index| StreamEvent::Delta { index, delta: BlockDelta::Signature(made_by(Format::Generate, "g")) };
    let member = json!({"google": {"thought_signature": signature.for_client(Format::Chat)}});
    check(
        vec![
            open(0, call("1", "f")),
            sign(0),
            arguments(0, "{}"),
            open(1, call("2", "f")),
            arguments(1, "{}"),
            sign(1),
        ],
        StopReason::Calls,
        &json!([
            {"tool_calls": [{"index": 0, "id": signature.append_to_id("1"), "type": "function",
                "function": {"name": "f", "arguments": ""}, "extra_content": member}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]},
            {"tool_calls": [{"index": 1, "id": "2", "type": "function", "function": {"name": "f", "arguments": ""}}]},
            {"tool_calls": [{"index": 1, "function": {"arguments": "{}"}}]},
            {"tool_calls": [{"index": 1, "extra_content": member}]},
        ]),
        "tool_calls",
    );
}

#[test]
fn a_thought_s_signature_is_told_and_rides_on_the_next_call() {
    let signature = made_by(Format::Messages, "a");
    let riding = ThinkingSignature { item: Some("2".into()), ..signature.clone() };
    let detail =
        json!([{"type": "reasoning.text", "text": "hm", "signature": signature.for_client(Format::Chat), "index": 0}]);
    check(
        vec![
            open(0, BlockOpening::Thinking),
            words(0, "hm"),
            StreamEvent::Delta { index: 0, delta: BlockDelta::Signature(signature.clone()) },
            StreamEvent::Close { index: 0 },
            open(1, call("1", "f")),
            StreamEvent::Close { index: 1 },
            open(2, call("2", "f")),
            StreamEvent::Close { index: 2 },
        ],
        StopReason::Calls,
        &json!([
            {"reasoning_content": "hm"},
            {"reasoning_details": detail},
            {"tool_calls": [{"index": 0, "id": riding.append_to_id("1"), "type": "function", "function": {"name": "f", "arguments": ""}}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]},
            {"tool_calls": [{"index": 1, "id": "2", "type": "function", "function": {"name": "f", "arguments": ""}}]},
            {"tool_calls": [{"index": 1, "function": {"arguments": "{}"}}]},
        ]),
        "tool_calls",
    );
}

#[test]
fn whole_blocks_come_as_if_in_pieces() {
    let picture = || {
        BlockKind::Image(MediaContent {
            mime: Some("image/png".into()),
            source: MediaSource::Base64("AAAA".into()),
            name: None,
            detail: None,
        })
    };
    let whole = |index, kind| open(index, BlockOpening::Whole(Box::new(block(kind))));
    let image =
        |index| json!([{"type": "image_url", "index": index, "image_url": {"url": "data:image/png;base64,AAAA"}}]);
    let closed = made_by(Format::Responses, "r");
    let free =
        BlockKind::Call { id: "1".into(), name: "c".into(), arguments: "free".into(), custom: true, signature: None };
    check(
        vec![
            whole(0, BlockKind::Text("x".into())),
            whole(1, picture()),
            StreamEvent::Close { index: 1 },
            whole(2, picture()),
            whole(3, BlockKind::ClosedThinking(closed.clone())),
            whole(4, free),
        ],
        StopReason::Calls,
        &json!([
            {"content": "x"},
            {"images": image(0)},
            {"images": image(1)},
            {"reasoning_details": [{"type": "reasoning.encrypted", "data": closed.for_client(Format::Chat), "index": 0}]},
            {"tool_calls": [{"index": 0, "id": closed.append_to_id("1"), "type": "custom", "custom": {"name": "c", "input": ""}}]},
            {"tool_calls": [{"index": 0, "custom": {"input": "free"}}]},
        ]),
        "tool_calls",
    );
}

#[test]
fn usage_stands_last_and_only_where_it_was_asked_for() {
    let usage = |output| StreamEvent::Usage(TokenUsage { input: 3, output, ..TokenUsage::default() });
    let events = || whole(vec![usage(1), open(0, BlockOpening::Text), words(0, "x"), usage(2)], StopReason::Natural);
    assert!(!stream(events(), false).contains("usage"));
    let asked = stream(events(), true);
    let data = data(&asked);
    let chunks: Vec<Value> =
        data[..data.len() - 1].iter().map(|data| serde_json::from_str(data).expect("JSON")).collect();
    let (last, others) = chunks.split_last().expect("chunks");
    assert_eq!((&last["choices"], &last["usage"]["total_tokens"]), (&json!([]), &json!(5)));
    assert!(others.iter().all(|chunk| chunk.get("usage") == Some(&Value::Null)));
    assert_eq!(data.last(), Some(&"[DONE]"));
}

#[test]
fn nothing_looks_complete_before_the_end() {
    let mut events =
        whole(vec![open(0, BlockOpening::Text), words(0, "x"), StreamEvent::Close { index: 0 }], StopReason::Natural);
    events.pop();
    events.push(StreamEvent::Error("upstream's words".into()));
    let stream = stream(events, true);
    assert!(
        !stream.contains("[DONE]")
            && !stream.contains(r#""finish_reason":"stop""#)
            && !stream.contains("upstream's words")
    );
}

#[test]
fn a_break_is_told_in_one_event_without_a_terminator() {
    let mut writer = ChatStreamEncoder::new(echo(true));
    let mut out = bytes::BytesMut::new();
    writer.fail("upstream_broken", "m", b"{\n\"error\":{\"message\":\"m\"}}", &mut out);
    assert_eq!(&out[..], b"data: { \"error\":{\"message\":\"m\"}}\n\n");
}

#[test]
fn what_is_written_reads_the_same() {
    let sent = whole(
        vec![
            open(0, BlockOpening::Thinking),
            words(0, "hm"),
            StreamEvent::Delta { index: 0, delta: BlockDelta::Signature(made_by(Format::Chat, "sig")) },
            StreamEvent::Close { index: 0 },
            open(1, BlockOpening::Text),
            words(1, "a \u{1f600}\n\n"),
            StreamEvent::Close { index: 1 },
            open(2, call("1", "f")),
            StreamEvent::Delta { index: 2, delta: BlockDelta::Signature(made_by(Format::Chat, "of the call")) },
            arguments(2, "{}"),
            StreamEvent::Close { index: 2 },
            StreamEvent::Usage(TokenUsage { input: 3, output: 2, ..TokenUsage::default() }),
        ],
        StopReason::Calls,
    );
    let written = stream(sent, true);
    assert_eq!(
        told(&events(&data(&written))),
        [
            "start chatcmpl-0123",
            "0 open thinking",
            "0 text hm",
            "0 sig \"sig\"",
            "0 close",
            "1 open text",
            "1 text a \u{1f600}\n\n",
            "1 close",
            "2 open call 1 f",
            "2 sig \"of the call\"",
            "2 args {}",
            "usage 3+2",
            "2 close",
            "stop Calls",
            "end",
        ]
    );
}
