//! The catalogue of errors and the shapes they come in.

use crate::emit::text::{cell, list};
use crate::map::IndexMap;
use crate::resolve::{ResolvedErrorCode, ResolvedSpec};

pub(super) struct EnvelopeText {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) body: String,
}

pub(super) struct ErrorRow {
    pub(super) anchor: String,
    pub(super) code: String,
    pub(super) http: String,
    pub(super) wire: String,
    pub(super) say: String,
    pub(super) remedy: String,
    pub(super) retry: &'static str,
}

pub(super) fn envelopes(lowered: &ResolvedSpec<'_>) -> Vec<EnvelopeText> {
    let text = |(name, envelope): (&&str, &crate::resolve::ResolvedEnvelope<'_>)| EnvelopeText {
        name: (*name).to_owned(),
        about: cell(envelope.doc.unwrap_or_default()),
        body: serde_json::to_string_pretty(&envelope.body).expect("keys are texts"),
    };
    lowered.envelopes.iter().map(text).collect()
}

pub(super) fn errors(lowered: &ResolvedSpec<'_>) -> Vec<ErrorRow> {
    lowered.errors.iter().map(|(name, code)| row(name, code)).collect()
}

fn row(name: &str, code: &ResolvedErrorCode<'_>) -> ErrorRow {
    let other = code.http_in.iter().map(|(style, http)| format!("{style}: {http}"));
    let own = std::iter::once(&code.http).chain(&code.http_also).map(u16::to_string).collect::<Vec<_>>().join(", ");
    let http = std::iter::once(own).chain(other).collect::<Vec<_>>().join("; ");
    ErrorRow {
        anchor: name.to_lowercase(),
        code: name.to_owned(),
        http,
        wire: wire(code),
        say: with_values(code),
        remedy: cell(code.remedy),
        retry: match code.retry {
            "now" => "yes",
            "after" => "after Retry-After",
            _ => "no",
        },
    }
}

/// The code in each envelope, those that show it alike together: "a: not_found_error; o: … / order_not_found".
fn wire(code: &ResolvedErrorCode<'_>) -> String {
    let mut shown: IndexMap<(&str, &str), Vec<&str>> = IndexMap::default();
    for (envelope, face) in &code.faces {
        shown.entry((face.kind, &face.code)).or_default().push(envelope);
    }
    list(shown.into_iter().map(|((kind, code), envelopes)| format!("{}: `{kind}` `{code}`", envelopes.join(" "))))
}

fn with_values(code: &ResolvedErrorCode<'_>) -> String {
    let say = cell(code.say);
    if code.with.is_empty() {
        return say;
    }
    let values = code.with.iter().map(|(name, ty)| format!("`{name}` {ty}"));
    format!("{say} ({})", list(values))
}
