//! Streams for clients, written.

use bytes::BytesMut;
use serde_json::{Value, json};

use super::super::decode_stream::MessagesStreamDecoder;
use super::super::encode_stream::MessagesStreamEncoder;
use super::events_in::{close, delta, done, open, short, start};
use super::{UPSTREAM, echo, events};
use crate::{
    BlockDelta, BlockKind, BlockOpening, ContentBlock, Format, MediaContent, MediaSource, ResponseContext, StopReason,
    StreamDecoder, StreamEncoder, StreamEvent, ThinkingSignature, TokenUsage,
};

/// The events that a client receives: each one's data, its name checked.
fn received(events: Vec<StreamEvent>) -> Vec<Value> {
    received_by(false, events)
}

/// The events that a client receives that asked for thinking, or did not.
fn received_by(thinks: bool, events: Vec<StreamEvent>) -> Vec<Value> {
    let (mut writer, mut out) = (MessagesStreamEncoder::new(ResponseContext { thinks, ..echo() }), BytesMut::new());
    for event in events {
        writer.write(event, &mut out);
    }
    parsed(&out)
}

fn parsed(stream: &[u8]) -> Vec<Value> {
    let stream = std::str::from_utf8(stream).expect("text");
    let event = |event: &str| {
        let (name, data) = event.split_once('\n').expect("two lines");
        let data = data.strip_prefix("data: ").expect("data");
        let data: Value = serde_json::from_str(data).expect("JSON on one line");
        assert_eq!(name.strip_prefix("event: "), data["type"].as_str());
        data
    };
    stream.split_terminator("\n\n").map(event).collect()
}

/// Types, indexes and content only.
fn outline(data: &[Value]) -> Vec<String> {
    let one = |data: &Value| match data["type"].as_str().expect("a type") {
        "content_block_start" => {
            format!("+{} {}", data["index"], data["content_block"]["type"].as_str().expect("type"))
        }
        "content_block_delta" => {
            let delta = data["delta"].as_object().expect("an object");
            let (name, text) = delta.iter().find(|(name, _)| *name != "type").expect("content");
            format!("{} {name} {}", data["index"], text.as_str().expect("text"))
        }
        "content_block_stop" => format!("-{}", data["index"]),
        other => other.to_owned(),
    };
    data.iter().map(one).collect()
}

fn begin(index: usize, opening: BlockOpening) -> StreamEvent {
    StreamEvent::Open { index, opening }
}

fn call(id: &str) -> BlockOpening {
    BlockOpening::Call { id: id.into(), name: "f".into(), custom: false }
}

fn add(index: usize, words: &str) -> StreamEvent {
    StreamEvent::Delta { index, delta: BlockDelta::Text(words.into()) }
}

fn arguments(index: usize, words: &str) -> StreamEvent {
    StreamEvent::Delta { index, delta: BlockDelta::Arguments(words.into()) }
}

fn signed(index: usize, format: Format) -> StreamEvent {
    let signature = ThinkingSignature::made_by(UPSTREAM, format, None, "sig".into());
    StreamEvent::Delta { index, delta: BlockDelta::Signature(signature) }
}

fn whole(index: usize, kind: BlockKind) -> StreamEvent {
    begin(index, BlockOpening::Whole(Box::new(ContentBlock { at: String::new(), kind, extra: Vec::new() })))
}

fn end(index: usize) -> StreamEvent {
    StreamEvent::Close { index }
}

fn first() -> StreamEvent {
    StreamEvent::Start { id: "theirs".into() }
}

#[test]
fn a_stream_has_its_frame() {
    let usage = TokenUsage { input: 3, output: 1, ..TokenUsage::default() };
    let total = TokenUsage { input: 3, cache_read: 2, output: 8, ..TokenUsage::default() };
    let data = received(vec![
        first(),
        StreamEvent::Usage(usage),
        begin(0, BlockOpening::Text),
        add(0, "a"),
        add(0, ""),
        add(0, "b\n"),
        end(0),
        StreamEvent::Stop(StopReason::Sequence(Some("x".into()))),
        StreamEvent::Usage(total),
        StreamEvent::End,
        StreamEvent::Ping,
        first(),
    ]);
    let types: Vec<_> = outline(&data);
    assert_eq!(types, ["message_start", "+0 text", "0 text a", "0 text b\n", "-0", "message_delta", "message_stop"]);
    let expected = json!({
        "id": "msg_0123", "type": "message", "role": "assistant", "model": "ours", "content": [], "stop_reason": null,
        "stop_sequence": null, "usage": data[0]["message"]["usage"],
    });
    assert_eq!(data[0]["message"], expected);
    assert_eq!(data[0]["message"]["usage"]["input_tokens"], 3);
    assert_eq!(data[1]["content_block"], json!({"type": "text", "text": ""}));
    assert_eq!(data[5]["delta"], json!({"stop_reason": "stop_sequence", "stop_sequence": "x"}));
    let counts = &data[5]["usage"];
    assert_eq!((&counts["output_tokens"], &counts["cache_read_input_tokens"]), (&json!(8), &json!(2)));
    assert_eq!(data[6], json!({"type": "message_stop"}));
}

