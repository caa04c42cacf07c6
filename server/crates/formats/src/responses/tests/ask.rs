//! Requests to a provider of the same format lose nothing.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{ask, sent};
use crate::{BlockKind, MediaSource, MessageRole};

/// The request comes out as it went in, but for the model's name there, and that nothing is kept.
fn comes_back(request: &Value) {
    let (mut sent, dropped) = sent(&ask(request));
    assert_eq!(dropped, Vec::<String>::new());
    let mut expected = request.clone();
    expected["model"] = json!("theirs");
    expected["store"] = json!(false);
    if let Value::String(text) = &expected["input"] {
        expected["input"] = json!([{"type": "message", "role": "user", "content": text}]);
    }
    in_parts(&mut expected["input"]);
    in_parts(&mut sent["input"]);
    if sent["include"] == json!(["reasoning.encrypted_content"]) && expected["include"].is_null() {
        sent.as_object_mut().expect("an object").remove("include");
    }
    assert_eq!(sent, expected, "\nsent {sent:#}\nexpected {expected:#}");
}

/// A text is short for one part.
fn in_parts(input: &mut Value) {
    for item in input.as_array_mut().expect("items") {
        if let Some(text) = item["content"].as_str() {
            item["content"] = json!([{"type": "input_text", "text": text}]);
        }
    }
}

fn item_comes_back(item: &Value) {
    comes_back(&json!({"model": "m", "input": [{"type": "message", "role": "user", "content": "x"}, item]}));
}

#[test]
fn settings() {
    comes_back(&json!({
        "model": "m", "input": "x", "instructions": "be brief", "stream": true, "max_output_tokens": 20,
        "temperature": 0.10, "top_p": 1, "top_logprobs": 3, "parallel_tool_calls": false, "metadata": {"a": "b"},
        "include": ["web_search_call.action.sources", "message.output_text.logprobs"], "max_tool_calls": 3,
        "truncation": "auto", "context_management": [{"type": "compaction", "compact_threshold": 1000}],
        "safety_identifier": "s", "user": "u", "prompt_cache_key": "k", "prompt_cache_options": {"mode": "implicit"},
        "service_tier": "flex", "stream_options": {"include_obfuscation": false}, "future": {"big": 12_345_678_901_234_567_890_u64},
    }));
    comes_back(&json!({"model": "m", "input": "x", "user": "u"}));
}

