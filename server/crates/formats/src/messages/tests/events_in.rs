//! Streams of providers, read.

use serde_json::{Value, json};

use super::super::decode_stream::MessagesStreamDecoder;
use super::{UPSTREAM, events};
use crate::{StreamDecoder, StreamEvent};

/// A stream in short: `start`, `+0text`, `0:words`, `-0`, `stop`, …
pub fn short(events: &[StreamEvent]) -> String {
    use crate::{BlockDelta, BlockKind, BlockOpening};
    let step = |event: &StreamEvent| match event {
        StreamEvent::Start { id } => format!("start({id})"),
        StreamEvent::Open { index, opening } => match opening {
            BlockOpening::Text => format!("+{index}text"),
            BlockOpening::Refusal => format!("+{index}refusal"),
            BlockOpening::Thinking => format!("+{index}thinking"),
            BlockOpening::Call { id, name, .. } => format!("+{index}{name}({id})"),
            BlockOpening::Whole(block) => match &block.kind {
                BlockKind::Other { raw, .. } => format!("+{index}{raw}"),
                BlockKind::ClosedThinking(closed) => format!("+{index}closed({})", closed.text),
                _ => format!("+{index}whole"),
            },
        },
        StreamEvent::Delta { index, delta } => match delta {
            BlockDelta::Text(text) => format!("{index}:{text}"),
            BlockDelta::Arguments(text) => format!("{index}={text}"),
            BlockDelta::Signature(signature) => format!("{index}~{}", signature.text),
        },
        StreamEvent::Close { index } => format!("-{index}"),
        StreamEvent::Usage(usage) => format!("usage({},{},{})", usage.input, usage.cache_read, usage.output),
        StreamEvent::Stop(stop) => format!("{stop:?}"),
        StreamEvent::End => "end".to_owned(),
        StreamEvent::Error(words) => format!("error({words})"),
        StreamEvent::Ping => "ping".to_owned(),
    };
    events.iter().map(step).collect::<Vec<_>>().join(" ")
}

pub fn start() -> Value {
    json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [],
        "stop_reason": null, "usage": {"input_tokens": 5, "cache_read_input_tokens": 2, "output_tokens": 1}}})
}

