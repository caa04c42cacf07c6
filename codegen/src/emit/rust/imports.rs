//! The `use` lines of a file: exactly the names that its tokens say without a path.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use super::ident;

/// Where the names come from that generated code may say without a path.
const KNOWN: &[(&str, &[&str])] = &[
    (
        "crate::api",
        &[
            "AList",
            "ANumber",
            "AnObject",
            "Answer",
            "Authenticate",
            "BeginsSession",
            "BodyLimit",
            "Call",
            "Caller",
            "Cx",
            "Dollars",
            "Envelope",
            "EventStream",
            "Failure",
            "Family",
            "Framework",
            "Head",
            "Headed",
            "Kind",
            "Members",
            "Asker",
            "Once",
            "Operation",
            "OperationError",
            "Principal",
            "Probe",
            "ProxyBody",
            "ProxyReply",
            "Raw",
            "ReplyHeaders",
            "Route",
            "RouterConfig",
            "Routes",
            "Rules",
            "Scheme",
            "Seen",
            "Spanned",
            "Table",
            "Text",
            "UsdBounds",
            "Whole",
            "WireName",
        ],
    ),
    ("http", &["HeaderName", "Method"]),
    ("std::sync", &["Arc"]),
    ("std::time", &["Duration"]),
    ("tollgate_macros", &["OpError", "Wire", "WireEnum", "WireUnion"]),
];

/// The tokens of a file with the imports they need after the file's own docs.
pub(super) fn with_imports(tokens: TokenStream) -> TokenStream {
    let mut said = BTreeSet::new();
    let mut declared = BTreeSet::new();
    names(&tokens, &mut said, &mut declared);
    let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, names) in KNOWN {
        let used = names.iter().filter(|name| said.contains(**name) && !declared.contains(**name));
        for name in used {
            imports.entry(path).or_default().insert(name);
        }
    }
    let lines = imports.into_iter().map(|(path, names)| {
        let path: TokenStream = path.parse().expect("the table holds paths");
        let names = names.into_iter().map(ident);
        quote!(use #path::{#(#names),*};)
    });
    let (docs, rest) = split_docs(tokens);
    quote!(#docs #(#lines)* #rest)
}

/// The names that stand without a path before them, and those that the file declares or imports itself.
fn names(tokens: &TokenStream, said: &mut BTreeSet<String>, declared: &mut BTreeSet<String>) {
    let mut after_path = false;
    let mut colons = 0;
    let mut before: Option<String> = None;
    let (mut in_enum, mut in_mod) = (false, false);
    for token in tokens.clone() {
        match &token {
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let declares = matches!(before.as_deref(), Some("struct" | "enum" | "type" | "trait" | "mod" | "use"));
                if declares {
                    declared.insert(name.clone());
                    in_enum = before.as_deref() == Some("enum");
                    in_mod = before.as_deref() == Some("mod");
                } else if !after_path {
                    said.insert(name.clone());
                }
                before = Some(name);
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            TokenTree::Group(group) => {
                if in_mod && group.delimiter() == Delimiter::Brace {
                    // A module inside the file has imports of its own.
                    in_mod = false;
                    continue;
                }
                if in_enum && group.delimiter() == Delimiter::Brace {
                    declared.extend(variants(group.stream()));
                    in_enum = false;
                }
                names(&group.stream(), said, declared);
                (before, colons) = (None, 0);
            }
            TokenTree::Punct(punct) => {
                in_mod &= punct.as_char() != ';';
                (before, colons) = (None, 0);
            }
            TokenTree::Literal(_) => (before, colons) = (None, 0),
        }
        after_path = colons == 2;
    }
}

/// The names of an enum's variants: what stands at its beginning and after each comma, attributes aside.
fn variants(body: TokenStream) -> Vec<String> {
    let mut variants = Vec::new();
    let mut begins = true;
    for token in body {
        match token {
            TokenTree::Ident(name) if begins => {
                variants.push(name.to_string());
                begins = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => begins = true,
            _ => {}
        }
    }
    variants
}

/// The inner doc attributes at the head of a file, and the rest.
fn split_docs(tokens: TokenStream) -> (TokenStream, TokenStream) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut end = 0;
    while let [TokenTree::Punct(pound), TokenTree::Punct(bang), TokenTree::Group(_), ..] = &tokens[end..] {
        if pound.as_char() != '#' || bang.as_char() != '!' {
            break;
        }
        end += 3;
    }
    let rest = tokens[end..].iter().cloned().collect();
    (tokens.into_iter().take(end).collect(), rest)
}
