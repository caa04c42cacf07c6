//! Requests of other formats' clients: turns.

use serde_json::{Value, json};

use super::{foreign, sent};
use crate::{
    BlockKind, ChatMessage, ChatRequest, ContentBlock, Format, MediaContent, MediaSource, MessageRole,
    ThinkingSignature,
};

/// The messages that the provider sees of a conversation, and the places that are left out.
fn conversation(messages: Value) -> (Value, Vec<String>) {
    let (body, dropped) = sent(&foreign(json!({"messages": messages}))).expect("carried");
    (body["messages"].clone(), dropped)
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "f", "input": {}})
}

fn result(id: &str, words: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": [text(words)]})
}

fn user(blocks: &[Value]) -> Value {
    json!({"role": "user", "content": blocks})
}

fn model(blocks: &[Value]) -> Value {
    json!({"role": "assistant", "content": blocks})
}

#[test]
fn speakers_alternate_and_the_user_is_the_first() {
    let (seen, dropped) = conversation(json!([
        model(&[text("a")]),
        user(&[text("b")]),
        user(&[text("c")]),
        model(&[text("")]),
        user(&[text(" \n")]),
        user(&[text("d")]),
    ]));
    let expected = json!([user(&[text(".")]), model(&[text("a")]), user(&[text("b"), text("c"), text("d")])]);
    assert_eq!(seen, expected);
    assert_eq!(dropped, Vec::<String>::new());
    let (seen, _) = conversation(json!([user(&[text(" ")])]));
    assert_eq!(seen, json!([user(&[text(".")])]));
}

#[test]
fn all_results_stand_first_and_in_the_order_of_the_calls() {
    let (seen, _) = conversation(json!([
        user(&[text("q")]),
        model(&[text("a")]),
        model(&[call("c1"), call("c2")]),
        user(&[result("c2", "two"), text("and")]),
        user(&[result("c1", "one"), result("c9", "nobody's")]),
    ]));
    let expected = json!([
        user(&[text("q")]),
        model(&[text("a"), call("c1"), call("c2")]),
        user(&[result("c1", "one"), result("c2", "two"), result("c9", "nobody's"), text("and")]),
    ]);
    assert_eq!(seen, expected);
}

#[test]
fn later_instructions_are_the_user_s_words_after_the_results() {
    let system = json!({"role": "system", "content": "now"});
    let (seen, dropped) = conversation(json!([
        user(&[text("q")]),
        model(&[call("c1")]),
        system,
        user(&[result("c1", "one")]),
        model(&[text("a")]),
        system,
    ]));
    let expected = json!([
        user(&[text("q")]),
        model(&[call("c1")]),
        user(&[result("c1", "one"), text("now")]),
        model(&[text("a")]),
        user(&[text("now")]),
    ]);
    assert_eq!(seen, expected);
    assert_eq!(dropped, Vec::<String>::new());
}

#[test]
fn ids_are_of_allowed_letters_and_come_once() {
    let (seen, _) = conversation(json!([
        user(&[text("q")]),
        model(&[call("f:0")]),
        user(&[result("f:0", "one")]),
        model(&[call("f:0"), call("f-1")]),
        user(&[result("f-1", "three"), result("f:0", "two")]),
    ]));
    let ids = |turn: usize, name: &str| -> Vec<Value> {
        let blocks = seen[turn]["content"].as_array().expect("a list");
        blocks.iter().map(|block| block[name].clone()).collect()
    };
    assert_eq!(ids(1, "id"), ["tg_Zjow"]);
    assert_eq!(ids(2, "tool_use_id"), ids(1, "id"));
    assert_eq!(ids(3, "id"), ["tg_Zjow_1", "f-1"]);
    assert_eq!(ids(4, "tool_use_id"), ids(3, "id"));
    assert_eq!(seen[4]["content"][0]["content"][0]["text"], "two");
}

