//! Format G, generate-content: between its JSON and the inner language, both ways. Knows no other format.
//!
//! Requests: [`ask_in`] and [`ask_out`]; whole answers: [`reply_in`] and [`reply_out`]; streams: [`events_in`] and
//! [`events_out`]; counting of tokens: [`count`].
//!
//! Invariants: members are read in both spellings that the format has (`systemInstruction`, `system_instruction`), but
//! never inside arguments, results and schemas. Bytes are in standard base64 inside; clients may write them URL-safe. A
//! client is never sent an empty part: the official SDKs throw a turn out of their history for one.

pub mod ask_in;
pub mod ask_out;
#[allow(dead_code, reason = "the operations that count in this format are planned")]
pub mod count;
pub mod events_in;
pub mod events_out;
pub mod reply_in;
pub mod reply_out;

mod answer_in;
mod answer_out;
mod base64;
mod chunks;
mod id;
mod part;
mod schema;
mod signing;
pub mod usage;
mod value_out;
mod words;

#[cfg(test)]
mod tests;
