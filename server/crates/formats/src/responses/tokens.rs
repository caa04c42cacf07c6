//! Counting tokens: the request is one for an answer with less in it, the answer is a number.

use super::super::MalformedResponse;
use super::super::json::{JsonValue, ObjectWriter};

pub use super::encode_request::write_count as write;

/// Reads a provider's count.
///
/// # Errors
/// When there is none.
pub fn read_answer(body: &[u8]) -> Result<u64, MalformedResponse> {
    Ok(JsonValue::document(body)?.object()?.required(&["input_tokens"])?.whole()?)
}

/// Writes the answer to a client.
#[must_use]
pub fn write_answer(input_tokens: u64) -> Vec<u8> {
    let mut body = Vec::new();
    let mut object = ObjectWriter::new(&mut body);
    object.member("object", "response.input_tokens").member("input_tokens", &input_tokens);
    object.end();
    body
}
