//! The errors of operations, and the places of their parts in an error body.

use serde_json::Value;

use super::document::{ApiDocument, ApiErrorCode, ApiOperation};
use crate::map::{IndexMap, IndexSet};

/// The events of `framework` that every operation may meet.
const ALWAYS: [&str; 4] = ["bad_parameter", "panic", "timeout", "overloaded"];
/// The events of operations that take a body.
const OF_BODIES: [&str; 6] =
    ["bad_json", "bad_field", "missing_field", "bad_content_type", "body_too_large", "body_timeout"];

/// One code as an operation answers with it.
#[derive(Debug, Clone, Copy)]
pub struct ErrorAnswer<'d> {
    /// Its name in the spec.
    pub name: &'d str,
    /// Its declaration.
    pub code: &'d ApiErrorCode,
    /// The code on the wire.
    pub wire: &'d str,
    /// The status, where the code has no others.
    pub http: u16,
}

/// The names of all codes that an operation may answer with: its own, and those of the events that it may meet.
#[must_use]
pub fn codes<'d>(document: &'d ApiDocument, operation: &'d ApiOperation) -> Vec<&'d str> {
    let mut events: Vec<&str> = ALWAYS.to_vec();
    if operation.body.is_some() {
        events.extend(OF_BODIES);
    }
    if operation.headers.values().any(|field| !field.optional) {
        events.push("missing_header");
    }
    // Those of operators are not there for anybody else.
    if !operation.path.is_empty() || !operation.roles.is_empty() {
        events.push("unknown_path");
    }
    let met = document.framework.iter().filter(|(event, _)| events.contains(&event.as_str())).map(|(_, code)| code);
    let all: IndexSet<&str> = operation.errors.iter().chain(met).map(String::as_str).collect();
    all.into_iter().collect()
}

/// The codes that an operation may answer with, in one envelope.
#[must_use]
pub fn faces<'d>(document: &'d ApiDocument, operation: &'d ApiOperation, envelope: &str) -> Vec<ErrorAnswer<'d>> {
    let answer = |name: &'d str| {
        let code = document.errors.get(name)?;
        let face = code.faces.get(envelope)?;
        Some(ErrorAnswer { name, code, wire: &face.code, http: operation.always_http.unwrap_or(face.http) })
    };
    codes(document, operation).into_iter().filter_map(answer).collect()
}

/// The places of an error's parts in its body: the members and indexes that lead there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorMemberPaths {
    /// The code.
    pub code: Vec<Value>,
    /// The sentence.
    pub message: Vec<Value>,
    /// The kind.
    pub kind: Vec<Value>,
    /// The values that the code carries.
    pub details: Vec<Value>,
    /// The part of the request at fault.
    pub param: Vec<Value>,
    /// The id of the request.
    pub request_id: Vec<Value>,
}

/// The places in an envelope; empty where it does not tell.
#[must_use]
pub fn slots(envelope: &Value) -> ErrorMemberPaths {
    let mut found = IndexMap::default();
    walk(envelope, &mut Vec::new(), &mut found);
    let place = |words: &[&str]| words.iter().find_map(|word| found.get(*word)).cloned().unwrap_or_default();
    ErrorMemberPaths {
        code: place(&["code"]),
        message: place(&["say"]),
        kind: place(&["kind"]),
        details: place(&["with", "data"]),
        param: place(&["param"]),
        request_id: place(&["request_id"]),
    }
}

/// The first place of each placeholder, one that stands alone before one in a text.
fn walk(value: &Value, path: &mut Vec<Value>, found: &mut IndexMap<String, Vec<Value>>) {
    match value {
        Value::String(text) => {
            let words = text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(inside, _)| inside);
            for word in words {
                let word = word.split(['?', ':']).next().unwrap_or(word);
                found.entry(word.to_owned()).or_insert_with(|| path.clone());
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(index.into());
                walk(item, path, found);
                path.pop();
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                path.push(name.as_str().into());
                walk(member, path, found);
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The mark that tells an error's body from a reply's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorMarker {
    /// The member has this value.
    Is(String, Value),
    /// The member is an object.
    Object(String),
}

/// The member at the top of an envelope that no reply has so.
#[must_use]
pub fn marker(envelope: &Value) -> Option<ErrorMarker> {
    let members = envelope.as_object()?;
    let constant = |value: &&Value| match value {
        Value::String(text) => !text.contains('{'),
        Value::Bool(_) | Value::Number(_) => true,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    let fixed = members.iter().find(|(_, value)| constant(value));
    fixed.map(|(name, value)| ErrorMarker::Is(name.clone(), value.clone())).or_else(|| {
        members.iter().find(|(_, value)| value.is_object()).map(|(name, _)| ErrorMarker::Object(name.clone()))
    })
}
