//! What an example says of an answer, held against it.

use serde_json::Value;
use tollgate_spec_generator::client_model::{ApiDocument, ExampleCase, FixtureValues, filled, slots};

use super::answers::Reply;
use super::same;

/// All that is otherwise than the example says.
pub(super) fn wrong(
    document: &ApiDocument,
    case: &ExampleCase<'_>,
    reply: &Reply,
    values: &FixtureValues,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let expect = &case.expect;
    if reply.status != expect.status {
        wrong.push(format!("the status is {}, not {}", reply.status, expect.status));
    }
    // Where the method is wrong there is no operation, nor one of operators for anybody else.
    let hidden = !case.operation.roles.is_empty() && expect.code == Some("ROUTE_NOT_FOUND");
    let operation = if case.method == case.operation.routes[0].method && !hidden { case.id } else { "" };
    let code = expect.code.filter(|_| !expect.late);
    if reply.seen != (operation, code) {
        wrong.push(format!("the router saw {:?}, not {:?}", reply.seen, (operation, code)));
    }
    for (name, value) in &expect.headers {
        let found = reply.header(name);
        let value = filled(value, values);
        let fits = match value.as_str() {
            Some("*") => found.is_some(),
            Some(text) => found == Some(text),
            None => found == Some(value.to_string().as_str()),
        };
        if !fits {
            wrong.push(format!("the header `{name}` is {found:?}, not {value}"));
        }
    }
    match expect.code {
        Some(code) if expect.late => late(document, case, reply, code, &mut wrong),
        Some(code) => refusal(document, case, reply, code, &mut wrong),
        None => success(case, reply, values, &mut wrong),
    }
    wrong
}

fn success(case: &ExampleCase<'_>, reply: &Reply, values: &FixtureValues, wrong: &mut Vec<String>) {
    let varies: Vec<Vec<&str>> = case.expect.varies.iter().map(|path| path.split('.').collect()).collect();
    let paths: Vec<&[&str]> = varies.iter().map(Vec::as_slice).collect();
    if let Some(body) = case.expect.body {
        match reply.json() {
            Some(found) => differs(&filled(body, values), &found, &paths, "", wrong),
            None => wrong.push("the body is no JSON".to_owned()),
        }
    }
    if let Some(stream) = case.expect.stream {
        let mut found = reply.events();
        let ends = case.operation.stream.as_ref().map(|stream| stream.ends_with.as_slice()).unwrap_or_default();
        let literal = found.last().is_some_and(|last| ends.contains(last));
        if literal {
            found.pop();
        }
        let found = found.iter().map(|event| serde_json::from_str(event).unwrap_or(Value::Null)).collect();
        let expected: Vec<Value> = stream.iter().map(|event| filled(event, values)).collect();
        differs(&Value::Array(expected), &Value::Array(found), &paths, "", wrong);
    }
}

/// A refusal is in its envelope, and its headers say what to do.
fn refusal(document: &ApiDocument, case: &ExampleCase<'_>, reply: &Reply, code: &str, wrong: &mut Vec<String>) {
    let Some(body) = reply.json() else {
        return wrong.push("the body is no JSON".to_owned());
    };
    in_envelope(document, case, reply, (code, &body), wrong);
    let retry = document.errors[code].retry.as_str();
    let should = if retry == "never" { "false" } else { "true" };
    if reply.header("x-should-retry") != Some(should) || (retry == "after") != reply.header("retry-after").is_some() {
        let told = (reply.header("x-should-retry"), reply.header("retry-after"));
        wrong.push(format!("`x-should-retry` and `retry-after` are {told:?}, and the code is tried again: {retry}"));
    }
}

/// A refusal after the head was sent is the last that a stream says, but for a line that only ends it.
fn late(document: &ApiDocument, case: &ExampleCase<'_>, reply: &Reply, code: &str, wrong: &mut Vec<String>) {
    let events: Vec<Value> = reply.events().iter().filter_map(|event| serde_json::from_str(event).ok()).collect();
    let mut told = Vec::new();
    for event in events.iter().rev().take(2) {
        let here = lacking(document, case, reply, (code, event));
        if here.is_empty() {
            return;
        }
        told.extend(here);
    }
    wrong.push(format!("no event at the end tells it: {}", told.join(", ")));
}

/// What an event lacks to be the one that tells a refusal.
pub(super) fn lacking(
    document: &ApiDocument,
    case: &ExampleCase<'_>,
    reply: &Reply,
    (code, event): (&str, &Value),
) -> Vec<String> {
    let wire = &document.errors[code].faces[case.expect.envelope].code;
    // Some formats have an event of their own for it.
    if event["type"] == "error" && event.to_string().contains(wire.as_str()) {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    in_envelope(document, case, reply, (code, event), &mut wrong);
    wrong
}

/// Code, kind and id stand where the envelope has them.
fn in_envelope(
    document: &ApiDocument,
    case: &ExampleCase<'_>,
    reply: &Reply,
    (code, body): (&str, &Value),
    wrong: &mut Vec<String>,
) {
    let slots = slots(&document.envelopes[case.expect.envelope].body);
    let face = &document.errors[code].faces[case.expect.envelope];
    let id = reply.header("x-request-id").unwrap_or_default();
    for (place, expected) in [(&slots.code, face.code.as_str()), (&slots.kind, &face.kind), (&slots.request_id, id)] {
        let found = place.iter().try_fold(body, |value, step| match step {
            Value::String(name) => value.get(name),
            Value::Number(index) => value.get(usize::try_from(index.as_u64()?).ok()?),
            _ => None,
        });
        if !place.is_empty() && found.and_then(Value::as_str) != Some(expected) {
            wrong.push(format!("{found:?} stands where `{expected}` should"));
        }
    }
}

/// Where two values differ, but for what varies.
pub(super) fn differs(expected: &Value, found: &Value, varies: &[&[&str]], at: &str, wrong: &mut Vec<String>) {
    if varies.iter().any(|path| path.is_empty()) {
        return;
    }
    let below = |step: &str| -> Vec<&[&str]> {
        let fits = |path: &&&[&str]| path[0] == step || path[0] == "*";
        varies.iter().filter(fits).map(|path| &path[1..]).collect()
    };
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            for (name, value) in expected {
                let at = format!("{at}.{name}");
                match found.get(name) {
                    Some(found) => differs(value, found, &below(name), &at, wrong),
                    None => wrong.push(format!("`{at}` is not there")),
                }
            }
            for name in found.keys().filter(|name| !expected.contains_key(*name)) {
                if !below(name).iter().any(|path| path.is_empty()) {
                    wrong.push(format!("`{at}.{name}` is there, {}", found[name]));
                }
            }
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            for (index, (value, found)) in expected.iter().zip(found).enumerate() {
                let step = index.to_string();
                differs(value, found, &below(&step), &format!("{at}.{step}"), wrong);
            }
        }
        _ if same(expected, found) => {}
        _ => wrong.push(format!("`{at}` is {found}, not {expected}")),
    }
}
