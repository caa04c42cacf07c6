//! Streams of events: how one looks on the wire, and whether a request asks for it.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{ident, input};
use crate::lower::{BodyForm, Field, Operation};
use crate::model::Switch;

pub(super) fn tokens(operation: &Operation<'_>) -> TokenStream {
    let Some(stream) = &operation.stream else { return TokenStream::new() };
    let (name, named) = (format_ident!("{}Input", operation.rust), stream.named);
    let ends_with = &stream.ends_with;
    let about = match stream.when {
        Some(when) => format!(" Whether the answer is to be a stream of events: `{when}`."),
        None => " Whether the answer is to be a stream of events: it always is.".to_owned(),
    };
    let asked = asked(operation, stream.switch);
    quote! {
        impl #name {
            /// How a stream looks on the wire.
            pub const STREAM: EventStream = EventStream { named: #named, ends_with: &[#(#ends_with),*] };

            #[doc = #about]
            #[must_use]
            pub fn streams(&self) -> bool {
                #asked
            }
        }
    }
}

fn asked(operation: &Operation<'_>, switch: Option<Switch<'_>>) -> TokenStream {
    match switch {
        None => quote!(true),
        Some(Switch::Query { name, word }) => match operation.query.get(name) {
            Some(field) => in_query(field, word),
            None => quote!(false),
        },
        Some(Switch::Body { field }) => match operation.body.as_ref().map(|body| &body.form) {
            Some(BodyForm::Passed { reads, .. } | BodyForm::PassedParts { reads, .. }) => {
                reads.get(field).map_or_else(|| quote!(false), in_head)
            }
            _ => quote!(false),
        },
    }
}

fn in_query(field: &Field<'_>, word: &str) -> TokenStream {
    let name = input::field_name(field, "query");
    if field.optional && field.default.is_none() {
        quote!(self.#name.as_deref() == Some(#word))
    } else {
        quote!(self.#name == #word)
    }
}

/// A bool member of the head; absent or null it is what its default says, else no.
fn in_head(field: &Field<'_>) -> TokenStream {
    let name = ident(&field.rust);
    let member = quote!(self.body.head.#name);
    let default = field.default.as_ref() == Some(&serde_json::Value::Bool(true));
    match (field.optional || field.default.is_some(), field.nullable, default) {
        (true, true, true) => quote!(#member.as_ref().and_then(|given| given.value).unwrap_or(true)),
        (true, true, false) => quote!(#member.as_ref().is_some_and(|given| given.value == Some(true))),
        (true, false, true) => quote!(#member.as_ref().is_none_or(|given| given.value)),
        (true, false, false) => quote!(#member.as_ref().is_some_and(|given| given.value)),
        (false, true, _) => quote!(#member.value == Some(true)),
        (false, false, _) => quote!(#member.value),
    }
}
