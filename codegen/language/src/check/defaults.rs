//! The check of defaults: they are values of their field.

use std::cmp::Ordering;

use super::{bounds::Bounds, context::Context, expressions::Underlying};
use crate::{
    diagnostics::{Diagnostic, closest, codes::types},
    model::{Base, Field, Primitive, Shape, Type, TypeExpr, Value},
};

impl<'a> Context<'a> {
    /// Checks the default of a field.
    pub(super) fn default(&mut self, field: &'a Field, expr: &TypeExpr) {
        let Some(default) = &field.default else { return };
        let wrong = |why: String| Diagnostic::error(types::DEFAULT_DOES_NOT_FIT, default.place, why);
        if !expr.optional {
            let why = "a field with a default is one that may be absent";
            let complaint = wrong(why.to_owned()).label(format!("write `type: optional {}`", field.ty.value));
            return self.complain(complaint);
        }
        match self.fits(&default.value, &expr.base) {
            Err(Misfit { expected, suggestion }) => {
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
    fn fits(&self, value: &Value, base: &Base) -> Result<(), Misfit> {
        let fits = match (self.underlying(base), value) {
            (Underlying::Unknown | Underlying::Primitive(Primitive::Json), _)
            | (Underlying::Object | Underlying::Map, Value::Mapping(_))
            | (Underlying::List, Value::List(_))
            | (Underlying::Primitive(Primitive::Bool), Value::Bool(_)) => true,
            (Underlying::Primitive(Primitive::Int | Primitive::UnixSeconds), Value::Number(number)) => {
                number.whole().is_some()
            }
            (
                Underlying::Primitive(Primitive::Number | Primitive::Usd | Primitive::WrittenUsd),
                Value::Number(number),
            ) => number.nanos().is_some(),
            (
                Underlying::Primitive(
                    Primitive::String | Primitive::Url | Primitive::Bytes | Primitive::Date | Primitive::DateTime,
                ),
                Value::Word(_),
            ) => true,
            (Underlying::Enum(named), Value::Word(word)) => return word_of(named, &word.value),
            _ => false,
        };
        if fits { Ok(()) } else { Err(Misfit { expected: expected(base), suggestion: None }) }
    }
}

/// The reason why a default does not fit.
struct Misfit {
    expected: String,
    suggestion: Option<String>,
}

fn expected(base: &Base) -> String {
    match base {
        Base::Const(word) => format!("the constant `{word}`"),
        Base::List(_) => "a list".to_owned(),
        Base::Map(_) => "a mapping".to_owned(),
        Base::Primitive(primitive) => format!("of type `{}`", primitive.word()),
        Base::Named(name) => format!("of type `{name}`"),
    }
}

/// Checks that an enum has a word.
fn word_of(named: &Type, word: &str) -> Result<(), Misfit> {
    let Some(Shape::Enum { words, open }) = named.shape() else { return Ok(()) };
    if open || words.all().any(|(one, ..)| one == word) {
        return Ok(());
    }
    let suggestion = closest(word, words.all().map(|(one, ..)| one)).map(str::to_owned);
    Err(Misfit {
        expected: format!("one of {}", words.all().map(|(one, ..)| format!("`{one}`")).collect::<Vec<_>>().join(", ")),
        suggestion,
    })
}

/// The bound that a value breaks, in words.
pub(super) fn outside(value: &Value, bounds: &Bounds<'_>) -> Option<String> {
    let (count, min, max, what) = match value {
        Value::Number(number) => {
            let below = bounds.min.is_some_and(|min| number.compare(min) == Some(Ordering::Less));
            let above = bounds.max.is_some_and(|max| number.compare(max) == Some(Ordering::Greater));
            return (below || above).then(|| format!("{} is outside of the field's own bounds", number.text()));
        }
        Value::Word(word) => (word.value.chars().count(), bounds.min_len, bounds.max_len, "characters"),
        Value::List(items) => (items.len(), bounds.min_items, bounds.max_items, "items"),
        Value::Mapping(pairs) => (pairs.len(), bounds.min_items, bounds.max_items, "items"),
        Value::Null | Value::Bool(_) => return None,
    };
    let count = count as u64;
    let outside = min.is_some_and(|min| count < min.value) || max.is_some_and(|max| count > max.value);
    outside.then(|| format!("{count} {what} are outside of the field's own bounds"))
}
