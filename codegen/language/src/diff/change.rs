//! Changes between two specs, and their places.

use std::collections::BTreeSet;

use super::class::ChangeClass;
use crate::model::{SourceSpan, Spec};

/// One change.
#[derive(Debug, Clone)]
pub struct SpecChange {
    /// The class of the change.
    pub class: &'static ChangeClass,
    /// The subject of the change: `types.Thing.size`.
    pub subject: String,
    /// The sentence for the changelog.
    pub says: String,
    /// Its place in the old spec, or the place that would have held it.
    pub old: ChangePlace,
    /// Its place in the new spec, or the place that would hold it.
    pub new: ChangePlace,
    /// The operations that it reaches; none where it is not of operations.
    pub through: BTreeSet<String>,
}

/// A place in one of two specs, in words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangePlace {
    /// `spec/operations/chat.yaml`
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

impl ChangePlace {
    pub(super) fn of(spec: &Spec, place: SourceSpan) -> Self {
        Self { file: spec.path(place).to_owned(), line: place.line.max(1), column: place.column.max(1) }
    }
}
