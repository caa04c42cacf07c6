//! Types.

use super::super::lines::IndentedLines;
use super::super::model::{ClientPackage, field_doc, may_be_absent};
use super::layout::{self, STEP, quoted};
use super::names::{field_name, type_name, variant};
use super::value_types::{only, only_name, ty};
use crate::client_model::{ApiDocument, ApiEnumWord, ApiField, ApiShape, ApiType, ApiTypeDef, ApiVariant};
use crate::map::IndexMap;
use crate::model::Primitive;
use crate::naming;

/// The types of one file of the spec.
pub(super) fn module(package: &ClientPackage<'_>, module: &str, types: &[(&str, &ApiTypeDef)]) -> String {
    let mut lines = IndentedLines::new(STEP);
    lines.line(format!("//! Types of `{module}`."));
    if types.iter().any(|(_, def)| !matches!(def.shape, ApiShape::Newtype { .. })) {
        lines.gap();
        lines.line("use serde::{Deserialize, Serialize};");
    }
    for (name, def) in types {
        lines.gap();
        definition(&mut lines, package, name, def);
    }
    lines.done()
}

pub(super) fn index(package: &ClientPackage<'_>) -> String {
    let mut lines = IndentedLines::new(STEP);
    lines.line("//! All types.");
    lines.gap();
    for module in package.modules().keys() {
        lines.line(format!("mod {};", naming::word(module)));
    }
    let words = only(package.document);
    if !words.is_empty() {
        lines.gap();
        lines.line("use serde::{Deserialize, Serialize};");
    }
    lines.gap();
    for module in package.modules().keys() {
        lines.line(format!("pub use {}::*;", naming::word(module)));
    }
    for word in words {
        lines.gap();
        lines.line(format!("/// Always `{word}`."));
        lines.line("#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]");
        lines.line(format!("pub enum {} {{", only_name(package.document, word)));
        lines.within(|lines| {
            lines.line(format!("/// `{word}`"));
            lines.line("#[default]");
            lines.line(format!("#[serde(rename = {})]", quoted(word)));
            lines.line(format!("{},", variant(word)));
        });
        lines.line("}");
    }
    lines.done()
}

fn definition(lines: &mut IndentedLines, package: &ClientPackage<'_>, name: &str, def: &ApiTypeDef) {
    let document = package.document;
    let own = type_name(document, name);
    let doc = def.doc.as_deref().unwrap_or("Without words.");
    match &def.shape {
        ApiShape::Struct { open, fields } => {
            lines.marked_doc("///", doc);
            // A later version may have more fields; a program that makes values of it names all.
            if package.is_received(name) && !package.is_asked(name) {
                lines.line("#[non_exhaustive]");
            }
            structure(lines, document, (&own, name), fields, *open || package.is_received(name));
        }
        ApiShape::Enum { open, words } => enumeration(lines, &own, doc, *open, words),
        ApiShape::Union { by, open, of } => {
            lines.marked_doc("///", doc);
            union(lines, package, name, (by, *open), of);
            for (tag, of) in of {
                let named = of.named.as_ref().and_then(|named| document.types.get(named)).map(|def| &def.shape);
                let fields = match named {
                    Some(ApiShape::Struct { fields, .. }) => fields,
                    _ => &of.fields,
                };
                let fields: IndexMap<String, ApiField> = fields
                    .iter()
                    .filter(|(name, _)| *name != by)
                    .map(|(name, field)| (name.clone(), field.clone()))
                    .collect();
                lines.gap();
                lines.line(format!("/// `{by}`: `{tag}`."));
                structure(lines, document, (package.names.variant(name, tag), name), &fields, true);
            }
        }
        ApiShape::Newtype { is, .. } => {
            lines.marked_doc("///", doc);
            lines.line(format!("pub type {own} = {};", ty(document, is)));
        }
    }
}

