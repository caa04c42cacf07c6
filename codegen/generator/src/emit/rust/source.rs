//! Files of Rust before they are printed.

use askama::Template;
use proc_macro2::TokenStream;

pub(super) const MARK: &str = "// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.\n";

/// A file on its way out.
pub(super) enum RustSource {
    /// Tokens for a printer, and a table after them.
    Printed { tokens: TokenStream, table: String },
    /// A whole text, as a template has it.
    Written(String),
}

/// The function that makes a file. Tokens stay in the thread that makes them, and are gone when they are printed.
pub(super) type RustFileJob<'j> = Box<dyn FnOnce() -> RustSource + Send + 'j>;

/// A file of tokens alone.
pub(super) fn job<'j>(path: &str, tokens: impl FnOnce() -> TokenStream + Send + 'j) -> (String, RustFileJob<'j>) {
    (path.to_owned(), Box::new(|| RustSource::Printed { tokens: tokens(), table: String::new() }))
}

impl RustSource {
    /// A file that is a template.
    pub(super) fn written(template: &impl Template) -> Self {
        Self::Written(template.render().expect("writing to a string cannot fail"))
    }
}
