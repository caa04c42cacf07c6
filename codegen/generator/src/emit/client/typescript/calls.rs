//! Groups of calls, each a class with its codes beside it.

use super::super::lines::{IndentedLines, names_types, quoted};
use super::super::model::{
    CallForm, ClientPackage, FormPartKind, StreamTrigger, body_type, call_doc, deprecation, field_doc, is_second,
    lower_camel, may_be_absent, or_own, path, streams, when,
};
use super::annotations::{field_type, ty};
use super::names::{self, argument, class, group_member, key, made_key, parameter as parameter_name, type_name};
use super::source::{head, lines};
use crate::client_model::{ApiCall, ApiReply, CallGroup, CallParameter, ParameterPlace};
use crate::naming;

pub(super) fn group(package: &ClientPackage<'_>, group: &CallGroup<'_>) -> String {
    let body = calls(package, group);
    let mut lines = head();
    lines.line("import { envelopes } from \"../envelopes.js\";");
    let streams = group.calls.iter().any(|call| call.stream().is_some());
    let pages = group.calls.iter().any(|call| call.pages().is_some());
    let open = group.calls.iter().any(|call| call.operation.errors_open.is_some());
    let plain = group.calls.iter().any(|call| !call.operation.idempotency_key);
    let once = group.calls.iter().any(|call| call.operation.idempotency_key);
    let types = ["ApiError", "Operation", "Transport"].into_iter();
    let types = types.chain(plain.then_some("CallOptions")).chain(once.then_some("OnceOptions"));
    let types = types.chain(streams.then_some("EventStream")).chain(pages.then_some("Pages"));
    let forms = group.calls.iter().any(|call| package.bodies(call).iter().any(Option::is_some));
    let types = types.chain(forms.then_some("Upload"));
    let mut types: Vec<&str> = types.chain(open.then_some("Unlisted")).collect();
    types.sort_unstable();
    lines.line(format!("import type {{ {} }} from \"../runtime.js\";", types.join(", ")));
    let values = pages.then_some("each").into_iter().chain(forms.then_some("form")).chain(["isErrorOf"]);
    lines.line(format!("import {{ {} }} from \"../runtime.js\";", values.collect::<Vec<_>>().join(", ")));
    if names_types(&body) {
        lines.line("import type * as types from \"../types/index.js\";");
    }
    lines.done() + &body
}

/// The declarations of a group, and its class.
fn calls(package: &ClientPackage<'_>, group: &CallGroup<'_>) -> String {
    let mut lines = lines();
    for call in &group.calls {
        declare(&mut lines, package, call);
    }
    lines.line("");
    lines.star_doc(&format!("Calls of `{}`.", group.name));
    lines.line(format!("export class {} {{", class(package, group.name)));
    lines.within(|lines| {
        lines.line("constructor(private readonly transport: Transport) {}");
        for call in &group.calls {
            for form in package.bodies(call) {
                method(lines, package, call, form.as_ref());
            }
            if package.item(call).is_some() {
                walk(lines, package, call);
            }
        }
    });
    lines.line("}");
    lines.done()
}

