//! The resolved spec to bytes: one file here per kind of output, each a pure function.
//!
//! What is written out does not depend on the machine: no clock, no locale, no order of a folder, no hash seed. Paths
//! are from the root of the project, with `/`. [`apply`] is the one place that touches a disk.
//!
//! OpenAPI, the types and the packages of clients are made of the sections of `resolved.json`, by way of `client_model`.

mod changes;
pub mod client;
mod decisions;
mod docs;
mod manifest;
mod openapi;
mod output_files;
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

use self::manifest::OutputSet;
pub use self::manifest::digest;
pub use self::output_files::OutputFiles;
pub use self::write::{WriteMode, WriteReport, apply};
use crate::client_model::{self, ApiDocument, ExampleCase};
use crate::resolve::ResolvedSpec;

/// The whole spec, resolved.
const RESOLVED: &str = "spec/dist/resolved.json";
/// The service in OpenAPI.
const OPENAPI: &str = "spec/dist/openapi.json";

/// The words that every complaint about stale outputs ends with.
pub const COMMAND: &str = "cargo codegen";

/// The outputs to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputPart {
    /// The Rust and the migrations that the server is built from. The server's build writes these by itself.
    Server,
    /// The documents for people and other tools: `spec/dist`.
    Documents,
    /// Both.
    All,
}

/// The bytes of `resolved.json`.
#[must_use]
pub fn resolved(lowered: &ResolvedSpec<'_>) -> Vec<u8> {
    resolved::generate(lowered)
}

/// Everything that follows from the spec, manifests included. Files are made side by side, on all cores.
#[must_use]
pub fn generate(lowered: &ResolvedSpec<'_>, part: OutputPart) -> OutputFiles {
    generate_beside(lowered, part, |_| ()).0
}

/// All outputs, and beside them what `other` makes of the interface: clients, say.
pub fn generate_beside<T: Send>(
    lowered: &ResolvedSpec<'_>,
    part: OutputPart,
    other: impl FnOnce(&ApiDocument) -> T + Send,
) -> (OutputFiles, T) {
    let ((mut server, resolved), ((told, mut documents), other)) = rayon::join(
        || server(lowered, part),
        || {
            let interface = resolved::interface(lowered);
            let ours = || {
                let cases = client_model::cases(&interface);
                rayon::join(
                    || match part {
                        OutputPart::Documents => OutputSet::default(),
                        OutputPart::Server | OutputPart::All => served_documents(lowered, &interface, &cases),
                    },
                    || match part {
                        OutputPart::Server => OutputSet::default(),
                        OutputPart::Documents | OutputPart::All => documents(lowered, &interface, &cases),
                    },
                )
            };
            rayon::join(ours, || other(&interface))
        },
    );
    let mut outputs = OutputFiles::new();
    if part != OutputPart::Documents {
        server.extend(told);
        outputs.extend(server.with_manifest(manifest::SERVER));
    }
    if part != OutputPart::Server {
        documents.extend(resolved);
        outputs.extend(documents.with_manifest(manifest::DOCUMENTS));
    }
    (outputs, other)
}

/// The files that the server is built from, but for those that follow from its documents; and `resolved.json`, whose digest they
/// name.
fn server(lowered: &ResolvedSpec<'_>, part: OutputPart) -> (OutputSet, OutputSet) {
    let resolved = || OutputSet::new([(RESOLVED.to_owned(), resolved::generate(lowered))].into());
    if part == OutputPart::Documents {
        return (OutputSet::default(), resolved());
    }
    let (mut files, resolved) = rayon::join(|| rust::generate(lowered), resolved);
    files.extend(sql::generate(lowered));
    files.extend(rust::root(lowered, &resolved.digests[RESOLVED]));
    (OutputSet::new(files), resolved)
}

/// The documents that the server shows, and its Rust that names them.
fn served_documents(lowered: &ResolvedSpec<'_>, interface: &ApiDocument, cases: &[ExampleCase<'_>]) -> OutputSet {
    let (openapi, mut told) = rayon::join(
        || OutputSet::new([(OPENAPI.to_owned(), openapi::generate(interface, cases))].into()),
        || OutputSet::new(docs::generate(lowered, interface, cases)),
    );
    told.extend(OutputSet::new(rust::docs(&told.digests)));
    told.extend(openapi);
    told
}

/// The documents for people and other tools.
fn documents(lowered: &ResolvedSpec<'_>, interface: &ApiDocument, cases: &[ExampleCase<'_>]) -> OutputSet {
    let (reference, types) =
        rayon::join(|| reference::generate(lowered, interface, cases), || openapi::types(interface));
    let files = [
        ("resolved.schema.json", schema::resolved()),
        ("types.schema.json", types),
        ("spec.schema.json", schema::generate()),
        ("reference.md", reference),
        ("states.md", states::generate(lowered)),
        ("decisions.md", decisions::generate(lowered)),
        ("changes.md", changes::generate()),
    ];
    OutputSet::new(files.into_iter().map(|(name, bytes)| (format!("spec/dist/{name}"), bytes)).collect())
}
