//! Types.

use std::collections::{BTreeMap, BTreeSet};

use super::super::lines::{IndentedLines, quoted};
use super::super::model::{ClientPackage, field_doc, may_be_absent};
use super::annotations::{field_type, ty};
use super::names::{key, type_name};
use super::source::head;
use crate::client_model::{ApiField, ApiShape, ApiTypeDef, ApiVariant, named_in};
use crate::map::IndexMap;

/// The types of one file of the spec.
pub(super) fn module(package: &ClientPackage<'_>, module: &str, types: &[(&str, &ApiTypeDef)]) -> String {
    let mut lines = head();
    let mut others: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, def) in types {
        for name in named_in(&def.shape) {
            let place = package.module_of(name);
            if place != module {
                others.entry(place).or_default().insert(type_name(package.document, name));
            }
        }
    }
    let unlisted = types.iter().any(|(_, def)| matches!(def.shape, ApiShape::Union { open: true, .. }));
    if unlisted {
        lines.line("import type { Unlisted } from \"../runtime.js\";");
    }
    for (place, names) in &others {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        lines.line(format!("import type {{ {} }} from \"./{place}.js\";", names.join(", ")));
    }
    for (name, def) in types {
        lines.line("");
        definition(&mut lines, package, name, def);
    }
    lines.done()
}

pub(super) fn index(package: &ClientPackage<'_>) -> String {
    let mut lines = head();
    for module in package.modules().keys() {
        lines.line(format!("export type * from \"./{module}.js\";"));
    }
    lines.done()
}

fn definition(lines: &mut IndentedLines, package: &ClientPackage<'_>, name: &str, def: &ApiTypeDef) {
    let place = |name: &str| type_name(package.document, name);
    let own = type_name(package.document, name);
    let doc = def.doc.as_deref().unwrap_or_default();
    match &def.shape {
        ApiShape::Struct { open, fields } => {
            lines.star_doc(doc);
            lines.line(format!("export interface {own} {{"));
            lines.within(|lines| {
                members(lines, fields, &place);
                if *open {
                    lines.line("[key: string]: unknown;");
                }
            });
            lines.line("}");
        }
        ApiShape::Enum { open, words } => {
            let meant: Vec<String> = words
                .iter()
                .filter_map(|(word, of)| Some(format!("- `{word}`: {}", of.doc.as_deref()?.trim())))
                .collect();
            lines.star_doc(&[doc.to_owned()].into_iter().chain(meant).collect::<Vec<_>>().join("\n\n"));
            let known = words.keys().map(|word| quoted(word));
            let all: Vec<String> = known.chain(open.then(|| "(string & {})".to_owned())).collect();
            lines.line(format!("export type {own} ="));
            lines.within(|lines| {
                let last = all.len() - 1;
                for (index, word) in all.iter().enumerate() {
                    lines.line(format!("| {word}{}", if index == last { ";" } else { "" }));
                }
            });
        }
        ApiShape::Union { by, open, of } => {
            for (tag, of) in of {
                lines.star_doc(&format!("`{by}`: `{tag}`."));
                member(lines, package, package.names.variant(name, tag), by, (tag, of));
                lines.line("");
            }
            if *open {
                lines.star_doc(&format!("Any other `{by}`: what was not known when this package was made."));
                lines.line(format!("export interface {} {{", package.names.unknown(name)));
                lines.within(|lines| {
                    lines.line(format!("{}: Unlisted;", key(by)));
                    lines.line("[key: string]: unknown;");
                });
                lines.line("}");
                lines.line("");
            }
            lines.star_doc(doc);
            let known = of.keys().map(|tag| package.names.variant(name, tag));
            let all: Vec<&str> = known.chain(open.then(|| package.names.unknown(name))).collect();
            lines.line(format!("export type {own} = {};", all.join(" | ")));
        }
        ApiShape::Newtype { is, .. } => {
            lines.star_doc(doc);
            lines.line(format!("export type {own} = {};", ty(is, &place)));
        }
    }
}

/// A variant of a union.
fn member(lines: &mut IndentedLines, package: &ClientPackage<'_>, own: &str, by: &str, (tag, of): (&str, &ApiVariant)) {
    let place = |name: &str| type_name(package.document, name);
    match &of.named {
        Some(named) => {
            lines.line(format!("export type {own} = {{ {}: {} }} & {};", key(by), quoted(tag), place(named)));
        }
        None => {
            lines.line(format!("export interface {own} {{"));
            lines.within(|lines| {
                lines.line(format!("{}: {};", key(by), quoted(tag)));
                members(lines, &of.fields, &place);
                lines.line("[key: string]: unknown;");
            });
            lines.line("}");
        }
    }
}

pub(super) fn members(lines: &mut IndentedLines, fields: &IndexMap<String, ApiField>, place: &impl Fn(&str) -> String) {
    for (name, field) in fields {
        lines.star_doc(&field_doc(field));
        let mark = if may_be_absent(field) { "?" } else { "" };
        lines.line(format!("{}{mark}: {};", key(name), field_type(field, place)));
    }
}
