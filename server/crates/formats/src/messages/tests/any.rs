//! Whatever comes: nothing panics, and what was understood can be written.

use bytes::BytesMut;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::decode_stream::MessagesStreamDecoder;
use super::super::encode_stream::MessagesStreamEncoder;
use super::super::{count, decode_request, decode_response, encode_request, encode_response};
use super::{UPSTREAM, echo, target};
use crate::{BlockOpening, BlockSequencer, Format, StreamDecoder, StreamEncoder, StreamEvent};

/// Words of the format, so that what is made up gets far.
const WORDS: [&str; 36] = [
    "model",
    "max_tokens",
    "messages",
    "role",
    "user",
    "assistant",
    "system",
    "content",
    "type",
    "text",
    "thinking",
    "signature",
    "redacted_thinking",
    "data",
    "tool_use",
    "tool_result",
    "tool_use_id",
    "id",
    "name",
    "input",
    "source",
    "base64",
    "media_type",
    "image",
    "document",
    "url",
    "tools",
    "input_schema",
    "tool_choice",
    "index",
    "content_block",
    "delta",
    "partial_json",
    "usage",
    "output_tokens",
    "message",
];

const EVENTS: [&str; 8] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "ping",
    "error",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![4 => proptest::sample::select(WORDS.to_vec()).prop_map(str::to_owned), 1 => "[ -~é\n]{0,6}"]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..5u64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((word(), inner), 0..6).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// A block that is nearly one of the format's.
fn block() -> impl Strategy<Value = Value> {
    let types = [
        "text",
        "image",
        "document",
        "thinking",
        "redacted_thinking",
        "tool_use",
        "tool_result",
        "text_delta",
        "thinking_delta",
        "input_json_delta",
        "signature_delta",
        "server_tool_use",
        "new",
    ];
    let source = prop_oneof![
        Just(json!({"type": "url", "url": "https://example.com"})),
        Just(json!({"type": "base64", "media_type": "image/png", "data": "AA=="})),
        value(),
    ];
    let filled = (proptest::sample::select(types.to_vec()), word(), source, value(), any::<bool>());
    filled.prop_map(|(kind, word, source, value, whole)| {
        json!({
            "type": kind, "text": word, "thinking": word, "signature": word, "data": word, "id": word, "name": word,
            "partial_json": word, "source": source, "tool_use_id": word, "content": value,
            "input": if whole { json!({"a": value}) } else { value.clone() },
        })
    })
}

fn request() -> impl Strategy<Value = Value> {
    let turn =
        (proptest::sample::select(vec!["user", "assistant", "system"]), proptest::collection::vec(block(), 0..4));
    let turns =
        proptest::collection::vec(turn.prop_map(|(role, content)| json!({"role": role, "content": content})), 1..5);
    (turns, proptest::collection::vec((word(), value()), 0..4), 0..3000u64).prop_map(|(turns, members, max_tokens)| {
        let mut body: Value = members.into_iter().collect();
        body["model"] = json!("m");
        body["max_tokens"] = json!(max_tokens);
        body["messages"] = json!(turns);
        body["thinking"] = json!({"type": "enabled", "budget_tokens": 1024});
        body
    })
}

fn event() -> impl Strategy<Value = Value> {
    let names = proptest::sample::select(EVENTS.to_vec());
    prop_oneof![
        8 => (names, 0..3u64, block(), value()).prop_map(|(name, index, block, value)| json!({
            "type": name, "index": index, "content_block": block, "delta": block, "message": {"id": "m"},
            "usage": {"output_tokens": index}, "error": value,
        })),
        1 => value(),
    ]
}

