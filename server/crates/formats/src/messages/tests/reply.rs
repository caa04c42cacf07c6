//! Whole answers, both ways.

use serde_json::{Value, json};

use super::super::{decode_response, encode_response};
use super::{UPSTREAM, echo};
use crate::{
    BlockKind, ChatResponse, ContentBlock, Format, ResponseChoice, ResponseContext, StopReason, ThinkingSignature,
    TokenUsage, UnknownMember,
};

fn read(body: &Value) -> ChatResponse {
    decode_response::read(body.to_string().as_bytes(), UPSTREAM).expect("an answer")
}

fn written(reply: &ChatResponse) -> Value {
    serde_json::from_slice(&encode_response::write(reply, &echo())).expect("JSON")
}

fn block(kind: BlockKind) -> ContentBlock {
    ContentBlock { at: String::new(), kind, extra: Vec::new() }
}

fn of(blocks: Vec<ContentBlock>, stop: StopReason) -> ChatResponse {
    ChatResponse { choices: vec![ResponseChoice { blocks, stop, extra: Vec::new() }], ..ChatResponse::default() }
}

#[test]
fn reasons_to_end() {
    let tool = json!({"type": "tool_use", "id": "c", "name": "f", "input": {}});
    for (word, calls, stop) in [
        (json!("end_turn"), false, StopReason::Natural),
        (json!("end_turn"), true, StopReason::Calls),
        (json!("tool_use"), true, StopReason::Calls),
        (json!("tool_use"), false, StopReason::Natural),
        (json!("max_tokens"), true, StopReason::Length),
        (json!("stop_sequence"), false, StopReason::Sequence(Some("x".into()))),
        (json!("refusal"), false, StopReason::Refused),
        (json!("pause_turn"), false, StopReason::Pause),
        (json!("model_context_window_exceeded"), false, StopReason::ContextFull),
        (json!("entirely_new"), false, StopReason::Natural),
        (Value::Null, false, StopReason::Natural),
        (Value::Null, true, StopReason::Calls),
    ] {
        let content = if calls { json!([tool]) } else { json!([]) };
        let reply = read(&json!({"content": content, "stop_reason": word, "stop_sequence": "x"}));
        assert_eq!(reply.choices[0].stop, stop, "{word} {calls}");
    }
    for (stop, reason, sequence) in [
        (StopReason::Natural, "end_turn", Value::Null),
        (StopReason::Calls, "tool_use", Value::Null),
        (StopReason::Length, "max_tokens", Value::Null),
        (StopReason::Sequence(Some("x".into())), "stop_sequence", json!("x")),
        (StopReason::Sequence(None), "stop_sequence", Value::Null),
        (StopReason::Refused, "refusal", Value::Null),
        (StopReason::ContextFull, "model_context_window_exceeded", Value::Null),
        (StopReason::Pause, "pause_turn", Value::Null),
        (StopReason::BrokenCall, "end_turn", Value::Null),
    ] {
        let body = written(&of(Vec::new(), stop));
        assert_eq!((&body["stop_reason"], &body["stop_sequence"]), (&json!(reason), &sequence));
        assert!(body.as_object().expect("an object").contains_key("stop_sequence"));
    }
    assert_eq!(written(&ChatResponse::default())["stop_reason"], "refusal");
    assert_eq!(
        written(&of(vec![block(BlockKind::Refusal("no".into()))], StopReason::Natural))["stop_reason"],
        "refusal"
    );
}

#[test]
fn the_signature_of_a_text_is_thinking_for_who_asked_for_that() {
    for (maker, asks, blocks) in
        [(Format::Generate, false, 1), (Format::Generate, true, 2), (Format::Responses, false, 2)]
    {
        let signature = Some(ThinkingSignature::made_by(UPSTREAM, maker, None, "sig".into()));
        let thinking = BlockKind::Thinking { text: String::new(), id: None, signature };
        let reply = of(vec![block(BlockKind::Text("t".into())), block(thinking)], StopReason::Natural);
        let written = encode_response::write(&reply, &ResponseContext { thinks: asks, ..echo() });
        let written: Value = serde_json::from_slice(&written).expect("JSON");
        assert_eq!(written["content"].as_array().map(Vec::len), Some(blocks), "{reply:?}");
    }
}

#[test]
fn usage_has_buckets_that_do_not_overlap() {
    let full = TokenUsage {
        input: 10,
        cache_read: 20,
        cache_write: 3,
        cache_write_hour: 4,
        output: 50,
        reasoning: 40,
        ..TokenUsage::default()
    };
    for (told, usage) in [
        (
            json!({"input_tokens": 1, "output_tokens": 2}),
            Some(TokenUsage { input: 1, output: 2, ..TokenUsage::default() }),
        ),
        (
            json!({"input_tokens": 10, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 7,
                   "cache_creation": {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 4},
                   "output_tokens": 50, "output_tokens_details": {"thinking_tokens": 40}}),
            Some(full),
        ),
        (
            json!({"input_tokens": 1.0, "cache_creation_input_tokens": 7, "cache_read_input_tokens": null,
                   "output_tokens": 0}),
            Some(TokenUsage { input: 1, cache_write: 7, ..TokenUsage::default() }),
        ),
        (
            json!({"output_tokens": 1, "cache_creation_input_tokens": 9,
                   "cache_creation": {"ephemeral_1h_input_tokens": 4}}),
            Some(TokenUsage { output: 1, cache_write: 5, cache_write_hour: 4, ..TokenUsage::default() }),
        ),
        (json!({}), None),
        (Value::Null, None),
    ] {
        assert_eq!(read(&json!({"content": [], "usage": told})).usage, usage, "{told}");
    }
    let body = written(&ChatResponse { usage: Some(full), ..of(Vec::new(), StopReason::Natural) });
    let expected = json!({
        "input_tokens": 10, "cache_creation_input_tokens": 7, "cache_read_input_tokens": 20,
        "cache_creation": {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 4},
        "output_tokens": 50, "output_tokens_details": {"thinking_tokens": 40},
    });
    assert_eq!(body["usage"], expected);
}

