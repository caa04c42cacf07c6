//! Streams of providers.

use serde_json::{Value, json};

use super::super::ResponsesStreamDecoder;
use super::{read_stream, told};
use crate::{StreamDecoder, StreamEvent};

fn begin() -> Value {
    json!({"type": "response.created", "response": {"id": "resp_1", "status": "in_progress", "output": []}})
}

#[expect(clippy::needless_pass_by_value, reason = "made in place by its callers")]
fn end(output: Value) -> Value {
    json!({"type": "response.completed", "response": {"id": "resp_1", "status": "completed", "output": output,
        "usage": {"input_tokens": 3, "output_tokens": 2}}})
}

fn delta(kind: &str, output: u64, piece: &str) -> Value {
    json!({"type": format!("response.{kind}.delta"), "output_index": output, "item_id": format!("i{output}"),
        "content_index": 0, "delta": piece})
}

fn added(output: u64, mut item: Value) -> Value {
    item["id"] = json!(format!("i{output}"));
    json!({"type": "response.output_item.added", "output_index": output, "item": item})
}

fn done(output: u64, mut item: Value) -> Value {
    item["id"] = json!(format!("i{output}"));
    json!({"type": "response.output_item.done", "output_index": output, "item": item})
}

fn message(text: &str) -> Value {
    json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
}

fn call(id: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "call_id": id, "name": "f", "arguments": arguments})
}

fn check(events: &[Value], expected: &[&str]) {
    assert_eq!(told(&read_stream(events)), expected);
}

#[test]
fn text() {
    check(
        &[
            begin(),
            json!({"type": "response.in_progress", "response": {"id": "resp_1"}}),
            added(0, json!({"type": "message", "content": []})),
            json!({"type": "response.content_part.added", "output_index": 0, "content_index": 0, "part": {"type": "output_text", "text": ""}}),
            delta("output_text", 0, "a"),
            delta("output_text", 0, "é"),
            json!({"type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": "aéb"}),
            done(0, message("aéb")),
            json!({"type": "response.some_new_event", "x": 1}),
            end(json!([message("aéb")])),
        ],
        &["start resp_1", "0 text", "0 + a", "0 + é", "0 + b", "0 closed", "usage 3 2", "stop Natural", "end"],
    );
}

#[test]
fn thinking_in_summaries_or_raw() {
    let part = |kind: &str, index: u64, piece: &str| {
        json!({"type": format!("response.reasoning_{kind}.delta"), "output_index": 0, "item_id": "i0",
            "summary_index": index, "content_index": index, "delta": piece})
    };
    let thought = json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "one"}, {"type": "summary_text", "text": "two"}], "encrypted_content": "closed"});
    check(
        &[
            begin(),
            added(0, json!({"type": "reasoning", "summary": []})),
            part("summary_text", 0, "one"),
            part("summary_text", 1, "tw"),
            part("summary_text", 1, "o"),
            done(0, thought),
        ],
        &["start resp_1", "0 thinking", "0 + one", "0 + \n\ntw", "0 + o", "0 signed closed Some(\"i0\")", "0 closed"],
    );
    let raw = json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "s"}], "content": [{"type": "reasoning_text", "text": "raw"}]});
    check(
        &[begin(), part("text", 0, "ra"), part("summary_text", 0, "s"), done(0, raw)],
        &["start resp_1", "0 thinking", "0 + ra", "0 + w", "0 closed"],
    );
}

#[test]
fn parallel_calls_may_interleave() {
    check(
        &[
            begin(),
            added(0, call("c0", "")),
            added(1, call("c1", "")),
            delta("function_call_arguments", 0, "{\"a\""),
            delta("function_call_arguments", 1, "{}"),
            delta("function_call_arguments", 0, ":1}"),
            done(1, call("c1", "{}")),
            done(0, call("c0", "{\"a\":1}")),
            end(json!([call("c0", "{\"a\":1}"), call("c1", "{}")])),
        ],
        &[
            "start resp_1",
            "0 call c0 f",
            "1 call c1 f",
            "0 + {\"a\"",
            "1 + {}",
            "0 + :1}",
            "1 closed",
            "0 closed",
            "usage 3 2",
            "stop Calls",
            "end",
        ],
    );
}

