//! `changes.md`: the classes of change that `codegen diff` tells.

use crate::diff;

const MARK: &str = "<!-- Made by `cargo codegen` from the tables of the tool itself. Hands off. -->";

pub(super) fn generate() -> Vec<u8> {
    format!("{MARK}\n\n{}", diff::reference()).into_bytes()
}
