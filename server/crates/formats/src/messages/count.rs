//! Counting the tokens of a request, `/v1/messages/count_tokens`.

use super::super::json::{JsonValue, ObjectWriter};
use super::super::{ChatRequest, ConversionTarget, EncodedRequest, MalformedRequest, MalformedResponse, Unsupported};
use super::decode_request;
use super::encode_request::{self, RequestPurpose};

/// Reads a client's request: as for an answer, but without a bound of the output.
///
/// # Errors
/// When it is not what the format says; with the place.
pub fn read(body: &[u8]) -> Result<ChatRequest, MalformedRequest> {
    decode_request::read_count(body)
}

/// Writes a request that counts what [`encode_request::write`] would send.
///
/// # Errors
/// When the request itself could not be carried.
pub fn write(ask: &ChatRequest, target: &ConversionTarget<'_>) -> Result<EncodedRequest, Unsupported> {
    encode_request::encode(ask, target, RequestPurpose::Count)
}

/// Reads a provider's count, in tokens.
///
/// # Errors
/// When it holds none.
pub fn read_counted(body: &[u8]) -> Result<u64, MalformedResponse> {
    let mut object = JsonValue::document(body)?.object()?;
    Ok(object.required(&["input_tokens"])?.whole()?)
}

/// Writes the count for a client.
#[must_use]
pub fn write_counted(input_tokens: u64) -> Vec<u8> {
    let mut body = Vec::new();
    let mut object = ObjectWriter::new(&mut body);
    object.member("input_tokens", &input_tokens);
    object.end();
    body
}
