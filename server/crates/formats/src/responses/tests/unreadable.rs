//! Wrong requests: the place is told in the client's words.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{ResponsesStreamDecoder, expand, items, read, read_reply, write};
use crate::{Format, StreamDecoder};

fn at(body: &Value) -> String {
    read(body.to_string().as_bytes()).expect_err("it is wrong").at
}

#[test]
fn settings_of_the_wrong_type() {
    for (name, value) in [
        ("model", json!(1)),
        ("stream", json!("yes")),
        ("instructions", json!(["a"])),
        ("input", json!(1)),
        ("input", json!([])),
        ("input", json!("")),
        ("tools", json!({})),
        ("tool_choice", json!("any")),
        ("tool_choice", json!(1)),
        ("parallel_tool_calls", json!("no")),
        ("max_output_tokens", json!(-1)),
        ("max_output_tokens", json!(1.5)),
        ("temperature", json!("hot")),
        ("top_p", json!([])),
        ("top_logprobs", json!(true)),
        ("text", json!("short")),
        ("reasoning", json!("high")),
        ("include", json!("all")),
        ("safety_identifier", json!(1)),
        ("user", json!(1)),
        ("service_tier", json!(1)),
        ("prompt_cache_key", json!({})),
        ("metadata", json!([])),
        ("store", json!("no")),
        ("previous_response_id", json!("resp_1")),
        ("conversation", json!({"id": "conv_1"})),
        ("prompt", json!({"id": "pmpt_1"})),
        ("background", json!(true)),
        ("background", json!("no")),
    ] {
        let mut body = json!({"model": "m", "input": "x"});
        body[name] = value;
        assert_eq!(at(&body), name, "{body}");
    }
    assert_eq!(at(&json!({"input": "x"})), "model");
    assert_eq!(at(&json!({"model": "m"})), "input");
    assert_eq!(at(&json!([])), "body");
    assert_eq!(read(b"{").expect_err("no JSON").at, "body");
}

#[test]
fn places_below() {
    for (place, body) in [
        ("tools[0].type", json!({"tools": [{}]})),
        ("tools[1].name", json!({"tools": [{"type": "mcp"}, {"type": "function"}]})),
        ("tools[0].parameters", json!({"tools": [{"type": "function", "name": "f", "parameters": []}]})),
        ("tools[0].strict", json!({"tools": [{"type": "function", "name": "f", "strict": 1}]})),
        ("tools[0].name", json!({"tools": [{"type": "custom"}]})),
        ("tool_choice.name", json!({"tool_choice": {"type": "function"}})),
        (
            "tool_choice.tools[0].name",
            json!({"tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function"}]}}),
        ),
        ("tool_choice.type", json!({"tool_choice": {}})),
        ("text.format.type", json!({"text": {"format": {}}})),
        ("text.format.schema", json!({"text": {"format": {"type": "json_schema", "name": "n"}}})),
        ("text.format.schema", json!({"text": {"format": {"type": "json_schema", "name": "n", "schema": "s"}}})),
        ("text.format.name", json!({"text": {"format": {"type": "json_schema", "schema": {}}}})),
        ("text.verbosity", json!({"text": {"verbosity": 1}})),
        ("reasoning.effort", json!({"reasoning": {"effort": 3}})),
        ("include[0]", json!({"include": [1]})),
        ("input[0]", json!({"input": ["x"]})),
        ("input[0].type", json!({"input": [{}]})),
        ("input[0].type", json!({"input": [{"type": 1}]})),
        ("input[0].role", json!({"input": [{"role": "tool", "content": "x"}]})),
        ("input[0].role", json!({"input": [{"type": "message", "content": "x"}]})),
        ("input[0].content", json!({"input": [{"role": "user"}]})),
        ("input[0].content", json!({"input": [{"role": "user", "content": 1}]})),
        ("input[0].content[0]", json!({"input": [{"role": "user", "content": ["x"]}]})),
        ("input[0].content[0].type", json!({"input": [{"role": "user", "content": [{"text": "x"}]}]})),
        ("input[0].content[0].text", json!({"input": [{"role": "user", "content": [{"type": "input_text"}]}]})),
        (
            "input[0].content[0].refusal",
            json!({"input": [{"role": "assistant", "content": [{"type": "refusal", "refusal": 1}]}]}),
        ),
        ("input[0].content[0].image_url", json!({"input": [{"role": "user", "content": [{"type": "input_image"}]}]})),
        (
            "input[0].content[0].image_url",
            json!({"input": [{"role": "user", "content": [{"type": "input_image", "image_url": {"url": "x"}}]}]}),
        ),
        (
            "input[0].content[0].image_url",
            json!({"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png,x"}]}]}),
        ),
        ("input[0].content[0].file_data", json!({"input": [{"role": "user", "content": [{"type": "input_file"}]}]})),
        (
            "input[0].content[0].input_audio.format",
            json!({"input": [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "x"}}]}]}),
        ),
        ("input[0].call_id", json!({"input": [{"type": "function_call", "name": "f", "arguments": ""}]})),
        (
            "input[0].arguments",
            json!({"input": [{"type": "function_call", "name": "f", "call_id": "c", "arguments": {}}]}),
        ),
        ("input[0].input", json!({"input": [{"type": "custom_tool_call", "name": "f", "call_id": "c"}]})),
        ("input[0].output", json!({"input": [{"type": "function_call_output", "call_id": "c"}]})),
        (
            "input[0].output[0].type",
            json!({"input": [{"type": "function_call_output", "call_id": "c", "output": [{}]}]}),
        ),
        ("input[0].summary[0].text", json!({"input": [{"type": "reasoning", "summary": [{}]}]})),
        ("input[0].encrypted_content", json!({"input": [{"type": "reasoning", "encrypted_content": 1}]})),
        ("input[0].encrypted_content", json!({"input": [{"type": "compaction"}]})),
        ("input[0].result", json!({"input": [{"type": "image_generation_call", "result": 1}]})),
    ] {
        let mut whole = json!({"model": "m", "input": "x"});
        whole.as_object_mut().expect("an object").extend(body.as_object().expect("an object").clone());
        assert_eq!(at(&whole), place, "{whole}");
    }
}

