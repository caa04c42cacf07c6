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
    let resolved = resolved::generate(lowered);
    let interface = interface::read(&resolved).expect("what was lowered is whole");
    let cases = interface::cases(&interface);
    let (mut server, documents) = rayon::join(
        || if part == Part::Documents { Outputs::new() } else { server(lowered, &resolved, &interface, &cases) },
        || if part == Part::Server { Outputs::new() } else { documents(lowered, &resolved, &interface, &cases) },
    );
    server.extend(documents);
    server
}

/// What the server is built from.
fn server(lowered: &Lowered<'_>, resolved: &[u8], interface: &Document, cases: &[Case<'_>]) -> Outputs {
    let (openapi, mut server) = rayon::join(
        || openapi::generate(interface, cases),
        || {
            // The server tells these to whoever asks.
            let mut told = docs::generate(lowered, interface, cases);
            let mut server = rust::generate(lowered, &digest(resolved), &told);
            server.extend(sql::generate(lowered));
            server.append(&mut told);
            server
        },
    );
    server.insert(OPENAPI.to_owned(), openapi);
    manifest::with_manifest(manifest::SERVER, server)
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
