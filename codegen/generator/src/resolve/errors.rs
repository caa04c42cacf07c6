//! Error codes: each as every envelope shows it.

use serde::Serialize;

use super::context::ResolveContext;
use super::{ResolvedEnvelope, ResolvedOrigin};
use crate::map::{IndexMap, IndexSet};
use crate::model::{self, EnvelopeStyle, FRAMEWORK_EVENTS, RetryAdvice, Spec, SpecEntry};
use crate::naming;

/// One error code.
#[derive(Debug, Serialize)]
pub struct ResolvedErrorCode<'s> {
    /// The kind, from `kinds`.
    pub kind: &'s str,
    /// The HTTP status where no envelope has its own.
    pub http: u16,
    /// The other statuses that the server may choose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub http_also: Vec<u16>,
    /// The sentence for people.
    pub say: &'s str,
    /// The advice for the caller.
    #[serde(rename = "do")]
    pub remedy: &'s str,
    /// The values it carries, with their types.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub with: IndexMap<&'s str, &'static str>,
    /// `never`, `now` or `after`.
    pub retry: &'static str,
    /// More than `say` tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The code in each envelope.
    #[serde(rename = "in")]
    pub faces: IndexMap<&'s str, ResolvedWireError<'s>>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
    /// Its marker type in Rust.
    #[serde(skip)]
    pub rust: String,
    /// Statuses that differ, by style.
    #[serde(skip)]
    pub http_in: Vec<(&'static str, u16)>,
    /// Wire names that differ, by style.
    #[serde(skip)]
    pub names: Vec<(&'static str, &'s str)>,
}

/// An error code in one envelope.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct ResolvedWireError<'s> {
    /// The HTTP status.
    pub http: u16,
    /// The kind, as the envelope's style names it.
    pub kind: &'s str,
    /// The code, as the envelope's style names it.
    pub code: String,
}

/// A kind of errors: its name in each style that has one of its own.
#[derive(Debug, Serialize)]
pub struct ResolvedErrorKind<'s>(pub IndexMap<&'static str, &'s str>);

impl<'s> ResolvedErrorKind<'s> {
    fn name_in(&self, style: EnvelopeStyle, name: &'s str) -> &'s str {
        self.0.get(style.key()).copied().unwrap_or(name)
    }
}

pub(super) fn kinds(spec: &Spec) -> IndexMap<&str, ResolvedErrorKind<'_>> {
    spec.kinds.iter().map(|(name, entry)| (name.as_str(), kind(entry))).collect()
}

fn kind(entry: &model::DeclaredKind) -> ResolvedErrorKind<'_> {
    let named = |style: EnvelopeStyle| Some((style.key(), entry.name(style)?.value.as_str()));
    ResolvedErrorKind(EnvelopeStyle::ALL.into_iter().filter_map(named).collect())
}

pub(super) fn resolve<'s>(
    cx: &mut ResolveContext<'s>,
    envelopes: &IndexMap<&'s str, ResolvedEnvelope<'s>>,
) -> IndexMap<&'s str, ResolvedErrorCode<'s>> {
    let kinds = kinds(cx.spec);
    let codes = cx.spec.errors.iter();
    codes.map(|(name, entry)| (name.as_str(), error_code(cx.spec, name, entry, &kinds, envelopes))).collect()
}

fn error_code<'s>(
    spec: &'s Spec,
    name: &'s str,
    entry: &'s SpecEntry<model::DeclaredErrorCode>,
    kinds: &IndexMap<&'s str, ResolvedErrorKind<'s>>,
    envelopes: &IndexMap<&'s str, ResolvedEnvelope<'s>>,
) -> ResolvedErrorCode<'s> {
    let face = |style: EnvelopeStyle| ResolvedWireError {
        http: entry.http_in.get(style).map_or(entry.http.value, |http| http.value),
        kind: kinds
            .get(entry.kind.value.as_str())
            .map_or(entry.kind.value.as_str(), |kind| kind.name_in(style, &entry.kind.value)),
        code: wire_code(name, entry, style),
    };
    ResolvedErrorCode {
        kind: &entry.kind.value,
        http: entry.http.value,
        http_also: entry.http_also.iter().map(|status| status.value).collect(),
        say: &entry.say.value,
        remedy: &entry.remedy.value,
        with: entry.with.iter().map(|(name, ty)| (name.as_str(), ty.value.value.key())).collect(),
        retry: retry_word(entry.advice()),
        doc: entry.doc.as_deref(),
        faces: envelopes.iter().map(|(name, envelope)| (*name, face(envelope.style))).collect(),
        origin: ResolvedOrigin::of(spec, name, entry),
        rust: naming::code_type(name),
        http_in: EnvelopeStyle::ALL
            .into_iter()
            .filter_map(|style| Some((style.key(), entry.http_in.get(style)?.value)))
            .collect(),
        names: EnvelopeStyle::ALL
            .into_iter()
            .filter_map(|style| Some((style.key(), entry.names.get(style)?.value.as_str())))
            .collect(),
    }
}

/// The code on the wire; the runtime's `Envelope` has the same rule.
fn wire_code(name: &str, entry: &model::DeclaredErrorCode, style: EnvelopeStyle) -> String {
    match entry.names.get(style) {
        Some(named) => named.value.clone(),
        None if style == EnvelopeStyle::O => name.to_ascii_lowercase(),
        None => name.to_owned(),
    }
}

const fn retry_word(retry: RetryAdvice) -> &'static str {
    match retry {
        RetryAdvice::Never => "never",
        RetryAdvice::Now => "now",
        RetryAdvice::After => "after",
    }
}

/// The events of the runtime that the spec names a code for, in the order of the runtime.
pub(super) fn framework(spec: &Spec) -> IndexMap<&str, &str> {
    FRAMEWORK_EVENTS.iter().filter_map(|event| Some((event.name, spec.event_code(event.name)?))).collect()
}

/// The codes of a list with its groups spelled out, each once, in the order they are first named.
pub(super) fn expand<'s>(spec: &'s Spec, list: &'s [model::SpannedText]) -> Vec<&'s str> {
    let mut codes: IndexSet<&'s str> = IndexSet::default();
    for word in list {
        match spec.groups.get(word.value.as_str()) {
            Some(group) => codes.extend(group.iter().map(|code| code.value.as_str())),
            None => codes.extend([word.value.as_str()]),
        }
    }
    codes.retain(|code| spec.errors.contains_key(*code));
    codes.into_iter().collect()
}
