//! Tools and the choice among them.

use serde_json::value::RawValue;

use super::super::native_members::NativeMembers;
use crate::json::{ArrayWriter, JsonObject, JsonValue, ObjectWriter};
use crate::{DropReport, Format, LocatedValue, MalformedRequest, ToolChoice, ToolDefinition, ToolKind, Unsupported};

/// Writes `tools`, and `web_search_options` for the web search. Tells whether there are tools beside that.
pub fn write(
    tools: &[ToolDefinition],
    from: Format,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<bool, Unsupported> {
    let (searches, tools): (Vec<&ToolDefinition>, Vec<&ToolDefinition>) =
        tools.iter().partition(|tool| matches!(tool.kind, ToolKind::WebSearch));
    if !tools.is_empty() {
        let mut list = object.array("tools");
        for tool in &tools {
            element(tool, from, carry, &mut list)?;
        }
        list.end();
    }
    if let Some(search) = searches.first() {
        let mut options = object.object("web_search_options");
        NativeMembers::of(&search.extra, carry).write(&mut options);
        options.end();
    }
    Ok(!tools.is_empty())
}

/// Refuses a name of another format's tool that cannot be one here.
pub fn fits_name(at: &str, name: &str, carry: &DropReport) -> Result<(), Unsupported> {
    if carry.same_format() || Format::Chat.takes_function_name(name) {
        return Ok(());
    }
    let reason = "the model's provider takes names of 1 to 64 letters, digits, `_` and `-`; rename the tool";
    Err(Unsupported::new(at, reason))
}

fn element(
    tool: &ToolDefinition,
    from: Format,
    carry: &mut DropReport,
    list: &mut ArrayWriter<'_>,
) -> Result<(), Unsupported> {
    let extra = NativeMembers::of(&tool.extra, carry);
    match &tool.kind {
        ToolKind::Function { name, description, parameters, strict } => {
            fits_name(&tool.at, name, carry)?;
            function(name, description.as_deref(), parameters.as_deref(), *strict, extra, list.object());
        }
        ToolKind::Custom { raw, .. } | ToolKind::Hosted { raw, .. } if from == Format::Chat => {
            list.element(raw);
        }
        ToolKind::Custom { name, raw } if from == Format::Responses => {
            fits_name(&tool.at, name, carry)?;
            custom(raw, list.object()).map_err(|odd| Unsupported::new(&tool.at, odd.to_string()))?;
        }
        ToolKind::Custom { .. } => {
            let reason = "the model's provider takes no tools with free text as input; make it a function";
            return Err(Unsupported::new(&tool.at, reason));
        }
        ToolKind::Hosted { name, .. } => {
            let reason = format!("the model's provider does not run `{name}`; leave it out or make it a function");
            return Err(Unsupported::new(&tool.at, reason));
        }
        ToolKind::WebSearch => {
            let reason = "the model's provider does not run this tool; leave it out or make it a function";
            return Err(Unsupported::new(&tool.at, reason));
        }
    }
    Ok(())
}

fn function(
    name: &str,
    description: Option<&str>,
    parameters: Option<&RawValue>,
    strict: Option<bool>,
    mut extra: NativeMembers<'_>,
    mut tool: ObjectWriter<'_>,
) {
    let inside = extra.inside("function");
    tool.member("type", "function");
    let mut function = tool.object("function");
    function.member("name", name);
    function.maybe("description", description);
    function.maybe("parameters", parameters);
    function.maybe("strict", strict.as_ref());
    inside.write(&mut function);
    function.end();
    extra.write(&mut tool);
    tool.end();
}

/// A tool with free text as input, as format R writes it: flat, and its grammar one level higher.
fn custom(raw: &RawValue, mut tool: ObjectWriter<'_>) -> Result<(), MalformedRequest> {
    let mut given = JsonValue::document(raw.get().as_bytes())?.object()?;
    tool.member("type", "custom");
    let mut custom = tool.object("custom");
    custom.member("name", &given.required(&["name"])?.text()?);
    custom.maybe("description", given.text(&["description"])?.as_ref());
    if let Some(mut format) = given.object(&["format"])? {
        grammar(&mut format, custom.object("format"))?;
    }
    custom.end();
    tool.end();
    Ok(())
}

fn grammar(given: &mut JsonObject<'_>, mut format: ObjectWriter<'_>) -> Result<(), MalformedRequest> {
    let kind = given.required(&["type"])?.text()?;
    format.member("type", &kind);
    if kind == "grammar" {
        let mut grammar = format.object("grammar");
        grammar.member("syntax", &given.required(&["syntax"])?.text()?);
        grammar.member("definition", &given.required(&["definition"])?.text()?);
        grammar.end();
    }
    format.end();
    Ok(())
}

/// Writes `tool_choice`. Upstreams refuse one without tools; it would choose among nothing.
pub fn choice(
    choice: Option<&LocatedValue<ToolChoice>>,
    tools: &[ToolDefinition],
    has_tools: bool,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    let Some(LocatedValue { at, value }) = choice else { return Ok(()) };
    if !has_tools && !carry.same_format() {
        carry.drop(at);
        return Ok(());
    }
    let word = match value {
        ToolChoice::Auto => "auto",
        ToolChoice::Never => "none",
        ToolChoice::Some => "required",
        ToolChoice::Named(name) => {
            named(name, tools, object.object("tool_choice"));
            return Ok(());
        }
        ToolChoice::Among { names, must } => {
            among(names, *must, tools, object.object("tool_choice"));
            return Ok(());
        }
        ToolChoice::Other(raw) if carry.same_format() => {
            object.member("tool_choice", raw);
            return Ok(());
        }
        ToolChoice::Other(_) => {
            return Err(Unsupported::new(at, "the model's provider cannot be told this; choose a function by name"));
        }
    };
    object.member("tool_choice", word);
    Ok(())
}

fn named(name: &str, tools: &[ToolDefinition], mut object: ObjectWriter<'_>) {
    let is_it = |tool: &ToolDefinition| matches!(&tool.kind, ToolKind::Custom { name: custom, .. } if custom == name);
    let kind = if tools.iter().any(is_it) { "custom" } else { "function" };
    object.member("type", kind);
    let mut inner = object.object(kind);
    inner.member("name", name);
    inner.end();
    object.end();
}

fn among(names: &[String], must: bool, tools: &[ToolDefinition], mut object: ObjectWriter<'_>) {
    object.member("type", "allowed_tools");
    let mut allowed = object.object("allowed_tools");
    allowed.member("mode", if must { "required" } else { "auto" });
    let mut list = allowed.array("tools");
    for name in names {
        named(name, tools, list.object());
    }
    list.end();
    allowed.end();
    object.end();
}
