//! Groups of calls, each a handle with its codes beside it.

use std::collections::BTreeSet;

use super::super::lines::IndentedLines;
use super::super::model::{
    CallForm, ClientPackage, FormPartKind, StreamTrigger, call_doc, deprecation, field_doc, is_second, may_be_absent,
    streams, when,
};
use super::layout::{self, STEP, quoted};
use super::names::{constant, field_name, group_type, ident, variant};
use super::pages;
use super::signature::{argument, arguments, call_name, code_name, form_name, parameters_name, said, verb};
use super::types::type_has_default;
use super::value_types::ty;
use crate::client_model::{ApiCall, ApiDocument, ApiField, ApiReply, ApiType, CallGroup, ParameterPlace};
use crate::naming;

pub(super) fn group(package: &ClientPackage<'_>, group: &CallGroup<'_>) -> String {
    let mut lines = IndentedLines::new(STEP);
    lines.line(format!("//! Calls of `{}`.", group.name));
    lines.gap();
    lines.line("use crate::envelopes;");
    lines.line("use crate::runtime::{CallOptions, Error, Input, Operation, Transport};");
    for call in &group.calls {
        codes(&mut lines, package, call);
        operation(&mut lines, package, call);
        parameters(&mut lines, package.document, call);
        package.bodies(call).iter().flatten().for_each(|form| self::form(&mut lines, package.document, call, form));
    }
    let class = group_type(group);
    lines.gap();
    lines.line(format!("/// Calls of `{}`.", group.name));
    lines.line("#[derive(Debug, Clone, Copy)]");
    lines.line(format!("pub struct {class}<'c>(pub(crate) &'c Transport);"));
    lines.gap();
    lines.line(format!("impl {class}<'_> {{"));
    lines.within(|lines| {
        for call in &group.calls {
            for form in package.bodies(call) {
                for method in methods(package, call, form.as_ref()) {
                    lines.gap();
                    method.write(lines, call, form.as_ref());
                }
            }
            pages::walk(lines, package, call);
        }
    });
    lines.line("}");
    lines.done()
}

pub(super) fn index(package: &ClientPackage<'_>) -> String {
    let mut lines = IndentedLines::new(STEP);
    lines.line("//! All calls, by group.");
    lines.gap();
    // Raw names in the order of those that they are.
    let names: BTreeSet<String> = package.groups.iter().map(|group| naming::module(group.name)).collect();
    for name in names {
        lines.line(format!("pub mod {};", naming::word(&name)));
    }
    lines.done()
}

fn codes(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>) {
    let further = call.operation.errors_open.as_deref();
    let wires: Vec<&str> = package.codes(call).iter().flat_map(|codes| codes.wires.clone()).collect();
    let variants: Vec<String> = wires.iter().map(|wire| variant(wire)).collect();
    let doc = format!("The codes that `{}` may be refused with.", call_name(call));
    let doc = further.map_or(doc.clone(), |why| format!("{doc} Expect further codes: {why}."));
    lines.gap();
    lines.line("crate::runtime::codes! {");
    lines.within(|lines| {
        lines.marked_doc("///", &doc);
        if further.is_some() {
            lines.line("#[non_exhaustive]");
        }
        lines.line(format!("{} {{", code_name(call)));
        lines.within(|lines| {
            for (variant, wire) in variants.iter().zip(&wires) {
                lines.line(format!("{variant} = {},", quoted(wire)));
            }
        });
        let names: Vec<&str> = variants.iter().map(String::as_str).collect();
        lines.line(if further.is_some() { format!("}} {}", naming::other_than(&names)) } else { "}".to_owned() });
    });
    lines.line("}");
}

fn operation(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>) {
    let route = &call.operation.routes[0];
    let credential = call.credential.map_or("None".to_owned(), |credential| {
        format!("Some(({}, {}))", quoted(credential.header), quoted(credential.prefix))
    });
    lines.gap();
    lines.line(format!("static {}: Operation = Operation {{", constant(&call.name())));
    lines.within(|lines| {
        lines.line(format!("id: {},", quoted(call.id)));
        lines.line(format!("method: reqwest::Method::{},", route.method));
        lines.line(format!("path: {},", quoted(&format!("{}{}", route.path, route.suffix))));
        lines.line(format!("envelope: &envelopes::{},", constant(call.envelope)));
        lines.line(format!("idempotent: {},", call.operation.idempotent));
        lines.line(format!("once: {},", call.operation.idempotency_key));
        lines.line(format!("fails_with_success: {},", package.fails_with_success(call)));
        lines.line(format!("credential: {credential},"));
        stream(lines, call);
    });
    lines.line("};");
}

