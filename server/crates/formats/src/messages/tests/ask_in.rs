//! Requests, read: where each thing goes, and where what is wrong is told.

use serde_json::{Value, json};

use super::super::decode_request;
use super::{ask, body};
use crate::{
    BlockKind, ContentBlock, MediaSource, MessageRole, OutputShape, ReasoningEffort, ThinkingSignature, ToolChoice,
    ToolKind,
};

fn blocks(content: Value) -> Vec<ContentBlock> {
    ask(json!({"messages": [{"role": "assistant", "content": content}]})).turns.remove(0).blocks
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let turn = |block: Value| json!({"messages": [{"role": "user", "content": [block]}]});
    for (members, at) in [
        (json!({"model": 1}), "model"),
        (json!({"model": null}), "model"),
        (json!({"max_tokens": null}), "max_tokens"),
        (json!({"max_tokens": 0}), "max_tokens"),
        (json!({"max_tokens": -1}), "max_tokens"),
        (json!({"max_tokens": 1.5}), "max_tokens"),
        (json!({"max_tokens": "1"}), "max_tokens"),
        (json!({"messages": null}), "messages"),
        (json!({"messages": []}), "messages"),
        (json!({"messages": "Hi"}), "messages"),
        (json!({"messages": ["Hi"]}), "messages[0]"),
        (json!({"messages": [{"content": "Hi"}]}), "messages[0].role"),
        (json!({"messages": [{"role": "tool", "content": "Hi"}]}), "messages[0].role"),
        (json!({"messages": [{"role": "user"}]}), "messages[0].content"),
        (json!({"messages": [{"role": "user", "content": 1}]}), "messages[0].content"),
        (json!({"messages": [{"role": "user", "content": ["Hi"]}]}), "messages[0].content[0]"),
        (turn(json!({"text": "Hi"})), "messages[0].content[0].type"),
        (turn(json!({"type": 1})), "messages[0].content[0].type"),
        (turn(json!({"type": "text"})), "messages[0].content[0].text"),
        (turn(json!({"type": "text", "text": 1})), "messages[0].content[0].text"),
        (turn(json!({"type": "image"})), "messages[0].content[0].source"),
        (turn(json!({"type": "image", "source": {}})), "messages[0].content[0].source.type"),
        (
            turn(json!({"type": "image", "source": {"type": "base64", "data": "AA=="}})),
            "messages[0].content[0].source.media_type",
        ),
        (turn(json!({"type": "image", "source": {"type": "url"}})), "messages[0].content[0].source.url"),
        (
            turn(json!({"type": "image", "source": {"type": "url", "url": "data:AA"}})),
            "messages[0].content[0].source.url",
        ),
        (turn(json!({"type": "document", "source": {"type": "file"}})), "messages[0].content[0].source.file_id"),
        (turn(json!({"type": "thinking"})), "messages[0].content[0].thinking"),
        (turn(json!({"type": "redacted_thinking"})), "messages[0].content[0].data"),
        (turn(json!({"type": "tool_use", "name": "f", "input": {}})), "messages[0].content[0].id"),
        (turn(json!({"type": "tool_use", "id": "c", "input": {}})), "messages[0].content[0].name"),
        (turn(json!({"type": "tool_use", "id": "c", "name": "f"})), "messages[0].content[0].input"),
        (turn(json!({"type": "tool_use", "id": "c", "name": "f", "input": "{}"})), "messages[0].content[0].input"),
        (turn(json!({"type": "tool_result"})), "messages[0].content[0].tool_use_id"),
        (turn(json!({"type": "tool_result", "tool_use_id": "c", "is_error": "no"})), "messages[0].content[0].is_error"),
        (
            turn(json!({"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text"}]})),
            "messages[0].content[0].content[0].text",
        ),
        (json!({"system": 1}), "system"),
        (json!({"system": [{"type": "text"}]}), "system[0].text"),
        (json!({"stream": "yes"}), "stream"),
        (json!({"stop_sequences": "x"}), "stop_sequences"),
        (json!({"stop_sequences": [1]}), "stop_sequences[0]"),
        (json!({"temperature": "1"}), "temperature"),
        (json!({"top_p": true}), "top_p"),
        (json!({"top_k": []}), "top_k"),
        (json!({"tools": {}}), "tools"),
        (json!({"tools": [1]}), "tools[0]"),
        (json!({"tools": [{"input_schema": {}}]}), "tools[0].name"),
        (json!({"tools": [{"name": "f"}]}), "tools[0].input_schema"),
        (json!({"tools": [{"name": "f", "input_schema": []}]}), "tools[0].input_schema"),
        (json!({"tools": [{"name": "f", "input_schema": {}, "strict": 1}]}), "tools[0].strict"),
        (json!({"mcp_servers": {}}), "mcp_servers"),
        (json!({"tool_choice": "auto"}), "tool_choice"),
        (json!({"tool_choice": {}}), "tool_choice.type"),
        (json!({"tool_choice": {"type": "tool"}}), "tool_choice.name"),
        (
            json!({"tool_choice": {"type": "any", "disable_parallel_tool_use": 1}}),
            "tool_choice.disable_parallel_tool_use",
        ),
        (json!({"thinking": true}), "thinking"),
        (json!({"thinking": {}}), "thinking.type"),
        (json!({"thinking": {"type": "enabled"}}), "thinking.budget_tokens"),
        (json!({"thinking": {"type": "adaptive", "display": 1}}), "thinking.display"),
        (json!({"output_config": []}), "output_config"),
        (json!({"output_config": {"effort": 1}}), "output_config.effort"),
        (json!({"output_config": {"format": {}}}), "output_config.format.type"),
        (json!({"output_config": {"format": {"type": "json_schema"}}}), "output_config.format.schema"),
        (json!({"output_config": {"format": {"type": "json_schema", "schema": 1}}}), "output_config.format.schema"),
        (json!({"metadata": "me"}), "metadata"),
        (json!({"metadata": {"user_id": 1}}), "metadata.user_id"),
        (json!({"service_tier": 1}), "service_tier"),
    ] {
        let body = body(members);
        let unreadable = decode_request::read(body.to_string().as_bytes()).expect_err("it is wrong");
        assert_eq!(unreadable.at, at, "{body}");
    }
    for (body, at) in [("", "body"), ("[]", "body"), ("{\"model\":", "body"), ("nonsense", "body")] {
        assert_eq!(decode_request::read(body.as_bytes()).expect_err("it is wrong").at, at);
    }
}

