//! Properties that hold for any input.

use bytes::BytesMut;
use proptest::prelude::*;
use serde_json::{Value, json as value};

use super::super::decode_stream::GenerateStreamDecoder;
use super::super::encode_stream::GenerateStreamEncoder;
use super::super::{count, decode_request, decode_response, encode_request, encode_response};
use super::streams_in::short;
use super::streams_out::chunks;
use super::{TARGET, echo};
use crate::{BlockDelta, StreamDecoder, StreamEncoder, StreamEvent};

/// Words of the format, so that what is generated gets past the first look.
const WORDS: [&str; 34] = [
    "contents",
    "parts",
    "role",
    "text",
    "thought",
    "thoughtSignature",
    "inlineData",
    "mimeType",
    "data",
    "fileData",
    "fileUri",
    "functionCall",
    "functionResponse",
    "name",
    "id",
    "args",
    "response",
    "tools",
    "functionDeclarations",
    "parameters",
    "toolConfig",
    "functionCallingConfig",
    "mode",
    "generationConfig",
    "responseSchema",
    "thinkingConfig",
    "thinkingBudget",
    "candidates",
    "content",
    "finishReason",
    "usageMetadata",
    "promptTokenCount",
    "systemInstruction",
    "x",
];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop_oneof![Just("user"), Just("model"), Just("AA=="), Just("STOP"), Just("image/png"), Just("")]
            .prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(&WORDS[..]), inner), 0..5)
                .prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    })
}

fn a_part() -> impl Strategy<Value = Value> {
    prop_oneof![
        ".{1,8}".prop_map(|text| value!({ "text": text })),
        (".{1,8}", any::<bool>()).prop_map(|(text, signed)| {
            if signed {
                value!({ "text": text, "thought": true, "thoughtSignature": "AQI=" })
            } else {
                value!({ "text": text, "thought": true })
            }
        }),
        ("[a-z]{1,4}", any_json(), any::<bool>(), any::<bool>()).prop_map(|(name, args, id, signed)| {
            let mut part = value!({ "functionCall": { "name": name, "args": { "a": args } } });
            if id {
                part["functionCall"]["id"] = value!("given");
            }
            if signed {
                part["thoughtSignature"] = value!("AQM=");
            }
            part
        }),
        ("[a-z]{1,4}", any_json()).prop_map(
            |(name, response)| value!({ "functionResponse": { "name": name, "response": { "r": response } } })
        ),
        prop::collection::vec(any::<u8>(), 0..5).prop_map(|bytes| {
            value!({ "inlineData": { "mimeType": "image/png", "data": super::super::base64::encode(&bytes) } })
        }),
        Just(
            value!({ "fileData": { "fileUri": "gs://a/b", "mimeType": "application/pdf" }, "videoMetadata": { "fps": 1 } })
        ),
        Just(value!({ "executableCode": { "code": "1" } })),
        Just(value!({ "text": "", "thoughtSignature": "AQQ=" })),
    ]
}

fn an_ask() -> impl Strategy<Value = Value> {
    let content = (any::<bool>(), prop::collection::vec(a_part(), 1..4)).prop_map(|(model, mut parts)| {
        parts.retain(|part| part.get(if model { "functionResponse" } else { "functionCall" }).is_none());
        parts.push(value!({ "text": "." }));
        value!({ "role": if model { "model" } else { "user" }, "parts": parts })
    });
    (prop::collection::vec(content, 1..5), any::<Option<u32>>(), any_json()).prop_map(|(contents, bound, own)| {
        let mut ask = value!({ "contents": contents, "ownWord": [own.clone()] });
        if let Some(bound) = bound {
            ask["generationConfig"] =
                value!({ "maxOutputTokens": bound, "speechConfig": { "own": own }, "temperature": 0.5 });
        }
        ask
    })
}

/// A result without an id gets that of its call, which is no loss.
fn without_ids_of_results(mut ask: Value) -> Value {
    for content in ask["contents"].as_array_mut().expect("contents") {
        for part in content["parts"].as_array_mut().expect("parts") {
            if let Some(result) = part.get_mut("functionResponse").and_then(Value::as_object_mut) {
                result.remove("id");
            }
        }
    }
    ask
}

/// The stream with the pieces of each block joined.
fn joined(events: Vec<StreamEvent>) -> String {
    let mut joined: Vec<StreamEvent> = Vec::new();
    for event in events {
        match (joined.last_mut(), event) {
            (
                Some(StreamEvent::Delta { index: same, delta: BlockDelta::Text(before) }),
                StreamEvent::Delta { index, delta: BlockDelta::Text(text) },
            ) if *same == index => before.push_str(&text),
            (_, StreamEvent::Start { .. } | StreamEvent::Usage(_)) => {}
            (_, event) => joined.push(event),
        }
    }
    short(&joined)
}

