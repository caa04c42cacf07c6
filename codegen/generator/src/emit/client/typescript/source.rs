//! Texts in TypeScript, which begin with a head.

use super::super::files::ABOUT;
use super::super::lines::IndentedLines;

/// A text in TypeScript with its head.
pub(super) fn head() -> IndentedLines {
    let mut lines = IndentedLines::new(2);
    lines.line(format!("// {ABOUT}"));
    lines
}