#[test]
fn results_without_ids_answer_by_name_in_order() {
    let named = |name: &str| ContentBlock {
        at: String::new(),
        kind: BlockKind::CallResult { id: String::new(), name: Some(name.into()), content: Vec::new(), failed: None },
        extra: Vec::new(),
    };
    let called = |name: &str| ContentBlock {
        at: String::new(),
        kind: BlockKind::Call {
            id: String::new(),
            name: name.into(),
            arguments: String::new(),
            custom: false,
            signature: None,
        },
        extra: Vec::new(),
    };
    let turn = |role: MessageRole, blocks: Vec<ContentBlock>| ChatMessage {
        at: String::new(),
        role,
        blocks,
        extra: Vec::new(),
    };
    let mut ask = foreign(json!({}));
    ask.turns.push(turn(MessageRole::Model, vec![called("f"), called("g"), called("f")]));
    ask.turns.push(turn(MessageRole::User, vec![named("g"), named("f"), named("f")]));
    let (body, _) = sent(&ask).expect("carried");
    let ids = |turn: usize, name: &str| -> Vec<Value> {
        let blocks = body["messages"][turn]["content"].as_array().expect("a list");
        blocks.iter().map(|block| block[name].clone()).collect()
    };
    assert_eq!(ids(1, "id"), ["call_0", "call_1", "call_2"]);
    assert_eq!(ids(2, "tool_use_id"), ids(1, "id"));
}

#[test]
fn failures_have_their_flag_and_broken_arguments_their_marker() {
    let (seen, _) = conversation(json!([
        user(&[text("q")]),
        model(&[json!({"type": "tool_use", "id": "c", "name": "f", "input": {"unparsed_arguments": "{\"a\":"}})]),
        user(&[json!({"type": "tool_result", "tool_use_id": "c", "content": "", "is_error": true})]),
    ]));
    assert_eq!(seen[1]["content"][0]["input"], json!({"unparsed_arguments": "{\"a\":"}));
    assert_eq!(seen[2]["content"][0], json!({"type": "tool_result", "tool_use_id": "c", "is_error": true}));
}

#[test]
fn the_system_is_a_list_of_texts() {
    let (body, dropped) = sent(&foreign(json!({"system": [
        {"type": "text", "text": "a", "cache_control": {"type": "odd"}}, {"type": "text", "text": " "}, {"type": "text", "text": "b"},
    ]})))
    .expect("carried");
    assert_eq!(body["system"], json!([text("a"), text("b")]));
    assert_eq!(dropped, ["system[0].cache_control"]);
}

#[test]
fn thinking_goes_back_to_its_maker_and_leads_its_turn() {
    let own = ThinkingSignature::made_by("up", Format::Messages, None, "sig".into()).for_client(Format::Responses);
    let others =
        ThinkingSignature::made_by("other", Format::Messages, None, "sig".into()).for_client(Format::Responses);
    let thought = |signature: &str| json!({"type": "thinking", "thinking": "t", "signature": signature});
    let thinking = json!({"type": "enabled", "budget_tokens": 1024});
    let on = |blocks: Vec<Value>| {
        foreign(json!({
            "max_tokens": 4000, "thinking": thinking,
            "messages": [user(&[text("q")]), model(&blocks), user(&[result("c", "r")])],
        }))
    };
    for (blocks, seen, thinks, left) in [
        (vec![thought(&own), call("c")], vec![thought("sig"), call("c")], true, vec![]),
        (vec![thought(&others), call("c")], vec![call("c")], false, vec!["messages[1].content[0]", "thinking"]),
        (vec![thought("plain"), call("c")], vec![call("c")], false, vec!["messages[1].content[0]", "thinking"]),
        (vec![call("c")], vec![call("c")], false, vec!["thinking"]),
        (vec![text("a"), call("c")], vec![text("a"), call("c")], false, vec!["thinking"]),
        (vec![text("a"), thought(&own)], vec![text("a")], true, vec!["messages[1].content[1]"]),
    ] {
        let (body, dropped) = sent(&on(blocks)).expect("carried");
        assert_eq!(body["messages"][1]["content"], json!(seen));
        assert_eq!(body["thinking"], if thinks { thinking.clone() } else { Value::Null });
        assert_eq!(dropped, left);
    }
}

fn with_block(kind: BlockKind, role: MessageRole) -> ChatRequest {
    let mut ask = foreign(json!({}));
    let block = ContentBlock { at: "messages[1].content".into(), kind, extra: Vec::new() };
    ask.turns.push(ChatMessage { at: "messages[1]".into(), role, blocks: vec![block], extra: Vec::new() });
    ask
}

