//! The effect of an operation on the caller's session.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{SessionEffect, SourceSpan, SpannedText, SpannedValue};

/// The effect on the caller's session: a word, or the scheme whose session it begins.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Session")]
#[schemars(untagged)]
pub enum DeclaredSession {
    /// On the session of the first scheme with a cookie: of the operation, else of the service.
    #[serde(rename = "$word")]
    Usual(SpannedValue<SessionEffect>),
    /// On that of a scheme.
    #[serde(rename = "$mapping")]
    Named(BegunSession),
}

/// A session that begins, by its scheme.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "BegunSession")]
#[serde(deny_unknown_fields)]
pub struct BegunSession {
    /// The scheme of `auth` whose cookie the answer sets.
    pub begins: SpannedText,
}

impl DeclaredSession {
    /// The effect.
    #[must_use]
    pub const fn effect(&self) -> SessionEffect {
        match self {
            Self::Usual(effect) => effect.value,
            Self::Named(_) => SessionEffect::Begins,
        }
    }

    /// The scheme of the session, where it is named.
    #[must_use]
    pub const fn scheme(&self) -> Option<&SpannedText> {
        match self {
            Self::Usual(_) => None,
            Self::Named(named) => Some(&named.begins),
        }
    }

    /// The place where it is written.
    #[must_use]
    pub const fn place(&self) -> SourceSpan {
        match self {
            Self::Usual(effect) => effect.place,
            Self::Named(named) => named.begins.place,
        }
    }
}