#[test]
fn calls_that_interleave_are_put_in_order() {
    let data = received(vec![
        first(),
        begin(0, BlockOpening::Text),
        add(0, "a"),
        begin(1, call("c1")),
        begin(2, call("c:2")),
        arguments(1, "{\"a\""),
        arguments(2, "{}"),
        arguments(1, ":1}"),
        end(0),
        end(2),
        end(1),
        StreamEvent::Stop(StopReason::Calls),
        StreamEvent::End,
    ]);
    assert_eq!(
        outline(&data)[1..],
        [
            "+0 text",
            "0 text a",
            "-0",
            "+1 tool_use",
            "1 partial_json {\"a\":1}",
            "-1",
            "+2 tool_use",
            "2 partial_json {}",
            "-2",
            "message_delta",
            "message_stop",
        ]
    );
}

#[test]
fn a_call_without_arguments_is_one_and_a_text_without_words_is_none() {
    let data = received(vec![
        first(),
        begin(0, BlockOpening::Text),
        end(0),
        begin(1, BlockOpening::Thinking),
        end(1),
        begin(2, call("c")),
        end(2),
        StreamEvent::End,
    ]);
    assert_eq!(outline(&data), ["message_start", "+0 tool_use", "-0", "message_delta", "message_stop"]);
    assert_eq!(data[1]["content_block"], json!({"type": "tool_use", "id": "c", "name": "f", "input": {}}));
    assert_eq!(data[3]["delta"]["stop_reason"], "tool_use");
}

#[test]
fn signatures_stand_where_the_format_has_a_place() {
    let data = received(vec![
        first(),
        begin(0, BlockOpening::Thinking),
        add(0, "t"),
        signed(0, Format::Messages),
        end(0),
        begin(1, BlockOpening::Thinking),
        signed(1, Format::Generate),
        end(1),
        begin(2, call("c1")),
        signed(2, Format::Generate),
        arguments(2, "{}"),
        end(2),
        begin(3, call("c2")),
        arguments(3, "{}"),
        signed(3, Format::Generate),
        end(3),
        StreamEvent::End,
    ]);
    let outline = outline(&data);
    let kinds: Vec<_> = outline.iter().map(|step| step.split(" tg1").next().expect("a step")).collect();
    assert_eq!(
        kinds[1..kinds.len() - 2],
        [
            "+0 thinking",
            "0 thinking t",
            "0 signature sig",
            "-0",
            "+1 thinking",
            "1 signature",
            "-1",
            "+2 redacted_thinking",
            "-2",
            "+3 tool_use",
            "3 partial_json {}",
            "-3",
            "+4 tool_use",
            "4 partial_json {}",
            "-4",
            "+5 redacted_thinking",
            "-5",
        ]
    );
    let item = |step: usize| ThinkingSignature::read(data[step]["content_block"]["data"].as_str().expect("data")).item;
    assert_eq!((item(8).as_deref(), item(16).as_deref()), (Some("c1"), Some("c2")));
}

/// Format G signs the last part of an answer, also where nobody thought; another maker's thinking after a text is thinking.
#[test]
fn the_signature_of_a_text_is_thinking_for_who_asked_for_that() {
    for (maker, asks, told) in
        [(Format::Generate, false, false), (Format::Generate, true, true), (Format::Responses, false, true)]
    {
        let data = received_by(
            asks,
            vec![
                first(),
                begin(0, BlockOpening::Text),
                add(0, "t"),
                end(0),
                begin(1, BlockOpening::Thinking),
                signed(1, maker),
                end(1),
                StreamEvent::End,
            ],
        );
        let outline = outline(&data);
        assert_eq!(outline.iter().any(|step| step == "+1 thinking"), told, "{outline:?}");
    }
}

