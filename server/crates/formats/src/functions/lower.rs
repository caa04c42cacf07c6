//! A request whose tools are functions.

use std::collections::BTreeSet;

use serde_json::value::{RawValue, to_raw_value};

use super::super::json::JsonValue;
use super::super::{
    BlockKind, ChatMessage, ChatRequest, ContentBlock, Format, LocatedValue, MalformedRequest, ToolChoice,
    ToolDefinition, ToolKind, UnknownMember, responses,
};
use super::names::SEPARATOR;
use super::published::{PublishedTool, published};
use super::{ClientTool, FunctionNames, history};

/// The argument that stands for the free text of a custom tool.
pub const INPUT: &str = "input";
/// The longest path of a namespace in bytes: each tool in it repeats the path, so that a longer one multiplies a request.
const NAMESPACE_BYTES_MAX: usize = 256;
/// The most namespaces in one another: each reads all that is within it.
const NAMESPACES_DEEP: usize = 8;

/// The request as a provider of `to` takes it, and the names that its tools have there; `None` where it asks for nothing
/// that only its own format knows.
///
/// # Errors
/// When a tool is not what its kind says.
pub fn lower_tools(ask: &ChatRequest, to: Format) -> Result<Option<(ChatRequest, FunctionNames)>, MalformedRequest> {
    if ask.from == to || !needs_it(ask, to) {
        return Ok(None);
    }
    let mut keep = plain_functions(ask)?;
    keep.retain(|name| to.takes_function_name(name));
    let names = FunctionNames::beside(keep, to);
    let mut lower = ToolLowering {
        from: ask.from,
        to,
        names,
        tools: Vec::new(),
        declared: BTreeSet::new(),
        found: BTreeSet::new(),
    };
    let mut ask = ask.clone();
    for tool in std::mem::take(&mut ask.tools) {
        lower.declare(tool, &[])?;
    }
    for turn in &mut ask.turns {
        lower.turn(turn)?;
    }
    ask.turns.retain(|turn| !turn.blocks.is_empty());
    if let Some(choice) = &mut ask.tool_choice {
        lower.choice(choice);
    }
    ask.tools = lower.tools;
    Ok(Some((ask, lower.names)))
}

/// The names of all functions that keep theirs, wherever the request declares or calls them: no other tool may get one.
fn plain_functions(ask: &ChatRequest) -> Result<BTreeSet<String>, MalformedRequest> {
    fn function(tool: ToolDefinition) -> Option<String> {
        match tool.kind {
            ToolKind::Function { name, .. } => Some(name),
            ToolKind::Custom { .. } | ToolKind::WebSearch | ToolKind::Hosted { .. } => None,
        }
    }
    let mut names: BTreeSet<String> = ask.tools.iter().cloned().filter_map(function).collect();
    for block in ask.turns.iter().flat_map(|turn| &turn.blocks) {
        match &block.kind {
            BlockKind::Call { name, custom: false, .. } if namespace(block).is_none() => {
                names.insert(name.clone());
            }
            BlockKind::Other { name, raw } if declares_tools(name) => {
                let mut object = JsonValue { at: block.at.clone(), raw }.object()?;
                names.extend(responses::tools(&mut object)?.into_iter().filter_map(function));
            }
            _ => {}
        }
    }
    Ok(names)
}

/// True if anything in the request is known to its own format alone.
fn needs_it(ask: &ChatRequest, to: Format) -> bool {
    let tool = |tool: &ToolDefinition| match &tool.kind {
        ToolKind::Custom { .. } => !takes_custom(ask.from, to),
        ToolKind::Hosted { name, .. } => {
            (ask.from == Format::Responses && is_of_client(name)) || published(ask.from, name).is_some()
        }
        ToolKind::Function { name, .. } => is_renamed(name, to),
        ToolKind::WebSearch => false,
    };
    let block = |block: &ContentBlock| match &block.kind {
        BlockKind::Call { custom: true, .. } if !takes_custom(ask.from, to) => true,
        BlockKind::Call { name, custom, .. } => namespace(block).is_some() || (!custom && is_renamed(name, to)),
        BlockKind::CallResult { name: Some(name), .. } => is_renamed(name, to),
        BlockKind::Other { name, .. } => is_of_client(name) || history::is_hosted_tool_kind(ask.from, name),
        _ => false,
    };
    ask.tools.iter().any(tool) || ask.turns.iter().flat_map(|turn| &turn.blocks).any(block)
}

/// True if tools with free text as input go between two formats as they are.
fn takes_custom(from: Format, to: Format) -> bool {
    (from, to) == (Format::Chat, Format::Responses)
}

/// True if a function cannot go by its name at providers of `to`. One without a name is refused there.
fn is_renamed(name: &str, to: Format) -> bool {
    !name.is_empty() && !to.takes_function_name(name)
}

/// Kinds of format R's tools and items that the client runs, or that declare such.
fn is_of_client(kind: &str) -> bool {
    ["namespace", "tool_search", "additional_tools", "tool_search_call", "tool_search_output"].contains(&kind)
}

/// Kinds of format R's items that declare tools.
fn declares_tools(kind: &str) -> bool {
    ["additional_tools", "tool_search_output"].contains(&kind)
}

