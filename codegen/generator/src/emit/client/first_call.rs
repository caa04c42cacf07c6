//! A first call, for readers: the least that the first operation with a stream takes.

use serde_json::{Map, Value};

use super::model::{ClientPackage, StreamTrigger, body_type, may_be_absent, when};
use crate::client_model::{ApiDocument, ApiShape, ApiType, ApiVariant, ParameterPlace};
use crate::model::Primitive;

/// A call that may stream, and a body for it.
pub(super) struct FirstCall<'d> {
    pub(super) group: &'d str,
    pub(super) verb: String,
    /// Group and verb.
    pub(super) name: String,
    pub(super) body: Value,
    /// The field of the body that asks for a stream.
    pub(super) switch: &'d str,
}

pub(super) fn first<'d>(package: &ClientPackage<'d>) -> Option<FirstCall<'d>> {
    package.groups.iter().flat_map(|group| &group.calls).find_map(|call| {
        let StreamTrigger::Body(switch) = when(call.stream()?) else { return None };
        let required =
            call.parameters.iter().any(|parameter| parameter.required || parameter.place == ParameterPlace::Path);
        let body = value(package.document, &body_type(call)?, 0)?;
        let group = call.id.split('.').next()?;
        (!required).then(|| FirstCall { group, verb: call.verb.clone(), name: call.name(), body, switch })
    })
}

/// The least value of a type, for readers: where there is none, or it never ends, three dots.
pub(super) fn least(document: &ApiDocument, ty: &ApiType) -> Value {
    value(document, ty, 0).unwrap_or_else(|| "…".into())
}

/// The least value of a type.
fn value(document: &ApiDocument, ty: &ApiType, depth: usize) -> Option<Value> {
    if depth > 8 {
        return None;
    }
    Some(match ty {
        ApiType::Const(word) => word.as_str().into(),
        ApiType::List(item) => Value::Array(vec![value(document, item, depth + 1)?]),
        ApiType::TextOrList(_) => "…".into(),
        ApiType::Map(_) => Value::Object(Map::new()),
        ApiType::Primitive(primitive) => match primitive {
            Primitive::Int | Primitive::Number | Primitive::Usd | Primitive::WrittenUsd | Primitive::UnixSeconds => {
                1.into()
            }
            Primitive::Bool => true.into(),
            Primitive::Json | Primitive::String | Primitive::Url | Primitive::Bytes => "…".into(),
            Primitive::Date => "2026-11-21".into(),
            Primitive::DateTime => "2026-11-21T08:30:00Z".into(),
        },
        ApiType::Ref(name) => match &document.types.get(name)?.shape {
            ApiShape::Struct { fields, .. } => {
                let mut object = Map::new();
                // A value that may be anything is what most objects are about.
                let shown = fields.iter().filter(|(name, field)| !may_be_absent(field) || *name == "content");
                for (name, field) in shown {
                    object.insert(name.clone(), value(document, &field.ty, depth + 1)?);
                }
                object.into()
            }
            ApiShape::Enum { words, .. } => {
                let word = words.get_key_value("user").or_else(|| words.first())?;
                word.0.as_str().into()
            }
            ApiShape::Union { by, of, .. } => variant(document, by, of.first()?, depth)?,
            ApiShape::Newtype { is, .. } => value(document, is, depth + 1)?,
        },
    })
}

/// One kind of a union.
fn variant(document: &ApiDocument, by: &str, (tag, of): (&String, &ApiVariant), depth: usize) -> Option<Value> {
    let mut object = Map::from_iter([(by.to_owned(), Value::from(tag.as_str()))]);
    if let Some(named) = &of.named
        && let Value::Object(members) = value(document, &ApiType::Ref(named.clone()), depth + 1)?
    {
        object.extend(members.into_iter().filter(|(name, _)| name != by));
    }
    for (name, field) in of.fields.iter().filter(|(_, field)| !may_be_absent(field)) {
        object.insert(name.clone(), value(document, &field.ty, depth + 1)?);
    }
    Some(object.into())
}
