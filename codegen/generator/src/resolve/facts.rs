//! Decisions, and the gaps that the source leaves open.

use serde::Serialize;

use crate::map::IndexMap;
use crate::model::{FactStatus, Spec};

/// A decision of the project.
#[derive(Debug, Serialize)]
pub struct ResolvedFact<'s> {
    /// The gaps of the source that it closes.
    pub closes: Vec<&'s str>,
    /// The entries that it is about.
    pub about: Vec<&'s str>,
    /// The decision.
    pub choice: &'s str,
    /// The reason for it.
    pub because: &'s str,
    /// The alternatives that were weighed and not taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instead_of: Vec<&'s str>,
    /// `open`, `decided`, `confirmed` or `contradicted`.
    pub status: &'static str,
    /// The day.
    pub when: &'s str,
    /// The file and key in the spec.
    pub at: String,
}

/// Something that the source leaves open.
#[derive(Debug, Serialize)]
pub struct ResolvedGap<'s> {
    /// The part of the source.
    pub part: &'s str,
    /// The open question.
    pub open: &'s str,
}

/// The decisions by name: in the order of files, those of two branches would stand in the same place, and conflict.
pub(super) fn facts(spec: &Spec) -> IndexMap<&str, ResolvedFact<'_>> {
    let mut facts: IndexMap<_, _> = spec
        .facts
        .iter()
        .map(|(name, entry)| {
            let fact = ResolvedFact {
                closes: entry.closes.iter().map(|gap| gap.value.as_str()).collect(),
                about: entry.about.iter().map(|entry| entry.value.as_str()).collect(),
                choice: entry.choice.trim_end(),
                because: entry.because.trim_end(),
                instead_of: entry.instead_of.iter().map(|other| other.trim_end()).collect(),
                status: status(entry.status.value),
                when: &entry.when.value,
                at: spec.entry_at(entry.place, name),
            };
            (name.as_str(), fact)
        })
        .collect();
    facts.sort_unstable_keys();
    facts
}

pub(super) fn gaps(spec: &Spec) -> IndexMap<&str, ResolvedGap<'_>> {
    let gaps = spec.source.iter().flat_map(|source| &source.value.gaps);
    gaps.map(|(name, gap)| (name.as_str(), ResolvedGap { part: &gap.part.value, open: gap.open.trim_end() })).collect()
}

const fn status(status: FactStatus) -> &'static str {
    match status {
        FactStatus::Open => "open",
        FactStatus::Decided => "decided",
        FactStatus::Confirmed => "confirmed",
        FactStatus::Contradicted => "contradicted",
    }
}