/// The namespace of a call, which stands beside its name.
fn namespace(call: &ContentBlock) -> Option<String> {
    let member = call.extra.iter().find(|extra| extra.name == "namespace")?;
    serde_json::from_str(member.value.get()).ok()
}

/// Takes a request's tools one by one.
struct ToolLowering {
    from: Format,
    to: Format,
    names: FunctionNames,
    tools: Vec<ToolDefinition>,
    /// The names of the functions among `tools`.
    declared: BTreeSet<String>,
    /// The names of functions that one search has found, those included that were declared before.
    found: BTreeSet<String>,
}

impl ToolLowering {
    /// Declares a tool, or all tools of a namespace. One that is declared already stays as it is.
    fn declare(&mut self, tool: ToolDefinition, namespaces: &[String]) -> Result<(), MalformedRequest> {
        let at = tool.at.clone();
        let namespace = (!namespaces.is_empty()).then(|| namespaces.join(SEPARATOR));
        match tool.kind {
            ToolKind::Hosted { name, raw } if name == "namespace" && self.from == Format::Responses => {
                let value = JsonValue { at, raw: &raw };
                let mut object = value.object()?;
                let mut namespaces = namespaces.to_vec();
                namespaces.push(object.required(&["name"])?.text()?);
                if namespaces.len() > NAMESPACES_DEEP || namespaces.join(SEPARATOR).len() > NAMESPACE_BYTES_MAX {
                    return Err(value.wrong("a namespace at most 8 deep whose names have at most 256 bytes together"));
                }
                for inner in responses::tools(&mut object)? {
                    self.declare(inner, &namespaces)?;
                }
            }
            ToolKind::Hosted { name, raw } if name == "tool_search" && self.from == Format::Responses => {
                self.search(at, &raw)?;
            }
            ToolKind::Custom { name, raw } if !takes_custom(self.from, self.to) => {
                let description = described(&raw)?;
                let name = self.names.name(ClientTool::Custom { namespace, name });
                self.add(at, name, description, Some(free_text()), None, Vec::new())?;
            }
            ToolKind::Function { name, description, parameters, strict } => {
                let name = match namespace {
                    Some(namespace) => self.names.name(ClientTool::Function { namespace, name }),
                    None => self.function(name),
                };
                self.add(at, name, description, parameters, strict, tool.extra)?;
            }
            ToolKind::Hosted { name, raw } => match published(self.from, &name) {
                Some(published) => self.published(at, &raw, published)?,
                None => self.tools.push(ToolDefinition { at, kind: ToolKind::Hosted { name, raw }, extra: tool.extra }),
            },
            kind @ (ToolKind::Custom { .. } | ToolKind::WebSearch) => {
                self.tools.push(ToolDefinition { at, kind, extra: tool.extra });
            }
        }
        Ok(())
    }

    /// The name of a function at the provider: its own, where the provider takes it.
    fn function(&mut self, name: String) -> String {
        if is_renamed(&name, self.to) { self.names.name(ClientTool::Renamed { name }) } else { name }
    }

    /// A tool whose kind says what it takes goes by its own name.
    fn published(&mut self, at: String, raw: &RawValue, published: &PublishedTool) -> Result<(), MalformedRequest> {
        let mut object = JsonValue { at: at.clone(), raw }.object()?;
        let name = self.function(object.required(&["name"])?.text()?);
        let extra = object.rest().into_iter().filter(|extra| extra.name != "type").collect();
        self.add(at, name, Some(published.description.to_owned()), Some(published.schema()), None, extra)?;
        Ok(())
    }

    fn add(
        &mut self,
        at: String,
        name: String,
        description: Option<String>,
        parameters: Option<Box<RawValue>>,
        strict: Option<bool>,
        extra: Vec<UnknownMember>,
    ) -> Result<(), MalformedRequest> {
        self.found.insert(name.clone());
        if !self.declared.insert(name.clone()) {
            // In format R a tool stands in the list and where it was found; in A each name is one tool's.
            return match self.from {
                Format::Messages => {
                    Err(MalformedRequest::new(&format!("{at}.name"), "a name that no other tool has", &name))
                }
                _ => Ok(()),
            };
        }
        let extra = extra.into_iter().filter(|extra| extra.name != "defer_loading").collect();
        self.tools.push(ToolDefinition {
            at,
            kind: ToolKind::Function { name, description, parameters, strict },
            extra,
        });
        Ok(())
    }

    /// A search that the client runs is a function; one that the provider runs finds nothing that is not declared here.
    fn search(&mut self, at: String, raw: &RawValue) -> Result<(), MalformedRequest> {
        let mut object = JsonValue { at: at.clone(), raw }.object()?;
        if object.text(&["execution"])?.as_deref() != Some("client") {
            return Ok(());
        }
        let description = object.text(&["description"])?;
        let parameters = object.value(&["parameters"]).map(|schema| schema.raw.to_owned());
        let name = self.names.name(ClientTool::Search);
        self.add(at, name, description, parameters, None, Vec::new())?;
        Ok(())
    }

