//! The origin of an entry, in words.

use serde::Serialize;

use crate::model::{self, Spec, SpecEntry};

/// The origin of an entry: its file and key, the part of the source it follows, and the decision behind it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ResolvedOrigin<'s> {
    /// `spec/operations/chat.yaml: chat.create`.
    pub at: String,
    /// `§4 POST /v1/messages`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<&'s str>,
    /// The id of a fact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<&'s str>,
}

impl<'s> ResolvedOrigin<'s> {
    pub(super) fn of(spec: &'s Spec, key: &str, entry: &'s SpecEntry<impl model::EntryOrigin>) -> Self {
        Self {
            at: spec.entry_at(entry.place, key),
            from: entry.from().map(|from| from.value.as_str()),
            fact: entry.fact().map(|fact| fact.value.as_str()),
        }
    }

    /// "spec/operations/chat.yaml: chat.create, source §4".
    #[must_use]
    pub fn words(&self) -> String {
        match self.from.and_then(|from| from.split_whitespace().next()) {
            Some(part) => format!("{}, source {part}", self.at),
            None => self.at.clone(),
        }
    }
}
