//! Requests of clients: what is wrong with them is told with its place, what is right is read.

use serde_json::{Value, json};

use super::super::decode_request;
use super::{UPSTREAM, read};
use crate::{
    BlockKind, Format, MediaContent, MediaSource, MessageRole, OutputShape, ReasoningEffort, ThinkingSignature,
    ToolChoice, ToolKind,
};

#[test]
fn wrong_requests_are_told_with_the_place() {
    for (at, change) in [
        ("model", json!({"model": null})),
        ("model", json!({"model": 4})),
        ("messages", json!({"messages": []})),
        ("messages", json!({"messages": "hello"})),
        ("messages[0]", json!({"messages": [4]})),
        ("messages[0].role", json!({"messages": [{"content": "x"}]})),
        ("messages[0].role", json!({"messages": [{"role": "narrator", "content": "x"}]})),
        ("messages[0].content", json!({"messages": [{"role": "user"}]})),
        ("messages[0].content", json!({"messages": [{"role": "user", "content": 4}]})),
        ("messages[0].content", json!({"messages": [{"role": "user", "content": []}]})),
        ("messages[0].content", json!({"messages": [{"role": "assistant", "content": null}]})),
        ("messages[0].content[0].type", json!({"messages": [{"role": "user", "content": [{"text": "x"}]}]})),
        ("messages[0].content[0].text", json!({"messages": [{"role": "user", "content": [{"type": "text"}]}]})),
        ("messages[0].content[0].image_url.url", part(&json!({"type": "image_url", "image_url": {}}))),
        ("messages[0].content[0].image_url.url", part(&json!({"type": "image_url", "image_url": {"url": "data:x"}}))),
        (
            "messages[0].content[0].input_audio.format",
            part(&json!({"type": "input_audio", "input_audio": {"data": ""}})),
        ),
        ("messages[0].content[0].file.file_id", part(&json!({"type": "file", "file": {"filename": "x"}}))),
        ("messages[0].tool_call_id", json!({"messages": [{"role": "tool", "content": "x"}]})),
        ("messages[0].name", json!({"messages": [{"role": "function", "content": "x"}]})),
        ("messages[0].tool_calls[0].id", calls(&json!([{"type": "function", "function": {"name": "f"}}]))),
        ("messages[0].tool_calls[0].function", calls(&json!([{"id": "1", "type": "function"}]))),
        (
            "messages[0].tool_calls[0].function.arguments",
            calls(&json!([{"id": "1", "function": {"name": "f", "arguments": {}}}])),
        ),
        (
            "messages[0].reasoning_content",
            json!({"messages": [{"role": "assistant", "content": "x", "reasoning_content": 4}]}),
        ),
        ("stream", json!({"stream": "yes"})),
        ("stream_options.include_usage", json!({"stream_options": {"include_usage": 1}})),
        ("max_completion_tokens", json!({"max_completion_tokens": 0})),
        ("max_tokens", json!({"max_tokens": 1.5})),
        ("n", json!({"n": 0})),
        ("stop", json!({"stop": 4})),
        ("stop[1]", json!({"stop": ["a", 4]})),
        ("temperature", json!({"temperature": "hot"})),
        ("seed", json!({"seed": []})),
        ("logprobs", json!({"logprobs": 5})),
        ("top_logprobs", json!({"top_logprobs": -1})),
        ("logit_bias", json!({"logit_bias": []})),
        ("metadata", json!({"metadata": "x"})),
        ("reasoning_effort", json!({"reasoning_effort": 3})),
        ("user", json!({"user": 3})),
        ("response_format.type", json!({"response_format": {}})),
        (
            "response_format.json_schema.schema",
            json!({"response_format": {"type": "json_schema", "json_schema": {"name": "n"}}}),
        ),
        ("modalities[0]", json!({"modalities": [1]})),
        ("tools[0].type", json!({"tools": [{}]})),
        ("tools[0].function.name", json!({"tools": [{"type": "function", "function": {}}]})),
        (
            "tools[0].function.parameters",
            json!({"tools": [{"type": "function", "function": {"name": "f", "parameters": []}}]}),
        ),
        ("functions[0].name", json!({"functions": [{}]})),
        ("tool_choice", json!({"tool_choice": 4})),
        ("tool_choice.function", json!({"tool_choice": {"type": "function"}})),
        (
            "tool_choice.allowed_tools.mode",
            json!({"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "x", "tools": []}}}),
        ),
        ("parallel_tool_calls", json!({"parallel_tool_calls": "no"})),
    ] {
        let body = with(&change).to_string();
        assert_eq!(
            decode_request::read(body.as_bytes()).map(|_| ()).map_err(|fault| fault.at),
            Err(at.into()),
            "{body}"
        );
    }
    assert_eq!(decode_request::read(b"{").map(|_| ()).map_err(|fault| fault.at), Err("body".into()));
    assert_eq!(decode_request::read(b"[]").map(|_| ()).map_err(|fault| fault.at), Err("body".into()));
}

#[test]
fn instructions_before_the_conversation_are_told_from_those_in_it() {
    let ask = read(&json!({"model": "m", "messages": [
        {"role": "system", "content": "a"},
        {"role": "developer", "content": [{"type": "text", "text": "b"}, {"type": "text", "text": "c"}]},
        {"role": "user", "content": "d"},
        {"role": "developer", "content": "e"},
    ]}));
    let system: Vec<_> = ask.system.iter().map(|block| (block.at.as_str(), &block.kind)).collect();
    assert!(matches!(&system[..], [
        ("messages[0].content", BlockKind::Text(a)),
        ("messages[1].content[0]", BlockKind::Text(b)),
        ("messages[1].content[1]", BlockKind::Text(c)),
    ] if a == "a" && b == "b" && c == "c"));
    assert_eq!(ask.turns.iter().map(|turn| turn.role).collect::<Vec<_>>(), [MessageRole::User, MessageRole::Developer]);
}

#[test]
fn media_are_read_with_their_bytes_or_their_address() {
    let media = |mime: Option<&str>, source, name: Option<&str>, detail: Option<&str>| MediaContent {
        mime: mime.map(str::to_owned),
        source,
        name: name.map(str::to_owned),
        detail: detail.map(str::to_owned),
    };
    let base64 = |text: &str| MediaSource::Base64(text.into());
    for (part_of, expected) in [
        (
            json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,A-_A", "detail": "low"}}),
            BlockKind::Image(media(Some("image/png"), base64("A+/A"), None, Some("low"))),
        ),
        (
            json!({"type": "image_url", "image_url": "https://h/x.png"}),
            BlockKind::Image(media(None, MediaSource::Url("https://h/x.png".into()), None, None)),
        ),
        (
            json!({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "mp3"}}),
            BlockKind::Audio(media(Some("audio/mp3"), base64("AAAA"), None, None)),
        ),
        (
            json!({"type": "file", "file": {"file_data": "data:application/pdf;base64,AAAA", "filename": "f.pdf"}}),
            BlockKind::Document(media(Some("application/pdf"), base64("AAAA"), Some("f.pdf"), None)),
        ),
        (
            json!({"type": "file", "file": {"file_id": "file-1"}}),
            BlockKind::Document(media(None, MediaSource::FileId("file-1".into()), None, None)),
        ),
    ] {
        let ask = read(&with(&part(&part_of)));
        assert_eq!(format!("{:?}", ask.turns[0].blocks[0].kind), format!("{expected:?}"));
    }
}

#[test]
fn the_older_calls_are_read_as_the_newer() {
    let ask = read(&json!({"model": "m", "functions": [{"name": "f", "parameters": {"type": "object"}}],
        "function_call": {"name": "f"}, "messages": [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "y"},
    ]}));
    assert!(matches!(&ask.tools[0].kind, ToolKind::Function { name, parameters: Some(_), .. } if name == "f"));
    assert!(
        matches!(ask.tool_choice.as_ref().map(|choice| &choice.value), Some(ToolChoice::Named(name)) if name == "f")
    );
    let BlockKind::Call { id: asked, .. } = &ask.turns[1].blocks[0].kind else { panic!("a call") };
    let BlockKind::CallResult { id: answered, name, .. } = &ask.turns[2].blocks[0].kind else { panic!("a result") };
    assert_eq!((asked, name.as_deref()), (answered, Some("f")));
    assert!(!asked.is_empty());
}

