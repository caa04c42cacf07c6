//! Replies as CSV: the place of the rows, and their columns.

use serde::Serialize;

use super::fields::Ty;
use super::{Cx, Field, Shape, TypeDef};
use crate::map::IndexMap;
use crate::model::{self, Text};

/// The CSV form of a reply.
#[derive(Debug, Serialize)]
pub struct Csv<'s> {
    /// The fields that lead to the list of rows.
    pub rows: Vec<&'s str>,
    /// The columns in their order: fields of a row, `usage.prompt_tokens` for one inside another.
    pub columns: Vec<String>,
    /// The header that tells where the next page begins, and the fields that lead to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<(&'s str, Vec<&'s str>)>,
}

pub(super) type Types<'t, 's> = &'t IndexMap<&'s str, TypeDef<'s>>;

pub(super) fn lower<'s>(
    cx: &mut Cx<'s>,
    types: Types<'_, 's>,
    operation: &'s model::Operation,
    csv: &'s model::Csv,
) -> Option<Csv<'s>> {
    if *operation.proxy || operation.body.is_some() || !operation.select.is_empty() {
        cx.refuse(csv.rows.place, "only an operation that reads, and whose reply is of one type, is told as CSV");
        return None;
    }
    for taken in ["format", "csv"] {
        if let Some(field) = operation.query.get(taken) {
            cx.refuse(field.place, format!("`{taken}` is taken: with `csv`, `format` chooses how the reply is told"));
        }
    }
    let reply =
        operation.ok.as_ref().and_then(|ok| model::TypeExpr::parse(&ok.value).ok()).map(|expr| Ty::of(&expr.base))?;
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
            if led_to(types, &reply, next) == Some(Ty::Primitive(model::Primitive::String))
                && operation.reply_headers.iter().any(|told| told.value == header.value) =>
        {
            Some((header.value.as_str(), names(next)))
        }
        (Some(at), _) | (None, Some(at)) => {
            cx.refuse(at.place, "`next` leads to a text, and `header` is one of `reply_headers`: both, or none");
            return None;
        }
    };
    Some(Csv { rows: names(&csv.rows), columns, next })
}

pub(super) fn names(path: &Text) -> Vec<&str> {
    path.value.split('.').collect()
}

/// The type of what fields lead to.
pub(super) fn led_to(types: Types<'_, '_>, from: &Ty, path: &Text) -> Option<Ty> {
    path.value.split('.').try_fold(from.clone(), |ty, name| Some(fields(types, &ty)?.get(name)?.ty.clone()))
}

fn fields<'t, 's>(types: Types<'t, 's>, ty: &Ty) -> Option<&'t IndexMap<&'s str, Field<'s>>> {
    let Ty::Ref(name) = ty else { return None };
    match &types.get(name.as_str())?.shape {
        Shape::Struct { fields, .. } => Some(fields),
        Shape::Enum { .. } | Shape::Union { .. } | Shape::Newtype { .. } => None,
    }
}

/// The columns of a list.
fn columns(types: Types<'_, '_>, list: &Ty) -> Option<Vec<String>> {
    let Ty::List(row) = list else { return None };
    let mut columns = Vec::new();
    for (name, field) in fields(types, row)? {
        match fields(types, &field.ty) {
            Some(inner) if inner.values().all(|field| is_value(types, &field.ty)) => {
                columns.extend(inner.keys().map(|inner| format!("{name}.{inner}")));
            }
            // A list is one cell, as JSON.
            None if is_value(types, &field.ty) || matches!(field.ty, Ty::List(_)) => columns.push((*name).to_owned()),
            Some(_) | None => return None,
        }
    }
    Some(columns)
}

/// True if a value is one cell.
fn is_value(types: Types<'_, '_>, ty: &Ty) -> bool {
    match ty {
        Ty::Const(_) => true,
        Ty::Primitive(primitive) => !matches!(primitive, model::Primitive::Json),
        Ty::List(_) | Ty::Map(_) => false,
        Ty::Ref(name) => match types.get(name.as_str()).map(|def| &def.shape) {
            Some(Shape::Enum { .. }) => true,
            Some(Shape::Newtype { is, .. }) => is_value(types, is),
            Some(Shape::Struct { .. } | Shape::Union { .. }) | None => false,
        },
    }
}
