//! Clients: packages that can be published as they stand, each a folder here.
//!
//! They are thin: types, one method for each call, and a runtime that is the same for all calls and stands as it is in
//! `templates/client`. What a call is, `interface` says; an emitter only puts it into words of its language.

mod lines;
mod literal;
mod model;
mod python;
mod rust;
mod sample;
mod shown;
mod typescript;

use std::collections::BTreeMap;

pub(super) use self::literal::{Syntax, literal};
pub(super) use self::shown::{BASE, Calls, Given};
use crate::interface::Document;

/// The languages that there are clients in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// For browsers, Node, Deno and Bun, over `fetch`.
    Typescript,
    /// Python 3.11 and newer, over its standard library.
    Python,
    /// Rust, over reqwest.
    Rust,
}

/// The first line of every file.
const ABOUT: &str = "Made by `codegen client`. Hands off: make it again.";

/// The files of a client, by their path in its folder.
#[must_use]
pub fn generate(document: &Document, language: Language, version: &str) -> BTreeMap<String, Vec<u8>> {
    let package = model::Package::new(document, version);
    let files = match language {
        Language::Typescript => typescript::files(&package),
        Language::Python => python::files(&package),
        Language::Rust => rust::files(&package),
    };
    files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect()
}
