//! Tools, and whether the model must call one.

use serde_json::value::RawValue;

use super::super::nested;
use super::caching::CacheMarks;
use super::schema::{self, SchemaBudget};
use crate::json::{ArrayWriter, ObjectWriter};
use crate::{DropReport, Format, LocatedValue, ToolChoice, ToolDefinition, ToolKind, UnknownMember, Unsupported};

/// The web search that every provider knows, for clients of other formats.
const WEB_SEARCH: &str = "web_search_20250305";
/// The list of servers whose tools the provider runs.
const SERVERS: &str = "mcp_servers";

/// Writes the tools that may be called.
///
/// # Errors
/// When providers do not take one of them.
pub fn write(
    tools: &[ToolDefinition],
    choice: &EncodedToolChoice<'_>,
    marks: &mut CacheMarks,
    budget: &mut SchemaBudget,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    let (servers, listed): (Vec<_>, Vec<_>) =
        tools.iter().filter(|tool| choice.allows(tool)).partition(|tool| is_server(tool));
    for (name, tools) in [("tools", listed), (SERVERS, servers)] {
        if tools.is_empty() {
            continue;
        }
        let mut list = object.array(name);
        tools.into_iter().try_for_each(|tool| self::tool(tool, marks, budget, carry, &mut list))?;
        list.end();
    }
    Ok(())
}

/// The constraint on calls that is written.
#[derive(Debug)]
pub struct EncodedToolChoice<'a> {
    /// The choice of the client; `None` where nothing is to be written.
    said: Option<&'a ToolChoice>,
    parallel: Option<bool>,
}

impl<'a> EncodedToolChoice<'a> {
    /// The constraint for the client's choice.
    ///
    /// # Errors
    /// When it has no word here, or names nothing that could be called.
    pub fn of(
        tools: &[ToolDefinition],
        said: Option<&'a LocatedValue<ToolChoice>>,
        parallel: Option<&LocatedValue<bool>>,
        carry: &mut DropReport,
    ) -> Result<Self, Unsupported> {
        let parallel_said = parallel.map(|parallel| parallel.value);
        let choice = Self { said: said.map(|said| &said.value), parallel: parallel_said };
        if carry.same_format() {
            return Ok(choice);
        }
        if let Some(LocatedValue { at, value: ToolChoice::Other(_) }) = said {
            return Err(Unsupported::new(
                at,
                "the model's provider knows no such choice; use `auto` or name a function",
            ));
        }
        if !tools.iter().any(|tool| choice.allows(tool)) {
            return choice.of_nothing(said, parallel, carry);
        }
        Ok(choice)
    }

    /// True if the model is bound to call: it must not think then.
    pub fn is_forced(&self) -> bool {
        self.said.is_some_and(|said| match said {
            ToolChoice::Some | ToolChoice::Named(_) => true,
            ToolChoice::Among { must, .. } => *must,
            ToolChoice::Auto | ToolChoice::Never | ToolChoice::Other(_) => false,
        })
    }

    /// Writes it, with those of `extra` that belong to it.
    pub fn write(&self, extra: &[UnknownMember], carry: &DropReport, object: &mut ObjectWriter<'_>) {
        let single = self.parallel == Some(false);
        let (word, name) = match self.said {
            Some(ToolChoice::Other(raw)) => {
                object.member("tool_choice", raw);
                return;
            }
            None if !single => return,
            None | Some(ToolChoice::Auto | ToolChoice::Among { must: false, .. }) => ("auto", None),
            Some(ToolChoice::Some | ToolChoice::Among { must: true, .. }) => ("any", None),
            Some(ToolChoice::Never) => ("none", None),
            Some(ToolChoice::Named(name)) => ("tool", Some(name)),
        };
        let mut choice = object.object("tool_choice");
        choice.member("type", word).maybe("name", name);
        // Where the client of another format asks for nothing unusual, or for no calls at all, there is no switch.
        let switch = self.parallel.map(|parallel| !parallel);
        choice.maybe(
            "disable_parallel_tool_use",
            switch.filter(|off| carry.same_format() || (*off && word != "none")).as_ref(),
        );
        if carry.same_format() {
            nested::write(extra, "tool_choice", &mut choice);
        }
        choice.end();
    }

