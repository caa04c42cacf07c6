//! The check of defaults: they are values of their field.

use std::cmp::Ordering;

use super::{bounds::DeclaredBounds, context::CheckContext, examples::ValueMismatch};
use crate::{
    diagnostics::{Diagnostic, codes::types},
    model::{DeclaredField, SpannedJson, TypeExpr},
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

/// The bound that a value breaks, in words.
pub(super) fn outside(value: &SpannedJson, bounds: &DeclaredBounds<'_>) -> Option<String> {
    let (count, min, max, what) = match value {
        SpannedJson::Number(number) => {
            let below = bounds.min.is_some_and(|min| number.compare(min) == Some(Ordering::Less));
            let above = bounds.max.is_some_and(|max| number.compare(max) == Some(Ordering::Greater));
            return (below || above).then(|| format!("{} is outside of the field's own bounds", number.text()));
        }
        SpannedJson::Word(word) => (word.value.chars().count(), bounds.min_len, bounds.max_len, "characters"),
        SpannedJson::List(items) => (items.len(), bounds.min_items, bounds.max_items, "items"),
        SpannedJson::Mapping(pairs) => (pairs.len(), bounds.min_items, bounds.max_items, "items"),
        SpannedJson::Null | SpannedJson::Bool(_) => return None,
    };
    let count = count as u64;
    let outside = min.is_some_and(|min| count < min.value) || max.is_some_and(|max| count > max.value);
    outside.then(|| format!("{count} {what} are outside of the field's own bounds"))
}
