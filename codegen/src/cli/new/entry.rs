//! Entries on their way into the spec.

use tollgate_spec_language::model::{Spec, SpecSection};

/// An entry of a section, not written yet.
pub(super) struct NewEntry {
    pub(super) section: SpecSection,
    pub(super) name: String,
    /// A word on it for people, after a comma; may be empty.
    pub(super) state: &'static str,
    /// The file that it goes to.
    pub(super) path: String,
    /// Its lines, indented as they stand in the section.
    pub(super) text: String,
}

/// Entries that belong together. The first is the one that was asked for.
pub(super) struct NewStub {
    pub(super) entries: Vec<NewEntry>,
    /// The steps that follow.
    pub(super) next: Vec<String>,
}

/// The file that the last entry of a section is in.
pub(super) fn file_of_last(spec: &Spec, section: SpecSection) -> Option<String> {
    spec.names(section).last().map(|(_, place)| spec.path(place).to_owned())
}