fn union(
    lines: &mut IndentedLines,
    package: &ClientPackage<'_>,
    name: &str,
    (by, open): (&str, bool),
    of: &IndexMap<String, ApiVariant>,
) {
    let own = type_name(package.document, name);
    lines.line("#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]");
    lines.line(format!("#[serde(tag = {})]", quoted(by)));
    if open {
        lines.line("#[non_exhaustive]");
    }
    lines.line(format!("pub enum {own} {{"));
    lines.within(|lines| {
        for tag in of.keys() {
            lines.line(format!("/// `{tag}`"));
            lines.line(format!("#[serde(rename = {})]", quoted(tag)));
            lines.line(format!("{}({}),", variant(tag), package.names.variant(name, tag)));
        }
        if open {
            lines.line("/// A kind that was not known when this package was made.");
            lines.line("#[serde(untagged)]");
            lines.line(format!("{}(serde_json::Value),", other(of.keys())));
        }
    });
    lines.line("}");
}

fn enumeration(lines: &mut IndentedLines, own: &str, doc: &str, open: bool, words: &IndexMap<String, ApiEnumWord>) {
    lines.marked_doc("///", doc);
    lines.line("#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]");
    if open {
        lines.line("#[non_exhaustive]");
    }
    lines.line(format!("pub enum {own} {{"));
    lines.within(|lines| {
        for (word, of) in words {
            lines.marked_doc("///", of.doc.as_deref().unwrap_or(&format!("`{word}`")));
            lines.line(format!("#[serde(rename = {})]", quoted(word)));
            lines.line(format!("{},", variant(word)));
        }
        if open {
            lines.line("/// A word that was not known when this package was made.");
            lines.line("#[serde(untagged)]");
            lines.line(format!("{}(String),", other(words.keys())));
        }
    });
    lines.line("}");
}

/// The name of the variant that stands for all that is none of these words.
fn other<'w>(words: impl Iterator<Item = &'w String>) -> String {
    let variants: Vec<String> = words.map(|word| naming::upper_camel(word)).collect();
    naming::other_than(&variants.iter().map(String::as_str).collect::<Vec<_>>())
}

fn structure(
    lines: &mut IndentedLines,
    document: &ApiDocument,
    (own, name): (&str, &str),
    fields: &IndexMap<String, ApiField>,
    further: bool,
) {
    let has_default = fields.values().all(|field| has_default(document, field, 0));
    let default = if has_default { ", Default" } else { "" };
    let secrets = fields.values().any(|field| field.secret);
    let debug = if secrets { "" } else { "Debug, " };
    lines.line(format!("#[derive({debug}Clone, PartialEq, Serialize, Deserialize{default})]"));
    if fields.is_empty() && !further {
        lines.line(format!("pub struct {own} {{}}"));
        return;
    }
    lines.line(format!("pub struct {own} {{"));
    lines.within(|lines| {
        for (wire, field) in fields {
            self::field(lines, document, name, wire, field);
        }
        if further {
            lines.line("/// Members that are not listed, as they are.");
            lines.line("#[serde(flatten)]");
            lines.line("pub further: serde_json::Map<String, serde_json::Value>,");
        }
    });
    lines.line("}");
    if secrets {
        debug_without_secrets(lines, own, fields, further);
    }
}

/// A field of the type of that name.
fn field(lines: &mut IndentedLines, document: &ApiDocument, name: &str, wire: &str, field: &ApiField) {
    lines.marked_doc("///", &or_wire(&field_doc(field), wire));
    let rust = field_name(wire, field);
    let mut attributes = Vec::new();
    if rust != *wire {
        attributes.push(format!("rename = {}", quoted(wire)));
    }
    let mut of = ty(document, &field.ty);
    if leads_back(document, &field.ty, name, 0) {
        of = format!("Box<{of}>");
    }
    if field.nullable {
        of = format!("Option<{of}>");
    }
    if may_be_absent(field) {
        of = format!("Option<{of}>");
        attributes.push("default".to_owned());
        attributes.push("skip_serializing_if = \"Option::is_none\"".to_owned());
        if field.nullable || is_json(document, &field.ty) {
            attributes.push("deserialize_with = \"crate::runtime::present\"".to_owned());
        }
    }
    if !attributes.is_empty() {
        layout::attribute(lines, "serde", &attributes);
    }
    lines.line(format!("pub {rust}: {of},"));
}

