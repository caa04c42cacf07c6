//! The client in TypeScript: over `fetch`, without a dependency.

mod calls;
mod package;
pub(super) mod sample;
mod types;

use super::lines::{IndentedLines, quoted};
use super::model::{ClientPackage, path};
use super::{ABOUT, ClientFileJob, job};
use crate::client_model::{ApiDocument, ApiField, ApiType, ErrorMarker};
use crate::model::Primitive;
use crate::naming;

const RUNTIME: &str = include_str!("../../../../templates/client/typescript/runtime.ts");

pub(super) fn files<'p>(package: &'p ClientPackage<'_>) -> Vec<(String, ClientFileJob<'p>)> {
    let types = package
        .modules()
        .into_iter()
        .map(|(module, types)| job(format!("src/types/{module}.ts"), move || types::module(package, &module, &types)));
    let calls = package.groups.iter();
    let calls = calls.map(|group| job(format!("src/calls/{}.ts", group.name), || calls::group(package, group)));
    let others = [
        job("src/types/index.ts", || types::index(package)),
        job("src/envelopes.ts", || envelopes(package)),
        job("src/runtime.ts", || format!("// {ABOUT}\n{RUNTIME}")),
        job("src/client.ts", || package::client(package)),
        job("src/index.ts", || package::index(package)),
        job("package.json", || package::manifest(package)),
        job("tsconfig.json", || package::TSCONFIG.to_owned()),
        job("README.md", || package::readme(package)),
    ];
    types.chain(calls).chain(others).collect()
}

/// A text in TypeScript with its head.
fn head() -> IndentedLines {
    let mut lines = IndentedLines::new(2);
    lines.line(format!("// {ABOUT}"));
    lines
}

fn envelopes(package: &ClientPackage<'_>) -> String {
    let mut lines = head();
    lines.line("import type { Envelope } from \"./runtime.js\";");
    lines.line("");
    lines.line("/** Where the errors of each family of operations say what. */");
    lines.line("export const envelopes = {");
    lines.within(|lines| {
        for (name, reading) in package.readings() {
            let slots = &reading.slots;
            let marker = match &reading.marker {
                Some(ErrorMarker::Is(member, is)) => format!("{{ member: {}, is: {is} }}", quoted(member)),
                Some(ErrorMarker::Object(member)) => format!("{{ member: {} }}", quoted(member)),
                None => "undefined".to_owned(),
            };
            lines.line(format!("{}: {{", key(name)));
            lines.within(|lines| {
                for (name, slot) in [
                    ("code", &slots.code),
                    ("message", &slots.message),
                    ("kind", &slots.kind),
                    ("details", &slots.details),
                    ("param", &slots.param),
                    ("requestId", &slots.request_id),
                ] {
                    lines.line(format!("{name}: {},", path(slot)));
                }
                lines.line(format!("marker: {marker},"));
            });
            lines.line("},");
        }
    });
    lines.line("} as const satisfies Record<string, Envelope>;");
    lines.done()
}

/// The type of a field or parameter.
fn field_type(field: &ApiField, place: &impl Fn(&str) -> String) -> String {
    let ty = ty(&field.ty, place);
    if field.nullable && ty != "unknown" { format!("{ty} | null") } else { ty }
}

fn ty(ty: &ApiType, place: &impl Fn(&str) -> String) -> String {
    match ty {
        ApiType::Const(word) => quoted(word),
        ApiType::List(item) => format!("Array<{}>", self::ty(item, place)),
        ApiType::Map(item) => format!("Record<string, {}>", self::ty(item, place)),
        ApiType::Primitive(primitive) => match primitive {
            Primitive::String | Primitive::Url | Primitive::Bytes | Primitive::Date | Primitive::DateTime => "string",
            Primitive::Int | Primitive::Number | Primitive::Usd | Primitive::WrittenUsd | Primitive::UnixSeconds => {
                "number"
            }
            Primitive::Bool => "boolean",
            Primitive::Json => "unknown",
        }
        .to_owned(),
        ApiType::Ref(name) => place(name),
    }
}

/// The name of a type of the document.
pub(super) fn type_name(document: &ApiDocument, name: &str) -> String {
    let own = document.types.get(name).and_then(|def| def.name.ts.clone());
    own.unwrap_or_else(|| naming::upper_camel(name))
}

/// A member's name, in quotes where it has to be.
fn key(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quoted(name) }
}

fn is_identifier(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars().all(letter) && !name.starts_with(|first: char| first.is_ascii_digit()) && !name.is_empty()
}
