//! Groups of calls, each a handle with its codes beside it.

use super::super::lines::{Lines, quoted};
use super::super::model::{
    Form, Package, Part, When, body_type, call_doc, field_doc, is_second, may_be_absent, streams, when,
};
use super::types::type_has_default;
use super::{constant, ident, ty};
use crate::interface::{Call, Document, Field, Group, Parameter, Place, Reply, Shape, Ty};
use crate::naming;

pub(super) fn group(package: &Package<'_>, group: &Group<'_>) -> String {
    let mut lines = Lines::new(4);
    lines.line(format!("//! Calls of `{}`.", group.name));
    lines.line("use crate::envelopes;");
    lines.line("use crate::runtime::{CallOptions, Error, Input, Operation, Transport};");
    for call in &group.calls {
        codes(&mut lines, package, call);
        operation(&mut lines, package, call);
        parameters(&mut lines, package.document, call);
        package.bodies(call).iter().flatten().for_each(|form| self::form(&mut lines, package.document, call, form));
    }
    let class = naming::upper_camel(group.name);
    lines.line(format!("/// Calls of `{}`.", group.name));
    lines.line(format!("#[derive(Debug, Clone, Copy)] pub struct {class}<'c>(pub(crate) &'c Transport);"));
    lines.line(format!("impl {class}<'_> {{"));
    for call in &group.calls {
        for form in package.bodies(call) {
            methods(&mut lines, package, call, form.as_ref());
        }
        walk(&mut lines, package, call);
    }
    lines.line("}");
    lines.done()
}

pub(super) fn index(package: &Package<'_>) -> String {
    let mut lines = Lines::new(4);
    lines.line("//! All calls, by group.");
    for group in &package.groups {
        lines.line(format!("pub mod {};", group.name));
    }
    lines.done()
}

fn codes(lines: &mut Lines, package: &Package<'_>, call: &Call<'_>) {
    let further = call.operation.errors_open.as_deref();
    let doc = format!("What `{}` may be refused with.", call_name(call));
    let doc = further.map_or(doc.clone(), |why| format!("{doc} Expect further codes: {why}."));
    lines.line("crate::runtime::codes! {");
    lines.marked_doc("///", &doc);
    if further.is_some() {
        lines.line("#[non_exhaustive]");
    }
    let codes = package.codes(call);
    let rows = codes
        .iter()
        .flat_map(|codes| &codes.wires)
        .map(|wire| format!("{} = {}", naming::upper_camel(wire), quoted(wire)));
    let other = if further.is_some() { " Other" } else { "" };
    lines.line(format!("{} {{ {} }}{other}", code_name(call), rows.collect::<Vec<_>>().join(", ")));
    lines.line("}");
}

fn operation(lines: &mut Lines, package: &Package<'_>, call: &Call<'_>) {
    let route = &call.operation.routes[0];
    let credential = call.credential.map_or("None".to_owned(), |credential| {
        format!("Some(({}, {}))", quoted(credential.header), quoted(credential.prefix))
    });
    let stream = call.stream().map_or("None".to_owned(), |stream| {
        let ends: Vec<String> = stream.ends_with.iter().map(|end| quoted(end)).collect();
        format!("Some(({}, &[{}]))", stream.named, ends.join(", "))
    });
    lines.line(format!(
        "static {}: Operation = Operation {{ id: {}, method: reqwest::Method::{}, path: {}, envelope: &envelopes::{}, \
         idempotent: {}, once: {}, fails_with_success: {}, credential: {credential}, stream: {stream} }};",
        constant(&call.name()),
        quoted(call.id),
        route.method,
        quoted(&format!("{}{}", route.path, route.suffix)),
        constant(call.envelope),
        call.operation.idempotent,
        call.operation.idempotency_key,
        package.fails_with_success(call),
    ));
}

