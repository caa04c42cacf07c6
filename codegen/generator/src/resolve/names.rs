//! Names on the wire, and the places that credentials may stand in.

use serde::Serialize;

use super::ResolvedOrigin;
use crate::map::IndexMap;
use crate::model::{CallerKind, RUNTIME_HEADERS, RoleHolder, SpannedText, Spec, TargetNames};

/// A header, and every name it is accepted under.
#[derive(Debug, Serialize)]
pub struct ResolvedWireName<'s> {
    /// The value that the header carries, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The accepted names; the first is what we send.
    pub accepts: Vec<&'s str>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
}

/// Names in target languages, where the derived ones do not please.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct ResolvedTargetNames<'s> {
    /// In Rust.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rust: Option<&'s str>,
    /// In TypeScript.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<&'s str>,
    /// In Python.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub py: Option<&'s str>,
}

impl<'s> ResolvedTargetNames<'s> {
    pub(super) fn of(names: &'s TargetNames) -> Self {
        let word = |text: &'s Option<SpannedText>| text.as_ref().map(|text| text.value.as_str());
        Self { rust: word(&names.rust), ts: word(&names.ts), py: word(&names.py) }
    }

    /// True if all are derived.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A way to say who is calling.
#[derive(Debug, Serialize)]
pub struct ResolvedScheme<'s> {
    /// The purpose of the scheme.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The header that carries the secret, by its canonical name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<&'s str>,
    /// The text before the secret in the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<&'s str>,
    /// The query parameter that carries the secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<&'s str>,
    /// The cookie that carries the secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cookie: Option<&'s str>,
    /// The beginning of every secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_starts: Option<&'s str>,
    /// The callers that it admits.
    pub gives: Vec<&'static str>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
}

impl ResolvedScheme<'_> {
    /// True if it admits operators, and nobody else.
    #[must_use]
    pub fn is_of_operators(&self) -> bool {
        self.gives.contains(&OPERATOR)
    }
}

/// A role of operators or of members.
#[derive(Debug, Serialize)]
pub struct ResolvedRole<'s> {
    /// The rights that it has.
    pub doc: &'s str,
    /// The roles whose rights it has too, as they are named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<&'s str>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
}

/// Names of headers and path prefixes, as the spec declares them.
pub(super) fn wire_names(spec: &Spec) -> IndexMap<&str, ResolvedWireName<'_>> {
    spec.wire_names
        .iter()
        .map(|(name, entry)| {
            let accepts = entry.accepts.iter().map(|name| name.value.as_str()).collect();
            let origin = ResolvedOrigin::of(spec, name, entry);
            let resolved = ResolvedWireName { doc: entry.doc.as_deref(), accepts, origin };
            (name.as_str(), resolved)
        })
        .collect()
}

/// The headers of the runtime that the spec names, in the order of the runtime.
pub(super) fn runtime_headers(spec: &Spec) -> IndexMap<&str, &str> {
    RUNTIME_HEADERS.iter().filter_map(|header| Some((header.name, spec.runtime_header(header.name)?))).collect()
}

/// The roles of operators, or of members.
pub(super) fn roles(spec: &Spec, holder: RoleHolder) -> IndexMap<&str, ResolvedRole<'_>> {
    spec.roles_for(holder)
        .iter()
        .map(|(name, entry)| {
            let includes = entry.includes.iter().map(|included| included.value.as_str()).collect();
            let role =
                ResolvedRole { doc: entry.doc.trim_end(), includes, origin: ResolvedOrigin::of(spec, name, entry) };
            (name.as_str(), role)
        })
        .collect()
}

/// The schemes of `auth`.
pub(super) fn schemes(spec: &Spec) -> IndexMap<&str, ResolvedScheme<'_>> {
    spec.auth
        .iter()
        .map(|(name, entry)| {
            let scheme = ResolvedScheme {
                doc: entry.doc.as_deref(),
                header: entry.header.as_ref().map(|header| header.value.as_str()),
                prefix: entry.prefix.as_ref().map(|prefix| prefix.value.as_str()),
                query: entry.query.as_ref().map(|query| query.value.as_str()),
                cookie: entry.cookie.as_ref().map(|cookie| cookie.value.as_str()),
                key_starts: entry.key_starts.as_ref().map(|start| start.value.as_str()),
                gives: entry.gives.iter().map(|kind| caller(kind.value)).collect(),
                origin: ResolvedOrigin::of(spec, name, entry),
            };
            (name.as_str(), scheme)
        })
        .collect()
}

/// The word for operators among those whom a scheme admits.
const OPERATOR: &str = "operator";

const fn caller(kind: CallerKind) -> &'static str {
    match kind {
        CallerKind::Account => "account",
        CallerKind::Agent => "agent",
        CallerKind::User => "user",
        CallerKind::Operator => OPERATOR,
    }
}
