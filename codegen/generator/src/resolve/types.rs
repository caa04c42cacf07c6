//! Types with their shapes.

use serde::Serialize;

use super::context::ResolveContext;
use super::fields::file_stem;
use super::{ResolvedBounds, ResolvedField, ResolvedOrigin, ResolvedTargetNames, ResolvedType};
use crate::map::IndexMap;
use crate::model::{self, SpecEntry, TypeExpr};
use crate::naming;

/// A type of the spec.
#[derive(Debug, Serialize)]
pub struct ResolvedTypeDef<'s> {
    /// A sentence on the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The shape of the type.
    #[serde(flatten)]
    pub shape: ResolvedShape<'s>,
    /// The media types of a file; none for what is a value of JSON.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<&'s str>,
    /// Names that are not derived.
    #[serde(skip_serializing_if = "ResolvedTargetNames::is_empty")]
    pub name: ResolvedTargetNames<'s>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
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

impl ResolvedTypeDef<'_> {
    /// The media types of a file, in a sentence.
    #[must_use]
    pub fn media_words(&self) -> Option<String> {
        let types: Vec<String> = self.media.iter().map(|media| format!("`{media}`")).collect();
        (!types.is_empty()).then(|| format!("A file: {}.", types.join(" or ")))
    }
}

/// The shape of a type.
#[derive(Debug, Serialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum ResolvedShape<'s> {
    /// An object.
    Struct {
        /// True if unknown fields are kept.
        open: bool,
        /// Its fields.
        fields: IndexMap<&'s str, ResolvedField<'s>>,
    },
    /// One of some words.
    Enum {
        /// True if unknown words are kept.
        open: bool,
        /// The words.
        words: IndexMap<&'s str, ResolvedEnumWord<'s>>,
    },
    /// One of several objects.
    Union {
        /// The field that tells them apart.
        by: &'s str,
        /// True if unknown variants are kept.
        open: bool,
        /// The variants, by the value of that field.
        of: IndexMap<&'s str, ResolvedVariant<'s>>,
    },
    /// Another type under a name of its own.
    Newtype {
        /// That type.
        is: ResolvedType,
        /// Its bounds.
        #[serde(flatten)]
        bounds: ResolvedBounds<'s>,
    },
}

/// A word of an enum.
#[derive(Debug, Serialize)]
pub struct ResolvedEnumWord<'s> {
    /// The meaning of the word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// Its name in Rust.
    #[serde(skip)]
    pub rust: String,
}

/// A variant of a union.
#[derive(Debug, Serialize)]
pub struct ResolvedVariant<'s> {
    /// The type it is; absent when its fields are written in place.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub named: Option<&'s str>,
    /// The fields written in place.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub fields: IndexMap<&'s str, ResolvedField<'s>>,
    /// Its name in Rust.
    #[serde(skip)]
    pub rust: String,
}

pub(super) fn resolve<'s>(cx: &mut ResolveContext<'s>) -> IndexMap<&'s str, ResolvedTypeDef<'s>> {
    cx.spec.types.iter().filter_map(|(name, entry)| Some((name.as_str(), type_def(cx, name, entry)?))).collect()
}

fn type_def<'s>(
    cx: &ResolveContext<'s>,
    name: &'s str,
    entry: &'s SpecEntry<model::DeclaredType>,
) -> Option<ResolvedTypeDef<'s>> {
    Some(ResolvedTypeDef {
        doc: entry.doc.as_deref().map(str::trim_end),
        shape: shape(&entry.value)?,
        media: entry.media().iter().map(|media| media.value.as_str()).collect(),
        name: ResolvedTargetNames::of(&entry.name),
        origin: ResolvedOrigin::of(cx.spec, name, entry),
        rust: rust_name(name, entry),
        module: file_stem(cx.spec, entry.place),
        reached: false,
    })
}

/// Its name in Rust, derived or not.
fn rust_name(name: &str, entry: &model::DeclaredType) -> String {
    let name = entry.name.rust.as_ref().map_or_else(|| naming::upper_camel(name), |name| name.value.clone());
    naming::type_word(&name).into_owned()
}

fn shape(raw: &model::DeclaredType) -> Option<ResolvedShape<'_>> {
    Some(match raw.shape()? {
        model::DeclaredShape::Struct { fields, open } => {
            ResolvedShape::Struct { open, fields: ResolvedField::all(fields) }
        }
        model::DeclaredShape::Enum { words, open } => ResolvedShape::Enum {
            open,
            words: words
                .all()
                .map(|(word, _, doc)| (word, ResolvedEnumWord { doc, rust: naming::upper_camel(word) }))
                .collect(),
        },
        model::DeclaredShape::Union { union, of } => ResolvedShape::Union {
            by: &union.by.value,
            open: union.open,
            of: of.iter().map(|(tag, variant)| (tag.as_str(), resolve_variant(tag, variant))).collect(),
        },
        model::DeclaredShape::Newtype { is } => ResolvedShape::Newtype {
            is: ResolvedType::of(&TypeExpr::parse(&is.value).ok()?.base),
            bounds: ResolvedBounds::of_newtype(raw),
        },
    })
}

fn resolve_variant<'s>(tag: &str, variant: &'s model::DeclaredVariant) -> ResolvedVariant<'s> {
    let (named, fields) = match variant {
        model::DeclaredVariant::Named(name) => (Some(name.value.as_str()), IndexMap::default()),
        model::DeclaredVariant::Inline(fields) => (None, ResolvedField::all(fields)),
    };
    ResolvedVariant { named, fields, rust: naming::upper_camel(tag) }
}
