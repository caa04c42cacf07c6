//! The enums `State` and `Move`: a name in Rust, a text in rows and documents.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::parse::{docs, value};
use super::syntax::NamedText;

/// The constants that name a machine or view.
pub(super) fn head(name: &str, spec: &str) -> TokenStream {
    quote! {
        /// The name of the machine.
        pub const MACHINE: &str = #name;
        /// Place of its declaration.
        pub const SPEC: &str = #spec;
    }
}

/// The enum `ident` with its texts, at the place of `ident`. `what` is "state" or "move".
pub(super) fn names(ident: &Ident, what: &str, about: &TokenStream, names: &[&NamedText]) -> TokenStream {
    let variants: Vec<&Ident> = names.iter().map(|named| &named.ident).collect();
    let texts: Vec<String> = names.iter().map(|named| value(&named.text)).collect();
    let docs = names.iter().zip(&texts).map(|(named, text)| docs(&named.docs, &format!("`{text}`.")));
    quote_spanned! {ident.span()=>
        #about
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum #ident {
            #(#docs #variants,)*
        }

        impl #ident {
            /// All there are, in the declared order.
            pub const ALL: &'static [Self] = &[#(Self::#variants),*];

            /// The text it has in rows and documents.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    #(Self::#variants => #texts,)*
                }
            }
        }

        impl ::core::fmt::Display for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::core::str::FromStr for #ident {
            type Err = crate::api::machine::UnknownName;

            fn from_str(text: &str) -> ::core::result::Result<Self, crate::api::machine::UnknownName> {
                match text {
                    #(#texts => ::core::result::Result::Ok(Self::#variants),)*
                    _ => ::core::result::Result::Err(crate::api::machine::UnknownName {
                        machine: MACHINE,
                        what: #what,
                        found: ::std::string::String::from(text),
                        known: &[#(#texts),*],
                        spec: SPEC,
                    }),
                }
            }
        }
    }
}

/// The facts about each move: the place of its declaration, and its actors.
pub(super) fn move_facts(moves: &[(&NamedText, &str, Vec<String>)]) -> TokenStream {
    let variants: Vec<&Ident> = moves.iter().map(|(named, ..)| &named.ident).collect();
    let specs = moves.iter().map(|(_, spec, _)| spec);
    let by = moves.iter().map(|(_, _, by)| quote!(&[#(#by),*]));
    quote! {
        impl Move {
            /// Place of the move's declaration.
            #[must_use]
            pub const fn spec(self) -> &'static str {
                match self {
                    #(Self::#variants => #specs,)*
                }
            }

            /// The actors that may make the move.
            #[must_use]
            pub const fn by(self) -> &'static [&'static str] {
                match self {
                    #(Self::#variants => #by,)*
                }
            }
        }
    }
}
