//! Requests of other formats: members that are converted, left out and noted, or refused.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{ask, refused, sent};
use crate::{
    BlockKind, ChatMessage, ChatRequest, ContentBlock, Format, LocatedValue, MediaContent, MediaSource, MessageRole,
    ThinkingSignature, ToolChoice, ToolKind,
};

/// A request of another format without anything.
pub(super) fn empty(from: Format) -> ChatRequest {
    let mut ask = ask(&json!({"model": "m", "input": "x"}));
    ask.from = from;
    ask.turns.clear();
    ask
}

fn block(kind: BlockKind) -> ContentBlock {
    ContentBlock { at: "messages[0].content[0]".into(), kind, extra: Vec::new() }
}

pub(super) fn turn(role: MessageRole, kinds: impl IntoIterator<Item = BlockKind>) -> ChatMessage {
    ChatMessage { at: "messages[0]".into(), role, blocks: kinds.into_iter().map(block).collect(), extra: Vec::new() }
}

pub(super) fn text(text: &str) -> BlockKind {
    BlockKind::Text(text.into())
}

fn call(id: &str, name: &str, arguments: &str) -> BlockKind {
    BlockKind::Call { id: id.into(), name: name.into(), arguments: arguments.into(), custom: false, signature: None }
}

fn result(id: &str, name: Option<&str>, content: &[BlockKind], failed: Option<bool>) -> BlockKind {
    let content = content.iter().cloned().map(block).collect();
    BlockKind::CallResult { id: id.into(), name: name.map(Into::into), content, failed }
}

fn media(mime: &str, source: MediaSource) -> MediaContent {
    MediaContent { mime: Some(mime.into()), source, name: None, detail: None }
}

#[expect(clippy::unnecessary_wraps, reason = "members of a request are optional")]
pub(super) fn at<T>(value: T) -> Option<LocatedValue<T>> {
    Some(LocatedValue { at: "place".into(), value })
}

pub(super) fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.into()).expect("JSON")
}

/// The items that turns become.
fn items(from: Format, turns: Vec<ChatMessage>) -> Value {
    let (sent, _) = sent(&ChatRequest { turns, ..empty(from) });
    sent["input"].clone()
}

#[test]
fn a_turn_becomes_items_in_its_order() {
    let turns = vec![
        turn(MessageRole::User, [text("q")]),
        turn(MessageRole::Model, [text("a"), call("c1", "f", ""), call("c2", "g", "{\"n\":1.0}")]),
        turn(
            MessageRole::User,
            [result("c1", None, &[text("r")], None), result("c2", None, &[text("r")], Some(true)), text("go on")],
        ),
        turn(MessageRole::System, [text("mind")]),
    ];
    let expected = json!([
        {"type": "message", "role": "user", "content": "q"},
        {"type": "message", "role": "assistant", "content": "a"},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
        {"type": "function_call", "call_id": "c2", "name": "g", "arguments": "{\"n\":1.0}"},
        {"type": "function_call_output", "call_id": "c1", "output": "r"},
        {"type": "function_call_output", "call_id": "c2", "output": "Error: r"},
        {"type": "message", "role": "user", "content": "go on"},
        {"type": "message", "role": "system", "content": "mind"},
    ]);
    assert_eq!(items(Format::Messages, turns), expected);
}

#[test]
fn instructions_are_one_text() {
    let mut ask = ChatRequest { turns: vec![turn(MessageRole::User, [text("q")])], ..empty(Format::Messages) };
    ask.system = vec![block(text("one")), block(text("two"))];
    assert_eq!(sent(&ask).0["instructions"], "one\n\ntwo");
    ask.turns.clear();
    let (alone, _) = sent(&ask);
    assert_eq!(alone["input"], json!([{"type": "message", "role": "developer", "content": "one\n\ntwo"}]));
    assert_eq!(alone["instructions"], Value::Null);
    ask.system = vec![block(BlockKind::Image(media("image/png", MediaSource::Base64("x".into()))))];
    assert_eq!(refused(&ask).at, "messages[0].content[0]");
}

#[test]
fn empty_texts_make_no_message() {
    let turns = vec![
        turn(MessageRole::User, [text(""), text("q")]),
        turn(MessageRole::Model, [text(""), call("c", "f", "{}")]),
    ];
    let items = items(Format::Messages, turns);
    assert_eq!(items[0]["content"], "q");
    assert_eq!(items[1]["type"], "function_call");
}

#[test]
fn several_texts_are_parts() {
    let turns = vec![
        turn(MessageRole::User, [text("a"), text("b")]),
        turn(MessageRole::Model, [text("c"), BlockKind::Refusal("d".into())]),
    ];
    let expected = json!([
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]},
        {"type": "message", "role": "assistant", "content": [
            {"type": "output_text", "text": "c", "annotations": []}, {"type": "refusal", "refusal": "d"}]},
    ]);
    assert_eq!(items(Format::Messages, turns), expected);
}

