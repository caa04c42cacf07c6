//! Names of packages, types and arguments in Python.

use super::super::model::ClientPackage;
use crate::client_model::ApiDocument;
use crate::naming;

pub(super) fn module_name(package: &ClientPackage<'_>) -> String {
    naming::snake(&package.name())
}

/// The name of a type of the document.
pub(in crate::emit::client) fn type_name(document: &ApiDocument, name: &str) -> String {
    let own = document.types.get(name).and_then(|def| def.name.py.clone());
    own.unwrap_or_else(|| naming::upper_camel(name))
}

pub(in crate::emit::client) const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

pub(super) fn is_identifier(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars().all(letter)
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.starts_with("__")
        && !name.is_empty()
        && !KEYWORDS.contains(&name)
}

/// The name of an argument.
pub(super) fn argument(name: &str) -> String {
    let snake = naming::snake(name);
    let taken = ["self", "body", "form", "options", "stream"];
    if KEYWORDS.contains(&snake.as_str()) || taken.contains(&snake.as_str()) { format!("{snake}_") } else { snake }
}
