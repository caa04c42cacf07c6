//! The body of a refusal, as it may look.

use serde_json::{Map, Value};

use super::document::{ApiDocument, ApiErrorCode, ApiWireError};

/// The id of a request that was never sent.
const REQUEST: &str = "req_01jd0000000000000000000000";
/// The stand-in for a text that only the server knows.
const TEXT: &str = "…";

/// A code in an envelope.
#[must_use]
pub fn refusal(document: &ApiDocument, envelope: &str, code: &str, http: u16) -> Option<Value> {
    let template = &document.envelopes.get(envelope)?.body;
    let code = document.errors.get(code)?;
    let face = code.faces.get(envelope)?;
    render(template, &RefusedCode { code, face, http })
}

struct RefusedCode<'d> {
    code: &'d ApiErrorCode,
    face: &'d ApiWireError,
    http: u16,
}

/// A part of the envelope; `None` where it is left out.
fn render(template: &Value, of: &RefusedCode<'_>) -> Option<Value> {
    Some(match template {
        Value::Object(members) => {
            let kept = members.iter().filter_map(|(name, member)| Some((name.clone(), render(member, of)?)));
            kept.collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().filter_map(|item| render(item, of)).collect(),
        Value::String(text) => return word(text, of),
        other => other.clone(),
    })
}

fn word(text: &str, of: &RefusedCode<'_>) -> Option<Value> {
    let whole = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).filter(|inside| !inside.contains('{'));
    let Some(inside) = whole else { return Some(sentence(text, of).into()) };
    let name = inside.split(['?', ':']).next().unwrap_or(inside);
    let absent = || match inside.split_once('?').map(|(_, absent)| absent) {
        Some("omit") => None,
        Some("\"\"") => Some("".into()),
        _ => Some(Value::Null),
    };
    match name {
        "http" if inside.ends_with(":int") => Some(of.http.into()),
        "with" if of.code.with.is_empty() => absent(),
        "with" => Some(of.code.with.iter().map(|(name, ty)| (name.clone(), sample(ty))).collect::<Map<_, _>>().into()),
        "param" if inside == "param" => Some("".into()),
        "param" | "data" => absent(),
        _ => Some(sentence(text, of).into()),
    }
}

fn sample(ty: &str) -> Value {
    match ty {
        "int" | "usd" => 1.into(),
        "bool" => true.into(),
        _ => TEXT.into(),
    }
}

/// A text with the parts of the code in it.
fn sentence(text: &str, of: &RefusedCode<'_>) -> String {
    let mut filled = text
        .replace("{say}", &of.code.say)
        .replace("{remedy}", &of.code.remedy)
        .replace("{kind}", &of.face.kind)
        .replace("{code}", &of.face.code)
        .replace("{http}", &of.http.to_string())
        .replace("{request_id}", REQUEST);
    for (name, ty) in &of.code.with {
        let value = match sample(ty) {
            Value::String(text) => text,
            other => other.to_string(),
        };
        filled = filled.replace(&format!("{{{name}}}"), &value);
    }
    filled
}
