//! `auth.rs`: names on the wire and the places of credentials.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::doc::doc_or;
use super::tokens::{constant, whole};
use crate::resolve::ResolvedSpec;

pub(super) fn file(lowered: &ResolvedSpec<'_>) -> TokenStream {
    let headers = headers(lowered);
    let names = headers.iter().map(|(name, accepts)| {
        let (constant, about) = (constant(name), format!(" `{}`.", accepts.join("`, `")));
        let count = whole(accepts.len() as u64);
        let accepts = accepts.iter().map(|name| name.to_ascii_lowercase());
        // A header name cannot be borrowed for ever unless it is a static itself.
        quote! {
            #[doc = #about]
            pub static #constant: WireName = {
                static ACCEPTS: [HeaderName; #count] = [#(HeaderName::from_static(#accepts)),*];
                WireName { canonical: #name, accepts: &ACCEPTS }
            };
        }
    });
    let schemes = lowered.auth.iter().map(|(id, scheme)| {
        let (about, name) = (doc_or(scheme.doc, id), constant(id));
        let header = option(scheme.header.map(|header| {
            let header = constant(header);
            quote!(&names::#header)
        }));
        let prefix = scheme.prefix.unwrap_or_default();
        let query = option(scheme.query.map(|query| quote!(#query)));
        let cookie = option(scheme.cookie.map(|cookie| quote!(#cookie)));
        let key_starts = scheme.key_starts.unwrap_or_default();
        quote! {
            #about
            pub static #name: api::Scheme = api::Scheme {
                id: #id, header: #header, prefix: #prefix, query: #query, cookie: #cookie, key_starts: #key_starts,
            };
        }
    });
    let runtime = (!lowered.auth.is_empty()).then(|| {
        quote!(
            use crate::api;
        )
    });
    let types = (!headers.is_empty()).then(|| {
        quote!(
            use crate::api::WireName;
            use http::HeaderName;
        )
    });
    quote! {
        //! Ways to say who is calling, and the names that headers are accepted under.

        #runtime

        #(#schemes)*

        /// Headers, with every name they are accepted under.
        pub mod names {
            #types

            #(#names)*
        }
    }
}

/// Every header that the spec speaks of, with its names on the wire.
fn headers<'l>(lowered: &'l ResolvedSpec<'_>) -> BTreeMap<&'l str, Vec<&'l str>> {
    let schemes = lowered.auth.values().filter_map(|scheme| scheme.header);
    let operations = lowered.operations.values().filter(|operation| !operation.planned);
    let own = operations.flat_map(|operation| operation.headers.keys().copied());
    let named = lowered.wire_names.keys().copied().filter(|name| !name.starts_with('/'));
    let accepts = |name| lowered.wire_names.get(name).map_or_else(|| vec![name], |names| names.accepts.clone());
    schemes.chain(own).chain(named).map(|name| (name, accepts(name))).collect()
}

fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}
