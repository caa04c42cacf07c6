//! Requests to a provider of the client's own format: everything comes back.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{decode_request, encode_request};
use super::{ask, body, by_meaning, sent, target};
use crate::{ConversionTarget, Format, ThinkingSignature};

/// Everything that the format has, more than once where it may.
fn everything() -> Value {
    let members = r#"{
        "max_tokens": 5000, "stream": true, "temperature": 1.0, "top_p": 0.50, "top_k": 40,
        "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
        "stop_sequences": ["a", "\n"], "service_tier": "standard_only",
        "metadata": {"user_id": "u@example", "team": 7},
        "thinking": {"type": "enabled", "budget_tokens": 2000, "display": "summarized", "new": 1},
        "output_config": {"effort": "max", "format": {"type": "json_schema", "schema": {"b": 1, "a": 2}}, "new": {}},
        "tool_choice": {"type": "tool", "name": "f", "disable_parallel_tool_use": false, "new": []},
        "tools": [
            {"name": "f", "description": "d", "input_schema": {"z": 1, "type": "object"}, "strict": false,
             "cache_control": {"type": "ephemeral"}, "input_examples": [{}]},
            {"type": "custom", "name": "odd name", "input_schema": {}},
            {"type": "web_search_20260209", "name": "web_search", "max_uses": 3, "user_location": {"city": "c"}},
            {"type": "bash_20250124", "name": "bash"}
        ],
        "mcp_servers": [{"type": "url", "url": "https://example.com", "name": "m"}],
        "container": {"skills": []}, "context_management": {"edits": []}, "cache_control": {"type": "ephemeral"},
        "inference_geo": "eu", "speed": "fast", "diagnostics": {}, "entirely_new": [1, 2.50, "x"],
        "messages": [
            {"role": "assistant", "content": "first"},
            {"role": "user", "content": [
                {"type": "text", "text": "t", "citations": [], "cache_control": {"type": "ephemeral"}},
                {"type": "image", "source": {"type": "base64", "media_type": "image/odd", "data": "AA"}},
                {"type": "image", "source": {"type": "url", "url": "https://example.com/a", "new": 1}},
                {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
                {"type": "document", "title": "t", "context": "c", "citations": {"enabled": true},
                 "source": {"type": "text", "media_type": "text/plain", "data": "d"}},
                {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "x"}]}},
                {"type": "search_result", "source": "s", "title": "t", "content": []},
                {"type": "container_upload", "file_id": "f"}
            ], "new": true},
            {"role": "user", "content": "again"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "t", "signature": "s1"},
                {"type": "redacted_thinking", "data": "d1"},
                {"type": "compaction", "content": "so far", "cache_control": {"type": "ephemeral"}},
                {"type": "compaction", "content": "more"},
                {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {"q": 1}},
                {"type": "web_search_tool_result", "tool_use_id": "srv", "content": []},
                {"type": "tool_use", "id": "c1", "name": "f", "input": {"b": 1, "a": [2.0]}, "caller": {"type": "x"}}
            ]},
            {"role": "system", "content": "mid"},
            {"role": "user", "content": [
                {"type": "text", "text": "before"},
                {"type": "tool_result", "tool_use_id": "c1", "is_error": false, "cache_control": {"type": "ephemeral"},
                 "content": [{"type": "text", "text": "r"}, {"type": "search_result", "source": "s"}]},
                {"type": "tool_result", "tool_use_id": "c2", "content": "plain"},
                {"type": "tool_result", "tool_use_id": "c3"}
            ]}
        ]
    }"#;
    body(serde_json::from_str(members).expect("JSON"))
}

fn comes_back(body: &Value) {
    let ask = decode_request::read(body.to_string().as_bytes()).expect("readable");
    let (sent, dropped) = sent(&ask).expect("carried");
    let mut expected = by_meaning(body.clone());
    expected["model"] = json!("theirs");
    assert_eq!(by_meaning(sent), expected);
    assert_eq!(dropped, Vec::<String>::new());
}

#[test]
fn everything_comes_back() {
    comes_back(&everything());
    for thinking in [
        json!({"type": "disabled"}),
        json!({"type": "disabled", "new": 1}),
        json!({"type": "adaptive", "display": "loud"}),
        json!({"type": "between_tools", "budget_tokens": 1}),
        json!({"type": "enabled", "budget_tokens": 9_000_000}),
    ] {
        for config in [json!({}), json!({"effort": "low"}), json!({"effort": "minimal"}), json!({"effort": "new"})] {
            let mut body = body(json!({"thinking": thinking}));
            if config != json!({}) {
                body["output_config"] = config;
            }
            comes_back(&body);
        }
    }
    for members in [
        json!({"output_config": {"format": {"type": "grammar", "rule": "x"}}}),
        json!({"output_config": {"format": {"type": "json_schema", "schema": {}, "name": "n"}}}),
        json!({"output_config": {"effort": "low"}}),
        json!({"tool_choice": {"type": "new", "disable_parallel_tool_use": true}}),
        json!({"tool_choice": {"type": "none"}}),
        json!({"stop_sequences": []}),
        json!({"metadata": {"team": 1}}),
    ] {
        comes_back(&body(members));
    }
}