#[test]
fn free_text_calls_refusals_and_whole_items() {
    let custom = json!({"type": "custom_tool_call", "call_id": "c", "name": "t", "input": "free"});
    let refusal = json!({"type": "message", "content": [{"type": "refusal", "refusal": "no"}]});
    let search = json!({"type": "web_search_call", "id": "i2"});
    check(
        &[
            begin(),
            delta("refusal", 0, "n"),
            done(0, refusal),
            added(1, json!({"type": "custom_tool_call", "call_id": "c", "name": "t", "input": ""})),
            delta("custom_tool_call_input", 1, "fr"),
            done(1, custom),
            added(2, search.clone()),
            done(2, search),
            end(json!([])),
        ],
        &[
            "start resp_1",
            "0 refusal",
            "0 + n",
            "0 + o",
            "0 closed",
            "1 call c t custom",
            "1 + fr",
            "1 + ee",
            "1 closed",
            "2 whole Other { name: \"web_search_call\", raw: RawValue({\"type\":\"web_search_call\",\"id\":\"i2\"}) }",
            "2 closed",
            "usage 3 2",
            "stop Refused",
            "end",
        ],
    );
}

#[test]
fn what_came_in_no_piece_is_in_the_last_event() {
    let output = json!([message("all"), call("c", "{}")]);
    check(
        &[end(output)],
        &[
            "start resp_1",
            "0 text",
            "0 + all",
            "0 closed",
            "1 call c f",
            "1 + {}",
            "1 closed",
            "usage 3 2",
            "stop Calls",
            "end",
        ],
    );
    // An item of which nothing but the beginning came, and indexes with a gap.
    let mut late = call("c", "{\"a\":2}");
    late["id"] = json!("i7");
    check(
        &[begin(), delta("output_text", 4, "x"), added(7, call("c", "")), end(json!([message("x"), late]))],
        &[
            "start resp_1",
            "0 text",
            "0 + x",
            "1 call c f",
            "0 closed",
            "1 + {\"a\":2}",
            "1 closed",
            "usage 3 2",
            "stop Calls",
            "end",
        ],
    );
}

#[test]
fn endings() {
    let last = |kind: &str, response: Value| {
        let events = read_stream(&[begin(), delta("output_text", 0, "x"), json!({"type": kind, "response": response})]);
        told(&events)[3..].to_vec()
    };
    let usage = json!({"input_tokens": 1, "output_tokens": 1});
    let length = json!({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "usage": usage});
    assert_eq!(last("response.incomplete", length), ["0 closed", "usage 1 1", "stop Length", "end"]);
    let failed = json!({"status": "failed", "error": {"code": "server_error", "message": "oh"}, "usage": usage});
    assert_eq!(last("response.failed", failed), ["0 closed", "usage 1 1", "error server_error: oh"]);
    assert_eq!(last("response.cancelled", json!({"status": "cancelled"})), ["0 closed", "error response.cancelled"]);
    assert_eq!(last("response.completed", json!({"status": "failed"})), ["0 closed", "error response.completed"]);
}

#[test]
fn errors_and_breaks() {
    check(
        &[begin(), json!({"type": "error", "code": "rate", "message": "slow"}), delta("output_text", 0, "x")],
        &["start resp_1", "error rate: slow"],
    );
    check(&[json!({"type": "error", "error": {"code": 500, "message": "in"}})], &["error 500: in"]);
    check(&[begin(), delta("output_text", 0, "x")], &["start resp_1", "0 text", "0 + x", "0 closed"]);
    check(
        &[begin(), end(json!([])), delta("output_text", 0, "late")],
        &["start resp_1", "usage 3 2", "stop Natural", "end"],
    );
    let mut reader = ResponsesStreamDecoder::new("up");
    let mut out = Vec::new();
    reader.read(None, br#"{"error":{"message":"no key"}}"#, &mut out).expect("an error is readable");
    reader.read(None, b"[DONE]", &mut out).expect("a habit of other formats");
    assert_eq!(told(&out), ["error no key"]);
    assert_eq!(
        ResponsesStreamDecoder::new("up").read(Some("response.created"), b"<html>", &mut out).expect_err("no JSON").at,
        "body"
    );
    let wrong = br#"{"type":"response.output_text.delta","delta":1}"#;
    assert_eq!(ResponsesStreamDecoder::new("up").read(None, wrong, &mut out).expect_err("no text").at, "delta");
    let mut out = Vec::new();
    ResponsesStreamDecoder::new("up")
        .read(Some("response.output_text.delta"), br#"{"delta":"x"}"#, &mut out)
        .expect("named by its event");
    assert!(matches!(out[2], StreamEvent::Delta { index: 0, .. }));
}
