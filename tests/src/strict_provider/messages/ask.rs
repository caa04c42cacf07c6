//! What a provider of format A checks of a request as a whole.

use serde_json::Value;

use crate::gateway::UPSTREAM_KEY;
use crate::upstream::Received;

use super::super::check::{Checked, Complaint, ensure, has, key, known, list, name, parameters, text};
use super::super::seen::{Calling, Seen, Tool};
use super::blocks;
use super::schema::Complexity;

const FIELDS: &[&str] = &[
    "cache_control",
    "max_tokens",
    "messages",
    "metadata",
    "model",
    "output_config",
    "service_tier",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_p",
];
const BUDGET_MIN: u64 = 1024;

/// What a member too many is called.
pub(super) fn extra(name: &str) -> String {
    format!("{name}: Extra inputs are not permitted")
}

pub(super) fn read(request: &Received, body: &Value) -> Checked<Seen> {
    key(request.header("x-api-key"), UPSTREAM_KEY)?;
    ensure(request.header("anthropic-version").is_some(), "anthropic-version: header is required")?;
    known(body, FIELDS, extra)?;
    text(&body["model"], "model")?;
    let mut seen = Seen { stream: body["stream"] == true, wants_signatures: true, ..Seen::default() };
    let Some(max_tokens) = body["max_tokens"].as_u64().filter(|most| *most > 0) else {
        return Err(Complaint::new("max_tokens: Field required"));
    };
    system(&body["system"], &mut seen)?;
    let mut complexity = Complexity::default();
    tools(body, &mut complexity, &mut seen)?;
    generation(body)?;
    thinking(body, max_tokens, &mut seen)?;
    settings(body, &mut complexity, &mut seen)?;
    let messages = list(&body["messages"], "messages")?;
    ensure(messages[0]["role"] == "user", "messages: first message must use the \"user\" role")?;
    for (index, message) in messages.iter().enumerate() {
        blocks::message(message, &mut seen)
            .map_err(|complaint| Complaint::new(format!("messages.{index}.{}", complaint.message)))?;
    }
    Ok(seen)
}

/// What models of one generation refuse and those of another take, by the name: newer ones think by effort alone and take no
/// settings of sampling, older ones think by budget alone and know no effort.
fn generation(body: &Value) -> Checked {
    let model = body["model"].as_str().unwrap_or_default();
    let thinking = body["thinking"]["type"].as_str();
    if model.contains("newer") {
        ensure(
            thinking != Some("enabled"),
            "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior.",
        )?;
        for name in ["temperature", "top_p", "top_k"] {
            ensure(!has(body, name), format!("`{name}` is deprecated for this model."))?;
        }
        let effort = &body["output_config"]["effort"];
        let known = effort.as_str().is_some_and(|word| ["low", "medium", "high", "xhigh", "max"].contains(&word));
        ensure(
            effort.is_null() || known,
            "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
        )?;
    }
    if model.contains("older") {
        ensure(thinking != Some("adaptive"), "adaptive thinking is not supported on this model")?;
        ensure(body["output_config"]["effort"].is_null(), "This model does not support the effort parameter.")?;
    }
    Ok(())
}

fn system(system: &Value, seen: &mut Seen) -> Checked {
    if let Some(text) = system.as_str() {
        seen.system.push(text.to_owned());
    } else if !system.is_null() {
        for block in list(system, "system")? {
            known(block, &["type", "text", "cache_control", "citations"], extra)?;
            seen.system.push(text(&block["text"], "system: text content blocks must be non-empty")?.to_owned());
        }
    }
    Ok(())
}

fn tools(body: &Value, complexity: &mut Complexity, seen: &mut Seen) -> Checked {
    let choice = &body["tool_choice"];
    if !has(body, "tools") {
        return ensure(choice.is_null(), "tool_choice: may only be specified while providing tools");
    }
    for tool in list(&body["tools"], "tools")? {
        let names = ["name", "description", "input_schema", "type", "strict", "cache_control", "eager_input_streaming"];
        known(tool, &names, extra)?;
        let name = name(&tool["name"], "tools.name", 128)?.to_owned();
        parameters(&tool["input_schema"], "tools.input_schema")?;
        if tool["strict"] == true {
            complexity.bind(&tool["input_schema"])?;
        }
        seen.tools.push(Tool { name, schema: tool["input_schema"].clone() });
    }
    if choice.is_null() {
        return Ok(());
    }
    known(choice, &["type", "name", "disable_parallel_tool_use"], extra)?;
    seen.calling = match choice["type"].as_str() {
        Some("auto") => Calling::Free,
        Some("none") => Calling::Never,
        Some("any") => Calling::Must,
        Some("tool") => Calling::Named(text(&choice["name"], "tool_choice.name")?.to_owned()),
        _ => return Err(Complaint::new("tool_choice.type: unknown")),
    };
    Ok(())
}

fn thinking(body: &Value, max_tokens: u64, seen: &mut Seen) -> Checked {
    let thinking = &body["thinking"];
    // Who thinks by effort wants no thoughts of earlier turns back.
    seen.wants_thoughts_first = thinking["type"] == "enabled";
    seen.wants_thoughts = match thinking["type"].as_str() {
        Some("enabled") => {
            let budget = thinking["budget_tokens"].as_u64().unwrap_or_default();
            ensure(budget >= BUDGET_MIN, "thinking.budget_tokens: should be greater than or equal to 1024")?;
            ensure(budget < max_tokens, "`max_tokens` must be greater than `thinking.budget_tokens`")?;
            true
        }
        Some("adaptive") => true,
        Some("disabled") => false,
        _ => return ensure(thinking.is_null(), "thinking.type: unknown"),
    };
    if seen.wants_thoughts {
        let forced = matches!(seen.calling, Calling::Must | Calling::Named(_));
        ensure(!forced, "Thinking may not be enabled when tool_choice forces tool use.")?;
        let even = body["temperature"].is_null() || body["temperature"] == 1 || body["temperature"] == 1.0;
        ensure(even, "`temperature` may only be set to 1 when thinking is enabled.")?;
        ensure(!has(body, "top_k"), "`top_k` must be unset when thinking is enabled.")?;
    }
    Ok(())
}

fn settings(body: &Value, complexity: &mut Complexity, seen: &mut Seen) -> Checked {
    let config = &body["output_config"];
    if !config.is_null() {
        known(config, &["effort", "format"], extra)?;
        if has(config, "format") {
            known(&config["format"], &["type", "schema"], extra)?;
            ensure(config["format"]["type"] == "json_schema", "output_config.format.type: unknown")?;
            ensure(config["format"]["schema"].is_object(), "output_config.format.schema: Field required")?;
            complexity.bind(&config["format"]["schema"])?;
            seen.schema = Some(config["format"]["schema"].clone());
        }
    }
    let warm = body["temperature"].as_f64().is_some_and(|temperature| !(0.0..=1.0).contains(&temperature));
    ensure(!warm, "temperature: range: 0..1")?;
    for (word, value) in [("temperature", &body["temperature"]), ("max", &body["max_tokens"])] {
        if !value.is_null() {
            seen.settings.push(format!("{word}={value}"));
        }
    }
    for stop in body["stop_sequences"].as_array().into_iter().flatten() {
        let stop = stop.as_str().unwrap_or_default();
        ensure(!stop.trim().is_empty(), "stop_sequences: each stop sequence must contain non-whitespace")?;
        seen.settings.push(format!("stop={stop}"));
    }
    Ok(())
}
