//! Objects of the document: members, choices of schemas, references to headers.

use serde_json::{Map, Value, json};

pub(super) const JSON: &str = "application/json";

pub(super) fn object<V: Into<Value>>(members: impl IntoIterator<Item = (&'static str, V)>) -> Value {
    members.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect::<Map<_, _>>().into()
}

/// A map that says something.
pub(super) fn some(map: Map<String, Value>) -> Option<Value> {
    (!map.is_empty()).then_some(Value::Object(map))
}

/// One of these schemas, or several that overlap.
pub(super) fn any_of(mut schemas: Vec<Value>) -> Value {
    if schemas.len() == 1 { schemas.remove(0) } else { object([("anyOf", schemas)]) }
}

/// A header of answers, which stands with all others.
pub(super) fn header(name: &str) -> Value {
    json!({"$ref": format!("#/components/headers/{name}")})
}
