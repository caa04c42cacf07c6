//! The runtime of `Wire`, `WireEnum` and `WireUnion`: reading and writing JSON without losing a byte of it.
//!
//! The derives write as little code as they can and call in here for the rest. Serde does the parsing; this room adds
//! what serde cannot say: which members a shape does not know and where they stood ([`Rest`]), absent against null,
//! unions told apart by a member, bounds, and complaints that name the field by its path.
//!
//! Imports: `base` and nothing else of ours. Knows no HTTP, no operation and no error code.
//! Invariants: a value that was read is valid; unknown members of an open shape survive with their text; no path
//! through here buffers into `serde_json::Value`, which would change numbers and key order.
//! Limits: nothing here recurses deeper than serde_json's own 128 levels, twice. Values survive only under serde_json
//! (`RawValue` is its private agreement); no other format is read or written.
//! Start reading at [`Object`], which the derive implements, then [`Members`], which reads for it.

mod bounds;
mod json;
mod kinds;
mod members;
mod name;
mod object;
mod refusal;
mod rest;
mod suggest;
mod tag;
mod text_or_list;
mod union;
mod written;

pub use bounds::{HasItems, HasLength, HasRange, in_items, in_length, in_range};
pub use json::{Json, Number};
pub use kinds::{Amount, Entries, Int, List, Nullable, Plain, Reads, TextOr};
pub use members::{Members, is_default, is_literal, or_default, required};
pub use name::{Named, parse_name, read_name};
pub use object::{Object, read_object, write_object, write_open, write_tag};
pub use refusal::{Refusal, ValueDecodeErrorKind, mismatch, read};
pub use rest::Rest;
pub use tag::Tag;
pub use text_or_list::TextOrList;
pub use union::{Kind, Union, Unknown, read_none, read_union, unknown_kind, write_union};
pub use written::WrittenUsd;

/// An object with free names: in the order it was written, each name once.
pub type Map<T> = indexmap::IndexMap<String, T>;

// The derives name serde through this door, so that a crate hosting generated code needs no dependency of its own.
#[doc(hidden)]
pub use serde;
