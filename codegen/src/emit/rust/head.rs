//! The members that decide, of a body that is passed on.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::doc::doc_or;
use super::{ident, ty};
use crate::lower::{BodyForm, Field, Lowered, Operation, Shape, Ty};
use crate::model::Primitive;

pub(super) fn tokens(
    operation: &Operation<'_>,
    lowered: &Lowered<'_>,
    place: &impl Fn(&str) -> TokenStream,
) -> TokenStream {
    let (reads, ty) = match operation.body.as_ref().map(|body| &body.form) {
        Some(BodyForm::Passed { reads, ty } | BodyForm::PassedParts { reads, ty }) => (reads, ty),
        Some(BodyForm::Json(_) | BodyForm::Raw(_) | BodyForm::Parts) | None => return TokenStream::new(),
    };
    let name = format_ident!("{}Head", operation.rust);
    let about = format!(" The members of a `{ty}` that decide.");
    let fields = reads.iter().map(|(wire, field)| {
        let (about, name) = (doc_or(field.doc, &format!("`{wire}`.")), ident(&field.rust));
        let ty = member_type(field, lowered, place);
        quote!(#about pub #name: #ty)
    });
    let read = reads.iter().map(|(wire, field)| {
        let (name, method) = (ident(&field.rust), ident(method(field)));
        let expected = ty::expected(field, lowered);
        quote!(#name: members.#method(#wire, #expected)?)
    });
    let wires = reads.keys();
    let members = if reads.is_empty() { quote!(_) } else { quote!(members) };
    quote! {
        #[doc = #about]
        #[derive(Debug, Clone)]
        pub struct #name {
            #(#fields),*
        }

        impl Head for #name {
            const NAMES: &'static [&'static str] = &[#(#wires),*];

            fn read(#members: &Members<'_>) -> Result<Self, Failure> {
                Ok(Self { #(#read),* })
            }
        }
    }
}

/// Absent and null are one thing, unless the handler has to write into the place of a null.
fn method(field: &Field<'_>) -> &'static str {
    match (field.optional || field.default.is_some(), field.nullable) {
        (true, true) => "nullable",
        (true, false) => "optional",
        (false, true) => "required_nullable",
        (false, false) => "required",
    }
}

fn member_type(field: &Field<'_>, lowered: &Lowered<'_>, place: &impl Fn(&str) -> TokenStream) -> TokenStream {
    let value = if stays_text(&field.ty, lowered) { quote!(Raw) } else { ty::ty(&field.ty, place) };
    match method(field) {
        "nullable" => quote!(Option<Spanned<Option<#value>>>),
        "optional" => quote!(Option<Spanned<#value>>),
        "required_nullable" => quote!(Spanned<Option<#value>>),
        _ => quote!(Spanned<#value>),
    }
}

/// Whether the place of the member is enough: what is long or open-ended is not read.
fn stays_text(ty: &Ty, lowered: &Lowered<'_>) -> bool {
    match ty {
        Ty::List(_) | Ty::Map(_) | Ty::Primitive(Primitive::Json) => true,
        Ty::Const(_) | Ty::Primitive(_) => false,
        Ty::Ref(name) => {
            matches!(lowered.types.get(name.as_str()).map(|def| &def.shape), Some(Shape::Union { .. }) | None)
        }
    }
}