#[test]
fn clients_find_all_that_they_read() {
    let signed = |format| Some(ThinkingSignature::made_by(UPSTREAM, format, None, "sig".into()));
    let call = |id: &str, arguments: &str, signature| {
        block(BlockKind::Call {
            id: id.into(),
            name: "f".into(),
            arguments: arguments.into(),
            custom: false,
            signature,
        })
    };
    let foreign = UnknownMember {
        at: "annotations".into(),
        name: "annotations".into(),
        value: serde_json::from_str("[]").expect("JSON"),
    };
    let body = written(&of(
        vec![
            block(BlockKind::Thinking { text: "t".into(), id: None, signature: None }),
            block(BlockKind::Thinking { text: String::new(), id: None, signature: signed(Format::Messages) }),
            ContentBlock { extra: vec![foreign], ..block(BlockKind::Text("a".into())) },
            block(BlockKind::Text(String::new())),
            block(BlockKind::Other { name: "executableCode".into(), raw: serde_json::from_str("{}").expect("JSON") }),
            call("call:1", "", signed(Format::Generate)),
            call("c2", "[", None),
        ],
        StopReason::Calls,
    ));
    let packed = body["content"][3]["data"].as_str().expect("packed");
    assert_eq!(ThinkingSignature::read(packed).item.as_deref(), body["content"][4]["id"].as_str());
    let expected = json!({
        "id": "msg_0123", "type": "message", "role": "assistant", "model": "ours",
        "content": [
            {"type": "thinking", "thinking": "t", "signature": ""},
            {"type": "thinking", "thinking": "", "signature": "sig"},
            {"type": "text", "text": "a"},
            {"type": "redacted_thinking", "data": packed},
            {"type": "tool_use", "id": "tg_Y2FsbDox", "name": "f", "input": {}},
            {"type": "tool_use", "id": "c2", "name": "f", "input": {"unparsed_arguments": "["}},
        ],
        "stop_reason": "tool_use", "stop_sequence": null, "usage": body["usage"],
    });
    assert_eq!(body, expected);
}

#[test]
fn an_answer_in_the_format_itself_comes_back() {
    let body = json!({
        "id": "msg_theirs", "type": "message", "role": "assistant", "model": "theirs",
        "content": [
            {"type": "thinking", "thinking": "t", "signature": "s"},
            {"type": "redacted_thinking", "data": "d"},
            {"type": "text", "text": "a", "citations": [{"type": "char_location"}]},
            {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": 1.50}},
            {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
            {"type": "tool_use", "id": "c", "name": "f", "input": {"b": 1, "a": 2}, "caller": {"type": "direct"}},
        ],
        "stop_reason": "tool_use", "stop_sequence": null, "container": {"id": "k"}, "stop_details": {"x": 1},
        "usage": {
            "input_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 2, "output_tokens_details": {"thinking_tokens": 1},
            "server_tool_use": {"web_search_requests": 1}, "service_tier": "standard",
        },
    });
    let reply = read(&body);
    assert_eq!(reply.id, "msg_theirs");
    assert_eq!(reply.choices[0].stop, StopReason::Calls);
    let mut expected = body;
    expected["id"] = json!("msg_0123");
    expected["model"] = json!("ours");
    assert_eq!(written(&reply), expected);
}

#[test]
fn providers_are_read_with_patience_and_errors_are_no_answers() {
    let reply = read(&json!({"content": "a"}));
    assert!(matches!(&reply.choices[0].blocks[0].kind, BlockKind::Text(text) if text == "a"));
    let reply = read(&json!({"content": [
        {"type": "tool_use", "id": "c", "name": "f", "input": "{\"a\":1}"}, {"type": "tool_use", "id": "d", "name": "f"},
        {"type": "entirely_new", "x": 1},
    ]}));
    let arguments = reply.choices[0].blocks.iter().map(|block| match &block.kind {
        BlockKind::Call { arguments, .. } => arguments.as_str(),
        BlockKind::Other { name, .. } => name,
        _ => panic!("neither"),
    });
    let arguments: Vec<_> = arguments.collect();
    assert_eq!(arguments, ["{\"a\":1}", "{}", "entirely_new"]);
    for (body, at) in [
        ("<html>", "body"),
        ("", "body"),
        ("[]", "body"),
        (r#"{"type":"error","error":{"type":"overloaded_error","message":"m"}}"#, "error"),
        (r#"{"error":"m"}"#, "error"),
        (r#"{"id":"x"}"#, "content"),
        (r#"{"content":[{"text":"x"}]}"#, "content[0].type"),
    ] {
        assert_eq!(decode_response::read(body.as_bytes(), UPSTREAM).expect_err("no answer").at, at, "{body}");
    }
}
