//! Annotations: the types of fields and parameters in Python.

use super::super::lines::quoted;
use crate::client_model::{ApiField, ApiType};
use crate::model::Primitive;

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
