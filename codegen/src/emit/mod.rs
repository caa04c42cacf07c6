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
use crate::interface;
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

/// Everything that follows from the spec, manifests included.
#[must_use]
pub fn generate(lowered: &Lowered<'_>, part: Part) -> Outputs {
    let resolved = resolved::generate(lowered);
    let interface = interface::read(&resolved).expect("what was lowered is whole");
    let cases = interface::cases(&interface);
    let mut outputs = Outputs::new();
    if part != Part::Documents {
        let digest = digest(&resolved);
        // The server tells these to whoever asks.
        let mut told = docs::generate(lowered, &interface, &cases);
        let mut server = rust::generate(lowered, &digest, &told);
        server.extend(sql::generate(lowered));
        server.append(&mut told);
        server.insert(OPENAPI.to_owned(), openapi::generate(&interface, &cases));
        outputs.extend(manifest::with_manifest(manifest::SERVER, server));
    }
    if part != Part::Server {
        let mut documents = Outputs::new();
        documents.insert("spec/dist/resolved.json".to_owned(), resolved);
        documents.insert("spec/dist/resolved.schema.json".to_owned(), schema::resolved());
        documents.insert("spec/dist/types.schema.json".to_owned(), openapi::types(&interface));
        documents.insert("spec/dist/spec.schema.json".to_owned(), schema::generate());
        documents.insert("spec/dist/reference.md".to_owned(), reference::generate(lowered, &interface, &cases));
        documents.insert("spec/dist/states.md".to_owned(), states::generate(lowered));
        documents.insert("spec/dist/decisions.md".to_owned(), decisions::generate(lowered));
        documents.insert("spec/dist/changes.md".to_owned(), changes::generate());
        outputs.extend(manifest::with_manifest(manifest::DOCUMENTS, documents));
    }
    outputs
}
