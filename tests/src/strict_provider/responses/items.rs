//! What a provider of format R checks of the conversation.

use serde_json::Value;

use super::super::check::{Checked, Complaint, data_url, ensure, has, known, list, name, text};
use super::super::seen::Seen;
use super::super::signature::verify;
use super::MAKER;
use super::ask::unknown;

const CALL_ID_MAX: usize = 64;

pub(super) fn read(items: &[Value], seen: &mut Seen) -> Checked {
    let mut thought = None;
    for (index, item) in items.iter().enumerate() {
        let kind = item["type"].as_str().unwrap_or("message");
        let followed = matches!(kind, "function_call" | "reasoning") || item["role"] == "assistant";
        let alone = "of type 'reasoning' was provided without its required following item.";
        ensure(thought.is_none() || followed, format!("Item '{}' {alone}", thought.unwrap_or_default()))?;
        thought = (kind == "reasoning").then(|| item["id"].as_str().unwrap_or_default());
        self::item(kind, item, seen)
            .map_err(|complaint| Complaint::new(format!("input[{index}]: {}", complaint.message)))?;
    }
    seen.answered()
}

fn item(kind: &str, item: &Value, seen: &mut Seen) -> Checked {
    match kind {
        "message" => message(item, seen),
        "function_call" => {
            seen.turn("assistant");
            known(item, &["type", "id", "call_id", "name", "arguments", "status"], unknown)?;
            own_id(item, "fc")?;
            name(&item["name"], "name", 64)?;
            let arguments = item["arguments"].as_str().map(serde_json::from_str);
            let Some(Ok(arguments)) = arguments else {
                return Err(Complaint::new("arguments: expected JSON in a string"));
            };
            seen.called(call_id(item)?, &arguments);
            Ok(())
        }
        "function_call_output" => {
            seen.turn("user");
            known(item, &["type", "id", "call_id", "output", "status"], unknown)?;
            let told = content(&item["output"], &["input_text", "input_image"], seen)?;
            seen.result(call_id(item)?, &told)
        }
        "reasoning" => reasoning(item, seen),
        kind => Err(Complaint::new(format!("Invalid value: '{kind}'."))),
    }
}

fn message(item: &Value, seen: &mut Seen) -> Checked {
    known(item, &["type", "id", "role", "content", "status", "phase"], unknown)?;
    own_id(item, "msg")?;
    match text(&item["role"], "role")? {
        "system" | "developer" => {
            let said = content(&item["content"], &["input_text"], seen)?;
            seen.system.push(said);
        }
        "user" => {
            seen.turn("user");
            let said = content(&item["content"], &["input_text", "input_image"], seen)?;
            seen.say(&said);
        }
        "assistant" => {
            seen.turn("assistant");
            content(&item["content"], &["output_text", "refusal"], seen)?;
        }
        role => return Err(Complaint::new(format!("Invalid value: '{role}'."))),
    }
    Ok(())
}

fn reasoning(item: &Value, seen: &mut Seen) -> Checked {
    seen.turn("assistant");
    known(item, &["type", "id", "summary", "content", "encrypted_content", "status"], unknown)?;
    own_id(item, "rs")?;
    let Some(summary) = item["summary"].as_array() else {
        return Err(Complaint::new("Missing required parameter: 'summary'."));
    };
    let thought: String = summary.iter().filter_map(|part| part["text"].as_str()).collect();
    // Nothing is stored here, so what came without its seal is not known.
    let sealed = text(&item["encrypted_content"], "Item not found: items are not persisted when `store` is false")?;
    verify(MAKER, &thought, sealed)?;
    seen.remembered += 1;
    Ok(())
}

fn call_id(item: &Value) -> Checked<&str> {
    let id = text(&item["call_id"], "call_id")?;
    ensure(id.len() <= CALL_ID_MAX, "Invalid 'call_id': string too long. Expected a string with maximum length 64")?;
    Ok(id)
}

fn own_id(item: &Value, prefix: &str) -> Checked {
    let fits = !has(item, "id") || item["id"].as_str().is_some_and(|id| id.starts_with(prefix));
    ensure(fits, format!("Invalid 'id': '{}'. Expected an ID that begins with '{prefix}'.", item["id"]))
}

fn content(content: &Value, kinds: &[&str], seen: &mut Seen) -> Checked<String> {
    if let Some(text) = content.as_str() {
        return Ok(text.to_owned());
    }
    let mut said = String::new();
    for part in list(content, "content")? {
        let kind = text(&part["type"], "content.type")?;
        ensure(kinds.contains(&kind), format!("Invalid value: '{kind}'. Supported values are: {kinds:?}"))?;
        match kind {
            "input_image" => seen.pictures.push(data_url(text(&part["image_url"], "image_url")?)?),
            "refusal" => said.push_str(text(&part["refusal"], "refusal")?),
            _ => said.push_str(part["text"].as_str().ok_or_else(|| Complaint::new("text: expected a string"))?),
        }
    }
    Ok(said)
}
