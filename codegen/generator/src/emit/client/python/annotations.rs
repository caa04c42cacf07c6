//! Annotations: the types of fields and parameters in Python.

use super::super::lines::quoted;
use crate::client_model::{ApiField, ApiType};
use crate::model::Primitive;

/// Words that annotations are made of, and that a method of a class may be called as.
pub(super) const WORDS: [&str; 8] = ["bool", "bytes", "dict", "float", "int", "list", "str", "types"];

/// An annotation in a class that has these methods: what one of them is called as goes by another name, which begins with `_`.
pub(super) fn beside(methods: &[&str], annotation: &str) -> String {
    if methods.is_empty() {
        return annotation.to_owned();
    }
    let mut told = String::new();
    for (index, part) in annotation.split('"').enumerate() {
        told.push_str(if index > 0 { "\"" } else { "" });
        // Every second one is a text.
        if index % 2 == 1 {
            told.push_str(part);
            continue;
        }
        for word in part.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_') {
            let name = word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            told.push_str(if methods.contains(&name) && !told.ends_with('.') { "_" } else { "" });
            told.push_str(word);
        }
    }
    told
}

/// The type of a field or parameter.
pub(super) fn field_type(field: &ApiField, place: &impl Fn(&str) -> String) -> String {
    let ty = ty(&field.ty, place);
    if field.nullable && ty != "Any" { format!("{ty} | None") } else { ty }
}

pub(super) fn ty(ty: &ApiType, place: &impl Fn(&str) -> String) -> String {
    match ty {
        ApiType::Const(word) => format!("Literal[{}]", quoted(word)),
        ApiType::List(item) => format!("list[{}]", self::ty(item, place)),
        ApiType::TextOrList(item) => format!("str | list[{}]", self::ty(item, place)),
        ApiType::Map(item) => format!("dict[str, {}]", self::ty(item, place)),
        ApiType::Primitive(primitive) => match primitive {
            Primitive::String | Primitive::Url | Primitive::Bytes | Primitive::Date | Primitive::DateTime => "str",
            Primitive::Int | Primitive::UnixSeconds => "int",
            Primitive::Number | Primitive::Usd | Primitive::WrittenUsd => "float",
            Primitive::Bool => "bool",
            Primitive::Json => "Any",
        }
        .to_owned(),
        ApiType::Ref(name) => place(name),
    }
}
