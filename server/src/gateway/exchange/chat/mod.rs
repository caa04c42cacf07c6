//! Format O, chat completions: between its JSON and the inner language, both ways. Knows no other format.
//!
//! Beside the six readers and writers stand the pieces that several of them share: content `parts`, `calls`,
//! `thinking`, `usage`, `stop` reasons, `data:` addresses, signatures on their way to clients (`signed`), what comes in
//! `answer`s, and the members that only this format knows (`kept`).
//!
//! Invariants: an id, a name and a role are written once in a stream, and tool indexes are dense; usage stands in the
//! last chunk and only where it was asked for; a signature of another provider never leaves for an upstream.

mod answer;
pub mod ask_in;
pub mod ask_out;
mod calls;
pub mod completions;
mod data_url;
pub mod events_in;
pub mod events_out;
mod instructions;
mod kept;
mod origin;
mod parts;
pub mod reply_in;
pub mod reply_out;
mod signed;
mod stop;
mod thinking;
pub mod usage;

#[cfg(test)]
mod tests;
