//! Examples: a request and its answer as they go over the wire.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::client_model::{ApiDocument, CaseBody, ExampleCase, FixtureValues, Request, filled, samples};

/// A refusal that is of more operations than this is one of the catalogue of errors.
const SHARED: usize = 3;

/// One example.
#[derive(Clone)]
pub(super) struct ExampleText {
    pub(super) about: String,
    pub(super) request: String,
    pub(super) language: &'static str,
    pub(super) answer: String,
}

/// All of them by operation.
#[derive(Default)]
pub(super) struct ExampleTexts {
    pub(super) of: BTreeMap<String, Vec<ExampleText>>,
    pub(super) refusals: BTreeMap<String, Vec<String>>,
}

pub(super) fn examples(document: &ApiDocument, cases: &[ExampleCase<'_>]) -> ExampleTexts {
    let values = samples(document);
    let mut examples = ExampleTexts::default();
    for case in cases {
        let Some(written) = document.examples.get(case.name) else { continue };
        match case.expect.code {
            None => examples.of.entry(case.id.to_owned()).or_default().push(text(document, case, &values)),
            Some(code) if written.of.len() <= SHARED => {
                let link = format!("[{code}](#{})", code.to_lowercase());
                let refusal = format!("{} {link}", case.doc);
                examples.refusals.entry(case.id.to_owned()).or_default().push(refusal);
            }
            Some(_) => {}
        }
    }
    examples
}

fn text(document: &ApiDocument, case: &ExampleCase<'_>, values: &FixtureValues) -> ExampleText {
    let given: Vec<&str> =
        case.given.iter().filter_map(|name| Some(document.fixtures.get(*name)?.doc.as_str())).collect();
    let given = if given.is_empty() { String::new() } else { format!(" Given: {}", given.join(" ")) };
    let (language, answer) = match (case.expect.body, case.expect.stream) {
        (Some(body), _) => ("json", pretty(&filled(body, values))),
        (None, Some(stream)) => ("text", events(case, stream, values)),
        (None, None) => ("text", String::new()),
    };
    ExampleText {
        about: format!("**{}**{given}", case.doc.trim_end_matches('.')),
        request: request(&case.request(values)),
        language,
        answer,
    }
}

fn request(request: &Request) -> String {
    let mut text = format!("{} {}", request.method, request.target);
    for (name, value) in &request.headers {
        text.push_str(&format!("\n{name}: {value}"));
    }
    if let Some(CaseBody::Json(body)) = &request.body {
        text.push_str(&format!("\n\n{}", pretty(body)));
    }
    text
}

/// The events as they go over the wire.
fn events(case: &ExampleCase<'_>, stream: &[Value], values: &FixtureValues) -> String {
    let of = case.operation.stream.as_ref();
    let named = of.is_some_and(|stream| stream.named);
    let mut lines = Vec::new();
    for event in stream {
        let event = filled(event, values);
        if let Some(name) = event["type"].as_str().filter(|_| named) {
            lines.push(format!("event: {name}"));
        }
        lines.push(format!("data: {event}\n"));
    }
    // A line that only ends it is none of the events.
    let last = of.filter(|stream| !stream.named).and_then(|stream| stream.ends_with.first());
    lines.extend(last.map(|last| format!("data: {last}")));
    lines.join("\n").trim_end().to_owned()
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("keys are texts")
}
