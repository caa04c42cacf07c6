//! State between turns: items with ids, earlier items in front, conversations made short.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::{
    closed_content, compaction_response, expand, items, outputs, read, read_context, read_tokens, summary_item,
    with_items, write_tokens,
};
use super::{ANSWER, body, echo};
use crate::TokenUsage;

fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("JSON")
}

fn list(items: &[Box<RawValue>]) -> Value {
    items.iter().map(|item| body(item.get().as_bytes())).collect()
}

fn kept(request: &Value) -> Value {
    list(&items(request.to_string().as_bytes(), ANSWER).expect("readable"))
}

#[test]
fn a_text_is_kept_as_a_message() {
    let expected = json!([{"id": format!("msg_{ANSWER}i0000"), "type": "message", "role": "user",
        "content": [{"type": "input_text", "text": "hi"}]}]);
    assert_eq!(kept(&json!({"input": "hi"})), expected);
    assert_eq!(kept(&json!({"input": null})), json!([]));
}

#[test]
fn items_get_ids_of_their_kind_and_keep_their_own() {
    let request = json!({"input": [
        {"role": "assistant", "content": "said"},
        {"type": "function_call_output", "call_id": "c", "output": "x", "future": 1.0},
        {"type": "function_call", "id": "fc_own", "call_id": "c", "name": "f", "arguments": "{}"},
        {"id": "msg_referred"},
        {"type": "reasoning", "id": null, "summary": []},
    ]});
    let kept = kept(&request);
    let said = json!([{"type": "output_text", "text": "said", "annotations": []}]);
    assert_eq!((&kept[0]["type"], &kept[0]["content"]), (&json!("message"), &said));
    let output = json!({"id": format!("fco_{ANSWER}i0001"), "type": "function_call_output", "call_id": "c", "output": "x", "future": 1.0});
    assert_eq!(kept[1], output);
    assert_eq!(kept[2], request["input"][2]);
    assert_eq!(kept[3], json!({"id": "msg_referred", "type": "item_reference"}));
    assert_eq!(kept[4]["id"], format!("rs_{ANSWER}i0004"));
    for (place, input) in
        [("input", json!(1)), ("input[0].type", json!([{}])), ("input[0].id", json!([{"type": "x", "id": 1}]))]
    {
        let request = json!({"input": input}).to_string();
        assert_eq!(items(request.as_bytes(), ANSWER).expect_err("wrong").at, place);
    }
}

#[test]
fn earlier_items_stand_in_front() {
    let earlier = [raw(&json!({"type": "message", "role": "user", "content": "before"}))];
    let request =
        br#"{"model":"m","previous_response_id":"resp_1","temperature":0.50,"input":"now","instructions":"i"}"#;
    let text = String::from_utf8(expand(&earlier, request).expect("readable")).expect("text");
    assert!(text.contains(r#""temperature":0.50"#) && !text.contains("previous_response_id"), "{text}");
    let expected = json!([{"type": "message", "role": "user", "content": "before"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "now"}]}]);
    assert_eq!(body(text.as_bytes())["input"], expected);
    assert_eq!(read(text.as_bytes()).expect("readable").turns.len(), 2);
    let alone = expand(&earlier, br#"{"model":"m","previous_response_id":"resp_1"}"#).expect("readable");
    assert_eq!(body(&alone)["input"].as_array().map(Vec::len), Some(1));
    assert_eq!(expand(&earlier, br#"{"input":{}}"#).expect_err("wrong").at, "input");
}

#[test]
fn the_output_of_a_kept_response_goes_on_as_input() {
    let response = json!({"id": "resp_1", "output": [{"type": "reasoning", "id": "rs_1", "summary": []}]}).to_string();
    assert_eq!(
        list(&outputs(response.as_bytes()).expect("readable")),
        json!([{"type": "reasoning", "id": "rs_1", "summary": []}])
    );
    assert_eq!(outputs(b"{}").expect_err("none").at, "output");
}

#[test]
fn a_short_conversation_is_opened_in_its_place() {
    let request =
        br#"{"model":"m","input":[{"type":"compaction","encrypted_content":"tgc1.x"},{"role":"user","content":"x"}]}"#;
    let mut input = items(request, ANSWER).expect("readable");
    assert_eq!(input.iter().map(|item| closed_content(item)).collect::<Vec<_>>(), [Some("tgc1.x".into()), None]);
    input[0] = summary_item("we spoke of \"x\"");
    let request = with_items(request, &input).expect("an object");
    let ask = read(&request).expect("readable");
    assert_eq!((ask.system.len(), ask.turns.len()), (1, 1));
}

#[test]
fn a_compaction() {
    let used = TokenUsage { input: 7, output: 3, ..TokenUsage::default() };
    let kept = [raw(&json!({"id": "msg_1", "type": "message", "role": "user", "content": []}))];
    let result = body(&compaction_response(&echo(&json!({})), &kept, "tgc1.y", &used));
    assert_eq!(result["object"], "response.compaction");
    assert_eq!(result["created_at"], 1_700_000_000);
    assert_eq!(result["output"][0]["id"], "msg_1");
    let item = json!({"id": format!("cmp_{ANSWER}"), "type": "compaction", "encrypted_content": "tgc1.y"});
    assert_eq!(result["output"][1], item);
    assert_eq!((&result["usage"]["input_tokens"], &result["usage"]["completion_tokens"]), (&json!(7), &json!(3)));
    assert!(read_context(br#"{"model":"m","input":null}"#).is_ok_and(|ask| ask.turns.is_empty()));
}

#[test]
fn a_count() {
    assert_eq!(body(&write_tokens(5)), json!({"object": "response.input_tokens", "input_tokens": 5}));
    assert_eq!(read_tokens(br#"{"object":"response.input_tokens","input_tokens":5.0}"#), Ok(5));
    assert_eq!(read_tokens(b"{}").expect_err("none").at, "input_tokens");
}
