//! A client's request, read.

mod messages;
mod tools;

use super::super::json::{JsonObject, JsonValue};
use super::super::{
    ChatRequest, Format, LocatedValue, MalformedRequest, OutputShape, ReasoningEffort, ReasoningSettings, UnknownMember,
};
use super::native_members;

/// Reads the body of `POST /v1/chat/completions`.
///
/// # Errors
/// When it is no JSON, or a member is missing or of the wrong type.
pub fn read(body: &[u8]) -> Result<ChatRequest, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    let model = object.required(&["model"])?.text()?;
    let stream = object.flag(&["stream"])?.unwrap_or(false);
    let conversation = messages::read(&object.required(&["messages"])?)?;
    let mut extra = stream_options(&mut object)?;
    let shape = shape(&mut object, &mut extra)?;
    Ok(ChatRequest {
        from: Format::Chat,
        model,
        stream,
        system: conversation.system,
        turns: conversation.turns,
        tools: tools::read(&mut object)?,
        tool_choice: tools::choice(&mut object)?,
        parallel_calls: object.at_with(&["parallel_tool_calls"], JsonValue::flag)?,
        output_max: object.at_with(&["max_completion_tokens", "max_tokens"], one_or_more)?,
        choices: object.at_with(&["n"], one_or_more)?,
        stop: object.at_with(&["stop"], stop)?,
        temperature: object.at_with(&["temperature"], JsonValue::number)?,
        top_p: object.at_with(&["top_p"], JsonValue::number)?,
        top_k: object.at_with(&["top_k"], JsonValue::number)?,
        presence_penalty: object.at_with(&["presence_penalty"], JsonValue::number)?,
        frequency_penalty: object.at_with(&["frequency_penalty"], JsonValue::number)?,
        seed: object.at_with(&["seed"], JsonValue::number)?,
        logprobs: object.at_with(&["logprobs"], JsonValue::flag)?,
        top_logprobs: object.at_with(&["top_logprobs"], JsonValue::whole)?,
        logit_bias: object.at_with(&["logit_bias"], |value| value.object().map(|_| value.raw.to_owned()))?,
        shape,
        reasoning: object.at_with(&["reasoning_effort"], reasoning)?,
        verbosity: object.at_with(&["verbosity"], JsonValue::text)?,
        user: user(&mut object)?,
        service_tier: object.at_with(&["service_tier"], JsonValue::text)?,
        cache_key: object.at_with(&["prompt_cache_key"], JsonValue::text)?,
        metadata: object.at_with(&["metadata"], |value| value.object().map(|_| value.raw.to_owned()))?,
        store: object.at_with(&["store"], JsonValue::flag)?,
        extra: extra.into_iter().chain(object.rest()).collect(),
    })
}

pub(super) fn one_or_more(value: &JsonValue<'_>) -> Result<u64, MalformedRequest> {
    let expected = "a whole number, 1 or more";
    value.whole().ok().filter(|number| *number > 0).ok_or_else(|| value.wrong(expected))
}

pub(super) fn stop(value: &JsonValue<'_>) -> Result<Vec<String>, MalformedRequest> {
    if value.starts_with('"') {
        return Ok(vec![value.text()?]);
    }
    if !value.starts_with('[') {
        return Err(value.wrong("a text or a list of texts"));
    }
    value.list()?.iter().map(JsonValue::text).collect()
}

/// A word that is not known here stays as it is, for an upstream of this format.
fn reasoning(value: &JsonValue<'_>) -> Result<ReasoningSettings, MalformedRequest> {
    let effort = ReasoningEffort::from_word(&value.text()?);
    let unknown = UnknownMember { at: value.at.clone(), name: value.at.clone(), value: value.raw.to_owned() };
    let extra = if effort.is_none() { vec![unknown] } else { Vec::new() };
    Ok(ReasoningSettings { effort, extra, ..ReasoningSettings::default() })
}

/// The newer name of the end user goes first; where both stand, the older one is kept as it is.
fn user(object: &mut JsonObject<'_>) -> Result<Option<LocatedValue<String>>, MalformedRequest> {
    match object.at_with(&["safety_identifier"], JsonValue::text)? {
        Some(user) => Ok(Some(user)),
        None => object.at_with(&["user"], JsonValue::text),
    }
}

/// `include_usage` is not kept: upstreams are always asked for usage, and whether the client sees it is the stream
/// writer's matter.
fn stream_options(object: &mut JsonObject<'_>) -> Result<Vec<UnknownMember>, MalformedRequest> {
    let Some(mut options) = object.object(&["stream_options"])? else { return Ok(Vec::new()) };
    options.flag(&["include_usage"])?;
    Ok(native_members::rest_of("stream_options", options))
}

/// Sound in the answer is a shape that only this format knows; what `response_format` says then stays beside it.
fn shape(
    object: &mut JsonObject<'_>,
    extra: &mut Vec<UnknownMember>,
) -> Result<Option<LocatedValue<OutputShape>>, MalformedRequest> {
    if let Some(modalities) = object.value(&["modalities"]) {
        let words = modalities.list()?.iter().map(JsonValue::text).collect::<Result<Vec<_>, _>>()?;
        let raw = modalities.raw.to_owned();
        if words.iter().any(|word| word != "text") {
            return Ok(Some(LocatedValue { at: modalities.at, value: OutputShape::Other(raw) }));
        }
        extra.push(UnknownMember { at: modalities.at, name: "modalities".into(), value: raw });
    }
    object.at_with(&["response_format"], |format| response_format(format, extra))
}

fn response_format(value: &JsonValue<'_>, extra: &mut Vec<UnknownMember>) -> Result<OutputShape, MalformedRequest> {
    let mut format = value.object()?;
    let kind = format.required(&["type"])?.text()?;
    let shape = match kind.as_str() {
        "text" => OutputShape::Text,
        "json_object" => OutputShape::JsonObject,
        "json_schema" => json_schema(format.required(&["json_schema"])?.object()?, extra)?,
        _ => return Ok(OutputShape::Other(value.raw.to_owned())),
    };
    extra.extend(native_members::rest_of("response_format", format));
    Ok(shape)
}

fn json_schema(mut object: JsonObject<'_>, extra: &mut Vec<UnknownMember>) -> Result<OutputShape, MalformedRequest> {
    let (name, description) = (object.text(&["name"])?, object.text(&["description"])?);
    let strict = object.flag(&["strict"])?;
    let schema = object.required(&["schema"])?;
    schema.object()?;
    extra.extend(native_members::rest_of("response_format.json_schema", object));
    Ok(OutputShape::JsonSchema { name, description, schema: schema.raw.to_owned(), strict })
}
