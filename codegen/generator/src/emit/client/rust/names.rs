//! Names of types, fields and groups in Rust.

use crate::client_model::{ApiDocument, ApiField, CallGroup};
use crate::naming;

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
    own.unwrap_or_else(|| naming::upper_camel(name))
}

/// The name of a field.
pub(super) fn field_name(name: &str, field: &ApiField) -> String {
    ident(field.name.rust.as_deref().unwrap_or(name))
}

/// The module of a group, and the function that leads to it.
pub(super) fn group_name(group: &CallGroup<'_>) -> String {
    ident(group.name)
}

/// The type of a group's calls. Some names stand in every module of calls already.
pub(super) fn group_type(group: &CallGroup<'_>) -> String {
    let name = naming::upper_camel(group.name);
    match name.as_str() {
        "CallOptions" | "Error" | "Input" | "Operation" | "Transport" => name + "Calls",
        _ => name,
    }
}
