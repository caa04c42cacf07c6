//! `#[derive(WireEnum)]`: a set of names.

mod expand;
mod parse;

use proc_macro2::TokenStream;
use syn::DeriveInput;

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    parse::read(input).map(|names| expand::expand(&names))
}
