//! A checked set of [`NameSet`], to its impls.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::parse::NameSet;

pub(super) fn expand(names: &NameSet) -> TokenStream {
    let (words, text, serde) = (words(names), text(&names.ident), serde(&names.ident));
    quote!(#words #text #serde)
}

/// The members and their names.
fn words(names: &NameSet) -> TokenStream {
    let ident = &names.ident;
    let (variants, texts): (Vec<_>, Vec<_>) = names.members.iter().map(|it| (&it.ident, &it.name)).unzip();
    let meanings = names.members.iter().map(|member| &member.meaning);
    let other_meaning = names.other.iter().map(|other| quote!(Self::#other(_) => "",));
    let other_text = names.other.iter().map(|other| quote!(Self::#other(name) => name,));
    let unknown = match &names.other {
        Some(other) => quote!(_ => ::core::option::Option::Some(Self::#other(::std::string::String::from(name)))),
        None => quote!(_ => ::core::option::Option::None),
    };
    let text = if names.other.is_some() { quote!(&str) } else { quote!(&'static str) };
    quote! {
        #[automatically_derived]
        impl #ident {
            /// All declared members, in the declared order.
            pub const ALL: &'static [Self] = &[#(Self::#variants),*];

            /// The name on the wire.
            #[must_use]
            pub fn as_str(&self) -> #text {
                match self {
                    #(Self::#variants => #texts,)*
                    #(#other_text)*
                }
            }

            /// Its meaning, in the words of the spec. Empty for a name that is not declared.
            #[must_use]
            pub const fn meaning(&self) -> &'static str {
                match self {
                    #(Self::#variants => #meanings,)*
                    #(#other_meaning)*
                }
            }
        }

        #[automatically_derived]
        impl crate::api::wire::Named for #ident {
            const NAMES: &'static [&'static str] = &[#(#texts),*];

            fn from_name(name: &str) -> ::core::option::Option<Self> {
                match name {
                    #(#texts => ::core::option::Option::Some(Self::#variants),)*
                    #unknown,
                }
            }
        }
    }
}

/// To and from text.
fn text(ident: &Ident) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl ::core::fmt::Display for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        #[automatically_derived]
        impl ::core::str::FromStr for #ident {
            type Err = crate::api::wire::Refusal;

            fn from_str(name: &str) -> ::core::result::Result<Self, crate::api::wire::Refusal> {
                crate::api::wire::parse_name(name)
            }
        }
    }
}

fn serde(ident: &Ident) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl<'de> crate::api::wire::serde::Deserialize<'de> for #ident {
            fn deserialize<D: crate::api::wire::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                crate::api::wire::read_name(deserializer)
            }
        }

        #[automatically_derived]
        impl crate::api::wire::serde::Serialize for #ident {
            fn serialize<S: crate::api::wire::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    }
}
