//! `#[derive(Wire)]`: a struct as a JSON object, or a newtype of a value.

mod expand;
mod kind;
mod parse;

use proc_macro2::TokenStream;
use syn::DeriveInput;

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    parse::read(input).map(|wire| expand::expand(&wire))
}
