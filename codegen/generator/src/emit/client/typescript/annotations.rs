//! Annotations: the types of fields and parameters in TypeScript.

use super::super::lines::quoted;
use crate::client_model::{ApiField, ApiType};
use crate::model::Primitive;

/// The type of a field or parameter.
pub(super) fn field_type(field: &ApiField, place: &impl Fn(&str) -> String) -> String {
    let ty = ty(&field.ty, place);
    if field.nullable && ty != "unknown" { format!("{ty} | null") } else { ty }
}

pub(super) fn ty(ty: &ApiType, place: &impl Fn(&str) -> String) -> String {
    match ty {
        ApiType::Const(word) => quoted(word),
        ApiType::List(item) => format!("Array<{}>", self::ty(item, place)),
        ApiType::TextOrList(item) => format!("string | Array<{}>", self::ty(item, place)),
        ApiType::Map(item) => format!("Record<string, {}>", self::ty(item, place)),
        ApiType::Primitive(primitive) => match primitive {
            Primitive::String | Primitive::Url | Primitive::Bytes | Primitive::Date | Primitive::DateTime => "string",
            Primitive::Int | Primitive::Number | Primitive::Usd | Primitive::WrittenUsd | Primitive::UnixSeconds => {
                "number"
            }
            Primitive::Bool => "boolean",
            Primitive::Json => "unknown",
        }
        .to_owned(),
        ApiType::Ref(name) => place(name),
    }
}
