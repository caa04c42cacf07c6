//! A checked [`Union`], to its impls.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use super::parse::{UnionKind, UnionShape};
use crate::spans::place;

pub(super) fn expand(union: &UnionShape) -> TokenStream {
    let (kind, members, serde) = (kind(union), members(union), serde(&union.ident));
    quote!(#kind #members #serde)
}

fn kind(union: &UnionShape) -> TokenStream {
    let ident = &union.ident;
    let kinds = union.kinds.iter().map(|kind| {
        let (variant, name) = (&kind.ident, &kind.name);
        quote!(Self::#variant { .. } => #name,)
    });
    let other_kind = union.other.iter().map(|other| quote!(Self::#other(unknown) => &unknown.kind,));
    quote! {
        #[automatically_derived]
        impl #ident {
            /// The value of the member that tells the kinds apart.
            #[must_use]
            pub fn kind(&self) -> &str {
                match self {
                    #(#kinds)*
                    #(#other_kind)*
                }
            }
        }
    }
}

fn members(union: &UnionShape) -> TokenStream {
    let (ident, by) = (&union.ident, &union.by);
    let names = union.kinds.iter().map(|kind| &kind.name);
    let read = read_kind(union);
    let write = union.kinds.iter().map(write_kind);
    let write_other =
        union.other.iter().map(|other| quote!(Self::#other(unknown) => unknown.write_members(map, Self::BY),));
    quote! {
        #[automatically_derived]
        impl crate::api::wire::Union for #ident {
            const BY: &'static str = #by;
            const KINDS: &'static [&'static str] = &[#(#names),*];

            fn read_kind<'de, A: crate::api::wire::serde::de::MapAccess<'de>>(
                kind: crate::api::wire::Kind,
                members: &mut crate::api::wire::Members<'de, A>,
            ) -> ::core::result::Result<Self, A::Error> {
                #read
            }

            fn write_kind<M: crate::api::wire::serde::ser::SerializeMap>(
                &self,
                map: &mut M,
            ) -> ::core::result::Result<(), M::Error> {
                match self {
                    #(#write)*
                    #(#write_other)*
                }
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
                crate::api::wire::read_union(deserializer)
            }
        }

        #[automatically_derived]
        impl crate::api::wire::serde::Serialize for #ident {
            fn serialize<S: crate::api::wire::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                crate::api::wire::write_union(self, serializer)
            }
        }
    }
}

fn read_kind(union: &UnionShape) -> TokenStream {
    let known = union.kinds.iter().enumerate().map(|(index, kind)| {
        let variant = &kind.ident;
        let read = match &kind.members {
            Some(ty) => {
                quote_spanned!(place(ty)=> <#ty as crate::api::wire::Object>::read_members(members).map(Self::#variant))
            }
            None => quote!(crate::api::wire::read_none(members, false).map(|()| Self::#variant)),
        };
        quote!(crate::api::wire::Kind::Known(#index) => #read,)
    });
    let other = match &union.other {
        Some(other) => quote!(crate::api::wire::Unknown::read_members(kind, members).map(Self::#other)),
        None => quote!(::core::result::Result::Err(crate::api::wire::unknown_kind::<Self, A::Error>(&kind))),
    };
    quote! {
        match kind {
            #(#known)*
            crate::api::wire::Kind::Known(_) => ::core::unreachable!("an index comes from `KINDS`"),
            crate::api::wire::Kind::Other(kind) => #other,
        }
    }
}

fn write_kind(kind: &UnionKind) -> TokenStream {
    let (variant, name) = (&kind.ident, &kind.name);
    let tag = quote!(::core::option::Option::Some(crate::api::wire::Tag { name: Self::BY, kind: #name }));
    match &kind.members {
        Some(ty) => {
            quote_spanned!(place(ty)=> Self::#variant(members) => crate::api::wire::Object::write_members(members, map, #tag),)
        }
        None => quote!(Self::#variant => crate::api::wire::write_tag(map, &[], #tag),),
    }
}
