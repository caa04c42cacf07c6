//! Streams for clients.

use bytes::BytesMut;
use serde_json::{Value, json};

use super::super::ResponsesStreamEncoder;
use super::{ANSWER, body, echo, parse_stream, write_stream};
use crate::{
    BlockDelta, BlockKind, BlockOpening, ContentBlock, Format, MediaContent, MediaSource, StopReason, StreamEncoder,
    StreamEvent, ThinkingSignature, TokenUsage,
};

fn open(index: usize, opening: BlockOpening) -> StreamEvent {
    StreamEvent::Open { index, opening }
}

fn text(index: usize, piece: &str) -> StreamEvent {
    StreamEvent::Delta { index, delta: BlockDelta::Text(piece.into()) }
}

fn arguments(index: usize, piece: &str) -> StreamEvent {
    StreamEvent::Delta { index, delta: BlockDelta::Arguments(piece.into()) }
}

fn close(index: usize) -> StreamEvent {
    StreamEvent::Close { index }
}

fn call(id: &str) -> BlockOpening {
    BlockOpening::Call { id: id.into(), name: "f".into(), custom: false }
}

fn whole(kind: BlockKind) -> BlockOpening {
    BlockOpening::Whole(Box::new(ContentBlock { at: String::new(), kind, extra: Vec::new() }))
}

fn start() -> StreamEvent {
    StreamEvent::Start { id: "theirs".into() }
}

fn used() -> StreamEvent {
    StreamEvent::Usage(TokenUsage { input: 3, output: 2, ..TokenUsage::default() })
}

/// The stream with an ending, without the response objects at its ends.
fn middle(mut events: Vec<StreamEvent>) -> Vec<Value> {
    events.insert(0, start());
    events.extend([used(), StreamEvent::Stop(StopReason::Natural), StreamEvent::End]);
    let mut written = write_stream(events);
    let last = written.pop().expect("a last event");
    check_items(&written, &last["response"]);
    let created: Vec<_> = written.drain(..2).map(|event| event["response"]["status"].clone()).collect();
    assert_eq!(created, ["in_progress", "in_progress"]);
    written
}

/// Checks the items as clients' helpers do: added once and in order, completed as in the output, deltas joining to the whole.
fn check_items(events: &[Value], response: &Value) {
    let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).cloned().collect::<Vec<_>>();
    let added = of("response.output_item.added");
    let mut done = of("response.output_item.done");
    done.sort_by_key(|event| event["output_index"].as_u64());
    let output = response["output"].as_array().expect("an output");
    assert_eq!(added.len(), output.len());
    for (index, item) in output.iter().enumerate() {
        assert_eq!((&added[index]["output_index"], &done[index]["output_index"]), (&json!(index), &json!(index)));
        assert_eq!(&done[index]["item"], item);
        for member in ["id", "type", "call_id", "name"] {
            assert_eq!(added[index]["item"][member], item[member]);
        }
        let pieces: String = events
            .iter()
            .filter(|event| event["output_index"] == index && event["content_index"].as_u64().unwrap_or_default() == 0)
            .filter_map(|event| event["delta"].as_str())
            .collect();
        let text = ["/arguments", "/input", "/content/0/text", "/content/0/refusal", "/summary/0/text"];
        let text = text.iter().find_map(|place| item.pointer(place)?.as_str()).unwrap_or_default();
        assert_eq!(pieces, text);
    }
}

fn kinds(events: &[Value]) -> Vec<String> {
    let name = |event: &Value| event["type"].as_str().expect("a type").trim_start_matches("response.").to_owned();
    events.iter().map(|event| format!("{} {}", name(event), event["output_index"])).collect()
}

#[test]
fn text_in_its_order() {
    let events = middle(vec![open(0, BlockOpening::Text), text(0, "a"), StreamEvent::Ping, text(0, "b"), close(0)]);
    let id = format!("msg_{ANSWER}0000");
    let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []});
    let item = |status: &str, content: Value| json!({"id": id, "type": "message", "status": status, "role": "assistant", "content": content});
    let expected = [
        json!({"type": "response.output_item.added", "output_index": 0, "item": item("in_progress", json!([])), "sequence_number": 2}),
        json!({"type": "response.content_part.added", "item_id": id, "output_index": 0, "content_index": 0, "part": part(""), "sequence_number": 3}),
        json!({"type": "response.output_text.delta", "item_id": id, "output_index": 0, "content_index": 0, "delta": "a", "logprobs": [], "sequence_number": 4}),
        json!({"type": "response.output_text.delta", "item_id": id, "output_index": 0, "content_index": 0, "delta": "b", "logprobs": [], "sequence_number": 5}),
        json!({"type": "response.output_text.done", "item_id": id, "output_index": 0, "content_index": 0, "text": "ab", "logprobs": [], "sequence_number": 6}),
        json!({"type": "response.content_part.done", "item_id": id, "output_index": 0, "content_index": 0, "part": part("ab"), "sequence_number": 7}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item("completed", json!([part("ab")])), "sequence_number": 8}),
    ];
    assert_eq!(events, expected);
}