/// Writes the facts of a stream: named events, and what ends them.
fn stream(lines: &mut IndentedLines, call: &ApiCall<'_>) {
    let Some(stream) = call.stream() else {
        lines.line("stream: None,");
        return;
    };
    let ends: Vec<String> = stream.ends_with.iter().map(|end| quoted(end)).collect();
    let one = format!("stream: Some(({}, &[{}])),", stream.named, ends.join(", "));
    if lines.fits(&one, layout::WIDTH) {
        lines.line(one);
        return;
    }
    lines.line("stream: Some((");
    lines.within(|lines| {
        lines.line(format!("{},", stream.named));
        layout::words(lines, &ends);
    });
    lines.line(")),");
}

fn parameters(lines: &mut IndentedLines, document: &ApiDocument, call: &ApiCall<'_>) {
    if said(call).next().is_none() {
        return;
    }
    let default = said(call).all(|parameter| !parameter.required);
    lines.gap();
    lines.line(format!("/// Parameters of `{}`.", call_name(call)));
    lines.line(format!("#[derive(Debug, Clone{})]", if default { ", Default" } else { "" }));
    lines.line(format!("pub struct {} {{", parameters_name(call)));
    lines.within(|lines| {
        for parameter in said(call) {
            let doc = field_doc(parameter.field);
            lines.marked_doc("///", if doc.is_empty() { parameter.name } else { &doc });
            let of = ty(document, &parameter.field.ty);
            let of = if parameter.required { of } else { format!("Option<{of}>") };
            lines.line(format!("pub {}: {of},", ident(parameter.name)));
        }
    });
    lines.line("}");
}

/// The form that a call may be given, and how it is sent.
fn form(lines: &mut IndentedLines, document: &ApiDocument, call: &ApiCall<'_>, form: &CallForm<'_>) {
    let name = form_name(call);
    let has_default = |(_, field, part): &(&str, &ApiField, FormPartKind)| match part {
        FormPartKind::Files => true,
        FormPartKind::File | FormPartKind::Any => may_be_absent(field),
        FormPartKind::Value => may_be_absent(field) || field.nullable || type_has_default(document, &field.ty, 0),
    };
    let default = if form.fields.iter().all(has_default) { ", Default" } else { "" };
    lines.gap();
    lines.line(format!("/// The form that `{}` is given.", call_name(call)));
    lines.line(format!("#[derive(Debug, Clone{default})]"));
    lines.line(format!("pub struct {name} {{"));
    lines.within(|lines| {
        for (wire, field, part) in &form.fields {
            let doc = field_doc(field);
            lines.marked_doc("///", if doc.is_empty() { wire } else { &doc });
            let of = match part {
                FormPartKind::File => "crate::Upload".to_owned(),
                FormPartKind::Files => "Vec<crate::Upload>".to_owned(),
                FormPartKind::Any => "crate::Part".to_owned(),
                FormPartKind::Value => ty(document, &field.ty),
            };
            let optional = *part != FormPartKind::Files && (may_be_absent(field) || field.nullable);
            let of = if optional { format!("Option<{of}>") } else { of };
            lines.line(format!("pub {}: {of},", field_name(wire, field)));
        }
        if form.open {
            lines.line("/// Parts that are not listed.");
            lines.line("pub further: Vec<(String, crate::Part)>,");
        }
    });
    lines.line("}");
    lines.gap();
    lines.line(format!("impl {name} {{"));
    lines.within(|lines| {
        lines.line("fn content(&self) -> (Vec<u8>, String) {");
        lines.within(|lines| content(lines, form));
        lines.line("}");
    });
    lines.line("}");
}

/// Writes the function that sends a form.
fn content(lines: &mut IndentedLines, form: &CallForm<'_>) {
    lines.line("let mut form = crate::runtime::Form::new();");
    for (wire, field, part) in &form.fields {
        let own = format!("self.{}", field_name(wire, field));
        let (word, many) = match part {
            FormPartKind::File => ("file", false),
            FormPartKind::Files => ("file", true),
            FormPartKind::Any => ("part", false),
            FormPartKind::Value => ("value", false),
        };
        let wire = quoted(wire);
        let each = match part {
            FormPartKind::Value => None,
            _ if many => Some(format!("for part in &{own} {{")),
            _ if may_be_absent(field) || field.nullable => Some(format!("if let Some(part) = &{own} {{")),
            _ => None,
        };
        match each {
            Some(each) => {
                lines.line(each);
                lines.within(|lines| lines.line(format!("form.{word}({wire}, part);")));
                lines.line("}");
            }
            None => lines.line(format!("form.{word}({wire}, &{own});")),
        }
    }
    if form.open {
        lines.line("for (name, part) in &self.further {");
        lines.within(|lines| lines.line("form.part(name, part);"));
        lines.line("}");
    }
    lines.line("form.done()");
}

