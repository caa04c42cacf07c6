//! `routes.rs`: the router, and the trait of everything that it needs.

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
    quote! {
        //! Every operation under its routes.

        use super::errors::RULES;
        use super::{Service, ops};

        /// Every routed operation, and an answer in the right shape for everything else.
        pub fn router<S: Service>(service: Arc<S>, config: RouterConfig) -> axum::Router {
            let mut routes = Routes::new(service, &RULES, config);
            #(#adds)*
            routes.finish()
        }
    }
}

/// The trait of a service that answers every routed operation.
pub(super) fn service(lowered: &Lowered<'_>) -> TokenStream {
    let traits: Vec<TokenStream> = ops::routed(lowered)
        .map(|(_, operation)| {
            let (module, name) = (ident(&operation.module), ident(&operation.rust));
            quote!(ops::#module::#name)
        })
        .collect();
    quote! {
        /// Answers every routed operation. Implemented by whatever implements them all.
        pub trait Service
        where
            Self: Authenticate,
            #(Self: #traits,)*
        {
        }

        impl<S> Service for S
        where
            S: Authenticate,
            #(S: #traits,)*
        {
        }
    }
}
