//! Format R, responses: between its JSON and the inner language, both ways. Knows no other format.
//!
//! A conversation is a list of items here, and each item is a turn of the inner language: a message with its parts, a call,
//! the result of one, thinking. What an item is besides (its id, its state) is kept as marks, so that a request is
//! written to its own format as it came. `input` does what state needs before a request is read: earlier items in
//! front, ids where none are. Providers are always told to store nothing; whatever a later turn needs is in the items.
//!
//! Start reading at [`read`], then [`ResponsesStreamEncoder`].

mod compaction;
mod decode_item;
mod decode_request;
mod decode_response;
mod decode_stream;
mod encode_request;
mod encode_response;
mod encode_stream;
mod input;
mod item;
mod mark;
mod media;
mod response;
mod tokens;
pub mod usage;

#[cfg(test)]
mod tests;

pub use compaction::{
    closed_content, compaction_response, is_of_user, keeps_own_compaction, summary_item, summary_request,
};
pub use decode_request::{read, read_context, tools};
pub use decode_response::read as read_reply;
pub use decode_stream::ResponsesStreamDecoder;
pub use encode_request::write;
pub use encode_response::{has_place, write as write_reply};
pub use encode_stream::{ResponsesStreamEncoder, StreamProgress, failure_events, final_response};
pub use input::{StoredReference, expand, items, outputs, reference, with_items};
pub use tokens::{read_answer as read_tokens, write as write_count, write_answer as write_tokens};