fn parameters(lines: &mut Lines, document: &Document, call: &Call<'_>) {
    if said(call).next().is_none() {
        return;
    }
    let default = said(call).all(|parameter| !parameter.required);
    lines.line(format!("/// Parameters of `{}`.", call_name(call)));
    lines.line(format!("#[derive(Debug, Clone{})]", if default { ", Default" } else { "" }));
    lines.line(format!("pub struct {} {{", parameters_name(call)));
    for parameter in said(call) {
        let doc = field_doc(parameter.field);
        lines.marked_doc("///", if doc.is_empty() { parameter.name } else { &doc });
        let of = ty(document, &parameter.field.ty);
        let of = if parameter.required { of } else { format!("Option<{of}>") };
        lines.line(format!("pub {}: {of},", ident(parameter.name)));
    }
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
    lines.line(format!("/// What `{}` is given as a form.", call_name(call)));
    lines.line(format!("#[derive(Debug, Clone{default})]"));
    lines.line(format!("pub struct {name} {{"));
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
        lines.line("/// What is not listed.");
        lines.line("pub further: Vec<(String, crate::Part)>,");
    }
    lines.line("}");
    lines.line(format!("impl {name} {{"));
    lines.line("fn content(&self) -> (Vec<u8>, String) {");
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
        lines.line(match part {
            Part::Value => format!("form.value({wire}, &{own});"),
            _ if many => format!("for part in &{own} {{ form.{word}({wire}, part); }}"),
            _ if may_be_absent(field) || field.nullable => {
                format!("if let Some(part) = &{own} {{ form.{word}({wire}, part); }}")
            }
            _ => format!("form.{word}({wire}, &{own});"),
        });
    }
    if form.open {
        lines.line("for (name, part) in &self.further { form.part(name, part); }");
    }
    lines.line("form.done() } }");
}

fn methods(lines: &mut Lines, package: &Package<'_>, call: &Call<'_>, form: Option<&Form<'_>>) {
    let document = package.document;
    let (arguments, code) = (arguments(document, call, form), code_name(call));
    let stream = streams(call, form);
    let event = stream.map(|stream| ty(document, &Ty::Ref(stream.event.clone())));
    let always = stream.map(when) == Some(When::Always);
    let (verb, second) =
        if is_second(call, form) { (format!("{}_form", call.verb), "_form") } else { (verb(call), "") };
    if !always {
        let (reply, act) = match call.reply {
            Reply::Json(field) => (reply_type(document, field), "json"),
            Reply::Named(name) => (ty(document, &Ty::Ref(name.to_owned())), "json"),
            Reply::Text | Reply::Bytes | Reply::Nothing => ("Vec<u8>".to_owned(), "bytes"),
        };
        documented(lines, call, if second.is_empty() { "" } else { "The same, as a form." });
        lines.line(format!("pub async fn {verb}({arguments}) -> Result<{reply}, Error<{code}>> {{"));
        input(lines, call, form, false);
        lines.line(format!("self.0.{act}(&{}, input, options).await }}", constant(&call.name())));
    }
    if let Some(event) = event {
        let suffix = format!("{second}{}", if always { "" } else { "_stream" });
        documented(lines, call, "The answer as a stream of events.");
        lines.line(format!(
            "pub async fn {}{suffix}({arguments}) -> Result<crate::EventStream<{event}, {code}>, Error<{code}>> {{",
            call.verb
        ));
        input(lines, call, form, true);
        lines.line(format!("self.0.stream(&{}, input, options).await }}", constant(&call.name())));
    }
}

fn documented(lines: &mut Lines, call: &Call<'_>, further: &str) {
    let errors = "# Errors\n\nWhen it is refused, fails, or there is no answer.";
    let once = if call.operation.idempotency_key { "It takes an idempotency key." } else { "" };
    lines.marked_doc("///", &format!("{}\n\n{further}\n\n{once}", call_doc(call)));
    lines.line("///");
    lines.marked_doc("///", errors);
}

/// The walk through all pages.
fn walk(lines: &mut Lines, package: &Package<'_>, call: &Call<'_>) {
    let document = package.document;
    let (Some(item), Some(pages), Reply::Json(ok)) = (package.item(call), call.pages(), call.reply) else { return };
    let (Some(items), Some(next)) = (read(document, ok, &pages.items), read(document, ok, &pages.next)) else { return };
    let more = pages.more.as_ref().map(|more| read(document, ok, more).unwrap_or_default());
    let (item, code) = (ty(document, item), code_name(call));
    lines.marked_doc("///", &format!("The items of all pages of `{}`, one after the other.", call_name(call)));
    lines.line(format!(
        "pub fn {}_all<'a>({}) -> crate::Pages<'a, {item}, {code}> where Self: 'a {{",
        call.verb,
        arguments(document, call, None).replace("&self", "self").replace(": &", ": &'a "),
    ));
    lines.line("crate::Pages::new(move |by: Option<String>| {");
    lines.line("let mut params = params.clone();");
    lines.line(format!("if by.is_some() {{ params.{} = by; }}", ident(&pages.by)));
    let paths: Vec<String> = call.placed(Place::Path).map(|parameter| ident(parameter.name)).collect();
    let given = paths.into_iter().chain(["&params".to_owned(), "options".to_owned()]).collect::<Vec<_>>().join(", ");
    lines.line("Box::pin(async move {");
    lines.line(format!("self.{}({given}).await.map(|reply| {{", verb(call)));
    let next = more.map_or(next.clone(), |more| format!("if {more} {{ {next} }} else {{ None }}"));
    lines.line(format!("let next: Option<String> = {next};"));
    lines.line(format!("({items}, next.filter(|next| !next.is_empty())) }}) }})"));
    lines.line("}) }");
}

