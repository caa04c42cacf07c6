//! Names in the target languages.

use schemars::JsonSchema;
use serde::Deserialize;

use super::SpannedText;

/// Names in the target languages; derived where absent.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Names")]
#[serde(deny_unknown_fields)]
pub struct TargetNames {
    /// In Rust, UpperCamel for operations and types, snake for fields.
    pub rust: Option<SpannedText>,
    /// In TypeScript.
    pub ts: Option<SpannedText>,
    /// In Python.
    pub py: Option<SpannedText>,
}
