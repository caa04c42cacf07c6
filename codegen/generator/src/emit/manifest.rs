//! The lists of what was written, so that what is no longer made can be found and removed.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::output_files::OutputFiles;

/// Lists what the server is built from.
pub(super) const SERVER: &str = "server/crates/api/src/generated/manifest.json";
/// Lists what people and other tools read.
pub(super) const DOCUMENTS: &str = "spec/dist/manifest.json";

const ABOUT: &str = "Made by `cargo codegen` from spec/. Hands off. Every file listed here is made from the spec.";

/// A manifest as it is written.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct OutputManifest {
    about: String,
    /// Paths with the SHA-256 of their bytes.
    pub(super) files: BTreeMap<String, String>,
}

/// Files on their way out, with the digest of each.
#[derive(Debug, Default)]
pub(super) struct OutputSet {
    pub(super) files: OutputFiles,
    /// SHA-256 in hexadecimal, by path.
    pub(super) digests: BTreeMap<String, String>,
}

impl OutputSet {
    pub(super) fn new(files: OutputFiles) -> Self {
        let digests = files.par_iter().map(|(path, bytes)| (path.clone(), digest(bytes))).collect();
        Self { files, digests }
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.files.extend(other.files);
        self.digests.extend(other.digests);
    }

    /// The files, with what lists them.
    pub(super) fn with_manifest(self, path: &str) -> OutputFiles {
        let Self { mut files, digests } = self;
        let manifest = OutputManifest { about: ABOUT.to_owned(), files: digests };
        let mut text = serde_json::to_vec_pretty(&manifest).expect("texts are JSON");
        text.push(b'\n');
        files.insert(path.to_owned(), text);
        files
    }
}

/// SHA-256 in hexadecimal.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).expect("four bits are one digit"));
        }
    }
    text
}
