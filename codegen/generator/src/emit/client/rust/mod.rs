//! The client in Rust: over reqwest and serde.

mod calls;
mod layout;
mod package;
mod pages;
mod types;

use std::collections::BTreeSet;

use serde_json::Value;

use self::layout::{STEP, quoted};
use super::lines::IndentedLines;
use super::model::ClientPackage;
use super::{ABOUT, ClientFileJob, job};
use crate::client_model::{ApiDocument, ApiField, ApiShape, ApiType, CallGroup, ErrorMarker};
use crate::model::Primitive;
use crate::naming;

/// The files of the runtime, which are the same for all calls.
macro_rules! runtime {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../../templates/client/rust/runtime/", $name, ".rs")))),+]
    };
}

const RUNTIME: [(&str, &str); 13] = runtime![
    "mod",
    "codes",
    "error",
    "events",
    "form",
    "head",
    "input",
    "operation",
    "options",
    "pages",
    "reading",
    "transport",
    "values",
];

pub(super) fn files<'p>(package: &'p ClientPackage<'_>) -> Vec<(String, ClientFileJob<'p>)> {
    let types = package.modules().into_iter().map(|(module, types)| {
        job(format!("src/types/{module}.rs"), move || marked(&types::module(package, &module, &types)))
    });
    let calls = package
        .groups
        .iter()
        .map(|group| job(format!("src/calls/{}.rs", group.name), || marked(&calls::group(package, group))));
    let runtime = RUNTIME.map(|(name, text)| job(format!("src/runtime/{name}.rs"), move || marked(text)));
    let others = [
        job("src/types/mod.rs", || marked(&types::index(package))),
        job("src/calls/mod.rs", || marked(&calls::index(package))),
        job("src/envelopes.rs", || marked(&envelopes(package))),
        job("src/lib.rs", || marked(&package::library(package))),
        job("Cargo.toml", || package::manifest(package)),
        job("rustfmt.toml", || layout::CONFIG.to_owned()),
        job("README.md", || package::readme(package)),
    ];
    types.chain(calls).chain(runtime).chain(others).collect()
}

/// Below the line that says where it is from.
fn marked(text: &str) -> String {
    format!("// {ABOUT}\n{text}")
}

fn envelopes(package: &ClientPackage<'_>) -> String {
    let mut lines = IndentedLines::new(STEP);
    lines.line("//! The places of codes and texts in the errors of each family of operations.");
    lines.gap();
    lines.line("use crate::runtime::Envelope;");
    let used: BTreeSet<&str> = package.groups.iter().flat_map(|group| &group.calls).map(|call| call.envelope).collect();
    for (name, reading) in package.readings().filter(|(name, _)| used.contains(name)) {
        let slots = &reading.slots;
        let marker = match &reading.marker {
            Some(ErrorMarker::Is(member, is)) => format!("Some(({}, {}))", quoted(member), quoted(&is.to_string())),
            Some(ErrorMarker::Object(member)) => format!("Some(({}, \"\"))", quoted(member)),
            None => "None".to_owned(),
        };
        lines.gap();
        lines.line(format!("pub(crate) static {}: Envelope = Envelope {{", constant(name)));
        lines.within(|lines| {
            for (name, slot) in [
                ("code", &slots.code),
                ("message", &slots.message),
                ("kind", &slots.kind),
                ("details", &slots.details),
                ("param", &slots.param),
                ("request_id", &slots.request_id),
            ] {
                lines.line(format!("{name}: {},", quoted(&pointer(slot))));
            }
            lines.line(format!("marker: {marker},"));
        });
        lines.line("};");
    }
    lines.done()
}

fn pointer(steps: &[Value]) -> String {
    let step = |step: &Value| {
        step.as_str().map_or_else(|| step.to_string(), |name| name.replace('~', "~0").replace('/', "~1"))
    };
    steps.iter().map(|value| format!("/{}", step(value))).collect()
}

fn constant(name: &str) -> String {
    naming::snake(name).to_ascii_uppercase()
}

/// True for a keyword of the language.
pub(super) fn is_keyword(word: &str) -> bool {
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    is_word && naming::is_keyword(word)
}

/// A name as an identifier.
fn ident(name: &str) -> String {
    naming::word(&naming::snake(name)).into_owned()
}

/// The name of a type of the document.
pub(super) fn type_name(document: &ApiDocument, name: &str) -> String {
    let own = document.types.get(name).and_then(|def| def.name.rust.clone());
    own.unwrap_or_else(|| naming::upper_camel(name))
}

/// The name of a field.
fn field_name(name: &str, field: &ApiField) -> String {
    ident(field.name.rust.as_deref().unwrap_or(name))
}

/// The module of a group, and the function that leads to it.
fn group_name(group: &CallGroup<'_>) -> String {
    ident(group.name)
}

/// The type of a group's calls. Some names stand in every module of calls already.
fn group_type(group: &CallGroup<'_>) -> String {
    let name = naming::upper_camel(group.name);
    match name.as_str() {
        "CallOptions" | "Error" | "Input" | "Operation" | "Transport" => name + "Calls",
        _ => name,
    }
}

/// The type of a value. A word that never differs has a type of its own.
fn ty(document: &ApiDocument, ty: &ApiType) -> String {
    match ty {
        ApiType::Const(word) => format!("crate::types::Only{}", naming::upper_camel(word)),
        ApiType::List(item) => format!("Vec<{}>", self::ty(document, item)),
        ApiType::Map(item) => format!("std::collections::BTreeMap<String, {}>", self::ty(document, item)),
        ApiType::Primitive(primitive) => match primitive {
            Primitive::String | Primitive::Url | Primitive::Bytes | Primitive::Date | Primitive::DateTime => "String",
            Primitive::Int | Primitive::UnixSeconds => "i64",
            Primitive::Number => "f64",
            Primitive::Usd | Primitive::WrittenUsd => "crate::Usd",
            Primitive::Bool => "bool",
            Primitive::Json => "serde_json::Value",
        }
        .to_owned(),
        ApiType::Ref(name) => format!("crate::types::{}", type_name(document, name)),
    }
}

/// The words that never differ, in all types that are reached.
fn only(document: &ApiDocument) -> BTreeSet<&str> {
    fn inside(ty: &ApiType) -> Option<&str> {
        match ty {
            ApiType::Const(word) => Some(word),
            ApiType::List(item) | ApiType::Map(item) => inside(item),
            ApiType::Primitive(_) | ApiType::Ref(_) => None,
        }
    }
    let mut words = BTreeSet::new();
    for def in document.types.values() {
        match &def.shape {
            ApiShape::Struct { fields, .. } => words.extend(fields.values().filter_map(|field| inside(&field.ty))),
            ApiShape::Union { of, .. } => {
                words.extend(
                    of.values().flat_map(|variant| variant.fields.values()).filter_map(|field| inside(&field.ty)),
                );
            }
            ApiShape::Newtype { is, .. } => words.extend(inside(is)),
            ApiShape::Enum { .. } => {}
        }
    }
    words
}
