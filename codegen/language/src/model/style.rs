//! Envelopes of errors and the styles they are written in.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    DeclaredFields, DeclaredRoute, EntryMap, FamilyPaths, OperationAuth, PathSegment, SpannedJson, SpannedText,
    SpannedValue, WordOr,
};

/// The column of `kinds`, `names` and `http_in` that an envelope reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
#[schemars(rename = "Style")]
#[serde(rename_all = "snake_case")]
pub enum EnvelopeStyle {
    /// Format A.
    A,
    /// Format O.
    O,
    /// Format G.
    G,
    /// The account's own routes.
    Account,
}

impl EnvelopeStyle {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::A, Self::O, Self::G, Self::Account];

    /// The key of the style in the spec.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::O => "o",
            Self::G => "g",
            Self::Account => "account",
        }
    }
}

/// One value per style; absent where the default holds.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PerStyle_{T}")]
pub struct PerStyle<T> {
    /// In format A.
    pub a: Option<T>,
    /// In format O.
    pub o: Option<T>,
    /// In format G.
    pub g: Option<T>,
    /// On the account's own routes.
    pub account: Option<T>,
}

impl<T> Default for PerStyle<T> {
    fn default() -> Self {
        Self { a: None, o: None, g: None, account: None }
    }
}

impl<T> PerStyle<T> {
    /// The value for a style, where there is one.
    pub const fn get(&self, style: EnvelopeStyle) -> Option<&T> {
        match style {
            EnvelopeStyle::A => self.a.as_ref(),
            EnvelopeStyle::O => self.o.as_ref(),
            EnvelopeStyle::G => self.g.as_ref(),
            EnvelopeStyle::Account => self.account.as_ref(),
        }
    }
}

/// The requests below a path, by the envelope that they are answered in.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Family")]
#[serde(deny_unknown_fields)]
pub struct DeclaredFamily {
    /// The envelope of errors: where no operation matched, and of its operations that name none.
    pub envelope: SpannedText,
    /// The callers of its operations that name none: `public`, or schemes of `auth`.
    #[serde(default)]
    pub auth: OperationAuth,
}

impl DeclaredFamily {
    /// The family of a route: of those that ask for nothing but the path, the one with the longest prefix.
    #[must_use]
    pub fn of<'s>(families: &'s EntryMap<WordOr<Self>>, route: &DeclaredRoute) -> Option<&'s Self> {
        let has_verb = matches!(route.segments.last(), Some(PathSegment::ParameterVerb(..)));
        let read = families.iter().filter_map(|(key, family)| Some((FamilyPaths::parse(key)?, family)));
        let fitting = read.filter(|(paths, _)| {
            let rest = route.path.strip_prefix(paths.prefix.trim_end_matches('/'));
            paths.with.is_none()
                && (has_verb || !paths.verb)
                && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        fitting.max_by_key(|(paths, _)| (paths.prefix.len(), paths.verb)).map(|(_, family)| &family.value.0)
    }
}

impl From<SpannedText> for DeclaredFamily {
    fn from(envelope: SpannedText) -> Self {
        Self { envelope, auth: OperationAuth::Unsaid }
    }
}

/// The body of an error: JSON with placeholders.
///
/// Placeholders are `{say} {kind} {code} {param} {http} {request_id} {remedy} {with} {data}`; `{x?}` is null when
/// absent, `{x?omit}` leaves the key out, `{x?""}` is the empty string, `{http:int}` is a number.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Envelope")]
#[serde(deny_unknown_fields)]
pub struct DeclaredEnvelope {
    /// The purpose of the envelope.
    pub doc: Option<String>,
    /// The column of `kinds`, `names` and `http_in` that it reads.
    pub style: SpannedValue<EnvelopeStyle>,
    /// The JSON, its words being literals or placeholders.
    pub body: EntryMap<SpannedJson>,
    /// The members of a success beside `data`, for operations that say what their `data` is.
    #[serde(default)]
    pub reply: DeclaredFields,
    /// The values of those members, for examples that expect `data`.
    #[serde(default)]
    pub reply_values: EntryMap<SpannedJson>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}
