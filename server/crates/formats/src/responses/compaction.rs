//! A conversation made short: the object that answers, and the item in it.

use serde_json::value::RawValue;

use super::super::json::{JsonValue, ObjectWriter};
use super::super::{MalformedRequest, ResponseContext, TokenUsage};
use super::usage;

/// The answer to a request to compact: the items that are kept as they are, then the one that holds the rest, `closed`.
#[must_use]
pub fn compaction_response(echo: &ResponseContext, kept: &[Box<RawValue>], closed: &str, used: &TokenUsage) -> Vec<u8> {
    let mut body = Vec::new();
    let mut object = ObjectWriter::new(&mut body);
    object.member("id", &format!("resp_{}", echo.id)).member("object", "response.compaction");
    object.member("created_at", &echo.created);
    let mut output = object.array("output");
    for item in kept {
        output.element(item);
    }
    let mut item = output.object();
    item.member("id", &format!("cmp_{}", echo.id)).member("type", "compaction").member("encrypted_content", closed);
    item.end();
    output.end();
    let mut counts = object.object("usage");
    usage::write(used, &mut counts);
    counts.end();
    object.end();
    body
}

/// The closed content of an item of the input, where it is a compacted conversation.
#[must_use]
pub fn closed_content(item: &RawValue) -> Option<String> {
    let mut object = JsonValue { at: String::new(), raw: item }.object().ok()?;
    let is_one = object.text(&["type"]).ok()?.as_deref() == Some("compaction");
    is_one.then(|| object.text(&["encrypted_content"]).ok()?).flatten()
}

/// The item that takes its place once it is opened: what was said so far, as instructions.
#[must_use]
pub fn summary_item(summary: &str) -> Box<RawValue> {
    let mut out = Vec::new();
    let mut object = ObjectWriter::new(&mut out);
    object.member("type", "message").member("role", "developer").member("content", summary);
    object.end();
    let text = String::from_utf8(out).expect("JSON is text");
    RawValue::from_string(text).expect("what the writer wrote is JSON")
}

/// True if the request asks its provider to compact the conversation by itself.
/// The input may then hold parts that only the provider can open.
///
/// # Errors
/// When the body is no object.
pub fn keeps_own_compaction(body: &[u8]) -> Result<bool, MalformedRequest> {
    Ok(JsonValue::document(body)?.object()?.value(&["context_management"]).is_some())
}

/// True for a message of the user's, which compaction keeps as it is.
#[must_use]
pub fn is_of_user(item: &RawValue) -> bool {
    let object = JsonValue { at: String::new(), raw: item }.object();
    object.and_then(|mut object| object.text(&["role"])).is_ok_and(|role| role.as_deref() == Some("user"))
}

/// The request that has `transcript` made short as `instructions` say, for the model of the request to compact and with
/// its settings.
///
/// # Errors
/// When the body is no object, or there is nothing to make short.
pub fn summary_request(body: &[u8], instructions: &str, transcript: &str) -> Result<Vec<u8>, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    if transcript.is_empty() {
        return Err(object.missing("input"));
    }
    let mut ask = Vec::with_capacity(transcript.len() + 1024);
    let mut out = ObjectWriter::new(&mut ask);
    out.member("model", object.required(&["model"])?.raw);
    for name in ["prompt_cache_key", "prompt_cache_retention", "safety_identifier", "service_tier", "user"] {
        out.maybe(name, object.value(&[name]).map(|value| value.raw));
    }
    out.member("instructions", instructions).member("input", transcript).member("store", &false);
    out.end();
    Ok(ask)
}
