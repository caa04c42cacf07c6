//! Groups of calls, each a handle with its codes beside it.

use std::collections::BTreeSet;

use super::super::lines::Lines;
use super::super::model::{
    Form, Package, Part, When, body_type, call_doc, field_doc, is_second, may_be_absent, streams, when,
};
use super::layout::{STEP, quoted};
use super::types::type_has_default;
use super::{constant, group_name, group_type, ident, layout, pages, ty};
use crate::interface::{Call, Document, Field, Group, Parameter, Place, Reply, Ty};
use crate::naming;

pub(super) fn group(package: &Package<'_>, group: &Group<'_>) -> String {
    let mut lines = Lines::new(STEP);
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

pub(super) fn index(package: &Package<'_>) -> String {
    let mut lines = Lines::new(STEP);
    lines.line("//! All calls, by group.");
    lines.gap();
    let names: BTreeSet<String> = package.groups.iter().map(group_name).collect();
    for name in names {
        lines.line(format!("pub mod {name};"));
    }
    lines.done()
}

fn codes(lines: &mut Lines, package: &Package<'_>, call: &Call<'_>) {
    let further = call.operation.errors_open.as_deref();
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
            for wire in package.codes(call).iter().flat_map(|codes| &codes.wires) {
                lines.line(format!("{} = {},", naming::upper_camel(wire), quoted(wire)));
            }
        });
        lines.line(if further.is_some() { "} Other" } else { "}" });
    });
    lines.line("}");
}

