//! What the files of `spec/` say, as written: one struct per kind of entry, nothing resolved yet.
//!
//! These types are the spec language. Their `JsonSchema` is what the structural check walks and what editors
//! complete from, so the two cannot disagree; their `Deserialize` reads the checked tree item by item.
//! Every file has the same shape ([`File`]); all files together are one namespace.
//!
//! Invariants: no type here is `#[serde(untagged)]` (it would lose places); a choice between shapes is made by the
//! kind of the YAML node alone (word, list or mapping), in the types of [`crate::choice`].

use indexmap::IndexMap;

/// One file under `spec/`. Any section may stand in any file; a file is only a place.
pub struct File {
    /// Where the entries of this file come from unless they say so themselves: `§4 POST /v1/messages`.
    pub from: Option<Text>,
    /// The decision behind the entries of this file, by fact id, unless they say so themselves.
    pub fact: Option<Text>,
    pub service: Option<Service>,
    pub source: Option<Source>,
    pub wire_names: IndexMap<String, WireName>,
    pub auth: IndexMap<String, Scheme>,
    pub proofs: IndexMap<String, Proof>,
    pub rails: IndexMap<String, Rail>,
    pub limits: IndexMap<String, Limit>,
    pub actors: IndexMap<String, String>,
    pub families: IndexMap<String, String>,
    pub envelopes: IndexMap<String, Envelope>,
    pub kinds: IndexMap<String, IndexMap<String, String>>,
    pub errors: IndexMap<String, ErrorCode>,
    pub groups: IndexMap<String, Vec<Text>>,
    pub framework: IndexMap<String, Text>,
    pub operations: IndexMap<String, Operation>,
    pub types: IndexMap<String, Type>,
    pub machines: IndexMap<String, Machine>,
    pub facts: IndexMap<String, Fact>,
}

/// A word of the spec that refers to something, with its place (see `parse`).
pub type Text = crate::parse::Located<String>;
