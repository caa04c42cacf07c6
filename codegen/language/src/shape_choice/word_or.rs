//! A mapping that a single word can stand for.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use crate::model::SpannedText;

/// A mapping, or for short the one word that matters most in it. Dereferences to the mapping.
#[derive(Debug, Clone, Default)]
pub struct WordOr<T>(pub T);

impl<T> Deref for WordOr<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// The two ways to write it.
#[derive(Deserialize, JsonSchema)]
#[schemars(untagged)]
enum WordOrMapping<T> {
    #[serde(rename = "$word")]
    Word(SpannedText),
    #[serde(rename = "$mapping")]
    Mapping(T),
}

impl<'de, T: Deserialize<'de> + From<SpannedText>> Deserialize<'de> for WordOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match WordOrMapping::deserialize(deserializer)? {
            WordOrMapping::Word(word) => T::from(word),
            WordOrMapping::Mapping(mapping) => mapping,
        }))
    }
}

impl<T: JsonSchema> JsonSchema for WordOr<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("WordOr{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mapping = generator.subschema_for::<T>();
        schemars::json_schema!({"anyOf": [{"type": "string"}, mapping]})
    }
}
