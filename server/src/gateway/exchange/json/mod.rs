//! JSON objects read member by member, so that unread members are known, and objects written member by member.

mod read;
mod write;

pub use read::{List, Object, Value};
pub use write::{ArrayWriter, ObjectWriter};
