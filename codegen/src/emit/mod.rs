//! The lowered spec to bytes: one file here per kind of output, each a pure function.
//!
//! What is written out does not depend on the machine: no clock, no locale, no order of a folder, no hash seed. Paths
//! are from the root of the project, with `/`. [`apply`] is the one place that touches a disk.
//!
//! What clients are told (OpenAPI, the types, packages) is made of the bytes of `resolved.json`, by way of `interface`.

mod changes;
pub mod client;
mod decisions;
mod docs;
mod manifest;
mod openapi;
mod reference;
mod resolved;
mod rust;
mod schema;
mod sql;
mod states;
#[cfg(test)]
mod tests;
mod text;
mod write;

use std::collections::BTreeMap;

pub(crate) use self::manifest::digest;
pub use self::write::{Mode, Report, apply};
use crate::interface::{self, Case, Document};
use crate::lower::Lowered;

/// Paths from the root of the project, with what belongs there.
pub type Outputs = BTreeMap<String, Vec<u8>>;

/// The service in OpenAPI.
const OPENAPI: &str = "spec/dist/openapi.json";

/// The words that every complaint about stale outputs ends with.
pub const COMMAND: &str = "cargo codegen";

/// Which outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What the server is built from: its Rust and its migrations. The server's build writes these by itself.
    Server,
    /// What people and other tools read: `spec/dist`.
    Documents,
    /// Both.
    All,
}

/// The bytes of `resolved.json`.
#[must_use]
pub fn resolved(lowered: &Lowered<'_>) -> Vec<u8> {
    resolved::generate(lowered)
}

/// Everything that follows from the spec, manifests included. Files are made side by side, on all cores.
#[must_use]
pub fn generate(lowered: &Lowered<'_>, part: Part) -> Outputs {
    generate_beside(lowered, part, |_| ()).0
}

/// The same, and beside it what somebody else makes of the interface: clients, say.
pub fn generate_beside<T: Send>(
    lowered: &Lowered<'_>,
    part: Part,
    other: impl FnOnce(&Document) -> T + Send,
) -> (Outputs, T) {
    let for_server = part != Part::Documents;
    let (mut server, ((told, documents), other)) = rayon::join(
        || if for_server { server(lowered) } else { Outputs::new() },
        || {
            let resolved = resolved::generate(lowered);
            let interface = interface::read(&resolved).expect("what was lowered is whole");
            let ours = || {
                let cases = interface::cases(&interface);
                rayon::join(
                    || if for_server { told(lowered, &resolved, &interface, &cases) } else { Outputs::new() },
                    || match part {
                        Part::Server => Outputs::new(),
                        Part::Documents | Part::All => documents(lowered, &resolved, &interface, &cases),
                    },
                )
            };
            rayon::join(ours, || other(&interface))
        },
    );
    if for_server {
        server.extend(told);
        server = manifest::with_manifest(manifest::SERVER, server);
    }
    server.extend(documents);
    (server, other)
}

/// What the server is built from, as far as it follows from nothing that is told of it.
fn server(lowered: &Lowered<'_>) -> Outputs {
    let mut server = rust::generate(lowered);
    server.extend(sql::generate(lowered));
    server
}

/// What the server tells to whoever asks, and its Rust that names it.
fn told(lowered: &Lowered<'_>, resolved: &[u8], interface: &Document, cases: &[Case<'_>]) -> Outputs {
    let (openapi, mut told) =
        rayon::join(|| openapi::generate(interface, cases), || docs::generate(lowered, interface, cases));
    told.extend(rust::door(lowered, &digest(resolved), &told));
    told.insert(OPENAPI.to_owned(), openapi);
    told
}

/// What people and other tools read.
fn documents(lowered: &Lowered<'_>, resolved: &[u8], interface: &Document, cases: &[Case<'_>]) -> Outputs {
    let (reference, types) =
        rayon::join(|| reference::generate(lowered, interface, cases), || openapi::types(interface));
    let files = [
        ("resolved.json", resolved.to_vec()),
        ("resolved.schema.json", schema::resolved()),
        ("types.schema.json", types),
        ("spec.schema.json", schema::generate()),
        ("reference.md", reference),
        ("states.md", states::generate(lowered)),
        ("decisions.md", decisions::generate(lowered)),
        ("changes.md", changes::generate()),
    ];
    let documents = files.into_iter().map(|(name, bytes)| (format!("spec/dist/{name}"), bytes)).collect();
    manifest::with_manifest(manifest::DOCUMENTS, documents)
}
