//! The catalogue of errors and the shapes they come in.

use std::collections::BTreeMap;

use askama::Template;
use serde_json::Value;

use super::code::{self, HighlightLanguage};
use super::markup::{escaped, rendered};
use super::site::DocsPage;
use crate::client_model::{codes, refusal};
use crate::emit::client::{LiteralSyntax, literal};
use crate::map::IndexMap;
use crate::model::SHOULD_RETRY;
use crate::resolve::{ResolvedErrorCode, ResolvedSpec};

#[derive(Template)]
#[template(path = "docs/errors.html")]
struct ErrorsPage<'l> {
    should_retry: &'l str,
    envelopes: Vec<EnvelopeSection>,
    errors: Vec<ErrorSection>,
}

struct EnvelopeSection {
    name: String,
    about: String,
    body: String,
}

struct ErrorSection {
    code: String,
    http: Vec<u16>,
    say: String,
    remedy: String,
    about: String,
    again: &'static str,
    /// Names and types of what it carries.
    with: String,
    /// Status, kind and code on the wire, and the envelopes that show it so.
    faces: Vec<(u16, String, String, String)>,
    /// The number of operations that answer with it, and their names.
    count: usize,
    operations: String,
}

pub(super) fn content(page: &DocsPage<'_, '_>) -> String {
    let ResolvedSpec { envelopes, errors, .. } = page.site.lowered;
    let operations = answering(page);
    let envelope = |(name, envelope): (&&str, &crate::resolve::ResolvedEnvelope<'_>)| EnvelopeSection {
        name: (*name).to_owned(),
        about: page.words(envelope.doc.unwrap_or_default()),
        body: code::html(&literal(&body(page, name), LiteralSyntax::Json, 0), HighlightLanguage::Json),
    };
    rendered(&ErrorsPage {
        should_retry: page.site.document.runtime_header(SHOULD_RETRY).map_or("", |(name, _)| name),
        envelopes: envelopes.iter().map(envelope).collect(),
        errors: errors.iter().map(|(name, code)| text(*page, name, code, operations.get(name))).collect(),
    })
}

/// An error of an envelope: the first one that carries something.
fn body(page: &DocsPage<'_, '_>, envelope: &str) -> Value {
    let document = page.site.document;
    let known = || document.errors.iter().filter_map(|(name, code)| Some((name, code, code.faces.get(envelope)?.http)));
    let chosen = known().find(|(_, code, _)| !code.with.is_empty()).or_else(|| known().next());
    chosen.and_then(|(name, _, http)| refusal(document, envelope, name, http)).unwrap_or_default()
}

/// The operations that may answer with each code.
fn answering<'l>(page: &DocsPage<'_, 'l>) -> BTreeMap<&'l str, Vec<&'l str>> {
    let document = page.site.document;
    let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, operation) in &document.operations {
        for code in codes(document, operation) {
            all.entry(code).or_default().push(id);
        }
    }
    all
}

fn text(
    page: DocsPage<'_, '_>,
    name: &str,
    code: &ResolvedErrorCode<'_>,
    operations: Option<&Vec<&str>>,
) -> ErrorSection {
    let mut shown: IndexMap<(u16, &str, &str), Vec<&str>> = IndexMap::default();
    for (envelope, face) in &code.faces {
        shown.entry((face.http, face.kind, &face.code)).or_default().push(envelope);
    }
    let face = |((http, kind, code), envelopes): ((u16, &str, &str), Vec<&str>)| {
        (http, kind.to_owned(), code.to_owned(), envelopes.join(", "))
    };
    let with = code.with.iter().map(|(name, ty)| format!("<code>{}</code> {}", escaped(name), escaped(ty)));
    let operations = operations.map(Vec::as_slice).unwrap_or_default();
    let all = operations.len() == page.site.document.operations.len();
    ErrorSection {
        code: name.to_owned(),
        http: std::iter::once(code.http).chain(code.http_also.iter().copied()).collect(),
        say: page.words(&sentence(code.say)),
        remedy: page.words(&sentence(code.remedy)),
        about: page.words(code.doc.unwrap_or_default()),
        again: again(code.retry),
        with: with.collect::<Vec<_>>().join(", "),
        faces: shown.into_iter().map(face).collect(),
        count: operations.len(),
        operations: if all { String::new() } else { page.links(operations.iter().copied()) },
    }
}

/// The advice on sending it again.
pub(super) fn again(retry: &str) -> &'static str {
    match retry {
        "now" => "Yes, at once",
        "after" => "Yes, after the time in Retry-After",
        _ => "No",
    }
}

/// Words that begin a sentence.
pub(super) fn sentence(words: &str) -> String {
    let end = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{}{end}", super::fields::upper_first(words.trim()))
}
