//! From the tokens of a field's type to the word that the runtime reads it with.
//!
//! Tokens only: an alias of a list is read by the list's own `Deserialize`, which works and loses only the index in the
//! path of a complaint.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{GenericArgument, PathArguments, Type};

use crate::spans::place;

const INTEGERS: [&str; 8] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

/// The kind of `ty`; a list or map of at most `max_items`.
pub(super) fn kind(ty: &Type, max_items: Option<usize>) -> TokenStream {
    let span = place(ty);
    let max = max_items.map(|max| quote!(, #max));
    if let Some(item) = argument(ty, "Vec") {
        let item = kind(item, None);
        quote_spanned!(span=> crate::api::wire::List<#item #max>)
    } else if let Some(item) = argument(ty, "TextOrList") {
        let item = kind(item, None);
        quote_spanned!(span=> crate::api::wire::TextOr<#item #max>)
    } else if let Some(item) = argument(ty, "Map") {
        let item = kind(item, None);
        quote_spanned!(span=> crate::api::wire::Entries<#item #max>)
    } else if let Some(item) = argument(ty, "Option") {
        let item = kind(item, max_items);
        quote_spanned!(span=> crate::api::wire::Nullable<#item>)
    } else if matches!(ty, Type::Path(path) if INTEGERS.iter().any(|int| path.path.is_ident(int))) {
        quote_spanned!(span=> crate::api::wire::Int<#ty>)
    } else if matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Usd")) {
        quote_spanned!(span=> crate::api::wire::Amount)
    } else {
        quote_spanned!(span=> crate::api::wire::Plain<#ty>)
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
