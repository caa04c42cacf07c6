//! Replies as CSV: the place of the rows, and their columns.

use serde::Serialize;

use super::context::ResolveContext;
use super::fields::ResolvedType;
use super::{ResolvedField, ResolvedShape, ResolvedTypeDef};
use crate::map::IndexMap;
use crate::model::{self, SpannedText};

/// The CSV form of a reply.
#[derive(Debug, Serialize)]
pub struct ResolvedCsv<'s> {
    /// The fields that lead to the list of rows.
    pub rows: Vec<&'s str>,
    /// The columns in their order: fields of a row, `usage.prompt_tokens` for one inside another.
    pub columns: Vec<String>,
    /// The header that tells where the next page begins, and the fields that lead to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<(&'s str, Vec<&'s str>)>,
}

pub(super) type ResolvedTypes<'t, 's> = &'t IndexMap<&'s str, ResolvedTypeDef<'s>>;

pub(super) fn resolve<'s>(
    cx: &mut ResolveContext<'s>,
    types: ResolvedTypes<'_, 's>,
    operation: &'s model::DeclaredOperation,
    csv: &'s model::DeclaredCsv,
) -> Option<ResolvedCsv<'s>> {
    if *operation.proxy || operation.stream.is_some() || operation.body.is_some() || !operation.select.is_empty() {
        cx.refuse(csv.rows.place, "only an operation that reads, and whose reply is of one type, is told as CSV");
        return None;
    }
    for taken in ["format", "csv"] {
        if let Some(field) = operation.query.get(taken) {
            cx.refuse(field.place, format!("`{taken}` is taken: with `csv`, `format` chooses how the reply is told"));
        }
    }
    let reply = operation
        .ok
        .as_ref()
        .and_then(|ok| model::TypeExpr::parse(&ok.value).ok())
        .map(|expr| ResolvedType::of(&expr.base))?;
    let Some(columns) = led_to(types, &reply, &csv.rows).and_then(|ty| columns(types, &ty)) else {
        cx.refuse(
            csv.rows.place,
            "this leads to no list of a type that has fields, each a value, a list or a type of values",
        );
        return None;
    };
    let next = match (&csv.next, &csv.header) {
        (None, None) => None,
        (Some(next), Some(header))
            if led_to(types, &reply, next) == Some(ResolvedType::Primitive(model::Primitive::String))
                && operation.reply_headers.iter().any(|told| told.value == header.value) =>
        {
            Some((header.value.as_str(), names(next)))
        }
        (Some(at), _) | (None, Some(at)) => {
            cx.refuse(at.place, "`next` leads to a text, and `header` is one of `reply_headers`: both, or none");
            return None;
        }
    };
    Some(ResolvedCsv { rows: names(&csv.rows), columns, next })
}

pub(super) fn names(path: &SpannedText) -> Vec<&str> {
    path.value.split('.').collect()
}

/// The type of what fields lead to.
pub(super) fn led_to(types: ResolvedTypes<'_, '_>, from: &ResolvedType, path: &SpannedText) -> Option<ResolvedType> {
    path.value.split('.').try_fold(from.clone(), |ty, name| Some(fields(types, &ty)?.get(name)?.ty.clone()))
}

fn fields<'t, 's>(types: ResolvedTypes<'t, 's>, ty: &ResolvedType) -> Option<&'t IndexMap<&'s str, ResolvedField<'s>>> {
    let ResolvedType::Ref(name) = ty else { return None };
    match &types.get(name.as_str())?.shape {
        ResolvedShape::Struct { fields, .. } => Some(fields),
        ResolvedShape::Enum { .. } | ResolvedShape::Union { .. } | ResolvedShape::Newtype { .. } => None,
    }
}

/// The columns of a list.
fn columns(types: ResolvedTypes<'_, '_>, list: &ResolvedType) -> Option<Vec<String>> {
    let ResolvedType::List(row) = list else { return None };
    let mut columns = Vec::new();
    for (name, field) in fields(types, row)? {
        match fields(types, &field.ty) {
            Some(inner) if inner.values().all(|field| is_value(types, &field.ty)) => {
                columns.extend(inner.keys().map(|inner| format!("{name}.{inner}")));
            }
            // A list is one cell, as JSON.
            None if is_value(types, &field.ty) || matches!(field.ty, ResolvedType::List(_)) => {
                columns.push((*name).to_owned());
            }
            Some(_) | None => return None,
        }
    }
    Some(columns)
}

/// True if a value is one cell.
fn is_value(types: ResolvedTypes<'_, '_>, ty: &ResolvedType) -> bool {
    match ty {
        ResolvedType::Const(_) => true,
        ResolvedType::Primitive(primitive) => !matches!(primitive, model::Primitive::Json),
        ResolvedType::List(_) | ResolvedType::TextOrList(_) | ResolvedType::Map(_) => false,
        ResolvedType::Ref(name) => match types.get(name.as_str()).map(|def| &def.shape) {
            Some(ResolvedShape::Enum { .. }) => true,
            Some(ResolvedShape::Newtype { is, .. }) => is_value(types, is),
            Some(ResolvedShape::Struct { .. } | ResolvedShape::Union { .. }) | None => false,
        },
    }
}