#[test]
fn settings_go_to_their_members() {
    let ask = ask(json!({
        "stream": true, "temperature": 0.10, "stop_sequences": ["a"], "service_tier": "auto",
        "metadata": {"user_id": "u"}, "tool_choice": {"type": "any", "disable_parallel_tool_use": true},
        "thinking": {"type": "enabled", "budget_tokens": 2000, "display": "omitted"},
        "output_config": {"effort": "high", "format": {"type": "json_schema", "schema": {"type": "object"}}},
        "container": "c",
    }));
    assert!(ask.stream);
    assert_eq!(ask.output_max.expect("there").value, 10);
    assert_eq!(ask.stop.expect("there").value, ["a"]);
    assert_eq!(ask.user.expect("there").at, "metadata.user_id");
    assert!(matches!(ask.tool_choice.expect("there").value, ToolChoice::Some));
    assert!(!ask.parallel_calls.expect("there").value);
    let reasoning = ask.reasoning.expect("there").value;
    assert_eq!((reasoning.budget, reasoning.effort), (Some(2000), Some(ReasoningEffort::High)));
    assert_eq!((reasoning.adaptive, reasoning.shown), (false, Some(false)));
    assert!(matches!(ask.shape.expect("there").value, OutputShape::JsonSchema { .. }));
    let extra: Vec<_> = ask.extra.iter().map(|extra| (extra.name.as_str(), extra.at.as_str())).collect();
    assert_eq!(extra, [("container", "container")]);
}

#[test]
fn thinking_has_its_ways() {
    for (thinking, effort, budget, adaptive) in [
        (json!({"type": "enabled", "budget_tokens": 1024}), None, Some(1024), false),
        (json!({"type": "adaptive"}), None, None, true),
        (json!({"type": "disabled"}), Some(ReasoningEffort::None), None, false),
    ] {
        let reasoning = ask(json!({"thinking": thinking})).reasoning.expect("there").value;
        assert_eq!((reasoning.effort, reasoning.budget, reasoning.adaptive), (effort, budget, adaptive));
    }
    let own = ask(json!({"thinking": {"type": "between_tools"}}));
    assert!(own.reasoning.is_none());
    assert_eq!(own.extra[0].name, "thinking");
}

