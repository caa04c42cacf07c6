//! Envelopes: the bodies of errors.

use serde::Serialize;

use super::context::ResolveContext;
use super::{EnvelopePiece, ResolvedOrigin, pieces};
use crate::map::IndexMap;
use crate::model::{EnvelopeStyle, SpannedJson, SpannedText};

/// The body of errors in one family of operations.
#[derive(Debug, Serialize)]
pub struct ResolvedEnvelope<'s> {
    /// The purpose of the envelope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The column of `kinds` and of the codes' names that it reads.
    #[serde(serialize_with = "style_key")]
    pub style: EnvelopeStyle,
    /// The JSON, with its placeholders.
    pub body: serde_json::Value,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
    /// The JSON in pieces.
    #[serde(skip)]
    pub pieces: Vec<EnvelopePiece>,
}

fn style_key<S: serde::Serializer>(style: &EnvelopeStyle, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(style.key())
}

pub(super) fn resolve<'s>(cx: &mut ResolveContext<'s>) -> IndexMap<&'s str, ResolvedEnvelope<'s>> {
    let spec = cx.spec;
    spec.envelopes
        .iter()
        .map(|(name, entry)| {
            let body = SpannedJson::Mapping(entry.body.clone());
            let pieces = pieces::of(cx, entry.place, &body);
            let origin = ResolvedOrigin::of(spec, name, entry);
            let envelope = ResolvedEnvelope {
                doc: entry.doc.as_deref(),
                style: entry.style.value,
                body: body.to_json(),
                origin,
                pieces,
            };
            (name.as_str(), envelope)
        })
        .collect()
}

/// The envelope that a word of the spec names; `None` where it names none, which the check has reported.
pub(super) fn named<'s>(cx: &ResolveContext<'s>, name: &SpannedText) -> Option<&'s str> {
    cx.spec.envelopes.get_key_value(name.value.as_str()).map(|(name, _)| name.as_str())
}