#[test]
fn numbers_keep_their_spelling() {
    let encoded = super::super::read(br#"{"model":"m","input":"x","temperature":0.700,"top_p":1.0,"future":1e3}"#)
        .map(|ask| super::super::write(&ask, &super::target()).expect("carried").body);
    let text = String::from_utf8(encoded.expect("readable").into()).expect("text");
    for spelling in [r#""temperature":0.700"#, r#""top_p":1.0"#, r#""future":1e3"#] {
        assert!(text.contains(spelling), "{text}");
    }
}

#[test]
fn shapes_and_reasoning() {
    for text in [
        json!({"format": {"type": "text"}, "verbosity": "low"}),
        json!({"format": {"type": "json_object"}}),
        json!({"format": {"type": "json_schema", "name": "n", "description": "d", "schema": {"b": 1, "a": [2.0]},
               "strict": true, "future": 1}, "also": 2}),
        json!({"format": {"type": "grammar", "syntax": "x"}}),
    ] {
        comes_back(&json!({"model": "m", "input": "x", "text": text}));
    }
    for reasoning in [
        json!({"effort": "high", "summary": "detailed", "context": "all"}),
        json!({"effort": "enormous"}),
        json!({"generate_summary": "auto"}),
    ] {
        comes_back(&json!({"model": "m", "input": "x", "reasoning": reasoning}));
    }
}

#[test]
fn tools_and_choices() {
    let tools = json!([
        {"type": "function", "name": "f.x", "description": "d", "parameters": {"type": "object", "n": 1.50}, "strict": false},
        {"type": "function", "name": "g", "parameters": null, "defer_loading": true},
        {"type": "custom", "name": "c", "format": {"type": "grammar", "syntax": "lark", "definition": "start: x"}},
        {"type": "web_search_preview_2025_03_11", "search_context_size": "low"},
        {"type": "mcp", "server_label": "s"},
    ]);
    for choice in [
        json!("auto"),
        json!("none"),
        json!("required"),
        json!({"type": "function", "name": "g"}),
        json!({"type": "custom", "name": "c"}),
        json!({"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "g"}, {"type": "custom", "name": "c"}]}),
        json!({"type": "allowed_tools", "mode": "auto", "tools": [{"type": "mcp", "server_label": "s"}]}),
        json!({"type": "mcp", "server_label": "s"}),
    ] {
        comes_back(&json!({"model": "m", "input": "x", "tools": tools, "tool_choice": choice}));
    }
}

#[test]
fn messages_in_three_spellings() {
    let request = json!({"model": "m", "input": [
        {"role": "user", "content": "one"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "two"}]},
        {"type": "message", "role": "assistant", "id": "msg_1", "status": "completed", "phase": "final_answer",
         "content": [{"type": "output_text", "text": "three", "annotations": [{"type": "url_citation", "url": "u"}]}]},
    ]});
    let ask = ask(&request);
    let said: Vec<_> = ask.turns.iter().map(|turn| (turn.role, turn.blocks.len(), turn.at.as_str())).collect();
    assert_eq!(
        said,
        [(MessageRole::User, 1, "input[0]"), (MessageRole::User, 1, "input[1]"), (MessageRole::Model, 1, "input[2]")]
    );
    assert_eq!(ask.turns[1].blocks[0].at, "input[1].content[0]");
    let (sent, _) = sent(&ask);
    assert_eq!(sent["input"][0], json!({"type": "message", "role": "user", "content": "one"}));
    assert_eq!(sent["input"][1], json!({"type": "message", "role": "user", "content": "two"}));
    assert_eq!(sent["input"][2], request["input"][2]);
}

/// One of each kind, in the spelling that is written.
fn samples() -> Vec<Value> {
    vec![
        json!({"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "a", "prompt_cache_breakpoint": {}},
            {"type": "input_image", "image_url": "https://x/y.png", "detail": "low"},
            {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="},
            {"type": "input_image", "file_id": "file_1", "detail": "original"},
            {"type": "input_file", "file_data": "data:application/pdf;base64,JVBERi0=", "filename": "a.pdf"},
            {"type": "input_file", "file_url": "https://x/a.pdf"},
            {"type": "input_file", "file_id": "file_2"},
            {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
            {"type": "input_audio", "input_audio": {"data": "SUQz", "format": "mp3"}},
            {"type": "input_hologram", "data": {"x": 1}},
        ]}),
        json!({"type": "message", "role": "developer", "content": "later instructions"}),
        json!({"type": "message", "role": "system", "id": "msg_9", "content": [{"type": "input_text", "text": "a"}]}),
        json!({"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}),
        json!({"type": "message", "role": "user", "content": []}),
        json!({"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{\"a\": 1.0", "id": "fc_1", "status": "completed"}),
        json!({"type": "function_call", "call_id": "call_1", "name": "f", "arguments": ""}),
        json!({"type": "custom_tool_call", "call_id": "call_2", "name": "c", "input": "free text"}),
        json!({"type": "function_call_output", "call_id": "call_1", "output": "text", "id": "fc_2"}),
        json!({"type": "function_call_output", "call_id": "call_1", "output": [
            {"type": "input_image", "image_url": "https://x/y.png"}, {"type": "input_text", "text": "t"}]}),
        json!({"type": "custom_tool_call_output", "call_id": "call_2", "output": "text"}),
        json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "s"}], "encrypted_content": "gAAA"}),
        json!({"type": "reasoning", "id": "rs_2", "summary": [], "content": [{"type": "reasoning_text", "text": "raw"}]}),
        json!({"type": "compaction", "id": "cmp_1", "encrypted_content": "zzz"}),
        json!({"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": "iVBORw0KGgo=", "size": "1x1"}),
        json!({"type": "image_generation_call", "id": "ig_1", "status": "failed", "result": null}),
        json!({"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}}),
        json!({"type": "item_reference", "id": "msg_1"}),
        json!({"id": "msg_1"}),
        json!({"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot", "image_url": "u"}}),
        json!({"type": "hologram", "x": [1, 2.50]}),
    ]
}

#[test]
fn items() {
    for item in samples() {
        item_comes_back(&item);
    }
}

#[test]
fn instructions_before_the_conversation_are_lifted_and_come_back() {
    let request = json!({"model": "m", "instructions": "first", "input": [
        {"type": "message", "role": "developer", "id": "msg_1", "content": [
            {"type": "input_text", "text": "second"}, {"type": "input_text", "text": "third", "new": 1}]},
        {"type": "message", "role": "system", "content": [{"type": "input_text", "text": "fourth"}]},
        {"type": "message", "role": "user", "content": "x"},
        {"type": "message", "role": "developer", "content": "later"},
    ]});
    let ask = ask(&request);
    let system: Vec<_> = ask.system.iter().map(|block| block.at.as_str()).collect();
    assert_eq!(system, ["instructions", "input[0].content[0]", "input[0].content[1]", "input[1].content[0]"]);
    assert_eq!(ask.turns.len(), 2);
    comes_back(&request);
    let only = json!({"model": "m", "input": [{"type": "message", "role": "developer", "content": "x"}]});
    assert_eq!(super::ask(&only).turns.len(), 1, "a request has a turn");
    comes_back(&only);
}

#[test]
fn media_are_in_standard_base64() {
    let image = |address: &str| {
        let content = json!([{"type": "input_image", "image_url": address}]);
        let ask = ask(&json!({"model": "m", "input": [{"role": "user", "content": content}]}));
        let BlockKind::Image(picture) = ask.turns[0].blocks[0].kind.clone() else { panic!("a picture") };
        (picture.mime, picture.source)
    };
    let bytes = MediaSource::Base64("ab+/".into());
    assert_eq!(image("data:image/png;base64,ab-_"), (Some("image/png".into()), bytes.clone()));
    assert_eq!(image("DATA:image/png;x=y;base64,ab+/"), (Some("image/png".into()), bytes.clone()));
    assert_eq!(image("data:;base64,ab+/"), (None, bytes));
}

#[test]
fn a_bare_file_gets_its_kind_from_its_name() {
    let content = json!([{"type": "input_file", "file_data": "aGk=", "filename": "a.CSV"}]);
    let (sent, _) = sent(&ask(&json!({"model": "m", "input": [{"role": "user", "content": content}]})));
    assert_eq!(sent["input"][0]["content"][0]["file_data"], "data:text/csv;base64,aGk=");
}

#[test]
fn closed_thinking_is_asked_for_where_the_model_thinks() {
    let include = |mut request: Value| {
        request["model"] = json!("m");
        sent(&ask(&request)).0["include"].clone()
    };
    let closed = json!(["reasoning.encrypted_content"]);
    assert_eq!(include(json!({"input": "x"})), Value::Null, "models that do not think answer it with an error");
    assert_eq!(include(json!({"input": "x", "reasoning": {"effort": "none"}})), Value::Null);
    assert_eq!(include(json!({"input": "x", "reasoning": {"effort": "low"}})), closed);
    assert_eq!(include(json!({"input": "x", "include": closed})), closed);
    let thought =
        json!([{"type": "reasoning", "summary": [], "encrypted_content": "e"}, {"role": "user", "content": "x"}]);
    assert_eq!(include(json!({"input": thought})), closed);
    let both = json!(["file_search_call.results", "reasoning.encrypted_content"]);
    assert_eq!(include(json!({"input": thought, "include": ["file_search_call.results"]})), both);
}

#[test]
fn thinking_goes_to_its_maker_only() {
    use crate::{Format, ThinkingSignature};
    let with = |signature: &ThinkingSignature, id: &str| {
        let closed = signature.for_client(Format::Responses);
        sent(&ask(&json!({"model": "m", "input": [
            {"type": "reasoning", "id": id, "summary": [], "encrypted_content": closed},
            {"type": "function_call", "call_id": signature.append_to_id("call_1"), "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": signature.append_to_id("call_1"), "output": "x"},
        ]})))
    };
    let made =
        |upstream, format| ThinkingSignature::made_by(upstream, format, Some("rs_theirs".into()), "closed".into());
    let (own, dropped) = with(&made("up", Format::Responses), "rs_ours");
    let thought = json!({"type": "reasoning", "id": "rs_theirs", "summary": [], "encrypted_content": "closed"});
    assert_eq!((own["input"][0].clone(), dropped), (thought, vec![]));
    assert_eq!(own["input"][1]["call_id"], "call_1");
    assert_eq!(own["input"][2]["call_id"], "call_1");
    for other in [made("other", Format::Responses), made("up", Format::Messages)] {
        let (sent, dropped) = with(&other, "rs_ours");
        assert_eq!(sent["input"][0]["type"], "function_call");
        assert_eq!(dropped, ["input[0]"]);
    }
    // A provider that keeps nothing finds nothing by an id.
    let (sent, dropped) = sent(&ask(&json!({"model": "m", "input": [
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "s"}]}, {"role": "user", "content": "x"},
    ]})));
    assert_eq!((sent["input"].as_array().map(Vec::len), dropped), (Some(1), vec!["input[0]".to_owned()]));
}

proptest! {
    #[test]
    fn any_conversation_comes_back(chosen in prop::collection::vec((any::<prop::sample::Index>(), any::<Option<i64>>()), 1..8)) {
        let samples = samples();
        let input: Vec<Value> = chosen
            .into_iter()
            .map(|(index, unknown)| {
                let mut item = index.get(&samples).clone();
                if let (Some(unknown), false) = (unknown, item["content"].is_string()) {
                    item["unknown"] = json!({"n": unknown});
                }
                item
            })
            .collect();
        comes_back(&json!({"model": "m", "input": input}));
    }
}
