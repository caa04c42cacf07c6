//! Functions whose names the provider's format does not take.

use bytes::BytesMut;
use serde_json::{Value, json};

use super::super::{FunctionNames, lower_tools};
use super::{call, declared, echo, lowered};
use crate::{BlockKind, ChatRequest, Format, convert_response, decode_request, stream_decoder, stream_encoder};

/// A request that declares a function, forces it, has called it and tells its result, as a client of a format writes it.
fn request(from: Format, name: &str) -> Value {
    match from {
        Format::Messages => json!({"model": "m", "max_tokens": 9, "tool_choice": {"type": "tool", "name": name},
            "tools": [{"name": name, "input_schema": {"type": "object"}}],
            "messages": [{"role": "user", "content": "x"},
                {"role": "assistant", "content": [{"type": "tool_use", "id": "call_1", "name": name, "input": {}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "r"}]}]}),
        Format::Generate => json!({"tools": [{"functionDeclarations": [{"name": name}]}],
            "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": [name]}},
            "contents": [{"role": "user", "parts": [{"text": "x"}]},
                {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": name, "response": {"output": "r"}}}]}]}),
        _ => json!({"model": "m", "tool_choice": {"type": "function", "function": {"name": name}},
            "tools": [{"type": "function", "function": {"name": name}}],
            "messages": [{"role": "user", "content": "x"},
                {"role": "assistant", "tool_calls": [
                    {"id": "call_1", "type": "function", "function": {"name": name, "arguments": "{}"}}]},
                {"role": "tool", "tool_call_id": "call_1", "content": "r"}]}),
    }
}

fn read(from: Format, name: &str) -> ChatRequest {
    decode_request(from, request(from, name).to_string().as_bytes(), "m", false).expect("a request")
}

/// The body that the provider is sent, and the names in it.
fn sent(from: Format, to: Format, name: &str) -> (Value, FunctionNames) {
    lowered(&read(from, name), to)
}

#[test]
fn names_that_the_provider_does_not_take_go_there_and_come_back() {
    let (long, longest) = ("mcp__server__".to_owned() + &"x".repeat(60), "x".repeat(200));
    for (from, to, name) in [
        (Format::Messages, Format::Chat, long.as_str()),
        (Format::Messages, Format::Generate, long.as_str()),
        (Format::Messages, Format::Generate, "1st"),
        (Format::Chat, Format::Generate, "1st"),
        (Format::Chat, Format::Generate, "-x"),
        (Format::Chat, Format::Messages, longest.as_str()),
        (Format::Generate, Format::Chat, "a.b"),
        (Format::Generate, Format::Messages, "a.b"),
    ] {
        let case = format!("{from:?} to {to:?}: {name}");
        let (body, names) = sent(from, to, name);
        let [there] = &declared(&body, to)[..] else { panic!("{case}: {body}") };
        assert!(to.takes_function_name(there) && there != name, "{case}: {there}");
        let text = body.to_string();
        // Declared, called and chosen; format G repeats the name with the result.
        let places = if to == Format::Generate { 4 } else { 3 };
        assert_eq!(text.matches(&format!("\"{there}\"")).count(), places, "{case}: {text}");
        assert!(!text.contains(&format!("\"{name}\"")), "{case}: {text}");
        assert_eq!(sent(from, to, name).0, body, "{case}: it is the same in each turn");

        let answer = call(to, there, &json!({"a": 1})).to_string();
        let told = convert_response(to, from, answer.as_bytes(), "up", &echo(names)).expect("an answer").body;
        let told = String::from_utf8(told).expect("text");
        assert!(told.contains(&format!("\"{name}\"")) && !told.contains(there.as_str()), "{case}: {told}");
    }
}

#[test]
fn a_stream_tells_the_client_s_own_name() {
    let name = "x".repeat(100);
    let (body, names) = sent(Format::Messages, Format::Chat, &name);
    let there = declared(&body, Format::Chat).remove(0);
    let called = json!({"index": 0, "id": "c", "type": "function", "function": {"name": there, "arguments": "{}"}});
    let mut reader = stream_decoder(Format::Chat, "up");
    let mut writer = stream_encoder(Format::Messages, echo(names), false);
    let (mut out, mut events) = (BytesMut::new(), Vec::new());
    for chunk in [
        json!({"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [called]}}]}),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
    ] {
        reader.read(None, chunk.to_string().as_bytes(), &mut events).expect("a chunk");
    }
    reader.read(None, b"[DONE]", &mut events).expect("the end");
    reader.finish(&mut events);
    events.into_iter().for_each(|event| writer.write(event, &mut out));
    let text = String::from_utf8(out.to_vec()).expect("text");
    assert!(text.contains(&name) && !text.contains(&there), "{text}");
}

#[test]
fn names_that_fit_and_no_names_stay_as_they_are() {
    for (from, to, name) in [
        (Format::Messages, Format::Chat, "f"),
        (Format::Chat, Format::Messages, &*"x".repeat(100)),
        (Format::Chat, Format::Generate, ""),
    ] {
        assert!(lower_tools(&read(from, name), to).expect("readable").is_none(), "{from:?} to {to:?}: {name}");
    }
    // One that has to be renamed gets no name that another function has.
    let mut ask = read(Format::Messages, &"x".repeat(65));
    let (_, names) = lower_tools(&ask, Format::Chat).expect("readable").expect("renamed");
    let there = names.only_called(&"x".repeat(65)).expect("a name").to_owned();
    let BlockKind::Call { name, .. } = &mut ask.turns[1].blocks[0].kind else { panic!("no call") };
    name.clone_from(&there);
    let (_, names) = lower_tools(&ask, Format::Chat).expect("readable").expect("renamed");
    assert_ne!(names.only_called(&"x".repeat(65)), Some(there.as_str()));
}
