//! `tools` and `toolConfig`: the tools, and the constraint on calls.

use super::super::part::listed;
use super::super::schema;
use crate::json::{JsonObject, JsonValue};
use crate::{ChatRequest, LocatedValue, MalformedRequest, ToolChoice, ToolDefinition, ToolKind, UnknownMember};

/// Reads `tools`. One tool of the format may hold several of ours.
///
/// # Errors
/// When something is of the wrong type or missing.
pub fn read(body: &mut JsonObject<'_>) -> Result<Vec<ToolDefinition>, MalformedRequest> {
    let mut tools = Vec::new();
    let Some(value) = body.value(&["tools"]) else { return Ok(tools) };
    for value in listed(&value)? {
        let mut tool = value.object()?;
        if let Some(declarations) = tool.value(&["functionDeclarations", "function_declarations"]) {
            for declaration in listed(&declarations)? {
                tools.push(function(&declaration)?);
            }
        }
        if let Some(search) = tool.value(&["googleSearch", "google_search"]) {
            let extra = search.object()?.rest();
            tools.push(ToolDefinition { at: search.at, kind: ToolKind::WebSearch, extra });
        }
        // Any other member is a tool that the provider runs.
        for UnknownMember { at, name, value } in tool.rest() {
            if value.get() != "null" {
                tools.push(ToolDefinition { at, kind: ToolKind::Hosted { name, raw: value }, extra: Vec::new() });
            }
        }
    }
    Ok(tools)
}

fn function(value: &JsonValue<'_>) -> Result<ToolDefinition, MalformedRequest> {
    let mut function = value.object()?;
    let name = function.required(&["name"])?.text()?;
    let description = function.text(&["description"])?;
    let parameters = match function.value(&["parametersJsonSchema", "parameters_json_schema"]) {
        Some(value) if value.starts_with('{') => Some(value.raw.to_owned()),
        Some(value) => return Err(value.wrong("an object")),
        None => function.value(&["parameters"]).map(|value| schema::json_schema(&value)).transpose()?,
    };
    let kind = ToolKind::Function { name, description, parameters, strict: None };
    Ok(ToolDefinition { at: value.at.clone(), kind, extra: function.rest() })
}

/// Reads `toolConfig` into the request.
///
/// # Errors
/// When something is of the wrong type.
pub fn choice(body: &mut JsonObject<'_>, ask: &mut ChatRequest) -> Result<(), MalformedRequest> {
    let Some(mut config) = body.object(&["toolConfig", "tool_config"])? else { return Ok(()) };
    if let Some(value) = config.value(&["functionCallingConfig", "function_calling_config"]) {
        let mut calling = value.object()?;
        if let Some(choice) = mode(&value, &mut calling, &mut ask.extra)? {
            ask.tool_choice = Some(LocatedValue { at: value.at.clone(), value: choice });
        }
        if !matches!(&ask.tool_choice, Some(LocatedValue { value: ToolChoice::Other(_), .. })) {
            extras("toolConfig.functionCallingConfig", calling, &mut ask.extra);
        }
    }
    extras("toolConfig", config, &mut ask.extra);
    Ok(())
}

fn mode(
    value: &JsonValue<'_>,
    calling: &mut JsonObject<'_>,
    extra: &mut Vec<UnknownMember>,
) -> Result<Option<ToolChoice>, MalformedRequest> {
    let mode = calling.value(&["mode"]);
    let names = calling.list(&["allowedFunctionNames", "allowed_function_names"])?;
    let mut names = names.iter().map(JsonValue::text).collect::<Result<Vec<_>, _>>()?;
    let Some(mode) = mode else {
        return Ok((!names.is_empty()).then_some(ToolChoice::Among { names, must: false }));
    };
    Ok(Some(match mode.text()?.to_ascii_uppercase().as_str() {
        "NONE" => ToolChoice::Never,
        "ANY" if names.is_empty() => ToolChoice::Some,
        "ANY" if names.len() == 1 => ToolChoice::Named(names.remove(0)),
        "ANY" => ToolChoice::Among { names, must: true },
        "AUTO" | "MODE_UNSPECIFIED" | "" if names.is_empty() => ToolChoice::Auto,
        "AUTO" | "MODE_UNSPECIFIED" | "" => ToolChoice::Among { names, must: false },
        // As it likes, but in keeping with the schemas: what formats with a `strict` would say on each tool.
        "VALIDATED" => {
            let name = "toolConfig.functionCallingConfig.mode".to_owned();
            extra.push(UnknownMember { at: mode.at, name, value: mode.raw.to_owned() });
            if names.is_empty() { ToolChoice::Auto } else { ToolChoice::Among { names, must: false } }
        }
        _ => ToolChoice::Other(value.raw.to_owned()),
    }))
}

/// Adds the members of an object that were not read, named below the object's name.
pub fn extras(scope: &str, object: JsonObject<'_>, into: &mut Vec<UnknownMember>) {
    into.extend(
        object.rest().into_iter().map(|member| UnknownMember { name: format!("{scope}.{}", member.name), ..member }),
    );
}
