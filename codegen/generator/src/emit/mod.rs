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

use std::collections::BTreeMap;

use self::openapi::OpenApiVersion;
pub use self::output_files::{OutputFiles, digest};
pub use self::write::{WriteMode, WriteReport, apply};
use crate::client_model::{self, ApiDocument, ExampleCase};
use crate::resolve::ResolvedSpec;

/// The service in OpenAPI.
const OPENAPI: &str = "spec/dist/openapi.json";

/// The name of the same for tools that know 3.0 alone.
pub const OPENAPI_30: &str = "openapi-3.0.json";

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

/// Everything that follows from the spec and is committed, manifests included. Files are made side by side, on all cores.
#[must_use]
pub fn generate(lowered: &ResolvedSpec<'_>, part: OutputPart) -> OutputFiles {
    generate_beside(lowered, part, |_| ()).0
}

/// All outputs, and beside them what `other` makes of the interface: clients, or pages.
pub fn generate_beside<T: Send>(
    lowered: &ResolvedSpec<'_>,
    part: OutputPart,
    other: impl FnOnce(&ApiDocument) -> T + Send,
) -> (OutputFiles, T) {
    let (of_server, of_documents) = (part != OutputPart::Documents, part != OutputPart::Server);
    let none = OutputFiles::new;
    let (mut server, ((openapi, documents), other)) = rayon::join(
        || if of_server { server(lowered) } else { none() },
        || {
            let interface = interface(lowered);
            let ours = || {
                let cases = client_model::cases(&interface);
                rayon::join(
                    || if of_server { openapi(&interface, &cases) } else { none() },
                    || if of_documents { documents(lowered, &interface, &cases) } else { none() },
                )
            };
            rayon::join(ours, || other(&interface))
        },
    );
    let mut outputs = none();
    if of_server {
        server.extend(openapi);
        outputs.extend(manifest::listed(manifest::SERVER, server));
    }
    if of_documents {
        outputs.extend(manifest::listed(manifest::DOCUMENTS, documents));
    }
    (outputs, other)
}

/// The interface that clients and pages are made of.
#[must_use]
pub fn interface(lowered: &ResolvedSpec<'_>) -> ApiDocument {
    resolved::interface(lowered)
}

/// The files of `/docs`, by their names: pages, a style, a script, and the list that is searched. They are not committed: the
/// build of the server makes them.
#[must_use]
pub fn pages(lowered: &ResolvedSpec<'_>, interface: &ApiDocument) -> BTreeMap<String, Vec<u8>> {
    docs::generate(lowered, interface, &client_model::cases(interface))
}

/// The service in OpenAPI 3.0.3. It says what the committed document in 3.1 says, so no tree holds it: the build of the server
/// makes it.
#[must_use]
pub fn openapi_30(interface: &ApiDocument) -> Vec<u8> {
    openapi::generate(interface, &client_model::cases(interface), OpenApiVersion::V30)
}

/// The Rust and the SQL that the server is built from.
fn server(lowered: &ResolvedSpec<'_>) -> OutputFiles {
    let mut files = rust::generate(lowered);
    files.extend(sql::generate(lowered));
    files
}

/// The document that the server shows to other tools.
fn openapi(interface: &ApiDocument, cases: &[ExampleCase<'_>]) -> OutputFiles {
    [(OPENAPI.to_owned(), openapi::generate(interface, cases, OpenApiVersion::V31))].into()
}

/// The documents for people and other tools.
fn documents(lowered: &ResolvedSpec<'_>, interface: &ApiDocument, cases: &[ExampleCase<'_>]) -> OutputFiles {
    let (reference, (types, resolved)) = rayon::join(
        || reference::generate(lowered, interface, cases),
        || rayon::join(|| openapi::types(interface), || resolved(lowered)),
    );
    let files = [
        ("resolved.json", resolved),
        ("resolved.schema.json", schema::resolved()),
        ("types.schema.json", types),
        ("spec.schema.json", schema::generate(lowered)),
        ("reference.md", reference),
        ("states.md", states::generate(lowered)),
        ("decisions.md", decisions::generate(lowered)),
        ("changes.md", changes::generate()),
    ];
    files.into_iter().map(|(name, bytes)| (format!("spec/dist/{name}"), bytes)).collect()
}
