//! The members that decide, of a body that is passed on.

use super::doc::docs;
use super::scope::Scope;
use super::{quoted, ty, word};
use crate::lower::{BodyForm, Field, Lowered, Operation, Shape, Ty};
use crate::model::Primitive;

/// The struct of them, and how it is read.
pub(super) struct Head {
    /// The type of the body.
    pub(super) of: String,
    pub(super) members: Vec<Member>,
}

/// One of them.
pub(super) struct Member {
    pub(super) docs: Vec<String>,
    pub(super) name: String,
    pub(super) ty: String,
    /// Its name on the wire, in quotes.
    pub(super) wire: String,
    /// The method that reads it, and the words for the values that it may have.
    pub(super) method: &'static str,
    pub(super) expected: String,
}

impl Head {
    pub(super) fn of(operation: &Operation<'_>, lowered: &Lowered<'_>, scope: &Scope<'_>) -> Option<Self> {
        let (reads, ty) = match operation.body.as_ref().map(|body| &body.form) {
            Some(BodyForm::Passed { reads, ty } | BodyForm::PassedParts { reads, ty }) => (reads, ty),
            Some(BodyForm::Json(_) | BodyForm::Raw(_) | BodyForm::Parts) | None => return None,
        };
        let members = reads.iter().map(|(wire, field)| Member {
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
fn method(field: &Field<'_>) -> &'static str {
    match (field.optional || field.default.is_some(), field.nullable) {
        (true, true) => "nullable",
        (true, false) => "optional",
        (false, true) => "required_nullable",
        (false, false) => "required",
    }
}

fn member_type(field: &Field<'_>, lowered: &Lowered<'_>, scope: &Scope<'_>) -> String {
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
fn stays_text(ty: &Ty, lowered: &Lowered<'_>) -> bool {
    match ty {
        Ty::List(_) | Ty::Map(_) | Ty::Primitive(Primitive::Json) => true,
        Ty::Const(_) | Ty::Primitive(_) => false,
        Ty::Ref(name) => {
            matches!(lowered.types.get(name.as_str()).map(|def| &def.shape), Some(Shape::Union { .. }) | None)
        }
    }
}
