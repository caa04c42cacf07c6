//! Replies chosen by what the request has: the forms, the pure choice between them, and the reply.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::errors::constant;
use super::{ident, ty, whole};
use crate::lower::{Condition, Operation, Select};

pub(super) fn tokens(operation: &Operation<'_>, place: &impl Fn(&str) -> TokenStream) -> TokenStream {
    let Some(select) = &operation.select else { return TokenStream::new() };
    let names = Names {
        operation: &operation.rust,
        format: format_ident!("{}Format", operation.rust),
        has: format_ident!("{}Has", operation.rust),
        reply: format_ident!("{}Reply", operation.rust),
        variants: select.variants.iter().map(|variant| ident(&variant.rust)).collect(),
        abouts: select
            .variants
            .iter()
            .map(|variant| format!(" Envelope `{}`, `{}`.", variant.envelope, variant.ok.type_words()))
            .collect(),
    };
    let (forms, has, choice, reply) =
        (forms(&names), has(select, &names), choices(select, &names), reply(select, &names, place));
    quote!(#forms #has #choice #reply)
}

/// What all parts of it speak of.
struct Names<'o> {
    operation: &'o str,
    format: Ident,
    has: Ident,
    reply: Ident,
    variants: Vec<Ident>,
    abouts: Vec<String>,
}

fn forms(Names { format, reply, variants, abouts, .. }: &Names<'_>) -> TokenStream {
    let about = format!(" The forms of [`{reply}`].");
    quote! {
        #[doc = #about]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum #format {
            #(#[doc = #abouts] #variants),*
        }
    }
}

fn has(select: &Select<'_>, Names { format, has, .. }: &Names<'_>) -> TokenStream {
    let about = format!(" What a request has that decides its [`{format}`].");
    let conditions = select.conditions.iter().map(|condition| ident(&condition.rust()));
    let asks = select.conditions.iter().map(|condition| match condition {
        Condition::Header(name) => format!(" The header `{name}`, under any of its names."),
        Condition::Query(name) => format!(" The query parameter `{name}`."),
    });
    quote! {
        #[doc = #about]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct #has {
            #(#[doc = #asks] pub #conditions: bool),*
        }
    }
}

fn choices(select: &Select<'_>, Names { format, has, variants, .. }: &Names<'_>) -> TokenStream {
    let conditions = select.conditions.iter().map(|condition| ident(&condition.rust()));
    let bits = (0..select.conditions.len()).map(|bit| whole(bit as u64));
    let envelopes = select.variants.iter().map(|variant| constant(variant.envelope));
    let choice = choice(select);
    quote! {
        impl #format {
            /// The first branch that fits decides.
            #[must_use]
            pub const fn select(has: #has) -> Self {
                #choice
            }

            fn of(seen: Seen) -> Self {
                Self::select(#has { #(#conditions: seen.has(#bits)),* })
            }

            fn envelope(self) -> &'static Envelope {
                match self {
                    #(Self::#variants => &envelopes::#envelopes),*
                }
            }
        }
    }
}

fn reply(
    select: &Select<'_>,
    Names { operation, reply, variants, abouts, .. }: &Names<'_>,
    place: &impl Fn(&str) -> TokenStream,
) -> TokenStream {
    let about = format!(" The reply of [`{operation}`], in the form that was asked for.");
    let replies = select.variants.iter().map(|variant| ty::ty(&variant.ok.ty, place));
    quote! {
        #[doc = #about]
        #[derive(Debug, Clone, PartialEq)]
        pub enum #reply {
            #(#[doc = #abouts] #variants(#replies)),*
        }
    }
}

/// The branches as one chain of `if`; neighbours with the same outcome stay apart, as the spec writes them.
fn choice(select: &Select<'_>) -> TokenStream {
    let mut chain = TokenStream::new();
    for branch in select.branches.iter().rev() {
        let outcome = ident(&select.variants[branch.variant].rust);
        let all = |words: &[&str]| words.iter().map(|word| field(word)).collect::<Vec<_>>();
        let (has, any) = (all(&branch.has), all(&branch.has_any));
        chain = match (has.is_empty(), any.is_empty()) {
            (true, true) => quote!(Self::#outcome),
            (false, true) => quote!(if #(has.#has)&&* { Self::#outcome } else { #chain }),
            (true, false) => quote!(if #(has.#any)||* { Self::#outcome } else { #chain }),
            (false, false) => quote!(if #(has.#has)&&* && (#(has.#any)||*) { Self::#outcome } else { #chain }),
        };
    }
    chain
}

fn field(word: &str) -> Ident {
    let condition = word.strip_prefix("query.").map_or(Condition::Header(word), Condition::Query);
    ident(&condition.rust())
}