#[test]
fn thinking_text_refusal_and_text_after_a_call() {
    let events = middle(vec![
        open(0, BlockOpening::Thinking),
        text(0, "hm"),
        close(0),
        open(1, BlockOpening::Text),
        text(1, "a"),
        close(1),
        open(2, BlockOpening::Refusal),
        text(2, "no"),
        close(2),
        open(3, call("c")),
        close(3),
        open(4, BlockOpening::Text),
        text(4, "b"),
        close(4),
    ]);
    let expected = [
        "output_item.added 0",
        "reasoning_summary_part.added 0",
        "reasoning_summary_text.delta 0",
        "reasoning_summary_text.done 0",
        "reasoning_summary_part.done 0",
        "output_item.done 0",
        "output_item.added 1",
        "content_part.added 1",
        "output_text.delta 1",
        "output_text.done 1",
        "content_part.done 1",
        "content_part.added 1",
        "refusal.delta 1",
        "refusal.done 1",
        "content_part.done 1",
        "output_item.done 1",
        "output_item.added 2",
        "function_call_arguments.delta 2",
        "function_call_arguments.done 2",
        "output_item.done 2",
        "output_item.added 3",
        "content_part.added 3",
        "output_text.delta 3",
        "output_text.done 3",
        "content_part.done 3",
        "output_item.done 3",
    ];
    assert_eq!(kinds(&events), expected);
    assert_eq!(events[17]["delta"], "{}", "a call without arguments has an empty object");
}

#[test]
fn calls_side_by_side_keep_their_order() {
    let events = middle(vec![
        open(0, BlockOpening::Text),
        text(0, "a"),
        open(1, call("c1")),
        open(2, call("c2")),
        arguments(2, "{\"x\""),
        arguments(1, "{"),
        arguments(2, ":1}"),
        text(0, "b"),
        arguments(1, "}"),
        close(2),
        close(1),
        close(0),
    ]);
    let added: Vec<_> = events
        .iter()
        .filter(|event| event["type"] == "response.output_item.added")
        .map(|event| event["item"]["call_id"].clone())
        .collect();
    assert_eq!(added, [Value::Null, json!("c1"), json!("c2")]);
}

#[test]
fn a_call_s_id_holds_its_signature_from_the_first() {
    let signature = ThinkingSignature::made_by("g", Format::Generate, None, "sig".into());
    let signed = |index| StreamEvent::Delta { index, delta: BlockDelta::Signature(signature.clone()) };
    let id = signature.append_to_id("c");
    for events in [
        vec![open(0, call("c")), signed(0), arguments(0, "{}"), close(0)],
        vec![open(0, call("c")), arguments(0, "{}"), signed(0), close(0)],
    ] {
        assert_eq!(middle(events)[0]["item"]["call_id"], id.as_str());
    }
    // Too late for the id: it comes as thinking without words.
    let events = middle(vec![open(0, call("c")), arguments(0, "{"), arguments(0, "}"), signed(0), close(0)]);
    assert_eq!(events[0]["item"]["call_id"], "c");
    let thought = events.iter().find(|event| event["item"]["type"] == "reasoning").expect("thinking");
    assert_eq!(thought["item"]["encrypted_content"], signature.for_client(Format::Responses));
}

#[test]
fn a_signature_of_thinking_is_in_the_complete_item() {
    let signature = ThinkingSignature::made_by("up", Format::Messages, None, "sig".into());
    let events = middle(vec![
        open(0, BlockOpening::Thinking),
        StreamEvent::Delta { index: 0, delta: BlockDelta::Signature(signature.clone()) },
        close(0),
    ]);
    assert_eq!(kinds(&events), ["output_item.added 0", "output_item.done 0"]);
    assert_eq!(events[0]["item"]["encrypted_content"], Value::Null);
    assert_eq!(events[1]["item"]["encrypted_content"], signature.for_client(Format::Responses));
}

