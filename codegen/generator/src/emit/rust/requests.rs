//! `request_objects.rs`: what requests may hold, as tables that are looked up by name.

use proc_macro2::TokenStream;
use quote::quote;

use super::constant;
use super::doc::doc;
use crate::lower::{Class, Lowered, RequestObject};
use crate::map::IndexMap;

pub(super) fn file(lowered: &Lowered<'_>) -> TokenStream {
    let objects = lowered.request_objects.iter().map(|(name, object)| table(name, object));
    let all = lowered.request_objects.keys().map(|name| constant(name));
    quote! {
        //! Objects of model requests, with every member and kind that is known in them, sorted by name.

        use crate::api::{MemberClass, RequestObject};

        /// All of them.
        pub static ALL: &[&RequestObject] = &[#(&#all),*];

        #(#objects)*
    }
}

fn table(name: &str, object: &RequestObject<'_>) -> TokenStream {
    let (about, constant) = (doc(object.doc), constant(name));
    let (members, kinds) = (rows(&object.members), rows(&object.kinds));
    let text_is_state = object.text_is_state;
    let kind_in = match object.kind_in {
        Some(member) => quote!(Some(#member)),
        None => quote!(None),
    };
    quote! {
        #about
        pub static #constant: RequestObject = RequestObject {
            name: #name,
            text_is_state: #text_is_state,
            members: &[#(#members),*],
            kind_in: #kind_in,
            kinds: &[#(#kinds),*],
        };
    }
}

fn rows(classes: &IndexMap<&str, Class<'_>>) -> Vec<TokenStream> {
    classes
        .iter()
        .map(|(name, class)| {
            let class = class_of(class);
            quote!((#name, MemberClass::#class))
        })
        .collect()
}

fn class_of(class: &Class<'_>) -> TokenStream {
    match class {
        Class::Free => quote!(Free),
        Class::Holds(object) => {
            let object = constant(object);
            quote!(Holds(&#object))
        }
        Class::Client => quote!(Client),
        Class::Tokens => quote!(Tokens),
        Class::Sold(price) => quote!(Sold(#price)),
        Class::Tier(base) => quote!(Tier(&[#(#base),*])),
        Class::Address(own) => quote!(Address(&[#(#own),*])),
        Class::State => quote!(State),
        Class::Model => quote!(Model),
    }
}
