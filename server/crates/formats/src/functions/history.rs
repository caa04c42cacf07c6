//! Tools that a provider ran in earlier turns, as text for a provider that knows nothing of them.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::super::{BlockKind, Format};

/// Kinds of items, blocks and parts that tell what a provider ran.
const KINDS: [(Format, &[&str]); 3] = [
    (
        Format::Responses,
        &[
            "web_search_call",
            "file_search_call",
            "code_interpreter_call",
            "image_generation_call",
            "mcp_call",
            "mcp_list_tools",
            "mcp_approval_request",
            "mcp_approval_response",
            "program",
            "program_output",
        ],
    ),
    (
        Format::Messages,
        &[
            "server_tool_use",
            "web_search_tool_result",
            "web_fetch_tool_result",
            "code_execution_tool_result",
            "bash_code_execution_tool_result",
            "text_editor_code_execution_tool_result",
            "tool_search_tool_result",
            "advisor_tool_result",
            "mcp_tool_use",
            "mcp_tool_result",
            "mcp_tool_listing",
            "search_result",
        ],
    ),
    (Format::Generate, &["executableCode", "codeExecutionResult", "toolCall", "toolResponse"]),
];

/// Members that say nothing to anybody but their maker.
const CLOSED: [&str; 9] = [
    "id",
    "type",
    "status",
    "encrypted_content",
    "encrypted_index",
    "encrypted_stdout",
    "tool_use_id",
    "cache_control",
    "call_id",
];

/// Members whose value is the model's or the client's own, whatever its members are called.
const OPAQUE: [&str; 9] =
    ["input", "arguments", "args", "action", "response", "output", "attributes", "input_schema", "inputSchema"];

/// Members that hold the bytes of a medium or of a file.
const BYTES: [&str; 4] = ["data", "result", "b64_json", "partial_image_b64"];

/// Members beside them that say what the bytes are.
const MIMES: [&str; 5] = ["media_type", "mime_type", "mimeType", "output_format", "format"];

/// A run of so many letters and digits without a space is no text that a model could read.
const RUN_MAX: usize = 1024;

/// True if a block of that kind tells what a provider ran.
#[must_use]
pub fn is_hosted_tool_kind(from: Format, kind: &str) -> bool {
    KINDS.iter().any(|(format, kinds)| *format == from && kinds.contains(&kind))
}

/// The text for a block of that kind; `None` where it tells of no such thing.
#[must_use]
pub fn text(from: Format, kind: &str, raw: &RawValue) -> Option<String> {
    is_hosted_tool_kind(from, kind).then(|| written(kind, raw))
}

/// A block of that kind as a text.
#[must_use]
pub fn as_text(kind: &str, raw: &RawValue) -> BlockKind {
    BlockKind::Text(written(kind, raw))
}

fn written(kind: &str, raw: &RawValue) -> String {
    // What is nested too deep to be taken apart stays as it is.
    let mut value = serde_json::from_str(raw.get()).unwrap_or_else(|_| Value::from(raw.get()));
    open(&mut value, false);
    format!("[{kind}] {value}")
}

/// Takes out what is closed, and puts marks in the place of bytes. What is `opaque` loses no member.
fn open(value: &mut Value, opaque: bool) {
    match value {
        Value::Object(members) => {
            if !opaque {
                CLOSED.iter().for_each(|name| {
                    members.remove(*name);
                });
            }
            mark_bytes(members);
            members.iter_mut().for_each(|(name, value)| open(value, opaque || OPAQUE.contains(&name.as_str())));
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| open(element, opaque)),
        Value::String(text) => {
            if let Some(short) = without_runs(text) {
                *text = short;
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Puts a mark in the place of each member that holds bytes in base64, however few: their kind, where it is told, and size.
fn mark_bytes(members: &mut Map<String, Value>) {
    let kind = MIMES.iter().find_map(|name| members.get(*name)?.as_str()).unwrap_or("bytes").to_owned();
    for name in BYTES {
        if let Some(Value::String(text)) = members.get_mut(name)
            && is_base64(text)
        {
            *text = format!("[{kind}, {} bytes]", decoded_bytes(text.len()));
        }
    }
}

/// True if a text can be nothing but base64: long enough, of the right letters, in full groups.
fn is_base64(text: &str) -> bool {
    let letters = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    text.len() >= 64 && !text.contains(' ') && letters.clone().count() % 4 == 0 && letters.into_iter().all(is_letter)
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte)
}

fn decoded_bytes(letters: usize) -> usize {
    letters / 4 * 3
}

/// The text with a mark in the place of each long run of base64, as in `data:` addresses; `None` where there is none.
fn without_runs(text: &str) -> Option<String> {
    if text.len() <= RUN_MAX {
        return None;
    }
    let mut short = String::new();
    let mut kept = 0;
    let mut run = 0;
    // A letter of base64 is one byte, so that each border of a run is one of characters.
    for (at, byte) in text.bytes().chain(std::iter::once(b' ')).enumerate() {
        if is_letter(byte) {
            continue;
        }
        if at - run > RUN_MAX {
            short.push_str(&text[kept..run]);
            short.push_str(&format!("[{} bytes]", decoded_bytes(at - run)));
            kept = at;
        }
        run = at + 1;
    }
    if kept == 0 {
        return None;
    }
    short.push_str(&text[kept..]);
    Some(short)
}
