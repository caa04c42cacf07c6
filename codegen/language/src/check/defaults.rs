//! The check of defaults: they are values of their field.

use std::cmp::Ordering;

use super::{bounds::DeclaredBounds, context::CheckContext, expressions::UnderlyingType};
use crate::{
    diagnostics::{Diagnostic, closest, codes::types},
    model::{BaseType, DeclaredField, DeclaredShape, DeclaredType, Primitive, SpannedJson, TypeExpr},
};

impl<'a> CheckContext<'a> {
    /// Checks the default of a field.
    pub(super) fn default(&mut self, field: &'a DeclaredField, expr: &TypeExpr) {
        let Some(default) = &field.default else { return };
        let wrong = |why: String| Diagnostic::error(types::DEFAULT_DOES_NOT_FIT, default.place, why);
        if !expr.optional {
            let why = "a field with a default is one that may be absent";
            let complaint = wrong(why.to_owned()).label(format!("write `type: optional {}`", field.ty.value));
            return self.complain(complaint);
        }
        match self.fits(&default.value, &expr.base) {
            Err(DefaultMismatch { expected, suggestion }) => {
                let message = format!("this is not {expected}");
                self.complain(wrong(message).suggest(suggestion));
            }
            Ok(()) => {
                if let Some(why) = outside(&default.value, &field.into()) {
                    self.complain(wrong(why));
                }
            }
        }
    }

    /// Checks that a value is of a type.
    fn fits(&self, value: &SpannedJson, base: &BaseType) -> Result<(), DefaultMismatch> {
        let fits = match (self.underlying(base), value) {
            (UnderlyingType::Unknown | UnderlyingType::Primitive(Primitive::Json), _)
            | (UnderlyingType::Object | UnderlyingType::Map, SpannedJson::Mapping(_))
            | (UnderlyingType::List, SpannedJson::List(_))
            | (UnderlyingType::Primitive(Primitive::Bool), SpannedJson::Bool(_)) => true,
            (UnderlyingType::Primitive(Primitive::Int | Primitive::UnixSeconds), SpannedJson::Number(number)) => {
                number.whole().is_some()
            }
            (
                UnderlyingType::Primitive(Primitive::Number | Primitive::Usd | Primitive::WrittenUsd),
                SpannedJson::Number(number),
            ) => number.nanos().is_some(),
            (
                UnderlyingType::Primitive(
                    Primitive::String | Primitive::Url | Primitive::Bytes | Primitive::Date | Primitive::DateTime,
                ),
                SpannedJson::Word(_),
            ) => true,
            (UnderlyingType::Enum(named), SpannedJson::Word(word)) => return word_of(named, &word.value),
            _ => false,
        };
        if fits { Ok(()) } else { Err(DefaultMismatch { expected: expected(base), suggestion: None }) }
    }
}

/// The reason why a default does not fit.
struct DefaultMismatch {
    expected: String,
    suggestion: Option<String>,
}

fn expected(base: &BaseType) -> String {
    match base {
        BaseType::Const(word) => format!("the constant `{word}`"),
        BaseType::List(_) => "a list".to_owned(),
        BaseType::Map(_) => "a mapping".to_owned(),
        BaseType::Primitive(primitive) => format!("of type `{}`", primitive.word()),
        BaseType::Named(name) => format!("of type `{name}`"),
    }
}

/// Checks that an enum has a word.
fn word_of(named: &DeclaredType, word: &str) -> Result<(), DefaultMismatch> {
    let Some(DeclaredShape::Enum { words, open }) = named.shape() else { return Ok(()) };
    if open || words.all().any(|(one, ..)| one == word) {
        return Ok(());
    }
    let suggestion = closest(word, words.all().map(|(one, ..)| one)).map(str::to_owned);
    Err(DefaultMismatch {
        expected: format!("one of {}", words.all().map(|(one, ..)| format!("`{one}`")).collect::<Vec<_>>().join(", ")),
        suggestion,
    })
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
