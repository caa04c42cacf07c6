//! Error codes.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{EntryMap, EnvelopeStyle, PerStyle, SpannedText, SpannedValue};

/// One error code.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "ErrorCode")]
#[serde(deny_unknown_fields)]
pub struct DeclaredErrorCode {
    /// More than `say` tells, for the reference.
    pub doc: Option<String>,
    /// The kind, from `kinds`.
    pub kind: SpannedText,
    /// The HTTP status. Absent: that of its kind.
    #[serde(default)]
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
    /// The advice on sending the same request again. Absent: that of its kind.
    pub retry: Option<SpannedValue<RetryAdvice>>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

impl DeclaredErrorCode {
    /// The advice on sending the same request again.
    #[must_use]
    pub fn advice(&self) -> RetryAdvice {
        self.retry.as_ref().map_or_else(RetryAdvice::default, |retry| retry.value)
    }
}

/// A kind of errors: its name in each style of envelope, and what its codes have where they do not say it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Kind")]
#[serde(deny_unknown_fields)]
pub struct DeclaredKind {
    /// Its name in format A.
    pub a: Option<SpannedText>,
    /// Its name in format O.
    pub o: Option<SpannedText>,
    /// Its name in format G.
    pub g: Option<SpannedText>,
    /// Its name on the account's own routes.
    pub account: Option<SpannedText>,
    /// The HTTP status of its codes.
    #[schemars(range(min = 400, max = 599))]
    pub http: Option<SpannedValue<u16>>,
    /// The advice of its codes on sending the same request again.
    pub retry: Option<SpannedValue<RetryAdvice>>,
}

impl DeclaredKind {
    /// Its name in a style, where it has one.
    #[must_use]
    pub const fn name(&self, style: EnvelopeStyle) -> Option<&SpannedText> {
        match style {
            EnvelopeStyle::A => self.a.as_ref(),
            EnvelopeStyle::O => self.o.as_ref(),
            EnvelopeStyle::G => self.g.as_ref(),
            EnvelopeStyle::Account => self.account.as_ref(),
        }
    }
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

impl WithType {
    /// Its word in the spec.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Int => "int",
            Self::Usd => "usd",
            Self::Bool => "bool",
        }
    }
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
