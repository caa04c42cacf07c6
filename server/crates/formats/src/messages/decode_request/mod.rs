//! Requests of clients.

mod settings;
mod tools;
mod turns;

use super::super::json::{JsonObject, JsonValue};
use super::super::{ChatRequest, Format, LocatedValue, MalformedRequest};

/// Reads the body of `/v1/messages`.
///
/// # Errors
/// When it is not what the format says; with the place.
pub fn read(body: &[u8]) -> Result<ChatRequest, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    let bound = object.required(&["max_tokens"])?;
    let value = bound.whole().ok().filter(|bound| *bound > 0);
    let value = value.ok_or_else(|| bound.wrong("a whole number, 1 or more"))?;
    read_rest(object, Some(LocatedValue { at: bound.at, value }))
}

/// Reads the body of `/v1/messages/count_tokens`: the same, but for the bound of an output that there is not.
///
/// # Errors
/// When it is not what the format says; with the place.
#[allow(dead_code, reason = "the operation that counts in this format is planned")]
pub(super) fn read_count(body: &[u8]) -> Result<ChatRequest, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    let bound = object.at_with(&["max_tokens"], JsonValue::whole)?;
    read_rest(object, bound)
}

fn read_rest(
    mut object: JsonObject<'_>,
    output_max: Option<LocatedValue<u64>>,
) -> Result<ChatRequest, MalformedRequest> {
    let mut extra = Vec::new();
    let mut tools = tools::read(&mut object)?;
    tools.extend(tools::servers(&mut object)?);
    let (tool_choice, parallel_calls) = tools::choice(&mut object, &mut extra)?;
    let output = settings::output(&mut object, &mut extra)?;
    Ok(ChatRequest {
        from: Format::Messages,
        model: object.required(&["model"])?.text()?,
        stream: object.flag(&["stream"])?.unwrap_or_default(),
        system: turns::system(&mut object)?,
        turns: turns::read(&mut object)?,
        tools,
        tool_choice,
        parallel_calls,
        output_max,
        choices: None,
        stop: object.at_with(&["stop_sequences"], settings::texts)?,
        temperature: object.at_with(&["temperature"], JsonValue::number)?,
        top_p: object.at_with(&["top_p"], JsonValue::number)?,
        top_k: object.at_with(&["top_k"], JsonValue::number)?,
        presence_penalty: None,
        frequency_penalty: None,
        seed: None,
        logprobs: None,
        top_logprobs: None,
        logit_bias: None,
        shape: output.shape,
        reasoning: output.reasoning,
        verbosity: None,
        user: settings::user(&mut object, &mut extra)?,
        service_tier: object.at_with(&["service_tier"], JsonValue::text)?,
        cache_key: None,
        metadata: None,
        store: None,
        extra: extra.into_iter().chain(object.rest()).collect(),
    })
}
