//! Entries on their way into the spec.

use tollgate_spec_language::model::{DocsPolicy, Spec, SpecSection};

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
    /// The group that has no text yet, where groups must have one.
    pub(super) group: Option<NewGroup>,
    /// The steps that follow.
    pub(super) next: Vec<String>,
}

/// A group of operations without a text.
pub(super) struct NewGroup {
    pub(super) name: String,
    /// The file of `service`.
    pub(super) path: String,
}

impl NewGroup {
    /// The group of an operation, where the spec requires a text of it and has none.
    pub(super) fn of(spec: &Spec, name: &str) -> Option<Self> {
        let service = spec.service.as_ref().filter(|service| service.docs == DocsPolicy::Required)?;
        let path = spec.path(service.name.place).to_owned();
        (!service.tags.contains_key(name)).then(|| Self { name: name.to_owned(), path })
    }

    /// The step that is left where its text cannot be written.
    pub(super) fn step(&self) -> String {
        format!("Add `{}: …` to `tags` of the service in {}.", self.name, self.path)
    }
}

/// The file that the last entry of a section is in.
pub(super) fn file_of_last(spec: &Spec, section: SpecSection) -> Option<String> {
    spec.names(section).last().map(|(_, place)| spec.path(place).to_owned())
}
