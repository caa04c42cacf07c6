//! What a provider of format O checks.

use serde_json::Value;

use crate::gateway::UPSTREAM_KEY;
use crate::upstream::Received;

use super::super::check::{Checked, Complaint, data_url, ensure, has, key, known, list, name, parameters, text};
use super::super::seen::{Calling, Seen, Tool};

const FIELDS: &[&str] = &[
    "frequency_penalty",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "messages",
    "metadata",
    "model",
    "n",
    "parallel_tool_calls",
    "presence_penalty",
    "prompt_cache_key",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
];
const STOPS_MAX: usize = 4;

pub(super) fn read(request: &Received, body: &Value) -> Checked<Seen> {
    key(request.header("authorization"), &format!("Bearer {UPSTREAM_KEY}"))?;
    let older =
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    ensure(!has(body, "max_tokens"), older)?;
    known(body, FIELDS, |name| format!("Unrecognized request argument supplied: {name}"))?;
    text(&body["model"], "model")?;
    let mut seen = Seen { stream: body["stream"] == true, wants_thoughts: true, ..Seen::default() };
    seen.wants_usage = body["stream_options"]["include_usage"] == true;
    ensure(seen.stream || !has(body, "stream_options"), "'stream_options' is only allowed when 'stream' is enabled.")?;
    tools(body, &mut seen)?;
    settings(body, &mut seen)?;
    for (index, message) in list(&body["messages"], "messages")?.iter().enumerate() {
        self::message(message, &mut seen).map_err(|Complaint { status, message }| Complaint {
            status,
            message: format!("messages.[{index}]: {message}"),
        })?;
    }
    Ok(seen)
}

fn tools(body: &Value, seen: &mut Seen) -> Checked {
    if !has(body, "tools") {
        for name in ["tool_choice", "parallel_tool_calls"] {
            ensure(!has(body, name), format!("'{name}' is only allowed when 'tools' are specified."))?;
        }
        return Ok(());
    }
    for tool in list(&body["tools"], "tools")? {
        ensure(tool["type"] == "function", "tools: unknown type")?;
        let function = &tool["function"];
        known(function, &["name", "description", "parameters", "strict"], |name| {
            format!("Unknown parameter: '{name}'.")
        })?;
        let name = name(&function["name"], "tools.function.name", 64)?.to_owned();
        if has(function, "parameters") {
            parameters(&function["parameters"], &format!("Invalid schema for function '{name}'"))?;
        }
        seen.tools.push(Tool { name, schema: function["parameters"].clone() });
    }
    let choice = &body["tool_choice"];
    seen.calling = match choice.as_str() {
        Some("none") => Calling::Never,
        Some("required") => Calling::Must,
        Some("auto") => Calling::Free,
        None if choice.is_null() => Calling::Free,
        _ => Calling::Named(text(&choice["function"]["name"], "tool_choice.function.name")?.to_owned()),
    };
    Ok(())
}

fn settings(body: &Value, seen: &mut Seen) -> Checked {
    let format = &body["response_format"];
    match format["type"].as_str() {
        Some("json_schema") => {
            name(&format["json_schema"]["name"], "response_format.json_schema.name", 64)?;
            seen.schema = Some(format["json_schema"]["schema"].clone());
        }
        Some("json_object") => seen.schema = Some(Value::Null),
        _ => ensure(format.is_null() || format["type"] == "text", "response_format.type: unknown")?,
    }
    let stops: Vec<&str> = match &body["stop"] {
        Value::String(stop) => vec![stop],
        stops => stops.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    };
    ensure(stops.len() <= STOPS_MAX, "Invalid 'stop': array too long.")?;
    for (word, value) in [("temperature", &body["temperature"]), ("max", &body["max_completion_tokens"])] {
        if !value.is_null() {
            seen.settings.push(format!("{word}={value}"));
        }
    }
    seen.settings.extend(stops.into_iter().map(|stop| format!("stop={stop}")));
    Ok(())
}

fn message(message: &Value, seen: &mut Seen) -> Checked {
    let role = text(&message["role"], "role")?;
    if role != "tool" {
        seen.answered()?;
    }
    match role {
        "system" | "developer" => {
            let said = content(&message["content"], &["text"], &mut Vec::new())?;
            seen.system.push(said);
        }
        "user" => {
            seen.turn("user");
            let mut pictures = Vec::new();
            let said = content(&message["content"], &["text", "image_url"], &mut pictures)?;
            seen.pictures.extend(pictures);
            seen.say(&said);
        }
        "tool" => {
            seen.turn("user");
            let said = content(&message["content"], &["text"], &mut Vec::new())?;
            seen.result(text(&message["tool_call_id"], "tool_call_id")?, &said)?;
        }
        "assistant" => assistant(message, seen)?,
        _ => return Err(Complaint::new(format!("Invalid value: '{role}'."))),
    }
    Ok(())
}

fn assistant(message: &Value, seen: &mut Seen) -> Checked {
    seen.turn("assistant");
    let names = ["role", "content", "tool_calls", "refusal", "name", "reasoning_content", "annotations", "audio"];
    known(message, &names, |name| format!("Additional properties are not allowed ('{name}' was unexpected)"))?;
    seen.remembered += usize::from(has(message, "reasoning_content"));
    if !has(message, "tool_calls") {
        ensure(has(message, "content") || has(message, "refusal"), "content: expected a string, got null.")?;
    }
    if has(message, "content") {
        content(&message["content"], &["text", "refusal"], &mut Vec::new())?;
    }
    let calls = &message["tool_calls"];
    for call in if calls.is_null() { &[] } else { list(calls, "tool_calls")? } {
        ensure(call["type"] == "function", "tool_calls.type: expected 'function'")?;
        let id = text(&call["id"], "tool_calls.id")?;
        name(&call["function"]["name"], "tool_calls.function.name", 64)?;
        let arguments = call["function"]["arguments"].as_str().map(serde_json::from_str);
        let Some(Ok(arguments)) = arguments else { return Err(Complaint::new("arguments: expected JSON in a string")) };
        seen.called(id, &arguments);
    }
    Ok(())
}

/// A text, or parts of the kinds that the role may have.
fn content(content: &Value, kinds: &[&str], pictures: &mut Vec<String>) -> Checked<String> {
    if let Some(text) = content.as_str() {
        return Ok(text.to_owned());
    }
    let mut said = String::new();
    for part in list(content, "content")? {
        let kind = text(&part["type"], "content.type")?;
        ensure(kinds.contains(&kind), format!("Invalid content type '{kind}'"))?;
        match kind {
            "image_url" => pictures.push(data_url(text(&part["image_url"]["url"], "image_url.url")?)?),
            kind => said.push_str(part[kind].as_str().ok_or_else(|| Complaint::new("text: expected a string"))?),
        }
    }
    Ok(said)
}
