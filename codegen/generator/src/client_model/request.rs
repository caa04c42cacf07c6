//! A case as it goes over the wire, with the values of its fixtures in it.

use serde_json::Value;

use super::document::ApiDocument;
use super::example_case::{CaseBody, ExampleCase};
use crate::map::IndexMap;
use crate::model::FixturePlaceholder;

/// The values that fixtures give, by fixture and name.
pub type FixtureValues = IndexMap<String, IndexMap<String, Value>>;

/// A request as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Option<CaseBody>,
}

/// The values of all fixtures, as they may look.
#[must_use]
pub fn samples(document: &ApiDocument) -> FixtureValues {
    document.fixtures.iter().map(|(name, fixture)| (name.clone(), fixture.gives.clone())).collect()
}

impl ExampleCase<'_> {
    /// The request, with these values.
    #[must_use]
    pub fn request(&self, values: &FixtureValues) -> Request {
        let headers = self.headers.iter();
        let body = match &self.body {
            Some(CaseBody::Json(body)) => Some(CaseBody::Json(filled(body, values))),
            other => other.clone(),
        };
        Request {
            method: self.method.to_owned(),
            target: self.target(values),
            headers: headers.map(|(name, value)| ((*name).to_owned(), word(value, values))).collect(),
            body,
        }
    }

    fn target(&self, values: &FixtureValues) -> String {
        let Some(route) = self.operation.routes.first() else { return String::new() };
        let mut target = String::new();
        for step in route.path.split('/').skip(1) {
            target.push('/');
            match step.strip_prefix('{').and_then(|step| step.strip_suffix('}')) {
                Some(name) => {
                    let (rest, name) = name.strip_prefix('*').map_or((false, name), |name| (true, name));
                    let value = self.path.get(name).map(|value| word(value, values)).unwrap_or_default();
                    target.push_str(&in_path(&value, rest));
                }
                None => target.push_str(step),
            }
        }
        target.push_str(&route.suffix);
        let query = self.query.iter().map(|(name, value)| format!("{name}={}", in_query(&word(value, values))));
        let query: Vec<String> = query.collect();
        if query.is_empty() { target } else { format!("{target}?{}", query.join("&")) }
    }
}

/// A value with all placeholders in it filled; one that is the whole of a text becomes the value itself.
#[must_use]
pub fn filled(value: &Value, values: &FixtureValues) -> Value {
    match value {
        Value::String(text) => {
            let whole = FixturePlaceholder::whole(text).and_then(|found| given(&found, values));
            whole.cloned().unwrap_or_else(|| text_of(text, values).into())
        }
        Value::Array(items) => items.iter().map(|item| filled(item, values)).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), filled(member, values))).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn given<'v>(placeholder: &FixturePlaceholder<'_>, values: &'v FixtureValues) -> Option<&'v Value> {
    values.get(placeholder.fixture)?.get(placeholder.value)
}

fn text_of(text: &str, values: &FixtureValues) -> String {
    let mut filled = String::new();
    let mut from = 0;
    for found in FixturePlaceholder::all(text) {
        filled.push_str(&text[from..found.range.start]);
        match given(&found, values) {
            Some(Value::String(word)) => filled.push_str(word),
            Some(other) => filled.push_str(&other.to_string()),
            None => filled.push_str(&text[found.range.clone()]),
        }
        from = found.range.end;
    }
    filled + &text[from..]
}

/// A value as one word of a path, query or header.
fn word(value: &Value, values: &FixtureValues) -> String {
    joined_word(&filled(value, values))
}

/// A value as one word, a list with commas.
pub(crate) fn joined_word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(joined_word).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// A word as it stands in a path; what takes the rest of it may have slashes.
pub(crate) fn in_path(word: &str, rest: bool) -> String {
    encoded(word, if rest { "/:" } else { ":" })
}

/// A word as it stands in a query.
pub(crate) fn in_query(word: &str) -> String {
    encoded(word, ",:")
}

/// A text with everything but letters, digits and a few signs as `%` and its bytes.
fn encoded(text: &str, also: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || also.as_bytes().contains(&byte);
        if plain {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
