//! The reply of an operation where all went well.

use super::api_type::{ApiField, ApiShape, ApiType};
use super::document::ApiDocument;
use crate::model::Primitive;

/// A reply.
#[derive(Debug, Clone, Copy)]
pub enum ApiReply<'d> {
    /// A JSON value.
    Json(&'d ApiField),
    /// A JSON value of this type of the document.
    Named(&'d str),
    /// Text as it is.
    Text,
    /// Bytes as they are.
    Bytes,
    /// Nothing that is described.
    Nothing,
}

/// The reply that the type of a field makes. A file that is a text is that text, and not JSON.
#[must_use]
pub fn reply<'d>(document: &ApiDocument, ok: Option<&'d ApiField>) -> ApiReply<'d> {
    match ok {
        None => ApiReply::Nothing,
        Some(ok) => match ends(document, &ok.ty) {
            Some(Primitive::Bytes) => ApiReply::Bytes,
            Some(Primitive::String) if !media(document, ok).is_empty() => ApiReply::Text,
            _ => ApiReply::Json(ok),
        },
    }
}

/// The media types of a reply that is a file.
#[must_use]
pub fn media<'d>(document: &'d ApiDocument, ok: &ApiField) -> &'d [String] {
    let def = if let ApiType::Ref(name) = &ok.ty { document.types.get(name) } else { None };
    def.map_or(&[], |def| def.media.as_slice())
}

/// The primitive that a type is under all its names.
fn ends(document: &ApiDocument, ty: &ApiType) -> Option<Primitive> {
    match ty {
        ApiType::Primitive(primitive) => Some(*primitive),
        ApiType::Ref(name) => match &document.types.get(name)?.shape {
            ApiShape::Newtype { is, .. } => ends(document, is),
            ApiShape::Struct { .. } | ApiShape::Enum { .. } | ApiShape::Union { .. } => None,
        },
        ApiType::Const(_) | ApiType::List(_) | ApiType::TextOrList(_) | ApiType::Map(_) => None,
    }
}
