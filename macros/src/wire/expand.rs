//! A checked [`WireStruct`], to its impls.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, Type};

use super::kind::kind;
use super::parse::{FieldBounds, WireField, WireShape, WireStruct};
use crate::spans::place;

pub(super) fn expand(wire: &WireStruct) -> TokenStream {
    let ident = &wire.ident;
    match &wire.shape {
        WireShape::Object { fields, rest } => object(ident, fields, rest.as_ref()),
        WireShape::Newtype { ty, bounds } => newtype(wire, ty, bounds),
    }
}

fn object(ident: &Ident, fields: &[WireField], rest: Option<&Ident>) -> TokenStream {
    let names = fields.iter().map(|field| &field.name);
    let read = read_members(fields, rest);
    let write = if let Some(rest) = rest { write_open(fields, rest) } else { write_closed(fields) };
    let serde = object_serde(ident);
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl crate::api::wire::Object for #ident {
            const NAMES: &'static [&'static str] = &[#(#names),*];

            fn read_members<'de, A: crate::api::wire::serde::de::MapAccess<'de>>(
                members: &mut crate::api::wire::Members<'de, A>,
            ) -> ::core::result::Result<Self, A::Error> {
                #read
            }

            fn write_members<M: crate::api::wire::serde::ser::SerializeMap>(
                &self,
                map: &mut M,
                tag: ::core::option::Option<crate::api::wire::Tag<'_>>,
            ) -> ::core::result::Result<(), M::Error> {
                #write
            }
        }

        #serde
    }
}

fn object_serde(ident: &Ident) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl<'de> crate::api::wire::serde::Deserialize<'de> for #ident {
            fn deserialize<D: crate::api::wire::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                crate::api::wire::read_object(deserializer)
            }
        }

        #[automatically_derived]
        impl crate::api::wire::serde::Serialize for #ident {
            fn serialize<S: crate::api::wire::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                crate::api::wire::write_object(self, serializer)
            }
        }
    }
}

