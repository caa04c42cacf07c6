//! Two specs side by side: what changed, whom it breaks, and which of it was accepted.
//!
//! A spec becomes a tree of things and facets (`tree`), every node with its place. Two trees are walked together
//! (`walk`); what differs is measured alike everywhere (`measure`): a thing went or came, a bound leaves more or less
//! room. What that means is a line of a table (`class`): less room breaks who sends, more room breaks who receives. Types are
//! compared where they are used and not by their names, so that one of another name and the same shape is no difference
//! on the wire.
//!
//! Pure; it asks no git and reads no folder. Start at [`compare`].

mod accept;
mod class;
mod measure;
mod node;
mod report;
mod tree;
mod walk;

use std::collections::BTreeSet;

pub use self::{
    accept::{AcceptedChange, ReviewedChanges, apply_acceptances},
    class::{BrokenSide, ChangeAudience, ChangeClass, TABLES, classes},
    report::{SideNames, markdown, reference, text, to_json},
};
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
    fn of(spec: &Spec, place: SourceSpan) -> Self {
        Self { file: spec.path(place).to_owned(), line: place.line.max(1), column: place.column.max(1) }
    }
}

/// Everything that changed: what breaks somebody first, then by audience, class and subject.
#[must_use]
pub fn compare(old: &Spec, new: &Spec) -> Vec<SpecChange> {
    let mut findings = walk::DiffWalk::new(old, new).findings();
    findings.sort_by_cached_key(|finding| {
        let class = finding.class;
        (!class.is_breaking(), class.audience, class::rank(class), finding.subject.clone())
    });
    findings
}
