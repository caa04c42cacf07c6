//! The client in Python: over the standard library, without a dependency, once plain and once for event loops.

mod calls;
mod package;
pub(super) mod sample;
mod types;

use serde_json::Value;

use super::lines::{IndentedLines, quoted};
use super::model::ClientPackage;
use super::{ABOUT, ClientFileJob, job};
use crate::client_model::{ApiDocument, ApiField, ApiType, ErrorMarker};
use crate::model::Primitive;
use crate::naming;

const RUNTIME: &str = include_str!("../../../../templates/client/python/_runtime.py");

pub(super) fn files<'p>(package: &'p ClientPackage<'_>) -> Vec<(String, ClientFileJob<'p>)> {
    let root = format!("src/{}", module_name(package));
    let types = package.modules().into_iter().map(|(module, types)| {
        job(format!("{root}/types/{module}.py"), move || types::module(package, &module, &types))
    });
    let calls = package.groups.iter();
    let calls = calls.map(|group| job(format!("{root}/calls/{}.py", group.name), || calls::group(package, group)));
    let others = [
        job(format!("{root}/types/__init__.py"), || types::index(package)),
        job(format!("{root}/calls/__init__.py"), || calls::index(package)),
        job(format!("{root}/_envelopes.py"), || envelopes(package)),
        job(format!("{root}/_runtime.py"), || format!("# {ABOUT}\n{RUNTIME}")),
        job(format!("{root}/_client.py"), || package::client(package)),
        job(format!("{root}/__init__.py"), || package::index(package)),
        job(format!("{root}/py.typed"), String::new),
        job("pyproject.toml", || package::manifest(package)),
        job("README.md", || package::readme(package)),
    ];
    types.chain(calls).chain(others).collect()
}

fn module_name(package: &ClientPackage<'_>) -> String {
    naming::snake(&package.name())
}

/// A text in Python with its head.
fn head(about: &str) -> IndentedLines {
    let mut lines = IndentedLines::new(4);
    lines.line(format!("# {ABOUT}"));
    lines.quoted_doc(about);
    lines.line("");
    lines.line("from __future__ import annotations");
    lines.line("");
    lines
}

fn envelopes(package: &ClientPackage<'_>) -> String {
    let mut lines = head("Where the errors of each family of operations say what.");
    lines.line("from ._runtime import Envelope");
    for (name, reading) in package.readings() {
        let slots = &reading.slots;
        let marker = match &reading.marker {
            Some(ErrorMarker::Is(member, is)) => format!("({}, {})", quoted(member), literal(is)),
            Some(ErrorMarker::Object(member)) => format!("({}, dict)", quoted(member)),
            None => "None".to_owned(),
        };
        lines.line("");
        lines.line(format!("{} = Envelope(", naming::snake(name).to_ascii_uppercase()));
        lines.within(|lines| {
            for (name, slot) in [
                ("code", &slots.code),
                ("message", &slots.message),
                ("kind", &slots.kind),
                ("details", &slots.details),
                ("param", &slots.param),
                ("request_id", &slots.request_id),
            ] {
                lines.line(format!("{name}={},", tuple(slot)));
            }
            lines.line(format!("marker={marker},"));
        });
        lines.line(")");
    }
    lines.done()
}

/// A path of members.
fn tuple(steps: &[Value]) -> String {
    let steps: Vec<String> = steps.iter().map(literal).collect();
    if steps.len() == 1 { format!("({},)", steps[0]) } else { format!("({})", steps.join(", ")) }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Null => "None".to_owned(),
        other => other.to_string(),
    }
}

/// The type of a field or parameter.
fn field_type(field: &ApiField, place: &impl Fn(&str) -> String) -> String {
    let ty = ty(&field.ty, place);
    if field.nullable && ty != "Any" { format!("{ty} | None") } else { ty }
}

fn ty(ty: &ApiType, place: &impl Fn(&str) -> String) -> String {
    match ty {
        ApiType::Const(word) => format!("Literal[{}]", quoted(word)),
        ApiType::List(item) => format!("list[{}]", self::ty(item, place)),
        ApiType::Map(item) => format!("dict[str, {}]", self::ty(item, place)),
        ApiType::Primitive(primitive) => match primitive {
            Primitive::String | Primitive::Url | Primitive::Bytes | Primitive::Date | Primitive::DateTime => "str",
            Primitive::Int | Primitive::UnixSeconds => "int",
            Primitive::Number | Primitive::Usd | Primitive::WrittenUsd => "float",
            Primitive::Bool => "bool",
            Primitive::Json => "Any",
        }
        .to_owned(),
        ApiType::Ref(name) => place(name),
    }
}

/// The name of a type of the document.
pub(super) fn type_name(document: &ApiDocument, name: &str) -> String {
    let own = document.types.get(name).and_then(|def| def.name.py.clone());
    own.unwrap_or_else(|| naming::upper_camel(name))
}

pub(super) const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

fn is_identifier(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars().all(letter)
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.starts_with("__")
        && !name.is_empty()
        && !KEYWORDS.contains(&name)
}

/// The name of an argument.
fn argument(name: &str) -> String {
    let snake = naming::snake(name);
    let taken = ["self", "body", "form", "options", "stream"];
    if KEYWORDS.contains(&snake.as_str()) || taken.contains(&snake.as_str()) { format!("{snake}_") } else { snake }
}
