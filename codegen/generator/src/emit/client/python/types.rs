//! Types.

use std::collections::{BTreeMap, BTreeSet};

use super::super::lines::{IndentedLines, quoted};
use super::super::model::{ClientPackage, field_doc, may_be_absent, named};
use super::annotations::{field_type, ty};
use super::names::{is_identifier, type_name};
use super::source::head;
use crate::client_model::{ApiField, ApiShape, ApiType, ApiTypeDef, ApiVariant};
use crate::map::IndexMap;
use crate::model::Primitive;

/// The types of one file of the spec.
pub(super) fn module(package: &ClientPackage<'_>, module: &str, types: &[(&str, &ApiTypeDef)]) -> String {
    let mut body = IndentedLines::new(4);
    for (name, def) in types {
        body.line("");
        body.line("");
        definition(&mut body, package, name, def);
    }
    let body = body.done();
    let mut others: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, def) in types {
        for name in named(package, def) {
            let place = package.module_of(name);
            if place != module {
                others.entry(place).or_default().insert(type_name(package.document, name));
            }
        }
    }
    let mut lines = head(&format!("Types of `{module}`."));
    let mut names: Vec<&str> = typing(package, types).into_iter().collect();
    if !others.is_empty() {
        names.insert(0, "TYPE_CHECKING");
    }
    if !names.is_empty() {
        lines.line(format!("from typing import {}", names.join(", ")));
    }
    if !others.is_empty() {
        lines.line("");
        lines.line("if TYPE_CHECKING:");
        lines.within(|lines| {
            for (place, names) in &others {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                lines.line(format!("from .{place} import {}", names.join(", ")));
            }
        });
    }
    lines.done() + &body
}

/// The names of `typing` that definitions are written with, in their order.
fn typing(package: &ClientPackage<'_>, types: &[(&str, &ApiTypeDef)]) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    for (_, def) in types {
        let fields = |fields: &IndexMap<String, ApiField>, names: &mut BTreeSet<&str>| {
            for field in fields.values() {
                names.extend(may_be_absent(field).then_some("NotRequired"));
                names.extend(typing_of(&field.ty));
            }
        };
        match &def.shape {
            ApiShape::Struct { fields: own, .. } => {
                names.insert("TypedDict");
                fields(own, &mut names);
            }
            ApiShape::Enum { .. } => names.extend(["Literal", "TypeAlias"]),
            ApiShape::Union { of, .. } => {
                names.extend(["Literal", "TypeAlias", "TypeGuard", "TypedDict"]);
                of.values().for_each(|variant| fields(variant_fields(package, variant), &mut names));
            }
            ApiShape::Newtype { is, .. } => {
                names.insert("TypeAlias");
                names.extend(typing_of(is));
            }
        }
    }
    names
}

/// The name of `typing` in an annotation.
fn typing_of(ty: &ApiType) -> Option<&'static str> {
    match ty {
        ApiType::Const(_) => Some("Literal"),
        ApiType::List(item) | ApiType::Map(item) | ApiType::TextOrList(item) => typing_of(item),
        ApiType::Primitive(Primitive::Json) => Some("Any"),
        ApiType::Primitive(_) | ApiType::Ref(_) => None,
    }
}

/// The fields of a variant of a union, written in place or those of its type.
fn variant_fields<'p>(package: &'p ClientPackage<'_>, variant: &'p ApiVariant) -> &'p IndexMap<String, ApiField> {
    match variant.named.as_ref().and_then(|named| package.document.types.get(named)).map(|def| &def.shape) {
        Some(ApiShape::Struct { fields, .. }) => fields,
        _ => &variant.fields,
    }
}

pub(super) fn index(package: &ClientPackage<'_>) -> String {
    let mut lines = head("All types.");
    let mut all = Vec::new();
    for (module, types) in package.modules() {
        let mut names = Vec::new();
        for (name, def) in types {
            let own = type_name(package.document, name);
            if let ApiShape::Union { open, of, .. } = &def.shape {
                names.extend(of.keys().map(|tag| package.names.variant(name, tag).to_owned()));
                names.extend(of.keys().map(|tag| guard(&own, tag)));
                names.extend(open.then(|| package.names.unknown(name).to_owned()));
            }
            names.push(own);
        }
        names.sort_unstable();
        lines.line(format!("from .{module} import ("));
        lines.within(|lines| names.iter().for_each(|name| lines.line(format!("{name},"))));
        lines.line(")");
        all.extend(names);
    }
    all.sort_unstable();
    lines.line("");
    lines.line("__all__ = [");
    lines.within(|lines| all.iter().for_each(|name| lines.line(format!("{},", quoted(name)))));
    lines.line("]");
    lines.done()
}

/// `is_content_block_tool_use`
fn guard(union: &str, tag: &str) -> String {
    format!("is_{}", crate::naming::snake(&format!("{union}{}", crate::naming::upper_camel(tag))))
}

