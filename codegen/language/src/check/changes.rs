//! The check of accepted changes: their classes exist, and a release is named by what git keeps. That what they accept has
//! happened, and that there is the release, only `codegen diff` can tell.

use super::context::CheckContext;
use crate::{
    calendar::is_day,
    diagnostics::{Diagnostic, codes::references},
    diff::classes,
};

impl CheckContext<'_> {
    pub(super) fn changes(&mut self) {
        let spec = self.spec;
        if let Some(since) = spec.since.as_ref().filter(|since| !may_be_release(&since.value)) {
            self.complain(
                Diagnostic::error(
                    references::UNKNOWN_RELEASE,
                    since.place,
                    format!("`{}` is no name of a release", since.value),
                )
                .note("a release is named by a tag or by the id of its commit, which stay where they are"),
            );
        }
        for (class, subjects) in &spec.changes {
            match classes().find(|known| known.id == class) {
                Some(known) if known.is_breaking() => {}
                Some(_) => self.complain(
                    Diagnostic::error(references::UNKNOWN_CLASS, subjects.place, format!("`{class}` breaks nobody"))
                        .note("only what breaks somebody has to be accepted"),
                ),
                None => {
                    self.unknown(references::UNKNOWN_CLASS, "class of change", class, subjects.place, |_| {
                        classes().filter(|class| class.is_breaking()).map(|class| class.id).collect()
                    });
                }
            }
        }
    }
}

/// Usual names of branches.
const BRANCHES: [&str; 4] = ["main", "master", "trunk", "develop"];

/// True if a word may be the name of a tag or the id of a commit, and is no path from one to another.
fn may_be_release(name: &str) -> bool {
    let moves = name == "HEAD" || name == "@" || name.starts_with("refs/heads/") || name.starts_with("refs/remotes/");
    let allowed = |letter: char| !letter.is_control() && !letter.is_whitespace() && !"~^:?*[\\".contains(letter);
    let parts = name.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock"));
    !moves
        && !BRANCHES.contains(&name)
        && !is_day(name)
        && parts
        && name.chars().all(allowed)
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !name.contains("..")
        && !name.contains("@{")
}
