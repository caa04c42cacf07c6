//! The walk through the pages of a list.

use super::super::lines::IndentedLines;
use super::super::model::{ClientPackage, body_type, may_be_absent};
use super::layout;
use super::names::ident;
use super::signature::{argument, arguments, call_name, code_name, verb};
use super::value_types::ty;
use crate::client_model::{ApiCall, ApiDocument, ApiField, ApiReply, ApiShape, ApiType, ParameterPlace};
use crate::model::Primitive;

/// Types of parameters that are copied; a text is taken as a reference.
const COPIED: [&str; 4] = ["String", "i64", "f64", "bool"];

/// The call that goes through all pages, where a call has any.
pub(super) fn walk(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>) {
    let document = package.document;
    let (Some(item), Some(pages), ApiReply::Json(ok)) = (package.item(call), call.pages(), call.reply) else { return };
    let (Some(items), Some(next)) = (read(document, ok, &pages.items), read(document, ok, &pages.next)) else { return };
    let more = pages.more.as_ref().map(|more| read(document, ok, more).unwrap_or_default());
    let (item, code) = (ty(document, item), code_name(call));
    lines.gap();
    lines.marked_doc("///", &format!("The items of all pages of `{}`, one after the other.", call_name(call)));
    let borrowed = |argument: String| argument.replace("&self", "self").replace(": &", ": &'a ");
    let arguments: Vec<String> = arguments(document, call, None).into_iter().map(borrowed).collect();
    layout::arguments(lines, &format!("pub fn {}_all<'a>", call.verb), &arguments);
    lines.line(format!(") -> crate::Pages<'a, {item}, {code}>"));
    lines.line("where");
    lines.within(|lines| lines.line("Self: 'a,"));
    lines.line("{");
    let paths: Vec<(String, String)> = call
        .placed(ParameterPlace::Path)
        .map(|parameter| (argument(parameter.name), ty(document, &parameter.field.ty)))
        .collect();
    let body = body_type(call).map(|_| "body");
    let given = paths.iter().map(|(name, _)| name.as_str()).chain(body).chain(["&params", "options"]);
    let given = given.collect::<Vec<_>>().join(", ");
    lines.within(|lines| {
        lines.line("crate::Pages::new(move |by: Option<String>| {");
        lines.within(|lines| {
            // What is not copied is kept for the next page.
            for (name, _) in paths.iter().filter(|(_, of)| !COPIED.contains(&of.as_str())) {
                lines.line(format!("let {name} = {name}.clone();"));
            }
            lines.line("let mut params = params.clone();");
            lines.line("if by.is_some() {");
            lines.within(|lines| lines.line(format!("params.{} = by;", ident(&pages.by))));
            lines.line("}");
            lines.line("Box::pin(async move {");
            lines.within(|lines| {
                lines.line(format!("let reply = self.{}({given}).await?;", verb(call)));
                match more {
                    Some(more) => {
                        lines.line(format!("let more = {more};"));
                        lines.line(format!("let next: Option<String> = {next};"));
                        lines.line("let next = next.filter(|next| more && !next.is_empty());");
                    }
                    None => {
                        lines.line(format!("let next: Option<String> = {next};"));
                        lines.line("let next = next.filter(|next| !next.is_empty());");
                    }
                }
                lines.line(format!("Ok(({items}, next))"));
            });
            lines.line("})");
        });
        lines.line("})");
    });
    lines.line("}");
}

/// The expression for what fields lead to in a reply, as it is or as an option.
fn read(document: &ApiDocument, ok: &ApiField, path: &[String]) -> Option<String> {
    let (mut expression, mut field) = ("reply".to_owned(), ok.clone());
    for (index, name) in path.iter().enumerate() {
        let ApiType::Ref(of) = &field.ty else { return None };
        let ApiShape::Struct { fields, .. } = &document.types.get(of)?.shape else { return None };
        if index > 0 && (may_be_absent(&field) || field.nullable) {
            return None;
        }
        field = fields.get(name)?.clone();
        expression = format!("{expression}.{}", super::names::field_name(name, &field));
    }
    let is_text = matches!(field.ty, ApiType::Primitive(_)) && !matches!(field.ty, ApiType::Primitive(Primitive::Bool));
    Some(match (may_be_absent(&field), field.nullable, is_text) {
        (true, true, true) => format!("{expression}.clone().flatten()"),
        (true, false, true) | (false, true, true) => format!("{expression}.clone()"),
        (false, false, true) => format!("Some({expression}.clone())"),
        (true, true, false) => format!("{expression}.flatten().unwrap_or_default()"),
        (true, false, false) | (false, true, false) => format!("{expression}.unwrap_or_default()"),
        (false, false, false) => expression,
    })
}
