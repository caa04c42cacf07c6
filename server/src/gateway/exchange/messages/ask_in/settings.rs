//! Settings of the answer: the amount of thinking, the shape, the end user.

use super::super::super::json::{Object, Value};
use super::super::super::{At, Effort, Extra, OutputShape, Reasoning, Unreadable};
use super::super::nested;

/// The settings that `thinking` and `output_config` make together.
#[derive(Debug, Default)]
pub struct Output {
    pub reasoning: Option<At<Reasoning>>,
    pub shape: Option<At<OutputShape>>,
}

/// Reads `thinking` and `output_config`; what only this format knows of them goes to `extra`.
///
/// # Errors
/// When one of them is broken.
pub fn output(object: &mut Object<'_>, extra: &mut Vec<Extra>) -> Result<Output, Unreadable> {
    let mut output = Output::default();
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
pub fn texts(value: &Value<'_>) -> Result<Vec<String>, Unreadable> {
    value.list()?.iter().map(Value::text).collect()
}

/// The end user's id out of `metadata`; what else stands there goes to `extra`.
///
/// # Errors
/// When it is no object, or the id no text.
pub fn user(object: &mut Object<'_>, extra: &mut Vec<Extra>) -> Result<Option<At<String>>, Unreadable> {
    let Some(mut metadata) = object.object(&["metadata"])? else { return Ok(None) };
    let user = metadata.at_with(&["user_id"], Value::text)?;
    extra.extend(nested::kept(metadata, "metadata"));
    Ok(user)
}

fn thinking(object: &mut Object<'_>, extra: &mut Vec<Extra>) -> Result<Option<At<Reasoning>>, Unreadable> {
    let Some(value) = object.value(&["thinking"]) else { return Ok(None) };
    let mut thinking = value.object()?;
    let mut reasoning = Reasoning::default();
    match thinking.required(&["type"])?.text()?.as_str() {
        "enabled" => reasoning.budget = Some(thinking.required(&["budget_tokens"])?.whole()?),
        "adaptive" => reasoning.adaptive = true,
        "disabled" => reasoning.effort = Some(Effort::None),
        // A way to think that other formats have no word for.
        _ => {
            extra.push(Extra { at: value.at, name: "thinking".into(), value: value.raw.to_owned() });
            return Ok(None);
        }
    }
    if let Some(display) = thinking.value(&["display"]) {
        match display.text()?.as_str() {
            "summarized" => reasoning.shown = Some(true),
            "omitted" => reasoning.shown = Some(false),
            _ => {
                let value = display.raw.to_owned();
                reasoning.extra.push(Extra { at: display.at, name: "display".into(), value });
            }
        }
    }
    reasoning.extra.extend(thinking.rest());
    Ok(Some(At { at: value.at, value: reasoning }))
}

/// Puts the word beside the budget. Beside thinking that is off it says something else, which only this format knows.
fn add_effort(
    effort: &Value<'_>,
    reasoning: &mut Option<At<Reasoning>>,
    extra: &mut Vec<Extra>,
) -> Result<(), Unreadable> {
    let word = Effort::named(&effort.text()?).filter(|effort| *effort >= Effort::Low);
    let off = reasoning.as_ref().is_some_and(|reasoning| reasoning.value.effort.is_some());
    match word {
        Some(word) if !off => {
            let fresh = || At { at: effort.at.clone(), value: Reasoning::default() };
            reasoning.get_or_insert_with(fresh).value.effort = Some(word);
        }
        _ => extra.push(Extra {
            at: effort.at.clone(),
            name: "output_config.effort".into(),
            value: effort.raw.to_owned(),
        }),
    }
    Ok(())
}

fn shape(value: &Value<'_>) -> Result<OutputShape, Unreadable> {
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
