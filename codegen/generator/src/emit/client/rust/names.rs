//! Names of types, fields and groups in Rust.

use super::super::model::LanguageNames;
use crate::client_model::{ApiDocument, ApiField, CallGroup};
use crate::naming;

pub(in crate::emit::client) const NAMES: LanguageNames = LanguageNames { type_name, module: naming::module };

pub(super) fn constant(name: &str) -> String {
    naming::snake(name).to_ascii_uppercase()
}

/// True for a keyword of the language.
pub(in crate::emit::client) fn is_keyword(word: &str) -> bool {
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    is_word && naming::is_keyword(word)
}

/// A name as an identifier.
pub(super) fn ident(name: &str) -> String {
    naming::word(&naming::snake(name)).into_owned()
}

/// The name of a type of the document.
pub(in crate::emit::client) fn type_name(document: &ApiDocument, name: &str) -> String {
    let own = document.types.get(name).and_then(|def| def.name.rust.clone());
    naming::type_word(&own.unwrap_or_else(|| naming::upper_camel(name))).into_owned()
}

/// The variant of a word, a tag or a code.
pub(super) fn variant(word: &str) -> String {
    naming::word(&naming::upper_camel(word)).into_owned()
}

/// The name of a field, beside the one for what is not listed.
pub(super) fn field_name(name: &str, field: &ApiField) -> String {
    match ident(field.name.rust.as_deref().unwrap_or(name)).as_str() {
        "further" => "further_".to_owned(),
        own => own.to_owned(),
    }
}

/// The module of a group, and the function that leads to it.
pub(super) fn group_name(group: &CallGroup<'_>) -> String {
    naming::word(&naming::module(group.name)).into_owned()
}

/// Names that stand in every module of calls already: the runtime's, and those of the prelude that its code has.
const TAKEN: [&str; 25] = [
    "AsRef",
    "Box",
    "CallOptions",
    "Clone",
    "Default",
    "Drop",
    "Err",
    "Error",
    "Extend",
    "From",
    "Input",
    "Into",
    "Iterator",
    "None",
    "Ok",
    "Operation",
    "Option",
    "Result",
    "Self",
    "Send",
    "Some",
    "String",
    "ToString",
    "Transport",
    "Vec",
];

/// The type of a group's calls.
pub(super) fn group_type(group: &CallGroup<'_>) -> String {
    let name = naming::upper_camel(group.name);
    if TAKEN.contains(&name.as_str()) { name + "Calls" } else { name }
}
