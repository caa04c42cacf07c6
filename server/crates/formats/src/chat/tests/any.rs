//! Whatever comes, nothing panics; and what one writer writes, its reader reads the same.

use bytes::BytesMut;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::{decode_request, decode_response, decode_stream, encode_request, encode_response, encode_stream};
use super::{UPSTREAM, data, echo, events, stream, target, tell};
use crate::{BlockDelta, BlockOpening, StopReason, StreamDecoder, StreamEncoder, StreamEvent, TokenUsage};

/// Names that the readers look for, so that most of what is made is nearly right.
const NAMES: &[&str] = &[
    "model",
    "messages",
    "role",
    "content",
    "type",
    "text",
    "tool_calls",
    "function",
    "name",
    "arguments",
    "id",
    "index",
    "image_url",
    "url",
    "file",
    "file_data",
    "tools",
    "tool_choice",
    "stream",
    "stream_options",
    "choices",
    "delta",
    "message",
    "finish_reason",
    "usage",
    "prompt_tokens",
    "reasoning_details",
    "reasoning_content",
    "signature",
    "error",
    "extra_content",
    "google",
    "thought_signature",
    "tool_call_id",
    "response_format",
    "json_schema",
    "schema",
    "stop",
    "x",
];

const WORDS: &[&str] = &[
    "m",
    "user",
    "assistant",
    "system",
    "developer",
    "tool",
    "function",
    "text",
    "image_url",
    "file",
    "input_audio",
    "custom",
    "reasoning.text",
    "reasoning.encrypted",
    "data:image/png;base64,AA",
    "stop",
    "{}",
    "call__tg1_x",
    "",
    "\u{0}é\n",
];

fn any_json() -> impl Strategy<Value = Value> {
    let word = proptest::sample::select(WORDS).prop_map(Value::from);
    let number = prop_oneof![any::<i64>().prop_map(Value::from), Just(json!(1.5)), Just(json!(0)), Just(json!(1))];
    let leaf = prop_oneof![6 => word, 1 => number, 1 => Just(Value::Null), 1 => any::<bool>().prop_map(Value::from)];
    leaf.prop_recursive(6, 64, 6, |inner| {
        let name = proptest::sample::select(NAMES).prop_map(str::to_owned);
        let members = proptest::collection::vec((name, inner.clone()), 0..6);
        prop_oneof![
            2 => members.prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
            1 => proptest::collection::vec(inner, 0..4).prop_map(Value::Array),
        ]
    })
}

/// A message that is right, of any role, with something unknown in it.
fn any_message() -> impl Strategy<Value = Value> {
    let content = prop_oneof![
        "[a-z \n]{0,8}".prop_map(Value::from),
        proptest::collection::vec(any_part(), 1..4).prop_map(Value::Array)
    ];
    let call = ("[a-z]{1,4}", "[a-z]{1,4}", "[{}a-z]{1,4}").prop_map(|(id, name, arguments)| {
        json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
    });
    let calls = proptest::collection::vec(call, 1..3);
    let known = (content, calls, "[a-z]{1,6}", any_json()).prop_flat_map(|(content, calls, thought, x)| {
        prop_oneof![
            Just(json!({"role": "system", "content": content, "x": x})),
            Just(json!({"role": "developer", "content": content, "name": thought})),
            Just(json!({"role": "user", "content": content, "x": x})),
            Just(json!({"role": "assistant", "content": content, "reasoning_content": thought, "tool_calls": calls})),
            Just(json!({"role": "assistant", "content": null, "tool_calls": calls, "x": x})),
            Just(json!({"role": "tool", "tool_call_id": thought, "content": content, "x": x})),
        ]
    });
    known.boxed()
}

fn any_part() -> impl Strategy<Value = Value> {
    prop_oneof![
        ("[a-z]{0,4}", any_json()).prop_map(|(text, x)| json!({"type": "text", "text": text, "x": x})),
        any_json().prop_map(|x| json!({"type": "image_url", "image_url": {"url": "https://h/x", "x": x}})),
        any_json().prop_map(|x| json!({"type": "unknown", "x": x})),
    ]
}