/// A function that makes a call.
struct CallMethod {
    name: String,
    /// The last words of its documentation.
    further: &'static str,
    arguments: Vec<String>,
    reply: String,
    /// The method of the transport.
    act: &'static str,
}

/// The functions of a call that is given its body so: one for the reply as a whole, one for the stream.
fn methods(package: &ClientPackage<'_>, call: &ApiCall<'_>, form: Option<&CallForm<'_>>) -> Vec<CallMethod> {
    let document = package.document;
    let arguments = arguments(document, call, form);
    let stream = streams(call, form);
    let always = stream.map(when) == Some(StreamTrigger::Always);
    let (verb, second) =
        if is_second(call, form) { (format!("{}_form", call.verb), "_form") } else { (verb(call), "") };
    let mut methods = Vec::new();
    if !always {
        let (reply, act) = match call.reply {
            ApiReply::Json(field) => (reply_type(document, field), "json"),
            ApiReply::Named(name) => (ty(document, &ApiType::Ref(name.to_owned())), "json"),
            ApiReply::Text | ApiReply::Bytes | ApiReply::Nothing => ("Vec<u8>".to_owned(), "bytes"),
        };
        let further = if second.is_empty() { "" } else { "The same, as a form." };
        methods.push(CallMethod { name: verb.clone(), further, arguments: arguments.clone(), reply, act });
    }
    if let Some(stream) = stream {
        let event = ty(document, &ApiType::Ref(stream.event.clone()));
        methods.push(CallMethod {
            name: if always { verb } else { format!("{}{second}_stream", call.verb) },
            further: "The answer as a stream of events.",
            arguments,
            reply: format!("crate::EventStream<{event}, {}>", code_name(call)),
            act: "stream",
        });
    }
    methods
}

impl CallMethod {
    fn write(&self, lines: &mut IndentedLines, call: &ApiCall<'_>, form: Option<&CallForm<'_>>) {
        documented(lines, call, self.further);
        let (head, error) = (format!("pub async fn {}", self.name), format!("Error<{}>", code_name(call)));
        layout::function(lines, &head, &self.arguments, &[&self.reply, &error]);
        lines.within(|lines| {
            layout::chain(lines, "let input = ", "Input::default()", &given(call, form, self.act == "stream"), ";");
            lines.line(format!("self.0.{}(&{}, input, options).await", self.act, constant(&call.name())));
        });
        lines.line("}");
    }
}

fn documented(lines: &mut IndentedLines, call: &ApiCall<'_>, further: &str) {
    let errors = "# Errors\n\nWhen it is refused, fails, or there is no answer.";
    let once = if call.operation.idempotency_key { "It takes an idempotency key." } else { "" };
    lines.marked_doc("///", &format!("{}\n\n{further}\n\n{once}", call_doc(call)));
    lines.line("///");
    lines.marked_doc("///", errors);
    if let Some(words) = deprecation(call) {
        layout::deprecated(lines, &quoted(&words));
    }
}

/// The parts of the request, as calls of `Input`.
fn given(call: &ApiCall<'_>, form: Option<&CallForm<'_>>, streams: bool) -> Vec<String> {
    let switch = call.stream().map(when);
    let mut given = Vec::new();
    for (place, word) in
        [(ParameterPlace::Path, "path"), (ParameterPlace::Query, "query"), (ParameterPlace::Header, "header")]
    {
        given.extend(call.placed(place).filter_map(|parameter| {
            let wire = quoted(parameter.wire);
            Some(match (switch, place) {
                (Some(StreamTrigger::Query(name, value)), ParameterPlace::Query) if name == parameter.name => {
                    streams.then(|| format!(".{word}({wire}, &{})", quoted(value)))?
                }
                (_, ParameterPlace::Path) => format!(".{word}({wire}, &{})", argument(parameter.name)),
                _ => format!(".{word}({wire}, &params.{})", ident(parameter.name)),
            })
        }));
    }
    if form.is_some() {
        given.push(".content(form.content())".to_owned());
    } else if call.operation.body.is_some() {
        given.push(match switch {
            Some(StreamTrigger::Body(field)) => format!(".switched_body(body, {}, {streams})", quoted(field)),
            _ => ".body(body)".to_owned(),
        });
    }
    given
}

fn reply_type(document: &ApiDocument, field: &ApiField) -> String {
    let of = ty(document, &field.ty);
    if field.nullable { format!("Option<{of}>") } else { of }
}