fn debug_without_secrets(lines: &mut IndentedLines, own: &str, fields: &IndexMap<String, ApiField>, further: bool) {
    let shown = |(wire, field): (&String, &ApiField)| {
        let name = field_name(wire, field);
        let value = if field.secret { "&\"…\"".to_owned() } else { format!("&self.{name}") };
        format!(".field({}, {value})", quoted(&name))
    };
    let begins = format!(".debug_struct({})", quoted(own));
    let further = further.then(|| ".field(\"further\", &self.further)".to_owned());
    let calls: Vec<String> = std::iter::once(begins)
        .chain(fields.iter().map(shown))
        .chain(further)
        .chain([".finish()".to_owned()])
        .collect();
    lines.gap();
    lines.line(format!("impl std::fmt::Debug for {own} {{"));
    lines.within(|lines| {
        lines.line("/// Without what is secret.");
        lines.line("fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {");
        lines.within(|lines| layout::chain(lines, "", "formatter", &calls, ""));
        lines.line("}");
    });
    lines.line("}");
}

fn or_wire(doc: &str, wire: &str) -> String {
    if doc.is_empty() { format!("`{wire}`") } else { doc.to_owned() }
}

/// True if null is one of a type's own values.
fn is_json(document: &ApiDocument, ty: &ApiType) -> bool {
    match ty {
        ApiType::Primitive(primitive) => *primitive == Primitive::Json,
        ApiType::Ref(name) => match document.types.get(name).map(|def| &def.shape) {
            Some(ApiShape::Newtype { is, .. }) => is_json(document, is),
            Some(ApiShape::Struct { .. } | ApiShape::Enum { .. } | ApiShape::Union { .. }) | None => false,
        },
        ApiType::Const(_) | ApiType::List(_) | ApiType::TextOrList(_) | ApiType::Map(_) => false,
    }
}

/// True if a type holds itself without a list or map between.
fn leads_back(document: &ApiDocument, ty: &ApiType, to: &str, depth: usize) -> bool {
    let ApiType::Ref(name) = ty else { return false };
    if name == to {
        return true;
    }
    if depth > 16 {
        return false;
    }
    let through = |fields: &IndexMap<String, ApiField>| {
        fields.values().any(|field| leads_back(document, &field.ty, to, depth + 1))
    };
    match document.types.get(name).map(|def| &def.shape) {
        Some(ApiShape::Struct { fields, .. }) => through(fields),
        Some(ApiShape::Union { of, .. }) => of.values().any(|variant| {
            through(&variant.fields)
                || variant
                    .named
                    .as_ref()
                    .is_some_and(|named| leads_back(document, &ApiType::Ref(named.clone()), to, depth + 1))
        }),
        Some(ApiShape::Newtype { is, .. }) => leads_back(document, is, to, depth + 1),
        Some(ApiShape::Enum { .. }) | None => false,
    }
}

fn has_default(document: &ApiDocument, field: &ApiField, depth: usize) -> bool {
    may_be_absent(field) || field.nullable || type_has_default(document, &field.ty, depth)
}

pub(super) fn type_has_default(document: &ApiDocument, ty: &ApiType, depth: usize) -> bool {
    match ty {
        ApiType::Const(_) | ApiType::List(_) | ApiType::TextOrList(_) | ApiType::Map(_) => true,
        ApiType::Primitive(primitive) => !matches!(primitive, Primitive::Bytes),
        ApiType::Ref(name) if depth < 16 => match document.types.get(name).map(|def| &def.shape) {
            Some(ApiShape::Struct { fields, .. }) => {
                fields.values().all(|field| has_default(document, field, depth + 1))
            }
            Some(ApiShape::Newtype { is, .. }) => type_has_default(document, is, depth + 1),
            Some(ApiShape::Enum { .. } | ApiShape::Union { .. }) | None => false,
        },
        ApiType::Ref(_) => false,
    }
}
