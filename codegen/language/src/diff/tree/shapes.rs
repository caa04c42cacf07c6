//! Types, fields and parameters.

use super::super::measure::newtypes;
use super::super::node::{DiffNode, FacetKind, FacetValue, NodeLink};
use super::facets::{choice, decimal, flag, plain, room, whole};
use super::service::caller;
use crate::model::{
    BaseType, DeclaredField, DeclaredFields, DeclaredShape, DeclaredType, DeclaredVariant, SourceSpan, SpannedText,
    SpannedValue, Spec, SpecEntry, TargetNames, TypeExpr, WordOr, WrittenNumber,
};

/// A struct, enum or union, as it is compared where it is used; `None` for any other type.
pub(in super::super) fn shape(spec: &Spec, name: &str) -> Option<DiffNode> {
    let entry = spec.types.get(name)?;
    let place = entry.place;
    let open_at = entry.open.as_ref().map_or(place, |open| open.place);
    let node = DiffNode::thing(FacetKind::Shape, "", place)
        .whole_subject(format!("types.{name}"))
        .with([plain(FacetKind::TypeName, Some(name), place)])
        .with(names(&entry.name, place));
    Some(match entry.shape()? {
        DeclaredShape::Struct { fields: all, open } => {
            node.with([flag(FacetKind::StructOpen, open, open_at)]).with(fields(spec, FacetKind::Field, all))
        }
        DeclaredShape::Enum { words, open } => node
            .closed(!open)
            .with([flag(FacetKind::EnumOpen, open, open_at)])
            .with(words.all().map(|(word, place, _)| DiffNode::thing(FacetKind::EnumWord, word, place))),
        DeclaredShape::Union { union, of } => node
            .closed(!union.open)
            .with([flag(FacetKind::UnionOpen, union.open, union.place), super::facets::word(FacetKind::Tag, &union.by)])
            .with(of.iter().map(|(tag, variant)| {
                let node = DiffNode::thing(FacetKind::Variant, tag, variant.place);
                match &variant.value {
                    DeclaredVariant::Named(name) => node.leading_to(NodeLink::Named(name.value.clone())),
                    DeclaredVariant::Inline(all) => node.with(fields(spec, FacetKind::Field, all)),
                }
            })),
        DeclaredShape::Newtype { .. } => return None,
    })
}

/// The names that were chosen for the target languages.
pub(super) fn names(names: &TargetNames, place: SourceSpan) -> Vec<DiffNode> {
    let name = |language: &str, text: Option<&SpannedText>| {
        choice(FacetKind::Name, text, place).keyed(language).step(format!("name.{language}"))
    };
    vec![name("rust", names.rust.as_ref()), name("ts", names.ts.as_ref()), name("py", names.py.as_ref())]
}

/// The fields of a type, or parameters of an operation.
pub(super) fn fields(spec: &Spec, kind: FacetKind, fields: &DeclaredFields) -> Vec<DiffNode> {
    fields.iter().filter_map(|(name, entry)| field(spec, kind, name, entry)).collect()
}

fn field(spec: &Spec, kind: FacetKind, name: &str, entry: &SpecEntry<WordOr<DeclaredField>>) -> Option<DiffNode> {
    let expr = TypeExpr::parse(&entry.ty.value).ok()?;
    let at = entry.ty.place;
    let default = entry.default.as_ref().map(|default| default.to_json().to_string());
    let ignored = entry.ignored_for.as_ref();
    let node = DiffNode::thing(kind, name, entry.place).must(!expr.optional);
    let node = match kind {
        FacetKind::Query => node.under("query"),
        FacetKind::Header => node.under("headers"),
        _ => node,
    };
    Some(
        node.with([
            flag(FacetKind::Required, !expr.optional, at),
            flag(FacetKind::Nullable, expr.nullable, at),
            plain(FacetKind::Default, default.as_deref(), entry.default.as_ref().map_or(entry.place, |it| it.place)),
            plain(
                FacetKind::IgnoredFor,
                ignored.map(|kind| caller(kind.value)),
                ignored.map_or(entry.place, |ignored| ignored.place),
            ),
            DiffNode::facet(FacetKind::Type, FacetValue::Type(expr.base.clone()), at),
        ])
        .with(names(&entry.name, entry.place))
        .with(bounds(spec, entry, &expr.base)),
    )
}

/// The type of a reply, an event, a body or a parameter of a path.
pub(super) fn typed(node: DiffNode, text: &SpannedText) -> DiffNode {
    match TypeExpr::parse(&text.value) {
        Ok(expr) => node.with([
            flag(FacetKind::Nullable, expr.nullable, text.place),
            DiffNode::facet(FacetKind::Type, FacetValue::Type(expr.base), text.place),
        ]),
        Err(_) => node,
    }
}

/// The bounds of a field: its own, else those of the type that it is a name of.
pub(super) fn bounds(spec: &Spec, entry: &SpecEntry<WordOr<DeclaredField>>, base: &BaseType) -> Vec<DiffNode> {
    let mut innermost = base;
    while let BaseType::List(inner) | BaseType::TextOrList(inner) | BaseType::Map(inner) = innermost {
        innermost = inner;
    }
    let chain = match innermost {
        BaseType::Named(name) => newtypes(spec, name),
        _ => Vec::new(),
    };
    let place = entry.place;
    let number = |own: &Option<SpannedValue<WrittenNumber>>,
                  of: fn(&DeclaredType) -> &Option<SpannedValue<WrittenNumber>>| {
        own.as_ref().or_else(|| chain.iter().find_map(|(_, named)| of(named).as_ref())).and_then(decimal)
    };
    let count = |own: &Option<SpannedValue<u64>>, of: fn(&DeclaredType) -> &Option<SpannedValue<u64>>| {
        own.as_ref().or_else(|| chain.iter().find_map(|(_, named)| of(named).as_ref())).map(whole)
    };
    vec![
        room(FacetKind::Range, false, number(&entry.min, |named| &named.min), place),
        room(FacetKind::Range, true, number(&entry.max, |named| &named.max), place),
        room(FacetKind::Length, false, count(&entry.min_len, |named| &named.min_len), place),
        room(FacetKind::Length, true, count(&entry.max_len, |named| &named.max_len), place),
        room(FacetKind::Items, false, count(&entry.min_items, |named| &named.min_items), place),
        room(FacetKind::Items, true, count(&entry.max_items, |named| &named.max_items), place),
    ]
}
