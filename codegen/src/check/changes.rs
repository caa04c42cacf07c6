//! Accepted changes: that their classes exist. Whether what they accept has happened only `codegen diff` can tell.

use super::context::Context;
use crate::{
    diagnostics::{Diagnostic, codes::references},
    diff::classes,
};

impl Context<'_> {
    pub(super) fn changes(&mut self) {
        let spec = self.spec;
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
