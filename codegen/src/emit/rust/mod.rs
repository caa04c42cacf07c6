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

use super::Outputs;
use crate::lower::Lowered;

const FOLDER: &str = "server/src/generated";
const MARK: &str = "// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.\n";

/// A file on its way out: what a printer can lay out, and what it cannot.
struct Source {
    tokens: TokenStream,
    table: String,
}

impl From<TokenStream> for Source {
    fn from(tokens: TokenStream) -> Self {
        Self { tokens, table: String::new() }
    }
}

/// All files, by their paths; the pages of the documentation are the ones that the server shows.
pub(super) fn generate(lowered: &Lowered<'_>, digest: &str, pages: &Outputs) -> Outputs {
    let mut files = vec![
        ("mod".to_owned(), root(lowered, digest)),
        ("auth".to_owned(), auth::file(lowered).into()),
        ("docs".to_owned(), docs::file(pages).into()),
        ("errors".to_owned(), errors::file(lowered)),
        ("limits".to_owned(), limits::file(lowered).into()),
        ("routes".to_owned(), routes::file(lowered).into()),
    ];
    files.extend(types::files(lowered).into_iter().map(|(path, tokens)| (path, tokens.into())));
    files.extend(ops::files(lowered).into_iter().map(|(path, tokens)| (path, tokens.into())));
    files.extend(machines::files(lowered));
    files.into_iter().map(|(path, source)| (format!("{FOLDER}/{path}.rs"), print(&path, source))).collect()
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
    let file = match syn::parse2::<syn::File>(imports::with_imports(source.tokens)) {
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
    match syn::parse_str::<Ident>(name) {
        Ok(ident) => ident,
        // `self`, `Self`, `super` and `crate` cannot be raw.
        Err(_) if matches!(name, "self" | "Self" | "super" | "crate") => {
            Ident::new(&format!("{name}_"), Span::call_site())
        }
        Err(_) => Ident::new_raw(name, Span::call_site()),
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
