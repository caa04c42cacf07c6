//! Accepted changes: the entries of the section `changes`.

use super::change::{ChangePlace, SpecChange};
use super::classes;
use crate::model::Spec;

/// An entry of the section `changes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedChange {
    /// The class.
    pub class: String,
    /// The subject of the change.
    pub subject: String,
    /// The reason for accepting it.
    pub reason: String,
    /// The place of the entry.
    pub at: ChangePlace,
}

/// Changes beside what was accepted of them.
#[derive(Debug, Default)]
pub struct ReviewedChanges {
    /// Each change, with the reason for which it was accepted; first what breaks somebody and was not.
    pub findings: Vec<(SpecChange, Option<String>)>,
    /// Acceptances of changes that there are not. Only the release that `since` names can tell.
    pub stale: Vec<AcceptedChange>,
}

impl ReviewedChanges {
    /// The number of changes that break somebody and were not accepted.
    #[must_use]
    pub fn refused(&self) -> usize {
        self.findings.iter().filter(|(finding, accepted)| is_refused(finding, accepted.as_deref())).count()
    }
}

fn is_refused(finding: &SpecChange, accepted: Option<&str>) -> bool {
    finding.class.is_breaking() && accepted.is_none()
}

/// Puts what the new spec accepts beside what changed.
#[must_use]
pub fn apply_acceptances(findings: Vec<SpecChange>, new: &Spec) -> ReviewedChanges {
    let mut stale = acceptances(new);
    let mut judged = ReviewedChanges::default();
    for finding in findings {
        let fits = |entry: &AcceptedChange| entry.class == finding.class.id && entry.subject == finding.subject;
        let accepted = stale.iter().position(fits).map(|at| stale.remove(at).reason);
        judged.findings.push((finding, accepted));
    }
    // The order within each half stays.
    judged.findings.sort_by_key(|(finding, accepted)| !is_refused(finding, accepted.as_deref()));
    judged.stale = stale;
    judged
}

fn acceptances(spec: &Spec) -> Vec<AcceptedChange> {
    let of_class = |class: &str| classes().any(|known| known.id == class);
    let entries = spec.changes.iter().filter(|(class, _)| of_class(class));
    entries
        .flat_map(|(class, subjects)| {
            subjects.iter().map(|(subject, reason)| AcceptedChange {
                class: class.clone(),
                subject: subject.clone(),
                reason: reason.value.clone(),
                at: ChangePlace::of(spec, reason.place),
            })
        })
        .collect()
}
