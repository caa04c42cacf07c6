//! Requests of other formats' clients: settings and tools.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::encode_request;
use super::{ask, foreign, sent, target};
use crate::{
    ChatRequest, ConversionTarget, LocatedValue, ModelCapabilities, OutputShape, ReasoningEffort, ReasoningSettings,
    ThinkingMode, ToolChoice, ToolDefinition, ToolKind,
};

fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("JSON")
}

fn at<T>(at: &str, value: T) -> Option<LocatedValue<T>> {
    Some(LocatedValue { at: at.into(), value })
}

fn with(change: impl FnOnce(&mut ChatRequest)) -> ChatRequest {
    let mut ask = foreign(json!({"max_tokens": 20_000}));
    change(&mut ask);
    ask
}

/// The member of that name, or null.
fn member(ask: &ChatRequest, name: &str) -> (Value, Vec<String>) {
    let (body, dropped) = sent(ask).expect("carried");
    (body[name].clone(), dropped)
}

#[test]
fn what_has_no_word_and_is_missed_is_refused() {
    type Change = fn(&mut ChatRequest);
    let changes: [(&str, Change); 12] = [
        ("n", |ask| ask.choices = at("n", 2)),
        ("n", |ask| ask.choices = at("n", 0)),
        ("logprobs", |ask| ask.logprobs = at("logprobs", true)),
        ("top_logprobs", |ask| ask.top_logprobs = at("top_logprobs", 1)),
        ("logit_bias", |ask| ask.logit_bias = at("logit_bias", raw(&json!({"1": 1})))),
        ("stop", |ask| ask.stop = at("stop", vec!["\n".into()])),
        ("response_format", |ask| ask.shape = at("response_format", OutputShape::Other(raw(&json!({}))))),
        ("tool_choice", |ask| ask.tool_choice = at("tool_choice", ToolChoice::Other(raw(&json!({}))))),
        ("tool_choice", |ask| ask.tool_choice = at("tool_choice", ToolChoice::Some)),
        ("tools[0]", |ask| ask.tools.push(tool(ToolKind::Custom { name: "c".into(), raw: raw(&json!({})) }))),
        ("tools[0]", |ask| ask.tools.push(tool(ToolKind::Hosted { name: "h".into(), raw: raw(&json!({})) }))),
        ("tools[0]", |ask| ask.tools.push(function("f.g", None))),
    ];
    for (place, change) in changes {
        let refused = sent(&with(change)).expect_err("refused");
        assert_eq!(refused.at, place);
        assert!(refused.reason.contains("provider") || refused.reason.contains("tool"), "{refused}");
    }
}

#[test]
fn what_has_no_word_and_is_not_missed_is_told() {
    let ask = with(|ask| {
        ask.presence_penalty = at("presence_penalty", raw(&json!(0.5)));
        ask.frequency_penalty = at("frequency_penalty", raw(&json!(0.5)));
        ask.seed = at("seed", raw(&json!(1)));
        ask.metadata = at("metadata", raw(&json!({"a": "b"})));
        ask.verbosity = at("verbosity", "low".into());
        ask.cache_key = at("prompt_cache_key", "k".into());
        ask.store = at("store", true);
        ask.service_tier = at("service_tier", "priority".into());
        ask.user = at("user", "me@example.com".into());
        ask.choices = at("n", 1);
        ask.logprobs = at("logprobs", false);
        ask.logit_bias = at("logit_bias", raw(&json!({})));
        ask.stop = at("stop", Vec::new());
    });
    let (body, dropped) = sent(&ask).expect("carried");
    let names: Vec<_> = body.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(names, ["model", "max_tokens", "messages"]);
    let expected = [
        "presence_penalty",
        "frequency_penalty",
        "seed",
        "metadata",
        "verbosity",
        "prompt_cache_key",
        "store",
        "user",
        "service_tier",
    ];
    assert_eq!(dropped, expected);
}

