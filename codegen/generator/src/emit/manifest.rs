//! The lists of what was written, so that what is no longer made can be found and removed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::output_files::OutputFiles;

/// Lists what the server is built from.
pub(super) const SERVER: &str = "server/crates/api/src/generated/manifest.json";
/// Lists what people and other tools read.
pub(super) const DOCUMENTS: &str = "spec/dist/manifest.json";

const ABOUT: &str = "Made by `cargo codegen` from spec/. Hands off. Every file listed here is made from the spec.";

/// A manifest as it is written. It has no digests, which would change with every file that changes: a file that was edited by
/// hand is found by comparing bytes.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct OutputManifest {
    about: String,
    /// Paths from the root of the project.
    pub(super) files: BTreeSet<String>,
}

/// The files, with the manifest that lists them.
pub(super) fn listed(manifest: &str, mut files: OutputFiles) -> OutputFiles {
    let list = OutputManifest { about: ABOUT.to_owned(), files: files.keys().cloned().collect() };
    let mut text = serde_json::to_vec_pretty(&list).expect("texts are JSON");
    text.push(b'\n');
    files.insert(manifest.to_owned(), text);
    files
}