/// Writes the declarations before the class: the description of a call, its parameters, its errors.
fn declare(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>) {
    lines.line("");
    lines.line(format!("const {}: Operation = {{", constant(call)));
    let codes = package.codes(call);
    lines.within(|lines| {
        let route = &call.operation.routes[0];
        lines.line(format!("id: {},", quoted(call.id)));
        lines.line(format!("method: {},", quoted(&route.method)));
        lines.line(format!("path: {},", quoted(&format!("{}{}", route.path, route.suffix))));
        lines.line(format!("envelope: envelopes.{},", call.envelope));
        lines.line(format!("idempotent: {},", call.operation.idempotent));
        lines.line(format!("once: {},", call.operation.idempotency_key));
        lines.line(format!("failsWithSuccess: {},", package.fails_with_success(call)));
        if let Some(credential) = call.credential {
            let (header, prefix) = (quoted(credential.header), quoted(credential.prefix));
            lines.line(format!("credential: {{ header: {header}, prefix: {prefix} }},"));
        }
        lines.line(format!("reply: {},", quoted(reply_word(call))));
        if let Some(stream) = call.stream() {
            let ends: Vec<String> = stream.ends_with.iter().map(|end| quoted(end)).collect();
            lines.line(format!("stream: {{ named: {}, endsWith: [{}] }},", stream.named, ends.join(", ")));
        }
        if call.operation.errors_open.is_some() {
            lines.line("codes: undefined,");
        } else {
            let all: Vec<String> = codes.iter().flat_map(|codes| &codes.wires).map(|wire| quoted(wire)).collect();
            lines.line("codes: [");
            lines.within(|lines| all.iter().for_each(|code| lines.line(format!("{code},"))));
            lines.line("],");
        }
    });
    lines.line("};");
    if let (Some(pages), Some(_)) = (call.pages(), package.item(call)) {
        let steps = |names: &[String]| path(&names.iter().map(|name| name.as_str().into()).collect::<Vec<_>>());
        let more = pages.more.as_ref().map(|more| format!(", more: {}", steps(more))).unwrap_or_default();
        lines.line(format!(
            "const {}_PAGES: Pages = {{ items: {}, next: {}{more} }};",
            constant(call),
            steps(&pages.items),
            steps(&pages.next)
        ));
    }
    lines.line("");
    errors(lines, package, call);
    if has_parameters(call) {
        lines.line("");
        lines.star_doc(&format!("Parameters of {}.", call_name(call)));
        lines.line(format!("export interface {} {{", parameters_name(call)));
        lines.within(|lines| {
            for parameter in said(call) {
                lines.star_doc(&field_doc(parameter.field));
                let mark = if parameter.required { "" } else { "?" };
                let place = |name: &str| format!("types.{}", type_name(package.document, name));
                lines.line(format!(
                    "{}{mark}: {};",
                    parameter_name(parameter.name),
                    field_type(parameter.field, &place)
                ));
            }
        });
        lines.line("}");
    }
    package.bodies(call).iter().flatten().for_each(|form| self::form(lines, package, call, form));
}

/// The form that a call may be given.
fn form(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>, form: &CallForm<'_>) {
    let place = |name: &str| format!("types.{}", type_name(package.document, name));
    lines.line("");
    lines.star_doc(&format!("What {} is given as a form.", call_name(call)));
    lines.line(format!("export interface {} {{", form_name(call)));
    lines.within(|lines| {
        for (name, field, part) in &form.fields {
            lines.star_doc(&field_doc(field));
            let mark = if may_be_absent(field) { "?" } else { "" };
            let ty = match part {
                FormPartKind::File => "Upload".to_owned(),
                FormPartKind::Files => "Upload | readonly Upload[]".to_owned(),
                FormPartKind::Any => "Upload | string | number | boolean".to_owned(),
                FormPartKind::Value => field_type(field, &place),
            };
            lines.line(format!("{}{mark}: {ty};", key(name)));
        }
        if form.open {
            lines.line("[key: string]: unknown;");
        }
    });
    lines.line("}");
}

/// The errors that a call declares, as one union by code.
fn errors(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>) {
    let error = format!("{}Error", naming::upper_camel(&call.name()));
    let open = call.operation.errors_open.as_deref();
    let further = open.map(|why| format!("\n\nExpect further codes: {why}.")).unwrap_or_default();
    lines.star_doc(&format!("What {} may be refused with, by code.{further}", call_name(call)));
    lines.line(format!("export type {error} ="));
    lines.within(|lines| {
        let codes = package.codes(call);
        let last = codes.len() - 1;
        for (index, codes) in codes.iter().enumerate() {
            let words: Vec<String> = codes.wires.iter().map(|wire| quoted(wire)).collect();
            let values: Vec<String> =
                codes.with.iter().map(|(name, ty)| format!("{}: {}", key(name), with_type(ty))).collect();
            let details =
                if values.is_empty() { "undefined".to_owned() } else { format!("{{ {} }}", values.join("; ")) };
            let end = if index == last && open.is_none() { ";" } else { "" };
            lines.line(format!("| ApiError<{}, {details}>{end}", words.join(" | ")));
        }
        if open.is_some() {
            lines.line("| ApiError<Unlisted>;");
        }
    });
    lines.line("");
    lines.star_doc(&format!("Whether {} was refused so.", call_name(call)));
    lines.line(format!("export function is{error}(error: unknown): error is {error} {{"));
    lines.within(|lines| lines.line(format!("return isErrorOf(error, {});", constant(call))));
    lines.line("}");
}

