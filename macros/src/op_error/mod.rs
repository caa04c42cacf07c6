//! `#[derive(OpError)]`: the closed error set of an operation.

mod expand;
mod parse;

use proc_macro2::TokenStream;
use syn::DeriveInput;

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    parse::read(input).map(|errors| expand::expand(&errors))
}
