//! Format R, responses: between its JSON and the inner language, both ways. Knows no other format.
//!
//! A conversation is a list of items here, and each item is a turn of the inner language: a message with its parts, a call,
//! the result of one, thinking. What an item is besides (its id, its state) is kept as marks, so that a request is
//! written to its own format as it came. `input` does what state needs before a request is read: earlier items in
//! front, ids where none are. Providers are always told to store nothing; whatever a later turn needs is in the items.
//!
//! Start reading at [`read`], then [`Writer`].

mod ask_in;
mod ask_out;
mod compaction;
mod events_in;
mod events_out;
mod input;
mod item;
mod item_in;
mod mark;
mod media;
mod reply_in;
mod reply_out;
mod response;
mod tokens;
pub mod usage;

#[cfg(test)]
mod tests;

pub use ask_in::{read, read_context, tools};
pub use ask_out::write;
pub use compaction::{ask_for_summary, closed, compacted, is_of_user, keeps_own_compaction, opened};
pub use events_in::Reader;
pub use events_out::{Told, Writer, broken, ended};
pub use input::{Reference, expand, items, outputs, reference, with_items};
pub use reply_in::read as read_reply;
pub use reply_out::{has_place, write as write_reply};
pub use tokens::{read_answer as read_tokens, write as write_count, write_answer as write_tokens};
