//! Streams of events: how one looks on the wire, and whether a request asks for it.

use super::doc::lines;
use super::input;
use super::tokens::{joined, quoted};
use crate::model::StreamSwitch;
use crate::naming::word;
use crate::resolve::{BodyForm, ResolvedField, ResolvedOperation};

/// The stream that an operation answers with.
pub(super) struct StreamFacts {
    pub(super) named: bool,
    /// The events or lines that end it, in quotes.
    pub(super) ends_with: String,
    pub(super) docs: Vec<String>,
    /// The expression that is true if a request asks for it.
    pub(super) asked: String,
}

impl StreamFacts {
    pub(super) fn of(operation: &ResolvedOperation<'_>) -> Option<Self> {
        let stream = operation.stream.as_ref()?;
        let about = match stream.when {
            Some(when) => format!("True if the request asks for a stream of events: `{when}`."),
            None => "Always true: the answer is a stream of events.".to_owned(),
        };
        Some(Self {
            named: stream.named,
            ends_with: joined(stream.ends_with.iter().map(|end| quoted(end))),
            docs: lines(&about),
            asked: asked(operation, stream.switch),
        })
    }
}

fn asked(operation: &ResolvedOperation<'_>, switch: Option<StreamSwitch<'_>>) -> String {
    let asked = match switch {
        None => return "true".to_owned(),
        Some(StreamSwitch::Query { name, word }) => operation.query.get(name).map(|field| in_query(field, word)),
        Some(StreamSwitch::Body { field }) => match operation.body.as_ref().map(|body| &body.form) {
            Some(BodyForm::Passed { reads, .. } | BodyForm::PassedParts { reads, .. }) => reads.get(field).map(in_head),
            _ => None,
        },
    };
    asked.unwrap_or_else(|| "false".to_owned())
}

fn in_query(field: &ResolvedField<'_>, word: &str) -> String {
    let (name, word) = (input::field_name(field), quoted(word));
    if field.optional && field.default.is_none() {
        format!("self.{name}.as_deref() == Some({word})")
    } else {
        format!("self.{name} == {word}")
    }
}

/// A bool member of the head; absent or null it is what its default says, else no.
fn in_head(field: &ResolvedField<'_>) -> String {
    let default = field.default.as_ref() == Some(&serde_json::Value::Bool(true));
    let given = match (field.optional || field.default.is_some(), field.nullable, default) {
        (true, true, true) => ".as_ref().and_then(|given| given.value).unwrap_or(true)",
        (true, true, false) => ".as_ref().is_some_and(|given| given.value == Some(true))",
        (true, false, true) => ".as_ref().is_none_or(|given| given.value)",
        (true, false, false) => ".as_ref().is_some_and(|given| given.value)",
        (false, true, _) => ".value == Some(true)",
        (false, false, _) => ".value",
    };
    format!("self.body.head.{}{given}", word(&field.rust))
}
