//! Format G, generate-content: between its JSON and the inner language, both ways. Knows no other format.
//!
//! Requests: [`decode_request`] and [`encode_request`]; whole answers: [`decode_response`] and [`encode_response`]; streams:
//! [`decode_stream`] and [`encode_stream`]; counting of tokens: [`count`].
//!
//! Invariants: members are read in both spellings that the format has (`systemInstruction`, `system_instruction`), but
//! never inside arguments, results and schemas. Bytes are in standard base64 inside; clients may write them URL-safe. A
//! client is never sent an empty part: the official SDKs throw a turn out of their history for one.

#[allow(dead_code, reason = "the operations that count in this format are planned")]
pub mod count;
pub mod decode_request;
pub mod decode_response;
pub mod decode_stream;
pub mod encode_request;
pub mod encode_response;
pub mod encode_stream;

mod base64;
mod chunks;
mod decode_parts;
mod encode_parts;
mod encode_value;
mod id;
mod part;
mod schema;
mod signing;
mod stop_reason;
pub mod usage;

#[cfg(test)]
mod tests;
