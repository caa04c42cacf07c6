//! `machine!`: a state table, or a view of one, to its types, checks and statements.
//!
//! `syntax` reads the tokens into lists that still hold every word with its place, `parse` checks them into a
//! [`parse::Machine`] or a [`parse::View`], and the rest writes one part of the output each.

mod expand;
mod names;
mod parse;
mod rights;
mod row;
mod sql;
mod syntax;
mod typestate;
mod view;

use proc_macro2::{TokenStream, TokenTree};
use syn::LitStr;

pub(crate) fn expand(input: TokenStream) -> syn::Result<TokenStream> {
    let spec = spec(input.clone());
    match syn::parse2(input).map_err(|error| declared(&error, spec.as_deref()))? {
        syntax::MachineItem::Machine(machine) => parse::machine(machine).map(|machine| expand::expand(&machine)),
        syntax::MachineItem::View(view) => parse::view(view).map(|view| view::expand(&view)),
    }
}

/// The `spec: "…"` of a machine that may not read otherwise.
fn spec(input: TokenStream) -> Option<String> {
    let tokens: Vec<TokenTree> = input.into_iter().collect();
    tokens.windows(3).find_map(|window| match window {
        [TokenTree::Ident(word), TokenTree::Punct(_), TokenTree::Literal(text)] if word == "spec" => {
            syn::parse_str::<LitStr>(&text.to_string()).ok().map(|text| text.value())
        }
        _ => None,
    })
}

fn declared(error: &syn::Error, spec: Option<&str>) -> syn::Error {
    match spec {
        Some(spec) => syn::Error::new(error.span(), format!("{error} (declared at {spec})")),
        None => error.clone(),
    }
}
