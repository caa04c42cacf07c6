//! Names of types and members in TypeScript.

use super::super::lines::quoted;
use crate::client_model::ApiDocument;
use crate::naming;

/// The name of a type of the document.
pub(in crate::emit::client) fn type_name(document: &ApiDocument, name: &str) -> String {
    let own = document.types.get(name).and_then(|def| def.name.ts.clone());
    own.unwrap_or_else(|| naming::upper_camel(name))
}

/// A member's name, in quotes where it has to be.
pub(super) fn key(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quoted(name) }
}

pub(super) fn is_identifier(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars().all(letter) && !name.starts_with(|first: char| first.is_ascii_digit()) && !name.is_empty()
}
