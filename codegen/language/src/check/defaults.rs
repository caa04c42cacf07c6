//! The check of defaults: they are values of their field.

use super::{context::CheckContext, examples::ValueMismatch};
use crate::{
    diagnostics::{Diagnostic, codes::types},
    model::{DeclaredField, TypeExpr},
};

impl<'a> CheckContext<'a> {
    /// Checks the default of a field.
    pub(super) fn default(&mut self, field: &'a DeclaredField, expr: &TypeExpr) {
        let Some(default) = &field.default else { return };
        if !expr.optional {
            let why = "a field with a default is one that may be absent";
            let complaint = Diagnostic::error(types::DEFAULT_DOES_NOT_FIT, default.place, why)
                .label(format!("write `type: optional {}`", field.ty.value));
            return self.complain(complaint);
        }
        for ValueMismatch { place, message, suggestion } in self.misfits_of(&default.value, default.place, field) {
            let complaint = Diagnostic::error(types::DEFAULT_DOES_NOT_FIT, place, message);
            self.complain(complaint.suggest(suggestion));
        }
    }
}
