//! DTOs: one module per file of the spec that declares a reached type.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use quote::quote;

use super::doc::{docs, lines};
use super::scope::{Scope, Stands};
use super::ty::{bound_words, ty};
use super::{Job, MARK, Source, ident, job, joined, quoted, word};
use crate::lower::{Bounds, Field, Lowered, Shape, Ty, TypeDef, Variant, Word};
use crate::map::IndexMap;
use crate::naming;

/// The files under `types/`, with the door.
pub(super) fn files<'l>(lowered: &'l Lowered<'_>) -> impl Iterator<Item = (String, Job<'l>)> {
    let mut modules: BTreeMap<&str, Vec<(&str, &TypeDef<'_>)>> = BTreeMap::new();
    for (name, def) in lowered.types.iter().filter(|(_, def)| def.reached) {
        modules.entry(&def.module).or_default().push((name, def));
    }
    let names: Vec<&str> = modules.keys().copied().collect();
    let door = job("types/mod", move || {
        let names: Vec<_> = names.into_iter().map(ident).collect();
        quote! {
            //! Shapes of bodies and replies, one module per file of the spec.

            #(mod #names;)*

            #(pub use #names::*;)*
        }
    });
    let files = modules.into_iter().map(move |(module, types)| {
        let made: Job<'_> = Box::new(move || Source::written(&self::module(module, &types, lowered)));
        (format!("types/{module}"), made)
    });
    std::iter::once(door).chain(files)
}

#[derive(Template)]
#[template(path = "types.rs", escape = "none")]
struct Module<'l> {
    mark: &'l str,
    name: &'l str,
    macros: String,
    imports: Vec<String>,
    items: Vec<Item>,
}

/// A type as the template writes it.
struct Item {
    docs: Vec<String>,
    derives: &'static str,
    /// The words of the macro's attribute.
    words: String,
    name: String,
    body: Body,
}

enum Body {
    /// Of one unnamed field, of this type.
    Is(String),
    /// A `struct` or an `enum` of these.
    Has(&'static str, Vec<Entry>),
}

/// A field or a variant.
struct Entry {
    docs: Vec<String>,
    words: String,
    text: String,
}

impl Item {
    /// The macro that it is given to: the last of its derives.
    fn wired(&self) -> &'static str {
        self.derives.rsplit(", ").next().unwrap_or_default()
    }
}