#[test]
fn blocks_that_come_whole() {
    let picture = MediaContent {
        mime: Some("image/png".into()),
        source: MediaSource::Base64("AA==".into()),
        name: None,
        detail: None,
    };
    let foreign = BlockKind::Other { name: "executableCode".into(), raw: serde_json::from_str("{}").expect("JSON") };
    let ours = r#"{"type":"server_tool_use",
        "id":"s"}"#;
    let ours = BlockKind::Other { name: "server_tool_use".into(), raw: serde_json::from_str(ours).expect("JSON") };
    let data = received(vec![
        first(),
        whole(0, foreign),
        end(0),
        whole(1, BlockKind::Image(picture)),
        end(1),
        whole(2, ours),
        end(2),
        whole(3, BlockKind::Refusal("no".into())),
        end(3),
        StreamEvent::Stop(StopReason::Natural),
        StreamEvent::End,
    ]);
    assert_eq!(
        outline(&data)[1..],
        ["+0 image", "-0", "+1 server_tool_use", "-1", "+2 text", "-2", "message_delta", "message_stop"]
    );
    assert_eq!(data[7]["delta"]["stop_reason"], "refusal");
}

#[test]
fn refusals_are_texts_and_told_by_the_reason() {
    let data = received(vec![
        first(),
        begin(0, BlockOpening::Refusal),
        add(0, "no"),
        end(0),
        StreamEvent::Stop(StopReason::Natural),
        StreamEvent::End,
    ]);
    assert_eq!(data[1]["content_block"]["type"], "text");
    assert_eq!(data[4]["delta"]["stop_reason"], "refusal");
}

#[test]
fn free_text_of_a_call_is_put_into_an_object() {
    let opening = BlockOpening::Call { id: "c".into(), name: "f".into(), custom: true };
    let data =
        received(vec![first(), begin(0, opening), arguments(0, "do"), arguments(0, " it"), end(0), StreamEvent::End]);
    assert_eq!(data[2]["delta"]["partial_json"], "{\"unparsed_arguments\":\"do it\"}");
}

#[test]
fn nothing_looks_complete_before_the_end_or_after_a_failure() {
    let (mut writer, mut out) = (MessagesStreamEncoder::new(echo()), BytesMut::new());
    let steps = [
        first(),
        begin(0, BlockOpening::Text),
        add(0, "a"),
        StreamEvent::Stop(StopReason::Natural),
        StreamEvent::Error("e".into()),
    ];
    for event in steps {
        writer.write(event, &mut out);
    }
    assert_eq!(outline(&parsed(&out)), ["message_start", "+0 text", "0 text a"]);
    let before = out.len();
    writer.fail("upstream_broken", "m", b"{\n\"type\":\"error\",\"error\":{\"type\":\"api_error\"}}", &mut out);
    writer.write(StreamEvent::End, &mut out);
    writer.fail("again", "m", b"{}", &mut out);
    let failure = "event: error\ndata: { \"type\":\"error\",\"error\":{\"type\":\"api_error\"}}\n\n";
    assert_eq!(&out[before..], failure.as_bytes());
}

#[test]
fn a_sign_of_life_comes_after_the_start() {
    assert_eq!(outline(&received(vec![StreamEvent::Ping])), ["ping"]);
    assert_eq!(outline(&received(vec![first(), StreamEvent::Ping])), ["message_start", "ping"]);
}

#[test]
fn a_stream_in_the_format_itself_means_the_same_again() {
    let mut steps = vec![start(), open(0, json!({"type": "thinking", "thinking": "", "signature": ""}))];
    steps.push(delta(0, json!({"type": "thinking_delta", "thinking": "t"})));
    steps.push(delta(0, json!({"type": "signature_delta", "signature": "s"})));
    steps.extend([close(0), open(1, json!({"type": "redacted_thinking", "data": "d"})), close(1)]);
    steps
        .extend([open(2, json!({"type": "text", "text": ""})), delta(2, json!({"type": "text_delta", "text": "é\n"}))]);
    steps.extend([close(2), open(3, json!({"type": "tool_use", "id": "c", "name": "f", "input": {}}))]);
    steps.push(delta(3, json!({"type": "input_json_delta", "partial_json": "{\"a\":1}"})));
    steps.extend([close(3), open(4, json!({"type": "server_tool_use", "id": "s", "name": "w", "input": {"q": 1}}))]);
    steps.push(close(4));
    steps.extend(done("tool_use"));
    let read = events(&steps);
    let mut again = Vec::new();
    let mut reader = MessagesStreamDecoder::new(UPSTREAM);
    for data in received(read.clone()) {
        reader.read(None, data.to_string().as_bytes(), &mut again).expect("an event");
    }
    assert_eq!(short(&again).replace("msg_0123", "msg_1"), short(&read));
}
