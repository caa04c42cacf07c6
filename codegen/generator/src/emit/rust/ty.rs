//! Types of values in Rust, and bounds as code and as words.

use super::scope::ImportScope;
use super::tokens::quoted;
use crate::model::Primitive;
use crate::resolve::{ResolvedBounds, ResolvedField, ResolvedShape, ResolvedSpec, ResolvedType};

/// The Rust of a type.
pub(super) fn ty(ty: &ResolvedType, scope: &ImportScope<'_>) -> String {
    match ty {
        ResolvedType::Const(_) => "&'static str".to_owned(),
        ResolvedType::List(item) => format!("Vec<{}>", self::ty(item, scope)),
        ResolvedType::TextOrList(item) => format!("{}<{}>", scope.api("TextOrList"), self::ty(item, scope)),
        ResolvedType::Map(item) => format!("{}<{}>", scope.api("Map"), self::ty(item, scope)),
        ResolvedType::Primitive(primitive) => self::primitive(*primitive, scope),
        ResolvedType::Ref(name) => scope.spec_type(name),
    }
}

fn primitive(primitive: Primitive, scope: &ImportScope<'_>) -> String {
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
pub(super) fn expected(field: &ResolvedField<'_>, lowered: &ResolvedSpec<'_>, scope: &ImportScope<'_>) -> String {
    let bounds = &field.bounds;
    let text = || {
        let count = |count: Option<u64>| count.map(|count| count.to_string());
        span("Text", count(bounds.min_len).as_deref(), count(bounds.max_len).as_deref())
    };
    let range = |name: &str| span(name, bounds.min, bounds.max);
    let bounded = match &field.ty {
        // A passed-on list is not read: all that can be asked of it is that it has something in it.
        ResolvedType::List(_) if bounds.min_items.is_some_and(|least| least > 0) => Some("AList::FILLED".to_owned()),
        ResolvedType::List(_) => Some("AList::ANY".to_owned()),
        ResolvedType::Map(_) => Some("AnObject".to_owned()),
        ResolvedType::Primitive(Primitive::String | Primitive::Url | Primitive::DateTime | Primitive::Bytes) => text(),
        ResolvedType::Primitive(Primitive::Int | Primitive::UnixSeconds) => range("Whole"),
        ResolvedType::Primitive(Primitive::Number) => range("ANumber"),
        ResolvedType::Primitive(Primitive::Usd) => range("Dollars"),
        ResolvedType::Primitive(Primitive::WrittenUsd | Primitive::Bool | Primitive::Json | Primitive::Date)
        | ResolvedType::Const(_)
        | ResolvedType::TextOrList(_)
        | ResolvedType::Ref(_) => None,
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
pub(super) fn bound_words(bounds: &ResolvedBounds<'_>) -> impl Iterator<Item = String> {
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
pub(super) fn parameter_words(ty: &ResolvedType, lowered: &ResolvedSpec<'_>) -> String {
    match ty {
        ResolvedType::List(item) => format!("{}, or several of them with commas between", kind_words(item, lowered)),
        _ => kind_words(ty, lowered),
    }
}

fn kind_words(ty: &ResolvedType, lowered: &ResolvedSpec<'_>) -> String {
    match ty {
        ResolvedType::Const(word) => format!("`{word}`"),
        ResolvedType::List(_) => "a list".to_owned(),
        ResolvedType::TextOrList(_) => "a text or a list".to_owned(),
        ResolvedType::Map(_) => "an object".to_owned(),
        ResolvedType::Primitive(primitive) => primitive_words(*primitive).to_owned(),
        ResolvedType::Ref(name) => match lowered.types.get(name.as_str()).map(|def| &def.shape) {
            Some(ResolvedShape::Enum { open: false, words }) => {
                let words: Vec<String> = words.keys().map(|word| format!("`{word}`")).collect();
                format!("one of {}", words.join(", "))
            }
            Some(ResolvedShape::Enum { .. }) => "a text".to_owned(),
            Some(ResolvedShape::Newtype { is, bounds }) => match bounds.words() {
                bounds if bounds.is_empty() => kind_words(is, lowered),
                bounds => format!("{} of {bounds}", kind_words(is, lowered)),
            },
            Some(ResolvedShape::Struct { .. } | ResolvedShape::Union { .. }) | None => "an object".to_owned(),
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
