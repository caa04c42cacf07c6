//! Types, fields and parameters.

use super::super::measure::newtypes;
use super::super::node::{Kind, Link, Node, Value};
use super::{choice, decimal, flag, plain, room, service::caller, whole};
use crate::model::{
    Base, Entry, Field, Fields, Located, Names, Number, Place, Shape, Spec, Text, Type, TypeExpr, Variant, WordOr,
};

/// A struct, enum or union, as it is compared where it is used; `None` for any other type.
pub(in super::super) fn shape(spec: &Spec, name: &str) -> Option<Node> {
    let entry = spec.types.get(name)?;
    let place = entry.place;
    let open_at = entry.open.as_ref().map_or(place, |open| open.place);
    let node = Node::thing(Kind::Shape, "", place)
        .whole_subject(format!("types.{name}"))
        .with([plain(Kind::TypeName, Some(name), place)])
        .with(names(&entry.name, place));
    Some(match entry.shape()? {
        Shape::Struct { fields: all, open } => {
            node.with([flag(Kind::StructOpen, open, open_at)]).with(fields(spec, Kind::Field, all))
        }
        Shape::Enum { words, open } => node
            .closed(!open)
            .with([flag(Kind::EnumOpen, open, open_at)])
            .with(words.all().map(|(word, place, _)| Node::thing(Kind::EnumWord, word, place))),
        Shape::Union { union, of } => node
            .closed(!union.open)
            .with([flag(Kind::UnionOpen, union.open, union.place), super::word(Kind::Tag, &union.by)])
            .with(of.iter().map(|(tag, variant)| {
                let node = Node::thing(Kind::Variant, tag, variant.place);
                match &variant.value {
                    Variant::Named(name) => node.leading_to(Link::Named(name.value.clone())),
                    Variant::Inline(all) => node.with(fields(spec, Kind::Field, all)),
                }
            })),
        Shape::Newtype { .. } => return None,
    })
}

/// The names that were chosen for the target languages.
pub(super) fn names(names: &Names, place: Place) -> Vec<Node> {
    let name = |language: &str, text: Option<&Text>| {
        choice(Kind::Name, text, place).keyed(language).step(format!("name.{language}"))
    };
    vec![name("rust", names.rust.as_ref()), name("ts", names.ts.as_ref()), name("py", names.py.as_ref())]
}

/// The fields of a type, or parameters of an operation.
pub(super) fn fields(spec: &Spec, kind: Kind, fields: &Fields) -> Vec<Node> {
    fields.iter().filter_map(|(name, entry)| field(spec, kind, name, entry)).collect()
}

fn field(spec: &Spec, kind: Kind, name: &str, entry: &Entry<WordOr<Field>>) -> Option<Node> {
    let expr = TypeExpr::parse(&entry.ty.value).ok()?;
    let at = entry.ty.place;
    let default = entry.default.as_ref().map(|default| default.to_json().to_string());
    let ignored = entry.ignored_for.as_ref();
    let node = Node::thing(kind, name, entry.place).must(!expr.optional);
    let node = match kind {
        Kind::Query => node.under("query"),
        Kind::Header => node.under("headers"),
        _ => node,
    };
    Some(
        node.with([
            flag(Kind::Required, !expr.optional, at),
            flag(Kind::Nullable, expr.nullable, at),
            plain(Kind::Default, default.as_deref(), entry.default.as_ref().map_or(entry.place, |it| it.place)),
            plain(
                Kind::IgnoredFor,
                ignored.map(|kind| caller(kind.value)),
                ignored.map_or(entry.place, |ignored| ignored.place),
            ),
            Node::facet(Kind::Type, Value::Type(expr.base.clone()), at),
        ])
        .with(names(&entry.name, entry.place))
        .with(bounds(spec, entry, &expr.base)),
    )
}

/// The type of a reply, an event, a body or a parameter of a path.
pub(super) fn typed(node: Node, text: &Text) -> Node {
    match TypeExpr::parse(&text.value) {
        Ok(expr) => node.with([
            flag(Kind::Nullable, expr.nullable, text.place),
            Node::facet(Kind::Type, Value::Type(expr.base), text.place),
        ]),
        Err(_) => node,
    }
}

/// The bounds of a field: its own, else those of the type that it is a name of.
pub(super) fn bounds(spec: &Spec, entry: &Entry<WordOr<Field>>, base: &Base) -> Vec<Node> {
    let mut innermost = base;
    while let Base::List(inner) | Base::Map(inner) = innermost {
        innermost = inner;
    }
    let chain = match innermost {
        Base::Named(name) => newtypes(spec, name),
        _ => Vec::new(),
    };
    let place = entry.place;
    let number = |own: &Option<Located<Number>>, of: fn(&Type) -> &Option<Located<Number>>| {
        own.as_ref().or_else(|| chain.iter().find_map(|(_, named)| of(named).as_ref())).and_then(decimal)
    };
    let count = |own: &Option<Located<u64>>, of: fn(&Type) -> &Option<Located<u64>>| {
        own.as_ref().or_else(|| chain.iter().find_map(|(_, named)| of(named).as_ref())).map(whole)
    };
    vec![
        room(Kind::Range, false, number(&entry.min, |named| &named.min), place),
        room(Kind::Range, true, number(&entry.max, |named| &named.max), place),
        room(Kind::Length, false, count(&entry.min_len, |named| &named.min_len), place),
        room(Kind::Length, true, count(&entry.max_len, |named| &named.max_len), place),
        room(Kind::Items, false, count(&entry.min_items, |named| &named.min_items), place),
        room(Kind::Items, true, count(&entry.max_items, |named| &named.max_items), place),
    ]
}
