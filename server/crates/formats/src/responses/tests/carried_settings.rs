//! Settings of other formats: converted, left out and noted, or refused.

use serde_json::{Value, json};

use super::super::write;
use super::carried::{at, empty, raw, text, turn};
use super::{ask, refused, sent, target};
use crate::{ChatRequest, Format, LocatedValue, MessageRole, OutputShape, ReasoningEffort, ReasoningSettings};

#[test]
fn settings_that_change_the_answer_are_refused() {
    let base = || ChatRequest { turns: vec![turn(MessageRole::User, [text("q")])], ..empty(Format::Chat) };
    for ask in [
        ChatRequest { choices: at(2), ..base() },
        ChatRequest { logit_bias: at(raw(r#"{"1":2}"#)), ..base() },
        ChatRequest { logprobs: at(true), ..base() },
        ChatRequest { top_logprobs: at(1), ..base() },
        ChatRequest { shape: at(OutputShape::Other(raw("{}"))), ..base() },
    ] {
        assert_eq!(refused(&ask).at, "place");
    }
    // At stop texts the answer is cut.
    let idle = ChatRequest {
        choices: at(1),
        stop: at(vec!["x".into()]),
        logit_bias: at(raw("{}")),
        logprobs: at(false),
        ..base()
    };
    assert_eq!(sent(&idle).1, Vec::<String>::new(), "what asks for nothing is no loss");
}

#[test]
fn harmless_settings_are_left_out_and_told() {
    let mut ask = ChatRequest { turns: vec![turn(MessageRole::User, [text("q")])], ..empty(Format::Chat) };
    let number = |name: &str| Some(LocatedValue { at: name.into(), value: raw("1.5") });
    ask.top_k = number("top_k");
    ask.seed = number("seed");
    ask.presence_penalty = number("presence_penalty");
    ask.frequency_penalty = number("frequency_penalty");
    ask.metadata = Some(LocatedValue { at: "metadata".into(), value: raw("{}") });
    ask.store = Some(LocatedValue { at: "store".into(), value: true });
    ask.user = Some(LocatedValue { at: "user".into(), value: "u".repeat(65) });
    ask.cache_key = Some(LocatedValue { at: "prompt_cache_key".into(), value: "k".into() });
    ask.service_tier = at("flex".into());
    ask.temperature = number("temperature");
    let (sent, mut dropped) = sent(&ask);
    dropped.sort();
    let expected = ["frequency_penalty", "metadata", "presence_penalty", "seed", "store", "top_k", "user"];
    assert_eq!(dropped, expected);
    let told = ["temperature", "prompt_cache_key", "service_tier", "store"].map(|name| sent[name].clone());
    assert_eq!(told, [json!(1.5), json!("k"), json!("flex"), json!(false)]);
    for (from, word, expected) in [
        (Format::Messages, "auto", json!("auto")),
        (Format::Messages, "standard_only", json!("default")),
        (Format::Generate, "PRIORITY", Value::Null),
    ] {
        let ask = ChatRequest { from, service_tier: at(word.into()), ..ask.clone() };
        assert_eq!(super::sent(&ask).0["service_tier"], expected);
    }
}

#[test]
fn extras_of_another_format_are_left_out_and_told_but_for_marks() {
    let mut ask = ask(&json!({"model": "m", "instructions": "i", "truncation": "auto", "future": null,
    "reasoning": {"effort": "low", "context": "all", "summary": "auto"}, "text": {"format": {"type": "text", "odd": 1}},
    "input": [
        {"type": "message", "role": "developer", "id": "msg_0", "content": "d"},
        {"type": "message", "role": "assistant", "id": "msg_1", "status": "completed", "phase": "commentary",
         "content": [{"type": "output_text", "text": "t", "annotations": [], "logprobs": []}]},
        {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": "{}", "namespace": "n"},
    ]}));
    ask.from = Format::Chat;
    let (sent, mut dropped) = sent(&ask);
    dropped.sort();
    assert_eq!(dropped, ["input[2].namespace", "reasoning.context", "text.format.odd", "truncation"]);
    assert_eq!(sent["reasoning"], json!({"effort": "low", "summary": "auto"}));
    assert_eq!(sent["text"], json!({"format": {"type": "text"}}));
    assert_eq!(sent["instructions"], "i\n\nd");
}

#[test]
fn shapes() {
    let text_of = |shape| {
        let ask = ChatRequest {
            turns: vec![turn(MessageRole::User, [text("q")])],
            shape: at(shape),
            ..empty(Format::Messages)
        };
        sent(&ask).0
    };
    let schema = OutputShape::JsonSchema { name: None, description: None, schema: raw(r#"{"x":1.0}"#), strict: None };
    assert_eq!(
        text_of(schema)["text"],
        json!({"format": {"type": "json_schema", "name": "answer", "schema": {"x": 1.0}}})
    );
    let told = text_of(OutputShape::JsonObject);
    assert_eq!(told["text"], json!({"format": {"type": "json_object"}}));
    let word = told["input"][0]["content"].as_str().is_some_and(|text| text.contains("JSON"));
    assert!(word, "providers want the word in the conversation: {told}");
    let said = vec![turn(MessageRole::User, [text("as Json")])];
    let ask = ChatRequest { turns: said, shape: at(OutputShape::JsonObject), ..empty(Format::Generate) };
    assert_eq!(sent(&ask).0["input"].as_array().map(Vec::len), Some(1));
}

#[test]
fn how_much_to_think() {
    let reasoning = |reasoning| {
        let ask = ChatRequest {
            turns: vec![turn(MessageRole::User, [text("q")])],
            reasoning: at(reasoning),
            ..empty(Format::Messages)
        };
        let (sent, _) = sent(&ask);
        (sent["reasoning"].clone(), sent["include"].is_array())
    };
    let of = |effort, budget, shown| ReasoningSettings { effort, budget, shown, ..ReasoningSettings::default() };
    assert_eq!(reasoning(of(Some(ReasoningEffort::ExtraHigh), None, None)), (json!({"effort": "xhigh"}), true));
    assert_eq!(reasoning(of(None, Some(8000), Some(true))), (json!({"effort": "medium", "summary": "auto"}), true));
    assert_eq!(reasoning(of(None, Some(8000), None)), (json!({"effort": "medium", "summary": "auto"}), true));
    assert_eq!(reasoning(of(None, Some(8000), Some(false))), (json!({"effort": "medium"}), true));
    assert_eq!(reasoning(of(Some(ReasoningEffort::None), None, Some(true))), (json!({"effort": "none"}), false));
    assert_eq!(reasoning(of(None, None, None)), (Value::Null, true));
}

#[test]
fn the_bound_of_the_output() {
    let bound = |from, asked: Option<u64>, bought| {
        let output_max = asked.map(|value| LocatedValue { at: "max".into(), value });
        let ask = ChatRequest { turns: vec![turn(MessageRole::User, [text("q")])], output_max, ..empty(from) };
        let encoded = write(&ask, &crate::ConversionTarget { output_bought: bought, ..target() }).expect("carried");
        (super::body(&encoded.body)["max_output_tokens"].clone(), encoded.dropped)
    };
    let none = Vec::<String>::new();
    assert_eq!(bound(Format::Chat, None, None), (Value::Null, none.clone()));
    assert_eq!(bound(Format::Chat, None, Some(500)), (json!(500), none.clone()));
    assert_eq!(bound(Format::Chat, Some(900), Some(500)), (json!(500), none.clone()));
    assert_eq!(bound(Format::Chat, Some(100), Some(500)), (json!(100), none.clone()));
    assert_eq!(bound(Format::Chat, Some(1), None), (json!(16), vec!["max".to_owned()]), "the least that is taken");
    assert_eq!(bound(Format::Responses, Some(1), None), (json!(1), none));
}

#[test]
fn a_count_has_the_conversation_and_nothing_else() {
    let ask =
        ask(&json!({"model": "m", "input": "x", "instructions": "i", "temperature": 1, "stream": true, "store": true,
        "max_output_tokens": 100, "truncation": "auto", "metadata": {}, "tools": [{"type": "web_search"}]}));
    let encoded = super::super::write_count(&ask, &target()).expect("carried");
    let expected = json!({"model": "theirs", "instructions": "i", "truncation": "auto", "tools": [{"type": "web_search"}],
        "input": [{"type": "message", "role": "user", "content": "x"}]});
    assert_eq!(super::body(&encoded.body), expected);
}
