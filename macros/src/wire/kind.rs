//! From the tokens of a field's type to the word that the runtime reads it with.
//!
//! Tokens only: an alias of a list is read by the list's own `Deserialize`, which works and loses only the index in the
//! path of a complaint.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, PathArguments, Type};

const INTEGERS: [&str; 8] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

/// The kind of `ty`; a list or map of at most `max_items`.
pub(super) fn kind(ty: &Type, max_items: Option<usize>) -> TokenStream {
    let max = max_items.map(|max| quote!(, #max));
    if let Some(item) = argument(ty, "Vec") {
        let item = kind(item, None);
        quote!(crate::api::wire::List<#item #max>)
    } else if let Some(item) = argument(ty, "Map") {
        let item = kind(item, None);
        quote!(crate::api::wire::Entries<#item #max>)
    } else if let Some(item) = argument(ty, "Option") {
        let item = kind(item, max_items);
        quote!(crate::api::wire::Nullable<#item>)
    } else if matches!(ty, Type::Path(path) if INTEGERS.iter().any(|int| path.path.is_ident(int))) {
        quote!(crate::api::wire::Int<#ty>)
    } else {
        quote!(crate::api::wire::Plain<#ty>)
    }
}

/// `T` when `ty` is `path::to::Outer<T>`.
pub(super) fn argument<'t>(ty: &'t Type, outer: &str) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == outer)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(ty)) if arguments.args.len() == 1 => Some(ty),
        _ => None,
    }
}
