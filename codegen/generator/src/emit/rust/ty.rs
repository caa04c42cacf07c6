//! Types of values in Rust, and bounds as code and as words.

use super::quoted;
use super::scope::Scope;
use crate::lower::{Bounds, Field, Lowered, Shape, Ty};
use crate::model::Primitive;

/// The Rust of a type.
pub(super) fn ty(ty: &Ty, scope: &Scope<'_>) -> String {
    match ty {
        Ty::Const(_) => "&'static str".to_owned(),
        Ty::List(item) => format!("Vec<{}>", self::ty(item, scope)),
        Ty::Map(item) => format!("{}<{}>", scope.api("Map"), self::ty(item, scope)),
        Ty::Primitive(primitive) => self::primitive(*primitive, scope),
        Ty::Ref(name) => scope.spec_type(name),
    }
}

fn primitive(primitive: Primitive, scope: &Scope<'_>) -> String {
    match primitive {
        // Addresses, times and base64 stay the text that they are on the wire.
        Primitive::String | Primitive::Url | Primitive::DateTime | Primitive::Bytes => "String".to_owned(),
        Primitive::Int | Primitive::UnixSeconds => "i64".to_owned(),
        Primitive::Number => scope.api("Number"),
        Primitive::Bool => "bool".to_owned(),
        Primitive::Json => scope.api("Json"),
        Primitive::Usd => scope.api("Usd"),
        Primitive::WrittenUsd => scope.api("WrittenUsd"),
        Primitive::Date => scope.api("Day"),
    }
}

/// The constraint on a parameter, or on a member of a head: its bounds, or only the words for its type.
pub(super) fn expected(field: &Field<'_>, lowered: &Lowered<'_>, scope: &Scope<'_>) -> String {
    let bounds = &field.bounds;
    let text = || {
        let count = |count: Option<u64>| count.map(|count| count.to_string());
        span("Text", count(bounds.min_len).as_deref(), count(bounds.max_len).as_deref())
    };
    let range = |name: &str| span(name, bounds.min, bounds.max);
    let bounded = match &field.ty {
        // A passed-on list is not read: all that can be asked of it is that it has something in it.
        Ty::List(_) if bounds.min_items.is_some_and(|least| least > 0) => Some("AList::FILLED".to_owned()),
        Ty::List(_) => Some("AList::ANY".to_owned()),
        Ty::Map(_) => Some("AnObject".to_owned()),
        Ty::Primitive(Primitive::String | Primitive::Url | Primitive::DateTime | Primitive::Bytes) => text(),
        Ty::Primitive(Primitive::Int | Primitive::UnixSeconds) => range("Whole"),
        Ty::Primitive(Primitive::Number) => range("ANumber"),
        Ty::Primitive(Primitive::Usd) => range("Dollars"),
        Ty::Primitive(Primitive::WrittenUsd | Primitive::Bool | Primitive::Json | Primitive::Date)
        | Ty::Const(_)
        | Ty::Ref(_) => None,
    };
    bounded.map_or_else(|| quoted(&kind_words(&field.ty, lowered)), |bounded| scope.api(&bounded))
}

/// `Whole::of(1, 128)`, `Whole::least(1)`, `Whole::most(128)`; `None` without a bound.
fn span(name: &str, min: Option<&str>, max: Option<&str>) -> Option<String> {
    match (min, max) {
        (None, None) => None,
        (Some(min), Some(max)) => Some(format!("{name}::of({min}, {max})")),
        (Some(min), None) => Some(format!("{name}::least({min})")),
        (None, Some(max)) => Some(format!("{name}::most({max})")),
    }
}

/// `min = 1`, `max_len = 64`: words of the attribute of a field or newtype, as the spec writes them.
pub(super) fn bound_words(bounds: &Bounds<'_>) -> impl Iterator<Item = String> {
    let bound = |name: &str, bound: Option<&str>| bound.map(|bound| format!("{name} = {bound}"));
    let count = |name: &str, count: Option<u64>| count.map(|count| format!("{name} = {count}"));
    let words = [
        bound("min", bounds.min),
        bound("max", bounds.max),
        count("min_len", bounds.min_len),
        count("max_len", bounds.max_len),
        count("min_items", bounds.min_items),
        count("max_items", bounds.max_items),
    ];
    words.into_iter().flatten()
}

/// The words for a parameter's type. A list is its items, one after the other.
pub(super) fn parameter_words(ty: &Ty, lowered: &Lowered<'_>) -> String {
    match ty {
        Ty::List(item) => format!("{}, or several of them with commas between", kind_words(item, lowered)),
        _ => kind_words(ty, lowered),
    }
}

fn kind_words(ty: &Ty, lowered: &Lowered<'_>) -> String {
    match ty {
        Ty::Const(word) => format!("`{word}`"),
        Ty::List(_) => "a list".to_owned(),
        Ty::Map(_) => "an object".to_owned(),
        Ty::Primitive(primitive) => primitive_words(*primitive).to_owned(),
        Ty::Ref(name) => match lowered.types.get(name.as_str()).map(|def| &def.shape) {
            Some(Shape::Enum { open: false, words }) => {
                let words: Vec<String> = words.keys().map(|word| format!("`{word}`")).collect();
                format!("one of {}", words.join(", "))
            }
            Some(Shape::Enum { .. }) => "a text".to_owned(),
            Some(Shape::Newtype { is, bounds }) => match bounds.words() {
                bounds if bounds.is_empty() => kind_words(is, lowered),
                bounds => format!("{} of {bounds}", kind_words(is, lowered)),
            },
            Some(Shape::Struct { .. } | Shape::Union { .. }) | None => "an object".to_owned(),
        },
    }
}

const fn primitive_words(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::String => "a text",
        Primitive::Int => "a whole number",
        Primitive::Number => "a number",
        Primitive::Bool => "true or false",
        Primitive::Json => "JSON",
        Primitive::Usd | Primitive::WrittenUsd => "an amount in US dollars",
        Primitive::UnixSeconds => "a time in seconds since 1970",
        Primitive::Url => "a web address",
        Primitive::Bytes => "bytes in base64",
        Primitive::Date => "a day such as 2026-11-21",
        Primitive::DateTime => "a time such as 2026-11-21T08:30:00Z",
    }
}