fn with_type(word: &str) -> &'static str {
    match word {
        "int" | "usd" => "number",
        "bool" => "boolean",
        _ => "string",
    }
}

fn method(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>, form: Option<&CallForm<'_>>) {
    let place = |name: &str| format!("types.{}", type_name(package.document, name));
    let whole = reply_type(package, call);
    let verb = if is_second(call, form) { format!("{}Form", verb(call)) } else { verb(call) };
    let body = match form {
        Some(_) => Some(format!("{} | FormData", form_name(call))),
        None => body_type(call).map(|body| ty(&body, &place)),
    };
    lines.line("");
    let further = if is_second(call, form) { "\n\nThe same, as a form." } else { "" };
    let deprecated = deprecation(call).map(|words| format!("\n\n@deprecated {words}")).unwrap_or_default();
    lines.star_doc(&format!("{}{further}{deprecated}", call_doc(call)));
    let stream = streams(call, form);
    let event = stream.map(|stream| format!("EventStream<{}>", place(&stream.event)));
    let signature = |body: Option<String>, extra: &str, reply: &str| {
        format!("{verb}({}): Promise<{reply}>", arguments(call, package, body.as_deref(), extra).join(", "))
    };
    match (stream.map(when), event) {
        (Some(StreamTrigger::Body(field)), Some(event)) => {
            let body = body.unwrap_or_default();
            let field = key(field);
            lines.line(format!("{};", signature(Some(format!("{body} & {{ {field}: true }}")), "?", &event)));
            lines.line(format!("{};", signature(Some(format!("{body} & {{ {field}?: false | null }}")), "?", &whole)));
            let both = format!("{whole} | {event}");
            lines.line(format!("{};", signature(Some(body.clone()), "?", &both)));
            lines.line(format!("{} {{", signature(Some(body), "", &both)));
        }
        (Some(StreamTrigger::Query(name, word)), Some(event)) => {
            let both = format!("{whole} | {event}");
            let asks = format!(" & {{ {}: {} }}", parameter_name(name), quoted(word));
            lines.line(format!("{};", signature(body.clone(), &asks, &event)));
            let not = format!(" & {{ {}?: never }}", parameter_name(name));
            lines.line(format!("{};", signature(body.clone(), &not, &whole)));
            lines.line(format!("{};", signature(body.clone(), "?", &both)));
            lines.line(format!("{} {{", signature(body, "", &both)));
        }
        (Some(StreamTrigger::Always), Some(event)) => lines.line(format!("{} {{", signature(body, "", &event))),
        (None, _) | (_, None) => lines.line(format!("{} {{", signature(body, "", &whole))),
    }
    lines.within(|lines| {
        let input = input(call, form, stream.map(when));
        lines.line(format!("return this.transport.call({}, {{ {input} }}, options);", constant(call)));
    });
    lines.line("}");
}

/// The walk through all pages.
fn walk(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>) {
    let place = |name: &str| format!("types.{}", type_name(package.document, name));
    let (Some(item), Some(pages)) = (package.item(call), call.pages()) else { return };
    let item = ty(item, &place);
    lines.line("");
    lines.star_doc(&format!("The items of all pages of {}, one after the other.", call_name(call)));
    let arguments_all = arguments(call, package, None, "");
    lines.line(format!("{}All({}): AsyncIterable<{item}> {{", verb(call), arguments_all.join(", ")));
    let paths: Vec<String> = call.placed(ParameterPlace::Path).map(|parameter| argument(parameter.name)).collect();
    let by = parameter_name(&pages.by);
    let given = format!("by === undefined ? params : {{ ...params, {by}: by }}");
    let given = paths.into_iter().chain([given, "options".to_owned()]).collect::<Vec<_>>().join(", ");
    lines.within(|lines| {
        lines.line(format!("return each<{item}>((by) => this.{}({given}), {}_PAGES);", verb(call), constant(call)));
    });
    lines.line("}");
}

