//! An entry of a price list before it is understood.

use indexmap::IndexMap;
use serde_json::value::RawValue;

/// The members of an entry, by the list's own names.
pub(super) type EntryMembers<'a> = IndexMap<String, &'a RawValue>;
