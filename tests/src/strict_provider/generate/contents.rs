//! What a provider of format G checks of the conversation.

use serde_json::Value;

use super::super::check::{Checked, Complaint, ensure, known, list, picture, text};
use super::super::seen::Seen;
use super::super::signature::verify;
use super::MAKER;
use super::ask::unknown;

/// What stands for a signature that nobody has, by the provider's own documentation; as text and as bytes in base64.
const NO_SIGNATURE: [&str; 2] = ["skip_thought_signature_validator", "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="];
const PAYLOADS: &[&str] = &["text", "inlineData", "functionCall", "functionResponse"];

/// Calls are told apart by their order, as the format has no ids that must be sent.
#[derive(Default)]
struct Calls {
    open: Vec<(String, String)>,
    count: usize,
}

pub(super) fn read(contents: &[Value], seen: &mut Seen) -> Checked {
    let mut calls = Calls::default();
    // Calls before the user's last own words may lack their signatures.
    let own_words = |content: &Value| content["role"] != "model" && content["parts"][0]["functionResponse"].is_null();
    let current = contents.iter().rposition(own_words).unwrap_or_default();
    for (index, content) in contents.iter().enumerate() {
        known(content, &["role", "parts"], unknown)?;
        let parts = list(&content["parts"], "contents.parts must not be empty")?;
        match content["role"].as_str() {
            Some("user") | None => user(parts, &mut calls, seen)?,
            Some("model") => model(parts, index > current, &mut calls, seen)?,
            Some(_) => return Err(Complaint::new("Please use a valid role: user, model.")),
        }
    }
    Ok(())
}

fn payload(part: &Value) -> Checked<(&str, &Value)> {
    let names: Vec<&str> = PAYLOADS.iter().copied().chain(["thought", "thoughtSignature"]).collect();
    known(part, &names, unknown)?;
    let mut found = PAYLOADS.iter().filter_map(|name| Some((*name, part.get(name)?)));
    match (found.next(), found.next()) {
        (Some(payload), None) => Ok(payload),
        _ => Err(Complaint::new("required oneof field 'data' must have one initialized field")),
    }
}

fn user(parts: &[Value], calls: &mut Calls, seen: &mut Seen) -> Checked {
    seen.turn("user");
    let results = parts.iter().filter(|part| !part["functionResponse"].is_null()).count();
    let same = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    ensure(results == calls.open.len(), same)?;
    for part in parts {
        match payload(part)? {
            ("text", said) => seen.say(said.as_str().unwrap_or_default()),
            ("inlineData", data) => seen.pictures.push(inline(data)?),
            ("functionResponse", response) => {
                known(response, &["id", "name", "response", "parts"], unknown)?;
                ensure(response["response"].is_object(), "function_response.response: expected an object")?;
                let name = text(&response["name"], "function_response.name: Name cannot be empty.")?;
                let place = calls.open.iter().position(|(called, _)| called == name);
                let Some(place) = place else { return Err(Complaint::new(format!("no call of {name}"))) };
                let (_, id) = calls.open.remove(place);
                seen.result(&id, &told(&response["response"]))?;
                for part in response["parts"].as_array().into_iter().flatten() {
                    seen.pictures.push(inline(&part["inlineData"])?);
                }
            }
            (kind, _) => return Err(Complaint::new(format!("{kind} in a turn of the user"))),
        }
    }
    Ok(())
}

/// The words of a result, whatever its members are called.
fn told(response: &Value) -> String {
    let members = response.as_object().into_iter().flat_map(serde_json::Map::values);
    members.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect::<Vec<_>>().join(" ")
}

fn inline(data: &Value) -> Checked<String> {
    known(data, &["mimeType", "data", "displayName"], unknown)?;
    picture(text(&data["mimeType"], "inline_data.mime_type")?, &standard(text(&data["data"], "inline_data.data")?))
}

/// Bytes may be written in either alphabet of base64 in this format.
fn standard(base64: &str) -> String {
    base64.replace('-', "+").replace('_', "/")
}

fn model(parts: &[Value], current: bool, calls: &mut Calls, seen: &mut Seen) -> Checked {
    seen.turn("assistant");
    let mut first_call = true;
    for part in parts {
        let signature = part["thoughtSignature"].as_str();
        match payload(part)? {
            ("text", said) => {
                if let Some(signature) = signature {
                    verify(MAKER, said.as_str().unwrap_or_default(), &standard(signature))?;
                    seen.remembered += 1;
                }
            }
            ("functionCall", call) => {
                known(call, &["id", "name", "args"], unknown)?;
                let name = text(&call["name"], "function_call.name")?;
                let unsigned = "Function call is missing a thought_signature in functionCall parts.";
                ensure(signature.is_some() || !(current && first_call), format!("{unsigned} Function call: {name}"))?;
                if let Some(signature) = signature.filter(|signature| !NO_SIGNATURE.contains(signature)) {
                    verify(MAKER, &format!("{name}{}", call["args"]), &standard(signature))?;
                    seen.remembered += 1;
                }
                let id = format!("call_{}", calls.count);
                seen.called(&id, &call["args"]);
                calls.open.push((name.to_owned(), id));
                calls.count += 1;
                first_call = false;
            }
            (kind, _) => ensure(kind == "inlineData", format!("{kind} in a turn of the model"))?,
        }
    }
    Ok(())
}
