//! Types of values in Rust, and bounds as code and as words.

use proc_macro2::TokenStream;
use quote::quote;

use super::{ident, whole};
use crate::lower::{Bounds, Field, Lowered, Shape, Ty};
use crate::model::Primitive;

/// The Rust of a type. `place` says how a type of the spec is named from where the code stands.
pub(super) fn ty(ty: &Ty, place: &impl Fn(&str) -> TokenStream) -> TokenStream {
    match ty {
        Ty::Const(_) => quote!(&'static str),
        Ty::List(item) => {
            let item = self::ty(item, place);
            quote!(Vec<#item>)
        }
        Ty::Map(item) => {
            let item = self::ty(item, place);
            quote!(crate::api::Map<#item>)
        }
        Ty::Primitive(primitive) => self::primitive(*primitive),
        Ty::Ref(name) => place(name),
    }
}

fn primitive(primitive: Primitive) -> TokenStream {
    match primitive {
        // Addresses, times and base64 stay the text that they are on the wire.
        Primitive::String | Primitive::Url | Primitive::DateTime | Primitive::Bytes => quote!(String),
        Primitive::Int | Primitive::UnixSeconds => quote!(i64),
        Primitive::Number => quote!(crate::api::Number),
        Primitive::Bool => quote!(bool),
        Primitive::Json => quote!(crate::api::Json),
        Primitive::Usd => quote!(crate::api::Usd),
        Primitive::Date => quote!(crate::api::Day),
    }
}

/// How operations name a type of the spec.
pub(super) fn from_ops<'l>(lowered: &'l Lowered<'l>) -> impl Fn(&str) -> TokenStream + 'l {
    move |name| {
        let name = ident(lowered.types.get(name).map_or(name, |def| &def.rust));
        quote!(types::#name)
    }
}

/// What a parameter, or a member of a head, must be: its bounds, or only the words for its type.
pub(super) fn expected(field: &Field<'_>, lowered: &Lowered<'_>) -> TokenStream {
    let bounds = &field.bounds;
    let text = || span(&quote!(Text), bounds.min_len.map(count), bounds.max_len.map(count));
    let range = |name: &TokenStream| span(name, bounds.min.map(number), bounds.max.map(number));
    let bounded = match &field.ty {
        // A passed-on list is not read: all that can be asked of it is that it has something in it.
        Ty::List(_) if bounds.min_items.is_some_and(|least| least > 0) => Some(quote!(AList::FILLED)),
        Ty::List(_) => Some(quote!(AList::ANY)),
        Ty::Map(_) => Some(quote!(AnObject)),
        Ty::Primitive(Primitive::String | Primitive::Url | Primitive::DateTime | Primitive::Bytes) => text(),
        Ty::Primitive(Primitive::Int | Primitive::UnixSeconds) => range(&quote!(Whole)),
        Ty::Primitive(Primitive::Number) => range(&quote!(ANumber)),
        Ty::Primitive(Primitive::Usd) => range(&quote!(Dollars)),
        Ty::Primitive(Primitive::Bool | Primitive::Json | Primitive::Date) | Ty::Const(_) | Ty::Ref(_) => None,
    };
    bounded.unwrap_or_else(|| {
        let words = kind_words(&field.ty, lowered);
        quote!(#words)
    })
}

/// `Whole::of(1, 128)`, `Whole::least(1)`, `Whole::most(128)`; `None` without a bound.
fn span(name: &TokenStream, min: Option<TokenStream>, max: Option<TokenStream>) -> Option<TokenStream> {
    match (min, max) {
        (None, None) => None,
        (Some(min), Some(max)) => Some(quote!(#name::of(#min, #max))),
        (Some(min), None) => Some(quote!(#name::least(#min))),
        (None, Some(max)) => Some(quote!(#name::most(#max))),
    }
}

/// `min = 1, max_len = 64`, for the attribute of a field or newtype.
pub(super) fn bound_words(bounds: &Bounds<'_>) -> Vec<TokenStream> {
    let mut words = Vec::new();
    let mut add = |name: &str, value: Option<TokenStream>| {
        if let Some(value) = value {
            let name = ident(name);
            words.push(quote!(#name = #value));
        }
    };
    add("min", bounds.min.map(number));
    add("max", bounds.max.map(number));
    add("min_len", bounds.min_len.map(count));
    add("max_len", bounds.max_len.map(count));
    add("min_items", bounds.min_items.map(count));
    add("max_items", bounds.max_items.map(count));
    words
}

/// A bound as it is written. The check allows whole numbers alone.
fn number(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

fn count(count: u64) -> TokenStream {
    let count = whole(count);
    quote!(#count)
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
        Primitive::Usd => "an amount in US dollars",
        Primitive::UnixSeconds => "a time in seconds since 1970",
        Primitive::Url => "a web address",
        Primitive::Bytes => "bytes in base64",
        Primitive::Date => "a day such as 2026-11-21",
        Primitive::DateTime => "a time such as 2026-11-21T08:30:00Z",
    }
}
