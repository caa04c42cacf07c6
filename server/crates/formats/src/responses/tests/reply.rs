//! Whole answers, both ways.

use serde_json::{Value, json};

use super::super::{read_reply, write_reply};
use super::{ANSWER, body, echo};
use crate::{
    BlockKind, ChatResponse, ContentBlock, Format, MediaContent, MediaSource, ResponseChoice, StopReason,
    ThinkingSignature, TokenUsage,
};

fn reading(response: &Value) -> ChatResponse {
    read_reply(response.to_string().as_bytes(), "up").unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn stop(response: &Value) -> StopReason {
    reading(response).choices[0].stop.clone()
}

fn block(kind: BlockKind) -> ContentBlock {
    ContentBlock { at: String::new(), kind, extra: Vec::new() }
}

fn written(kinds: Vec<BlockKind>, stop: StopReason) -> Value {
    let blocks = kinds.into_iter().map(block).collect();
    let usage =
        Some(TokenUsage { input: 5, cache_read: 2, cache_write: 1, output: 9, reasoning: 4, ..TokenUsage::default() });
    let choices = vec![ResponseChoice { blocks, stop, extra: Vec::new() }];
    let request = json!({"model": "mine", "input": "x"});
    body(&write_reply(&ChatResponse { id: "theirs".into(), choices, usage, extra: Vec::new() }, &echo(&request)))
}

#[test]
fn items_become_blocks() {
    let reply = reading(
        &json!({"id": "resp_1", "object": "response", "status": "completed", "error": null, "future": 1,
            "instructions": "long", "tools": [{}], "output": [
            {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}], "encrypted_content": "closed"},
            {"type": "reasoning", "id": "rs_2", "summary": [{"type": "summary_text", "text": "a"}], "content": [{"type": "reasoning_text", "text": "raw"}]},
            {"type": "message", "id": "msg_1", "content": [{"type": "output_text", "text": "t", "annotations": []}, {"type": "odd"}]},
            {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": "{\"a\":1.0}"},
            {"type": "function_call", "id": "fc_2", "name": "f", "arguments": ""},
            {"type": "custom_tool_call", "id": "ctc_1", "call_id": "c2", "name": "g", "input": "free"},
            {"type": "image_generation_call", "id": "ig_1", "result": "iVBO", "output_format": "webp"},
            {"type": "compaction", "id": "cmp_1", "encrypted_content": "zzz"},
            {"type": "web_search_call", "id": "ws_1"},
        ]}),
    );
    assert_eq!(reply.id, "resp_1");
    assert_eq!(reply.extra.iter().map(|extra| extra.name.as_str()).collect::<Vec<_>>(), ["future"]);
    assert_eq!(reply.choices[0].stop, StopReason::Calls);
    let kinds: Vec<_> = reply.choices[0].blocks.iter().map(|block| format!("{:?}", block.kind)).collect();
    let expected = [
        r#"Thinking { text: "a\n\nb", id: Some("rs_1"), signature: Some(ThinkingSignature { maker: Some(SignatureMaker { upstream: "up", format: Responses }), item: Some("rs_1"), text: "closed" }) }"#,
        r#"Thinking { text: "raw", id: Some("rs_2"), signature: None }"#,
        r#"Text("t")"#,
        r#"Other { name: "odd", raw: RawValue({"type":"odd"}) }"#,
        r#"Call { id: "c1", name: "f", arguments: "{\"a\":1.0}", custom: false, signature: None }"#,
        r#"Call { id: "fc_2", name: "f", arguments: "", custom: false, signature: None }"#,
        r#"Call { id: "c2", name: "g", arguments: "free", custom: true, signature: None }"#,
        r#"Image(MediaContent { mime: Some("image/webp"), source: Base64("iVBO"), name: None, detail: None })"#,
        r#"Compaction { id: Some("cmp_1"), closed: "zzz" }"#,
        r#"Other { name: "web_search_call", raw: RawValue({"type":"web_search_call","id":"ws_1"}) }"#,
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn why_it_ended() {
    let refusal = json!([{"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}]);
    let call = json!([{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}]);
    for (response, expected) in [
        (json!({"status": "completed", "output": []}), StopReason::Natural),
        (json!({"output": []}), StopReason::Natural),
        (json!({"status": "completed", "output": refusal}), StopReason::Refused),
        (json!({"status": "completed", "output": call}), StopReason::Calls),
        (
            json!({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": call}),
            StopReason::Length,
        ),
        (
            json!({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}, "output": []}),
            StopReason::Refused,
        ),
        (json!({"status": "incomplete", "incomplete_details": null, "output": []}), StopReason::Pause),
        (json!({"status": "some new word", "output": []}), StopReason::Natural),
    ] {
        assert_eq!(stop(&response), expected, "{response}");
    }
}

#[test]
fn what_is_no_answer() {
    for (place, response) in [
        ("error", json!({"error": {"message": "no"}, "status": "failed", "output": []})),
        ("status", json!({"status": "failed", "output": []})),
        ("status", json!({"status": "queued", "output": []})),
        ("output", json!({"status": "completed"})),
        ("output", json!({"output": {}})),
        ("output[0].type", json!({"output": [{}]})),
        ("output[0].name", json!({"output": [{"type": "function_call", "call_id": "c"}]})),
        ("body", json!("<html>")),
    ] {
        assert_eq!(read_reply(response.to_string().as_bytes(), "up").expect_err("wrong").at, place);
    }
    assert_eq!(read_reply(b"<html>", "up").expect_err("wrong").at, "body");
}

#[test]
fn tokens_are_counted_once() {
    let usage = |usage: Value| reading(&json!({"output": [], "usage": usage})).usage;
    let counts = json!({"input_tokens": 10, "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 3},
        "output_tokens": 8, "output_tokens_details": {"reasoning_tokens": 5}, "total_tokens": 18});
    let expected =
        TokenUsage { input: 3, cache_read: 4, cache_write: 3, output: 8, reasoning: 5, ..TokenUsage::default() };
    assert_eq!(usage(counts), Some(expected));
    let other = |cached: u64| {
        usage(
            json!({"prompt_tokens": 10.0, "completion_tokens": 8, "prompt_tokens_details": {"cached_tokens": cached}}),
        )
    };
    assert_eq!(other(10), Some(TokenUsage { input: 0, cache_read: 10, output: 8, ..TokenUsage::default() }));
    assert_eq!(other(11), Some(TokenUsage::IMPOSSIBLE));
    assert_eq!(usage(Value::Null), None);
}

#[test]
fn the_response_object_has_all_that_clients_read() {
    let response = written(vec![BlockKind::Text("t".into())], StopReason::Natural);
    let expected = json!({
        "id": format!("resp_{ANSWER}"), "object": "response", "created_at": 1_700_000_000, "status": "completed",
        "completed_at": 1_700_000_000, "model": "mine", "error": null, "incomplete_details": null,
        "output": [{"id": format!("msg_{ANSWER}0000"), "type": "message", "status": "completed", "role": "assistant",
            "content": [{"type": "output_text", "text": "t", "annotations": [], "logprobs": []}]}],
        "usage": {
            "input_tokens": 8, "output_tokens": 9, "total_tokens": 17, "prompt_tokens": 8, "completion_tokens": 9,
            "input_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 1, "text_tokens": 8, "audio_tokens": 0, "image_tokens": 0},
            "prompt_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 1, "text_tokens": 8, "audio_tokens": 0, "image_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 4, "text_tokens": 5, "audio_tokens": 0, "image_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 4, "text_tokens": 5, "audio_tokens": 0, "image_tokens": 0},
        },
        "background": false, "conversation": null, "frequency_penalty": 0.0, "presence_penalty": 0.0, "instructions": null, "max_output_tokens": null, "max_tool_calls": null,
        "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "prompt": null, "prompt_cache_key": null,
        "prompt_cache_retention": null, "reasoning": {"effort": null, "summary": null}, "safety_identifier": null,
        "service_tier": "default", "store": true, "temperature": 1.0, "text": {"format": {"type": "text"}},
        "tool_choice": "auto", "tools": [], "top_logprobs": 0, "top_p": 1.0, "truncation": "disabled",
    });
    assert_eq!(response, expected);
}

#[test]
fn settings_of_the_request_are_repeated() {
    let settings = json!({"instructions": "i", "max_output_tokens": 30, "metadata": {"a": "b"}, "parallel_tool_calls": false,
        "previous_response_id": "resp_0", "reasoning": {"effort": "low"}, "store": false, "temperature": 0.5, "user": "u",
        "text": {"format": {"type": "json_object"}}, "tool_choice": "none", "tools": [{"type": "web_search"}], "top_p": 0.1,
        "frequency_penalty": 0.5, "presence_penalty": -1, "truncation": "auto", "conversation": "conv_1", "service_tier": "flex", "prompt_cache_key": "k"});
    let response = body(&write_reply(&ChatResponse::default(), &echo(&settings)));
    for (name, value) in settings.as_object().expect("an object") {
        let expected = if name == "conversation" { &json!({"id": "conv_1"}) } else { value };
        assert_eq!(&response[name], expected, "{name}");
    }
    let tools = json!([{"type": "function", "name": "f", "strict": true}, {"type": "custom", "name": "g"}]);
    let response = body(&write_reply(&ChatResponse::default(), &echo(&json!({"tools": tools}))));
    let whole = json!({"type": "function", "name": "f", "strict": true, "description": null, "parameters": null});
    assert_eq!(response["tools"], json!([whole, tools[1]]), "of functions all members");
    assert_eq!(response["status"], "incomplete", "a blocked prompt has no answer");
    assert_eq!(response["incomplete_details"]["reason"], "content_filter");
    assert_eq!(response["usage"], Value::Null);
}

#[test]
fn endings() {
    let text = || vec![BlockKind::Text("t".into())];
    for (kinds, stop, status, reason) in [
        (text(), StopReason::Natural, "completed", Value::Null),
        (text(), StopReason::Sequence(Some("x".into())), "completed", Value::Null),
        (text(), StopReason::Calls, "completed", Value::Null),
        (text(), StopReason::Length, "incomplete", json!("max_output_tokens")),
        (text(), StopReason::ContextFull, "incomplete", json!("max_output_tokens")),
        (text(), StopReason::Refused, "incomplete", json!("content_filter")),
        (vec![BlockKind::Refusal("no".into())], StopReason::Refused, "completed", Value::Null),
        (text(), StopReason::Pause, "incomplete", Value::Null),
        (text(), StopReason::BrokenCall, "failed", Value::Null),
    ] {
        let response = written(kinds, stop.clone());
        assert_eq!(
            (&response["status"], &response["incomplete_details"]["reason"]),
            (&json!(status), &reason),
            "{stop:?}"
        );
        assert_eq!(response["error"].is_null(), status != "failed");
        assert_eq!(response["completed_at"].is_null(), status != "completed");
    }
}

#[test]
fn blocks_become_items() {
    let signature = ThinkingSignature::made_by("g", Format::Generate, None, "sig".into());
    let call = |signature| BlockKind::Call {
        id: "c".into(),
        name: "f".into(),
        arguments: String::new(),
        custom: false,
        signature,
    };
    let bytes = MediaSource::Base64("/9j/".into());
    let response = written(
        vec![
            BlockKind::Thinking { text: "hm".into(), id: None, signature: Some(signature.clone()) },
            BlockKind::Text("a".into()),
            BlockKind::Refusal("b".into()),
            call(Some(signature.clone())),
            BlockKind::Text("c".into()),
            BlockKind::ClosedThinking(signature.clone()),
            BlockKind::Call {
                id: "d".into(),
                name: "g".into(),
                arguments: String::new(),
                custom: true,
                signature: None,
            },
            BlockKind::Image(MediaContent { mime: None, source: bytes, name: None, detail: None }),
            BlockKind::Compaction { id: None, closed: "z".into() },
        ],
        StopReason::Calls,
    );
    let closed = signature.for_client(Format::Responses);
    let text = |text: &str| json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []});
    let id = |prefix: &str, index: usize| format!("{prefix}_{ANSWER}{index:04x}");
    let expected = json!([
        {"id": id("rs", 0), "type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": closed},
        {"id": id("msg", 1), "type": "message", "status": "completed", "role": "assistant",
         "content": [text("a"), {"type": "refusal", "refusal": "b"}]},
        {"id": id("fc", 2), "type": "function_call", "status": "completed", "call_id": signature.append_to_id("c"), "name": "f", "arguments": "{}"},
        {"id": id("msg", 3), "type": "message", "status": "completed", "role": "assistant", "content": [text("c")]},
        {"id": id("rs", 4), "type": "reasoning", "summary": [], "encrypted_content": closed},
        {"id": id("ctc", 5), "type": "custom_tool_call", "status": "completed", "call_id": "d", "name": "g", "input": ""},
        {"id": id("ig", 6), "type": "image_generation_call", "status": "completed", "result": "/9j/", "output_format": "jpeg"},
        {"id": id("cmp", 7), "type": "compaction", "encrypted_content": "z"},
    ]);
    assert_eq!(response["output"], expected);
}
