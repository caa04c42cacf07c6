//! Requests of clients of this format, for an upstream of this format: nothing is lost.

use serde_json::{Value, json};

use super::super::encode_request;
use super::{foreign, read, target, written};
use crate::{Format, LocatedValue, ThinkingSignature};

/// A request with every member that the format has, and some that it has not.
fn everything() -> Value {
    json!({
        "model": "there", "stream": true, "stream_options": {"include_usage": true, "include_obfuscation": false},
        "messages": [
            {"role": "system", "content": "a", "name": "n"},
            {"role": "developer", "content": [{"type": "text", "text": "b", "prompt_cache_breakpoint": {"mode": "explicit"}}]},
            {"role": "user", "name": "u", "content": [
                {"type": "text", "text": " x\n"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "high", "x": 1}, "y": 2},
                {"type": "image_url", "image_url": {"url": "https://h/p.png"}},
                {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "flac"}},
                {"type": "file", "file": {"file_data": "data:application/pdf;base64,AAAA", "filename": "f.pdf"}},
                {"type": "file", "file": {"file_id": "file-1"}},
                {"type": "file", "file": {"file_data": "AAAA"}},
                {"type": "video_url", "video_url": {"url": "https://h/v.mp4"}},
            ]},
            {"role": "assistant", "content": [{"type": "text", "text": "t"}, {"type": "refusal", "refusal": "r"}],
                "refusal": "s", "audio": {"id": "audio_1"}, "name": "m", "reasoning_content": "hm", "annotations": [],
                "tool_calls": [
                    {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1.0}", "x": 1}, "index": 0,
                     "extra_content": {"google": {"thought_signature": "sig", "x": 1}, "y": 1}},
                    {"id": "2", "type": "custom", "custom": {"name": "c", "input": "free"}},
                    {"id": "3", "type": "other", "other": {"a": 1}},
                ]},
            {"role": "tool", "tool_call_id": "1", "content": "y", "name": "f", "x": 1},
            {"role": "tool", "tool_call_id": "2", "content": [{"type": "text", "text": "z"}]},
            {"role": "developer", "content": "later", "name": "d"},
            {"role": "assistant", "content": "w", "reasoning": "hm", "reasoning_details": [
                {"type": "reasoning.text", "text": "hm", "signature": "sig", "id": "i", "format": "f", "index": 0},
                {"type": "reasoning.summary", "summary": "s", "index": 1},
                {"type": "reasoning.encrypted", "data": "d", "id": "j"},
                {"type": "reasoning.else", "x": 1},
            ]},
            {"role": "user", "content": "x"},
        ],
        "max_completion_tokens": 5, "temperature": 1.0, "top_p": 0.5, "top_k": 3, "n": 2, "stop": ["a", "b"],
        "presence_penalty": 0.1, "frequency_penalty": -0.1, "logit_bias": {"50256": -100}, "logprobs": true,
        "top_logprobs": 2, "seed": 12, "user": "u", "safety_identifier": "i", "prompt_cache_key": "k",
        "prompt_cache_options": {"mode": "auto"}, "metadata": {"a": "b"}, "store": true, "service_tier": "flex",
        "reasoning_effort": "high", "verbosity": "low", "prediction": {"type": "content", "content": "x"},
        "tools": [
            {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object", "z": 1, "a": 2},
                "strict": true, "x": 1}, "y": 2},
            {"type": "custom", "custom": {"name": "c", "format": {"type": "text"}}},
            {"type": "hosted", "hosted": {}},
        ],
        "tool_choice": {"type": "custom", "custom": {"name": "c"}}, "parallel_tool_calls": false,
        "response_format": {"type": "json_schema", "json_schema":
            {"name": "n", "description": "d", "schema": {"type": "object"}, "strict": true, "x": 1}, "y": 1},
        "web_search_options": {"search_context_size": "low"}, "moderation": {"x": 1}, "unknown": null,
    })
}

#[test]
fn everything_comes_back() {
    let (body, dropped) = written(&read(&everything()));
    assert_eq!(body, everything());
    assert_eq!(dropped, Vec::<String>::new());
    assert_eq!(written(&read(&body)).0, body);
}

#[test]
fn each_member_comes_back_alone() {
    for (name, value) in everything().as_object().expect("an object") {
        let mut body = json!({"model": "there", "messages": [{"role": "user", "content": "x"}]});
        body[name] = value.clone();
        if name == "stream_options" {
            body["stream"] = true.into();
        }
        if name == "tool_choice" {
            body["tools"] = everything()["tools"].clone();
        }
        if name == "stream" {
            body["stream_options"] = json!({"include_usage": true});
        }
        assert_eq!(written(&read(&body)).0, body, "{name}");
    }
}

