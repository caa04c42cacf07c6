//! Sound JSON in which one value is not what it should be: every member that the spec declares, and every place of a
//! request that uses its format's words.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::super::root;
use super::endpoint::{Endpoint, Field};
use super::{Case, May};

/// Stands for a value that is written in its place as it is.
const MARK: &str = "@@";

/// Values of every kind, and what they are.
#[rustfmt::skip] // a row is read as a row
const VALUES: [(&str, &str); 21] = [
    ("null", "null"), ("bool", "true"), ("bool", "false"), ("int", "0"), ("int", "-1"), ("int", "7"), ("huge", "-0"),
    ("int", "9223372036854775807"), ("huge", "9223372036854775808"), ("huge", "99999999999999999999999999"),
    ("fraction", "1.5"), ("fraction", "1e400"), ("fraction", "-1e-400"), ("string", "\"\""), ("string", "\" \""),
    ("string", "\"x\""), ("string", "\"\\ud800\""), ("list", "[]"), ("list", "[[null]]"), ("object", "{}"),
    ("object", "{\"type\":\"nothing\"}"),
];

/// Of those, what a place deep in a request is tried with.
const FEW: [&str; 8] = ["null", "true", "-1", "1.5", "99999999999999999999999999", "\"x\"", "[]", "{}"];

/// Operations and where the gateway's own tests keep requests of their format.
const ASKS: [(&str, &str); 4] = [
    ("chat.create", "chat"),
    ("messages.create", "messages"),
    ("content.generate", "generate"),
    ("responses.create", "responses"),
];

/// Requests that between them have every place of their format.
fn asks(id: &str) -> Vec<Value> {
    let Some((_, format)) = ASKS.iter().find(|(known, _)| *known == id) else { return Vec::new() };
    let folder = root().join("server/crates/formats/src/tests/data/asks").join(format);
    let files = fs::read_dir(folder).expect("requests").map(|entry| entry.expect("a readable folder").path());
    let mut files: Vec<PathBuf> = files.filter(|path| !path.to_string_lossy().contains(".golden.")).collect();
    files.sort();
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a readable file");
    files.iter().map(|path| serde_json::from_str(&read(path)).expect("JSON")).collect()
}

pub(super) fn cases(endpoint: &Endpoint) -> Vec<Case> {
    let mut cases = Vec::new();
    for field in &endpoint.fields {
        for (kind, value) in VALUES {
            let may = may(field, kind, value);
            // Who answers changes from case to case.
            let mut body = endpoint.bodies[cases.len() % endpoint.bodies.len()].clone();
            body[&field.name] = json!(MARK);
            cases.push(spoilt(endpoint, "member", may, &format!("{} = {value}", field.name), &body, value));
        }
        if field.required {
            let mut body = endpoint.bodies[0].clone();
            let gone = body.as_object_mut().expect("an object").remove(&field.name).is_some();
            let what = format!("without {}", field.name);
            cases.extend(gone.then(|| spoilt(endpoint, "missing", May::Refused, &what, &body, "")));
        }
    }
    for ask in asks(&endpoint.id) {
        deep(endpoint, &ask, &mut cases);
    }
    cases
}

fn spoilt(endpoint: &Endpoint, kind: &'static str, may: May, what: &str, body: &Value, value: &str) -> Case {
    let text = body.to_string().replace(&format!("\"{MARK}\""), value);
    Case::new(kind, may, what, endpoint.good.clone().with_body(text))
}

/// Whether a member that the gateway goes by may hold this.
fn may(field: &Field, kind: &str, value: &str) -> May {
    if !field.is_read {
        return May::Either;
    }
    let refused = match (field.kind.as_str(), kind) {
        ("json", _) => false,
        (_, "null") => field.required && !field.nullable,
        ("int" | "usd" | "written_usd" | "unix_seconds", "int") => {
            let number: i64 = value.parse().expect("an int");
            field.min.is_some_and(|min| number < min) || field.max.is_some_and(|max| number > max)
        }
        ("int" | "unix_seconds", "huge") => value != "-0",
        ("number", "int" | "huge" | "fraction") | ("usd" | "written_usd", "huge" | "fraction") | ("anything", _) => {
            false
        }
        (declared, kind) => declared != kind,
    };
    if refused { May::Refused } else { May::Either }
}

/// Every place of a request with two values that it should not have, for one model and another.
fn deep(endpoint: &Endpoint, ask: &Value, cases: &mut Vec<Case>) {
    let mut places = Vec::new();
    find(ask, &mut String::new(), &mut places);
    for (turn, place) in places.iter().enumerate() {
        for turn in [turn, turn + 3] {
            let value = FEW[turn % FEW.len()];
            let mut body = ask.clone();
            let mut request = endpoint.good.clone();
            let model = endpoint.models[turn % endpoint.models.len()];
            if body.get("model").is_some() {
                body["model"] = json!(model);
            } else {
                let target = String::from_utf8_lossy(&request.target).replace(endpoint.models[0], model);
                request = request.at(target);
            }
            *body.pointer_mut(place).expect("a place") = json!(MARK);
            let text = body.to_string().replace(&format!("\"{MARK}\""), value);
            let what = format!("{model} {place} = {value}");
            cases.push(Case::new("place", May::Either, what, request.with_body(text)));
        }
    }
}

fn find(value: &Value, at: &mut String, places: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (name, child) in children {
        let before = at.len();
        at.push('/');
        at.push_str(&name.replace('~', "~0").replace('/', "~1"));
        places.push(at.clone());
        find(child, at, places);
        at.truncate(before);
    }
}
