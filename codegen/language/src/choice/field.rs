//! Fields, parameters and variants.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Number, Value, WordOr};
use crate::model::{CallerKind, Entries, Located, Names, Secret, Text};

/// Named fields or parameters, in order.
pub type Fields = Entries<WordOr<Field>>;

/// A field of a type, or a parameter of an operation: a type expression, or a mapping with bounds.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The type expression: `[optional] (list of | map of)* Name [or null]`, or `const word`.
    #[serde(rename = "type")]
    pub ty: Text,
    /// The meaning of the field.
    pub doc: Option<String>,
    /// Names in the target languages, where the derived ones do not please.
    #[serde(default)]
    pub name: Names,
    /// Least value.
    pub min: Option<Located<Number>>,
    /// Greatest value.
    pub max: Option<Located<Number>>,
    /// Least length in characters.
    pub min_len: Option<Located<u64>>,
    /// Greatest length in characters.
    pub max_len: Option<Located<u64>>,
    /// Fewest items.
    pub min_items: Option<Located<u64>>,
    /// Most items.
    pub max_items: Option<Located<u64>>,
    /// The value that an absent field stands for.
    pub default: Option<Located<Value>>,
    /// Never logged.
    pub secret: Option<Secret>,
    /// The callers for whom it has no meaning.
    pub ignored_for: Option<Located<CallerKind>>,
    /// The heading of the source that it follows.
    pub from: Option<Text>,
    /// The decision behind it.
    pub fact: Option<Text>,
}

impl From<Text> for Field {
    fn from(ty: Text) -> Self {
        Self { ty, ..Self::default() }
    }
}

/// A variant of a union: a type's name, or fields written in place.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(untagged)]
pub enum Variant {
    /// A type of its own.
    #[serde(rename = "$word")]
    Named(Text),
    /// Fields written in place.
    #[serde(rename = "$mapping")]
    Inline(Fields),
}
