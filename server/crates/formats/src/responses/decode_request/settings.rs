//! Everything of a request that is not the conversation.

use super::super::mark;
use super::tools;
use crate::json::{JsonObject, JsonValue};
use crate::{
    ChatRequest, Format, LocatedValue, MalformedRequest, OutputShape, ReasoningEffort, ReasoningSettings, UnknownMember,
};

/// The value of `include` that is no loss elsewhere: thinking is always handed out closed.
const CLOSED_THINKING: &str = "reasoning.encrypted_content";
const LOGPROBS: &str = "message.output_text.logprobs";

/// Reads the settings into a request that has no turns yet.
pub fn read(object: &mut JsonObject<'_>) -> Result<ChatRequest, MalformedRequest> {
    let mut extra = Vec::new();
    let (shape, verbosity) = text(object, &mut extra)?;
    Ok(ChatRequest {
        from: Format::Responses,
        model: object.required(&["model"])?.text()?,
        stream: object.flag(&["stream"])?.unwrap_or_default(),
        system: Vec::new(),
        turns: Vec::new(),
        tools: tools::read(object)?,
        tool_choice: tools::choice(object)?,
        parallel_calls: object.at_with(&["parallel_tool_calls"], JsonValue::flag)?,
        output_max: object.at_with(&["max_output_tokens"], JsonValue::whole)?,
        choices: None,
        stop: None,
        temperature: object.at_with(&["temperature"], JsonValue::number)?,
        top_p: object.at_with(&["top_p"], JsonValue::number)?,
        top_k: None,
        presence_penalty: object.at_with(&["presence_penalty"], JsonValue::number)?,
        frequency_penalty: object.at_with(&["frequency_penalty"], JsonValue::number)?,
        seed: None,
        logprobs: include(object, &mut extra)?,
        top_logprobs: object.at_with(&["top_logprobs"], JsonValue::whole)?,
        logit_bias: None,
        shape,
        reasoning: object.at_with(&["reasoning"], reasoning)?,
        verbosity,
        user: user(object)?,
        service_tier: object.at_with(&["service_tier"], JsonValue::text)?,
        cache_key: object.at_with(&["prompt_cache_key"], JsonValue::text)?,
        metadata: metadata(object)?,
        store: object.at_with(&["store"], JsonValue::flag)?,
        extra,
    })
}

/// The content of `text`: the form of the output, and its verbosity.
type TextSettings = (Option<LocatedValue<OutputShape>>, Option<LocatedValue<String>>);

/// `text`: what the answer must look like, and how many words it makes.
fn text(object: &mut JsonObject<'_>, extra: &mut Vec<UnknownMember>) -> Result<TextSettings, MalformedRequest> {
    let Some(mut text) = object.object(&["text"])? else { return Ok((None, None)) };
    let shape = text.at_with(&["format"], |format| shape(format, extra))?;
    let verbosity = text.at_with(&["verbosity"], JsonValue::text)?;
    extra.extend(below("text", text.rest()));
    Ok((shape, verbosity))
}

fn shape(format: &JsonValue<'_>, extra: &mut Vec<UnknownMember>) -> Result<OutputShape, MalformedRequest> {
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

fn below(object: &str, members: Vec<UnknownMember>) -> impl Iterator<Item = UnknownMember> {
    members.into_iter().map(move |member| UnknownMember { name: format!("{object}.{}", member.name), ..member })
}

fn reasoning(value: &JsonValue<'_>) -> Result<ReasoningSettings, MalformedRequest> {
    let mut object = value.object()?;
    let mut reasoning = ReasoningSettings::default();
    if let Some(word) = object.value(&["effort"]) {
        reasoning.effort = ReasoningEffort::from_word(&word.text()?);
        if reasoning.effort.is_none() {
            // A word that is newer than this list is for a provider of the same format to judge.
            reasoning.extra.push(UnknownMember { at: word.at, name: "effort".into(), value: word.raw.to_owned() });
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
fn include(
    object: &mut JsonObject<'_>,
    extra: &mut Vec<UnknownMember>,
) -> Result<Option<LocatedValue<bool>>, MalformedRequest> {
    let Some(include) = object.value(&["include"]) else { return Ok(None) };
    let mut logprobs = None;
    let mut only_known = true;
    for word in include.list()? {
        match word.text()?.as_str() {
            LOGPROBS => logprobs = Some(LocatedValue { at: word.at, value: true }),
            CLOSED_THINKING => {}
            _ => only_known = false,
        }
    }
    let at = if only_known { String::new() } else { include.at };
    extra.push(UnknownMember { at, name: "include".into(), value: include.raw.to_owned() });
    Ok(logprobs)
}

/// By the newer name where it is there; the older one then stays among the extras.
fn user(object: &mut JsonObject<'_>) -> Result<Option<LocatedValue<String>>, MalformedRequest> {
    match object.at_with(&["safety_identifier"], JsonValue::text)? {
        Some(user) => Ok(Some(user)),
        None => object.at_with(&["user"], JsonValue::text),
    }
}

fn metadata(
    object: &mut JsonObject<'_>,
) -> Result<Option<LocatedValue<Box<serde_json::value::RawValue>>>, MalformedRequest> {
    object.at_with(&["metadata"], |value| value.object().map(|_| value.raw.to_owned()))
}
