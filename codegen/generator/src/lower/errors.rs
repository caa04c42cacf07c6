//! Error codes: each as every envelope shows it.

use serde::Serialize;

use super::{Cx, Envelope, Origin};
use crate::map::{IndexMap, IndexSet};
use crate::model::{self, Entry, FRAMEWORK_EVENTS, Retry, Spec, Style, WithType};
use crate::naming;

/// The refusals of the runtime beside the events of `framework`: each with the code it looks for and, where the spec has no such
/// code, the event or code it falls back on.
pub const REFUSALS: [(&str, &str, &str); 14] = [
    ("key_missing", "KEY_MISSING", "KEY_INVALID"),
    ("key_invalid", "KEY_INVALID", "panic"),
    ("key_disabled", "KEY_DISABLED", "KEY_INVALID"),
    ("key_expired", "KEY_EXPIRED", "KEY_INVALID"),
    ("auth_unavailable", "LEDGER_UNAVAILABLE", "overloaded"),
    ("session_invalid", "SESSION_INVALID", "KEY_INVALID"),
    ("origin_refused", "ORIGIN_REFUSED", "KEY_INVALID"),
    ("caller_conflict", "CALLER_CONFLICT", "KEY_INVALID"),
    ("operation_not_allowed", "OPERATION_NOT_ALLOWED", "KEY_INVALID"),
    ("address_not_allowed", "ADDRESS_NOT_ALLOWED", "KEY_INVALID"),
    ("share_taken", "RATE_LIMITED", "overloaded"),
    ("once_in_flight", "IDEMPOTENCY_IN_FLIGHT", "panic"),
    ("once_done", "IDEMPOTENCY_DONE", "panic"),
    ("once_other", "IDEMPOTENCY_MISMATCH", "panic"),
];

/// One error code.
#[derive(Debug, Serialize)]
pub struct ErrorCode<'s> {
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
    pub faces: IndexMap<&'s str, Face<'s>>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: Origin<'s>,
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
pub struct Face<'s> {
    /// The HTTP status.
    pub http: u16,
    /// The kind, as the envelope's style names it.
    pub kind: &'s str,
    /// The code, as the envelope's style names it.
    pub code: String,
}

/// A kind of errors: its name in each style that has one of its own.
#[derive(Debug, Serialize)]
pub struct Kind<'s>(pub IndexMap<&'static str, &'s str>);

impl<'s> Kind<'s> {
    fn name_in(&self, style: Style, name: &'s str) -> &'s str {
        self.0.get(style.key()).copied().unwrap_or(name)
    }
}

pub(super) fn kinds(spec: &Spec) -> IndexMap<&str, Kind<'_>> {
    spec.kinds.iter().map(|(name, entry)| (name.as_str(), kind(entry))).collect()
}

fn kind(entry: &model::PerStyle<model::Text>) -> Kind<'_> {
    let named = |style: Style| Some((style.key(), entry.get(style)?.value.as_str()));
    Kind(Style::ALL.into_iter().filter_map(named).collect())
}

pub(super) fn lower<'s>(
    cx: &mut Cx<'s>,
    envelopes: &IndexMap<&'s str, Envelope<'s>>,
) -> IndexMap<&'s str, ErrorCode<'s>> {
    let kinds = kinds(cx.spec);
    let codes = cx.spec.errors.iter();
    codes.map(|(name, entry)| (name.as_str(), error_code(cx.spec, name, entry, &kinds, envelopes))).collect()
}

fn error_code<'s>(
    spec: &'s Spec,
    name: &'s str,
    entry: &'s Entry<model::ErrorCode>,
    kinds: &IndexMap<&'s str, Kind<'s>>,
    envelopes: &IndexMap<&'s str, Envelope<'s>>,
) -> ErrorCode<'s> {
    let face = |style: Style| Face {
        http: entry.http_in.get(style).map_or(entry.http.value, |http| http.value),
        kind: kinds
            .get(entry.kind.value.as_str())
            .map_or(entry.kind.value.as_str(), |kind| kind.name_in(style, &entry.kind.value)),
        code: wire_code(name, entry, style),
    };
    ErrorCode {
        kind: &entry.kind.value,
        http: entry.http.value,
        http_also: entry.http_also.iter().map(|status| status.value).collect(),
        say: &entry.say.value,
        remedy: &entry.remedy.value,
        with: entry.with.iter().map(|(name, ty)| (name.as_str(), with_word(ty.value.value))).collect(),
        retry: retry_word(*entry.retry),
        doc: entry.doc.as_deref(),
        faces: envelopes.iter().map(|(name, envelope)| (*name, face(envelope.style))).collect(),
        origin: Origin::of(spec, entry.place, &entry.value),
        rust: naming::upper_camel(name),
        http_in: Style::ALL
            .into_iter()
            .filter_map(|style| Some((style.key(), entry.http_in.get(style)?.value)))
            .collect(),
        names: Style::ALL
            .into_iter()
            .filter_map(|style| Some((style.key(), entry.names.get(style)?.value.as_str())))
            .collect(),
    }
}

/// The code on the wire; the runtime's `Envelope` has the same rule.
fn wire_code(name: &str, entry: &model::ErrorCode, style: Style) -> String {
    match entry.names.get(style) {
        Some(named) => named.value.clone(),
        None if style == Style::O => name.to_ascii_lowercase(),
        None => name.to_owned(),
    }
}

const fn with_word(ty: WithType) -> &'static str {
    match ty {
        WithType::String => "string",
        WithType::Int => "int",
        WithType::Usd => "usd",
        WithType::Bool => "bool",
    }
}

const fn retry_word(retry: Retry) -> &'static str {
    match retry {
        Retry::Never => "never",
        Retry::Now => "now",
        Retry::After => "after",
    }
}

/// Every event of the runtime with its code, those that the spec does not name included.
pub(super) fn framework<'s>(cx: &mut Cx<'s>) -> IndexMap<&'s str, &'s str> {
    let spec = cx.spec;
    let code = |name: &str| spec.errors.get_key_value(name).map(|(name, _)| name.as_str());
    let event = |event: &str| spec.framework.get(event).and_then(|entry| code(&entry.value.value));
    let mut events: IndexMap<&'s str, &'s str> = IndexMap::default();
    for name in FRAMEWORK_EVENTS {
        match event(name) {
            Some(code) => events.extend([(name, code)]),
            None => cx.refuse(model::Place::default(), format!("`framework` names no code for `{name}`")),
        }
    }
    for (name, wanted, fallback) in REFUSALS {
        let found = code(wanted).or_else(|| code(fallback)).or_else(|| event(fallback)).or_else(|| event("panic"));
        events.extend(found.map(|code| (name, code)));
    }
    events
}

/// The codes of a list with its groups spelled out, each once, in the order they are first named.
pub(super) fn expand<'s>(spec: &'s Spec, list: &'s [model::Text]) -> Vec<&'s str> {
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
