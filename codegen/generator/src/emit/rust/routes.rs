//! `routes.rs`: the router, and what it needs.
//!
//! The bounds stand on the router itself and not behind one trait of all operations: rustc then names each operation
//! that has no handler, all in one run, with the words of that operation's own trait.

use proc_macro2::TokenStream;
use quote::quote;

use super::handler;
use super::tokens::{constant, ident};
use crate::naming;
use crate::resolve::{ResolvedOperation, ResolvedScheme, ResolvedSpec};

pub(super) fn file(lowered: &ResolvedSpec<'_>) -> TokenStream {
    let adds = handler::routed(lowered).map(|(_, operation)| {
        let (module, constant) = (ident(&operation.module), constant(&operation.rust));
        let function = ident(&naming::snake(&operation.rust));
        quote!(routes.add(&ops::#module::#constant, ops::#module::#function);)
    });
    let bounds = handler::routed(lowered).map(|(_, operation)| {
        let (module, name) = (ident(&operation.module), ident(&operation.rust));
        quote!(S: ops::#module::#name,)
    });
    let once =
        handler::routed(lowered).any(|(_, operation)| operation.idempotency_key).then(|| quote!(S: crate::api::Once,));
    let keyed = handler::routed(lowered).filter(|(_, operation)| takes_key(operation, lowered)).map(|(id, _)| id);
    quote! {
        //! Every operation under its routes.

        use std::sync::Arc;

        use super::errors::RULES;
        use super::ops;
        use crate::api::{Authenticate, RouterConfig, Routes};

        /// The routed operations that take a key, by their ids.
        pub static KEYED: &[&str] = &[#(#keyed),*];

        /// Every routed operation, and an answer in the right shape for everything else.
        pub fn router<S>(service: Arc<S>, config: RouterConfig) -> axum::Router
        where
            S: Authenticate,
            #once
            #(#bounds)*
        {
            let mut routes = Routes::new(service, &RULES, config);
            #(#adds)*
            routes.finish()
        }
    }
}

/// True if a key of an account admits a caller: every scheme of accounts but that of a cookie carries one.
fn takes_key(operation: &ResolvedOperation<'_>, lowered: &ResolvedSpec<'_>) -> bool {
    let carries = |scheme: &ResolvedScheme<'_>| scheme.cookie.is_none() && !scheme.is_of_operators();
    operation.auth.iter().filter_map(|name| lowered.auth.get(name)).any(carries)
}
