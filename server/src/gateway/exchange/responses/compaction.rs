//! A conversation made short: the object that answers, and the item in it.

use serde_json::value::RawValue;

use super::super::json::{ObjectWriter, Value};
use super::super::{Echo, Usage};
use super::usage;

/// The answer to a request to compact: the items that are kept as they are, then the one that holds the rest, `closed`.
#[must_use]
pub fn compacted(echo: &Echo, kept: &[Box<RawValue>], closed: &str, used: &Usage) -> Vec<u8> {
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

/// What an item of the input holds closed, where it is a compacted conversation.
#[must_use]
pub fn closed(item: &RawValue) -> Option<String> {
    let mut object = Value { at: String::new(), raw: item }.object().ok()?;
    let is_one = object.text(&["type"]).ok()?.as_deref() == Some("compaction");
    is_one.then(|| object.text(&["encrypted_content"]).ok()?).flatten()
}

/// The item that takes its place once it is opened: what was said so far, as instructions.
#[must_use]
pub fn opened(summary: &str) -> Box<RawValue> {
    let mut out = Vec::new();
    let mut object = ObjectWriter::new(&mut out);
    object.member("type", "message").member("role", "developer").member("content", summary);
    object.end();
    let text = String::from_utf8(out).expect("JSON is text");
    RawValue::from_string(text).expect("what the writer wrote is JSON")
}
