//! Error codes and what the framework answers by itself.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;

use super::{EntryMap, PerStyle, SpannedText, SpannedValue};

/// Everything the server may answer before or around an operation; `framework` names a code for each.
pub const FRAMEWORK_EVENTS: [&str; 13] = [
    "bad_json",
    "bad_field",
    "missing_field",
    "missing_header",
    "bad_parameter",
    "bad_content_type",
    "wrong_method",
    "unknown_path",
    "body_too_large",
    "body_timeout",
    "panic",
    "timeout",
    "overloaded",
];

/// One error code.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "ErrorCode")]
#[serde(deny_unknown_fields)]
pub struct DeclaredErrorCode {
    /// More than `say` tells, for the reference.
    pub doc: Option<String>,
    /// The kind, from `kinds`.
    pub kind: SpannedText,
    /// The HTTP status.
    #[schemars(range(min = 400, max = 599))]
    pub http: SpannedValue<u16>,
    /// Further statuses that the handler may choose, such as a provider's own. All others it cannot send.
    #[serde(default)]
    #[schemars(inner(range(min = 400, max = 599)))]
    pub http_also: Vec<SpannedValue<u16>>,
    /// A different status in one style.
    #[serde(default)]
    pub http_in: PerStyle<SpannedValue<u16>>,
    /// The sentence the caller reads; `{field}` is filled from `with`.
    pub say: SpannedText,
    /// The advice for the caller.
    #[serde(rename = "do")]
    pub remedy: SpannedText,
    /// The values the error carries.
    #[serde(default)]
    pub with: EntryMap<SpannedValue<WithType>>,
    /// A different wire code in one style.
    #[serde(default)]
    pub names: PerStyle<SpannedText>,
    /// The advice on sending the same request again.
    #[serde(default)]
    pub retry: SpannedValue<RetryAdvice>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

/// The type of a value that an error carries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WithType {
    /// Text.
    #[default]
    String,
    /// A whole number.
    Int,
    /// An amount of money.
    Usd,
    /// True or false.
    Bool,
}

/// The advice on sending the same request again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(rename = "Retry")]
#[serde(rename_all = "snake_case")]
pub enum RetryAdvice {
    /// `x-should-retry: false`.
    #[default]
    Never,
    /// `x-should-retry: true`.
    Now,
    /// `x-should-retry: true` with `Retry-After`.
    After,
}

/// `framework` is a mapping from the known events, so that a misspelt one is an unknown key.
pub(super) fn framework_schema(generator: &mut SchemaGenerator) -> Schema {
    let code = generator.subschema_for::<String>();
    let properties: serde_json::Map<String, serde_json::Value> =
        FRAMEWORK_EVENTS.iter().map(|event| ((*event).to_owned(), code.clone().to_value())).collect();
    schemars::json_schema!({"type": "object", "properties": properties, "additionalProperties": false})
}
