//! `routes.rs`: the router, and what it needs.
//!
//! The bounds stand on the router itself and not behind one trait of all operations: rustc then names each operation
//! that has no handler, all in one run, with the words of that operation's own trait.

use proc_macro2::TokenStream;
use quote::quote;

use super::{ident, ops};
use crate::lower::Lowered;

pub(super) fn file(lowered: &Lowered<'_>) -> TokenStream {
    let adds = ops::routed(lowered).map(|(_, operation)| {
        let (module, constant) = (ident(&operation.module), ops::constant(operation));
        let function = ops::method(operation);
        quote!(routes.add(&ops::#module::#constant, ops::#module::#function);)
    });
    let bounds = ops::routed(lowered).map(|(_, operation)| {
        let (module, name) = (ident(&operation.module), ident(&operation.rust));
        quote!(S: ops::#module::#name,)
    });
    let keyed = ops::routed(lowered).any(|(_, operation)| operation.idempotency_key);
    let once = keyed.then(|| quote!(S: Once,));
    quote! {
        //! Every operation under its routes.

        use super::errors::RULES;
        use super::ops;

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
