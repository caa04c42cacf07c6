//! What an operation takes: its parts as fields of one struct, and how each is read from the request.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::doc::doc_or;
use super::errors::constant;
use super::{ident, ty};
use crate::lower::{BodyForm, Field, Lowered, Operation, Shape, Ty};
use crate::model::Primitive;

/// A field of the input: its declaration, and the expression that reads it.
pub(super) struct Part {
    pub(super) name: Ident,
    about: TokenStream,
    ty: TokenStream,
    pub(super) read: TokenStream,
}

/// The struct.
pub(super) fn tokens(
    operation: &Operation<'_>,
    lowered: &Lowered<'_>,
    place: &impl Fn(&str) -> TokenStream,
) -> TokenStream {
    let name = format_ident!("{}Input", operation.rust);
    let about = format!(" What [`{}`] takes.", operation.rust);
    let fields =
        parts(operation, lowered, place).into_iter().map(|Part { name, about, ty, .. }| quote!(#about pub #name: #ty));
    quote! {
        #[doc = #about]
        #[derive(Debug)]
        pub struct #name {
            #(#fields),*
        }
    }
}

/// The fields in the order in which they are read, which is the order in which a request is refused.
pub(super) fn parts(
    operation: &Operation<'_>,
    lowered: &Lowered<'_>,
    place: &impl Fn(&str) -> TokenStream,
) -> Vec<Part> {
    let mut parts = Vec::new();
    if !operation.auth.is_empty() {
        let (ty, read) = if takes_session(operation, lowered) {
            (quote!(Caller), quote!(call.caller_or_session(&*service).await?))
        } else {
            (quote!(Principal), quote!(call.caller(&*service).await?))
        };
        parts.push(Part { name: ident("caller"), about: doc_or(None, "Who is calling."), ty, read });
    }
    if operation.select.is_some() {
        let format = format_ident!("{}Format", operation.rust);
        let about = doc_or(None, "The form of reply that the request asks for.");
        let read = quote!(#format::of(call.seen()));
        parts.push(Part { name: ident("format"), about, ty: quote!(#format), read });
    }
    if operation.csv.is_some() {
        let read = quote!(call.wants_csv()?);
        let about = doc_or(None, "Whether the reply is told as CSV.");
        parts.push(Part { name: ident("csv"), about, ty: quote!(bool), read });
    }
    let secret = Secrets::of(operation, lowered);
    let mut add = |wire: &str, field: &Field<'_>, method: &str, key: TokenStream| {
        let name = field_name(field, method);
        let about = doc_or(field.doc, &format!("`{wire}`."));
        let (ty, read) = parameter(field, method, &key, lowered, place);
        parts.push(Part { name, about, ty, read });
    };
    for (wire, field) in operation.headers.iter().filter(|(wire, _)| !secret.headers.contains(*wire)) {
        let constant = constant(wire);
        add(wire, field, "header", quote!(&names::#constant));
    }
    for (wire, field) in &operation.path {
        add(wire, field, "path", quote!(#wire));
    }
    for (wire, field) in operation.query.iter().filter(|(wire, _)| !secret.queries.contains(*wire)) {
        add(wire, field, "query", quote!(#wire));
    }
    parts.extend(body(operation, place));
    parts
}

/// Whether a signed-in browser may call it.
fn takes_session(operation: &Operation<'_>, lowered: &Lowered<'_>) -> bool {
    operation.auth.iter().filter_map(|name| lowered.auth.get(name)).any(|scheme| scheme.cookie.is_some())
}

/// The field of the input that a parameter becomes.
pub(super) fn field_name(field: &Field<'_>, method: &str) -> Ident {
    if ["caller", "format", "body"].contains(&field.rust.as_str()) {
        format_ident!("{}_{method}", field.rust)
    } else {
        ident(&field.rust)
    }
}

/// The names that carry credentials; what stands under them never reaches a handler.
struct Secrets<'l> {
    headers: Vec<&'l str>,
    queries: Vec<&'l str>,
}

impl<'l> Secrets<'l> {
    fn of(operation: &Operation<'l>, lowered: &Lowered<'l>) -> Self {
        let schemes = || operation.auth.iter().filter_map(|name| lowered.auth.get(name));
        Self {
            headers: schemes().filter_map(|scheme| scheme.header).collect(),
            queries: schemes().filter_map(|scheme| scheme.query).collect(),
        }
    }
}

/// The type of a parameter, and the call that reads it.
fn parameter(
    field: &Field<'_>,
    method: &str,
    key: &TokenStream,
    lowered: &Lowered<'_>,
    place: &impl Fn(&str) -> TokenStream,
) -> (TokenStream, TokenStream) {
    let (ty, expected) = match &field.ty {
        // Read where it arrives: a handler gets the moment and not its text.
        Ty::Primitive(Primitive::DateTime) => (quote!(crate::api::Moment), words(field, lowered)),
        Ty::List(_) => (ty::ty(&field.ty, place), words(field, lowered)),
        _ => (ty::ty(&field.ty, place), ty::expected(field, lowered)),
    };
    match &field.default {
        Some(default) => {
            let (method, default) = (format_ident!("optional_{method}"), literal(default, field, lowered, &ty));
            (ty, quote!(call.#method(#key, #expected)?.unwrap_or(#default)))
        }
        None if field.optional => {
            let method = format_ident!("optional_{method}");
            (quote!(Option<#ty>), quote!(call.#method(#key, #expected)?))
        }
        None => {
            let method = ident(method);
            (ty, quote!(call.#method(#key, #expected)?))
        }
    }
}

/// What a parameter must be, in words alone.
fn words(field: &Field<'_>, lowered: &Lowered<'_>) -> TokenStream {
    let words = ty::parameter_words(&field.ty, lowered);
    quote!(#words)
}

/// A default as a value of its type `ty`.
fn literal(value: &serde_json::Value, field: &Field<'_>, lowered: &Lowered<'_>, ty: &TokenStream) -> TokenStream {
    let shape = field.ty.named().and_then(|name| lowered.types.get(name)).map(|def| &def.shape);
    match value {
        serde_json::Value::String(text) => match shape {
            Some(Shape::Enum { words, .. }) => {
                let variant = words.get(text.as_str()).map(|word| ident(&word.rust));
                quote!(#ty::#variant)
            }
            _ => quote!(#text.to_owned()),
        },
        other => other.to_string().parse().unwrap_or_default(),
    }
}

fn body(operation: &Operation<'_>, place: &impl Fn(&str) -> TokenStream) -> Option<Part> {
    let body = operation.body.as_ref()?;
    let name = ident("body");
    Some(match &body.form {
        BodyForm::Json(ty) => {
            let read = quote!(call.json().await?);
            Part { name, about: doc_or(None, "The body."), ty: ty::ty(ty, place), read }
        }
        BodyForm::Raw(ty) => {
            let about = doc_or(None, &format!("The body as it came; it should be a `{}`.", ty.words()));
            Part { name, about, ty: quote!(bytes::Bytes), read: quote!(call.bytes().await?) }
        }
        BodyForm::Passed { .. } if body.multipart.is_some() => {
            let about = "The body as it came, JSON or a form, and the members that decide.";
            passed(operation, about, quote!(call.proxy_body_or_form().await?))
        }
        BodyForm::Passed { .. } => {
            let about = "The body as it came, and the members that decide.";
            passed(operation, about, quote!(call.proxy_body().await?))
        }
        BodyForm::PassedParts { .. } => {
            let about = "The form as it came, and the parts that decide.";
            passed(operation, about, quote!(call.proxy_form().await?))
        }
        BodyForm::Parts => return None,
    })
}

fn passed(operation: &Operation<'_>, about: &str, read: TokenStream) -> Part {
    let head = format_ident!("{}Head", operation.rust);
    Part { name: ident("body"), about: doc_or(None, about), ty: quote!(ProxyBody<#head>), read }
}
