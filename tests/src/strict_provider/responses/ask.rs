//! What a provider of format R checks of a request as a whole.

use serde_json::Value;

use crate::gateway::UPSTREAM_KEY;
use crate::upstream::Received;

use super::super::check::{Checked, Complaint, ensure, has, key, known, list, name, parameters, text};
use super::super::seen::{Calling, Seen, Tool};
use super::items;

const FIELDS: &[&str] = &[
    "include",
    "input",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "model",
    "parallel_tool_calls",
    "prompt_cache_key",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
];
const OUTPUT_MIN: u64 = 16;

/// What a member too many is called.
pub(super) fn unknown(name: &str) -> String {
    format!("Unknown parameter: '{name}'.")
}

pub(super) fn read(request: &Received, body: &Value) -> Checked<Seen> {
    key(request.header("authorization"), &format!("Bearer {UPSTREAM_KEY}"))?;
    known(body, FIELDS, unknown)?;
    text(&body["model"], "model")?;
    let mut seen = Seen { stream: body["stream"] == true, wants_thoughts: true, ..Seen::default() };
    ensure(seen.stream || !has(body, "stream_options"), "'stream_options' is only allowed when 'stream' is enabled.")?;
    if has(body, "instructions") {
        seen.system.push(text(&body["instructions"], "instructions")?.to_owned());
    }
    tools(body, &mut seen)?;
    settings(body, &mut seen)?;
    reasoning(body, &mut seen)?;
    match &body["input"] {
        Value::String(said) => {
            seen.turn("user");
            seen.say(said);
        }
        input => items::read(list(input, "input")?, &mut seen)?,
    }
    Ok(seen)
}

fn tools(body: &Value, seen: &mut Seen) -> Checked {
    for tool in body["tools"].as_array().into_iter().flatten() {
        ensure(tool["type"] == "function", "tools.type: unknown")?;
        known(tool, &["type", "name", "description", "parameters", "strict"], unknown)?;
        parameters(&tool["parameters"], "tools.parameters")?;
        let name = name(&tool["name"], "tools.name", 64)?.to_owned();
        // Without a word the provider is strict.
        if tool["strict"] != false {
            closed(&tool["parameters"], &name)?;
        }
        seen.tools.push(Tool { name, schema: tool["parameters"].clone() });
    }
    let choice = &body["tool_choice"];
    seen.calling = match choice.as_str() {
        Some("none") => Calling::Never,
        Some("auto") => Calling::Free,
        Some("required") => Calling::Must,
        None if choice.is_null() => Calling::Free,
        _ => Calling::Named(text(&choice["name"], "tool_choice.name")?.to_owned()),
    };
    let must = matches!(seen.calling, Calling::Must | Calling::Named(_));
    ensure(!must || !seen.tools.is_empty(), "Tool choice 'required' must be specified with 'tools' parameter.")
}

/// A strict schema closes its objects and requires all their members.
fn closed(schema: &Value, name: &str) -> Checked {
    let complaint = |what: &str| format!("Invalid schema for function '{name}': {what}");
    if let Some(properties) = schema["properties"].as_object() {
        ensure(schema["additionalProperties"] == false, complaint("'additionalProperties' is required to be false"))?;
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let all = properties.keys().all(|property| required.contains(&property.as_str()));
        ensure(all, complaint("'required' is required to include every key in properties"))?;
    }
    Ok(())
}

fn settings(body: &Value, seen: &mut Seen) -> Checked {
    let format = &body["text"]["format"];
    match format["type"].as_str() {
        Some("json_schema") => {
            name(&format["name"], "text.format.name", 64)?;
            ensure(format["schema"].is_object(), "Missing required parameter: 'text.format.schema'.")?;
            seen.schema = Some(format["schema"].clone());
        }
        Some("json_object") => seen.schema = Some(Value::Null),
        _ => ensure(format.is_null() || format["type"] == "text", "text.format.type: unknown")?,
    }
    let bound = &body["max_output_tokens"];
    let enough = bound.is_null() || bound.as_u64().is_some_and(|most| most >= OUTPUT_MIN);
    ensure(enough, "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.")?;
    for (word, value) in [("temperature", &body["temperature"]), ("max", bound)] {
        if !value.is_null() {
            seen.settings.push(format!("{word}={value}"));
        }
    }
    Ok(())
}

fn reasoning(body: &Value, seen: &mut Seen) -> Checked {
    let reasoning = &body["reasoning"];
    if !reasoning.is_null() {
        known(reasoning, &["effort", "summary", "context"], unknown)?;
        let efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
        let effort = reasoning["effort"].as_str();
        ensure(effort.is_none_or(|effort| efforts.contains(&effort)), "Invalid value: 'reasoning.effort'.")?;
        seen.wants_summary = has(reasoning, "summary");
    }
    for included in body["include"].as_array().into_iter().flatten() {
        let included = included.as_str().unwrap_or_default();
        let words = ["reasoning.encrypted_content", "message.output_text.logprobs"];
        if !words.contains(&included) {
            return Err(Complaint::new(format!("Invalid value: '{included}'.")));
        }
        seen.wants_signatures |= included == words[0];
    }
    Ok(())
}