proptest! {
    #[test]
    fn nothing_that_comes_breaks_a_reader(any in any_json()) {
        let text = any.to_string();
        if let Ok(ask) = decode_request::read(text.as_bytes(), "m", true) {
            let _ = encode_request::write(&ask, &TARGET);
            let mut foreign = ask;
            foreign.from = super::Format::Chat;
            let _ = encode_request::write(&foreign, &TARGET);
            let _ = count::write(&foreign, &TARGET);
        }
        if let Ok(reply) = decode_response::read(text.as_bytes(), "up") {
            super::json(encode_response::write(&reply, &echo()));
        }
        let mut events = Vec::new();
        let mut reader = GenerateStreamDecoder::new("up");
        let _ = reader.read(None, text.as_bytes(), &mut events);
        reader.finish(&mut events);
        let mut writer = GenerateStreamEncoder::new(echo());
        let mut out = BytesMut::new();
        for event in events {
            writer.write(event, &mut out);
        }
        chunks(std::str::from_utf8(&out).expect("text"));
    }

    #[test]
    fn bytes_that_are_no_json_do_not_either(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let _ = decode_request::read(&bytes, "m", true);
        let _ = count::read(&bytes, "m");
        let _ = decode_response::read(&bytes, "up");
        let _ = GenerateStreamDecoder::new("up").read(None, &bytes, &mut Vec::new());
    }

    #[test]
    fn a_request_comes_back_whole(ask in an_ask()) {
        let text = ask.to_string();
        let written = encode_request::write(&super::read(&text), &TARGET).expect("carried");
        prop_assert!(written.dropped.is_empty());
        prop_assert_eq!(without_ids_of_results(super::json(written.body)), ask);
    }

    #[test]
    fn a_foreign_request_is_written_or_refused_but_never_wrong(ask in an_ask()) {
        let foreign = super::read_as(super::Format::Messages, &ask.to_string());
        if let Ok(written) = encode_request::write(&foreign, &TARGET) {
            let body = super::json(&written.body);
            prop_assert!(body.get("ownWord").is_none());
            let contents = body["contents"].as_array().expect("contents");
            prop_assert!(contents.windows(2).all(|pair| pair[0]["role"] != pair[1]["role"]));
            for content in contents {
                let parts = content["parts"].as_array().expect("parts");
                prop_assert!(!parts.is_empty() && parts.iter().all(|part| part["text"] != ""));
                let first = parts.iter().find(|part| part.get("functionCall").is_some());
                prop_assert!(first.is_none_or(|call| call.get("thoughtSignature").is_some()));
            }
            // What was written is a request of the format.
            super::read(std::str::from_utf8(&written.body).expect("text"));
        }
    }

    #[test]
    fn a_stream_that_is_read_and_written_reads_the_same(pieces in prop::collection::vec(prop::collection::vec(a_part(), 1..3), 1..5)) {
        let read = |chunks: &[Value]| {
            let mut reader = GenerateStreamDecoder::new("up");
            let mut events = Vec::new();
            for chunk in chunks {
                reader.read(None, chunk.to_string().as_bytes(), &mut events).expect("a chunk");
            }
            reader.finish(&mut events);
            events
        };
        let mut given: Vec<Value> =
            pieces.into_iter().map(|parts| value!({ "candidates": [{ "content": { "parts": parts } }] })).collect();
        given.push(value!({ "candidates": [{ "finishReason": "STOP" }] }));
        let events = read(&given);
        let mut writer = GenerateStreamEncoder::new(echo());
        let mut out = BytesMut::new();
        for event in events.iter().cloned() {
            writer.write(event, &mut out);
        }
        let again = read(&chunks(std::str::from_utf8(&out).expect("text")));
        prop_assert_eq!(joined(again), joined(events));
    }
}

#[test]
fn thousands_of_results_find_their_calls() {
    let calls: Vec<Value> =
        (0..5_000).map(|n| value!({ "functionCall": { "id": n.to_string(), "name": "f" } })).collect();
    let results: Vec<Value> = (0..5_000)
        .rev()
        .map(|n| value!({ "functionResponse": { "id": n.to_string(), "name": "f", "response": {} } }))
        .collect();
    let body = value!({ "contents": [{ "role": "model", "parts": calls }, { "role": "user", "parts": results }] });
    let foreign = super::read_as(super::Format::Chat, &body.to_string());
    let written = super::json(encode_request::write(&foreign, &TARGET).expect("carried").body);
    assert_eq!(written["contents"][1]["parts"][0]["functionResponse"]["id"], "0");
}
