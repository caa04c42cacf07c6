//! The places of generated code. rustc points there when it does not compile, so each piece stands at the word that it was made for
//! and not at the whole macro.

use proc_macro2::Span;
use syn::Ident;
use syn::spanned::Spanned;

/// The place of `tokens`; names in code that stands there still resolve as in any other code of the macro.
pub(crate) fn place(tokens: &impl Spanned) -> Span {
    tokens.span().resolved_at(Span::call_site())
}

/// The word as if it stood at `span`, so that a piece of code has one place.
pub(crate) fn moved(word: &Ident, span: Span) -> Ident {
    Ident::new(&word.to_string(), span)
}