fn module<'l>(module: &'l str, types: &[(&str, &TypeDef<'_>)], lowered: &'l Lowered<'_>) -> Module<'l> {
    let scope = Scope::new(Stands::Types(module), lowered);
    let items: Vec<Item> = types.iter().flat_map(|(name, def)| items(name, def, &scope)).collect();
    let macros: BTreeSet<&str> = items.iter().map(Item::wired).collect();
    let macros = match macros.len() {
        1 => joined(macros),
        _ => format!("{{{}}}", joined(macros)),
    };
    Module { mark: MARK, name: module, macros, imports: scope.imports(), items }
}

/// A type, with those that it alone has.
fn items(name: &str, def: &TypeDef<'_>, scope: &Scope<'_>) -> Vec<Item> {
    let docs = docs(def.doc, &format!("`{name}` of the spec."));
    let (name, spec) = (word(&def.rust).into_owned(), format!("spec = {}", quoted(&def.origin.at)));
    match &def.shape {
        Shape::Struct { open, fields } => vec![structure(docs, name, spec, *open, fields, scope)],
        Shape::Enum { open, words } => vec![names(docs, name, spec, *open, words)],
        Shape::Union { by, open, of } => union(docs, &name, &spec, by, *open, of, scope),
        Shape::Newtype { is, bounds } => vec![newtype(docs, name, spec, is, bounds, scope)],
    }
}

fn structure(
    docs: Vec<String>,
    name: String,
    spec: String,
    open: bool,
    fields: &IndexMap<&str, Field<'_>>,
    scope: &Scope<'_>,
) -> Item {
    let mut entries: Vec<Entry> = fields.iter().map(|(wire, field)| self::field(wire, field, scope)).collect();
    if open {
        entries.push(Entry {
            docs: lines("Members that the spec does not know, as they came."),
            words: "rest".to_owned(),
            text: format!("pub rest: {}", scope.api("Rest")),
        });
    }
    let words = if open { spec + ", open" } else { spec };
    Item { docs, derives: "Debug, Clone, PartialEq, Wire", words, name, body: Body::Has("struct", entries) }
}

fn field(wire: &str, field: &Field<'_>, scope: &Scope<'_>) -> Entry {
    let mut words = Vec::new();
    let name = word(&field.rust);
    // The macro takes a raw name for what it is without its mark.
    if name.strip_prefix("r#").unwrap_or(&name) != wire {
        words.push(renamed(wire));
    }
    // A field with a default is never absent in Rust.
    let optional = field.optional && field.default.is_none();
    if optional {
        words.push("optional".to_owned());
    }
    if field.nullable {
        words.push("nullable".to_owned());
    }
    words.extend(field.default.as_ref().map(|default| format!("default = {}", quoted(&default.to_string()))));
    if let Ty::Const(word) = &field.ty {
        words.push(format!("literal = {}", quoted(word)));
    }
    words.extend(bound_words(&field.bounds));
    let mut ty = if field.secret { scope.api("ShownOnce") } else { ty(&field.ty, scope) };
    for _ in 0..usize::from(optional) + usize::from(field.nullable) {
        ty = format!("Option<{ty}>");
    }
    let text = format!("pub {name}: {ty}");
    Entry { docs: docs(field.doc, &format!("`{wire}`.")), words: joined(words), text }
}

fn names(docs: Vec<String>, name: String, spec: String, open: bool, words: &IndexMap<&str, Word<'_>>) -> Item {
    let entries = words.iter().map(|(wire, word)| Entry {
        docs: self::docs(word.doc, &format!("`{wire}`.")),
        words: renamed(wire),
        text: self::word(&word.rust).into_owned(),
    });
    let mut entries: Vec<Entry> = entries.collect();
    let derives = if open {
        let variants: Vec<&str> = words.values().map(|word| word.rust.as_str()).collect();
        entries.push(other(&variants, "A word that the spec does not know.", "String"));
        "Debug, Clone, PartialEq, Eq, Hash, WireEnum"
    } else {
        "Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum"
    };
    Item { docs, derives, words: spec, name, body: Body::Has("enum", entries) }
}

fn union(
    docs: Vec<String>,
    name: &str,
    spec: &str,
    by: &str,
    open: bool,
    of: &IndexMap<&str, Variant<'_>>,
    scope: &Scope<'_>,
) -> Vec<Item> {
    let mut items = Vec::new();
    let mut entries = Vec::new();
    for (tag, variant) in of {
        let own = || format!("{name}{}", variant.rust);
        let payload = match variant.named {
            Some(named) => format!("({})", scope.spec_type(named)),
            None if variant.fields.is_empty() => String::new(),
            None => format!("({})", own()),
        };
        entries.push(Entry {
            docs: lines(&format!("`{by}` is `{tag}`.")),
            words: renamed(tag),
            text: format!("{}{payload}", word(&variant.rust)),
        });
        if variant.named.is_none() && !variant.fields.is_empty() {
            let docs = lines(&format!("A `{name}` whose `{by}` is `{tag}`."));
            items.push(structure(docs, own(), spec.to_owned(), open, &variant.fields, scope));
        }
    }
    if open {
        let variants: Vec<&str> = of.values().map(|variant| variant.rust.as_str()).collect();
        entries.push(other(&variants, "A kind that the spec does not know, as it came.", &scope.api("Unknown")));
    }
    items.insert(
        0,
        Item {
            docs,
            derives: "Debug, Clone, PartialEq, WireUnion",
            words: format!("by = {}, {spec}", quoted(by)),
            name: name.to_owned(),
            body: Body::Has("enum", entries),
        },
    );
    items
}

/// The variant of what the spec does not know, beside these.
fn other(variants: &[&str], about: &str, ty: &str) -> Entry {
    let text = format!("{}({ty})", naming::other_than(variants));
    Entry { docs: lines(about), words: "other".to_owned(), text }
}

/// The attribute for the name of a field or variant on the wire.
fn renamed(wire: &str) -> String {
    format!("name = {}", quoted(wire))
}

fn newtype(docs: Vec<String>, name: String, spec: String, is: &Ty, bounds: &Bounds<'_>, scope: &Scope<'_>) -> Item {
    let words = joined(std::iter::once(spec).chain(bound_words(bounds)));
    Item { docs, derives: "Debug, Clone, PartialEq, Wire", words, name, body: Body::Is(ty(is, scope)) }
}