/// Blocks one after the other, as a reader tells them.
fn any_events() -> impl Strategy<Value = Vec<StreamEvent>> {
    let texts = proptest::collection::vec("[a-zé\n\u{1f600}]{1,5}", 1..4);
    let kind = prop_oneof![Just("text"), Just("refusal"), Just("thinking"), Just("call")];
    proptest::collection::vec((kind, texts), 0..5).prop_map(|mut blocks| {
        // Two of a kind in a row are one on the wire; calls end what comes before them, and stay open to the end.
        blocks.dedup_by(|next, last| next.0 == last.0 && next.0 != "call");
        blocks.sort_by_key(|(kind, _)| *kind == "call");
        blocks.dedup_by(|next, last| next.0 == last.0 && next.0 != "call");
        let has = |wanted: &str| blocks.iter().any(|(kind, _)| *kind == wanted);
        let stop = match (has("call"), has("refusal")) {
            (true, _) => StopReason::Calls,
            (false, true) => StopReason::Refused,
            (false, false) => StopReason::Natural,
        };
        let mut events = vec![StreamEvent::Start { id: "chatcmpl-0123".into() }];
        for (index, (kind, texts)) in blocks.iter().enumerate() {
            events.push(StreamEvent::Open { index, opening: opening(kind, index) });
            events.extend(texts.iter().map(|text| piece(index, kind, text)));
            events.push(StreamEvent::Close { index });
        }
        events.extend([
            StreamEvent::Usage(TokenUsage { input: 2, output: 1, ..TokenUsage::default() }),
            StreamEvent::Stop(stop),
            StreamEvent::End,
        ]);
        events
    })
}

fn opening(kind: &str, index: usize) -> BlockOpening {
    match kind {
        "text" => BlockOpening::Text,
        "refusal" => BlockOpening::Refusal,
        "thinking" => BlockOpening::Thinking,
        _ => BlockOpening::Call { id: format!("c{index}"), name: "f".into(), custom: false },
    }
}

fn piece(index: usize, kind: &str, text: &str) -> StreamEvent {
    let delta = if kind == "call" { BlockDelta::Arguments(text.into()) } else { BlockDelta::Text(text.into()) };
    StreamEvent::Delta { index, delta }
}

/// The events that must be equal: all but closings and signatures.
fn meaning(events: &[StreamEvent]) -> Vec<String> {
    let counts = |event: &&StreamEvent| {
        !matches!(event, StreamEvent::Close { .. } | StreamEvent::Delta { delta: BlockDelta::Signature(_), .. })
    };
    events.iter().filter(counts).map(tell).collect()
}

proptest! {
    #[test]
    fn no_json_makes_a_reader_panic(value in any_json(), more in any_json()) {
        let (body, more) = (value.to_string(), more.to_string());
        if let Ok(ask) = decode_request::read(body.as_bytes()) {
            let _ = encode_request::write(&ask, &target());
        }
        if let Ok(reply) = decode_response::read(body.as_bytes(), UPSTREAM) {
            serde_json::from_slice::<Value>(&encode_response::write(&reply, &echo(true))).expect("JSON");
        }
        let (mut reader, mut out) = (decode_stream::ChatStreamDecoder::new(UPSTREAM), Vec::new());
        let _ = reader.read(None, body.as_bytes(), &mut out);
        let _ = reader.read(Some("error"), more.as_bytes(), &mut out);
        reader.finish(&mut out);
        let (mut writer, mut bytes) = (encode_stream::ChatStreamEncoder::new(echo(true)), BytesMut::new());
        for event in out {
            writer.write(event, &mut bytes);
        }
    }

    #[test]
    fn no_message_or_chunk_makes_a_reader_panic(inner in any_json()) {
        let ask = json!({"model": "m", "messages": [inner], "tools": [inner], "response_format": inner}).to_string();
        if let Ok(ask) = decode_request::read(ask.as_bytes()) {
            let _ = encode_request::write(&ask, &target());
        }
        let reply = json!({"choices": [{"message": inner}], "usage": inner}).to_string();
        let _ = decode_response::read(reply.as_bytes(), UPSTREAM);
        let chunk = json!({"choices": [{"delta": inner, "finish_reason": "stop"}]}).to_string();
        let (mut reader, mut out) = (decode_stream::ChatStreamDecoder::new(UPSTREAM), Vec::new());
        let _ = reader.read(None, chunk.as_bytes(), &mut out);
        reader.finish(&mut out);
    }

    #[test]
    fn a_conversation_comes_back(messages in proptest::collection::vec(any_message(), 1..6), x in any_json()) {
        let body = json!({"model": "there", "messages": messages, "x": x});
        let ask = decode_request::read(body.to_string().as_bytes()).expect("a request");
        let encoded = encode_request::write(&ask, &target()).expect("carried");
        let written: Value = serde_json::from_slice(&encoded.body).expect("JSON");
        prop_assert_eq!(written, body);
        prop_assert_eq!(encoded.dropped, Vec::<String>::new());
    }

    #[test]
    fn a_stream_reads_as_it_was_written(sent in any_events()) {
        let expected = meaning(&sent);
        let written = stream(sent, true);
        prop_assert_eq!(meaning(&events(&data(&written))), expected);
    }
}