/// The rules of a stream in the inner language.
fn keeps_the_rules(events: &[StreamEvent]) {
    let (mut opened, mut open, mut stopped) = (0, Vec::new(), false);
    for event in events {
        match event {
            StreamEvent::Open { index, opening } => {
                assert_eq!((*index, stopped), (opened, false));
                assert!(!matches!(opening, BlockOpening::Call { id, .. } if id.is_empty()));
                opened += 1;
                open.push(*index);
            }
            StreamEvent::Delta { index, .. } => assert!(open.contains(index)),
            StreamEvent::Close { index } => {
                assert!(open.contains(index));
                open.retain(|open| open != index);
            }
            StreamEvent::Stop(_) => {
                assert!(open.is_empty() && !stopped);
                stopped = true;
            }
            StreamEvent::End => assert!(stopped),
            StreamEvent::Start { .. } | StreamEvent::Usage(_) | StreamEvent::Error(_) | StreamEvent::Ping => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64), value in value()) {
        for body in [bytes.as_slice(), value.to_string().as_bytes()] {
            let _ = (decode_request::read(body), count::read(body), decode_response::read(body, UPSTREAM), count::read_counted(body));
            let _ = MessagesStreamDecoder::new(UPSTREAM).read(Some("message_start"), body, &mut Vec::new());
        }
    }

    #[test]
    fn what_was_read_is_written_or_refused(request in request()) {
        if let Ok(mut ask) = decode_request::read(request.to_string().as_bytes()) {
            for from in [Format::Messages, Format::Chat] {
                ask.from = from;
                for encoded in [encode_request::write(&ask, &target()), count::write(&ask, &target())].into_iter().flatten() {
                    let body: Value = serde_json::from_slice(&encoded.body).expect("JSON");
                    prop_assert!(body["messages"].is_array());
                }
            }
        }
    }

    #[test]
    fn from_another_format_speakers_alternate_and_results_lead(request in request()) {
        let Ok(mut ask) = decode_request::read(request.to_string().as_bytes()) else { return Ok(()) };
        ask.from = Format::Responses;
        let Ok(encoded) = encode_request::write(&ask, &target()) else { return Ok(()) };
        let body: Value = serde_json::from_slice(&encoded.body).expect("JSON");
        for (number, turn) in body["messages"].as_array().expect("a list").iter().enumerate() {
            prop_assert_eq!(&turn["role"], if number % 2 == 0 { "user" } else { "assistant" });
            let content = turn["content"].as_array().expect("a list");
            prop_assert!(!content.is_empty());
            let results: Vec<_> = content.iter().map(|block| block["type"] == "tool_result").collect();
            prop_assert!(number % 2 == 1 || results.is_sorted_by(|one, next| one >= next));
        }
    }

    #[test]
    fn an_answer_is_read_and_written(blocks in proptest::collection::vec(block(), 0..4), reason in word()) {
        let body = json!({"content": blocks, "stop_reason": reason});
        if let Ok(reply) = decode_response::read(body.to_string().as_bytes(), UPSTREAM) {
            let written: Value = serde_json::from_slice(&encode_response::write(&reply, &echo())).expect("JSON");
            prop_assert_eq!(&written["type"], "message");
        }
    }

    #[test]
    fn a_stream_keeps_the_rules_both_ways(script in proptest::collection::vec(event(), 0..24)) {
        let (mut reader, mut read) = (MessagesStreamDecoder::new(UPSTREAM), Vec::new());
        for event in &script {
            if reader.read(None, event.to_string().as_bytes(), &mut read).is_err() {
                break;
            }
        }
        reader.finish(&mut read);
        keeps_the_rules(&read);
        let (mut sequencer, mut ordered) = (BlockSequencer::default(), Vec::new());
        let (mut writer, mut out) = (MessagesStreamEncoder::new(echo()), BytesMut::new());
        for event in read {
            sequencer.take(event.clone(), &mut ordered);
            writer.write(event, &mut out);
        }
        let mut open = None;
        for event in &ordered {
            match event {
                StreamEvent::Open { index, .. } => prop_assert_eq!(open.replace(*index), None),
                StreamEvent::Delta { index, .. } => prop_assert_eq!(open, Some(*index)),
                StreamEvent::Close { index } => prop_assert_eq!(open.take(), Some(*index)),
                _ => {}
            }
        }
        let stream = String::from_utf8(out.to_vec()).expect("text");
        for event in stream.split_terminator("\n\n") {
            prop_assert_eq!(event.lines().count(), 2, "{}", event);
        }
    }
}
