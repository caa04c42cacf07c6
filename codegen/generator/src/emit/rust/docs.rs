//! `docs.rs`: the files of the documentation, each with what is told about it.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::docs::FOLDER;

/// Digits of a digest that tell two versions of a file apart.
const TAG_DIGITS: usize = 32;

pub(super) fn file(digests: &BTreeMap<String, String>) -> TokenStream {
    let files = digests.iter().filter_map(|(path, digest)| {
        let file = path.strip_prefix(FOLDER)?;
        let name = file.strip_suffix(".html").unwrap_or(file);
        let kind = kind(file);
        let tag = format!("\"{}\"", &digest[..TAG_DIGITS]);
        let place = format!("../../../../../{path}");
        Some(quote!(DocsFile { name: #name, kind: #kind, tag: #tag, bytes: include_bytes!(#place) }))
    });
    quote! {
        //! The documentation of the service, as it is shown.

        /// A file of it.
        #[derive(Debug, Clone, Copy)]
        pub struct DocsFile {
            /// Its name in addresses; `index` is the first page.
            pub name: &'static str,
            /// Its media type.
            pub kind: &'static str,
            /// Its entity tag, which changes with its bytes.
            pub tag: &'static str,
            /// Its content.
            pub bytes: &'static [u8],
        }

        /// All files.
        pub static FILES: &[DocsFile] = &[#(#files),*];
    }
}

fn kind(file: &str) -> &'static str {
    match file.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        _ => "text/html; charset=utf-8",
    }
}