#[test]
fn settings_are_read_in_either_spelling() {
    let ask = read(&with(&json!({
        "max_tokens": 5, "stop": "s", "safety_identifier": "u", "user": "v", "reasoning_effort": "xhigh",
        "response_format": {"type": "json_object"}, "web_search_options": {"search_context_size": "low"},
        "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools":
            [{"type": "function", "function": {"name": "f"}}]}},
        "temperature": 1.0, "something": {"new": 1},
    })));
    assert_eq!(ask.output_max.map(|bound| (bound.at, bound.value)), Some(("max_tokens".into(), 5)));
    assert_eq!(ask.stop.map(|stop| stop.value), Some(vec!["s".into()]));
    assert_eq!(ask.user.map(|user| user.at), Some("safety_identifier".into()));
    assert_eq!(ask.reasoning.and_then(|reasoning| reasoning.value.effort), Some(ReasoningEffort::ExtraHigh));
    assert!(matches!(ask.shape.map(|shape| shape.value), Some(OutputShape::JsonObject)));
    assert!(matches!(ask.tools[0].kind, ToolKind::WebSearch));
    assert!(matches!(ask.tool_choice.map(|choice| choice.value), Some(ToolChoice::Among { must: true, .. })));
    assert_eq!(ask.temperature.as_ref().map(|number| number.value.get()), Some("1.0"));
    let extra: Vec<_> = ask.extra.iter().map(|extra| extra.at.as_str()).collect();
    assert_eq!(extra, ["user", "something"]);
}

