//! The callers of an operation, and the body that they send.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{SpannedText, SpannedValue};

/// The callers that an operation admits.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Auth")]
#[schemars(untagged)]
pub enum OperationAuth {
    /// Nothing is said, here or by the family of the route (there is a diagnostic then).
    #[default]
    #[serde(skip)]
    Unsaid,
    /// Anyone.
    #[serde(rename = "$word")]
    Public(SpannedValue<PublicWord>),
    /// Callers that one of these schemes admits, tried in order.
    #[serde(rename = "$list")]
    Schemes(#[schemars(length(min = 1))] Vec<SpannedText>),
}

impl OperationAuth {
    /// The schemes; none for a public operation.
    #[must_use]
    pub fn schemes(&self) -> &[SpannedText] {
        match self {
            Self::Unsaid | Self::Public(_) => &[],
            Self::Schemes(schemes) => schemes,
        }
    }
}

/// The word for an operation that anyone may call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(rename = "Public")]
#[serde(rename_all = "snake_case")]
pub enum PublicWord {
    /// No credentials are looked at.
    #[default]
    Public,
}

/// A body: a type's name, or a mapping.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Body")]
#[serde(deny_unknown_fields)]
pub struct DeclaredBody {
    /// A JSON body of this type.
    #[serde(rename = "type")]
    pub ty: Option<SpannedText>,
    /// A body whose bytes are handed over as they came; the type documents it.
    pub raw: Option<SpannedText>,
    /// A form of parts with the fields of this type.
    pub multipart: Option<SpannedText>,
    /// The limit of its size, from `limits`.
    pub limit: Option<SpannedText>,
    /// With `proxy`: the fields that decide; the rest stays the client's bytes.
    #[serde(default)]
    pub reads: Vec<SpannedText>,
}

impl From<SpannedText> for DeclaredBody {
    fn from(ty: SpannedText) -> Self {
        Self { ty: Some(ty), ..Self::default() }
    }
}
