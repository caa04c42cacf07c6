//! The first line of a file, which tells editors where the schema is.

use crate::{
    diagnostics::{Diagnostic, codes::structure},
    parse::{FileId, SourceFile, SourceSpan},
};

/// The beginning of the line.
pub const BEGINS: &str = "# yaml-language-server: $schema=";

/// A warning where the first line does not name the schema.
pub(super) fn schema_line(id: FileId, file: &SourceFile) -> Option<Diagnostic> {
    let line = file.text.lines().next().unwrap_or_default();
    let wanted = path_to_schema(&file.path);
    let named = line.strip_prefix(BEGINS).map(str::trim);
    if named.is_some_and(|named| named.strip_prefix("./").unwrap_or(named) == wanted) {
        return None;
    }
    let start = file.place_of(id, 0);
    let place = SourceSpan { end: u32::try_from(line.len()).unwrap_or(u32::MAX), ..start };
    let right = right_line(&file.path);
    let complaint = Diagnostic::warning(structure::SCHEMA_LINE, place, "the first line does not name the schema");
    Some(if named.is_some() {
        complaint.suggest(Some(right))
    } else {
        complaint.note(format!("write `{right}` above"))
    })
}

/// The line that a file of this path begins with.
pub fn right_line(path: &str) -> String {
    let schema = path_to_schema(path);
    let here = if schema.starts_with("..") { "" } else { "./" };
    format!("{BEGINS}{here}{schema}")
}

/// From `spec/operations/chat.yaml`: `../dist/spec.schema.json`.
fn path_to_schema(path: &str) -> String {
    let depth = path.split('/').count().saturating_sub(2);
    format!("{}dist/spec.schema.json", "../".repeat(depth))
}
