//! Types with their shapes.

use serde::Serialize;

use super::fields::file_stem;
use super::{Bounds, Cx, Field, Named, Origin, Ty};
use crate::map::IndexMap;
use crate::model::{self, Entry, TypeExpr};
use crate::naming;

/// A type of the spec.
#[derive(Debug, Serialize)]
pub struct TypeDef<'s> {
    /// A sentence on the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The shape of the type.
    #[serde(flatten)]
    pub shape: Shape<'s>,
    /// Names that are not derived.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub name: Named<'s>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: Origin<'s>,
    /// Its name in Rust.
    #[serde(skip)]
    pub rust: String,
    /// The Rust module it is in: the stem of its file.
    #[serde(skip)]
    pub module: String,
    /// True if a routed operation's Rust uses it.
    #[serde(skip)]
    pub reached: bool,
}

/// The shape of a type.
#[derive(Debug, Serialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum Shape<'s> {
    /// An object.
    Struct {
        /// True if unknown fields are kept.
        open: bool,
        /// Its fields.
        fields: IndexMap<&'s str, Field<'s>>,
    },
    /// One of some words.
    Enum {
        /// True if unknown words are kept.
        open: bool,
        /// The words.
        words: IndexMap<&'s str, Word<'s>>,
    },
    /// One of several objects.
    Union {
        /// The field that tells them apart.
        by: &'s str,
        /// True if unknown variants are kept.
        open: bool,
        /// The variants, by the value of that field.
        of: IndexMap<&'s str, Variant<'s>>,
    },
    /// Another type under a name of its own.
    Newtype {
        /// That type.
        is: Ty,
        /// Its bounds.
        #[serde(flatten)]
        bounds: Bounds<'s>,
    },
}

/// A word of an enum.
#[derive(Debug, Serialize)]
pub struct Word<'s> {
    /// The meaning of the word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// Its name in Rust.
    #[serde(skip)]
    pub rust: String,
}

/// A variant of a union.
#[derive(Debug, Serialize)]
pub struct Variant<'s> {
    /// The type it is; absent when its fields are written in place.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub named: Option<&'s str>,
    /// The fields written in place.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub fields: IndexMap<&'s str, Field<'s>>,
    /// Its name in Rust.
    #[serde(skip)]
    pub rust: String,
}

pub(super) fn lower<'s>(cx: &mut Cx<'s>) -> IndexMap<&'s str, TypeDef<'s>> {
    cx.spec.types.iter().filter_map(|(name, entry)| Some((name.as_str(), type_def(cx, name, entry)?))).collect()
}

fn type_def<'s>(cx: &Cx<'s>, name: &'s str, entry: &'s Entry<model::Type>) -> Option<TypeDef<'s>> {
    Some(TypeDef {
        doc: entry.doc.as_deref().map(str::trim_end),
        shape: shape(&entry.value)?,
        name: Named::of(&entry.name),
        origin: Origin::of(cx.spec, entry.place, &entry.value),
        rust: entry.name.rust.as_ref().map_or_else(|| naming::upper_camel(name), |name| name.value.clone()),
        module: file_stem(cx.spec, entry.place),
        reached: false,
    })
}

fn shape(raw: &model::Type) -> Option<Shape<'_>> {
    Some(match raw.shape()? {
        model::Shape::Struct { fields, open } => Shape::Struct { open, fields: Field::all(fields) },
        model::Shape::Enum { words, open } => Shape::Enum {
            open,
            words: words.all().map(|(word, _, doc)| (word, Word { doc, rust: naming::upper_camel(word) })).collect(),
        },
        model::Shape::Union { union, of } => Shape::Union {
            by: &union.by.value,
            open: union.open,
            of: of.iter().map(|(tag, variant)| (tag.as_str(), lower_variant(tag, variant))).collect(),
        },
        model::Shape::Newtype { is } => {
            Shape::Newtype { is: Ty::of(&TypeExpr::parse(&is.value).ok()?.base), bounds: Bounds::of_newtype(raw) }
        }
    })
}

fn lower_variant<'s>(tag: &str, variant: &'s model::Variant) -> Variant<'s> {
    let (named, fields) = match variant {
        model::Variant::Named(name) => (Some(name.value.as_str()), IndexMap::default()),
        model::Variant::Inline(fields) => (None, Field::all(fields)),
    };
    Variant { named, fields, rust: naming::upper_camel(tag) }
}