/// Arguments in their order: the path, the body, the other parameters, options.
fn arguments(call: &ApiCall<'_>, package: &ClientPackage<'_>, body: Option<&str>, extra: &str) -> Vec<String> {
    let place = |name: &str| format!("types.{}", type_name(package.document, name));
    let mut arguments: Vec<String> = call
        .placed(ParameterPlace::Path)
        .map(|parameter| format!("{}: {}", argument(parameter.name), field_type(parameter.field, &place)))
        .collect();
    arguments.extend(body.map(|body| format!("body: {body}")));
    if has_parameters(call) {
        let asks = extra.contains(": \"");
        let required = asks || said(call).any(|parameter| parameter.required);
        let name = parameters_name(call);
        arguments.push(match (required, extra) {
            (true, _) => format!("params: {name}{}", extra.trim_end_matches('?')),
            // A signature without a body has no defaults.
            (false, "") => format!("params: {name} = {{}}"),
            (false, extra) => format!("params?: {name}{}", extra.trim_end_matches('?')),
        });
    }
    let options = if call.operation.idempotency_key { "OnceOptions" } else { "CallOptions" };
    arguments.push(format!("options?: {options}"));
    arguments
}

/// The argument of the transport.
fn input(call: &ApiCall<'_>, form: Option<&CallForm<'_>>, streams: Option<StreamTrigger<'_>>) -> String {
    let mut parts = Vec::new();
    let object = |place: ParameterPlace| {
        let members: Vec<String> = call
            .placed(place)
            .map(|parameter| {
                let value = match place {
                    ParameterPlace::Path => argument(parameter.name),
                    ParameterPlace::Query | ParameterPlace::Header => {
                        format!("params.{}", parameter_name(parameter.name))
                    }
                };
                format!("{}: {value}", made_key(parameter.wire))
            })
            .collect();
        (!members.is_empty()).then(|| format!("{{ {} }}", members.join(", ")))
    };
    parts.extend(object(ParameterPlace::Path).map(|path| format!("path: {path}")));
    parts.extend(object(ParameterPlace::Query).map(|query| format!("query: {query}")));
    parts.extend(object(ParameterPlace::Header).map(|headers| format!("headers: {headers}")));
    if call.operation.body.is_some() {
        parts.push(if form.is_some() { "body: form(body)" } else { "body" }.to_owned());
    }
    parts.extend(streams.map(|when| match when {
        StreamTrigger::Always => "streams: true".to_owned(),
        StreamTrigger::Body(field) => format!("streams: body[{}] === true", quoted(field)),
        StreamTrigger::Query(name, word) => {
            format!("streams: params[{}] === {}", quoted(&parameter_name(name)), quoted(word))
        }
    }));
    parts.join(", ")
}

fn reply_type(package: &ClientPackage<'_>, call: &ApiCall<'_>) -> String {
    let place = |name: &str| format!("types.{}", type_name(package.document, name));
    match call.reply {
        ApiReply::Json(field) => field_type(field, &place),
        ApiReply::Named(name) => place(name),
        ApiReply::Text => "string".to_owned(),
        ApiReply::Bytes => "ArrayBuffer".to_owned(),
        ApiReply::Nothing => "void".to_owned(),
    }
}

fn reply_word(call: &ApiCall<'_>) -> &'static str {
    match call.reply {
        ApiReply::Json(_) | ApiReply::Named(_) => "json",
        ApiReply::Text => "text",
        ApiReply::Bytes => "bytes",
        ApiReply::Nothing => "nothing",
    }
}

/// Parameters that are members of one object.
fn said<'c, 'd>(call: &'c ApiCall<'d>) -> impl Iterator<Item = &'c CallParameter<'d>> {
    call.parameters.iter().filter(|parameter| parameter.place != ParameterPlace::Path)
}

fn has_parameters(call: &ApiCall<'_>) -> bool {
    said(call).next().is_some()
}

fn form_name(call: &ApiCall<'_>) -> String {
    format!("{}Form", naming::upper_camel(&call.name()))
}

fn parameters_name(call: &ApiCall<'_>) -> String {
    format!("{}Params", naming::upper_camel(&call.name()))
}

pub(super) fn verb(call: &ApiCall<'_>) -> String {
    names::method(or_own(|named| named.ts.as_ref(), &call.operation.name, lower_camel(&call.verb)))
}

fn call_name(call: &ApiCall<'_>) -> String {
    let group = call.id.split('.').next().unwrap_or_default();
    format!("`{}.{}`", group_member(group), verb(call))
}

fn constant(call: &ApiCall<'_>) -> String {
    naming::snake(&call.name()).to_ascii_uppercase()
}
