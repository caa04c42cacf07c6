//! Tools, the choice among them, and the older `functions` and `function_call`.

use super::super::native_members;
use crate::json::{JsonObject, JsonValue};
use crate::{LocatedValue, MalformedRequest, ToolChoice, ToolDefinition, ToolKind, UnknownMember};

/// Takes all that the model may call. The web search, which has a member of its own, comes last.
pub fn read(ask: &mut JsonObject<'_>) -> Result<Vec<ToolDefinition>, MalformedRequest> {
    let mut tools = ask.list(&["tools"])?.iter().map(tool).collect::<Result<Vec<_>, _>>()?;
    for value in ask.list(&["functions"])? {
        let mut extra = Vec::new();
        let kind = function(value.object()?, &mut extra, JsonObject::rest)?;
        tools.push(ToolDefinition { at: value.at, kind, extra });
    }
    if let Some(search) = ask.value(&["web_search_options"]) {
        tools.push(ToolDefinition { kind: ToolKind::WebSearch, extra: search.object()?.rest(), at: search.at });
    }
    Ok(tools)
}

fn tool(value: &JsonValue<'_>) -> Result<ToolDefinition, MalformedRequest> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    let mut extra = Vec::new();
    let kind = match name.as_str() {
        "function" => {
            let described = object.required(&["function"])?.object()?;
            let kind = function(described, &mut extra, |rest| native_members::rest_of("function", rest))?;
            extra.extend(object.rest());
            kind
        }
        "custom" => {
            let name = object.required(&["custom"])?.object()?.required(&["name"])?.text()?;
            ToolKind::Custom { name, raw: value.raw.to_owned() }
        }
        _ => ToolKind::Hosted { name, raw: value.raw.to_owned() },
    };
    Ok(ToolDefinition { at: value.at.clone(), kind, extra })
}

fn function<'a>(
    mut object: JsonObject<'a>,
    extra: &mut Vec<UnknownMember>,
    rest: impl FnOnce(JsonObject<'a>) -> Vec<UnknownMember>,
) -> Result<ToolKind, MalformedRequest> {
    let name = object.required(&["name"])?.text()?;
    let description = object.text(&["description"])?;
    let parameters = object.value(&["parameters"]);
    let parameters = parameters.map(|value| value.object().map(|_| value.raw.to_owned())).transpose()?;
    let strict = object.flag(&["strict"])?;
    extra.extend(rest(object));
    Ok(ToolKind::Function { name, description, parameters, strict })
}

/// Takes the choice, by its name or its older one.
pub fn choice(ask: &mut JsonObject<'_>) -> Result<Option<LocatedValue<ToolChoice>>, MalformedRequest> {
    match ask.at_with(&["tool_choice"], choice_of)? {
        Some(choice) => Ok(Some(choice)),
        None => ask.at_with(&["function_call"], older_choice),
    }
}

fn choice_of(value: &JsonValue<'_>) -> Result<ToolChoice, MalformedRequest> {
    if value.starts_with('"') {
        return Ok(match value.text()?.as_str() {
            "auto" => ToolChoice::Auto,
            "none" => ToolChoice::Never,
            "required" => ToolChoice::Some,
            _ => ToolChoice::Other(value.raw.to_owned()),
        });
    }
    if !value.starts_with('{') {
        return Err(value.wrong("a text or an object"));
    }
    let mut object = value.object()?;
    let kind = object.required(&["type"])?.text()?;
    let choice = match kind.as_str() {
        "function" | "custom" => Some(ToolChoice::Named(named(&mut object, &kind)?)),
        "allowed_tools" => among(object.required(&["allowed_tools"])?.object()?)?,
        _ => None,
    };
    Ok(choice.unwrap_or_else(|| ToolChoice::Other(value.raw.to_owned())))
}

fn older_choice(value: &JsonValue<'_>) -> Result<ToolChoice, MalformedRequest> {
    if value.starts_with('{') {
        return Ok(ToolChoice::Named(value.object()?.required(&["name"])?.text()?));
    }
    choice_of(value)
}

/// The name below `function` or `custom`.
fn named(object: &mut JsonObject<'_>, kind: &str) -> Result<String, MalformedRequest> {
    object.required(&[kind])?.object()?.required(&["name"])?.text()
}

/// `None` where a tool is listed that has no name of the client's.
fn among(mut object: JsonObject<'_>) -> Result<Option<ToolChoice>, MalformedRequest> {
    let mode = object.required(&["mode"])?;
    let must = match mode.text()?.as_str() {
        "auto" => false,
        "required" => true,
        _ => return Err(mode.wrong("one of `auto`, `required`")),
    };
    let mut names = Vec::new();
    for tool in object.required(&["tools"])?.list()? {
        let mut tool = tool.object()?;
        let kind = tool.required(&["type"])?.text()?;
        if kind != "function" && kind != "custom" {
            return Ok(None);
        }
        names.push(named(&mut tool, &kind)?);
    }
    Ok(Some(ToolChoice::Among { names, must }))
}
