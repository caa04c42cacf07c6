//! Types of values, and fields with their bounds.

use serde::Serialize;

use super::ResolvedTargetNames;
use crate::model::{self, BaseType, DeclaredField as Raw, Primitive, SecretKind, Spec, TypeExpr};
use crate::naming;

/// A type expression without `optional` and `or null`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResolvedType {
    /// Always this word.
    Const(String),
    /// A list.
    List(Box<Self>),
    /// A text, or a list of this.
    TextOrList(Box<Self>),
    /// A mapping from string.
    Map(Box<Self>),
    /// A type of the language, by its word.
    Primitive(#[serde(serialize_with = "word")] Primitive),
    /// A type of the spec.
    Ref(String),
}

fn word<S: serde::Serializer>(primitive: &Primitive, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(primitive.word())
}

impl ResolvedType {
    pub(super) fn of(base: &BaseType) -> Self {
        match base {
            BaseType::Const(word) => Self::Const(word.clone()),
            BaseType::List(item) => Self::List(Box::new(Self::of(item))),
            BaseType::TextOrList(item) => Self::TextOrList(Box::new(Self::of(item))),
            BaseType::Map(item) => Self::Map(Box::new(Self::of(item))),
            BaseType::Primitive(primitive) => Self::Primitive(*primitive),
            BaseType::Named(name) => Self::Ref(name.clone()),
        }
    }

    /// The type of the spec inside all lists and maps.
    #[must_use]
    pub fn named(&self) -> Option<&str> {
        match self {
            Self::List(item) | Self::TextOrList(item) | Self::Map(item) => item.named(),
            Self::Ref(name) => Some(name),
            Self::Const(_) | Self::Primitive(_) => None,
        }
    }

    /// The type as it is written in the spec.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Const(word) => format!("const {word}"),
            Self::List(item) => format!("list of {}", item.words()),
            Self::TextOrList(item) => format!("string or list of {}", item.words()),
            Self::Map(item) => format!("map of {}", item.words()),
            Self::Primitive(primitive) => primitive.word().to_owned(),
            Self::Ref(name) => name.clone(),
        }
    }
}

/// Bounds of a value; numbers as they are written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ResolvedBounds<'s> {
    /// Least value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<&'s str>,
    /// Greatest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<&'s str>,
    /// Least length in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_len: Option<u64>,
    /// Greatest length in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_len: Option<u64>,
    /// Fewest items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    /// Most items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
}

/// A field of a type, or a parameter of an operation.
#[derive(Debug, Clone, Serialize)]
pub struct ResolvedField<'s> {
    /// The type of a value that is present.
    #[serde(rename = "type")]
    pub ty: ResolvedType,
    /// May be absent.
    pub optional: bool,
    /// May be null.
    pub nullable: bool,
    /// The value that an absent one stands for, as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
    /// Bounds of the value.
    #[serde(flatten)]
    pub bounds: ResolvedBounds<'s>,
    /// Shown once and never logged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
    /// The meaning of the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The part of the source it follows, where it differs from its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<&'s str>,
    /// The decision behind it, where it differs from its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<&'s str>,
    /// Names that are not derived.
    #[serde(skip_serializing_if = "ResolvedTargetNames::is_empty")]
    pub name: ResolvedTargetNames<'s>,
    /// Its name in Rust.
    #[serde(skip)]
    pub rust: String,
}

impl<'s> ResolvedField<'s> {
    /// A field from its entry; `None` where its type does not parse, which the check has said.
    pub(super) fn of(name: &str, raw: &'s Raw) -> Option<Self> {
        let expr = TypeExpr::parse(&raw.ty.value).ok()?;
        Some(Self {
            ty: ResolvedType::of(&expr.base),
            optional: expr.optional,
            nullable: expr.nullable,
            default: raw.default.as_ref().map(|default| default.to_json()),
            bounds: ResolvedBounds::of(raw),
            secret: matches!(raw.secret, Some(SecretKind::Once | SecretKind::Sent)),
            doc: raw.doc.as_deref().map(str::trim_end),
            from: raw.from.as_ref().map(|from| from.value.as_str()),
            fact: raw.fact.as_ref().map(|fact| fact.value.as_str()),
            name: ResolvedTargetNames::of(&raw.name),
            rust: raw.name.rust.as_ref().map_or_else(|| naming::snake(name), |name| name.value.clone()),
        })
    }

    pub(super) fn all(fields: &'s model::DeclaredFields) -> crate::map::IndexMap<&'s str, Self> {
        fields.iter().filter_map(|(name, raw)| Some((name.as_str(), Self::of(name, raw)?))).collect()
    }

    /// The type expression as it is written in the spec.
    #[must_use]
    pub fn type_words(&self) -> String {
        let optional = if self.optional { "optional " } else { "" };
        let nullable = if self.nullable { " or null" } else { "" };
        format!("{optional}{}{nullable}", self.ty.words())
    }
}

impl<'s> ResolvedBounds<'s> {
    fn of(raw: &'s Raw) -> Self {
        Self {
            min: raw.min.as_ref().map(|min| min.text()),
            max: raw.max.as_ref().map(|max| max.text()),
            min_len: raw.min_len.as_ref().map(|least| least.value),
            max_len: raw.max_len.as_ref().map(|most| most.value),
            min_items: raw.min_items.as_ref().map(|least| least.value),
            max_items: raw.max_items.as_ref().map(|most| most.value),
        }
    }

    pub(super) fn of_newtype(raw: &'s model::DeclaredType) -> Self {
        Self {
            min: raw.min.as_ref().map(|min| min.text()),
            max: raw.max.as_ref().map(|max| max.text()),
            min_len: raw.min_len.as_ref().map(|least| least.value),
            max_len: raw.max_len.as_ref().map(|most| most.value),
            min_items: raw.min_items.as_ref().map(|least| least.value),
            max_items: raw.max_items.as_ref().map(|most| most.value),
        }
    }

    /// "from 1 to 1000", "at most 64 characters"; empty where there is no bound.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = Vec::new();
        words.extend(range(self.min, self.max, ""));
        let text = |bound: Option<u64>| bound.map(|bound| bound.to_string());
        for (least, most, unit) in
            [(self.min_len, self.max_len, " characters"), (self.min_items, self.max_items, " items")]
        {
            words.extend(range(text(least).as_deref(), text(most).as_deref(), unit));
        }
        words.join(", ")
    }
}

fn range(least: Option<&str>, most: Option<&str>, unit: &str) -> Option<String> {
    match (least, most) {
        (None, None) => None,
        (Some(least), None) => Some(format!("at least {least}{unit}")),
        (None, Some(most)) => Some(format!("at most {most}{unit}")),
        (Some(least), Some(most)) if least == most => Some(format!("exactly {least}{unit}")),
        (Some(least), Some(most)) => Some(format!("{least} to {most}{unit}")),
    }
}

/// The spec's own path without its folder and ending: the module of its types.
pub(super) fn file_stem(spec: &Spec, place: model::SourceSpan) -> String {
    let path = spec.path(place);
    let name = path.rsplit('/').next().unwrap_or(path);
    naming::module(name.strip_suffix(".yaml").unwrap_or(name))
}
