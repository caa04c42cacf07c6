//! The members that decide, of a body that is passed on.

use super::doc::docs;
use super::scope::ImportScope;
use super::tokens::quoted;
use super::ty;
use crate::model::Primitive;
use crate::naming::word;
use crate::resolve::{BodyForm, ResolvedField, ResolvedOperation, ResolvedShape, ResolvedSpec, ResolvedType};

/// The struct of them, and how it is read.
pub(super) struct HeadStruct {
    /// The type of the body.
    pub(super) of: String,
    pub(super) members: Vec<HeadMember>,
}

/// One of them.
pub(super) struct HeadMember {
    pub(super) docs: Vec<String>,
    pub(super) name: String,
    pub(super) ty: String,
    /// Its name on the wire, in quotes.
    pub(super) wire: String,
    /// The method that reads it, and the words for the values that it may have.
    pub(super) method: &'static str,
    pub(super) expected: String,
}

impl HeadStruct {
    pub(super) fn of(
        operation: &ResolvedOperation<'_>,
        lowered: &ResolvedSpec<'_>,
        scope: &ImportScope<'_>,
    ) -> Option<Self> {
        let (reads, ty) = match operation.body.as_ref().map(|body| &body.form) {
            Some(BodyForm::Passed { reads, ty } | BodyForm::PassedParts { reads, ty }) => (reads, ty),
            Some(BodyForm::Json(_) | BodyForm::Raw(_) | BodyForm::Parts) | None => return None,
        };
        let members = reads.iter().map(|(wire, field)| HeadMember {
            docs: docs(field.doc, &format!("`{wire}`.")),
            name: word(&field.rust).into_owned(),
            ty: member_type(field, lowered, scope),
            wire: quoted(wire),
            method: method(field),
            expected: ty::expected(field, lowered, scope),
        });
        Some(Self { of: ty.to_string(), members: members.collect() })
    }
}

/// Absent and null are one thing, unless the handler has to write into the place of a null.
fn method(field: &ResolvedField<'_>) -> &'static str {
    match (field.optional || field.default.is_some(), field.nullable) {
        (true, true) => "nullable",
        (true, false) => "optional",
        (false, true) => "required_nullable",
        (false, false) => "required",
    }
}

fn member_type(field: &ResolvedField<'_>, lowered: &ResolvedSpec<'_>, scope: &ImportScope<'_>) -> String {
    let value = if stays_text(&field.ty, lowered) { scope.api("Raw") } else { ty::ty(&field.ty, scope) };
    let spanned = scope.api("Spanned");
    match method(field) {
        "nullable" => format!("Option<{spanned}<Option<{value}>>>"),
        "optional" => format!("Option<{spanned}<{value}>>"),
        "required_nullable" => format!("{spanned}<Option<{value}>>"),
        _ => format!("{spanned}<{value}>"),
    }
}

/// True if the place of the member is enough: what is long or open-ended is not read.
fn stays_text(ty: &ResolvedType, lowered: &ResolvedSpec<'_>) -> bool {
    match ty {
        ResolvedType::List(_)
        | ResolvedType::TextOrList(_)
        | ResolvedType::Map(_)
        | ResolvedType::Primitive(Primitive::Json) => true,
        ResolvedType::Const(_) | ResolvedType::Primitive(_) => false,
        ResolvedType::Ref(name) => {
            matches!(lowered.types.get(name.as_str()).map(|def| &def.shape), Some(ResolvedShape::Union { .. }) | None)
        }
    }
}
