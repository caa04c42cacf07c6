//! Clients: packages that can be published as they stand, each a folder here.
//!
//! They are thin: types, one method for each call, and a runtime that is the same for all calls and stands as it is in
//! `templates/client`. Calls are defined in `client_model`; an emitter only writes them in its language.

mod arguments;
mod files;
mod first_call;
mod lines;
mod listing;
mod literal;
mod model;
mod python;
mod rust;
mod sample;
mod typescript;

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::{Map, Value};

pub(super) use self::arguments::{BASE, CallArguments};
pub use self::listing::PackageListing;
pub(super) use self::literal::{LiteralSyntax, literal};
pub(super) use self::sample::CallSamples;
use crate::client_model::ApiDocument;
use crate::model::{REQUEST_ID, SHOULD_RETRY};

/// The least request that an operation takes, in the words of an example: `path`, `query`, `headers` and `body`, as far as it has
/// them; empty where it is not served.
#[must_use]
pub fn least_request(document: &ApiDocument, operation: &str) -> Map<String, Value> {
    CallSamples::new(document).least_request(operation)
}

/// The languages that there are clients in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientLanguage {
    /// For browsers, Node, Deno and Bun, over `fetch`.
    Typescript,
    /// Python 3.11 and newer, over its standard library.
    Python,
    /// Rust, over reqwest.
    Rust,
}

impl ClientLanguage {
    /// True if a package in this language may have this name: its registry takes the name, and a program can import it.
    #[must_use]
    pub fn may_be_called(self, name: &str) -> bool {
        let is_word = |word: &str| {
            let is_part = |part: &str| {
                !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            };
            word.starts_with(|first: char| first.is_ascii_lowercase()) && word.split(['-', '_']).all(is_part)
        };
        match (self, name.strip_prefix('@').and_then(|scoped| scoped.split_once('/'))) {
            (Self::Typescript, Some((scope, name))) => is_word(scope) && is_word(name),
            _ => is_word(name) && !self.is_keyword(name),
        }
    }

    /// True if no module can have this name. In TypeScript a package is imported by a string.
    fn is_keyword(self, name: &str) -> bool {
        match self {
            Self::Typescript => false,
            Self::Python => python::names::KEYWORDS.contains(&name),
            Self::Rust => rust::names::is_keyword(name),
        }
    }
}

/// The files of a client, by their path in its folder.
#[must_use]
pub fn generate(
    document: &ApiDocument,
    language: ClientLanguage,
    listing: &PackageListing,
) -> BTreeMap<String, Vec<u8>> {
    let names = match language {
        ClientLanguage::Typescript => typescript::names::NAMES,
        ClientLanguage::Python => python::names::NAMES,
        ClientLanguage::Rust => rust::names::NAMES,
    };
    let package = model::ClientPackage::new(document, listing.clone(), names);
    let files = match language {
        ClientLanguage::Typescript => typescript::files(&package),
        ClientLanguage::Python => python::files(&package),
        ClientLanguage::Rust => rust::files(&package),
    };
    files.into_par_iter().map(|(path, made)| (path, named(document, &made()).into_bytes())).collect()
}

/// A text in which headers of the runtime stand by their keys, with their names.
fn named(document: &ApiDocument, text: &str) -> String {
    [REQUEST_ID, SHOULD_RETRY].into_iter().fold(text.to_owned(), |text, key| {
        let (name, _) = document.runtime_header(key).unwrap_or_default();
        text.replace(&format!("\"{{{{{key}}}}}\""), &format!("\"{name}\""))
    })
}
