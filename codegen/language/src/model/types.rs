//! Types of bodies.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    DeclaredFields, DeclaredVariant, EntryMap, EnumWords, OneOrMore, SpannedText, SpannedValue, TargetNames,
    WrittenNumber,
};

/// A named type: exactly one of `fields`, `enum`, `states_of`, `roles` or `member_roles`, `union` with `of`, or `is`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Type")]
#[serde(deny_unknown_fields)]
pub struct DeclaredType {
    /// A sentence on the type.
    pub doc: Option<String>,
    /// Names in the target languages, where the derived ones do not please.
    #[serde(default)]
    pub name: TargetNames,
    /// For `fields`: unknown fields are kept byte for byte. For `enum`: unknown words are kept.
    pub open: Option<SpannedValue<bool>>,
    /// An object with these fields.
    pub fields: Option<DeclaredFields>,
    /// Types whose fields it has too, behind its own: one, or a list. A field that it says itself is as it says.
    pub with: Option<OneOrMore>,
    /// The type that it changes: it has all fields of that, none of which must be there, and null takes away what was optional.
    pub partial_of: Option<SpannedText>,
    /// One of these words: a list, or a mapping from word to what it means.
    #[serde(rename = "enum")]
    pub words: Option<EnumWords>,
    /// The machine whose states are the words of the enum. With `enum`, that is a mapping from each to what it means.
    pub states_of: Option<SpannedText>,
    /// True if the words of the enum, and their meanings, are the roles of operators.
    #[serde(default)]
    pub roles: SpannedValue<bool>,
    /// True if the words of the enum, and their meanings, are the roles of members.
    #[serde(default)]
    pub member_roles: SpannedValue<bool>,
    /// One of several objects, told apart by a field.
    pub union: Option<SpannedValue<UnionTag>>,
    /// The variants of a union: the value of the field to its fields or type.
    pub of: Option<EntryMap<DeclaredVariant>>,
    /// Another type under a name of its own.
    pub is: Option<SpannedText>,
    /// With `is: string`, `bytes` or `json`: the media types of a file, with which an operation answers as it is.
    pub media: Option<OneOrMore>,
    /// With `is`: least value.
    pub min: Option<SpannedValue<WrittenNumber>>,
    /// With `is`: greatest value.
    pub max: Option<SpannedValue<WrittenNumber>>,
    /// With `is`: least length in characters.
    pub min_len: Option<SpannedValue<u64>>,
    /// With `is`: greatest length in characters.
    pub max_len: Option<SpannedValue<u64>>,
    /// With `is`: fewest items.
    pub min_items: Option<SpannedValue<u64>>,
    /// With `is`: most items.
    pub max_items: Option<SpannedValue<u64>>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

/// The field that tells the variants of a union apart.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Union")]
#[serde(deny_unknown_fields)]
pub struct UnionTag {
    /// The field that tells them apart.
    pub by: SpannedText,
    /// Unknown variants are kept.
    #[serde(default)]
    pub open: bool,
}

/// The four shapes of a type.
#[derive(Debug, Clone, Copy)]
pub enum DeclaredShape<'a> {
    /// An object.
    Struct {
        /// Its fields.
        fields: &'a DeclaredFields,
        /// True if unknown fields are kept.
        open: bool,
    },
    /// One of some words.
    Enum {
        /// The words.
        words: &'a EnumWords,
        /// True if unknown words are kept.
        open: bool,
    },
    /// One of several objects.
    Union {
        /// The field that tells them apart, and whether unknown variants are kept.
        union: &'a SpannedValue<UnionTag>,
        /// The variants, by the value of that field.
        of: &'a EntryMap<DeclaredVariant>,
    },
    /// Another type under a name of its own.
    Newtype {
        /// The type expression.
        is: &'a SpannedText,
    },
}

impl DeclaredType {
    /// The media types of a file; none for what is a value of JSON.
    #[must_use]
    pub fn media(&self) -> &[SpannedText] {
        self.media.as_ref().map_or(&[], OneOrMore::all)
    }

    /// The shape; `None` where the spec is wrong about it (there is a diagnostic then).
    #[must_use]
    pub fn shape(&self) -> Option<DeclaredShape<'_>> {
        let open = self.open.as_ref().is_some_and(|open| open.value);
        match (&self.fields, &self.words, &self.union, &self.of, &self.is) {
            (Some(fields), None, None, None, None) => Some(DeclaredShape::Struct { fields, open }),
            (None, Some(words), None, None, None) => Some(DeclaredShape::Enum { words, open }),
            (None, None, Some(union), Some(of), None) => Some(DeclaredShape::Union { union, of }),
            (None, None, None, None, Some(is)) => Some(DeclaredShape::Newtype { is }),
            _ => None,
        }
    }
}
