//! The required form of the output, and the amount of thinking.

use serde_json::value::RawValue;

use super::super::mark;
use crate::json::ObjectWriter;
use crate::{
    ChatRequest, ConversionTarget, DropReport, Format, LocatedValue, OutputShape, ReasoningEffort, ReasoningSettings,
    Unsupported,
};

/// Writes `text`.
pub fn text(ask: &ChatRequest, carry: &DropReport, object: &mut ObjectWriter<'_>) -> Result<(), Unsupported> {
    let of_text = || members(ask, carry, "text.").filter(|(name, _)| !name.starts_with("format."));
    if ask.shape.is_none() && ask.verbosity.is_none() && of_text().next().is_none() {
        return Ok(());
    }
    let mut text = object.object("text");
    if let Some(shape) = &ask.shape {
        format(ask, shape, carry, &mut text)?;
    }
    text.maybe("verbosity", ask.verbosity.as_ref().map(|verbosity| &verbosity.value));
    for (name, value) in of_text() {
        text.member(name, value);
    }
    text.end();
    Ok(())
}

/// Members of this format that stood below `prefix`.
fn members<'a>(
    ask: &'a ChatRequest,
    carry: &DropReport,
    prefix: &'static str,
) -> impl Iterator<Item = (&'a str, &'a RawValue)> {
    let extras = if carry.same_format() { ask.extra.as_slice() } else { &[] };
    extras.iter().filter_map(move |extra| Some((extra.name.strip_prefix(prefix)?, &*extra.value)))
}

fn format(
    ask: &ChatRequest,
    LocatedValue { at, value }: &LocatedValue<OutputShape>,
    carry: &DropReport,
    text: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    if let OutputShape::Other(raw) = value {
        if !carry.same_format() {
            return Err(Unsupported::new(at, "this model's provider has no such output format; ask for a JSON schema"));
        }
        text.member("format", raw);
        return Ok(());
    }
    let mut format = text.object("format");
    write_shape(value, &mut format);
    for (name, value) in members(ask, carry, "text.format.") {
        format.member(name, value);
    }
    format.end();
    Ok(())
}

fn write_shape(shape: &OutputShape, format: &mut ObjectWriter<'_>) {
    match shape {
        OutputShape::Text => {
            format.member("type", "text");
        }
        OutputShape::JsonObject => {
            format.member("type", "json_object");
        }
        OutputShape::JsonSchema { name, description, schema, strict } => {
            format.member("type", "json_schema").member("name", name.as_deref().unwrap_or("answer"));
            format.maybe("description", description.as_ref()).member("schema", schema);
            format.maybe("strict", strict.as_ref());
        }
        OutputShape::Other(_) => {}
    }
}

/// Writes `reasoning`.
pub fn reasoning(
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) {
    let Some(reasoning) = &ask.reasoning else { return };
    if carry.drop_thinking(reasoning, target) {
        return;
    }
    if let Some(budget) = reasoning.budget_beside_effort() {
        carry.drop(&budget);
    }
    let ReasoningSettings { effort, budget, adaptive, shown, extra } = &reasoning.value;
    // In format A, who lets the model think sees it.
    let shown = shown.or((ask.from == Format::Messages && (*adaptive || budget.is_some())).then_some(true));
    let effort = effort.or_else(|| budget.map(ReasoningEffort::from_budget));
    let own_word = |name| carry.same_format() && mark::find(extra, name).is_some();
    let wanted = shown == Some(true) && effort != Some(ReasoningEffort::None);
    let summary = wanted && !own_word("summary") && !own_word("generate_summary");
    if effort.is_none() && !summary && (extra.is_empty() || !carry.same_format()) {
        carry.drop_extras(extra);
        return;
    }
    let mut reasoning = object.object("reasoning");
    reasoning.maybe("effort", effort.map(ReasoningEffort::word));
    if summary {
        reasoning.member("summary", "auto");
    }
    carry.extras(extra, &mut reasoning);
    reasoning.end();
}
