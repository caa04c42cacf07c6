//! The client in Rust: over reqwest and serde.

mod calls;
mod layout;
pub(super) mod names;
mod package;
mod pages;
mod signature;
mod types;
mod value_types;

use std::collections::BTreeSet;

use serde_json::Value;

use self::layout::{STEP, quoted};
use self::names::constant;
use super::files::{ABOUT, ClientFileJob, job};
use super::lines::IndentedLines;
use super::model::ClientPackage;
use crate::client_model::ErrorMarker;
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
    let calls = package.groups.iter().map(|group| {
        job(format!("src/calls/{}.rs", naming::module(group.name)), || marked(&calls::group(package, group)))
    });
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