fn operation(lines: &mut Lines, package: &Package<'_>, call: &Call<'_>) {
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
fn stream(lines: &mut Lines, call: &Call<'_>) {
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

fn parameters(lines: &mut Lines, document: &Document, call: &Call<'_>) {
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
fn form(lines: &mut Lines, document: &Document, call: &Call<'_>, form: &Form<'_>) {
    let name = form_name(call);
    let has_default = |(_, field, part): &(&str, &Field, Part)| match part {
        Part::Files => true,
        Part::File | Part::Any => may_be_absent(field),
        Part::Value => may_be_absent(field) || field.nullable || type_has_default(document, &field.ty, 0),
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
                Part::File => "crate::Upload".to_owned(),
                Part::Files => "Vec<crate::Upload>".to_owned(),
                Part::Any => "crate::Part".to_owned(),
                Part::Value => ty(document, &field.ty),
            };
            let optional = *part != Part::Files && (may_be_absent(field) || field.nullable);
            let of = if optional { format!("Option<{of}>") } else { of };
            lines.line(format!("pub {}: {of},", super::field_name(wire, field)));
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
fn content(lines: &mut Lines, form: &Form<'_>) {
    lines.line("let mut form = crate::runtime::Form::new();");
    for (wire, field, part) in &form.fields {
        let own = format!("self.{}", super::field_name(wire, field));
        let (word, many) = match part {
            Part::File => ("file", false),
            Part::Files => ("file", true),
            Part::Any => ("part", false),
            Part::Value => ("value", false),
        };
        let wire = quoted(wire);
        let each = match part {
            Part::Value => None,
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
struct Method {
    name: String,
    /// The last words of its documentation.
    further: &'static str,
    arguments: Vec<String>,
    reply: String,
    /// The method of the transport.
    act: &'static str,
}

/// The functions of a call that is given its body so: one for the reply as a whole, one for the stream.
fn methods(package: &Package<'_>, call: &Call<'_>, form: Option<&Form<'_>>) -> Vec<Method> {
    let document = package.document;
    let arguments = arguments(document, call, form);
    let stream = streams(call, form);
    let always = stream.map(when) == Some(When::Always);
    let (verb, second) =
        if is_second(call, form) { (format!("{}_form", call.verb), "_form") } else { (verb(call), "") };
    let mut methods = Vec::new();
    if !always {
        let (reply, act) = match call.reply {
            Reply::Json(field) => (reply_type(document, field), "json"),
            Reply::Named(name) => (ty(document, &Ty::Ref(name.to_owned())), "json"),
            Reply::Text | Reply::Bytes | Reply::Nothing => ("Vec<u8>".to_owned(), "bytes"),
        };
        let further = if second.is_empty() { "" } else { "The same, as a form." };
        methods.push(Method { name: verb.clone(), further, arguments: arguments.clone(), reply, act });
    }
    if let Some(stream) = stream {
        let event = ty(document, &Ty::Ref(stream.event.clone()));
        methods.push(Method {
            name: if always { verb } else { format!("{}{second}_stream", call.verb) },
            further: "The answer as a stream of events.",
            arguments,
            reply: format!("crate::EventStream<{event}, {}>", code_name(call)),
            act: "stream",
        });
    }
    methods
}

impl Method {
    fn write(&self, lines: &mut Lines, call: &Call<'_>, form: Option<&Form<'_>>) {
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

fn documented(lines: &mut Lines, call: &Call<'_>, further: &str) {
    let errors = "# Errors\n\nWhen it is refused, fails, or there is no answer.";
    let once = if call.operation.idempotency_key { "It takes an idempotency key." } else { "" };
    lines.marked_doc("///", &format!("{}\n\n{further}\n\n{once}", call_doc(call)));
    lines.line("///");
    lines.marked_doc("///", errors);
}

/// Arguments in their order: the path, the body, the other parameters, options.
pub(super) fn arguments(document: &Document, call: &Call<'_>, form: Option<&Form<'_>>) -> Vec<String> {
    let mut arguments = vec!["&self".to_owned()];
    for parameter in call.placed(Place::Path) {
        let of = ty(document, &parameter.field.ty);
        arguments.push(format!("{}: {}", argument(parameter.name), if of == "String" { "&str" } else { &of }));
    }
    match form {
        Some(_) => arguments.push(format!("form: &{}", form_name(call))),
        None => arguments.extend(body_type(call).map(|body| format!("body: &{}", ty(document, &body)))),
    }
    if said(call).next().is_some() {
        arguments.push(format!("params: &{}", parameters_name(call)));
    }
    arguments.push("options: &CallOptions".to_owned());
    arguments
}

/// A parameter of the path as an argument. Some names are those of other arguments, or of what a call makes.
pub(super) fn argument(name: &str) -> String {
    let own = ident(name);
    match own.as_str() {
        "body" | "by" | "form" | "input" | "options" | "params" => own + "_",
        _ => own,
    }
}

/// The parts of the request, as calls of `Input`.
fn given(call: &Call<'_>, form: Option<&Form<'_>>, streams: bool) -> Vec<String> {
    let switch = call.stream().map(when);
    let mut given = Vec::new();
    for (place, word) in [(Place::Path, "path"), (Place::Query, "query"), (Place::Header, "header")] {
        given.extend(call.placed(place).filter_map(|parameter| {
            let wire = quoted(parameter.wire);
            Some(match (switch, place) {
                (Some(When::Query(name, value)), Place::Query) if name == parameter.name => {
                    streams.then(|| format!(".{word}({wire}, &{})", quoted(value)))?
                }
                (_, Place::Path) => format!(".{word}({wire}, &{})", argument(parameter.name)),
                _ => format!(".{word}({wire}, &params.{})", ident(parameter.name)),
            })
        }));
    }
    if form.is_some() {
        given.push(".content(form.content())".to_owned());
    } else if call.operation.body.is_some() {
        given.push(match switch {
            Some(When::Body(field)) => format!(".switched_body(body, {}, {streams})", quoted(field)),
            _ => ".body(body)".to_owned(),
        });
    }
    given
}

fn reply_type(document: &Document, field: &Field) -> String {
    let of = ty(document, &field.ty);
    if field.nullable { format!("Option<{of}>") } else { of }
}

/// Parameters that are fields of one value; what asks for a stream is not the caller's.
fn said<'c, 'd>(call: &'c Call<'d>) -> impl Iterator<Item = &'c Parameter<'d>> {
    let switch = call.stream().map(when);
    call.parameters.iter().filter(move |parameter| {
        parameter.place != Place::Path && !matches!(switch, Some(When::Query(name, _)) if name == parameter.name)
    })
}

fn parameters_name(call: &Call<'_>) -> String {
    format!("{}Params", naming::upper_camel(&call.name()))
}

fn form_name(call: &Call<'_>) -> String {
    format!("{}Form", naming::upper_camel(&call.name()))
}

pub(super) fn code_name(call: &Call<'_>) -> String {
    format!("{}Code", naming::upper_camel(&call.name()))
}

pub(super) fn verb(call: &Call<'_>) -> String {
    ident(&call.verb)
}

pub(super) fn call_name(call: &Call<'_>) -> String {
    format!("{}.{}", call.id.split('.').next().unwrap_or_default(), call.verb)
}
