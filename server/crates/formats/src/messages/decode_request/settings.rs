//! Settings of the answer: the amount of thinking, the shape, the end user.

use super::super::nested;
use crate::json::{JsonObject, JsonValue};
use crate::{LocatedValue, MalformedRequest, OutputShape, ReasoningEffort, ReasoningSettings, UnknownMember};

/// The settings that `thinking` and `output_config` make together.
#[derive(Debug, Default)]
pub struct OutputSettings {
    pub reasoning: Option<LocatedValue<ReasoningSettings>>,
    pub shape: Option<LocatedValue<OutputShape>>,
}

/// Reads `thinking` and `output_config`; what only this format knows of them goes to `extra`.
///
/// # Errors
/// When one of them is broken.
pub fn output(object: &mut JsonObject<'_>, extra: &mut Vec<UnknownMember>) -> Result<OutputSettings, MalformedRequest> {
    let mut output = OutputSettings::default();
    let mut effort = None;
    if let Some(mut config) = object.object(&["output_config"])? {
        output.shape = config.at_with(&["format"], shape)?;
        effort = config.value(&["effort"]);
        extra.extend(nested::kept(config, "output_config"));
    }
    output.reasoning = thinking(object, extra)?;
    if let Some(effort) = effort {
        add_effort(&effort, &mut output.reasoning, extra)?;
    }
    Ok(output)
}

/// A list of texts.
///
/// # Errors
/// When it is something else.
pub fn texts(value: &JsonValue<'_>) -> Result<Vec<String>, MalformedRequest> {
    value.list()?.iter().map(JsonValue::text).collect()
}

/// The end user's id out of `metadata`; what else stands there goes to `extra`.
///
/// # Errors
/// When it is no object, or the id no text.
pub fn user(
    object: &mut JsonObject<'_>,
    extra: &mut Vec<UnknownMember>,
) -> Result<Option<LocatedValue<String>>, MalformedRequest> {
    let Some(mut metadata) = object.object(&["metadata"])? else { return Ok(None) };
    let user = metadata.at_with(&["user_id"], JsonValue::text)?;
    extra.extend(nested::kept(metadata, "metadata"));
    Ok(user)
}

fn thinking(
    object: &mut JsonObject<'_>,
    extra: &mut Vec<UnknownMember>,
) -> Result<Option<LocatedValue<ReasoningSettings>>, MalformedRequest> {
    let Some(value) = object.value(&["thinking"]) else { return Ok(None) };
    let mut thinking = value.object()?;
    let mut reasoning = ReasoningSettings::default();
    match thinking.required(&["type"])?.text()?.as_str() {
        "enabled" => reasoning.budget = Some(thinking.required(&["budget_tokens"])?.whole()?),
        "adaptive" => reasoning.adaptive = true,
        "disabled" => reasoning.effort = Some(ReasoningEffort::None),
        // A way to think that other formats have no word for.
        _ => {
            extra.push(UnknownMember { at: value.at, name: "thinking".into(), value: value.raw.to_owned() });
            return Ok(None);
        }
    }
    if let Some(display) = thinking.value(&["display"]) {
        match display.text()?.as_str() {
            "summarized" => reasoning.shown = Some(true),
            "omitted" => reasoning.shown = Some(false),
            _ => {
                let value = display.raw.to_owned();
                reasoning.extra.push(UnknownMember { at: display.at, name: "display".into(), value });
            }
        }
    }
    reasoning.extra.extend(thinking.rest());
    Ok(Some(LocatedValue { at: value.at, value: reasoning }))
}

/// Puts the word beside the budget. Beside thinking that is off it says something else, which only this format knows.
fn add_effort(
    effort: &JsonValue<'_>,
    reasoning: &mut Option<LocatedValue<ReasoningSettings>>,
    extra: &mut Vec<UnknownMember>,
) -> Result<(), MalformedRequest> {
    let word = ReasoningEffort::from_word(&effort.text()?).filter(|effort| *effort >= ReasoningEffort::Low);
    let off = reasoning.as_ref().is_some_and(|reasoning| reasoning.value.effort.is_some());
    match word {
        Some(word) if !off => {
            let fresh = || LocatedValue { at: effort.at.clone(), value: ReasoningSettings::default() };
            reasoning.get_or_insert_with(fresh).value.effort = Some(word);
        }
        _ => extra.push(UnknownMember {
            at: effort.at.clone(),
            name: "output_config.effort".into(),
            value: effort.raw.to_owned(),
        }),
    }
    Ok(())
}

fn shape(value: &JsonValue<'_>) -> Result<OutputShape, MalformedRequest> {
    let mut object = value.object()?;
    let word = object.required(&["type"])?.text()?;
    if word != "json_schema" {
        return Ok(OutputShape::Other(value.raw.to_owned()));
    }
    let schema = object.required(&["schema"])?;
    schema.object()?;
    if !object.rest().is_empty() {
        return Ok(OutputShape::Other(value.raw.to_owned()));
    }
    Ok(OutputShape::JsonSchema { name: None, description: None, schema: schema.raw.to_owned(), strict: None })
}
