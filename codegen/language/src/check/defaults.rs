//! The check of defaults: they are values of their field.

use super::{context::CheckContext, examples::ValueMismatch};
use crate::{
    diagnostics::{Diagnostic, closest, codes::types},
    model::{BaseType, DeclaredField, DeclaredShape, SpannedJson, SpecSection, TypeExpr},
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
        if let Some(complaint) = self.no_word(&default.value, expr) {
            return self.complain(complaint);
        }
        for ValueMismatch { place, message, suggestion } in self.misfits_of(&default.value, default.place, field) {
            let complaint = Diagnostic::error(types::DEFAULT_DOES_NOT_FIT, place, message);
            self.complain(complaint.suggest(suggestion));
        }
    }

    /// A default is a known word of its enum, though others may be sent.
    fn no_word(&self, default: &SpannedJson, expr: &TypeExpr) -> Option<Diagnostic> {
        let SpannedJson::Word(text) = default else { return None };
        let name = expr.named().filter(|_| matches!(expr.base, BaseType::Named(_)))?;
        let Some(DeclaredShape::Enum { words, .. }) = self.type_named(name)?.shape() else { return None };
        if words.all().any(|(word, ..)| word == text.value) || self.damage.is_hurt(SpecSection::Types, name) {
            return None;
        }
        let message = format!("this is not a word of `{name}`");
        let meant = closest(&text.value, words.all().map(|(word, ..)| word));
        Some(Diagnostic::error(types::DEFAULT_DOES_NOT_FIT, text.place, message).suggest(meant))
    }
}
