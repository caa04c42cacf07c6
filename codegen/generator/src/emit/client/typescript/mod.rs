//! The client in TypeScript: over `fetch`, without a dependency.

mod annotations;
mod calls;
pub(super) mod names;
mod package;
pub(super) mod sample;
mod source;
mod types;

use self::names::key;
use self::source::head;
use super::files::{ABOUT, ClientFileJob, job};
use super::lines::quoted;
use super::model::{ClientPackage, path};
use crate::client_model::ErrorMarker;

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