#[test]
fn pictures_documents_and_sound() {
    let bytes = || MediaSource::Base64("iVBO".into());
    let part = |kind| items(Format::Generate, vec![turn(MessageRole::User, [kind])])[0]["content"][0].clone();
    let url = MediaSource::Url("https://x/y".into());
    assert_eq!(part(BlockKind::Image(media("image/png", url.clone())))["image_url"], "https://x/y");
    assert_eq!(part(BlockKind::Image(media("image/png", bytes())))["image_url"], "data:image/png;base64,iVBO");
    let unnamed = MediaContent { mime: None, ..media("", MediaSource::Base64("/9j/4".into())) };
    assert_eq!(part(BlockKind::Image(unnamed))["image_url"], "data:image/jpeg;base64,/9j/4");
    let file =
        json!({"type": "input_file", "file_data": "data:application/pdf;base64,iVBO", "filename": "document.pdf"});
    assert_eq!(part(BlockKind::Document(media("application/pdf", bytes()))), file);
    assert_eq!(part(BlockKind::Document(media("application/pdf", url)))["file_url"], "https://x/y");
    let plain = json!({"type": "input_text", "text": "t"});
    assert_eq!(part(BlockKind::Document(media("text/plain", MediaSource::Text("t".into())))), plain);
    let sound = json!({"type": "input_audio", "input_audio": {"data": "iVBO", "format": "mp3"}});
    assert_eq!(part(BlockKind::Audio(media("audio/mpeg", bytes()))), sound);
}

#[test]
fn what_the_provider_cannot_take_is_refused() {
    let bytes = || MediaSource::Base64("iVBO".into());
    let other = |raw: &str| BlockKind::Other { name: "odd".into(), raw: self::raw(raw) };
    for (role, kind) in [
        (MessageRole::User, BlockKind::Video(media("video/mp4", bytes()))),
        (MessageRole::User, BlockKind::Audio(media("audio/flac", bytes()))),
        (MessageRole::User, BlockKind::Audio(media("audio/wav", MediaSource::Url("https://x".into())))),
        (MessageRole::User, BlockKind::Image(media("image/heic", bytes()))),
        (MessageRole::User, BlockKind::Image(media("image/png", MediaSource::FileId("f".into())))),
        (MessageRole::User, BlockKind::Document(media("application/pdf", MediaSource::FileId("f".into())))),
        (MessageRole::Model, BlockKind::Image(media("image/png", bytes()))),
        (MessageRole::User, other("{}")),
        (MessageRole::Model, BlockKind::Compaction { id: None, closed: "x".into() }),
        (MessageRole::Model, call("c", "a.b", "{}")),
        (MessageRole::Model, call("c", &"x".repeat(65), "{}")),
        (MessageRole::User, result("", None, &[text("x")], None)),
        (MessageRole::User, result("c", None, &[BlockKind::Video(media("video/mp4", bytes()))], None)),
    ] {
        let ask = ChatRequest { turns: vec![turn(role, [kind.clone()])], ..empty(Format::Generate) };
        let refused = refused(&ask);
        assert!(refused.at.starts_with("messages[0]") && !refused.reason.is_empty(), "{kind:?}");
    }
}