/// What fields lead to in a reply, as it is or as an option.
fn read(document: &Document, ok: &Field, path: &[String]) -> Option<String> {
    let (mut expression, mut field) = ("reply".to_owned(), ok.clone());
    for (index, name) in path.iter().enumerate() {
        let Ty::Ref(of) = &field.ty else { return None };
        let Shape::Struct { fields, .. } = &document.types.get(of)?.shape else { return None };
        if index > 0 && (may_be_absent(&field) || field.nullable) {
            return None;
        }
        field = fields.get(name)?.clone();
        expression = format!("{expression}.{}", super::field_name(name, &field));
    }
    let is_text =
        matches!(field.ty, Ty::Primitive(_)) && !matches!(field.ty, Ty::Primitive(crate::model::Primitive::Bool));
    Some(match (may_be_absent(&field), field.nullable, is_text) {
        (true, true, true) => format!("{expression}.clone().flatten()"),
        (true, false, true) | (false, true, true) => format!("{expression}.clone()"),
        (false, false, true) => format!("Some({expression}.clone())"),
        (true, true, false) => format!("{expression}.flatten().unwrap_or_default()"),
        (true, false, false) | (false, true, false) => format!("{expression}.unwrap_or_default()"),
        (false, false, false) => expression,
    })
}

/// Arguments in their order: the path, the body, the other parameters, options.
fn arguments(document: &Document, call: &Call<'_>, form: Option<&Form<'_>>) -> String {
    let mut arguments = vec!["&self".to_owned()];
    for parameter in call.placed(Place::Path) {
        let of = ty(document, &parameter.field.ty);
        arguments.push(format!("{}: {}", ident(parameter.name), if of == "String" { "&str" } else { &of }));
    }
    match form {
        Some(_) => arguments.push(format!("form: &{}", form_name(call))),
        None => arguments.extend(body_type(call).map(|body| format!("body: &{}", ty(document, &body)))),
    }
    if said(call).next().is_some() {
        arguments.push(format!("params: &{}", parameters_name(call)));
    }
    arguments.push("options: &CallOptions".to_owned());
    arguments.join(", ")
}

fn input(lines: &mut Lines, call: &Call<'_>, form: Option<&Form<'_>>, streams: bool) {
    let has_given = !call.parameters.is_empty();
    let has_body = call.operation.body.is_some();
    if !has_given && !has_body {
        lines.line("let input = Input::default();");
        return;
    }
    let switch = call.stream().map(when);
    let mut parts = Vec::new();
    for (place, word) in [(Place::Path, "path"), (Place::Query, "query"), (Place::Header, "headers")] {
        let of = |parameter: &Parameter<'_>| {
            let wire = quoted(parameter.wire);
            match (switch, place) {
                (Some(When::Query(name, word)), Place::Query) if name == parameter.name => {
                    let value = if streams { format!("Some({}.to_owned())", quoted(word)) } else { "None".to_owned() };
                    format!("({wire}, {value})")
                }
                (_, Place::Path) => format!("({wire}, crate::runtime::text(&{}))", ident(parameter.name)),
                _ => format!("({wire}, crate::runtime::text(&params.{}))", ident(parameter.name)),
            }
        };
        let members: Vec<String> = call.placed(place).map(of).collect();
        if !members.is_empty() {
            let all = format!("[{}]", members.join(", "));
            parts
                .push(format!("{word}: {all}.into_iter().filter_map(|(name, value)| Some((name, value?))).collect(),"));
        }
    }
    if form.is_some() {
        parts.push("content: Some(form.content()),".to_owned());
    } else if has_body {
        let switch = match switch {
            Some(When::Body(field)) => format!("Some(({}, {streams}))", quoted(field)),
            _ => "None".to_owned(),
        };
        parts.push(format!("body: Input::body(body, {switch}),"));
    }
    lines.line(format!("let input = Input {{ {} ..Input::default() }};", parts.join(" ")));
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

fn code_name(call: &Call<'_>) -> String {
    format!("{}Code", naming::upper_camel(&call.name()))
}

fn verb(call: &Call<'_>) -> String {
    ident(&call.verb)
}

fn call_name(call: &Call<'_>) -> String {
    format!("{}.{}", call.id.split('.').next().unwrap_or_default(), call.verb)
}
