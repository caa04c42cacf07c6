//! The callers of an operation, and the body that they send.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Located, Text};

/// The callers that an operation admits.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(untagged)]
pub enum Auth {
    /// Anyone.
    #[serde(rename = "$word")]
    Public(Located<Public>),
    /// Callers that one of these schemes admits, tried in order.
    #[serde(rename = "$list")]
    Schemes(Vec<Text>),
}

impl Auth {
    /// The schemes; none for a public operation.
    #[must_use]
    pub fn schemes(&self) -> &[Text] {
        match self {
            Self::Public(_) => &[],
            Self::Schemes(schemes) => schemes,
        }
    }
}

/// The word for an operation that anyone may call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Public {
    /// No credentials are looked at.
    #[default]
    Public,
}

/// A body: a type's name, or a mapping.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// A JSON body of this type.
    #[serde(rename = "type")]
    pub ty: Option<Text>,
    /// A body whose bytes are handed over as they came; the type documents it.
    pub raw: Option<Text>,
    /// A form of parts with the fields of this type.
    pub multipart: Option<Text>,
    /// The limit of its size, from `limits`.
    pub limit: Option<Text>,
    /// With `proxy`: the fields that decide; the rest stays the client's bytes.
    #[serde(default)]
    pub reads: Vec<Text>,
}

impl From<Text> for Body {
    fn from(ty: Text) -> Self {
        Self { ty: Some(ty), ..Self::default() }
    }
}
