//! Format A, messages: between its JSON and the inner language, both ways. Knows no other format.
//!
//! `decode_request` and `encode_request` hold requests, `decode_response` and `encode_response` whole answers,
//! `decode_stream` and `encode_stream` streams, `count` the counting of a request's tokens. The rest is what two of them share.
//!
//! Invariants: from a client of this format to a provider of it, turns stay as they stood and every member comes back.
//! From another format, turns are brought into the order that providers insist on (`encode_request::turns`), and no member that
//! they do not know is written.

mod answer_block;
mod call;
#[allow(dead_code, reason = "the operations that count in this format are planned")]
pub mod count;
mod decode_block;
mod decode_media;
pub mod decode_request;
pub mod decode_response;
pub mod decode_stream;
pub mod encode_request;
pub mod encode_response;
pub mod encode_stream;
mod nested;
mod stop;
#[cfg(test)]
mod tests;
pub mod usage;
