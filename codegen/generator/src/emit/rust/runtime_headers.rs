//! `runtime_headers.rs`: the headers that the runtime reads and sends by itself.

use proc_macro2::TokenStream;
use quote::quote;

use super::doc::doc_or;
use super::tokens::constant;
use crate::resolve::ResolvedSpec;

pub(super) fn file(lowered: &ResolvedSpec<'_>) -> TokenStream {
    let headers = lowered.runtime_headers.keys().filter_map(|key| {
        let (name, about) = lowered.runtime_header(key)?;
        let about = Some(about).filter(|about| !about.is_empty());
        let (constant, about, name) = (constant(key), doc_or(about, key), name.to_ascii_lowercase());
        Some(quote! {
            #about
            pub const #constant: HeaderName = HeaderName::from_static(#name);
        })
    });
    quote! {
        //! Headers that the runtime reads and sends by itself.

        use http::HeaderName;

        #(#headers)*
    }
}