pub fn open(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

pub fn delta(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

pub fn close(index: u64) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

pub fn done(reason: &str) -> Vec<Value> {
    vec![
        json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
               "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ]
}

fn text(words: &str) -> Value {
    json!({"type": "text_delta", "text": words})
}

fn input(words: &str) -> Value {
    json!({"type": "input_json_delta", "partial_json": words})
}

fn tool(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "f", "input": {}})
}

fn check(steps: Vec<Value>, expected: &str) {
    assert_eq!(short(&events(&steps)), expected, "{steps:?}");
}

#[test]
fn a_stream_of_text() {
    let mut steps = vec![start(), json!({"type": "ping"}), open(0, json!({"type": "text", "text": ""}))];
    steps.extend([delta(0, text("a")), json!({"type": "entirely_new"}), delta(0, text("b")), close(0)]);
    steps.extend(done("end_turn"));
    check(steps, "start(msg_1) usage(5,2,1) ping +0text 0:a 0:b -0 usage(5,2,9) Natural end");
}

#[test]
fn a_stream_of_thinking_and_parallel_calls() {
    let mut steps = vec![start(), open(0, json!({"type": "thinking", "thinking": "", "signature": ""}))];
    steps.push(delta(0, json!({"type": "thinking_delta", "thinking": "t"})));
    steps.push(delta(0, json!({"type": "signature_delta", "signature": "s"})));
    steps.extend([close(0), open(1, json!({"type": "redacted_thinking", "data": "d"})), close(1)]);
    steps.extend([
        open(2, tool("c1")),
        delta(2, input("")),
        delta(2, input("{\"a\":")),
        delta(2, input("1}")),
        close(2),
    ]);
    steps.extend([open(3, tool("c2")), close(3)]);
    steps.extend(done("tool_use"));
    check(
        steps,
        "start(msg_1) usage(5,2,1) +0thinking 0:t 0~s -0 +1closed(d) -1 +2f(c1) 2= 2={\"a\": 2=1} -2 +3f(c2) -3 \
         usage(5,2,9) Calls end",
    );
}

#[test]
fn a_tool_of_the_provider_s_comes_whole() {
    let mut steps = vec![start(), open(0, json!({"type": "server_tool_use", "id": "s", "name": "w", "input": {}}))];
    steps.extend([delta(0, input("{\"q\"")), delta(0, input(":1.50}")), close(0)]);
    steps.extend([open(1, json!({"type": "web_search_tool_result", "content": []})), close(1)]);
    steps.extend(done("pause_turn"));
    check(
        steps,
        "start(msg_1) usage(5,2,1) +0{\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":\"w\",\"input\":{\"q\":1.50}} -0 \
         +1{\"type\":\"web_search_tool_result\",\"content\":[]} -1 usage(5,2,9) Pause end",
    );
}

#[test]
fn a_refusal_and_an_empty_answer() {
    check([vec![start()], done("refusal")].concat(), "start(msg_1) usage(5,2,1) usage(5,2,9) Refused end");
    check(vec![start(), json!({"type": "message_stop"})], "start(msg_1) usage(5,2,1) Natural end");
}

#[test]
fn a_stream_that_stops_or_fails_is_not_complete() {
    let begun = vec![start(), open(0, json!({"type": "text", "text": ""})), delta(0, text("a"))];
    check(begun.clone(), "start(msg_1) usage(5,2,1) +0text 0:a");
    let mut without_last = [begun.clone(), vec![close(0)], done("end_turn")].concat();
    without_last.pop();
    check(without_last, "start(msg_1) usage(5,2,1) +0text 0:a -0 usage(5,2,9) Natural");
    for (error, words) in [
        (json!({"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}}), "Busy"),
        (json!({"type": "error", "error": {"type": "overloaded_error"}}), "overloaded_error"),
        (json!({"error": "odd"}), "an error without a message"),
    ] {
        let steps = [begun.clone(), vec![error], done("end_turn")].concat();
        check(steps, &format!("start(msg_1) usage(5,2,1) +0text 0:a error({words})"));
    }
}

#[test]
fn sloppy_providers_are_understood() {
    // Nothing is opened, nothing is closed, no reason is given.
    let steps = vec![delta(0, text("a")), json!({"type": "message_stop"})];
    check(steps, "start() +0text 0:a -0 Natural end");
    // Blocks begin with content, and one starts before the other has stopped; indexes have gaps.
    let mut steps = vec![start(), open(0, json!({"type": "text", "text": "a"}))];
    steps.push(open(4, json!({"type": "tool_use", "name": "f", "input": {"a": 1}})));
    steps.extend(done("end_turn"));
    check(steps, "start(msg_1) usage(5,2,1) +0text 0:a +1f(call_1) usage(5,2,9) -0 1={\"a\":1} -1 Calls end");
    // The reason is told twice, and something follows the end.
    let steps = [vec![start()], done("end_turn"), done("max_tokens")].concat();
    check(steps, "start(msg_1) usage(5,2,1) usage(5,2,9) Natural end");
}

#[test]
fn usage_is_told_anew_and_what_is_not_repeated_stays() {
    let told = json!({"type": "message_delta", "delta": {}, "usage": {"input_tokens": 7, "output_tokens": 3}});
    check(vec![start(), told], "start(msg_1) usage(5,2,1) usage(7,2,3)");
}

#[test]
fn names_stand_in_for_types_and_odd_data_is_garbled() {
    let mut reader = MessagesStreamDecoder::new(UPSTREAM);
    let mut out = Vec::new();
    for data in [&b""[..], b"  ", b"[DONE]", b"{}", b"{\"type\":\"x\"}"] {
        reader.read(None, data, &mut out).expect("nothing");
    }
    assert!(out.is_empty());
    reader.read(Some("ping"), b"{}", &mut out).expect("a ping");
    assert_eq!(short(&out), "ping");
    for (data, at) in [
        ("<html>", "body"),
        ("[]", "body"),
        (r#"{"type":1}"#, "type"),
        (r#"{"type":"message_start"}"#, "message"),
        (r#"{"type":"content_block_start","index":0}"#, "content_block"),
        (r#"{"type":"content_block_start","index":-1,"content_block":{}}"#, "index"),
        (r#"{"type":"content_block_start","index":0,"content_block":{}}"#, "content_block.type"),
        (r#"{"type":"content_block_delta","index":0}"#, "delta"),
        (r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta"}}"#, "index"),
    ] {
        let garbled = MessagesStreamDecoder::new(UPSTREAM).read(None, data.as_bytes(), &mut out).expect_err("garbled");
        assert_eq!(garbled.at, at, "{data}");
    }
}
