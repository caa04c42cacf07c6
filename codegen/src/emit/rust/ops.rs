//! `ops/`: one module per group of operations. Each operation is its input, its reply, its errors, its trait and its
//! route function.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::doc::{doc, doc_or};
use super::errors::{constant as constant_of, with_type};
use super::{Job, head, ident, input, job, route, select, stream, ty};
use crate::lower::{Field, Lowered, Operation, Ty};
use crate::model::{Primitive, SessionEffect};
use crate::naming;

/// Where they stand.
pub(super) const FOLDER: &str = "ops/";

/// The files under `ops/`, with the door.
pub(super) fn files<'l>(lowered: &'l Lowered<'_>) -> impl Iterator<Item = (String, Job<'l>)> {
    let mut modules: BTreeMap<&str, Vec<(&str, &Operation<'_>)>> = BTreeMap::new();
    for (id, operation) in routed(lowered) {
        modules.entry(&operation.module).or_default().push((id, operation));
    }
    let names: Vec<&str> = modules.keys().copied().collect();
    let door = job(&format!("{FOLDER}mod"), move || {
        let names: Vec<Ident> = names.into_iter().map(ident).collect();
        quote! {
            //! Operations, one module per group: a trait for each, what it takes and gives, and its route.

            #(pub mod #names;)*
        }
    });
    let files = modules.into_iter().map(move |(module, operations)| {
        job(&format!("{FOLDER}{module}"), move || {
            let about = format!(" Operations of `{module}`.");
            let place = ty::from_ops(lowered);
            let items = operations.into_iter().map(|(id, operation)| tokens(id, operation, lowered, &place));
            quote!(#![doc = #about] #(#items)*)
        })
    });
    std::iter::once(door).chain(files)
}

/// The operations that are served, with their ids.
pub(super) fn routed<'l, 's>(lowered: &'l Lowered<'s>) -> impl Iterator<Item = (&'l str, &'l Operation<'s>)> {
    lowered.operations.iter().filter(|(_, operation)| !operation.planned).map(|(id, operation)| (*id, operation))
}

fn tokens(
    id: &str,
    operation: &Operation<'_>,
    lowered: &Lowered<'_>,
    place: &impl Fn(&str) -> TokenStream,
) -> TokenStream {
    let operation_trait = operation_trait(id, operation, place);
    let input = input::tokens(operation, lowered, place);
    let head = head::tokens(operation, lowered, place);
    let stream = stream::tokens(operation);
    let select = select::tokens(operation, place);
    let headers = headers(operation, lowered);
    let error = error(id, operation, lowered);
    let route = route::tokens(id, operation, lowered, place);
    quote!(#operation_trait #input #head #stream #select #headers #error #route)
}

fn operation_trait(id: &str, operation: &Operation<'_>, place: &impl Fn(&str) -> TokenStream) -> TokenStream {
    let (name, method) = (ident(&operation.rust), method(operation));
    let (input, error) = (format_ident!("{name}Input"), format_ident!("{name}Error"));
    let reply = reply(operation, place);
    let error = if operation.is_headed() {
        let headers = headers_name(operation);
        quote!(Headed<#error, #headers>)
    } else {
        quote!(#error)
    };
    let error_text = error.to_string().replace(' ', "");
    let route = operation.routes.first().map(crate::lower::Route::words).unwrap_or_default();
    let about = doc(&format!("{route}: {} ({})", operation.doc.unwrap_or(id), operation.origin.words()));
    let message = format!("operation `{id}` ({}) has no handler on `{{Self}}`", escaped(&route));
    let label = format!("missing `impl {name} for {{Self}}`");
    let declared = format!("declared at {}", operation.origin.at);
    let reply_text = reply.to_string().replace(' ', "").replace("types::", "");
    let add = format!(
        "add: impl {name} for {{Self}} {{{{ async fn {method}(&self, cx: &Cx, input: {input}) -> Result<{}, {}> {{{{ .. }}}} }}}}",
        escaped(&reply_text),
        escaped(&error_text)
    );
    quote! {
        #about
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #declared, note = #add)]
        pub trait #name: Send + Sync + 'static {
            /// Answers the operation.
            fn #method(&self, cx: &Cx, input: #input) -> impl Future<Output = Result<#reply, #error>> + Send;
        }
    }
}

/// The type that a handler gives back.
pub(super) fn reply(operation: &Operation<'_>, place: &impl Fn(&str) -> TokenStream) -> TokenStream {
    if operation.select.is_some() {
        let name = format_ident!("{}Reply", operation.rust);
        return quote!(#name);
    }
    match &operation.ok {
        Some(ok) if !is_raw(operation) => {
            let ty = ty::ty(&ok.ty, place);
            if operation.is_headed() {
                let headers = headers_name(operation);
                quote!(Headed<#ty, #headers>)
            } else if operation.session == Some(SessionEffect::Begins) {
                quote!(BeginsSession<#ty>)
            } else {
                ty
            }
        }
        _ => quote!(ProxyReply),
    }
}

/// The headers that the handler may tell beside its reply or error, where the operation declares any.
fn headers(operation: &Operation<'_>, lowered: &Lowered<'_>) -> Option<TokenStream> {
    if !operation.is_headed() {
        return None;
    }
    let name = headers_name(operation);
    let about = format!(" Headers that the answers of [`{}`] may have.", operation.rust);
    let (mut fields, mut told) = (Vec::new(), Vec::new());
    for header in &operation.reply_headers {
        let (field, constant) = (ident(&naming::snake(header)), constant_of(header));
        let about = doc_or(lowered.wire_names.get(header).and_then(|name| name.doc), header);
        fields.push(quote!(#about pub #field: Option<String>));
        told.push(quote!((&names::#constant, self.#field)));
    }
    Some(quote! {
        #[doc = #about]
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct #name {
            #(#fields),*
        }

        impl ReplyHeaders for #name {
            fn told(self) -> impl Iterator<Item = (&'static WireName, String)> {
                [#(#told),*].into_iter().filter_map(|(name, value)| Some((name, value?)))
            }
        }
    })
}

fn headers_name(operation: &Operation<'_>) -> Ident {
    format_ident!("{}Headers", operation.rust)
}

/// Whether the handler says all of its answer: status, headers and bytes.
pub(super) fn is_raw(operation: &Operation<'_>) -> bool {
    let bytes = |ok: &Field<'_>| ok.ty == Ty::Primitive(Primitive::Bytes);
    operation.proxy || operation.ok.as_ref().is_none_or(bytes)
}

fn error(id: &str, operation: &Operation<'_>, lowered: &Lowered<'_>) -> TokenStream {
    let name = format_ident!("{}Error", operation.rust);
    let about = format!(" What [`{}`] may fail with.", operation.rust);
    let variants = operation.errors.iter().filter_map(|code| {
        let info = lowered.errors.get(code)?;
        let (variant, code) = (ident(&info.rust), ident(code));
        let fields = info.with.iter().map(|(name, ty)| {
            let (name, ty): (_, TokenStream) = (ident(&naming::snake(name)), with_type(ty).parse().unwrap_or_default());
            quote!(#name: #ty)
        });
        let fields = (!info.with.is_empty()).then(|| quote!({ #(#fields),* }));
        Some(quote!(#[code(#code)] #variant #fields))
    });
    let spec = &operation.origin.at;
    // An operation that declares no code has a set without members, and nothing is left undocumented in it.
    let undocumented = (!operation.errors.is_empty()).then(
        || quote!(#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]),
    );
    quote! {
        #[doc = #about]
        #[derive(Debug, OpError)]
        #[op(operation = #id, spec = #spec)]
        #undocumented
        pub enum #name {
            #(#variants),*
        }
    }
}

/// Its method and its route function: the trait's name in snake case.
pub(super) fn method(operation: &Operation<'_>) -> Ident {
    ident(&naming::snake(&operation.rust))
}

/// Its constant.
pub(super) fn constant(operation: &Operation<'_>) -> Ident {
    ident(&naming::snake(&operation.rust).to_ascii_uppercase())
}

/// Braces doubled, as rustc's messages want them.
fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