#[test]
fn members_that_only_another_format_knows_are_never_copied() {
    let (body, dropped) = sent(&foreign(json!({
        "prediction": {}, "null_asks_for_nothing": null,
        "tools": [{"name": "f", "input_schema": {}, "odd": 1}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "t", "odd": 1}], "name": "n"}],
    })))
    .expect("carried");
    assert!(!body.to_string().contains("odd") && body["prediction"].is_null());
    assert_eq!(dropped, ["messages[0].name", "messages[0].content[0].odd", "tools[0].odd", "prediction"]);
}

#[test]
fn a_bound_is_always_written() {
    for (asked, bought, written) in
        [(None, None, 64_000), (None, Some(500), 500), (Some(100), Some(500), 100), (Some(900), Some(500), 500)]
    {
        let ask = with(|ask| ask.output_max = asked.and_then(|asked| at("max_completion_tokens", asked)));
        let encoded =
            encode_request::write(&ask, &ConversionTarget { output_bought: bought, ..target() }).expect("carried");
        let body: Value = serde_json::from_slice(&encoded.body).expect("JSON");
        assert_eq!(body["max_tokens"], written);
    }
}

#[test]
fn sampling_keeps_to_the_rules() {
    let think = || {
        at(
            "reasoning_effort",
            ReasoningSettings { effort: Some(ReasoningEffort::Medium), ..ReasoningSettings::default() },
        )
    };
    let null = || Value::Null;
    for (given, thinks, written, left) in [
        ([json!(0.70), null(), null()], false, [json!(0.70), null(), null()], vec![]),
        ([json!(1), null(), null()], false, [json!(1), null(), null()], vec![]),
        ([json!(1.5), null(), null()], false, [json!(1), null(), null()], vec!["temperature"]),
        ([json!(0.7), json!(0.9), null()], false, [json!(0.7), null(), null()], vec!["top_p"]),
        ([json!(0.7), json!(1.0), null()], false, [json!(0.7), null(), null()], vec![]),
        ([json!(1.0), json!(0.9), null()], false, [null(), json!(0.9), null()], vec![]),
        ([null(), null(), json!(40.0)], false, [null(), null(), json!(40)], vec![]),
        ([null(), null(), json!(1.5)], false, [null(), null(), null()], vec!["top_k"]),
        ([json!(0.7), null(), json!(40)], true, [null(), null(), null()], vec!["temperature", "top_k"]),
        ([json!(1), json!(0.97), null()], true, [null(), json!(0.97), null()], vec![]),
        ([null(), json!(0.5), null()], true, [null(), null(), null()], vec!["top_p"]),
    ] {
        let ask = with(|ask| {
            let [temperature, top_p, top_k] = &given;
            let number = |name: &str, value: &Value| at(name, raw(value)).filter(|_| !value.is_null());
            ask.temperature = number("temperature", temperature);
            ask.top_p = number("top_p", top_p);
            ask.top_k = number("top_k", top_k);
            ask.reasoning = if thinks { think() } else { None };
        });
        let (body, dropped) = sent(&ask).expect("carried");
        assert_eq!([&body["temperature"], &body["top_p"], &body["top_k"]], written.each_ref(), "{given:?}");
        assert_eq!(dropped, left);
    }
}