fn media(mime: Option<&str>, source: MediaSource) -> MediaContent {
    MediaContent { mime: mime.map(str::to_owned), source, name: None, detail: None }
}

#[test]
fn media_are_written_as_providers_take_them() {
    let data = |text: &str| MediaSource::Base64(text.into());
    for (kind, expected) in [
        (
            BlockKind::Image(media(Some("image/jpg"), data("/9j/"))),
            json!({"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "/9j/"}}),
        ),
        (
            BlockKind::Image(media(None, data("iVBORw0KGgo="))),
            json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}),
        ),
        (
            BlockKind::Image(media(Some("image/png"), MediaSource::Url("https://example.com/a.png".into()))),
            json!({"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}),
        ),
        (
            BlockKind::Document(MediaContent { name: Some("a.pdf".into()), ..media(None, data("JVBERi0x")) }),
            json!({"type": "document", "title": "a.pdf",
                   "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0x"}}),
        ),
        (
            BlockKind::Document(media(Some("text/csv; charset=utf-8"), data("YSxi"))),
            json!({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a,b"}}),
        ),
        (BlockKind::Refusal("no".into()), text("no")),
    ] {
        let (body, dropped) = sent(&with_block(kind, MessageRole::User)).expect("carried");
        assert_eq!(body["messages"][0]["content"][1], expected);
        assert_eq!(dropped, Vec::<String>::new());
    }
    let looked =
        MediaContent { detail: Some("high".into()), ..media(None, MediaSource::Url("https://example.com".into())) };
    let (_, dropped) = sent(&with_block(BlockKind::Image(looked), MessageRole::User)).expect("carried");
    assert_eq!(dropped, ["messages[1].content.detail"]);
}

#[test]
fn blocks_that_providers_do_not_take_are_refused_by_their_place() {
    let data = || MediaSource::Base64("AA==".into());
    let png = || media(Some("image/png"), data());
    let raw = || serde_json::from_str("{}").expect("JSON");
    let call = |name: &str, custom| BlockKind::Call {
        id: "c".into(),
        name: name.into(),
        arguments: "{}".into(),
        custom,
        signature: None,
    };
    for (kind, role) in [
        (BlockKind::Audio(media(Some("audio/wav"), data())), MessageRole::User),
        (BlockKind::Video(media(Some("video/mp4"), data())), MessageRole::User),
        (BlockKind::Image(media(Some("image/tiff"), data())), MessageRole::User),
        (BlockKind::Image(media(None, data())), MessageRole::User),
        (BlockKind::Image(media(None, MediaSource::FileId("file".into()))), MessageRole::User),
        (BlockKind::Image(png()), MessageRole::Model),
        (BlockKind::Document(media(Some("application/zip"), data())), MessageRole::User),
        (BlockKind::Document(media(Some("text/plain"), MediaSource::Base64("/w==".into()))), MessageRole::User),
        (BlockKind::Document(media(None, MediaSource::FileId("file".into()))), MessageRole::User),
        (BlockKind::Other { name: "odd".into(), raw: raw() }, MessageRole::User),
        (BlockKind::Compaction { id: None, closed: "x".into() }, MessageRole::User),
        (call("f", true), MessageRole::Model),
        (call("f.g", false), MessageRole::Model),
    ] {
        let refused = sent(&with_block(kind, role)).expect_err("refused");
        assert_eq!(refused.at, "messages[1].content");
    }
    let nested = ContentBlock { at: "deep".into(), kind: BlockKind::Audio(media(None, data())), extra: Vec::new() };
    let result = BlockKind::CallResult { id: "c".into(), name: None, content: vec![nested], failed: None };
    assert_eq!(sent(&with_block(result, MessageRole::User)).expect_err("refused").at, "deep");
    let mut ask = foreign(json!({}));
    ask.system.push(ContentBlock { at: "system[0]".into(), kind: BlockKind::Image(png()), extra: Vec::new() });
    assert_eq!(sent(&ask).expect_err("refused").at, "system[0]");
}
