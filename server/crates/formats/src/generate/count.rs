//! `:countTokens`: a request to be counted and not answered.

use super::super::json::{JsonValue, ObjectWriter};
use super::super::{ChatRequest, ConversionTarget, EncodedRequest, MalformedRequest, MalformedResponse, Unsupported};
use super::{decode_request, encode_request, encode_value};

/// Reads the body of `:countTokens`: contents, or a whole request of `:generateContent` under `generateContentRequest`.
///
/// # Errors
/// [`MalformedRequest`] with the place, in the client's own spelling.
pub fn read(body: &[u8], model: &str) -> Result<ChatRequest, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    match object.object(&["generateContentRequest", "generate_content_request"])? {
        Some(request) => decode_request::read_object(request, model, false),
        None => decode_request::read_object(object, model, false),
    }
}

/// Writes the body for a provider: always a whole request, so that instructions and tools count too. It repeats the model.
///
/// # Errors
/// As [`encode_request::write`].
pub fn write(ask: &ChatRequest, target: &ConversionTarget<'_>) -> Result<EncodedRequest, Unsupported> {
    let mut dropped = Vec::new();
    let request = encode_value::try_of_writer(|request| {
        let prefix = if target.model.contains('/') { "" } else { "models/" };
        request.member("model", &format!("{prefix}{}", target.model));
        dropped = encode_request::write_members(ask, target, request)?;
        Ok(())
    })?;
    let body = encode_value::of_writer(|body| {
        body.member("generateContentRequest", &request);
    });
    Ok(EncodedRequest { body: body.get().as_bytes().to_vec().into(), dropped })
}

/// Reads the answer: how many tokens.
///
/// # Errors
/// [`MalformedResponse`] when it does not tell.
pub fn read_answer(body: &[u8]) -> Result<u64, MalformedResponse> {
    Ok(JsonValue::document(body)?.object()?.required(&["totalTokens", "total_tokens"])?.whole()?)
}

/// Writes the answer.
#[must_use]
pub fn write_answer(tokens: u64) -> Vec<u8> {
    let mut out = Vec::with_capacity(24);
    let mut answer = ObjectWriter::new(&mut out);
    answer.member("totalTokens", &tokens);
    answer.end();
    out
}
