//! Counting.

use serde_json::{Value, json};

use super::super::count;
use super::{body, target};
use crate::{ChatRequest, Format};

fn read(members: Value) -> ChatRequest {
    let mut body = body(members);
    body.as_object_mut().expect("an object").shift_remove("max_tokens");
    count::read(body.to_string().as_bytes()).expect("readable")
}

#[test]
fn what_only_answers_have_is_left_out() {
    let ask = read(json!({
        "system": "s", "tools": [{"name": "f", "input_schema": {"type": "object"}}], "tool_choice": {"type": "any"},
        "thinking": {"type": "enabled", "budget_tokens": 3000}, "cache_control": {"type": "ephemeral"},
        "stream": true, "temperature": 0.5, "stop_sequences": ["a"], "metadata": {"user_id": "u", "x": 1},
        "service_tier": "auto", "container": "c", "inference_geo": "eu", "entirely_new": 1,
    }));
    let encoded = count::write(&ask, &target()).expect("carried");
    let sent: Value = serde_json::from_slice(&encoded.body).expect("JSON");
    let names: Vec<_> = sent.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = ["model", "system", "messages", "tools", "tool_choice", "thinking", "cache_control", "entirely_new"];
    assert_eq!(names, expected);
    assert_eq!(sent["thinking"]["budget_tokens"], 3000);
    assert_eq!(
        encoded.dropped,
        [
            "temperature",
            "stop_sequences",
            "metadata.user_id",
            "service_tier",
            "metadata.x",
            "container",
            "inference_geo"
        ]
    );
}

#[test]
fn clients_of_other_formats_are_counted_as_they_would_be_asked() {
    let ask = ChatRequest {
        from: Format::Chat,
        ..read(json!({"messages": [{"role": "assistant", "content": "a"}], "thinking": {"type": "adaptive"}}))
    };
    let encoded = count::write(&ask, &target()).expect("carried");
    let sent: Value = serde_json::from_slice(&encoded.body).expect("JSON");
    assert_eq!(sent["messages"][0]["role"], "user");
    assert_eq!(sent["thinking"]["type"], "adaptive");
    assert_eq!(sent["max_tokens"], Value::Null);
}

#[test]
fn counts_go_both_ways() {
    assert_eq!(count::read_counted(&count::write_counted(7)), Ok(7));
    assert_eq!(count::read_counted(br#"{"input_tokens":7,"new":1}"#), Ok(7));
    assert_eq!(count::read_counted(b"{}").expect_err("no count").at, "input_tokens");
    assert_eq!(count::read_counted(b"<html>").expect_err("no JSON").at, "body");
}
