//! Tools, which are flat here, and whether one has to be called.

use super::super::mark;
use crate::json::{JsonObject, JsonValue};
use crate::{LocatedValue, MalformedRequest, ToolChoice, ToolDefinition, ToolKind};

/// Reads the tools.
pub fn read(object: &mut JsonObject<'_>) -> Result<Vec<ToolDefinition>, MalformedRequest> {
    object.list(&["tools"])?.iter().map(tool).collect()
}

fn tool(value: &JsonValue<'_>) -> Result<ToolDefinition, MalformedRequest> {
    let mut object = value.object()?;
    let word = object.required(&["type"])?.text()?;
    let at = value.at.clone();
    let raw = value.raw.to_owned();
    Ok(match word.as_str() {
        "function" => ToolDefinition { at, kind: function(&mut object)?, extra: object.rest() },
        "custom" => {
            let name = object.required(&["name"])?.text()?;
            ToolDefinition { at, kind: ToolKind::Custom { name, raw }, extra: Vec::new() }
        }
        _ if word.starts_with("web_search") => {
            let extra = std::iter::once(mark::text("type", &word)).chain(object.rest()).collect();
            ToolDefinition { at, kind: ToolKind::WebSearch, extra }
        }
        _ => ToolDefinition { at, kind: ToolKind::Hosted { name: word, raw }, extra: Vec::new() },
    })
}

fn function(object: &mut JsonObject<'_>) -> Result<ToolKind, MalformedRequest> {
    let name = object.required(&["name"])?.text()?;
    let description = object.text(&["description"])?;
    let parameters = match object.value(&["parameters"]) {
        Some(schema) if schema.starts_with('{') => Some(schema.raw.to_owned()),
        Some(schema) => return Err(schema.wrong("an object")),
        None => None,
    };
    Ok(ToolKind::Function { name, description, parameters, strict: object.flag(&["strict"])? })
}

/// Reads `tool_choice`.
pub fn choice(object: &mut JsonObject<'_>) -> Result<Option<LocatedValue<ToolChoice>>, MalformedRequest> {
    object.at_with(&["tool_choice"], |value| {
        if value.starts_with('{') {
            return choice_object(value);
        }
        match value.text()?.as_str() {
            "auto" => Ok(ToolChoice::Auto),
            "none" => Ok(ToolChoice::Never),
            "required" => Ok(ToolChoice::Some),
            _ => Err(value.wrong("one of `auto`, `none`, `required`, or an object")),
        }
    })
}

fn choice_object(value: &JsonValue<'_>) -> Result<ToolChoice, MalformedRequest> {
    let mut object = value.object()?;
    let other = || ToolChoice::Other(value.raw.to_owned());
    match object.required(&["type"])?.text()?.as_str() {
        "function" | "custom" => Ok(ToolChoice::Named(object.required(&["name"])?.text()?)),
        "allowed_tools" => {
            let must = object.required(&["mode"])?.text()? == "required";
            let names = object.list(&["tools"])?.iter().map(allowed).collect::<Result<Option<Vec<_>>, _>>()?;
            Ok(names.map_or_else(other, |names| ToolChoice::Among { names, must }))
        }
        _ => Ok(other()),
    }
}

/// The name of an allowed tool, where it is one of the client's.
fn allowed(value: &JsonValue<'_>) -> Result<Option<String>, MalformedRequest> {
    let mut object = value.object()?;
    match object.required(&["type"])?.text()?.as_str() {
        "function" | "custom" => Ok(Some(object.required(&["name"])?.text()?)),
        _ => Ok(None),
    }
}
