//! Texts in TypeScript, which begin with a head.

use super::super::files::ABOUT;
use super::super::lines::IndentedLines;

/// A text in TypeScript with its head.
pub(super) fn head() -> IndentedLines {
    let mut lines = lines();
    lines.line(format!("// {ABOUT}"));
    lines
}

/// A part of a text in TypeScript.
pub(super) fn lines() -> IndentedLines {
    IndentedLines::new(2)
}
