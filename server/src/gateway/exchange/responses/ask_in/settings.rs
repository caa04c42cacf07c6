//! Everything of a request that is not the conversation.

use super::super::super::json::{Object, Value};
use super::super::super::{Ask, At, Effort, Extra, Format, OutputShape, Reasoning, Unreadable};
use super::super::mark;
use super::tools;

/// The value of `include` that is no loss elsewhere: thinking is always handed out closed.
const CLOSED_THINKING: &str = "reasoning.encrypted_content";
const LOGPROBS: &str = "message.output_text.logprobs";

/// Reads the settings into a request that has no turns yet.
pub fn read(object: &mut Object<'_>) -> Result<Ask, Unreadable> {
    let mut extra = Vec::new();
    let (shape, verbosity) = text(object, &mut extra)?;
    Ok(Ask {
        from: Format::Responses,
        model: object.required(&["model"])?.text()?,
        stream: object.flag(&["stream"])?.unwrap_or_default(),
        system: Vec::new(),
        turns: Vec::new(),
        tools: tools::read(object)?,
        tool_choice: tools::choice(object)?,
        parallel_calls: object.at_with(&["parallel_tool_calls"], Value::flag)?,
        output_max: object.at_with(&["max_output_tokens"], Value::whole)?,
        choices: None,
        stop: None,
        temperature: object.at_with(&["temperature"], Value::number)?,
        top_p: object.at_with(&["top_p"], Value::number)?,
        top_k: None,
        presence_penalty: object.at_with(&["presence_penalty"], Value::number)?,
        frequency_penalty: object.at_with(&["frequency_penalty"], Value::number)?,
        seed: None,
        logprobs: include(object, &mut extra)?,
        top_logprobs: object.at_with(&["top_logprobs"], Value::whole)?,
        logit_bias: None,
        shape,
        reasoning: object.at_with(&["reasoning"], reasoning)?,
        verbosity,
        user: user(object)?,
        service_tier: object.at_with(&["service_tier"], Value::text)?,
        cache_key: object.at_with(&["prompt_cache_key"], Value::text)?,
        metadata: metadata(object)?,
        store: object.at_with(&["store"], Value::flag)?,
        extra,
    })
}

/// The content of `text`: the form of the output, and its verbosity.
type ShapeAndWords = (Option<At<OutputShape>>, Option<At<String>>);

/// `text`: what the answer must look like, and how many words it makes.
fn text(object: &mut Object<'_>, extra: &mut Vec<Extra>) -> Result<ShapeAndWords, Unreadable> {
    let Some(mut text) = object.object(&["text"])? else { return Ok((None, None)) };
    let shape = text.at_with(&["format"], |format| shape(format, extra))?;
    let verbosity = text.at_with(&["verbosity"], Value::text)?;
    extra.extend(below("text", text.rest()));
    Ok((shape, verbosity))
}

fn shape(format: &Value<'_>, extra: &mut Vec<Extra>) -> Result<OutputShape, Unreadable> {
    let mut object = format.object()?;
    let shape = match object.required(&["type"])?.text()?.as_str() {
        "text" => OutputShape::Text,
        "json_object" => OutputShape::JsonObject,
        "json_schema" => {
            let schema = object.required(&["schema"])?;
            if !schema.starts_with('{') {
                return Err(schema.wrong("an object"));
            }
            OutputShape::JsonSchema {
                name: Some(object.required(&["name"])?.text()?),
                description: object.text(&["description"])?,
                schema: schema.raw.to_owned(),
                strict: object.flag(&["strict"])?,
            }
        }
        _ => return Ok(OutputShape::Other(format.raw.to_owned())),
    };
    extra.extend(below("text.format", object.rest()));
    Ok(shape)
}

fn below(object: &str, members: Vec<Extra>) -> impl Iterator<Item = Extra> {
    members.into_iter().map(move |member| Extra { name: format!("{object}.{}", member.name), ..member })
}

fn reasoning(value: &Value<'_>) -> Result<Reasoning, Unreadable> {
    let mut object = value.object()?;
    let mut reasoning = Reasoning::default();
    if let Some(word) = object.value(&["effort"]) {
        reasoning.effort = Effort::named(&word.text()?);
        if reasoning.effort.is_none() {
            // A word that is newer than this list is for a provider of the same format to judge.
            reasoning.extra.push(Extra { at: word.at, name: "effort".into(), value: word.raw.to_owned() });
        }
    }
    for name in ["summary", "generate_summary"] {
        if let Some(word) = object.value(&[name]) {
            reasoning.shown = Some(word.text()? != "none");
            reasoning.extra.push(mark::raw(name, word.raw));
        }
    }
    reasoning.extra.extend(object.rest());
    Ok(reasoning)
}

/// `include` as it stands; the likelihoods that it may ask for are what `logprobs` asks for.
fn include(object: &mut Object<'_>, extra: &mut Vec<Extra>) -> Result<Option<At<bool>>, Unreadable> {
    let Some(include) = object.value(&["include"]) else { return Ok(None) };
    let mut logprobs = None;
    let mut only_known = true;
    for word in include.list()? {
        match word.text()?.as_str() {
            LOGPROBS => logprobs = Some(At { at: word.at, value: true }),
            CLOSED_THINKING => {}
            _ => only_known = false,
        }
    }
    let at = if only_known { String::new() } else { include.at };
    extra.push(Extra { at, name: "include".into(), value: include.raw.to_owned() });
    Ok(logprobs)
}

/// By the newer name where it is there; the older one then stays among the extras.
fn user(object: &mut Object<'_>) -> Result<Option<At<String>>, Unreadable> {
    match object.at_with(&["safety_identifier"], Value::text)? {
        Some(user) => Ok(Some(user)),
        None => object.at_with(&["user"], Value::text),
    }
}

fn metadata(object: &mut Object<'_>) -> Result<Option<At<Box<serde_json::value::RawValue>>>, Unreadable> {
    object.at_with(&["metadata"], |value| value.object().map(|_| value.raw.to_owned()))
}
