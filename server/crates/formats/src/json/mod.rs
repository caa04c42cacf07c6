//! JSON objects read member by member, so that unread members are known, and objects written member by member.

mod read;
mod write;

pub use read::{JsonList, JsonObject, JsonValue};
pub use write::{ArrayWriter, ObjectWriter};