#[test]
fn blocks_are_told_apart() {
    let blocks = blocks(json!([
        {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
        {"type": "image", "source": {"type": "url", "url": "data:image/gif;base64,R0lGOD"}},
        {"type": "document", "title": "t", "source": {"type": "text", "media_type": "text/plain", "data": "d"}},
        {"type": "document", "source": {"type": "content", "content": "d"}},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        {"type": "tool_result", "tool_use_id": "c", "content": "r", "is_error": true},
    ]));
    assert_eq!(blocks[0].at, "messages[0].content[0]");
    assert_eq!(blocks[0].extra[0].at, "messages[0].content[0].cache_control");
    assert!(matches!(&blocks[1].kind, BlockKind::Image(picture) if picture.mime.as_deref() == Some("image/png")));
    assert!(matches!(&blocks[2].kind, BlockKind::Image(picture)
        if picture.mime.as_deref() == Some("image/gif") && picture.source == MediaSource::Base64("R0lGOD".into())));
    assert!(matches!(&blocks[3].kind, BlockKind::Document(paper)
        if paper.name.as_deref() == Some("t") && paper.source == MediaSource::Text("d".into())));
    assert!(matches!(&blocks[4].kind, BlockKind::Other { name, .. } if name == "document"));
    assert!(matches!(&blocks[5].kind, BlockKind::Other { name, .. } if name == "server_tool_use"));
    assert!(matches!(&blocks[6].kind, BlockKind::CallResult { id, content, failed: Some(true), .. }
        if id == "c" && content[0].at == "messages[0].content[6].content"));
}

#[test]
fn the_words_for_speakers() {
    let turns = ask(json!({"messages": [
        {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "system", "content": "c"},
    ]}))
    .turns;
    let roles: Vec<_> = turns.iter().map(|turn| turn.role).collect();
    assert_eq!(roles, [MessageRole::User, MessageRole::Model, MessageRole::System]);
    assert_eq!(turns[2].blocks[0].at, "messages[2].content");
}

#[test]
fn tools_are_told_apart() {
    let tools = ask(json!({
        "tools": [
            {"name": "f", "description": "d", "input_schema": {"type": "object"}, "strict": true},
            {"type": "custom", "name": "g", "input_schema": {"type": "object"}, "defer_loading": true},
            {"type": "web_search_20250305", "name": "web_search", "max_uses": 2},
            {"type": "code_execution_20250825", "name": "code_execution"},
        ],
        "mcp_servers": [{"type": "url", "name": "m"}],
    }))
    .tools;
    assert!(matches!(&tools[0].kind, ToolKind::Function { name, strict: Some(true), .. } if name == "f"));
    assert_eq!(tools[1].extra[0].at, "tools[1].defer_loading");
    assert!(matches!(&tools[2].kind, ToolKind::WebSearch));
    assert!(matches!(&tools[3].kind, ToolKind::Hosted { name, .. } if name == "code_execution_20250825"));
    assert_eq!(tools[4].at, "mcp_servers[0]");
}

#[test]
fn a_signature_comes_off_the_block_that_carried_it() {
    use crate::Format;
    let made = ThinkingSignature::made_by("other", Format::Generate, None, "sig".into());
    let on_call = ThinkingSignature { item: Some("c1".into()), ..made.clone() }.for_client(Format::Messages);
    let loose = ThinkingSignature { item: Some("c9".into()), ..made.clone() };
    let blocks = blocks(json!([
        {"type": "redacted_thinking", "data": loose.for_client(Format::Messages)},
        {"type": "redacted_thinking", "data": on_call},
        {"type": "tool_use", "id": "c1", "name": "f", "input": {}},
        {"type": "tool_use", "id": made.append_to_id("c2"), "name": "f", "input": {}},
        {"type": "thinking", "thinking": "t", "signature": "own"},
        {"type": "thinking", "thinking": "t", "signature": ""},
    ]));
    assert!(matches!(&blocks[0].kind, BlockKind::ClosedThinking(closed) if *closed == loose));
    for (block, call) in [(&blocks[1], "c1"), (&blocks[2], "c2")] {
        let BlockKind::Call { id, signature, .. } = &block.kind else { panic!("a call") };
        assert_eq!((id.as_str(), signature.as_ref()), (call, Some(&made)));
    }
    assert!(matches!(&blocks[3].kind, BlockKind::Thinking { signature: Some(own), .. } if own.maker.is_none()));
    assert!(matches!(&blocks[4].kind, BlockKind::Thinking { signature: None, .. }));
}
