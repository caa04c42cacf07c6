//! What a provider ran in earlier turns, as text for a provider that knows nothing of it.

use serde_json::Value;
use serde_json::value::RawValue;

use super::super::{Format, Kind};

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

/// The text for a block of that kind; `None` where it tells of no such thing.
#[must_use]
pub fn text(from: Format, kind: &str, raw: &RawValue) -> Option<String> {
    let (_, kinds) = KINDS.iter().find(|(format, _)| *format == from)?;
    if !kinds.contains(&kind) {
        return None;
    }
    Some(written(kind, raw))
}

/// A block of that kind as a text.
#[must_use]
pub fn as_text(kind: &str, raw: &RawValue) -> Kind {
    Kind::Text(written(kind, raw))
}

fn written(kind: &str, raw: &RawValue) -> String {
    // What is nested too deep to be taken apart stays as it is.
    let mut value = serde_json::from_str(raw.get()).unwrap_or_else(|_| Value::from(raw.get()));
    open(&mut value);
    format!("[{kind}] {value}")
}

/// Takes out what is closed.
fn open(value: &mut Value) {
    match value {
        Value::Object(members) => {
            CLOSED.iter().for_each(|name| {
                members.remove(*name);
            });
            members.values_mut().for_each(open);
        }
        Value::Array(elements) => elements.iter_mut().for_each(open),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
