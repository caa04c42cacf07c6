//! `#[derive(WireUnion)]`: shapes told apart by a member.

mod expand;
mod parse;

use proc_macro2::TokenStream;
use syn::DeriveInput;

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    parse::read(input).map(|union| expand::expand(&union))
}
