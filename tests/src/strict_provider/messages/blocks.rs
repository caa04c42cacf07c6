//! What a provider of format A checks of the conversation.

use serde_json::Value;

use super::super::check::{Checked, Complaint, ensure, known, list, name, picture, text};
use super::super::seen::Seen;
use super::super::signature::verify;
use super::MAKER;
use super::ask::extra;

pub(super) fn message(message: &Value, seen: &mut Seen) -> Checked {
    known(message, &["role", "content"], extra)?;
    let blocks = match &message["content"] {
        Value::String(said) => vec![serde_json::json!({"type": "text", "text": said})],
        content => list(content, "content")?.to_vec(),
    };
    match text(&message["role"], "role")? {
        "user" => user(&blocks, seen),
        "assistant" => assistant(&blocks, seen),
        "system" => blocks.iter().try_for_each(|block| {
            seen.system.push(text(&block["text"], "text content blocks must be non-empty")?.to_owned());
            Ok(())
        }),
        role => Err(Complaint::new(format!("role: unknown `{role}`"))),
    }
}

fn user(blocks: &[Value], seen: &mut Seen) -> Checked {
    seen.turn("user");
    for block in blocks {
        if block["type"] != "tool_result" {
            // What answers calls comes first.
            seen.answered()?;
        }
        match text(&block["type"], "type")? {
            "text" => seen.say(words(block)?),
            "image" => seen.pictures.push(image(block)?),
            "tool_result" => result(block, seen)?,
            kind => return Err(Complaint::new(format!("content: Input tag '{kind}' found"))),
        }
    }
    seen.answered()
}

fn result(block: &Value, seen: &mut Seen) -> Checked {
    known(block, &["type", "tool_use_id", "content", "is_error", "cache_control"], extra)?;
    let mut told = String::new();
    match &block["content"] {
        Value::Null => {}
        Value::String(said) => told.push_str(said),
        blocks => {
            for block in list(blocks, "content")? {
                match text(&block["type"], "type")? {
                    "text" => told.push_str(words(block)?),
                    "image" => seen.pictures.push(image(block)?),
                    kind => return Err(Complaint::new(format!("content: Input tag '{kind}' found"))),
                }
            }
        }
    }
    seen.result(name(&block["tool_use_id"], "tool_use_id", 128)?, &told)
}

fn assistant(blocks: &[Value], seen: &mut Seen) -> Checked {
    seen.turn("assistant");
    let calls = blocks.iter().any(|block| block["type"] == "tool_use");
    let thought = matches!(blocks[0]["type"].as_str(), Some("thinking" | "redacted_thinking"));
    let words_first =
        "content.0.type: Expected `thinking` or `redacted_thinking`, but found another when `thinking` is enabled";
    ensure(!(seen.wants_thoughts_first && calls) || thought, words_first)?;
    for block in blocks {
        match text(&block["type"], "type")? {
            "text" => ensure(!words(block)?.trim().is_empty(), "text content blocks must contain non-whitespace text")?,
            "thinking" => {
                known(block, &["type", "thinking", "signature"], extra)?;
                let signature = text(&block["signature"], "thinking.signature: Field required")?;
                verify(MAKER, block["thinking"].as_str().unwrap_or_default(), signature)?;
                seen.remembered += 1;
            }
            "tool_use" => {
                known(block, &["type", "id", "name", "input", "cache_control", "caller"], extra)?;
                name(&block["name"], "tool_use.name", 128)?;
                ensure(block["input"].is_object(), "tool_use.input: Input should be a valid dictionary")?;
                seen.called(name(&block["id"], "tool_use.id", 128)?, &block["input"]);
            }
            kind => return Err(Complaint::new(format!("content: Input tag '{kind}' found"))),
        }
    }
    Ok(())
}

fn words(block: &Value) -> Checked<&str> {
    known(block, &["type", "text", "cache_control", "citations"], extra)?;
    text(&block["text"], "text content blocks must be non-empty")
}

fn image(block: &Value) -> Checked<String> {
    known(block, &["type", "source", "cache_control"], extra)?;
    let source = &block["source"];
    ensure(source["type"] == "base64", "image.source: only base64 is reachable here")?;
    known(source, &["type", "media_type", "data"], extra)?;
    picture(text(&source["media_type"], "media_type")?, text(&source["data"], "data")?)
}
