//! Names of packages, types and arguments in Python.

use super::super::model::{ClientPackage, LanguageNames};
use super::annotations;
use crate::client_model::ApiDocument;
use crate::naming;

pub(in crate::emit::client) const NAMES: LanguageNames = LanguageNames { type_name, module };

/// Types that modules of types and calls name: the language's and the runtime's.
const PLAIN_TYPES: [&str; 21] = [
    "Any",
    "ApiError",
    "AsyncEventStream",
    "AsyncIterator",
    "AsyncTransport",
    "CallOptions",
    "EventStream",
    "FormFile",
    "Input",
    "Iterator",
    "Literal",
    "Mapping",
    "NotRequired",
    "OnceOptions",
    "Operation",
    "Pages",
    "Transport",
    "TypeAlias",
    "TypeGuard",
    "TypedDict",
    "Unlisted",
];
/// Names that calls have for what is no parameter, and for what they call.
const IN_CALLS: [&str; 11] =
    ["body", "by", "each", "each_async", "form", "form_content", "options", "reply", "self", "stream", "with_member"];

/// A name that means something else gets `_` behind it, which no derived one has.
fn beside(taken: &[&[&str]], name: String) -> String {
    if taken.iter().any(|taken| taken.contains(&name.as_str())) { name + "_" } else { name }
}

pub(super) fn module_name(package: &ClientPackage<'_>) -> String {
    naming::snake(&package.name())
}

/// The name of a type of the document.
pub(in crate::emit::client) fn type_name(document: &ApiDocument, name: &str) -> String {
    let own = document.types.get(name).and_then(|def| def.name.py.clone());
    beside(&[&KEYWORDS, &PLAIN_TYPES], own.unwrap_or_else(|| naming::upper_camel(name)))
}

/// A module of types or calls, and the member of the client for a group.
pub(super) fn module(name: &str) -> String {
    // The last is imported from `__future__`.
    beside(&[&KEYWORDS, &["annotations"]], naming::snake(name))
}

/// The class of the calls of a group, beside that of the client. That for event loops has `Async` in front; what begins so by
/// itself gets a mark that no other has.
pub(super) fn class(package: &ClientPackage<'_>, group: &str) -> String {
    let name = naming::upper_camel(group);
    if name.starts_with("Async") {
        return name + "__";
    }
    beside(&[&KEYWORDS, &PLAIN_TYPES, &[&package.client()]], name)
}

/// A method of a group's class.
pub(super) fn method(name: String) -> String {
    beside(&[&KEYWORDS], name)
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
    beside(&[&KEYWORDS, &annotations::WORDS, &IN_CALLS], naming::snake(name))
}
