//! Texts in Python: the head of a file, and values as literals.

use serde_json::Value;

use super::super::files::ABOUT;
use super::super::lines::IndentedLines;

/// A text in Python with its head.
pub(super) fn head(about: &str) -> IndentedLines {
    let mut lines = IndentedLines::new(4);
    lines.line(format!("# {ABOUT}"));
    lines.quoted_doc(about);
    lines.line("");
    lines.line("from __future__ import annotations");
    lines.line("");
    lines
}

/// A path of members.
pub(super) fn tuple(steps: &[Value]) -> String {
    let steps: Vec<String> = steps.iter().map(literal).collect();
    if steps.len() == 1 { format!("({},)", steps[0]) } else { format!("({})", steps.join(", ")) }
}

pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Null => "None".to_owned(),
        other => other.to_string(),
    }
}
