//! Doc comments out of the spec's texts.

use proc_macro2::TokenStream;
use quote::quote;

/// Columns after which a line of a doc comment is broken.
const WIDTH: usize = 110;

/// The text as doc attributes, broken into lines.
pub(super) fn doc(text: &str) -> TokenStream {
    lines(text).into_iter().map(|line| quote!(#[doc = #line])).collect()
}

/// A text with a fallback where the spec has none.
pub(super) fn doc_or(text: Option<&str>, fallback: &str) -> TokenStream {
    doc(text.unwrap_or(fallback))
}

/// The lines of a text, or of what stands for it where the spec has none.
pub(super) fn docs(text: Option<&str>, fallback: &str) -> Vec<String> {
    lines(text.unwrap_or(fallback))
}

/// The lines of a doc comment, each with the blank that follows `///`.
pub(super) fn lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.trim().split('\n') {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(std::mem::take(&mut line));
            }
            line.push(' ');
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}
