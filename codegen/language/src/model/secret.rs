//! Secret values.

use schemars::JsonSchema;
use serde::Deserialize;

/// The way in which a secret value comes to exist; it is never logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(rename = "Secret")]
#[serde(rename_all = "snake_case")]
pub enum SecretKind {
    /// Shown once, in the reply that makes it; never logged, never stored in clear.
    Once,
    /// Sent by the client; never logged, never stored in clear.
    Sent,
}
