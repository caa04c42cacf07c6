//! DTOs: one module per file of the spec that declares a reached type.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use quote::quote;

use super::doc::{docs, lines};
use super::scope::{CodePosition, ImportScope};
use super::source::{MARK, RustFileJob, RustSource, job};
use super::tokens::{ident, joined, quoted};
use super::ty::{bound_words, ty};
use crate::map::IndexMap;
use crate::naming::{self, word};
use crate::resolve::{
    ResolvedBounds, ResolvedEnumWord, ResolvedField, ResolvedShape, ResolvedSpec, ResolvedType, ResolvedTypeDef,
    ResolvedVariant,
};

/// The files under `types/`, with the door.
pub(super) fn files<'l>(lowered: &'l ResolvedSpec<'_>) -> impl Iterator<Item = (String, RustFileJob<'l>)> {
    let mut modules: BTreeMap<&str, Vec<(&str, &ResolvedTypeDef<'_>)>> = BTreeMap::new();
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
        let made: RustFileJob<'_> = Box::new(move || RustSource::written(&self::module(module, &types, lowered)));
        (format!("types/{module}"), made)
    });
    std::iter::once(door).chain(files)
}

#[derive(Template)]
#[template(path = "types.rs", escape = "none")]
struct TypesModule<'l> {
    mark: &'l str,
    name: &'l str,
    macros: String,
    imports: Vec<String>,
    items: Vec<TypeItem>,
}

/// A type as the template writes it.
struct TypeItem {
    docs: Vec<String>,
    derives: &'static str,
    /// The words of the macro's attribute.
    words: String,
    name: String,
    body: TypeItemBody,
}

enum TypeItemBody {
    /// Of one unnamed field, of this type.
    Is(String),
    /// A `struct` or an `enum` of these.
    Has(&'static str, Vec<ItemEntry>),
}

/// A field or a variant.
struct ItemEntry {
    docs: Vec<String>,
    words: String,
    text: String,
}

impl TypeItem {
    /// The macro that it is given to: the last of its derives.
    fn wired(&self) -> &'static str {
        self.derives.rsplit(", ").next().unwrap_or_default()
    }
}

fn module<'l>(
    module: &'l str,
    types: &[(&str, &ResolvedTypeDef<'_>)],
    lowered: &'l ResolvedSpec<'_>,
) -> TypesModule<'l> {
    let scope = ImportScope::new(CodePosition::Types(module), lowered);
    let items: Vec<TypeItem> = types.iter().flat_map(|(name, def)| items(name, def, &scope)).collect();
    let macros: BTreeSet<&str> = items.iter().map(TypeItem::wired).collect();
    let macros = match macros.len() {
        1 => joined(macros),
        _ => format!("{{{}}}", joined(macros)),
    };
    TypesModule { mark: MARK, name: module, macros, imports: scope.imports(), items }
}

/// A type, with those that it alone has.
fn items(name: &str, def: &ResolvedTypeDef<'_>, scope: &ImportScope<'_>) -> Vec<TypeItem> {
    let docs = docs(def.doc, &format!("`{name}` of the spec."));
    let (name, spec) = (word(&def.rust).into_owned(), format!("spec = {}", quoted(&def.origin.at)));
    match &def.shape {
        ResolvedShape::Struct { open, fields } => vec![structure(docs, name, spec, *open, fields, scope)],
        ResolvedShape::Enum { open, words } => vec![names(docs, name, spec, *open, words)],
        ResolvedShape::Union { by, open, of } => union(docs, &name, &spec, by, *open, of, scope),
        ResolvedShape::Newtype { is, bounds } => vec![newtype(docs, name, spec, is, bounds, scope)],
    }
}

/// The field of what the spec does not know.
const REST: &str = "rest";