#[test]
fn results_of_calls() {
    let picture = BlockKind::Image(media("image/png", MediaSource::Url("https://x".into())));
    let output = |content: &[BlockKind], failed| {
        items(Format::Messages, vec![turn(MessageRole::User, [result("c", None, content, failed)])])[0]["output"]
            .clone()
    };
    assert_eq!(output(&[], None), "");
    assert_eq!(output(&[], Some(true)), "Error:");
    let parts = json!([{"type": "input_text", "text": "Error:"}, {"type": "input_image", "image_url": "https://x"}]);
    assert_eq!(output(&[picture], Some(true)), parts);
    let both = json!([{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]);
    assert_eq!(output(&[text("a"), text("b")], Some(false)), both);
}

#[test]
fn calls_without_ids_get_one_that_their_results_share() {
    let turns = vec![
        turn(MessageRole::Model, [call("", "f", "{}"), call("", "g", "{}")]),
        turn(MessageRole::User, [result("", Some("g"), &[text("1")], None), result("", Some("f"), &[text("2")], None)]),
    ];
    let items = items(Format::Generate, turns);
    assert_ne!(items[0]["call_id"], items[1]["call_id"]);
    assert_eq!(items[0]["call_id"], items[3]["call_id"]);
    assert_eq!(items[1]["call_id"], items[2]["call_id"]);
}

#[test]
fn free_text_calls_of_chat_completions() {
    let custom =
        BlockKind::Call { id: "c".into(), name: "t".into(), arguments: "free".into(), custom: true, signature: None };
    let turns =
        vec![turn(MessageRole::Model, [custom]), turn(MessageRole::User, [result("c", None, &[text("r")], None)])];
    let mut ask = ChatRequest { turns, ..empty(Format::Chat) };
    let grammar = r#"{"type":"grammar","grammar":{"syntax":"lark","definition":"d"}}"#;
    let tool = format!(r#"{{"type":"custom","custom":{{"name":"t","description":"d","format":{grammar}}}}}"#);
    ask.tools = vec![crate::ToolDefinition {
        at: "tools[0]".into(),
        kind: ToolKind::Custom { name: "t".into(), raw: raw(&tool) },
        extra: Vec::new(),
    }];
    ask.tool_choice = at(ToolChoice::Named("t".into()));
    let (sent, _) = sent(&ask);
    assert_eq!(sent["input"][0], json!({"type": "custom_tool_call", "call_id": "c", "name": "t", "input": "free"}));
    assert_eq!(sent["input"][1], json!({"type": "custom_tool_call_output", "call_id": "c", "output": "r"}));
    let flat = json!([{"type": "custom", "name": "t", "description": "d",
        "format": {"type": "grammar", "syntax": "lark", "definition": "d"}}]);
    assert_eq!(sent["tools"], flat);
    assert_eq!(sent["tool_choice"], json!({"type": "custom", "name": "t"}));
}

#[test]
fn thinking_is_given_back_before_what_it_led_to() {
    let thought = |upstream| BlockKind::Thinking {
        text: "t".into(),
        id: None,
        signature: Some(ThinkingSignature::made_by(upstream, Format::Responses, Some("rs_1".into()), "closed".into())),
    };
    let closed = BlockKind::ClosedThinking(ThinkingSignature::made_by("up", Format::Responses, None, "shut".into()));
    let turns = vec![turn(MessageRole::Model, [thought("up"), closed, call("c", "f", "{}")])];
    let expected = json!([
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "t"}], "encrypted_content": "closed"},
        {"type": "reasoning", "summary": [], "encrypted_content": "shut"},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
    ]);
    assert_eq!(items(Format::Messages, turns), expected);
    for turns in [
        vec![turn(MessageRole::Model, [thought("other"), text("a")])],
        vec![turn(MessageRole::Model, [text("a"), thought("up")]), turn(MessageRole::User, [text("b")])],
        vec![turn(MessageRole::Model, [text("a"), thought("up")])],
    ] {
        let (sent, dropped) = sent(&ChatRequest { turns, ..empty(Format::Messages) });
        let kinds = sent["input"].as_array().expect("a list").iter().all(|item| item["type"] == "message");
        assert!(kinds, "thinking with nothing after it is refused by providers: {sent}");
        assert_eq!(dropped, ["messages[0].content[0]"]);
    }
}

#[test]
fn functions() {
    let mut ask = ChatRequest { turns: vec![turn(MessageRole::User, [text("q")])], ..empty(Format::Chat) };
    let function = |name: &str, parameters: Option<&str>, strict| crate::ToolDefinition {
        at: "tools[0]".into(),
        kind: ToolKind::Function { name: name.into(), description: None, parameters: parameters.map(raw), strict },
        extra: Vec::new(),
    };
    ask.tools = vec![function("f", None, None), function("g", Some(r#"{"b":1.0,"a":2}"#), Some(true))];
    ask.tool_choice = at(ToolChoice::Among { names: vec!["f".into()], must: true });
    ask.parallel_calls = at(false);
    let (sent, _) = sent(&ask);
    let expected = json!([
        {"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}, "strict": false},
        {"type": "function", "name": "g", "parameters": {"b": 1.0, "a": 2}, "strict": true},
    ]);
    assert_eq!(sent["tools"], expected);
    let among = json!({"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "f"}]});
    assert_eq!(sent["tool_choice"], among);
    assert_eq!(sent["parallel_tool_calls"], false);
    ask.tools = vec![function("a.b", None, None)];
    assert_eq!(refused(&ask).at, "tools[0]");
    for kind in [
        ToolKind::Hosted { name: "code".into(), raw: raw("{}") },
        ToolKind::Custom { name: "c".into(), raw: raw("{}") },
    ] {
        ask.from = Format::Messages;
        ask.tools[0].kind = kind;
        assert_eq!(refused(&ask).at, "tools[0]");
    }
    ask.tools[0].kind = ToolKind::WebSearch;
    assert_eq!(super::sent(&ask).0["tools"], json!([{"type": "web_search"}]));
    ask.tool_choice = at(ToolChoice::Other(raw("{}")));
    assert_eq!(refused(&ask).at, "place");
    ask.tools.clear();
    assert_eq!(super::sent(&ask).0["tool_choice"], Value::Null, "without tools there is no choice");
}
