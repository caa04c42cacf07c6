//! The types of values in Rust, and the words that never differ.

use std::collections::BTreeSet;

use super::names::type_name;
use crate::client_model::{ApiDocument, ApiShape, ApiType};
use crate::model::Primitive;
use crate::naming;

/// The type of a value. A word that never differs has a type of its own.
pub(super) fn ty(document: &ApiDocument, ty: &ApiType) -> String {
    match ty {
        ApiType::Const(word) => format!("crate::types::{}", only_name(document, word)),
        ApiType::List(item) => format!("Vec<{}>", self::ty(document, item)),
        ApiType::TextOrList(item) => format!("crate::TextOrList<{}>", self::ty(document, item)),
        ApiType::Map(item) => format!("std::collections::BTreeMap<String, {}>", self::ty(document, item)),
        ApiType::Primitive(primitive) => match primitive {
            Primitive::String | Primitive::Url | Primitive::Bytes | Primitive::Date | Primitive::DateTime => "String",
            Primitive::Int | Primitive::UnixSeconds => "i64",
            Primitive::Number => "f64",
            Primitive::Usd | Primitive::WrittenUsd => "crate::Usd",
            Primitive::Bool => "bool",
            Primitive::Json => "serde_json::Value",
        }
        .to_owned(),
        ApiType::Ref(name) => format!("crate::types::{}", type_name(document, name)),
    }
}

/// The type of a word that never differs, beside the types of the spec and those of words that differ in their letters alone.
pub(super) fn only_name(document: &ApiDocument, word: &str) -> String {
    let derived = |word: &str| format!("Only{}", naming::upper_camel(word));
    let mut name = derived(word);
    let alike = only(document).into_iter().take_while(|other| *other != word).filter(|other| derived(other) == name);
    let taken = document.types.keys().any(|own| type_name(document, own) == name);
    let marks = alike.count() + usize::from(taken);
    name.extend(std::iter::repeat_n('_', marks));
    name
}

/// The words that never differ, in all types that are reached.
pub(super) fn only(document: &ApiDocument) -> BTreeSet<&str> {
    fn inside(ty: &ApiType) -> Option<&str> {
        match ty {
            ApiType::Const(word) => Some(word),
            ApiType::List(item) | ApiType::TextOrList(item) | ApiType::Map(item) => inside(item),
            ApiType::Primitive(_) | ApiType::Ref(_) => None,
        }
    }
    let mut words = BTreeSet::new();
    for def in document.types.values() {
        match &def.shape {
            ApiShape::Struct { fields, .. } => words.extend(fields.values().filter_map(|field| inside(&field.ty))),
            ApiShape::Union { of, .. } => {
                words.extend(
                    of.values().flat_map(|variant| variant.fields.values()).filter_map(|field| inside(&field.ty)),
                );
            }
            ApiShape::Newtype { is, .. } => words.extend(inside(is)),
            ApiShape::Enum { .. } => {}
        }
    }
    words
}
