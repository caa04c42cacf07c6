//! Fields, parameters and variants.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{SpannedJson, WordOr, WrittenNumber};
use crate::model::{CallerKind, EntryMap, SecretKind, SpannedText, SpannedValue, TargetNames};

/// Named fields or parameters, in order.
pub type DeclaredFields = EntryMap<WordOr<DeclaredField>>;

/// A field of a type, or a parameter of an operation: a type expression, or a mapping with bounds.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Field")]
#[serde(deny_unknown_fields)]
pub struct DeclaredField {
    /// The type expression: `[optional] (list of | map of)* Name [or null]`, or `const word`.
    #[serde(rename = "type")]
    pub ty: SpannedText,
    /// The meaning of the field.
    pub doc: Option<String>,
    /// Names in the target languages, where the derived ones do not please.
    #[serde(default)]
    pub name: TargetNames,
    /// Least value.
    pub min: Option<SpannedValue<WrittenNumber>>,
    /// Greatest value.
    pub max: Option<SpannedValue<WrittenNumber>>,
    /// Least length in characters.
    pub min_len: Option<SpannedValue<u64>>,
    /// Greatest length in characters.
    pub max_len: Option<SpannedValue<u64>>,
    /// Fewest items.
    pub min_items: Option<SpannedValue<u64>>,
    /// Most items.
    pub max_items: Option<SpannedValue<u64>>,
    /// The value that an absent field stands for.
    pub default: Option<SpannedValue<SpannedJson>>,
    /// Never logged.
    pub secret: Option<SecretKind>,
    /// The callers for whom it has no meaning.
    pub ignored_for: Option<SpannedValue<CallerKind>>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

impl From<SpannedText> for DeclaredField {
    fn from(ty: SpannedText) -> Self {
        Self { ty, ..Self::default() }
    }
}

/// A variant of a union: a type's name, or fields written in place.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Variant")]
#[schemars(untagged)]
pub enum DeclaredVariant {
    /// A type of its own.
    #[serde(rename = "$word")]
    Named(SpannedText),
    /// Fields written in place.
    #[serde(rename = "$mapping")]
    Inline(DeclaredFields),
}