    /// There is nothing to call: what the client says of calls is for nothing, unless it insists.
    fn of_nothing(
        self,
        said: Option<&LocatedValue<ToolChoice>>,
        parallel: Option<&LocatedValue<bool>>,
        carry: &mut DropReport,
    ) -> Result<Self, Unsupported> {
        if let Some(said) = said.filter(|_| self.is_forced()) {
            return Err(Unsupported::new(&said.at, "there is no tool that the model could call; add it to the tools"));
        }
        carry.drop_any(said);
        carry.drop_any(parallel);
        Ok(Self { said: None, parallel: None })
    }

    /// A choice among some is the choice among all, where the others are not told.
    fn allows(&self, tool: &ToolDefinition) -> bool {
        let Some(ToolChoice::Among { names, .. }) = self.said else { return true };
        let name = match &tool.kind {
            ToolKind::Function { name, .. } | ToolKind::Custom { name, .. } | ToolKind::Hosted { name, .. } => name,
            ToolKind::WebSearch => "web_search",
        };
        names.iter().any(|allowed| allowed == name)
    }
}

/// Checks that a function may have that name.
///
/// # Errors
/// When it may not.
pub fn check_name(at: &str, name: &str) -> Result<(), Unsupported> {
    if Format::Messages.takes_function_name(name) {
        return Ok(());
    }
    let reason = "the model's provider takes names of 1 to 128 letters, digits, `_` and `-`; rename the function";
    Err(Unsupported::new(at, reason))
}

fn tool(
    tool: &ToolDefinition,
    marks: &mut CacheMarks,
    budget: &mut SchemaBudget,
    carry: &mut DropReport,
    list: &mut ArrayWriter<'_>,
) -> Result<(), Unsupported> {
    let same = carry.same_format();
    match &tool.kind {
        ToolKind::Function { name, description, parameters, strict } => {
            if !same {
                check_name(&tool.at, name)?;
            }
            let mut object = list.object();
            object.member("name", name).maybe("description", description.as_deref());
            let schema = arguments(parameters.as_deref(), same);
            match strict {
                Some(true) if !same => match bound(&schema, budget) {
                    Some(closed) => object.member("input_schema", &closed).member("strict", &true),
                    None => {
                        carry.drop(&format!("{}.strict", tool.at));
                        object.member("input_schema", &schema)
                    }
                },
                _ => object.member("input_schema", &schema).maybe("strict", strict.filter(|_| same).as_ref()),
            };
            extras(&tool.extra, marks, carry, &mut object);
            object.end();
        }
        ToolKind::WebSearch => {
            let mut object = list.object();
            if !same {
                object.member("type", WEB_SEARCH);
            }
            object.member("name", "web_search");
            extras(&tool.extra, marks, carry, &mut object);
            object.end();
        }
        ToolKind::Hosted { raw, .. } if same => {
            list.element(raw);
        }
        ToolKind::Hosted { name, .. } => {
            let reason = format!("the model's provider does not run `{name}`; leave it out or choose another model");
            return Err(Unsupported::new(&tool.at, reason));
        }
        ToolKind::Custom { .. } => {
            return Err(Unsupported::new(&tool.at, "the model's provider has no custom tools; use a function"));
        }
    }
    Ok(())
}

fn extras(extra: &[UnknownMember], marks: &mut CacheMarks, carry: &mut DropReport, object: &mut ObjectWriter<'_>) {
    if carry.same_format() {
        object.extras(extra);
    } else {
        marks.write(extra, carry, object);
    }
}

/// The schema of a strict tool, where it can be one that binds.
fn bound(schema: &RawValue, budget: &mut SchemaBudget) -> Option<Box<RawValue>> {
    let (closed, costs) = schema::closed(schema)?;
    budget.take_tool(costs).then_some(closed)
}

fn arguments(parameters: Option<&RawValue>, same: bool) -> Box<RawValue> {
    match parameters {
        Some(parameters) if same => parameters.to_owned(),
        Some(_) | None => schema::of_arguments(parameters),
    }
}

fn is_server(tool: &ToolDefinition) -> bool {
    matches!(&tool.kind, ToolKind::Hosted { name, .. } if name == SERVERS)
}