fn definition(lines: &mut IndentedLines, package: &ClientPackage<'_>, name: &str, def: &ApiTypeDef) {
    let place = |name: &str| type_name(package.document, name);
    let own = type_name(package.document, name);
    let doc = def.doc.as_deref().unwrap_or_default();
    match &def.shape {
        ApiShape::Struct { fields, .. } => object(lines, &own, doc, fields, None, &place),
        ApiShape::Enum { open, words } => {
            let known: Vec<String> = words.keys().map(|word| quoted(word)).collect();
            let open = if *open { " | str" } else { "" };
            lines.line(format!("{own}: TypeAlias = Literal[{}]{open}", known.join(", ")));
            let meant: Vec<String> = words
                .iter()
                .filter_map(|(word, of)| Some(format!("- `{word}`: {}", of.doc.as_deref()?.trim())))
                .collect();
            lines.quoted_doc(&[doc.to_owned()].into_iter().chain(meant).collect::<Vec<_>>().join("\n\n"));
        }
        ApiShape::Union { by, open, of } => union(lines, package, (name, doc), (by, *open), of),
        ApiShape::Newtype { is, .. } => {
            lines.line(format!("{own}: TypeAlias = {}", quoted_alias(&ty(is, &place))));
            lines.quoted_doc(doc);
        }
    }
}

/// An alias is read when the module is, and may name what is not there yet.
fn quoted_alias(ty: &str) -> String {
    quoted(&ty.replace('"', "'"))
}

fn union(
    lines: &mut IndentedLines,
    package: &ClientPackage<'_>,
    (name, doc): (&str, &str),
    (by, open): (&str, bool),
    of: &IndexMap<String, ApiVariant>,
) {
    let place = |name: &str| type_name(package.document, name);
    let own = place(name);
    for (tag, of) in of {
        let fields = variant_fields(package, of);
        object(lines, package.names.variant(name, tag), &format!("`{by}`: `{tag}`."), fields, Some((by, tag)), &place);
        lines.line("");
        lines.line("");
    }
    if open {
        let doc = format!("Any other `{by}`: what was not known when this package was made.");
        dictionary(lines, package.names.unknown(name), &doc, &[(by.to_owned(), "str".to_owned(), String::new())]);
        lines.line("");
        lines.line("");
    }
    let known = of.keys().map(|tag| package.names.variant(name, tag));
    let all: Vec<&str> = known.chain(open.then(|| package.names.unknown(name))).collect();
    lines.line(format!("{own}: TypeAlias = \"{}\"", all.join(" | ")));
    lines.quoted_doc(doc);
    for tag in of.keys() {
        lines.line("");
        lines.line("");
        let variant = package.names.variant(name, tag);
        lines.line(format!("def {}(value: {own}) -> TypeGuard[{variant}]:", guard(&own, tag)));
        lines.within(|lines| {
            lines.quoted_doc(&format!("Whether `{by}` is `{tag}`."));
            lines.line(format!("return value[{}] == {}", quoted(by), quoted(tag)));
        });
    }
}

fn object(
    lines: &mut IndentedLines,
    own: &str,
    doc: &str,
    fields: &IndexMap<String, ApiField>,
    tag: Option<(&str, &str)>,
    place: &impl Fn(&str) -> String,
) {
    let tag = tag.map(|(by, tag)| (by.to_owned(), format!("Literal[{}]", quoted(tag)), String::new()));
    let of = |(name, field): (&String, &ApiField)| {
        let ty = field_type(field, place);
        let ty = if may_be_absent(field) { format!("NotRequired[{ty}]") } else { ty };
        (name.clone(), ty, field_doc(field))
    };
    let own_tag = tag.as_ref().map(|(by, ..)| by.clone());
    let rest = fields.iter().filter(|(name, _)| own_tag.as_ref() != Some(*name)).map(of);
    let members: Vec<(String, String, String)> = tag.into_iter().chain(rest).collect();
    dictionary(lines, own, doc, &members);
}

/// The words of an annotation.
fn words(annotation: &str) -> impl Iterator<Item = &str> {
    annotation.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

/// A dictionary with these members: their names, types and words.
pub(super) fn dictionary(lines: &mut IndentedLines, own: &str, doc: &str, members: &[(String, String, String)]) {
    // Inside a class, the name of a member is no longer that of a type.
    let is_type = |name: &str| members.iter().any(|(_, ty, _)| words(ty).any(|word| word == name));
    if members.iter().all(|(name, ..)| is_identifier(name) && !is_type(name)) {
        lines.line(format!("class {own}(TypedDict):"));
        lines.within(|lines| {
            lines.quoted_doc(if doc.is_empty() { "Without words." } else { doc });
            for (name, ty, doc) in members {
                lines.line("");
                lines.line(format!("{name}: {ty}"));
                lines.quoted_doc(doc);
            }
        });
    } else {
        lines.line(format!("{own} = TypedDict("));
        lines.within(|lines| {
            lines.line(format!("{},", quoted(own)));
            lines.line("{");
            lines.within(|lines| {
                for (name, ty, doc) in members {
                    lines.marked_doc("#", doc);
                    lines.line(format!("{}: {},", quoted(name), quoted_alias(ty)));
                }
            });
            lines.line("},");
        });
        lines.line(")");
        lines.quoted_doc(doc);
    }
}
