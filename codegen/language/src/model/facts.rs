//! The index of the source document, its gaps, and the project's decisions.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{EntryMap, SpannedText, SpannedValue};

/// An index of the source document, in our own words.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Source")]
#[serde(deny_unknown_fields)]
pub struct SourceDocument {
    /// Its title.
    pub title: String,
    /// Its parts, by number.
    #[serde(default)]
    pub parts: EntryMap<SourcePart>,
    /// Its gaps: what it leaves open, by an id of ours.
    #[serde(default)]
    pub gaps: EntryMap<Gap>,
}

/// A part of the source document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Part")]
#[serde(deny_unknown_fields)]
pub struct SourcePart {
    /// Its subject.
    pub title: String,
    /// Its headings, as `from:` names them.
    #[serde(default)]
    pub headings: Vec<SpannedText>,
}

/// Something the source document leaves open.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The part it is in.
    pub part: SpannedText,
    /// The open question.
    pub open: String,
}

/// A decision of the project.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// The gaps of the source it closes; none when it is a decision of our own.
    #[serde(default)]
    pub closes: Vec<SpannedText>,
    /// The entries it is about: `operations.x402.pay`, `envelopes.account`.
    #[serde(default)]
    pub about: Vec<SpannedText>,
    /// The decision.
    pub choice: String,
    /// The reason for it.
    pub because: String,
    /// The alternatives that were weighed and not taken.
    #[serde(default)]
    pub instead_of: Vec<String>,
    /// The status of the decision. Absent: `decided`.
    #[serde(default)]
    pub status: SpannedValue<FactStatus>,
    /// The day it was decided, `2026-11-21`. Absent: the `when` of the file.
    #[serde(default)]
    pub when: SpannedText,
}

/// The status of a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FactStatus {
    /// Not decided yet.
    Open,
    /// Decided by us.
    #[default]
    Decided,
    /// The source has since said the same.
    Confirmed,
    /// The source has since said otherwise: the choice must change.
    Contradicted,
}