#[test]
fn blocks_that_come_whole() {
    let signature = ThinkingSignature::made_by("up", Format::Messages, None, "sig".into());
    let picture =
        |source| BlockKind::Image(MediaContent { mime: Some("image/png".into()), source, name: None, detail: None });
    let raw =
        serde_json::value::RawValue::from_string(r#"{"type":"web_search_call","id":"ws_1"}"#.into()).expect("JSON");
    let complete =
        BlockKind::Call { id: "c".into(), name: "f".into(), arguments: "{}".into(), custom: false, signature: None };
    let events = middle(vec![
        open(0, whole(BlockKind::ClosedThinking(signature.clone()))),
        close(0),
        open(1, whole(picture(MediaSource::Base64("iVBO".into())))),
        close(1),
        open(2, whole(picture(MediaSource::Url("https://x/y.png".into())))),
        close(2),
        open(3, whole(BlockKind::Other { name: "web_search_call".into(), raw })),
        close(3),
        open(4, whole(BlockKind::Thinking { text: "t".into(), id: None, signature: Some(signature.clone()) })),
        close(4),
        open(5, whole(complete)),
        close(5),
        open(
            6,
            whole(BlockKind::Video(MediaContent {
                mime: None,
                source: MediaSource::Text(String::new()),
                name: None,
                detail: None,
            })),
        ),
        close(6),
    ]);
    let done: Vec<_> = events
        .iter()
        .filter(|event| event["type"] == "response.output_item.done")
        .map(|event| &event["item"])
        .collect();
    let kinds: Vec<_> = done.iter().map(|item| item["type"].as_str().expect("a type")).collect();
    let expected = ["reasoning", "image_generation_call", "message", "web_search_call", "reasoning", "function_call"];
    assert_eq!(kinds, expected);
    assert_eq!(done[1]["result"], "iVBO");
    assert_eq!(events[2]["item"]["result"], Value::Null, "its bytes come once");
    assert_eq!(done[2]["content"][0]["text"], "![](https://x/y.png)");
}

#[test]
fn endings_and_the_response_to_keep() {
    for (stop, kind, status) in [
        (StopReason::Natural, "response.completed", "completed"),
        (StopReason::Length, "response.incomplete", "incomplete"),
        (StopReason::Refused, "response.incomplete", "incomplete"),
        (StopReason::BrokenCall, "response.failed", "failed"),
    ] {
        let request = json!({"model": "mine", "instructions": "i", "temperature": 0.5});
        let mut writer = ResponsesStreamEncoder::new(echo(&request));
        let mut out = BytesMut::new();
        for event in [start(), open(0, BlockOpening::Text), text(0, "a")] {
            writer.write(event, &mut out);
        }
        assert_eq!(writer.response(), None, "it has not ended");
        writer.write(StreamEvent::Stop(stop), &mut out);
        writer.write(used(), &mut out);
        let kept = body(&writer.response().expect("it has ended"));
        let before = parse_stream(&out).len();
        assert_eq!(parse_stream(&out)[before - 1]["type"], "response.output_item.done");
        assert_eq!(writer.output().len(), 1);
        writer.write(StreamEvent::End, &mut out);
        writer.write(text(0, "late"), &mut out);
        writer.fail("late", "late", b"{}", &mut out);
        let events = parse_stream(&out);
        assert_eq!(events.len(), before + 1);
        assert_eq!((&events[before]["type"], &events[before]["response"]), (&json!(kind), &kept));
        assert_eq!((&kept["status"], &kept["temperature"]), (&json!(status), &json!(0.5)));
        assert_eq!((&kept["usage"]["input_tokens"], &kept["usage"]["completion_tokens"]), (&json!(3), &json!(2)));
        assert_eq!(events[0]["response"]["instructions"], "i");
        assert_eq!(events[0]["response"]["id"], kept["id"]);
    }
}

#[test]
fn a_break_is_told_twice_and_never_looks_complete() {
    for begun in [true, false] {
        let mut writer = ResponsesStreamEncoder::new(echo(&json!({})));
        let mut out = BytesMut::new();
        if begun {
            for event in [start(), open(0, BlockOpening::Text), text(0, "a"), StreamEvent::Error("theirs".into())] {
                writer.write(event, &mut out);
            }
        }
        writer.fail("upstream_failed", "It broke.", br#"{"error":{}}"#, &mut out);
        let events = parse_stream(&out);
        let count = events.len();
        assert_eq!(events[0]["type"], "response.created");
        let number = count - 2;
        let error = json!({"type": "error", "code": "upstream_failed", "message": "It broke.", "param": null, "sequence_number": number});
        assert_eq!(events[number], error);
        let failed = &events[count - 1];
        assert_eq!((&failed["type"], &failed["response"]["status"]), (&json!("response.failed"), &json!("failed")));
        assert_eq!(failed["response"]["error"], json!({"code": "upstream_failed", "message": "It broke."}));
        if begun {
            assert_eq!(failed["response"]["output"][0]["status"], "incomplete");
            assert_eq!(failed["response"]["output"][0]["content"][0]["text"], "a");
        }
    }
}

#[test]
fn a_sign_of_life_is_a_comment() {
    let mut out = BytesMut::new();
    ResponsesStreamEncoder::new(echo(&json!({}))).write(StreamEvent::Ping, &mut out);
    assert_eq!(&out[..], b": ping\n\n");
}
