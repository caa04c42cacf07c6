//! The reply of an operation where all went well.

use super::document::{Document, Field, Shape, Ty};
use crate::model::Primitive;

/// A reply.
#[derive(Debug, Clone, Copy)]
pub enum Reply<'d> {
    /// A JSON value.
    Json(&'d Field),
    /// A JSON value of this type of the document.
    Named(&'d str),
    /// Text as it is.
    Text,
    /// Bytes as they are.
    Bytes,
    /// Nothing that is described.
    Nothing,
}

/// The reply that the type of a field makes. A whole reply that is a text of somebody else is that text, and not JSON.
#[must_use]
pub fn reply<'d>(document: &Document, ok: Option<&'d Field>, proxy: bool) -> Reply<'d> {
    match ok {
        None => Reply::Nothing,
        Some(ok) => match ends(document, &ok.ty) {
            Some(Primitive::Bytes) => Reply::Bytes,
            Some(Primitive::String) if proxy => Reply::Text,
            _ => Reply::Json(ok),
        },
    }
}

/// The primitive that a type is under all its names.
fn ends(document: &Document, ty: &Ty) -> Option<Primitive> {
    match ty {
        Ty::Primitive(primitive) => Some(*primitive),
        Ty::Ref(name) => match &document.types.get(name)?.shape {
            Shape::Newtype { is, .. } => ends(document, is),
            Shape::Struct { .. } | Shape::Enum { .. } | Shape::Union { .. } => None,
        },
        Ty::Const(_) | Ty::List(_) | Ty::Map(_) => None,
    }
}
