//! Operations that should not be used any more: when, until when, and what to use in their place.

use super::context::CheckContext;
use crate::{
    calendar::is_day,
    diagnostics::{Diagnostic, codes::operations, codes::references},
    model::{DeclaredOperation, OperationStage, SpannedText, SpecEntry, SpecSection},
};

impl<'a> CheckContext<'a> {
    pub(super) fn deprecation(&mut self, name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        let Some(deprecated) = &operation.deprecated else { return };
        let days: Vec<&SpannedText> =
            [Some(&deprecated.since), deprecated.until.as_ref()].into_iter().flatten().collect();
        let mut are_days = true;
        for day in days.iter().filter(|day| !is_day(&day.value)) {
            are_days = false;
            let message = format!("`{}` is not a day", day.value);
            self.complain(Diagnostic::error(operations::DEPRECATION, day.place, message).label("like `2026-11-21`"));
        }
        // Days are in order as texts are.
        if let ([since, until], true) = (days.as_slice(), are_days)
            && until.value <= since.value
        {
            let complaint = Diagnostic::error(operations::DEPRECATION, until.place, "it ends before it is deprecated");
            self.complain(complaint.and(since.place, "since then"));
        }
        let Some(successor) = &deprecated.successor else { return };
        if !self.resolve(SpecSection::Operations, successor, references::UNKNOWN_OPERATION) {
            return;
        }
        let taken = self.spec.operations.get(&successor.value);
        let why = match taken {
            _ if successor.value == name => "an operation does not take its own place",
            Some(taken) if taken.deprecated.is_some() => "what takes its place is deprecated as well",
            Some(taken) if taken.stage == OperationStage::Planned => "what takes its place is not served yet",
            Some(_) | None => return,
        };
        self.complain(Diagnostic::error(operations::DEPRECATION, successor.place, why));
    }
}
