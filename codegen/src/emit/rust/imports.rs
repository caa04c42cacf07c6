//! The `use` lines of a file: exactly the names that its tokens say without a path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use super::ident;
use crate::map::HashMap;

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

/// Where each name of the table comes from.
static HOMES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| KNOWN.iter().flat_map(|(path, names)| names.iter().map(|name| (*name, *path))).collect());

/// Modules of ours by which operations name things.
const MODULES: &[(&str, &str)] = &[
    ("names", "super::super::auth::names"),
    ("auth", "super::super::auth"),
    (CODE, "super::super::errors::code"),
    ("envelopes", "super::super::errors::envelopes"),
    ("limits", "super::super::limits"),
    ("types", "super::super::types"),
];
/// The one that stands in attributes too: `#[code(NAME)]`.
const CODE: &str = "code";

/// The tokens of a file with the imports they need after the file's own docs; a file of operations has modules of ours too.
pub(super) fn with_imports(tokens: TokenStream, of_operations: bool) -> TokenStream {
    let mut names = Names::default();
    names.read(tokens.clone(), Delimiter::None);
    let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for name in names.said.difference(&names.declared) {
        imports.entry(HOMES[name]).or_default().insert(name);
    }
    let lines = imports.into_iter().map(|(path, names)| {
        let path: TokenStream = path.parse().expect("the table holds paths");
        let names = names.into_iter().map(ident);
        quote!(use #path::{#(#names),*};)
    });
    let modules = MODULES.iter().filter(|(name, _)| of_operations && names.modules.contains(name)).map(|(_, path)| {
        let path: TokenStream = path.parse().expect("the table holds paths");
        quote!(use #path;)
    });
    let (docs, rest) = split_docs(tokens);
    quote!(#docs #(#lines)* #(#modules)* #rest)
}

/// What the word before a name declares it as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declared {
    Enum,
    Mod,
    Other,
}

/// The names of the table that stand without a path before them, and those that the file declares or imports itself.
#[derive(Debug, Default)]
struct Names {
    said: BTreeSet<&'static str>,
    declared: BTreeSet<&'static str>,
    /// The modules of ours that something is named by.
    modules: BTreeSet<&'static str>,
}

impl Names {
    /// Reads what stands between such brackets.
    fn read(&mut self, tokens: TokenStream, inside: Delimiter) {
        let mut colons = 0;
        let mut before = None;
        // The module that the last word may be.
        let mut module = None;
        // What was declared last, until its body.
        let mut open = None;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    let known = known(&name);
                    match before {
                        Some(declared) => {
                            self.declared.extend(known);
                            open = Some(declared);
                        }
                        None if colons != 2 => self.said.extend(known),
                        None => {}
                    }
                    module = MODULES.iter().map(|(module, _)| *module).find(|module| *module == name);
                    before = declares(&name);
                    colons = 0;
                    continue;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    if colons == 2 {
                        self.modules.extend(module.take());
                    }
                    continue;
                }
                TokenTree::Punct(punct) => open = open.filter(|open| *open != Declared::Mod || punct.as_char() != ';'),
                TokenTree::Group(group) => {
                    let is_attribute = inside == Delimiter::Bracket && group.delimiter() == Delimiter::Parenthesis;
                    self.modules.extend(module.filter(|module| is_attribute && *module == CODE));
                    let ends = if group.delimiter() == Delimiter::Brace { open.take() } else { None };
                    if ends == Some(Declared::Enum) {
                        self.variants(group.stream());
                    }
                    // A module inside the file has imports of its own.
                    if ends != Some(Declared::Mod) {
                        self.read(group.stream(), group.delimiter());
                    }
                }
                TokenTree::Literal(_) => {}
            }
            (before, module, colons) = (None, None, 0);
        }
    }

    /// Reads the names of an enum's variants: what stands at its beginning and after each comma, attributes aside.
    fn variants(&mut self, body: TokenStream) {
        let mut begins = true;
        for token in body {
            match token {
                TokenTree::Ident(name) if begins => {
                    self.declared.extend(known(&name.to_string()));
                    begins = false;
                }
                TokenTree::Punct(punct) if punct.as_char() == ',' => begins = true,
                _ => {}
            }
        }
    }
}

/// A name of the table. None of them begins with a small letter, as most words do.
fn known(name: &str) -> Option<&'static str> {
    if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    HOMES.get_key_value(name).map(|(name, _)| *name)
}

fn declares(word: &str) -> Option<Declared> {
    match word {
        "enum" => Some(Declared::Enum),
        "mod" => Some(Declared::Mod),
        "struct" | "type" | "trait" | "use" => Some(Declared::Other),
        _ => None,
    }
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
