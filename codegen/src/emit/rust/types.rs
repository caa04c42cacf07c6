//! DTOs: one module per file of the spec that declares a reached type.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::doc::{doc, doc_or};
use super::ty::{bound_words, ty};
use super::{Job, ident, job};
use crate::lower::{Bounds, Field, Lowered, Shape, Ty, TypeDef, Variant, Word};
use crate::map::IndexMap;

/// The files under `types/`, with the door.
pub(super) fn files<'l>(lowered: &'l Lowered<'_>) -> impl Iterator<Item = (String, Job<'l>)> {
    let mut modules: BTreeMap<&str, Vec<(&str, &TypeDef<'_>)>> = BTreeMap::new();
    for (name, def) in lowered.types.iter().filter(|(_, def)| def.reached) {
        modules.entry(&def.module).or_default().push((name, def));
    }
    let names: Vec<&str> = modules.keys().copied().collect();
    let door = job("types/mod", move || {
        let names: Vec<_> = names.into_iter().map(ident).collect();
        quote! {
            //! Shapes of bodies and replies, one module per file of the spec.

            #(mod #names;)*

            #(pub use #names::*;)*
        }
    });
    let files = modules.into_iter().map(move |(module, types)| {
        job(&format!("types/{module}"), move || {
            let about = format!(" Types of `{module}`.");
            let items = types.into_iter().map(|(name, def)| item(name, def, lowered));
            quote!(#![doc = #about] #(#items)*)
        })
    });
    std::iter::once(door).chain(files)
}

fn item(name: &str, def: &TypeDef<'_>, lowered: &Lowered<'_>) -> TokenStream {
    let about = doc_or(def.doc, &format!("`{name}` of the spec."));
    let place = |name: &str| {
        let other = lowered.types.get(name);
        let name = ident(other.map_or(name, |def| &def.rust));
        if other.is_some_and(|other| other.module != def.module) { quote!(super::#name) } else { quote!(#name) }
    };
    let (name, spec) = (ident(&def.rust), &def.origin.at);
    match &def.shape {
        Shape::Struct { open, fields } => structure(&about, &name, spec, *open, fields, &place),
        Shape::Enum { open, words } => names(&about, &name, spec, *open, words),
        Shape::Union { by, open, of } => union(&about, &name, spec, by, *open, of, &place),
        Shape::Newtype { is, bounds } => newtype(&about, &name, spec, is, bounds, &place),
    }
}

fn structure(
    about: &TokenStream,
    name: &proc_macro2::Ident,
    spec: &str,
    open: bool,
    fields: &IndexMap<&str, Field<'_>>,
    place: &impl Fn(&str) -> TokenStream,
) -> TokenStream {
    let fields = fields.iter().map(|(wire, field)| self::field(wire, field, place));
    let (open, rest) = if open {
        let rest = quote! {
            /// Members that the spec does not know, as they came.
            #[wire(rest)]
            pub rest: crate::api::Rest,
        };
        (quote!(, open), rest)
    } else {
        (TokenStream::new(), TokenStream::new())
    };
    quote! {
        #about
        #[derive(Debug, Clone, PartialEq, Wire)]
        #[wire(spec = #spec #open)]
        pub struct #name {
            #(#fields,)*
            #rest
        }
    }
}

fn field(wire: &str, field: &Field<'_>, place: &impl Fn(&str) -> TokenStream) -> TokenStream {
    let about = doc_or(field.doc, &format!("`{wire}`."));
    let name = ident(&field.rust);
    let mut words = Vec::new();
    if field.rust != wire {
        words.push(quote!(name = #wire));
    }
    // A field with a default is never absent in Rust.
    let optional = field.optional && field.default.is_none();
    if optional {
        words.push(quote!(optional));
    }
    if field.nullable {
        words.push(quote!(nullable));
    }
    if let Some(default) = &field.default {
        let default = default.to_string();
        words.push(quote!(default = #default));
    }
    if let Ty::Const(word) = &field.ty {
        words.push(quote!(literal = #word));
    }
    words.extend(bound_words(&field.bounds));
    let attribute = (!words.is_empty()).then(|| quote!(#[wire(#(#words),*)]));
    let mut ty = if field.secret { quote!(crate::api::ShownOnce) } else { ty(&field.ty, place) };
    for _ in 0..usize::from(optional) + usize::from(field.nullable) {
        ty = quote!(Option<#ty>);
    }
    quote!(#about #attribute pub #name: #ty)
}

fn names(
    about: &TokenStream,
    name: &proc_macro2::Ident,
    spec: &str,
    open: bool,
    words: &IndexMap<&str, Word<'_>>,
) -> TokenStream {
    let variants = words.iter().map(|(wire, word)| {
        let (about, variant) = (doc_or(word.doc, &format!("`{wire}`.")), ident(&word.rust));
        quote!(#about #[wire(name = #wire)] #variant)
    });
    let (copy, other) = if open {
        let other = quote! {
            /// A word that the spec does not know.
            #[wire(other)]
            Other(String),
        };
        (TokenStream::new(), other)
    } else {
        (quote!(Copy,), TokenStream::new())
    };
    quote! {
        #about
        #[derive(Debug, Clone, #copy PartialEq, Eq, Hash, WireEnum)]
        #[wire(spec = #spec)]
        pub enum #name {
            #(#variants,)*
            #other
        }
    }
}

fn union(
    about: &TokenStream,
    name: &proc_macro2::Ident,
    spec: &str,
    by: &str,
    open: bool,
    of: &IndexMap<&str, Variant<'_>>,
    place: &impl Fn(&str) -> TokenStream,
) -> TokenStream {
    let inline =
        of.iter().filter(|(_, variant)| variant.named.is_none() && !variant.fields.is_empty()).map(|(tag, variant)| {
            let about = doc(&format!("A `{name}` whose `{by}` is `{tag}`."));
            structure(&about, &format_ident!("{name}{}", variant.rust), spec, open, &variant.fields, place)
        });
    let variants = of.iter().map(|(tag, variant)| {
        let about = doc(&format!("`{by}` is `{tag}`."));
        let rust = ident(&variant.rust);
        let payload = match variant.named {
            Some(named) => Some(place(named)),
            None if variant.fields.is_empty() => None,
            None => Some({
                let name = format_ident!("{name}{}", variant.rust);
                quote!(#name)
            }),
        };
        let payload = payload.map(|payload| quote!((#payload)));
        quote!(#about #[wire(name = #tag)] #rust #payload)
    });
    let other = open.then(|| {
        quote! {
            /// A kind that the spec does not know, as it came.
            #[wire(other)]
            Other(crate::api::Unknown),
        }
    });
    quote! {
        #about
        #[derive(Debug, Clone, PartialEq, WireUnion)]
        #[wire(by = #by, spec = #spec)]
        pub enum #name {
            #(#variants,)*
            #other
        }

        #(#inline)*
    }
}

fn newtype(
    about: &TokenStream,
    name: &proc_macro2::Ident,
    spec: &str,
    is: &Ty,
    bounds: &Bounds<'_>,
    place: &impl Fn(&str) -> TokenStream,
) -> TokenStream {
    let (ty, words) = (ty(is, place), bound_words(bounds));
    quote! {
        #about
        #[derive(Debug, Clone, PartialEq, Wire)]
        #[wire(spec = #spec #(, #words)*)]
        pub struct #name(#ty);
    }
}