#[test]
fn choices_and_shapes_come_back() {
    let function = json!({"type": "function", "function": {"name": "f"}});
    for change in [
        json!({"tool_choice": "auto"}),
        json!({"tool_choice": "none"}),
        json!({"tool_choice": "required"}),
        json!({"tool_choice": "sometimes"}),
        json!({"tool_choice": function}),
        json!({"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [function]}}}),
        json!({"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "mcp"}]}}}),
        json!({"tool_choice": {"type": "mcp", "server": "s"}}),
        json!({"response_format": {"type": "text"}}),
        json!({"response_format": {"type": "json_object"}}),
        json!({"response_format": {"type": "grammar", "grammar": "g"}}),
        json!({"modalities": ["text"]}),
        json!({"modalities": ["text", "audio"], "audio": {"voice": "v"}, "response_format": {"type": "text"}}),
        json!({"reasoning_effort": "ludicrous"}),
    ] {
        let mut body = json!({"model": "there", "messages": [{"role": "user", "content": "x"}], "tools": [function]});
        body.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
        assert_eq!(written(&read(&body)).0, body);
    }
}

#[test]
fn numbers_and_schemas_keep_their_spelling() {
    let body =
        br#"{"model":"m","messages":[{"role":"user","content":"x"}],"temperature":1.0,"seed":12345678901234567890123,
        "x":1e2,"tools":[{"type":"function","function":{"name":"f","parameters":{"z":1.0,"a":1e400}}}]}"#;
    let ask = super::super::decode_request::read(body).expect("a request");
    let written = encode_request::write(&ask, &target()).expect("carried").body;
    let written = String::from_utf8(written.to_vec()).expect("text");
    for spelling in ["1.0,", "12345678901234567890123", "1e2", r#"{"z":1.0,"a":1e400}"#] {
        assert!(written.contains(spelling), "{spelling} in {written}");
    }
}

#[test]
fn the_bound_is_the_lower_one_by_the_upstream_s_name() {
    for (asked, bought, older, expected) in [
        (None, None, false, json!({})),
        (Some(5), None, false, json!({"max_completion_tokens": 5})),
        (Some(5), None, true, json!({"max_tokens": 5})),
        (Some(5), Some(3), false, json!({"max_completion_tokens": 3})),
        (Some(5), Some(9), false, json!({"max_completion_tokens": 5})),
        (None, Some(9), true, json!({"max_tokens": 9})),
    ] {
        let mut body = json!({"model": "m", "messages": [{"role": "user", "content": "x"}]});
        if let Some(asked) = asked {
            body["max_tokens"] = asked.into();
        }
        let target = super::ConversionTarget { output_bought: bought, older_bound_name: older, ..target() };
        let encoded = encode_request::write(&read(&body), &target).expect("carried");
        let mut written: Value = serde_json::from_slice(&encoded.body).expect("JSON");
        for name in ["model", "messages"] {
            written.as_object_mut().expect("an object").remove(name);
        }
        assert_eq!(written, expected);
    }
}

#[test]
fn a_signature_of_another_maker_stays_here() {
    let other = ThinkingSignature::made_by("else", Format::Chat, None, "secret".into());
    let own = ThinkingSignature::made_by("up", Format::Chat, None, "own".into());
    let element = |signature: &ThinkingSignature| json!({"id": signature.append_to_id("c"), "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let detail = |signature: &ThinkingSignature| json!({"type": "reasoning.text", "text": "t", "signature": signature.for_client(Format::Messages)});
    let body = json!({"model": "there", "messages": [{"role": "assistant", "content": null,
        "tool_calls": [element(&other), element(&own)], "reasoning_details": [detail(&other), detail(&own)]}]});
    let (body, dropped) = written(&read(&body));
    let plain = json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let mut signed = plain.clone();
    signed["extra_content"] = json!({"google": {"thought_signature": "own"}});
    let calls = json!([plain, signed]);
    assert_eq!(body["messages"][0]["tool_calls"], calls);
    let details = json!([{"type": "reasoning.text", "text": "t", "signature": "own"}]);
    assert_eq!(body["messages"][0]["reasoning_details"], details);
    assert_eq!(dropped, ["messages[0].reasoning_details[0]"]);
}

#[test]
fn a_thought_without_words_of_another_maker_leaves_no_trace() {
    let signature = ThinkingSignature::made_by("else", Format::Responses, Some("rs_1".into()), "r".into());
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let message = |id: &str| json!([{"role": "assistant", "content": null, "tool_calls": [call(id)]}]);
    let (body, dropped) = written(&read(&json!({"model": "there", "messages": message(&signature.append_to_id("c"))})));
    assert_eq!(body["messages"], message("c"));
    assert_eq!(dropped, ["messages[0].tool_calls[0].id"]);
}

#[test]
fn ids_longer_than_a_provider_takes_pass_within_the_format_alone() {
    let long = "x".repeat(65);
    let messages = json!([{"role": "user", "content": "x"}]);
    let body = json!({"model": "there", "messages": messages, "safety_identifier": long, "prompt_cache_key": long});
    assert_eq!(written(&read(&body)), (body, Vec::new()));

    let at = |at: &str, value: &str| Some(LocatedValue { at: at.to_owned(), value: value.to_owned() });
    let mut ask = foreign(Format::Messages, Vec::new());
    for (length, kept) in [(64, true), (65, false)] {
        // Letters count, not bytes.
        let id = "é".repeat(length);
        (ask.user, ask.cache_key) = (at("metadata.user_id", &id), at("prompt_cache_key", &id));
        let (body, dropped) = written(&ask);
        assert_eq!([&body["user"], &body["prompt_cache_key"]].map(|sent| *sent == json!(id)), [kept; 2]);
        let told: &[&str] = if kept { &[] } else { &["prompt_cache_key", "metadata.user_id"] };
        assert_eq!(dropped, told);
    }
}