#[test]
fn numbers_and_schemas_keep_their_spelling() {
    let text = r#"{"model":"ours","max_tokens":10,"temperature":0.10,"top_k":1e2,"x":12345678901234567890123,
        "messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"b":1.0,"a":1e400}}]}],
        "tools":[{"name":"f","input_schema":{"z":1.50, "a":"é"}}]}"#;
    let ask = decode_request::read(text.as_bytes()).expect("readable");
    let sent = encode_request::write(&ask, &target()).expect("carried").body;
    let sent = String::from_utf8(sent.to_vec()).expect("text");
    for kept in [
        r#""temperature":0.10"#,
        r#""top_k":1e2"#,
        r#""x":12345678901234567890123"#,
        r#"{"b":1.0,"a":1e400}"#,
        r#"{"z":1.50, "a":"é"}"#,
    ] {
        assert!(sent.contains(kept), "{kept} in {sent}");
    }
}

#[test]
fn a_bought_bound_caps_and_takes_the_budget_along() {
    let members = json!({"max_tokens": 5000, "thinking": {"type": "enabled", "budget_tokens": 4000}});
    for (bought, max_tokens, thinking, dropped) in [
        (9000, 5000, json!({"type": "enabled", "budget_tokens": 4000}), vec![]),
        (4500, 4500, json!({"type": "enabled", "budget_tokens": 4000}), vec![]),
        (2000, 2000, json!({"type": "enabled", "budget_tokens": 1999}), vec!["thinking"]),
        (1000, 1000, Value::Null, vec!["thinking"]),
    ] {
        let target = ConversionTarget { output_bought: Some(bought), ..target() };
        let encoded = encode_request::write(&ask(members.clone()), &target).expect("carried");
        let sent: Value = serde_json::from_slice(&encoded.body).expect("JSON");
        assert_eq!((&sent["max_tokens"], &sent["thinking"]), (&json!(max_tokens), &thinking));
        assert_eq!(encoded.dropped, dropped);
    }
}

#[test]
fn what_another_provider_signed_stays_behind() {
    let signed = |upstream: &str, format: Format| {
        ThinkingSignature::made_by(upstream, format, Some("item".into()), "sig".into()).for_client(Format::Messages)
    };
    let members = |signature: String| {
        json!({
            "thinking": {"type": "enabled", "budget_tokens": 1024},
            "messages": [
                {"role": "user", "content": "q"},
                {"role": "assistant", "content": [
                    {"type": "thinking", "thinking": "t", "signature": signature},
                    {"type": "tool_use", "id": "c", "name": "f", "input": {}},
                ]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]},
            ],
        })
    };
    let (body, dropped) = sent(&ask(members(signed("other", Format::Generate)))).expect("carried");
    assert_eq!(body["messages"][1]["content"][0]["type"], "tool_use");
    assert_eq!(body["thinking"], Value::Null);
    assert_eq!(dropped, ["messages[1].content[0]", "thinking"]);
    let (body, dropped) = sent(&ask(members(signed("up", Format::Messages)))).expect("carried");
    assert_eq!(body["messages"][1]["content"][0]["signature"], "sig");
    assert_eq!(dropped, Vec::<String>::new());
}

#[test]
fn ways_to_think_without_a_name_go_too_where_thinking_is_impossible() {
    let signed = ThinkingSignature::made_by("other", Format::Generate, Some("item".into()), "sig".into());
    let (body, dropped) = sent(&ask(json!({
        "thinking": {"type": "between_tools"},
        "messages": [{"role": "assistant", "content": [
            {"type": "redacted_thinking", "data": signed.for_client(Format::Messages)},
            {"type": "tool_use", "id": "c", "name": "f", "input": {}},
        ]}],
    })))
    .expect("carried");
    assert_eq!(body["thinking"], Value::Null);
    assert_eq!(dropped, ["messages[0].content[0]", "thinking"]);
}

#[test]
fn thinking_that_the_client_left_out_is_the_client_s_affair() {
    comes_back(&body(json!({
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
        ],
    })));
}

/// Members, present or not, of many spellings.
fn members() -> impl Strategy<Value = Value> {
    let everything = everything();
    let names: Vec<String> = everything.as_object().expect("an object").keys().cloned().collect();
    let optional: Vec<String> =
        names.into_iter().filter(|name| !matches!(name.as_str(), "model" | "max_tokens" | "messages")).collect();
    let all_turns = everything["messages"].as_array().expect("a list").clone();
    let turns = proptest::collection::vec(proptest::sample::select(all_turns), 1..5);
    let taken = proptest::sample::subsequence(optional.clone(), 0..=optional.len());
    let extra = ("[a-z]{12}", proptest::option::of("[ -~]{0,8}"));
    (turns, taken, extra, 1..9000u64).prop_map(move |(turns, taken, (name, text), max_tokens)| {
        let mut body = json!({"model": "ours", "max_tokens": max_tokens, "messages": turns});
        for name in taken {
            body[&name] = everything[&name].clone();
        }
        body[name] = json!(text);
        body
    })
}

proptest! {
    #[test]
    fn whatever_is_asked_comes_back(body in members()) {
        comes_back(&body);
    }
}
