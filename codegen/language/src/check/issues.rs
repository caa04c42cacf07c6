//! The complaints of a check, with the parts that they took.

use super::lost::LostParts;
use crate::diagnostics::Diagnostic;

/// The complaints of a check, and the parts that could not be read because of them.
#[derive(Debug, Default)]
pub(super) struct CheckIssues {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) damage: LostParts,
}

impl CheckIssues {
    pub(super) fn add(&mut self, other: Self) {
        let Self { diagnostics, damage } = other;
        self.diagnostics.extend(diagnostics);
        self.damage.add(damage);
    }

    pub(super) fn is_any(&self) -> bool {
        !self.diagnostics.is_empty() || self.damage.is_any()
    }
}
