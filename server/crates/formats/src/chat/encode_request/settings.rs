//! Settings of a request beside its conversation and its tools.

use serde_json::value::RawValue;

use super::super::native_members::NativeMembers;
use crate::json::ObjectWriter;
use crate::{
    ConversionTarget, DropReport, Format, LocatedValue, OutputShape, ReasoningEffort, ReasoningSettings, Unsupported,
};

/// The most stop texts that the format takes.
const STOP_TEXTS_MAX: usize = 4;
/// The name of a schema that the client gave none.
const SCHEMA_NAME: &str = "answer";

/// The value of a setting, where it was set.
pub fn value<T>(setting: Option<&LocatedValue<T>>) -> Option<&T> {
    setting.map(|setting| &setting.value)
}

/// JSON in the client's spelling, where it was set.
pub fn raw(setting: Option<&LocatedValue<Box<RawValue>>>) -> Option<&RawValue> {
    setting.map(|setting| &*setting.value)
}

/// Refuses a setting that asks for something.
pub fn refuse<T>(
    setting: Option<&LocatedValue<T>>,
    asks: impl FnOnce(&T) -> bool,
    reason: &str,
) -> Result<(), Unsupported> {
    match setting {
        Some(LocatedValue { at, value }) if asks(value) => Err(Unsupported::new(at, reason)),
        Some(_) | None => Ok(()),
    }
}

/// Usage is always asked for: the charge is made of it.
pub fn stream(stream: bool, options: &NativeMembers<'_>, object: &mut ObjectWriter<'_>) {
    if stream {
        object.member("stream", &true);
    }
    if stream || !options.is_empty() {
        let mut member = object.object("stream_options");
        if stream {
            member.member("include_usage", &true);
        }
        options.write(&mut member);
        member.end();
    }
}

/// The client's bound or the one that the credit buys, whichever is lower. The format needs none.
pub fn bound(output_max: Option<&LocatedValue<u64>>, target: &ConversionTarget<'_>, object: &mut ObjectWriter<'_>) {
    let asked = output_max.map(|bound| bound.value);
    let bound = asked.into_iter().chain(target.output_bought).min();
    let name = if target.older_bound_name { "max_tokens" } else { "max_completion_tokens" };
    object.maybe(name, bound.as_ref());
}

pub fn stop(
    stop: Option<&LocatedValue<Vec<String>>>,
    same: bool,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    let Some(LocatedValue { at, value }) = stop else { return Ok(()) };
    if !same && value.len() > STOP_TEXTS_MAX {
        return Err(Unsupported::new(at, "the model's provider takes at most 4 stop texts; send fewer"));
    }
    if same || !value.is_empty() {
        object.member("stop", value);
    }
    Ok(())
}

/// By the newer name only where the client used it: servers that speak this format do not all know it.
pub fn user(user: Option<&LocatedValue<String>>, object: &mut ObjectWriter<'_>) {
    if let Some(LocatedValue { at, value }) = user {
        let name = if at == "safety_identifier" { at.as_str() } else { "user" };
        object.member(name, value);
    }
}

/// The classes have one set of names in formats O and R, and others elsewhere.
pub fn service_tier(
    tier: Option<&LocatedValue<String>>,
    from: Format,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) {
    match from {
        Format::Chat | Format::Completions | Format::Responses => {
            object.maybe("service_tier", tier.map(|tier| &tier.value));
        }
        Format::Messages | Format::Generate => carry.drop_any(tier),
    }
}

/// A word; a budget becomes the word for it. What the provider is to decide, it decides when nothing is said.
pub fn reasoning(
    reasoning: Option<&LocatedValue<ReasoningSettings>>,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) {
    let Some(reasoning) = reasoning else { return };
    if carry.drop_thinking(reasoning, target) {
        return;
    }
    if let Some(budget) = reasoning.budget_beside_effort() {
        carry.drop(&budget);
    }
    let ReasoningSettings { effort, budget, adaptive: _, shown: _, extra } = &reasoning.value;
    let effort = effort.or_else(|| budget.map(ReasoningEffort::from_budget));
    object.maybe("reasoning_effort", effort.map(ReasoningEffort::word));
    NativeMembers::of(extra, carry).write(object);
}

/// Writes the form of the output. Audio output, which only this format asks for, has a member of its own.
pub fn shape(
    shape: Option<&LocatedValue<OutputShape>>,
    extra: &mut NativeMembers<'_>,
    same: bool,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    let Some(LocatedValue { at, value }) = shape else { return Ok(()) };
    if let OutputShape::Other(raw) = value {
        if !same {
            return Err(Unsupported::new(at, "the model's provider answers in text or JSON; ask for one of these"));
        }
        object.member(at, raw);
        return Ok(());
    }
    let mut of_format = extra.inside("response_format");
    let of_schema = of_format.inside("json_schema");
    let mut format = object.object("response_format");
    match value {
        OutputShape::Text | OutputShape::Other(_) => {
            format.member("type", "text");
        }
        OutputShape::JsonObject => {
            format.member("type", "json_object");
        }
        OutputShape::JsonSchema { name, description, schema, strict } => {
            format.member("type", "json_schema");
            let mut inner = format.object("json_schema");
            inner.member("name", name.as_deref().unwrap_or(SCHEMA_NAME));
            inner.maybe("description", description.as_ref());
            inner.member("schema", schema);
            inner.maybe("strict", strict.as_ref());
            of_schema.write(&mut inner);
            inner.end();
        }
    }
    of_format.write(&mut format);
    format.end();
    Ok(())
}