#[test]
fn thinking_keeps_to_the_rules() {
    let of = |effort, budget, adaptive, shown| ReasoningSettings { effort, budget, adaptive, shown, extra: Vec::new() };
    let word = |effort| of(Some(effort), None, false, None);
    let budget = |tokens| of(None, Some(tokens), false, None);
    let on = |tokens: u64| json!({"type": "enabled", "budget_tokens": tokens});
    for (reasoning, bound, written, left) in [
        (word(ReasoningEffort::None), 20_000, json!({"type": "disabled"}), false),
        (word(ReasoningEffort::Minimal), 20_000, on(1024), false),
        (word(ReasoningEffort::Medium), 20_000, on(8192), false),
        (word(ReasoningEffort::Max), 20_000, on(10_000), false),
        (word(ReasoningEffort::High), 1024, Value::Null, true),
        (budget(0), 20_000, json!({"type": "disabled"}), false),
        (budget(5000), 20_000, on(5000), false),
        (budget(100), 20_000, on(1024), true),
        (budget(5000), 5000, on(4999), true),
        (budget(5000), 1024, Value::Null, true),
        (of(None, None, true, Some(true)), 20_000, json!({"type": "adaptive", "display": "summarized"}), false),
        (
            of(None, Some(5000), false, Some(false)),
            20_000,
            { json!({"type": "enabled", "budget_tokens": 5000, "display": "omitted"}) },
            false,
        ),
    ] {
        let ask = with(|ask| {
            ask.output_max = at("max", bound);
            ask.reasoning = at("reasoning", reasoning.clone());
        });
        let (thinking, dropped) = member(&ask, "thinking");
        assert_eq!((thinking, dropped.len()), (written, usize::from(left)), "{reasoning:?} {bound}");
    }
    let both = with(|ask| ask.reasoning = at("reasoning", of(Some(ReasoningEffort::Minimal), None, true, None)));
    assert_eq!(member(&both, "output_config").0, json!({"effort": "low"}));
}

/// The body for a model of these capabilities, and the places that are left out.
fn sent_to(capabilities: ModelCapabilities, ask: &ChatRequest) -> (Value, Vec<String>) {
    let encoded = encode_request::write(ask, &ConversionTarget { capabilities, ..target() }).expect("carried");
    (serde_json::from_slice(&encoded.body).expect("JSON"), encoded.dropped)
}

#[test]
fn thinking_goes_the_way_of_the_model() {
    let of = |effort, budget, adaptive| ReasoningSettings { effort, budget, adaptive, shown: None, extra: Vec::new() };
    let word = |effort| of(Some(effort), None, false);
    let budget = |tokens| of(None, Some(tokens), false);
    let (off, adaptive) = (json!({"type": "disabled"}), json!({"type": "adaptive"}));
    let on = |tokens: u64| json!({"type": "enabled", "budget_tokens": tokens});
    let effort = |word: &str| json!({"effort": word});
    for (mode, reasoning, thinking, config, told) in [
        (ThinkingMode::Adaptive, word(ReasoningEffort::None), off.clone(), Value::Null, false),
        (ThinkingMode::Adaptive, word(ReasoningEffort::Minimal), adaptive.clone(), effort("low"), false),
        (ThinkingMode::Adaptive, word(ReasoningEffort::Max), adaptive.clone(), effort("max"), false),
        (ThinkingMode::Adaptive, budget(0), off.clone(), Value::Null, false),
        (ThinkingMode::Adaptive, budget(1), adaptive.clone(), effort("low"), false),
        (ThinkingMode::Adaptive, budget(9000), adaptive.clone(), effort("medium"), false),
        (ThinkingMode::Adaptive, budget(1_000_000), adaptive.clone(), effort("high"), false),
        (ThinkingMode::Adaptive, of(None, None, true), adaptive.clone(), Value::Null, false),
        (ThinkingMode::Budget, word(ReasoningEffort::None), off, Value::Null, false),
        (ThinkingMode::Budget, word(ReasoningEffort::Medium), on(8192), Value::Null, false),
        (ThinkingMode::Budget, budget(5000), on(5000), Value::Null, false),
        (ThinkingMode::Budget, of(None, None, true), on(8192), Value::Null, false),
        (ThinkingMode::None, word(ReasoningEffort::None), Value::Null, Value::Null, false),
        (ThinkingMode::None, budget(0), Value::Null, Value::Null, false),
        (ThinkingMode::None, word(ReasoningEffort::High), Value::Null, Value::Null, true),
        (ThinkingMode::None, budget(5000), Value::Null, Value::Null, true),
        (ThinkingMode::None, of(None, None, true), Value::Null, Value::Null, true),
    ] {
        let capabilities = ModelCapabilities { thinking: Some(mode), ..ModelCapabilities::UNKNOWN };
        let ask = with(|ask| ask.reasoning = at("reasoning", reasoning.clone()));
        let (body, dropped) = sent_to(capabilities, &ask);
        let case = format!("{mode:?} {reasoning:?}");
        assert_eq!((&body["thinking"], &body["output_config"]), (&thinking, &config), "{case}");
        assert_eq!(dropped.is_empty(), !told, "{case}: {dropped:?}");
    }
    let capabilities = ModelCapabilities { thinking: Some(ThinkingMode::Adaptive), ..ModelCapabilities::UNKNOWN };
    let forced = with(|ask| {
        ask.tools.push(function("f", None));
        ask.tool_choice = at("tool_choice", ToolChoice::Some);
        ask.reasoning = at("reasoning_effort", word(ReasoningEffort::High));
    });
    let (body, dropped) = sent_to(capabilities, &forced);
    assert_eq!((&body["thinking"], &body["output_config"]), (&Value::Null, &effort("high")));
    assert_eq!(dropped, ["reasoning_effort"]);
}

