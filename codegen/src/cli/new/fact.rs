//! The open decision that a new entry rests on.

use std::time::{SystemTime, UNIX_EPOCH};

use tollgate_spec_language::model::{Spec, SpecSection};

use super::{entry::NewEntry, text};

/// A decision about an entry, in the file of the entry: in a file that all share, those of two branches would conflict.
pub(super) fn open(spec: &Spec, wanted: &str, about: &str, path: &str) -> NewEntry {
    let name = free(spec, wanted);
    let text = format!(
        "  {name}:\n    about: [{about}]\n    choice: What was decided.\n    because: Why.\n    status: open\n    when: {}\n",
        today()
    );
    NewEntry { section: SpecSection::Facts, name, state: ", open", path: path.to_owned(), text }
}

/// An id for a fact that is not taken.
fn free(spec: &Spec, wanted: &str) -> String {
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    let mut all = std::iter::once(wanted.to_owned()).chain(numbered);
    all.find(|id| !spec.facts.contains_key(id)).unwrap_or_default()
}

/// The day, `2026-11-21`, in UTC.
#[expect(
    clippy::disallowed_methods,
    reason = "a command for people asks what day it is; nothing generated depends on it"
)]
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = text::civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}
