//! `request_objects.rs`: what requests may hold, as tables that are looked up by name.

use proc_macro2::TokenStream;
use quote::quote;

use super::doc::doc;
use super::tokens::constant;
use crate::map::IndexMap;
use crate::resolve::{ResolvedMemberClass, ResolvedRequestObject, ResolvedSpec};

pub(super) fn file(lowered: &ResolvedSpec<'_>) -> TokenStream {
    let objects = lowered.request_objects.iter().map(|(name, object)| table(name, object));
    let all = lowered.request_objects.keys().map(|name| constant(name));
    quote! {
        //! Objects of model requests, with every member and kind that is known in them, the shorter names first.

        use crate::api::{MemberClass, RequestObject};

        /// All of them.
        pub static ALL: &[&RequestObject] = &[#(&#all),*];

        #(#objects)*
    }
}

fn table(name: &str, object: &ResolvedRequestObject<'_>) -> TokenStream {
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

/// The rows of a table, by the lengths of their names and then by these, as a look-up of `RequestObject` expects them.
fn rows(classes: &IndexMap<&str, ResolvedMemberClass<'_>>) -> Vec<TokenStream> {
    let mut classes: Vec<_> = classes.iter().collect();
    classes.sort_by_key(|(name, _)| (name.len(), **name));
    let row = |(name, class): (&&str, &ResolvedMemberClass<'_>)| {
        let class = class_of(class);
        quote!((#name, MemberClass::#class))
    };
    classes.into_iter().map(row).collect()
}

fn class_of(class: &ResolvedMemberClass<'_>) -> TokenStream {
    match class {
        ResolvedMemberClass::Free => quote!(Free),
        ResolvedMemberClass::Holds(object) => {
            let object = constant(object);
            quote!(Holds(&#object))
        }
        ResolvedMemberClass::Client => quote!(Client),
        ResolvedMemberClass::Tokens => quote!(Tokens),
        ResolvedMemberClass::Sold(price) => quote!(Sold(#price)),
        ResolvedMemberClass::Tier(base) => quote!(Tier(&[#(#base),*])),
        ResolvedMemberClass::Address(own) => quote!(Address(&[#(#own),*])),
        ResolvedMemberClass::State => quote!(State),
        ResolvedMemberClass::Model => quote!(Model),
    }
}
