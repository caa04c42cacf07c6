//! Names of types and members in TypeScript.

use super::super::lines::quoted;
use super::super::model::{ClientPackage, LanguageNames, lower_camel};
use crate::client_model::ApiDocument;
use crate::naming;

pub(in crate::emit::client) const NAMES: LanguageNames = LanguageNames { type_name, module };

/// Words that are no name of a variable in a module.
const RESERVED: [&str; 49] = [
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];
/// Names that calls have for what is no parameter of the path.
const IN_CALLS: [&str; 7] = ["body", "by", "each", "envelopes", "form", "options", "params"];
/// Types that modules of types and calls name: the language's and the runtime's.
const PLAIN_TYPES: [&str; 16] = [
    "ApiError",
    "Array",
    "ArrayBuffer",
    "AsyncIterable",
    "CallOptions",
    "ClientOptions",
    "EventStream",
    "FormData",
    "OnceOptions",
    "Operation",
    "Pages",
    "Promise",
    "Record",
    "Transport",
    "Unlisted",
    "Upload",
];
/// Members that every object has, and what makes a class or an awaited value of it.
const OF_OBJECTS: [&str; 13] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "then",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// A name that means something else gets `_` behind it, which no derived one has.
fn beside(taken: &[&[&str]], name: String) -> String {
    if taken.iter().any(|taken| taken.contains(&name.as_str())) { name + "_" } else { name }
}

/// The name of a type of the document.
pub(in crate::emit::client) fn type_name(document: &ApiDocument, name: &str) -> String {
    let own = document.types.get(name).and_then(|def| def.name.ts.clone());
    beside(&[&PLAIN_TYPES], own.unwrap_or_else(|| naming::upper_camel(name)))
}

/// The file of a module of types, beside the one that leads to all of them.
fn module(name: &str) -> String {
    beside(&[&["index"]], naming::snake(name))
}

/// The class of the calls of a group, beside that of the client.
pub(super) fn class(package: &ClientPackage<'_>, group: &str) -> String {
    beside(&[&PLAIN_TYPES, &[&package.client()]], naming::upper_camel(group))
}

/// The member of the client for a group.
pub(super) fn group_member(group: &str) -> String {
    beside(&[&OF_OBJECTS], lower_camel(group))
}

/// A method of a group's class.
pub(super) fn method(name: String) -> String {
    beside(&[&OF_OBJECTS, &["transport"]], name)
}

/// A parameter of the path as an argument.
pub(super) fn argument(name: &str) -> String {
    beside(&[&RESERVED, &IN_CALLS], lower_camel(name))
}

/// Another parameter as a member of the object that it is given in.
pub(super) fn parameter(name: &str) -> String {
    beside(&[&OF_OBJECTS], if is_identifier(name) { name.to_owned() } else { naming::snake(name) })
}

/// A member's name where an object is made. As a plain one, `__proto__` would be what the object descends from.
pub(super) fn made_key(name: &str) -> String {
    if name == "__proto__" { format!("[{}]", quoted(name)) } else { key(name) }
}

/// A member's name, in quotes where it has to be.
pub(super) fn key(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quoted(name) }
}

pub(super) fn is_identifier(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars().all(letter) && !name.starts_with(|first: char| first.is_ascii_digit()) && !name.is_empty()
}
