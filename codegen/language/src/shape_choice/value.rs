//! Any JSON: the bodies of envelopes and the defaults of fields.

use schemars::JsonSchema;
use serde::Deserialize;

use super::WrittenNumber;
use crate::model::{EntryMap, SpannedText, SpannedValue};

/// Any JSON, with places.
#[derive(Debug, Clone, Default, Deserialize)]
pub enum SpannedJson {
    /// `null`
    #[default]
    #[serde(rename = "$null")]
    Null,
    /// `true`, `false`
    #[serde(rename = "$bool")]
    Bool(bool),
    /// A number, as written.
    #[serde(rename = "$number")]
    Number(WrittenNumber),
    /// A word or sentence.
    #[serde(rename = "$word")]
    Word(SpannedText),
    /// A list.
    #[serde(rename = "$list")]
    List(Vec<SpannedValue<Self>>),
    /// An object.
    #[serde(rename = "$mapping")]
    Mapping(EntryMap<Self>),
}

impl SpannedJson {
    /// The value as JSON, without places.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Number(number) => number.to_json(),
            Self::Word(word) => word.value.clone().into(),
            Self::List(items) => items.iter().map(|item| item.to_json()).collect(),
            Self::Mapping(pairs) => pairs.iter().map(|(key, value)| (key.clone(), value.to_json())).collect(),
        }
    }
}

impl JsonSchema for SpannedJson {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AnyValue".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        true.into()
    }
}
