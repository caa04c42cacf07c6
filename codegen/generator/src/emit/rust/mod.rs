//! The Rust of `server/crates/api/src/generated`. Small parts are tokens, parsed and printed. From templates come the operations
//! and the types, as to parse and to print them took a quarter of the time that everything takes, and tables, which are the
//! insides of macros and which no printer lays out.

mod auth;
mod delegate;
mod doc;
mod envelopes;
mod errors;
mod handler;
mod head;
mod input;
mod limits;
mod machines;
mod ops;
mod requests;
mod route;
mod routes;
mod runtime_headers;
mod scope;
mod select;
mod source;
mod stream;
#[cfg(test)]
mod tests;
mod tokens;
mod ty;
mod types;

use quote::quote;
use rayon::prelude::*;

use self::source::{MARK, RustFileJob, RustSource, job};
use super::output_files::OutputFiles;
use super::text;
use crate::resolve::ResolvedSpec;

const FOLDER: &str = "server/crates/api/src/generated";

/// All files, by their paths.
pub(super) fn generate(lowered: &ResolvedSpec<'_>) -> OutputFiles {
    let mut files: Vec<(String, RustFileJob<'_>)> = vec![
        ("mod".to_owned(), Box::new(|| door(lowered))),
        ("errors".to_owned(), Box::new(|| errors::file(lowered))),
        job("auth", || auth::file(lowered)),
        job("limits", || limits::file(lowered)),
        job("routes", || routes::file(lowered)),
    ];
    if !lowered.runtime_headers.is_empty() {
        files.push(job("runtime_headers", || runtime_headers::file(lowered)));
    }
    if !lowered.request_objects.is_empty() {
        files.push(job("request_objects", || requests::file(lowered)));
    }
    files.extend(types::files(lowered));
    files.extend(ops::files(lowered));
    files.extend(machines::files(lowered));
    let printed = files.into_par_iter().map(|(path, made)| (format!("{FOLDER}/{path}.rs"), print(&path, made())));
    printed.collect()
}

/// The door of them all.
fn door(lowered: &ResolvedSpec<'_>) -> RustSource {
    let request_objects = (!lowered.request_objects.is_empty()).then(|| {
        quote!(
            pub mod request_objects;
        )
    });
    let runtime_headers = (!lowered.runtime_headers.is_empty()).then(|| {
        quote!(
            pub mod runtime_headers;
        )
    });
    let tokens = quote! {
        //! What `spec/` says, in Rust: shapes, operations, error codes, limits, machines, routes.

        pub mod auth;
        pub mod errors;
        pub mod limits;
        pub mod machines;
        pub mod ops;
        #request_objects
        mod routes;
        #runtime_headers
        pub mod types;

        pub use routes::{KEYED, router};
    };
    RustSource::Printed { tokens, table: delegate::table(lowered) }
}

fn print(path: &str, source: RustSource) -> Vec<u8> {
    let (tokens, table) = match source {
        RustSource::Printed { tokens, table } => (tokens, table),
        RustSource::Written(text) => return text::bytes(text),
    };
    let file = match syn::parse2::<syn::File>(tokens) {
        Ok(file) => file,
        Err(error) => unreachable!("what is emitted for {path} is no Rust: {error}"),
    };
    let mut text = MARK.to_owned();
    spaced(&prettyplease::unparse(&file), &mut text);
    if !table.is_empty() {
        text.push('\n');
        text.push_str(&table);
    }
    text::bytes(text)
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
