//! What a provider of format G checks of a request as a whole.

use serde_json::Value;

use crate::gateway::UPSTREAM_KEY;
use crate::upstream::Received;

use super::super::check::{Checked, Complaint, ensure, has, key, known, list, name, text};
use super::super::seen::{Calling, Seen, Tool};
use super::contents;

const FIELDS: &[&str] = &[
    "cachedContent",
    "contents",
    "generationConfig",
    "labels",
    "safetySettings",
    "serviceTier",
    "store",
    "systemInstruction",
    "toolConfig",
    "tools",
];
const CONFIG: &[&str] = &[
    "candidateCount",
    "frequencyPenalty",
    "logprobs",
    "maxOutputTokens",
    "mediaResolution",
    "presencePenalty",
    "responseJsonSchema",
    "responseLogprobs",
    "responseMimeType",
    "responseModalities",
    "responseSchema",
    "seed",
    "speechConfig",
    "stopSequences",
    "temperature",
    "thinkingConfig",
    "topK",
    "topP",
];
/// The words of a schema that is not plain JSON schema.
const SCHEMA: &[&str] = &[
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "nullable",
    "pattern",
    "properties",
    "propertyOrdering",
    "required",
    "title",
    "type",
];
const STOPS_MAX: usize = 5;

/// What a member too many is called.
pub(super) fn unknown(name: &str) -> String {
    format!("Invalid JSON payload received. Unknown name \"{name}\": Cannot find field.")
}

pub(super) fn read(request: &Received, body: &Value) -> Checked<Seen> {
    key(request.header("x-goog-api-key"), UPSTREAM_KEY)?;
    known(body, FIELDS, unknown)?;
    let stream = request.line.contains(":streamGenerateContent?alt=sse");
    ensure(stream || request.line.contains(":generateContent "), "unknown method")?;
    let mut seen = Seen { stream, ..Seen::default() };
    if has(body, "systemInstruction") {
        for part in list(&body["systemInstruction"]["parts"], "system_instruction.parts")? {
            seen.system.push(text(&part["text"], "system_instruction.parts.text")?.to_owned());
        }
    }
    tools(body, &mut seen)?;
    config(&body["generationConfig"], &mut seen)?;
    contents::read(list(&body["contents"], "contents is not specified")?, &mut seen)?;
    Ok(seen)
}

fn tools(body: &Value, seen: &mut Seen) -> Checked {
    for tool in body["tools"].as_array().into_iter().flatten() {
        known(tool, &["functionDeclarations"], unknown)?;
        for function in list(&tool["functionDeclarations"], "function_declarations")? {
            declaration(function, seen)?;
        }
    }
    let config = &body["toolConfig"]["functionCallingConfig"];
    if config.is_null() {
        return Ok(());
    }
    ensure(!seen.tools.is_empty(), "Function calling config is set without function_declarations.")?;
    known(config, &["mode", "allowedFunctionNames"], unknown)?;
    let allowed = config["allowedFunctionNames"].as_array();
    seen.calling = match (config["mode"].as_str(), allowed) {
        (Some("NONE"), None) => Calling::Never,
        (Some("AUTO" | "VALIDATED") | None, None) => Calling::Free,
        (Some("ANY"), None) => Calling::Must,
        (Some("ANY"), Some(names)) => Calling::Named(text(&names[0], "allowed_function_names")?.to_owned()),
        _ => return Err(Complaint::new("allowed_function_names should be set only when mode is ANY.")),
    };
    Ok(())
}

fn declaration(function: &Value, seen: &mut Seen) -> Checked {
    let names =
        ["name", "description", "parameters", "parametersJsonSchema", "response", "responseJsonSchema", "behavior"];
    known(function, &names, unknown)?;
    let both = has(function, "parameters") && has(function, "parametersJsonSchema");
    ensure(!both, "only one of parameters and parameters_json_schema may be set")?;
    let given = if has(function, "parameters") { &function["parameters"] } else { &function["parametersJsonSchema"] };
    if has(function, "parameters") {
        schema(given)?;
        ensure(
            given["type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("object")),
            "parameters.type should be OBJECT",
        )?;
    }
    let name = name(&function["name"], "function_declarations.name", 64)?;
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    ensure(begins, "function_declarations.name: Invalid function name. Must start with a letter or an underscore.")?;
    seen.tools.push(Tool { name: name.to_owned(), schema: given.clone() });
    Ok(())
}

/// A schema in the format's own subset.
fn schema(given: &Value) -> Checked {
    known(given, SCHEMA, unknown)?;
    ensure(!given["type"].is_array(), "schema.type: Proto field is not repeating, cannot start list.")?;
    let inner = given["properties"].as_object().into_iter().flat_map(serde_json::Map::values);
    inner.chain(given.get("items")).chain(given["anyOf"].as_array().into_iter().flatten()).try_for_each(schema)
}

fn config(config: &Value, seen: &mut Seen) -> Checked {
    if config.is_null() {
        return Ok(());
    }
    known(config, CONFIG, unknown)?;
    if has(config, "responseSchema") || has(config, "responseJsonSchema") {
        let json = config["responseMimeType"] == "application/json";
        ensure(json, "Response schema is only supported with the response mime type application/json")?;
        ensure(!(has(config, "responseSchema") && has(config, "responseJsonSchema")), "only one schema may be set")?;
    }
    if has(config, "responseSchema") {
        schema(&config["responseSchema"])?;
    }
    let shape = config.get("responseSchema").or_else(|| config.get("responseJsonSchema"));
    seen.schema = shape.cloned().or_else(|| (config["responseMimeType"] == "application/json").then_some(Value::Null));
    let thinking = &config["thinkingConfig"];
    if !thinking.is_null() {
        known(thinking, &["includeThoughts", "thinkingBudget", "thinkingLevel"], unknown)?;
        let both = has(thinking, "thinkingBudget") && has(thinking, "thinkingLevel");
        ensure(!both, "You can only set only one of thinking budget and thinking level.")?;
    }
    seen.wants_thoughts = thinking["includeThoughts"] == true;
    let stops = config["stopSequences"].as_array().map(Vec::as_slice).unwrap_or_default();
    ensure(stops.len() <= STOPS_MAX, "stop_sequences: too many")?;
    for (word, value) in [("temperature", &config["temperature"]), ("max", &config["maxOutputTokens"])] {
        if !value.is_null() {
            seen.settings.push(format!("{word}={value}"));
        }
    }
    seen.settings.extend(stops.iter().map(|stop| format!("stop={}", stop.as_str().unwrap_or_default())));
    Ok(())
}
