//! The Rust of `server/src/generated`: tokens per file, parsed once and printed. Tables, which are the insides of macros
//! and which no printer lays out, come from templates and stand at the end of their file.

mod auth;
mod delegate;
mod doc;
mod docs;
mod envelopes;
mod errors;
mod head;
mod imports;
mod input;
mod limits;
mod machines;
mod ops;
mod route;
mod routes;
mod select;
mod stream;
mod ty;
mod types;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use rayon::prelude::*;

use super::Outputs;
use crate::lower::Lowered;
use crate::naming;

const FOLDER: &str = "server/src/generated";
const MARK: &str = "// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.\n";

/// A file on its way out: what a printer can lay out, and what it cannot.
struct Source {
    tokens: TokenStream,
    table: String,
}

/// What makes a file. Tokens stay in the thread that makes them, and are gone when they are printed.
type Job<'j> = Box<dyn FnOnce() -> Source + Send + 'j>;

/// A file of tokens alone.
fn job<'j>(path: &str, tokens: impl FnOnce() -> TokenStream + Send + 'j) -> (String, Job<'j>) {
    (path.to_owned(), Box::new(|| tokens().into()))
}

impl From<TokenStream> for Source {
    fn from(tokens: TokenStream) -> Self {
        Self { tokens, table: String::new() }
    }
}

/// All files but those of [`door`], by their paths.
pub(super) fn generate(lowered: &Lowered<'_>) -> Outputs {
    let mut files: Vec<(String, Job<'_>)> = vec![
        ("errors".to_owned(), Box::new(|| errors::file(lowered))),
        job("auth", || auth::file(lowered)),
        job("limits", || limits::file(lowered)),
        job("routes", || routes::file(lowered)),
    ];
    files.extend(types::files(lowered));
    files.extend(ops::files(lowered));
    files.extend(machines::files(lowered));
    printed(files)
}

/// The files that name what else is made: the digest of the resolved spec, and the pages that the server shows.
pub(super) fn door(lowered: &Lowered<'_>, digest: &str, pages: &Outputs) -> Outputs {
    let root: Job<'_> = Box::new(|| root(lowered, digest));
    printed(vec![("mod".to_owned(), root), job("docs", || docs::file(pages))])
}

fn printed(files: Vec<(String, Job<'_>)>) -> Outputs {
    let printed = files.into_par_iter().map(|(path, made)| (format!("{FOLDER}/{path}.rs"), print(&path, made())));
    printed.collect()
}

fn root(lowered: &Lowered<'_>, digest: &str) -> Source {
    let tokens = quote! {
        //! What `spec/` says, in Rust: shapes, operations, error codes, limits, machines, routes.

        pub mod auth;
        pub mod docs;
        pub mod errors;
        pub mod limits;
        pub mod machines;
        pub mod ops;
        mod routes;
        pub mod types;

        pub use routes::{KEYED, router};

        /// SHA-256 of the resolved spec that this was made from.
        pub const SPEC_DIGEST: &str = #digest;
    };
    Source { tokens, table: delegate::table(lowered) }
}

fn print(path: &str, source: Source) -> Vec<u8> {
    let file = match syn::parse2::<syn::File>(imports::with_imports(source.tokens, path.starts_with(ops::FOLDER))) {
        Ok(file) => file,
        Err(error) => unreachable!("what is emitted for {path} is no Rust: {error}"),
    };
    let mut text = MARK.to_owned();
    spaced(&prettyplease::unparse(&file), &mut text);
    if !source.table.is_empty() {
        text.push('\n');
        text.push_str(source.table.trim_end());
        text.push('\n');
    }
    text.into_bytes()
}

/// Puts an empty line after every item that ends in a line of its own: the printer leaves none.
fn spaced(printed: &str, text: &mut String) {
    let mut after_item = false;
    for line in printed.lines() {
        if after_item {
            text.push('\n');
        }
        text.push_str(line);
        text.push('\n');
        after_item = matches!(line, "}" | "};" | ");" | "]") || line.ends_with(" {}");
    }
}

/// An identifier; a keyword becomes a raw one.
fn ident(name: &str) -> Ident {
    match name {
        // These cannot be raw.
        "self" | "Self" | "super" | "crate" => Ident::new(&format!("{name}_"), Span::call_site()),
        _ if naming::is_keyword(name) => Ident::new_raw(name, Span::call_site()),
        _ => Ident::new(name, Span::call_site()),
    }
}

/// A whole number as it is written, without a type.
fn whole(value: u64) -> Literal {
    Literal::u64_unsuffixed(value)
}

/// A text as a literal.
fn quoted(text: &str) -> String {
    Literal::string(text).to_string()
}
