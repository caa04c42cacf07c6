//! A checked set of [`Errors`], to its impls.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;

use super::parse::{Declared, Errors};

pub(super) fn expand(errors: &Errors) -> TokenStream {
    let (ident, codes) = (&errors.ident, &errors.codes);
    let listed = Ident::new(&format!("{ident}Code"), Span::mixed_site());
    let failures = errors.variants.iter().map(|declared| {
        let marker = marker(declared, &quote!(#codes));
        let Declared { ident, fields, .. } = declared;
        quote!(Self::#ident { #(#fields),* } => crate::api::Code::failure(#marker),)
    });
    let declares = errors.variants.iter().map(|declared| {
        let Declared { ident: variant, marker, fields, .. } = declared;
        quote! {
            impl #listed<#ident> for #codes::#marker {
                fn declare(self) -> #ident {
                    let Self { #(#fields),* } = self;
                    #ident::#variant { #(#fields),* }
                }
            }
        }
    });
    let (message, notes) = undeclared(errors);
    quote! {
        #[automatically_derived]
        impl crate::api::OperationError for #ident {
            fn failure(self) -> crate::api::Failure {
                match self {
                    #(#failures)*
                }
            }
        }

        const _: () = {
            // A trait per operation, so that rustc's complaint about an undeclared code can name the operation.
            #[diagnostic::on_unimplemented(
                message = #message,
                label = "this code is not in the operation's `errors:` list",
                #(note = #notes),*
            )]
            trait #listed<E>: crate::api::Code {
                fn declare(self) -> E;
            }

            #(#declares)*

            #[automatically_derived]
            impl<C: #listed<#ident>> crate::api::Declares<C> for #ident {
                fn declare(code: C) -> Self {
                    #listed::declare(code)
                }
            }
        };
    }
}

/// The code's marker, made of the variant's fields. At the variant, so that a field too few is shown there.
fn marker(declared: &Declared, codes: &TokenStream) -> TokenStream {
    let Declared { ident, marker, fields, .. } = declared;
    quote_spanned!(ident.span()=> #codes::#marker { #(#fields),* })
}

fn undeclared(errors: &Errors) -> (String, Vec<String>) {
    let Errors { ident, operation, spec, variants, .. } = errors;
    let codes: Vec<String> = variants.iter().map(|declared| declared.code.to_string()).collect();
    let mut notes = vec![
        format!("`{operation}` declares: {}", if codes.is_empty() { "no code".to_owned() } else { codes.join(", ") }),
        "return a declared code, or add it to the operation's `errors:` in spec/ and build again".to_owned(),
    ];
    notes.extend(spec.iter().map(|spec| format!("declared at {spec}")));
    (format!("operation error `{ident}` (`{operation}`) does not declare error code `{{Self}}`"), notes)
}
