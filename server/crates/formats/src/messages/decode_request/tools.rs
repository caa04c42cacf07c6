//! Tools, and whether the model must call one.

use super::super::nested;
use crate::json::{JsonObject, JsonValue};
use crate::{LocatedValue, MalformedRequest, ToolChoice, ToolDefinition, ToolKind, UnknownMember};

/// The list of tools.
///
/// # Errors
/// When it is no list, or a tool is broken.
pub fn read(object: &mut JsonObject<'_>) -> Result<Vec<ToolDefinition>, MalformedRequest> {
    object.list(&["tools"])?.iter().map(tool).collect()
}

/// Servers whose tools the provider runs: tools too, though they stand in a list of their own.
///
/// # Errors
/// When it is no list.
pub fn servers(object: &mut JsonObject<'_>) -> Result<Vec<ToolDefinition>, MalformedRequest> {
    let servers = object.list(&["mcp_servers"])?;
    Ok(servers.into_iter().map(|server| hosted(&server, "mcp_servers".to_owned())).collect())
}

/// The content of `tool_choice`: the choice, and whether calls may be parallel.
type DecodedToolChoice = (Option<LocatedValue<ToolChoice>>, Option<LocatedValue<bool>>);

/// Reads `tool_choice`: whether the model must call a tool, and whether several at once.
///
/// # Errors
/// When it is no object, or has no type.
pub fn choice(
    object: &mut JsonObject<'_>,
    extra: &mut Vec<UnknownMember>,
) -> Result<DecodedToolChoice, MalformedRequest> {
    let Some(value) = object.value(&["tool_choice"]) else { return Ok((None, None)) };
    let mut choice = value.object()?;
    let kind = match choice.required(&["type"])?.text()?.as_str() {
        "auto" => ToolChoice::Auto,
        "any" => ToolChoice::Some,
        "none" => ToolChoice::Never,
        "tool" => ToolChoice::Named(choice.required(&["name"])?.text()?),
        _ => {
            let other = ToolChoice::Other(value.raw.to_owned());
            return Ok((Some(LocatedValue { at: value.at, value: other }), None));
        }
    };
    let parallel = choice.at_with(&["disable_parallel_tool_use"], |value| value.flag().map(|off| !off))?;
    extra.extend(nested::kept(choice, "tool_choice"));
    Ok((Some(LocatedValue { at: value.at, value: kind }), parallel))
}

fn tool(value: &JsonValue<'_>) -> Result<ToolDefinition, MalformedRequest> {
    let mut object = value.object()?;
    let kind = object.value(&["type"]);
    match kind.map(|kind| kind.text()).transpose()?.as_deref() {
        None | Some("custom") => function(value, object),
        Some(dated) if dated.starts_with("web_search_") => web_search(value),
        Some(other) => Ok(hosted(value, other.to_owned())),
    }
}

fn function(value: &JsonValue<'_>, mut object: JsonObject<'_>) -> Result<ToolDefinition, MalformedRequest> {
    let name = object.required(&["name"])?.text()?;
    let schema = object.required(&["input_schema"])?;
    schema.object()?;
    let kind = ToolKind::Function {
        name,
        description: object.text(&["description"])?,
        parameters: Some(schema.raw.to_owned()),
        strict: object.flag(&["strict"])?,
    };
    Ok(ToolDefinition { at: value.at.clone(), kind, extra: object.rest() })
}

/// Its dated type stays with what else it was told: the date says what the provider understands.
fn web_search(value: &JsonValue<'_>) -> Result<ToolDefinition, MalformedRequest> {
    let mut object = value.object()?;
    object.required(&["name"])?.text()?;
    Ok(ToolDefinition { at: value.at.clone(), kind: ToolKind::WebSearch, extra: object.rest() })
}

fn hosted(value: &JsonValue<'_>, name: String) -> ToolDefinition {
    ToolDefinition {
        at: value.at.clone(),
        kind: ToolKind::Hosted { name, raw: value.raw.to_owned() },
        extra: Vec::new(),
    }
}
