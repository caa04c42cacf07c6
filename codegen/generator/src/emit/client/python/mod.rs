//! The client in Python: over the standard library, without a dependency, once plain and once for event loops.

mod annotations;
mod calls;
mod imports;
pub(super) mod names;
mod package;
pub(super) mod sample;
mod source;
mod types;

use self::names::{module, module_name};
use self::source::{head, literal, tuple};
use super::files::{ABOUT, ClientFileJob, job};
use super::lines::quoted;
use super::model::ClientPackage;
use crate::client_model::ErrorMarker;
use crate::naming;

const RUNTIME: &str = include_str!("../../../../templates/client/python/_runtime.py");

pub(super) fn files<'p>(package: &'p ClientPackage<'_>) -> Vec<(String, ClientFileJob<'p>)> {
    let root = format!("src/{}", module_name(package));
    let types = package
        .modules()
        .into_iter()
        .map(|(name, types)| job(format!("{root}/types/{name}.py"), move || types::module(package, &name, &types)));
    let calls = package.groups.iter();
    let calls =
        calls.map(|group| job(format!("{root}/calls/{}.py", module(group.name)), || calls::group(package, group)));
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
