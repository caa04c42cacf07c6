//! Errors: a schema for each envelope, the codes of an operation by status, and the table of all codes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::object;
use crate::interface::{Document, Operation, codes, faces, slots};
use crate::naming;

/// The schema of an envelope's bodies.
pub(super) fn name(envelope: &str) -> String {
    format!("Error{}", naming::upper_camel(envelope))
}

pub(super) fn schemas(document: &Document) -> Vec<(String, Value)> {
    let schema = |(name, envelope): (&String, &crate::interface::Envelope)| {
        let mut schema = of(&envelope.body);
        if let Some(doc) = &envelope.doc {
            schema["description"] = doc.trim_end().into();
        }
        (self::name(name), schema)
    };
    document.envelopes.iter().map(schema).collect()
}

/// A template as the schema of what is made of it.
fn of(template: &Value) -> Value {
    match template {
        Value::Object(members) => {
            let left_out = |value: &Value| value.as_str().is_some_and(|text| text.ends_with("?omit}"));
            let required: Vec<&String> =
                members.iter().filter(|(_, value)| !left_out(value)).map(|(name, _)| name).collect();
            let properties: Map<String, Value> =
                members.iter().map(|(name, value)| (name.clone(), of(value))).collect();
            json!({"type": "object", "properties": properties, "required": required})
        }
        Value::Array(items) => {
            let shown: Vec<Value> = items.iter().map(of).collect();
            json!({"type": "array", "prefixItems": shown, "minItems": items.len()})
        }
        Value::String(text) => placeholder(text),
        other => json!({"const": other}),
    }
}

fn placeholder(text: &str) -> Value {
    match text {
        "{http:int}" => json!({"type": "integer"}),
        "{param?}" => json!({"type": ["string", "null"]}),
        "{with?omit}" | "{data?omit}" => json!({"type": "object"}),
        "{with?}" | "{data?}" => json!({"type": ["object", "null"]}),
        _ if text.contains('{') => json!({"type": "string"}),
        _ => json!({"type": "string", "const": text}),
    }
}

/// The errors of an operation that have the same status.
#[derive(Default)]
pub(super) struct Refused {
    /// Their schemas, one for each envelope.
    pub(super) schemas: Vec<Value>,
    /// Their codes.
    pub(super) words: String,
    /// Whether one of them says when to come again.
    pub(super) says_when: bool,
}

/// The answers of an operation that are errors, by status.
pub(super) fn by_status(document: &Document, operation: &Operation) -> BTreeMap<u16, Refused> {
    let mut statuses: BTreeMap<u16, Refused> = BTreeMap::new();
    for envelope in envelopes(operation) {
        let mut here: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
        for answer in faces(document, operation, envelope) {
            statuses.entry(answer.http).or_default().says_when |= answer.code.retry == "after";
            let also = if operation.always_http.is_some() { &[][..] } else { &answer.code.http_also };
            for http in std::iter::once(answer.http).chain(also.iter().copied()) {
                let wires = here.entry(http).or_default();
                if !wires.contains(&answer.wire) {
                    wires.push(answer.wire);
                }
            }
        }
        let place = document.envelopes.get(envelope).map(|envelope| slots(&envelope.body).code).unwrap_or_default();
        for (http, wires) in here {
            let Refused { schemas, words, .. } = statuses.entry(http).or_default();
            schemas.push(if operation.errors_open.is_some() {
                whole(envelope)
            } else {
                narrowed(envelope, &place, &wires)
            });
            let told: Vec<String> = wires.iter().map(|wire| format!("`{wire}`")).collect();
            words.push_str(if words.is_empty() { "" } else { "; " });
            words.push_str(&told.join(", "));
        }
    }
    statuses
}

/// The envelopes that an operation's errors come in.
fn envelopes(operation: &Operation) -> Vec<&str> {
    let branches = operation.select.iter().flat_map(|select| &select.branches).map(|branch| branch.envelope.as_str());
    let mut all: Vec<&str> = Vec::new();
    for envelope in branches.chain([operation.envelope.as_str()]) {
        if !all.contains(&envelope) {
            all.push(envelope);
        }
    }
    all
}

fn whole(envelope: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{}", name(envelope))})
}

/// An envelope whose code, which stands at that place, is one of these.
fn narrowed(envelope: &str, place: &[Value], wires: &[&str]) -> Value {
    if place.is_empty() {
        return whole(envelope);
    }
    let mut inner = json!({"enum": wires});
    for step in place.iter().rev() {
        inner = match step.as_str() {
            Some(member) => object([("properties", Value::from_iter([(member, inner)]))]),
            None => object([("prefixItems", vec![inner])]),
        };
    }
    object([("allOf", vec![whole(envelope), inner])])
}

/// All codes that are answered anywhere.
pub(super) fn table(document: &Document) -> Map<String, Value> {
    let answered: std::collections::BTreeSet<&str> =
        document.operations.values().flat_map(|operation| codes(document, operation)).collect();
    let shown = |(name, code): (&String, &crate::interface::ErrorCode)| {
        let wire: Map<String, Value> = code
            .faces
            .iter()
            .map(|(envelope, face)| {
                (envelope.clone(), json!({"http": face.http, "type": face.kind, "code": face.code}))
            })
            .collect();
        let mut row = json!({"say": code.say, "do": code.remedy, "retry": code.retry, "in": wire});
        if !code.with.is_empty() {
            row["with"] = json!(code.with);
        }
        if let Some(doc) = &code.doc {
            row["description"] = doc.trim_end().into();
        }
        (name.clone(), row)
    };
    document.errors.iter().filter(|(name, _)| answered.contains(name.as_str())).map(shown).collect()
}