#[test]
fn a_model_that_takes_no_sampling_is_sent_none() {
    let capabilities = ModelCapabilities { sampling: Some(false), ..ModelCapabilities::UNKNOWN };
    for (temperature, top_p, top_k, left) in [
        (json!(0.7), json!(0.95), json!(40), vec!["temperature", "top_p", "top_k"]),
        (json!(1.0), json!(1), json!(1), vec!["top_k"]),
    ] {
        let ask = with(|ask| {
            ask.temperature = at("temperature", raw(&temperature));
            ask.top_p = at("top_p", raw(&top_p));
            ask.top_k = at("top_k", raw(&top_k));
        });
        let (body, dropped) = sent_to(capabilities, &ask);
        let names: Vec<_> = body.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(
            (names, dropped),
            (vec!["model", "max_tokens", "messages"], left.into_iter().map(str::to_owned).collect())
        );
    }
}

/// At most as many marks as providers take are written, the latest; marks that they do not know are noted.
#[test]
fn marks_of_a_cache_stay_at_their_blocks() {
    let marked = |text: &str, mark: Value| json!({"type": "text", "text": text, "cache_control": mark});
    let (usual, hour) = (json!({"type": "ephemeral"}), json!({"type": "ephemeral", "ttl": "1h"}));
    let result = json!({"type": "tool_result", "tool_use_id": "c", "content": [marked("r", usual.clone())], "cache_control": usual});
    let ask = foreign(json!({
        "system": [marked("s", usual.clone()), marked("t", usual.clone())],
        "messages": [
            {"role": "user", "content": [marked("u", json!({"type": "ephemeral", "ttl": "9h"})), marked("v", hour.clone())]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
            {"role": "user", "content": [result]},
        ],
        "tools": [{"name": "f", "input_schema": {}, "cache_control": usual}],
    }));
    let encoded = encode_request::write(&ask, &ConversionTarget { asks_for_cache: true, ..target() }).expect("carried");
    let body: Value = serde_json::from_slice(&encoded.body).expect("JSON");
    let at = |pointer: &str| body.pointer(pointer).cloned().unwrap_or_default();
    for (place, mark) in [
        ("/system/0", Value::Null),
        ("/system/1", Value::Null),
        ("/messages/0/content/0", Value::Null),
        ("/messages/0/content/1", hour),
        ("/messages/2/content/0", usual.clone()),
        ("/messages/2/content/0/content/0", usual.clone()),
        ("/tools/0", usual),
        ("", Value::Null),
    ] {
        assert_eq!(at(&format!("{place}/cache_control")), mark, "{place}: {body}");
    }
    let left = ["system[0]", "system[1]", "messages[0].content[0]"].map(|place| format!("{place}.cache_control"));
    assert_eq!(encoded.dropped, left);
}

#[test]
fn a_cache_is_asked_for_unasked_where_it_pays() {
    let mark = json!({"type": "ephemeral"});
    let own = |mark: &Value| foreign(json!({"cache_control": mark}));
    let same = ask(json!({}));
    for (ask, pays, written) in [
        (foreign(json!({})), true, mark.clone()),
        (foreign(json!({})), false, Value::Null),
        (own(&json!({"type": "ephemeral", "ttl": "1h"})), false, json!({"type": "ephemeral", "ttl": "1h"})),
        (own(&Value::Null), true, mark.clone()),
        (same, true, Value::Null),
    ] {
        let encoded =
            encode_request::write(&ask, &ConversionTarget { asks_for_cache: pays, ..target() }).expect("carried");
        let body: Value = serde_json::from_slice(&encoded.body).expect("JSON");
        assert_eq!((&body["cache_control"], encoded.dropped), (&written, vec![]), "{:?} {pays}", ask.from);
    }
}

#[test]
fn a_forced_call_and_thinking_do_not_go_together() {
    for (choice, thinks) in [
        (ToolChoice::Some, false),
        (ToolChoice::Named("f".into()), false),
        (ToolChoice::Auto, true),
        (ToolChoice::Never, true),
    ] {
        let ask = with(|ask| {
            ask.tools.push(function("f", None));
            ask.tool_choice = at("tool_choice", choice);
            ask.reasoning = at(
                "reasoning_effort",
                ReasoningSettings { effort: Some(ReasoningEffort::Low), ..ReasoningSettings::default() },
            );
        });
        let (thinking, dropped) = member(&ask, "thinking");
        assert_eq!((thinking.is_object(), dropped.is_empty()), (thinks, thinks));
    }
}

#[test]
fn shapes() {
    let schema = |description: Option<&str>, schema: Value| OutputShape::JsonSchema {
        name: Some("n".into()),
        description: description.map(str::to_owned),
        schema: raw(&schema),
        strict: Some(true),
    };
    let one = json!({"type": "object", "properties": {"a": {"type": "integer", "minimum": 3}}});
    let closed = json!({"type": "object", "properties": {"a": {"type": "integer", "description": "Must be: at least 3."}},
        "required": [], "additionalProperties": false});
    let mut described = closed.clone();
    described["description"] = json!("d");
    for (shape, written) in [
        (OutputShape::Text, Value::Null),
        (schema(None, one.clone()), json!({"format": {"type": "json_schema", "schema": closed}})),
        (schema(Some("d"), one), json!({"format": {"type": "json_schema", "schema": described}})),
    ] {
        let ask = with(|ask| ask.shape = at("response_format", shape));
        assert_eq!(member(&ask, "output_config"), (written, vec![]));
    }
    // What no grammar can bind is asked for in words.
    let endless = json!({"type": "object", "properties": {"next": {"$ref": "#"}}});
    for (shape, words) in [
        (OutputShape::JsonObject, "one JSON object and nothing else"),
        (schema(None, json!({"type": "object"})), r#"{"type":"object"}"#),
        (schema(None, endless), r##"{"next":{"$ref":"#"}}"##),
    ] {
        let ask = with(|ask| ask.shape = at("response_format", shape));
        assert_eq!(member(&ask, "output_config"), (Value::Null, vec!["response_format".to_owned()]));
        let (system, _) = member(&ask, "system");
        let told = system.as_array().and_then(|blocks| blocks.last()).map(|block| block["text"].to_string());
        assert!(told.is_some_and(|told| told.replace('\\', "").contains(words)), "{system}");
    }
}

#[test]
fn strict_tools() {
    let strict = |parameters: Option<Value>| {
        let mut tool = function("f", parameters);
        if let ToolKind::Function { strict, .. } = &mut tool.kind {
            *strict = Some(true);
        }
        tool
    };
    let nothing = json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false});
    let open = json!({"type": "object", "additionalProperties": {"type": "string"}});
    for (parameters, schema, dropped) in
        [(None, nothing, vec![]), (Some(open.clone()), open, vec!["tools[0].strict".to_owned()])]
    {
        let ask = with(|ask| ask.tools.push(strict(parameters)));
        let mut written = json!({"name": "f", "input_schema": schema});
        if dropped.is_empty() {
            written["strict"] = json!(true);
        }
        assert_eq!(member(&ask, "tools"), (json!([written]), dropped));
    }
    // Providers take twenty.
    let ask = with(|ask| ask.tools.extend((0..22).map(|_| strict(None))));
    let (tools, _) = member(&ask, "tools");
    let written = tools.as_array().expect("tools").iter().filter(|tool| tool["strict"] == json!(true)).count();
    assert_eq!(written, 20);
}

#[test]
fn tools() {
    let search = ToolDefinition { at: "tools[0]".into(), kind: ToolKind::WebSearch, extra: Vec::new() };
    for (tool, written) in [
        (function("f", None), json!({"name": "f", "input_schema": {"type": "object", "properties": {}}})),
        (function("f", Some(json!({}))), json!({"name": "f", "input_schema": {"type": "object", "properties": {}}})),
        (
            function("f", Some(json!({"properties": {"a": {}}}))),
            json!({"name": "f", "input_schema": {"type": "object", "properties": {"a": {}}}}),
        ),
        (search, json!({"type": "web_search_20250305", "name": "web_search"})),
    ] {
        let ask = with(|ask| ask.tools.push(tool));
        assert_eq!(member(&ask, "tools"), (json!([written]), vec![]));
    }
}

#[test]
fn choices_of_tools() {
    let among =
        |names: &[&str], must| ToolChoice::Among { names: names.iter().map(|&name| name.into()).collect(), must };
    for (choice, parallel, written, tools) in [
        (None, None, Value::Null, 2),
        (None, Some(true), Value::Null, 2),
        (None, Some(false), json!({"type": "auto", "disable_parallel_tool_use": true}), 2),
        (Some(ToolChoice::Auto), None, json!({"type": "auto"}), 2),
        (Some(ToolChoice::Some), Some(false), json!({"type": "any", "disable_parallel_tool_use": true}), 2),
        (Some(ToolChoice::Never), Some(false), json!({"type": "none"}), 2),
        (Some(ToolChoice::Named("f".into())), None, json!({"type": "tool", "name": "f"}), 2),
        (Some(among(&["g"], false)), None, json!({"type": "auto"}), 1),
        (Some(among(&["g", "f"], true)), None, json!({"type": "any"}), 2),
    ] {
        let ask = with(|ask| {
            ask.tools = vec![function("f", None), function("g", None)];
            ask.tool_choice = choice.and_then(|choice| at("tool_choice", choice));
            ask.parallel_calls = parallel.and_then(|parallel| at("parallel_tool_calls", parallel));
        });
        let (body, dropped) = sent(&ask).expect("carried");
        assert_eq!(body["tool_choice"], written);
        assert_eq!(body["tools"].as_array().expect("a list").len(), tools);
        assert_eq!(dropped, Vec::<String>::new());
    }
    let nothing = with(|ask| {
        ask.tool_choice = at("tool_choice", ToolChoice::Auto);
        ask.parallel_calls = at("parallel_tool_calls", false);
    });
    let (written, dropped) = member(&nothing, "tool_choice");
    assert_eq!((written, dropped.len()), (Value::Null, 2));
}

#[test]
fn users_and_tiers() {
    for (user, tier, written) in
        [("u", "auto", json!([{"user_id": "u"}, "auto"])), ("u", "default", json!([{"user_id": "u"}, "standard_only"]))]
    {
        let ask = with(|ask| {
            ask.user = at("user", user.into());
            ask.service_tier = at("service_tier", tier.into());
        });
        let (body, dropped) = sent(&ask).expect("carried");
        assert_eq!(json!([body["metadata"], body["service_tier"]]), written);
        assert_eq!(dropped, Vec::<String>::new());
    }
}

fn tool(kind: ToolKind) -> ToolDefinition {
    ToolDefinition { at: "tools[0]".into(), kind, extra: Vec::new() }
}

fn function(name: &str, parameters: Option<Value>) -> ToolDefinition {
    tool(ToolKind::Function {
        name: name.into(),
        description: None,
        parameters: parameters.as_ref().map(raw),
        strict: None,
    })
}
