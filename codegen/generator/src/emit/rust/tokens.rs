//! Names as identifiers and constants, numbers and texts as literals.

use proc_macro2::{Ident, Literal, Span};

use crate::naming::{self, word};

/// A name as an identifier; a keyword becomes a raw one.
pub(super) fn ident(name: &str) -> Ident {
    let word = word(name);
    match word.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(&word, Span::call_site()),
    }
}

/// The name of a constant: `x402_pay` as `X402_PAY`.
pub(super) fn capitals(name: &str) -> String {
    naming::snake(name).to_ascii_uppercase()
}

/// The name of a constant as an identifier.
pub(super) fn constant(name: &str) -> Ident {
    ident(&capitals(name))
}

/// A whole number as it is written, without a type.
pub(super) fn whole(value: u64) -> Literal {
    Literal::u64_unsuffixed(value)
}

/// A text as a literal.
pub(super) fn quoted(text: &str) -> String {
    Literal::string(text).to_string()
}

/// Words with commas between.
pub(super) fn joined(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut joined = String::new();
    for word in words {
        if !joined.is_empty() {
            joined.push_str(", ");
        }
        joined.push_str(word.as_ref());
    }
    joined
}
