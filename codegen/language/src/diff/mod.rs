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
mod change;
mod class;
mod measure;
mod node;
mod report;
mod tree;
mod walk;

pub use self::{
    accept::{AcceptedChange, ReviewedChanges, apply_acceptances},
    change::{ChangePlace, SpecChange},
    class::{BrokenSide, ChangeAudience, ChangeClass, TABLES, classes},
    report::{SideNames, markdown, reference, text, to_json},
};
use crate::model::Spec;

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