    fn turn(&mut self, turn: &mut ChatMessage) -> Result<(), MalformedRequest> {
        for block in std::mem::take(&mut turn.blocks) {
            if let Some(block) = self.block(block)? {
                turn.blocks.push(block);
            }
        }
        Ok(())
    }

    fn block(&mut self, mut block: ContentBlock) -> Result<Option<ContentBlock>, MalformedRequest> {
        let namespace = namespace(&block);
        let at = block.at.clone();
        match &mut block.kind {
            BlockKind::Call { name, arguments, custom, .. } => {
                let own = std::mem::take(name);
                let turned = *custom && !takes_custom(self.from, self.to);
                *name = match namespace {
                    namespace if turned => {
                        (*custom, *arguments) = (false, as_argument(arguments));
                        self.names.name(ClientTool::Custom { namespace, name: own })
                    }
                    Some(namespace) => self.names.name(ClientTool::Function { namespace, name: own }),
                    None if *custom => own,
                    None => self.function(own),
                };
                block.extra.retain(|extra| extra.name != "namespace");
            }
            BlockKind::CallResult { name, .. } => {
                *name = name.take().map(|own| self.function(own));
                block.extra.retain(|extra| !["namespace", "type"].contains(&extra.name.as_str()));
            }
            BlockKind::Other { name, raw } => {
                let value = JsonValue { at, raw };
                match name.as_str() {
                    "additional_tools" => {
                        for tool in responses::tools(&mut value.object()?)? {
                            self.declare(tool, &[])?;
                        }
                        return Ok(None);
                    }
                    "tool_search_call" => block.kind = self.search_call(&value)?,
                    "tool_search_output" => block.kind = self.search_output(&value)?,
                    kind => {
                        if let Some(text) = history::text(self.from, kind, raw) {
                            block.kind = BlockKind::Text(text);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(Some(block))
    }

    fn search_call(&mut self, item: &JsonValue<'_>) -> Result<BlockKind, MalformedRequest> {
        let mut object = item.object()?;
        let Some(id) = object.text(&["call_id"])? else { return Ok(history::as_text("tool_search_call", item.raw)) };
        let arguments = object.value(&["arguments"]).map_or_else(String::new, |value| value.raw.get().to_owned());
        Ok(BlockKind::Call { id, name: self.names.name(ClientTool::Search), arguments, custom: false, signature: None })
    }

    /// The tools that were found are declared from now on; the model is told their names.
    fn search_output(&mut self, item: &JsonValue<'_>) -> Result<BlockKind, MalformedRequest> {
        let mut object = item.object()?;
        let Some(id) = object.text(&["call_id"])? else { return Ok(history::as_text("tool_search_output", item.raw)) };
        self.found.clear();
        for tool in responses::tools(&mut object)? {
            self.declare(tool, &[])?;
        }
        let found = std::mem::take(&mut self.found).into_iter().collect::<Vec<_>>().join(", ");
        let text = if found.is_empty() { "No further tools were found.".to_owned() } else { format!("Found: {found}") };
        let content = vec![ContentBlock { at: item.at.clone(), kind: BlockKind::Text(text), extra: Vec::new() }];
        Ok(BlockKind::CallResult { id, name: None, content, failed: None })
    }

    /// A tool is chosen by its own name: that of the only one that has it.
    fn choice(&self, choice: &mut LocatedValue<ToolChoice>) {
        let names: Vec<&mut String> = match &mut choice.value {
            ToolChoice::Named(name) => vec![name],
            ToolChoice::Among { names, .. } => names.iter_mut().collect(),
            ToolChoice::Auto | ToolChoice::Never | ToolChoice::Some | ToolChoice::Other(_) => Vec::new(),
        };
        for name in names {
            if let Some(found) = self.names.only_called(name) {
                *name = found.to_owned();
            }
        }
    }
}

/// The description of a custom tool, its grammar included: formats O and R write it in two ways.
fn described(raw: &RawValue) -> Result<Option<String>, MalformedRequest> {
    let mut object = JsonValue { at: String::new(), raw }.object()?;
    if let Some(nested) = object.object(&["custom"])? {
        object = nested;
    }
    let description = object.text(&["description"])?;
    let Some(mut format) = object.object(&["format"])? else { return Ok(description) };
    if let Some(nested) = format.object(&["grammar"])? {
        format = nested;
    }
    let (syntax, definition) = (format.text(&["syntax"])?, format.text(&["definition"])?);
    let grammar = definition.map(|definition| {
        let syntax = syntax.unwrap_or_default();
        format!("The input is a text of this {syntax} grammar:\n{definition}")
    });
    let parts: Vec<String> = description.into_iter().chain(grammar).collect();
    Ok((!parts.is_empty()).then(|| parts.join("\n\n")))
}

/// The schema of a function that takes one text.
fn free_text() -> Box<RawValue> {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {INPUT: {"type": "string", "description": "The whole input of the tool, as free text."}},
        "required": [INPUT],
        "additionalProperties": false,
    });
    to_raw_value(&schema).expect("it is JSON")
}

fn as_argument(input: &str) -> String {
    serde_json::json!({INPUT: input}).to_string()
}