fn structure(
    docs: Vec<String>,
    name: String,
    spec: String,
    open: bool,
    fields: &IndexMap<&str, ResolvedField<'_>>,
    scope: &ImportScope<'_>,
) -> TypeItem {
    let mut entries: Vec<ItemEntry> = fields.iter().map(|(wire, field)| self::field(wire, field, scope)).collect();
    if open {
        entries.push(ItemEntry {
            docs: lines("Members that the spec does not know, as they came."),
            words: "rest".to_owned(),
            text: format!("pub {REST}: {}", scope.api("Rest")),
        });
    }
    let words = if open { spec + ", open" } else { spec };
    TypeItem { docs, derives: "Debug, Clone, PartialEq, Wire", words, name, body: TypeItemBody::Has("struct", entries) }
}

fn field(wire: &str, field: &ResolvedField<'_>, scope: &ImportScope<'_>) -> ItemEntry {
    let mut words = Vec::new();
    let name = if field.rust == REST { Cow::Borrowed("rest_") } else { word(&field.rust) };
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
    if let ResolvedType::Const(word) = &field.ty {
        words.push(format!("literal = {}", quoted(word)));
    }
    words.extend(bound_words(&field.bounds));
    let mut ty = if field.secret { scope.api("ShownOnce") } else { ty(&field.ty, scope) };
    for _ in 0..usize::from(optional) + usize::from(field.nullable) {
        ty = format!("Option<{ty}>");
    }
    let text = format!("pub {name}: {ty}");
    ItemEntry { docs: docs(field.doc, &format!("`{wire}`.")), words: joined(words), text }
}

fn names(
    docs: Vec<String>,
    name: String,
    spec: String,
    open: bool,
    words: &IndexMap<&str, ResolvedEnumWord<'_>>,
) -> TypeItem {
    let entries = words.iter().map(|(wire, word)| ItemEntry {
        docs: self::docs(word.doc, &format!("`{wire}`.")),
        words: renamed(wire),
        text: self::word(&word.rust).into_owned(),
    });
    let mut entries: Vec<ItemEntry> = entries.collect();
    let derives = if open {
        let variants: Vec<&str> = words.values().map(|word| word.rust.as_str()).collect();
        entries.push(other(&variants, "A word that the spec does not know.", "String"));
        "Debug, Clone, PartialEq, Eq, Hash, WireEnum"
    } else {
        "Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum"
    };
    TypeItem { docs, derives, words: spec, name, body: TypeItemBody::Has("enum", entries) }
}

fn union(
    docs: Vec<String>,
    name: &str,
    spec: &str,
    by: &str,
    open: bool,
    of: &IndexMap<&str, ResolvedVariant<'_>>,
    scope: &ImportScope<'_>,
) -> Vec<TypeItem> {
    let mut items = Vec::new();
    let mut entries = Vec::new();
    for (tag, variant) in of {
        let own = || format!("{}{}", name.trim_end_matches('_'), variant.rust);
        let payload = match variant.named {
            Some(named) => format!("({})", scope.spec_type(named)),
            None if variant.fields.is_empty() => String::new(),
            None => format!("({})", own()),
        };
        entries.push(ItemEntry {
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
        TypeItem {
            docs,
            derives: "Debug, Clone, PartialEq, WireUnion",
            words: format!("by = {}, {spec}", quoted(by)),
            name: name.to_owned(),
            body: TypeItemBody::Has("enum", entries),
        },
    );
    items
}

/// The variant of what the spec does not know, beside these.
fn other(variants: &[&str], about: &str, ty: &str) -> ItemEntry {
    let text = format!("{}({ty})", naming::other_than(variants));
    ItemEntry { docs: lines(about), words: "other".to_owned(), text }
}

/// The attribute for the name of a field or variant on the wire.
fn renamed(wire: &str) -> String {
    format!("name = {}", quoted(wire))
}

fn newtype(
    docs: Vec<String>,
    name: String,
    spec: String,
    is: &ResolvedType,
    bounds: &ResolvedBounds<'_>,
    scope: &ImportScope<'_>,
) -> TypeItem {
    let words = joined(std::iter::once(spec).chain(bound_words(bounds)));
    TypeItem { docs, derives: "Debug, Clone, PartialEq, Wire", words, name, body: TypeItemBody::Is(ty(is, scope)) }
}