const WORDS: [&str; 66] = [
    "type",
    "role",
    "content",
    "text",
    "output",
    "id",
    "call_id",
    "name",
    "arguments",
    "input",
    "summary",
    "item",
    "encrypted_content",
    "message",
    "user",
    "assistant",
    "developer",
    "input_text",
    "output_text",
    "refusal",
    "input_image",
    "image_url",
    "data:image/png;base64,AA",
    "input_file",
    "file_data",
    "function_call",
    "function",
    "function_call_output",
    "reasoning",
    "summary_text",
    "reasoning_text",
    "compaction",
    "image_generation_call",
    "result",
    "tools",
    "tool_choice",
    "allowed_tools",
    "model",
    "response",
    "usage",
    "input_tokens",
    "status",
    "completed",
    "incomplete",
    "error",
    "delta",
    "output_index",
    "content_index",
    "item_id",
    "item_reference",
    "response.completed",
    "response.output_item.added",
    "response.output_item.done",
    "response.output_text.delta",
    "response.refusal.delta",
    "response.function_call_arguments.delta",
    "response.reasoning_summary_text.delta",
    "response.reasoning_text.delta",
    "summary_index",
    "custom_tool_call",
    "text.format",
    "include",
    "stream",
    "call__tg1_x",
    "tg1.dXA.cg.cnM.eA",
    "é\u{1F600}",
];

/// JSON made of the words of the format, so that it gets past the first checks.
fn lifelike() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(&WORDS[..]);
    let leaf = prop_oneof![
        8 => words.clone().prop_map(Value::from),
        1 => any::<Option<bool>>().prop_map(Value::from),
        2 => (0u64..4).prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((words.clone(), inner), 0..6)
                .prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    })
}

proptest! {
    #[test]
    fn nothing_that_is_read_panics(body in lifelike(), input in lifelike(), events in prop::collection::vec(lifelike(), 0..6)) {
        let request = json!({"model": "m", "input": [input], "tools": [body], "reasoning": {}}).to_string();
        for text in [body.to_string(), request] {
            let bytes = text.as_bytes();
            if let Ok(mut ask) = read(bytes) {
                let _ = write(&ask, &super::target());
                ask.from = Format::Chat;
                let _ = write(&ask, &super::target());
            }
            let _ = read_reply(bytes, "up");
            let _ = items(bytes, super::ANSWER);
            let _ = expand(&[], bytes);
        }
        let mut reader = ResponsesStreamDecoder::new("up");
        let mut out = Vec::new();
        for event in events {
            let _ = reader.read(None, event.to_string().as_bytes(), &mut out);
        }
        reader.finish(&mut out);
        let _ = super::write_stream(out);
    }
}
