//! The types that the Rust of routed operations uses. Planned operations need none, and bodies that are
//! only passed on neither.

use super::{BodyForm, ResolvedField, ResolvedOperation, ResolvedShape, ResolvedSpec, ResolvedType, ResolvedTypeDef};
use crate::map::{IndexMap, IndexSet};

pub(super) fn mark(lowered: &mut ResolvedSpec<'_>) {
    let mut open: Vec<String> = Vec::new();
    for operation in lowered.operations.values().filter(|operation| !operation.planned) {
        open.extend(roots(operation, &lowered.types).into_iter().map(str::to_owned));
    }
    let mut reached: IndexSet<String> = IndexSet::default();
    while let Some(name) = open.pop() {
        let Some(def) = lowered.types.get(name.as_str()) else { continue };
        if reached.insert(name) {
            open.extend(inside(def).into_iter().map(str::to_owned));
        }
    }
    for (name, def) in &mut lowered.types {
        def.reached = reached.contains(*name);
    }
}

/// The types in an operation's signature.
fn roots<'o>(operation: &'o ResolvedOperation<'_>, types: &IndexMap<&str, ResolvedTypeDef<'_>>) -> Vec<&'o str> {
    let mut roots = Vec::new();
    let parameters = operation.path.values().chain(operation.query.values()).chain(operation.headers.values());
    roots.extend(parameters.filter_map(|field| field.ty.named()));
    if let Some(body) = &operation.body {
        match &body.form {
            BodyForm::Json(ty) | BodyForm::Raw(ty) => roots.extend(ty.named()),
            BodyForm::Passed { reads, .. } | BodyForm::PassedParts { reads, .. } => {
                roots.extend(reads.values().filter_map(|field| head_type(field, types)));
            }
            BodyForm::Parts => {}
        }
    }
    if !operation.is_raw() || operation.converts {
        roots.extend(operation.ok.as_ref().and_then(|ok| ok.ty.named()));
    }
    if operation.converts {
        roots.extend(operation.stream.as_ref().map(|stream| stream.event));
        if let Some(BodyForm::Passed { ty, .. }) = operation.body.as_ref().map(|body| &body.form) {
            roots.push(ty);
        }
    }
    let variants = operation.select.iter().flat_map(|select| &select.variants);
    roots.extend(variants.filter_map(|variant| variant.ok.ty.named()));
    roots
}

/// The type that a field of a head is read as; lists, maps and unions stay text.
pub(crate) fn head_type<'f>(
    field: &'f ResolvedField<'_>,
    types: &IndexMap<&str, ResolvedTypeDef<'_>>,
) -> Option<&'f str> {
    let ResolvedType::Ref(name) = &field.ty else { return None };
    match types.get(name.as_str())?.shape {
        ResolvedShape::Union { .. } => None,
        ResolvedShape::Struct { .. } | ResolvedShape::Enum { .. } | ResolvedShape::Newtype { .. } => Some(name),
    }
}

fn inside<'d>(def: &'d ResolvedTypeDef<'_>) -> Vec<&'d str> {
    let named = |fields: &'d IndexMap<&str, ResolvedField<'_>>| fields.values().filter_map(|field| field.ty.named());
    match &def.shape {
        ResolvedShape::Struct { fields, .. } => named(fields).collect(),
        ResolvedShape::Enum { .. } => Vec::new(),
        ResolvedShape::Union { of, .. } => {
            of.values().flat_map(|variant| named(&variant.fields).chain(variant.named)).collect()
        }
        ResolvedShape::Newtype { is, .. } => is.named().into_iter().collect(),
    }
}
