//! Tools, and whether one has to be called.

use serde_json::value::RawValue;

use super::super::mark;
use crate::json::{ArrayWriter, JsonValue, ObjectWriter};
use crate::{ChatRequest, DropReport, Format, MalformedRequest, ToolChoice, ToolDefinition, ToolKind, Unsupported};

/// Writes `tools`, `tool_choice` and `parallel_tool_calls`.
pub fn write(ask: &ChatRequest, carry: &mut DropReport, object: &mut ObjectWriter<'_>) -> Result<(), Unsupported> {
    if !ask.tools.is_empty() {
        let mut list = object.array("tools");
        for tool in &ask.tools {
            write_tool(tool, ask.from, carry, &mut list)?;
        }
        list.end();
    }
    // Without tools there is nothing to choose, and other formats' servers let a choice pass that these do not.
    let idle = ask.tools.is_empty() && !carry.same_format();
    if let Some(choice) = ask.tool_choice.as_ref().filter(|_| !idle) {
        write_choice(ask, &choice.at, &choice.value, carry, object)?;
    }
    if let Some(parallel) = ask.parallel_calls.as_ref().filter(|_| !idle) {
        object.member("parallel_tool_calls", &parallel.value);
    }
    Ok(())
}

/// Refuses a name that providers refuse.
pub fn check_name(at: &str, name: &str) -> Result<(), Unsupported> {
    if Format::Responses.takes_function_name(name) {
        return Ok(());
    }
    let reason = format!("`{name}`: this model's functions have names of at most 64 letters, digits, _ and -");
    Err(Unsupported::new(at, reason))
}

fn write_tool(
    tool: &ToolDefinition,
    from: Format,
    carry: &mut DropReport,
    list: &mut ArrayWriter<'_>,
) -> Result<(), Unsupported> {
    match &tool.kind {
        ToolKind::Function { name, description, parameters, strict } => {
            if !carry.same_format() {
                check_name(&tool.at, name)?;
            }
            let mut object = list.object();
            object.member("type", "function").member("name", name).maybe("description", description.as_ref());
            match parameters {
                Some(schema) => object.member("parameters", schema),
                None if carry.same_format() => object.member("parameters", &()),
                None => object.member("parameters", &empty_schema()),
            };
            // Absent means strict here, and not strict elsewhere.
            let strict = if carry.same_format() { *strict } else { Some(strict.unwrap_or_default()) };
            object.maybe("strict", strict.as_ref());
            carry.extras(&tool.extra, &mut object);
            object.end();
        }
        ToolKind::WebSearch => {
            let mut object = list.object();
            if mark::find(&tool.extra, "type").is_none() || !carry.same_format() {
                object.member("type", "web_search");
            }
            carry.extras(&tool.extra, &mut object);
            object.end();
        }
        ToolKind::Custom { raw, .. } | ToolKind::Hosted { raw, .. } if carry.same_format() => {
            list.element(raw);
        }
        ToolKind::Custom { name, raw } if from == Format::Chat => {
            check_name(&tool.at, name)?;
            let flat = custom(raw).map_err(|wrong| Unsupported::new(&tool.at, wrong.to_string()))?;
            list.element(&flat);
        }
        ToolKind::Custom { .. } => {
            return Err(Unsupported::new(&tool.at, "this model has no tools with free text input; make it a function"));
        }
        ToolKind::Hosted { name, .. } => {
            return Err(Unsupported::new(&tool.at, format!("this model's provider runs no `{name}`; leave it out")));
        }
    }
    Ok(())
}

/// A custom tool, nested as chat completions have it, made flat: the tool's and its grammar's members stand one level up.
fn custom(raw: &RawValue) -> Result<Box<RawValue>, MalformedRequest> {
    let nested = JsonValue { at: String::new(), raw }.object()?.required(&["custom"])?;
    let mut nested = nested.object()?;
    let mut out = Vec::new();
    let mut object = ObjectWriter::new(&mut out);
    object.member("type", "custom");
    if let Some(format) = nested.value(&["format"]) {
        let mut format = format.object()?;
        let word = format.required(&["type"])?.text()?;
        let grammar = format.object(&["grammar"])?;
        let mut flat = object.object("format");
        flat.member("type", &word).extras(&grammar.map(crate::json::JsonObject::rest).unwrap_or_default());
        flat.extras(&format.rest());
        flat.end();
    }
    object.extras(&nested.rest());
    object.end();
    let text = String::from_utf8(out).expect("JSON is text");
    Ok(RawValue::from_string(text).expect("what the writer wrote is JSON"))
}

fn empty_schema() -> Box<RawValue> {
    RawValue::from_string(r#"{"type":"object","properties":{}}"#.to_owned()).expect("it is JSON")
}

fn write_choice(
    ask: &ChatRequest,
    at: &str,
    choice: &ToolChoice,
    carry: &DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    match choice {
        ToolChoice::Auto => object.member("tool_choice", "auto"),
        ToolChoice::Never => object.member("tool_choice", "none"),
        ToolChoice::Some => object.member("tool_choice", "required"),
        ToolChoice::Named(name) => {
            let mut chosen = object.object("tool_choice");
            chosen.member("type", word(ask, name)).member("name", name);
            chosen.end();
            object
        }
        ToolChoice::Among { names, must } => {
            let mut chosen = object.object("tool_choice");
            chosen.member("type", "allowed_tools").member("mode", if *must { "required" } else { "auto" });
            let mut list = chosen.array("tools");
            for name in names {
                let mut tool = list.object();
                tool.member("type", word(ask, name)).member("name", name);
                tool.end();
            }
            list.end();
            chosen.end();
            object
        }
        ToolChoice::Other(raw) if carry.same_format() => object.member("tool_choice", raw),
        ToolChoice::Other(_) => {
            return Err(Unsupported::new(at, "this model's provider knows no such choice; name a function"));
        }
    };
    Ok(())
}

/// The kind of the tool of that name.
fn word(ask: &ChatRequest, name: &str) -> &'static str {
    let custom = |tool: &ToolDefinition| matches!(&tool.kind, ToolKind::Custom { name: known, .. } if known == name);
    if ask.tools.iter().any(custom) { "custom" } else { "function" }
}
