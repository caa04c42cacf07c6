//! The types of `resolved.json`, as they are written there.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use crate::map::IndexMap;
use crate::model::Primitive;

/// Names in target languages that are not derived.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Named")]
pub struct ApiTargetNames {
    /// In Rust.
    pub rust: Option<String>,
    /// In TypeScript.
    pub ts: Option<String>,
    /// In Python.
    pub py: Option<String>,
}

/// A type of the spec.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "TypeDef")]
pub struct ApiTypeDef {
    /// A sentence on the type.
    pub doc: Option<String>,
    /// The shape of the type.
    #[serde(flatten)]
    pub shape: ApiShape,
    /// The media types of a file; none for what is a value of JSON.
    #[serde(default)]
    pub media: Vec<String>,
    /// Names that are not derived.
    #[serde(default)]
    pub name: ApiTargetNames,
    /// The file and key in the spec.
    #[serde(default)]
    pub at: String,
}

/// The shape of a type.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum ApiShape {
    /// An object.
    Struct {
        /// True if unknown fields are kept.
        open: bool,
        /// Its fields.
        fields: IndexMap<String, ApiField>,
    },
    /// One of some words.
    Enum {
        /// True if unknown words are kept.
        open: bool,
        /// The words.
        words: IndexMap<String, ApiEnumWord>,
    },
    /// One of several objects.
    Union {
        /// The field that tells them apart.
        by: String,
        /// True if unknown variants are kept.
        open: bool,
        /// The variants, by the value of that field.
        of: IndexMap<String, ApiVariant>,
    },
    /// Another type under a name of its own.
    Newtype {
        /// That type.
        is: ApiType,
        /// Its bounds.
        #[serde(flatten)]
        bounds: ApiBounds,
    },
}

/// A word of an enum.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Word")]
pub struct ApiEnumWord {
    /// The meaning of the word.
    pub doc: Option<String>,
}

/// A variant of a union.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Variant")]
pub struct ApiVariant {
    /// The type it is; absent when its fields are written in place.
    #[serde(rename = "type")]
    pub named: Option<String>,
    /// The fields written in place.
    #[serde(default)]
    pub fields: IndexMap<String, ApiField>,
}

/// A field of a type, or a parameter of an operation.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Field")]
pub struct ApiField {
    /// The type of a value that is present.
    #[serde(rename = "type")]
    pub ty: ApiType,
    /// May be absent.
    pub optional: bool,
    /// May be null.
    pub nullable: bool,
    /// The value that an absent one stands for.
    pub default: Option<serde_json::Value>,
    /// Bounds of the value.
    #[serde(flatten)]
    pub bounds: ApiBounds,
    /// Shown once and never logged.
    #[serde(default)]
    pub secret: bool,
    /// The meaning of the field.
    pub doc: Option<String>,
    /// Names that are not derived.
    #[serde(default)]
    pub name: ApiTargetNames,
}

/// Bounds of a value; numbers as they are written.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct ApiBounds {
    /// Least value.
    pub min: Option<String>,
    /// Greatest value.
    pub max: Option<String>,
    /// Least length in characters.
    pub min_len: Option<u64>,
    /// Greatest length in characters.
    pub max_len: Option<u64>,
    /// Fewest items.
    pub min_items: Option<u64>,
    /// Most items.
    pub max_items: Option<u64>,
}

/// A type expression without `optional` and `or null`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(rename = "Ty")]
#[serde(rename_all = "snake_case")]
pub enum ApiType {
    /// Always this word.
    Const(String),
    /// A list.
    List(Box<Self>),
    /// A text, or a list of this.
    TextOrList(Box<Self>),
    /// A mapping from string.
    Map(Box<Self>),
    /// A type of the language, by its word.
    Primitive(
        #[serde(deserialize_with = "primitive")]
        #[schemars(with = "String")]
        Primitive,
    ),
    /// A type of the document.
    Ref(String),
}

impl ApiType {
    /// The type of the document inside all lists and maps.
    #[must_use]
    pub fn named(&self) -> Option<&str> {
        match self {
            Self::List(item) | Self::TextOrList(item) | Self::Map(item) => item.named(),
            Self::Ref(name) => Some(name),
            Self::Const(_) | Self::Primitive(_) => None,
        }
    }
}

fn primitive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Primitive, D::Error> {
    let word = String::deserialize(deserializer)?;
    let known = Primitive::ALL.iter().copied().find(|primitive| primitive.word() == word);
    known.ok_or_else(|| serde::de::Error::custom(format!("`{word}` is no type of the language")))
}