fn read_members(fields: &[WireField], rest: Option<&Ident>) -> TokenStream {
    let open = rest.is_some();
    let locals: Vec<Ident> = (0..fields.len()).map(|index| format_ident!("field_{index}")).collect();
    let read: Vec<TokenStream> = fields.iter().map(read_value).collect();
    let made = fields.iter().zip(&locals).map(|(field, local)| make_value(field, local));
    let rest = rest.map(|rest| quote!(#rest: members.take_rest(),));
    let walk = match read.split_last() {
        None => quote!(crate::api::wire::read_none(members, #open)?;),
        Some((last, others)) => {
            let (last_local, other_locals) = locals.split_last().expect("as many locals as fields");
            let index = 0..others.len();
            quote! {
                #(let mut #locals = ::core::option::Option::None;)*
                while let ::core::option::Option::Some(index) = members.next(Self::NAMES, #open)? {
                    match index {
                        #(#index => #other_locals = ::core::option::Option::Some(#others),)*
                        _ => #last_local = ::core::option::Option::Some(#last),
                    }
                }
            }
        }
    };
    quote! {
        #walk
        ::core::result::Result::Ok(Self { #(#made,)* #rest })
    }
}

fn read_value(field: &WireField) -> TokenStream {
    let name = &field.name;
    if let Some(literal) = &field.literal {
        return quote! {{
            members.value_where::<crate::api::wire::Plain<::std::string::String>>(#name, |text| crate::api::wire::is_literal(text, #literal))?;
            #literal
        }};
    }
    let kind = kind(&field.ty, field.bounds.max_items);
    let span = place(&field.ty);
    match checks(&field.bounds, span) {
        None => quote_spanned!(span=> members.value::<#kind>(#name)?),
        Some(checks) => quote_spanned!(span=> members.value_where::<#kind>(#name, |value| #checks)?),
    }
}

fn make_value(field: &WireField, local: &Ident) -> TokenStream {
    let (ident, name) = (&field.ident, &field.name);
    match &field.default {
        Some(default) => {
            let kind = kind(&field.ty, None);
            quote!(#ident: crate::api::wire::or_default::<#kind, A::Error>(#local, #name, #default)?)
        }
        None if field.optional => quote!(#ident: #local),
        None => quote!(#ident: crate::api::wire::required(#local, #name)?),
    }
}

/// The checks of the bounds, one `Result` in all.
fn checks(bounds: &FieldBounds, span: Span) -> Option<TokenStream> {
    let check = |function: &str, min: Option<TokenStream>, max: Option<TokenStream>| {
        let function = Ident::new(function, span);
        let option = |bound: Option<TokenStream>| match bound {
            Some(bound) => quote!(::core::option::Option::Some(#bound)),
            None => quote!(::core::option::Option::None),
        };
        let (low, high) = (option(min.clone()), option(max.clone()));
        (min.is_some() || max.is_some()).then(|| quote_spanned!(span=> crate::api::wire::#function(value, #low, #high)))
    };
    let all = [
        check("in_range", bounds.min.map(|min| quote!(#min)), bounds.max.map(|max| quote!(#max))),
        check("in_length", bounds.min_len.map(|min| quote!(#min)), bounds.max_len.map(|max| quote!(#max))),
        check("in_items", bounds.min_items.map(|min| quote!(#min)), bounds.max_items.map(|max| quote!(#max))),
    ];
    all.into_iter().flatten().reduce(|first, then| quote!(#first.and_then(|()| #then)))
}

fn write_closed(fields: &[WireField]) -> TokenStream {
    let writes = fields.iter().map(|field| {
        let write = write_value(field, None);
        quote!(#write?;)
    });
    quote! {
        crate::api::wire::write_tag(map, Self::NAMES, tag)?;
        #(#writes)*
        ::core::result::Result::Ok(())
    }
}

fn write_open(fields: &[WireField], rest: &Ident) -> TokenStream {
    let index = 0..fields.len();
    let writes =
        fields.iter().enumerate().map(|(index, field)| write_value(field, Some(&quote!(self.#rest.had(#index)))));
    let map = if fields.is_empty() { quote!(_) } else { quote!(map) };
    quote! {
        crate::api::wire::write_open(map, &self.#rest, Self::NAMES, tag, |index, #map| match index {
            #(#index => #writes,)*
            _ => ::core::result::Result::Ok(()),
        })
    }
}

/// An expression that writes the member, or nothing where it is absent. `had` asks whether it was there when an open
/// shape was read.
fn write_value(field: &WireField, had: Option<&TokenStream>) -> TokenStream {
    let (ident, name) = (&field.ident, &field.name);
    let entry = quote!(crate::api::wire::serde::ser::SerializeMap::serialize_entry);
    let nothing = quote!(::core::result::Result::Ok(()));
    match (&field.literal, field.default.as_ref().zip(had)) {
        (Some(literal), _) if field.optional => quote! {
            if self.#ident.is_some() { #entry(map, #name, #literal) } else { #nothing }
        },
        (Some(literal), _) => quote!(#entry(map, #name, #literal)),
        // What was absent and still means the same stays absent in an object that is passed on.
        (None, Some((default, had))) => {
            let kind = kind(&field.ty, None);
            quote! {
                if #had || !crate::api::wire::is_default::<#kind>(&self.#ident, #default) {
                    #entry(map, #name, &self.#ident)
                } else {
                    #nothing
                }
            }
        }
        (None, _) if field.optional => quote! {
            match &self.#ident {
                ::core::option::Option::Some(value) => #entry(map, #name, value),
                ::core::option::Option::None => #nothing,
            }
        },
        (None, _) => quote_spanned!(place(&field.ty)=> #entry(map, #name, &self.#ident)),
    }
}

fn newtype(wire: &WireStruct, ty: &Type, bounds: &FieldBounds) -> TokenStream {
    let (ident, vis) = (&wire.ident, &wire.vis);
    let check = checks(bounds, place(ty)).unwrap_or_else(|| quote!(::core::result::Result::Ok(())));
    let value = if bounds.any() { quote!(value) } else { quote!(_) };
    let serde = newtype_serde(ident, ty, bounds);
    quote! {
        #[automatically_derived]
        impl #ident {
            /// Makes the value after checking its bounds.
            ///
            /// # Errors
            /// When a bound does not hold.
            #vis fn new(value: #ty) -> ::core::result::Result<Self, crate::api::wire::Refusal> {
                match Self::check(&value) {
                    ::core::result::Result::Ok(()) => ::core::result::Result::Ok(Self(value)),
                    ::core::result::Result::Err(complaint) => ::core::result::Result::Err(crate::api::wire::Refusal::from(complaint)),
                }
            }

            /// The value inside.
            #vis const fn get(&self) -> &#ty {
                &self.0
            }

            /// The value inside.
            #vis fn into_inner(self) -> #ty {
                self.0
            }

            fn check(#value: &#ty) -> ::core::result::Result<(), ::std::string::String> {
                #check
            }
        }

        #serde
    }
}

fn newtype_serde(ident: &Ident, ty: &Type, bounds: &FieldBounds) -> TokenStream {
    let kind = kind(ty, bounds.max_items);
    quote! {
        #[automatically_derived]
        impl<'de> crate::api::wire::serde::Deserialize<'de> for #ident {
            fn deserialize<D: crate::api::wire::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                let value = <#kind as crate::api::wire::Reads>::read(deserializer)?;
                Self::check(&value).map_err(crate::api::wire::serde::de::Error::custom)?;
                ::core::result::Result::Ok(Self(value))
            }
        }

        #[automatically_derived]
        impl crate::api::wire::serde::Serialize for #ident {
            fn serialize<S: crate::api::wire::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                crate::api::wire::serde::Serialize::serialize(&self.0, serializer)
            }
        }
    }
}
