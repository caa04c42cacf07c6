//! Another format's request, written for a provider of this one: tools and settings, and what of them is refused.

use super::{TARGET, contents, encode_request, json, read_as, refused, write};
use crate::{
    BlockKind, Format, LocatedValue, OutputShape, ReasoningEffort, ReasoningSettings, ToolChoice, ToolDefinition,
    ToolKind,
};

#[test]
fn tools_and_choice() {
    let mut ask = read_as(
        Format::Chat,
        r#"{"contents":[{"parts":[{"text":"t"}]}],"tools":[{"googleSearch":{"x":1}},{"functionDeclarations":[{"name":"f"}]}]}"#,
    );
    ask.tool_choice = Some(LocatedValue {
        at: "tool_choice".into(),
        value: ToolChoice::Among { names: vec!["f".into()], must: false },
    });
    ask.parallel_calls = Some(LocatedValue { at: "parallel_tool_calls".into(), value: false });
    if let ToolKind::Function { strict, .. } = &mut ask.tools[1].kind {
        *strict = Some(true);
    }
    let (written, dropped) = write(&ask).expect("carried");
    assert_eq!(written["tools"], json(r#"[{"functionDeclarations":[{"name":"f"}]},{"googleSearch":{}}]"#));
    assert_eq!(
        written["toolConfig"],
        json(r#"{"functionCallingConfig":{"mode":"VALIDATED","allowedFunctionNames":["f"]}}"#)
    );
    assert_eq!(dropped, ["tools[1].functionDeclarations[0].strict", "tools[0].googleSearch.x", "parallel_tool_calls"]);
    for (choice, config) in [
        (ToolChoice::Auto, r#"{"mode":"AUTO"}"#),
        (ToolChoice::Never, r#"{"mode":"NONE"}"#),
        (ToolChoice::Some, r#"{"mode":"ANY"}"#),
        (ToolChoice::Named("f".into()), r#"{"mode":"ANY","allowedFunctionNames":["f"]}"#),
    ] {
        ask.tool_choice = Some(LocatedValue { at: "tool_choice".into(), value: choice });
        assert_eq!(write(&ask).expect("carried").0["toolConfig"]["functionCallingConfig"], json(config));
    }
    ask.tools.remove(1);
    assert!(write(&ask).expect("carried").0.get("toolConfig").is_none());
}

#[test]
fn tools_that_cannot_be_had_are_refused() {
    let raw = || serde_json::value::to_raw_value(&1).expect("JSON");
    let function =
        |name: &str| ToolKind::Function { name: name.into(), description: None, parameters: None, strict: None };
    let long = "f".repeat(65);
    for kind in [
        ToolKind::Custom { name: "c".into(), raw: raw() },
        ToolKind::Hosted { name: "computer".into(), raw: raw() },
        function("1f"),
        function("-f"),
        function("f g"),
        function(""),
        function(&long),
    ] {
        let mut ask = read_as(Format::Chat, &contents(r#"{"parts":[{"text":"t"}]}"#));
        ask.tools.push(ToolDefinition { at: "tools[0]".into(), kind, extra: Vec::new() });
        assert_eq!(refused(&ask), "tools[0]");
    }
}

#[test]
fn what_would_change_the_answer_is_refused() {
    let asked = |config: &str| {
        let body = format!(r#"{{"contents":[{{"parts":[{{"text":"t"}}]}}],"generationConfig":{config}}}"#);
        write(&read_as(Format::Chat, &body)).map(|(written, _)| written)
    };
    for (config, at) in [
        (r#"{"candidateCount":2}"#, "generationConfig.candidateCount"),
        (r#"{"responseLogprobs":true}"#, "generationConfig.responseLogprobs"),
        (r#"{"logprobs":1}"#, "generationConfig.logprobs"),
        (r#"{"stopSequences":["1","2","3","4","5","6"]}"#, "generationConfig.stopSequences"),
        (r#"{"responseModalities":["AUDIO"]}"#, "generationConfig.responseModalities"),
    ] {
        assert_eq!(asked(config).expect_err(config).at, at);
    }
    let harmless =
        asked(r#"{"candidateCount":1,"responseLogprobs":false,"logprobs":0,"stopSequences":[],"seed":9999999999}"#);
    assert!(harmless.expect("carried").get("generationConfig").is_none());
    let mut ask = read_as(Format::Chat, &contents(r#"{"parts":[{"text":"t"}]}"#));
    for kind in [
        BlockKind::Other { name: "audio".into(), raw: serde_json::value::to_raw_value(&1).expect("JSON") },
        BlockKind::Compaction { id: None, closed: "x".into() },
        BlockKind::Call { id: "a".into(), name: "f".into(), arguments: "x".into(), custom: true, signature: None },
    ] {
        ask.turns[0].blocks[0].kind = kind;
        assert_eq!(refused(&ask), "contents[0].parts[0]");
    }
    let cached = read_as(Format::Chat, r#"{"cachedContent":"c","contents":[{"parts":[{"text":"t"}]}]}"#);
    assert_eq!(refused(&cached), "cachedContent");
}

#[test]
fn harmless_members_are_left_out_and_told() {
    let mut ask = read_as(
        Format::Chat,
        r#"{"contents":[{"parts":[{"text":"t","cache_control":{"type":"x"}}],"name":"n"}],"labels":{"a":"b"},"nothing":null,
            "serviceTier":"flex","store":true,"generationConfig":{"temperature":0.70,"speechConfig":{}}}"#,
    );
    let text = |at: &str| Some(LocatedValue { at: at.to_owned(), value: "v".to_owned() });
    ask.user = text("user");
    ask.verbosity = text("verbosity");
    ask.cache_key = text("prompt_cache_key");
    ask.metadata =
        Some(LocatedValue { at: "metadata".into(), value: serde_json::value::to_raw_value(&1).expect("JSON") });
    let (written, mut dropped) = write(&ask).expect("carried");
    assert_eq!(
        written,
        json(r#"{"contents":[{"role":"user","parts":[{"text":"t"}]}],"generationConfig":{"temperature":0.70}}"#)
    );
    dropped.sort();
    assert_eq!(
        dropped,
        [
            "contents[0].name",
            "contents[0].parts[0].cache_control",
            "generationConfig.speechConfig",
            "labels",
            "metadata",
            "prompt_cache_key",
            "serviceTier",
            "store",
            "user",
            "verbosity"
        ]
    );
}

#[test]
fn the_bound_is_the_smaller_one_and_never_invented() {
    let bound = |asked: Option<u64>, bought: Option<u64>| {
        let mut ask = read_as(Format::Chat, &contents(r#"{"parts":[{"text":"t"}]}"#));
        ask.output_max = asked.map(|value| LocatedValue { at: "max_tokens".into(), value });
        let target = super::ConversionTarget { output_bought: bought, ..TARGET };
        let body = encode_request::write(&ask, &target).expect("carried").body;
        json(body)["generationConfig"]["maxOutputTokens"].as_u64()
    };
    assert_eq!(bound(None, None), None);
    assert_eq!(bound(Some(10), None), Some(10));
    assert_eq!(bound(Some(10), Some(5)), Some(5));
    assert_eq!(bound(Some(10), Some(50)), Some(10));
    assert_eq!(bound(None, Some(50)), Some(50));
}

#[test]
fn thinking_is_asked_for_by_budget() {
    let thinking = |from: Format, reasoning: ReasoningSettings, bound: Option<u64>| {
        let mut ask = read_as(from, &contents(r#"{"parts":[{"text":"t"}]}"#));
        ask.output_max = bound.map(|value| LocatedValue { at: "max_tokens".into(), value });
        ask.reasoning = Some(LocatedValue { at: "reasoning".into(), value: reasoning });
        let (written, dropped) = write(&ask).expect("carried");
        (written["generationConfig"]["thinkingConfig"].clone(), dropped.len())
    };
    let effort = |effort| ReasoningSettings { effort: Some(effort), ..ReasoningSettings::default() };
    let budget = |tokens| ReasoningSettings { budget: Some(tokens), ..ReasoningSettings::default() };
    for (from, reasoning, bound, expected, lost) in [
        (Format::Chat, effort(ReasoningEffort::Medium), None, r#"{"thinkingBudget":8192}"#, 0),
        (Format::Chat, effort(ReasoningEffort::Max), None, r#"{"thinkingBudget":24576}"#, 0),
        (Format::Chat, effort(ReasoningEffort::None), None, r#"{"thinkingBudget":0}"#, 0),
        (Format::Chat, effort(ReasoningEffort::High), Some(4000), r#"{"thinkingBudget":2000}"#, 0),
        (Format::Chat, effort(ReasoningEffort::High), Some(100), "null", 1),
        (Format::Messages, budget(3000), Some(4000), r#"{"includeThoughts":true,"thinkingBudget":3000}"#, 0),
        (Format::Messages, budget(60_000), None, r#"{"includeThoughts":true,"thinkingBudget":24576}"#, 1),
        (Format::Messages, budget(0), None, r#"{"thinkingBudget":0}"#, 0),
        (
            Format::Messages,
            ReasoningSettings { adaptive: true, ..ReasoningSettings::default() },
            None,
            r#"{"includeThoughts":true,"thinkingBudget":-1}"#,
            0,
        ),
        (
            Format::Responses,
            ReasoningSettings { shown: Some(true), ..effort(ReasoningEffort::Low) },
            None,
            r#"{"includeThoughts":true,"thinkingBudget":2048}"#,
            0,
        ),
        (Format::Responses, ReasoningSettings::default(), None, "null", 0),
    ] {
        assert_eq!(thinking(from, reasoning, bound), (json(expected), lost), "{expected}");
    }
}

#[test]
fn json_is_asked_for_by_type_and_schema() {
    let shaped = |shape: OutputShape| {
        let mut ask = read_as(Format::Chat, &contents(r#"{"parts":[{"text":"t"}]}"#));
        ask.shape = Some(LocatedValue { at: "response_format".into(), value: shape });
        let (mut written, dropped) = write(&ask).expect("carried");
        (written["generationConfig"].take(), dropped)
    };
    let schema = serde_json::value::RawValue::from_string(r#"{"type":"object","$id":"x"}"#.into()).expect("JSON");
    let by_schema = OutputShape::JsonSchema { name: Some("n".into()), description: None, schema, strict: Some(true) };
    assert_eq!(shaped(OutputShape::Text), (serde_json::Value::Null, vec![]));
    assert_eq!(shaped(OutputShape::JsonObject), (json(r#"{"responseMimeType":"application/json"}"#), vec![]));
    assert_eq!(
        shaped(by_schema),
        (
            json(r#"{"responseMimeType":"application/json","responseJsonSchema":{"type":"object","$id":"x"}}"#),
            vec!["response_format.strict".to_owned()]
        )
    );
}
