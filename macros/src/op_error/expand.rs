//! A checked set of [`ErrorSet`], to its impls.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;

use super::parse::{DeclaredCode, ErrorSet};
use crate::complaints::escaped;
use crate::spans::place;

pub(super) fn expand(errors: &ErrorSet) -> TokenStream {
    let ident = &errors.ident;
    let codes: Vec<TokenStream> = errors.variants.iter().map(|declared| code(declared, errors)).collect();
    let failures = errors.variants.iter().zip(&codes).map(|(declared, code)| {
        let DeclaredCode { ident, fields, .. } = declared;
        let made = quote_spanned!(place(&declared.code)=> #code { #(#fields),* });
        quote!(Self::#ident { #(#fields),* } => crate::api::Code::failure(#made),)
    });
    let declares = declares(errors, &codes);
    quote! {
        #[automatically_derived]
        impl crate::api::OperationError for #ident {
            fn failure(self) -> crate::api::Failure {
                match self {
                    #(#failures)*
                }
            }
        }

        #declares
    }
}

fn declares(errors: &ErrorSet, codes: &[TokenStream]) -> TokenStream {
    let ident = &errors.ident;
    let listed = Ident::new(&format!("{ident}Code"), Span::mixed_site());
    let impls = errors.variants.iter().zip(codes).map(|(declared, code)| {
        let DeclaredCode { ident: variant, fields, .. } = declared;
        quote_spanned! {place(&declared.code)=>
            impl #listed for #code {
                fn declare(self) -> #ident {
                    #ident::#variant { #(#fields: self.#fields),* }
                }
            }
        }
    });
    let (message, notes) = undeclared(errors);
    quote! {
        const _: () = {
            // A trait per operation, so that rustc's complaint about an undeclared code can name the operation.
            #[diagnostic::on_unimplemented(
                message = #message,
                label = "this code is not in the operation's `errors:` list",
                #(note = #notes),*
            )]
            trait #listed: crate::api::Code {
                fn declare(self) -> #ident;
            }

            #(#impls)*

            #[automatically_derived]
            impl<C: #listed> crate::api::Declares<C> for #ident {
                fn declare(code: C) -> Self {
                    #listed::declare(code)
                }
            }
        };
    }
}

/// The path of the code's marker, at the code: what rustc says of an unknown code or of its fields belongs there.
fn code(declared: &DeclaredCode, errors: &ErrorSet) -> TokenStream {
    let marker = &declared.marker;
    match &errors.codes {
        Some(codes) => quote!(#codes::#marker),
        None => quote_spanned!(place(&declared.code)=> code::#marker),
    }
}

fn undeclared(errors: &ErrorSet) -> (String, Vec<String>) {
    let ErrorSet { ident, operation, spec, variants, .. } = errors;
    let codes: Vec<String> = variants.iter().map(|declared| declared.code.to_string()).collect();
    let codes = if codes.is_empty() { "no code".to_owned() } else { codes.join(", ") };
    let mut notes = vec![
        escaped(&format!("`{operation}` declares: {codes}")),
        "return a declared code, or add it to the operation's `errors:` in spec/ and build again".to_owned(),
    ];
    notes.extend(spec.iter().map(|spec| escaped(&format!("declared at {spec}"))));
    (escaped(&format!("operation error `{ident}` (`{operation}`) does not declare error code `{{Self}}`")), notes)
}
