//! `tools` and `toolConfig`: the tools, and the constraint on calls.

use serde_json::value::RawValue;

use super::place;
use super::rules;
use crate::json::{ArrayWriter, ObjectWriter};
use crate::{ChatRequest, DropReport, LocatedValue, ToolChoice, ToolDefinition, ToolKind, UnknownMember, Unsupported};

const CALLING: &str = "toolConfig.functionCallingConfig.";

/// Writes `tools`: all functions in one tool of the format, then the provider's own.
///
/// # Errors
/// When a tool is one that only another format has, or its name does not fit.
pub fn write(
    tools: &[ToolDefinition],
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    if tools.is_empty() {
        return Ok(());
    }
    let mut list = object.array("tools");
    if tools.iter().any(is_function) {
        let mut tool = list.object();
        let mut functions = tool.array("functionDeclarations");
        for tool in tools.iter().filter(|tool| is_function(tool)) {
            function(tool, carry, &mut functions)?;
        }
        functions.end();
        tool.end();
    }
    for tool in tools {
        provided(tool, carry, &mut list)?;
    }
    list.end();
    Ok(())
}

const fn is_function(tool: &ToolDefinition) -> bool {
    matches!(tool.kind, ToolKind::Function { .. })
}

fn function(tool: &ToolDefinition, carry: &mut DropReport, list: &mut ArrayWriter<'_>) -> Result<(), Unsupported> {
    let ToolKind::Function { name, description, parameters, strict } = &tool.kind else { return Ok(()) };
    let mut function = list.object();
    let name = if carry.same_format() { name } else { rules::name(name, &tool.at)? };
    function.member("name", name).maybe("description", description.as_ref());
    // The older `parameters` knows only a part of JSON schema and refuses the rest.
    // An empty schema is none: where there is one it has to be that of an object.
    let own = carry.same_format();
    let schema = parameters.as_ref().filter(|schema| own || !is_empty(schema));
    function.maybe("parametersJsonSchema", schema);
    if *strict == Some(true) {
        carry.drop(&format!("{}.strict", tool.at));
    }
    carry.extras(&tool.extra, &mut function);
    function.end();
    Ok(())
}

fn provided(tool: &ToolDefinition, carry: &mut DropReport, list: &mut ArrayWriter<'_>) -> Result<(), Unsupported> {
    match &tool.kind {
        ToolKind::Function { .. } => {}
        ToolKind::WebSearch => {
            let mut object = list.object();
            let mut search = object.object("googleSearch");
            carry.extras(&tool.extra, &mut search);
            search.end();
            object.end();
        }
        ToolKind::Hosted { name, raw } if carry.same_format() => {
            let mut object = list.object();
            object.member(name, raw);
            object.end();
        }
        ToolKind::Hosted { name, .. } => {
            let reason = format!("the model's provider has no tool `{name}`; use functions of your own");
            return Err(Unsupported::new(&tool.at, reason));
        }
        ToolKind::Custom { .. } => {
            let reason = "the model's provider takes arguments as JSON only; make the tool a function";
            return Err(Unsupported::new(&tool.at, reason));
        }
    }
    Ok(())
}

/// Writes `toolConfig`.
///
/// # Errors
/// When the choice is one that only another format has.
pub fn write_choice(
    ask: &ChatRequest,
    choice: Option<&LocatedValue<ToolChoice>>,
    carry: &DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    let own: &[UnknownMember] = if carry.same_format() { &ask.extra } else { &[] };
    // Without functions there is nothing to choose, and the service says so.
    let choice = choice.filter(|_| carry.same_format() || ask.tools.iter().any(is_function));
    if choice.is_none() && !own.iter().any(|extra| extra.name.starts_with("toolConfig.")) {
        return Ok(());
    }
    let mut config = object.object("toolConfig");
    match choice {
        Some(LocatedValue { value: ToolChoice::Other(raw), .. }) if carry.same_format() => {
            config.member("functionCallingConfig", raw);
        }
        Some(LocatedValue { value: ToolChoice::Other(_), at }) => {
            return Err(Unsupported::new(
                at,
                "the model's provider has no such choice; use auto, required, none or a name",
            ));
        }
        Some(LocatedValue { value: choice, .. }) => calling(choice, own, &mut config),
        None => {
            if own.iter().any(|extra| extra.name.starts_with(CALLING)) {
                let mut calling = config.object("functionCallingConfig");
                place::beneath(own, CALLING, &mut calling);
                calling.end();
            }
        }
    }
    place::beneath(own, "toolConfig.", &mut config);
    config.end();
    Ok(())
}

fn calling(choice: &ToolChoice, own: &[UnknownMember], config: &mut ObjectWriter<'_>) {
    let mut calling = config.object("functionCallingConfig");
    let (mode, names): (&str, &[String]) = match choice {
        ToolChoice::Auto | ToolChoice::Other(_) => ("AUTO", &[]),
        ToolChoice::Never => ("NONE", &[]),
        ToolChoice::Some => ("ANY", &[]),
        ToolChoice::Named(name) => ("ANY", std::slice::from_ref(name)),
        ToolChoice::Among { names, must: true } => ("ANY", names),
        // With names, `AUTO` is refused; this mode lets the model speak instead of calling too.
        ToolChoice::Among { names, must: false } => ("VALIDATED", names),
    };
    if !own.iter().any(|extra| extra.name == "toolConfig.functionCallingConfig.mode") {
        calling.member("mode", mode);
    }
    if !names.is_empty() {
        calling.member("allowedFunctionNames", names);
    }
    place::beneath(own, CALLING, &mut calling);
    calling.end();
}

fn is_empty(schema: &RawValue) -> bool {
    schema.get().bytes().filter(|byte| !byte.is_ascii_whitespace()).eq(*b"{}")
}