#[test]
fn sound_in_the_answer_is_a_shape() {
    let ask = read(&with(&json!({"modalities": ["text", "audio"], "audio": {"voice": "v", "format": "wav"}})));
    assert!(matches!(ask.shape, Some(shape) if shape.at == "modalities"));
}

#[test]
fn a_signature_comes_back_from_where_the_client_keeps_it() {
    let of_call = ThinkingSignature::made_by(UPSTREAM, Format::Generate, None, "g".into());
    let id = of_call.append_to_id("call_1");
    let kept = json!({"google": {"thought_signature": of_call.for_client(Format::Chat)}});
    for element in [
        json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}}),
        json!({"id": "call_1", "extra_content": kept, "function": {"name": "f", "arguments": "{}"}}),
    ] {
        let ask = read(&json!({"model": "m", "messages": [
            {"role": "assistant", "content": null, "tool_calls": [element]},
            {"role": "tool", "tool_call_id": id, "content": "x"},
        ]}));
        let BlockKind::Call { id, signature, .. } = &ask.turns[0].blocks[0].kind else { panic!("a call") };
        assert_eq!((id.as_str(), signature.as_ref()), ("call_1", Some(&of_call)));
        assert!(matches!(&ask.turns[1].blocks[0].kind, BlockKind::CallResult { id, .. } if id == "call_1"));
    }
}

#[test]
fn the_signature_of_a_thought_finds_the_thought() {
    let of_a = |length: &str| ThinkingSignature::made_by(UPSTREAM, Format::Messages, Some(length.into()), "a".into());
    let found_a = ThinkingSignature { item: None, ..of_a("1") };
    let of_r = ThinkingSignature::made_by(UPSTREAM, Format::Responses, Some("rs_1".into()), "r".into());
    let detail = json!({"type": "reasoning.text", "text": "t", "signature": found_a.for_client(Format::Chat)});
    for (riding, thought, found) in [
        (of_a("1"), json!({"reasoning_content": "t"}), Some(("t", Some(&found_a)))),
        (of_a("1"), json!({"reasoning": "t"}), Some(("t", Some(&found_a)))),
        (of_a("1"), json!({"reasoning_content": "t", "reasoning_details": [detail]}), Some(("t", Some(&found_a)))),
        // Other words than those that were signed, or none.
        (of_a("1"), json!({"reasoning_content": "tt"}), Some(("tt", None))),
        (of_a("1"), json!({}), None),
        // There were no words.
        (of_a("0"), json!({}), Some(("", Some(&found_a)))),
        (of_r.clone(), json!({}), Some(("", Some(&of_r)))),
        (of_r.clone(), json!({"reasoning_content": "t"}), Some(("t", Some(&of_r)))),
    ] {
        let element = json!({"id": riding.append_to_id("c"), "function": {"name": "f", "arguments": "{}"}});
        let mut message = json!({"role": "assistant", "content": null, "tool_calls": [element]});
        message.as_object_mut().expect("an object").extend(thought.as_object().expect("an object").clone());
        let ask = read(&json!({"model": "m", "messages": [message]}));
        let (call, thoughts) = ask.turns[0].blocks.split_last().expect("blocks");
        assert!(matches!(&call.kind, BlockKind::Call { id, signature: None, .. } if id == "c"), "{call:?}");
        let thoughts: Vec<_> = thoughts.iter().map(|block| thought_of(&block.kind)).collect();
        assert_eq!(thoughts, found.into_iter().collect::<Vec<_>>(), "{message}");
    }
}

fn thought_of(kind: &BlockKind) -> (&str, Option<&ThinkingSignature>) {
    let BlockKind::Thinking { text, signature, .. } = kind else { panic!("a thought, not {kind:?}") };
    (text, signature.as_ref())
}

fn with(change: &Value) -> Value {
    let mut body = json!({"model": "m", "messages": [{"role": "user", "content": "x"}]});
    body.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
    body
}

fn part(part: &Value) -> Value {
    json!({"messages": [{"role": "user", "content": [part]}]})
}

fn calls(calls: &Value) -> Value {
    json!({"messages": [{"role": "assistant", "content": null, "tool_calls": calls}]})
}
