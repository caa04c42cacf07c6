//! Format O, chat completions: between its JSON and the inner language, both ways. Knows no other format.
//!
//! Beside the six readers and writers stand the pieces that several of them share: content `parts`, `calls`,
//! `thinking`, `usage`, `stop` reasons, `data:` addresses, signatures on their way to clients (`signed`), what comes in
//! `answer`s, and the members that only this format knows (`native_members`).
//!
//! Invariants: an id, a name and a role are written once in a stream, and tool indexes are dense; usage stands in the
//! last chunk and only where it was asked for; a signature of another provider never leaves for an upstream.

mod answer;
mod calls;
pub mod completions;
mod data_url;
pub mod decode_request;
pub mod decode_response;
pub mod decode_stream;
pub mod encode_request;
pub mod encode_response;
pub mod encode_stream;
mod instructions;
mod native_members;
mod origin;
mod parts;
mod signed;
mod stop;
mod thinking;
pub mod usage;

#[cfg(test)]
mod tests;
