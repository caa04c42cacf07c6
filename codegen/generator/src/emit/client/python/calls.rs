//! Groups of calls: errors, descriptions, and a class for programs of each kind.

use super::super::lines::{IndentedLines, names_types, quoted};
use super::super::model::{
    CallForm, ClientPackage, FormPartKind, StreamTrigger, body_type, call_doc, deprecation, field_doc, is_second,
    may_be_absent, or_own, streams, when,
};
use super::annotations::{WORDS, beside, field_type, ty};
use super::imports::words;
use super::names::{self, argument, type_name};
use super::source::{head, tuple};
use super::types::dictionary;
use crate::client_model::{ApiCall, ApiReply, CallGroup, CallParameter, ParameterPlace};
use crate::naming;

/// The mode of a client: calls wait in their thread, or on an event loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PythonCallMode {
    Sync,
    Async,
}

/// A class of calls: its mode, and its methods that are called as a type.
#[derive(Clone, Copy)]
struct ClassMode<'t> {
    kind: PythonCallMode,
    taken: &'t [&'static str],
}

pub(super) fn group(package: &ClientPackage<'_>, group: &CallGroup<'_>) -> String {
    let mut body = IndentedLines::new(4);
    for call in &group.calls {
        error(&mut body, package, call);
        operation(&mut body, package, call);
        package.bodies(call).iter().flatten().for_each(|given| form(&mut body, package, call, given));
    }
    for kind in [PythonCallMode::Sync, PythonCallMode::Async] {
        class(&mut body, package, group, kind);
    }
    let body = body.done();
    let mut lines = head(&format!("Calls of `{}`.", group.name));
    let words = words(&body);
    let within = |names: &[&'static str]| -> Vec<&str> {
        let marked = |name: &str| match name {
            "overload" => words.contains("@overload"),
            "each" | "each_async" | "form_content" | "with_member" => words.contains(&*format!("{name}(")),
            name => words.contains(name),
        };
        names.iter().copied().filter(|name| marked(name)).collect()
    };
    if words.contains("warnings") {
        lines.line("import warnings");
    }
    let abc = within(&["AsyncIterator", "Iterator"]);
    if !abc.is_empty() {
        lines.line(format!("from collections.abc import {}", abc.join(", ")));
    }
    let typing = within(&["TYPE_CHECKING", "Any", "Literal", "NotRequired", "TypeAlias", "TypedDict", "overload"]);
    if !typing.is_empty() {
        lines.line(format!("from typing import {}", typing.join(", ")));
    }
    lines.line("");
    lines.line(if names_types(&body) { "from .. import _envelopes, types" } else { "from .. import _envelopes" });
    let runtime = within(&[
        "ApiError",
        "AsyncEventStream",
        "AsyncTransport",
        "CallOptions",
        "EventStream",
        "FormFile",
        "Input",
        "OnceOptions",
        "Operation",
        "Pages",
        "Transport",
        "each",
        "each_async",
        "form_content",
        "with_member",
    ]);
    lines.line(format!("from .._runtime import {}", runtime.join(", ")));
    lines.line("");
    let taken = as_types(group);
    if !taken.is_empty() {
        taken.iter().for_each(|word| lines.line(format!("_{word} = {word}")));
        lines.line("");
    }
    exported(&mut lines, package, group);
    lines.done() + &body
}

/// The names that a group of calls shows.
fn exported(lines: &mut IndentedLines, package: &ClientPackage<'_>, group: &CallGroup<'_>) {
    lines.line("__all__ = [");
    let class = names::class(package, group.name);
    let mut all = vec![class.clone(), format!("Async{class}")];
    for call in &group.calls {
        let name = naming::upper_camel(&call.name());
        all.push(format!("{name}Code"));
        all.push(format!("{name}Error"));
        all.extend(package.bodies(call).iter().flatten().map(|_| form_name(call)));
    }
    all.sort_unstable();
    lines.within(|lines| all.iter().for_each(|name| lines.line(format!("{},", quoted(name)))));
    lines.line("]");
}

/// The methods of a group that are called as a type: after them, the type goes by another name.
fn as_types(group: &CallGroup<'_>) -> Vec<&'static str> {
    WORDS.into_iter().filter(|word| group.calls.iter().any(|call| verb(call) == *word)).collect()
}

pub(super) fn index(package: &ClientPackage<'_>) -> String {
    let mut lines = head("All calls, by group.");
    let names: Vec<String> = package.groups.iter().map(|group| names::module(group.name)).collect();
    lines.line("from . import (");
    lines.within(|lines| names.iter().for_each(|name| lines.line(format!("{name},"))));
    lines.line(")");
    lines.line("");
    lines.line("__all__ = [");
    lines.within(|lines| names.iter().for_each(|name| lines.line(format!("{},", quoted(name)))));
    lines.line("]");
    lines.done()
}

fn error(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>) {
    let name = naming::upper_camel(&call.name());
    let open = call.operation.errors_open.as_deref();
    let codes = package.codes(call);
    lines.line("");
    lines.line("");
    lines.line(format!("{name}Code: TypeAlias = Literal["));
    lines.within(|lines| {
        for code in codes.iter().flat_map(|codes| &codes.wires) {
            lines.line(format!("{},", quoted(code)));
        }
    });
    // The known ones are offered, and others are expected.
    lines.line(if open.is_some() { "] | str" } else { "]" });
    lines.line("");
    lines.line("");
    lines.line(format!("class {name}Error(ApiError):"));
    lines.within(|lines| {
        let values: Vec<String> = codes
            .iter()
            .filter(|codes| !codes.with.is_empty())
            .map(|codes| {
                let wires: Vec<String> = codes.wires.iter().map(|wire| format!("`{wire}`")).collect();
                let with: Vec<String> = codes.with.iter().map(|(name, ty)| format!("`{name}` ({ty})")).collect();
                format!("{}: {}.", wires.join(", "), with.join(", "))
            })
            .collect();
        let further = open.map(|why| format!("Expect further codes: {why}."));
        let details = (!values.is_empty()).then(|| "`details` by code:".to_owned());
        let doc = format!("What `{}` may be refused with.", call_name(call));
        let all: Vec<String> = [doc].into_iter().chain(further).chain(details).chain(values).collect();
        lines.quoted_doc(&all.join("\n\n"));
        lines.line("");
        lines.line("if TYPE_CHECKING:");
        lines.within(|lines| {
            lines.line("");
            lines.line("@property");
            lines.line(format!("def code(self) -> {name}Code: ..."));
        });
    });
}

fn operation(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>) {
    let route = &call.operation.routes[0];
    let bool = |value: bool| if value { "True" } else { "False" };
    lines.line("");
    lines.line("");
    lines.line(format!("_{} = Operation(", constant(call)));
    lines.within(|lines| {
        lines.line(format!("id={},", quoted(call.id)));
        lines.line(format!("method={},", quoted(&route.method)));
        lines.line(format!("path={},", quoted(&format!("{}{}", route.path, route.suffix))));
        lines.line(format!("envelope=_envelopes.{},", naming::snake(call.envelope).to_ascii_uppercase()));
        lines.line(format!("error={}Error,", naming::upper_camel(&call.name())));
        if call.operation.errors_open.is_some() {
            lines.line("codes=None,");
        } else {
            lines.line("codes=frozenset({");
            lines.within(|lines| {
                for code in package.codes(call).iter().flat_map(|codes| &codes.wires) {
                    lines.line(format!("{},", quoted(code)));
                }
            });
            lines.line("}),");
        }
        lines.line(format!("idempotent={},", bool(call.operation.idempotent)));
        lines.line(format!("once={},", bool(call.operation.idempotency_key)));
        lines.line(format!("fails_with_success={},", bool(package.fails_with_success(call))));
        let credential = call.credential.map_or("None".to_owned(), |credential| {
            format!("({}, {})", quoted(credential.header), quoted(credential.prefix))
        });
        lines.line(format!("credential={credential},"));
        lines.line(format!("reply={},", quoted(reply_word(call))));
        let stream = call.stream().map_or("None".to_owned(), |stream| {
            let ends: String = stream.ends_with.iter().map(|end| format!("{}, ", quoted(end))).collect();
            format!("({}, ({}))", bool(stream.named), ends.trim_end())
        });
        lines.line(format!("stream={stream},"));
    });
    lines.line(")");
    if let (Some(pages), Some(_)) = (call.pages(), package.item(call)) {
        let steps = |names: &[String]| tuple(&names.iter().map(|name| name.as_str().into()).collect::<Vec<_>>());
        let more = pages.more.as_ref().map_or("None".to_owned(), |more| steps(more));
        let (items, next) = (steps(&pages.items), steps(&pages.next));
        lines.line(format!("_{}_PAGES = Pages(items={items}, next={next}, more={more})", constant(call)));
    }
}

/// The form that a call may be given.
fn form(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>, form: &CallForm<'_>) {
    let place = |name: &str| format!("types.{}", type_name(package.document, name));
    let member = |(name, field, part): &(&str, &crate::client_model::ApiField, FormPartKind)| {
        let ty = match part {
            FormPartKind::File => "FormFile".to_owned(),
            FormPartKind::Files => "FormFile | list[FormFile]".to_owned(),
            FormPartKind::Any => "FormFile | str | float | bool".to_owned(),
            FormPartKind::Value => field_type(field, &place),
        };
        let ty = if may_be_absent(field) { format!("NotRequired[{ty}]") } else { ty };
        ((*name).to_owned(), ty, field_doc(field))
    };
    lines.line("");
    lines.line("");
    let doc = format!("What `{}` is given as a form.", call_name(call));
    dictionary(lines, &form_name(call), &doc, &form.fields.iter().map(member).collect::<Vec<_>>());
}

fn class(lines: &mut IndentedLines, package: &ClientPackage<'_>, group: &CallGroup<'_>, kind: PythonCallMode) {
    let mark = if kind == PythonCallMode::Async { "Async" } else { "" };
    lines.line("");
    lines.line("");
    lines.line(format!("class {mark}{}:", names::class(package, group.name)));
    lines.within(|lines| {
        lines.quoted_doc(&format!("Calls of `{}`.", group.name));
        lines.line("");
        lines.line(format!("def __init__(self, transport: {mark}Transport) -> None:"));
        lines.within(|lines| lines.line("self._transport = transport"));
        let mode = ClassMode { kind, taken: &as_types(group) };
        for call in &group.calls {
            for form in package.bodies(call) {
                method(lines, package, call, (mode, form.as_ref()));
            }
            walk(lines, package, call, mode);
        }
    });
}

fn method(
    lines: &mut IndentedLines,
    package: &ClientPackage<'_>,
    call: &ApiCall<'_>,
    (mode, form): (ClassMode<'_>, Option<&CallForm<'_>>),
) {
    let (word, wait, mark) = match mode.kind {
        PythonCallMode::Sync => ("def", "", ""),
        PythonCallMode::Async => ("async def", "await ", "Async"),
    };
    let whole = reply_type(package, call);
    let stream = streams(call, form);
    let event = stream.map(|stream| format!("{mark}EventStream[types.{}]", type_name(package.document, &stream.event)));
    let switch = stream.map(when).filter(|when| *when != StreamTrigger::Always);
    let verb = if is_second(call, form) { format!("{}_form", verb(call)) } else { verb(call) };
    lines.line("");
    let signature = |stream: Option<&str>, reply: &str, end: &str| {
        let (arguments, reply) = (arguments(package, call, form, stream).join(", "), beside(mode.taken, reply));
        format!("{word} {verb}({}) -> {reply}:{end}", beside(mode.taken, &arguments))
    };
    let reply = match (&event, switch) {
        (Some(event), Some(_)) => {
            let both = format!("{whole} | {event}");
            for (stream, reply) in [("Literal[True]", event), ("Literal[False] = False", &whole), ("bool", &both)] {
                lines.line("@overload");
                lines.line(signature(Some(stream), reply, " ..."));
            }
            lines.line(signature(Some("bool = False"), "Any", ""));
            "Any".to_owned()
        }
        (Some(event), None) => {
            lines.line(signature(None, event, ""));
            event.clone()
        }
        (None, _) => {
            lines.line(signature(None, &whole, ""));
            whole
        }
    };
    lines.within(|lines| {
        lines.quoted_doc(&documented(call, form));
        if let Some(deprecated) = deprecation(call) {
            let words = quoted(&format!("{} is deprecated {deprecated}", call_name(call)));
            lines.line(format!("warnings.warn({words}, DeprecationWarning, stacklevel=2)"));
        }
        let acted = format!(
            "{wait}self._transport.call(_{}, {}, options)",
            constant(call),
            input(call, form, stream.map(when))
        );
        if reply == "None" {
            lines.line(acted);
        } else {
            lines.line(format!("reply: {reply} = {acted}"));
            lines.line("return reply");
        }
    });
}

fn documented(call: &ApiCall<'_>, form: Option<&CallForm<'_>>) -> String {
    let of =
        |parameter: &CallParameter<'_>| format!("- `{}`: {}", argument(parameter.name), field_doc(parameter.field));
    let parameters: Vec<String> = call.parameters.iter().map(of).collect();
    let second = is_second(call, form).then(|| "The same, as a form.".to_owned());
    let deprecated = deprecation(call).map(|deprecated| format!("Deprecated {deprecated}"));
    [call_doc(call)].into_iter().chain(deprecated).chain(second).chain(parameters).collect::<Vec<_>>().join("\n\n")
}

/// The walk through all pages.
fn walk(lines: &mut IndentedLines, package: &ClientPackage<'_>, call: &ApiCall<'_>, mode: ClassMode<'_>) {
    let place = |name: &str| format!("types.{}", type_name(package.document, name));
    let (Some(item), Some(pages)) = (package.item(call), call.pages()) else { return };
    let item = ty(item, &place);
    let (iterator, each) = match mode.kind {
        PythonCallMode::Sync => ("Iterator", "each"),
        PythonCallMode::Async => ("AsyncIterator", "each_async"),
    };
    lines.line("");
    lines.line(format!(
        "def {}_all({}) -> {iterator}[{}]:",
        verb(call),
        beside(mode.taken, &arguments(package, call, None, None).join(", ")),
        beside(mode.taken, &item)
    ));
    lines.within(|lines| {
        lines.quoted_doc(&format!("The items of all pages of `{}`, one after the other.", call_name(call)));
        let given = call.parameters.iter().map(|parameter| {
            let name = argument(parameter.name);
            match parameter.place {
                ParameterPlace::Path => name,
                ParameterPlace::Query if parameter.name == pages.by => {
                    format!("{name}=by if by is not None else {name}")
                }
                ParameterPlace::Query | ParameterPlace::Header => format!("{name}={name}"),
            }
        });
        let given: Vec<String> = given.chain(["options=options".to_owned()]).collect();
        let page = format!("lambda by: self.{}({})", verb(call), given.join(", "));
        lines.line(format!("return {each}({page}, _{}_PAGES)", constant(call)));
    });
}

/// Arguments in their order: the path, the body; then by name the other parameters, and options.
fn arguments(
    package: &ClientPackage<'_>,
    call: &ApiCall<'_>,
    form: Option<&CallForm<'_>>,
    stream: Option<&str>,
) -> Vec<String> {
    let place = |name: &str| format!("types.{}", type_name(package.document, name));
    let mut arguments = vec!["self".to_owned()];
    arguments.extend(
        call.placed(ParameterPlace::Path)
            .map(|parameter| format!("{}: {}", argument(parameter.name), field_type(parameter.field, &place))),
    );
    match form {
        Some(_) => arguments.push(format!("form: {}", form_name(call))),
        None => arguments.extend(body_type(call).map(|body| format!("body: {}", ty(&body, &place)))),
    }
    arguments.push("*".to_owned());
    arguments.extend(stream.map(|stream| format!("stream: {stream}")));
    let switch = call.stream().map(when);
    for parameter in call.parameters.iter().filter(|parameter| parameter.place != ParameterPlace::Path) {
        if matches!(switch, Some(StreamTrigger::Query(name, _)) if name == parameter.name) {
            continue;
        }
        let ty = field_type(parameter.field, &place);
        let name = argument(parameter.name);
        arguments.push(if parameter.required {
            format!("{name}: {ty}")
        } else {
            format!("{name}: {ty} | None = None")
        });
    }
    let options = if call.operation.idempotency_key { "OnceOptions | CallOptions" } else { "CallOptions" };
    arguments.push(format!("options: {options} | None = None"));
    arguments
}

fn input(call: &ApiCall<'_>, form: Option<&CallForm<'_>>, streams: Option<StreamTrigger<'_>>) -> String {
    let mut parts = Vec::new();
    for (place, word) in
        [(ParameterPlace::Path, "path"), (ParameterPlace::Query, "query"), (ParameterPlace::Header, "headers")]
    {
        let members: Vec<String> = call
            .placed(place)
            .map(|parameter| {
                let value = match streams {
                    Some(StreamTrigger::Query(name, word))
                        if place == ParameterPlace::Query && name == parameter.name =>
                    {
                        format!("{} if stream else None", quoted(word))
                    }
                    _ => argument(parameter.name),
                };
                format!("{}: {value}", quoted(parameter.wire))
            })
            .collect();
        if !members.is_empty() {
            parts.push(format!("{word}={{{}}}", members.join(", ")));
        }
    }
    if form.is_some() {
        parts.push("content=form_content(form, options)".to_owned());
    } else if call.operation.body.is_some() {
        parts.push(match streams {
            Some(StreamTrigger::Body(field)) => format!("body=with_member({{**body}}, {}, stream)", quoted(field)),
            _ => "body=body".to_owned(),
        });
    }
    parts.extend(streams.map(|when| match when {
        StreamTrigger::Always => "streams=True".to_owned(),
        StreamTrigger::Body(_) | StreamTrigger::Query(..) => "streams=stream".to_owned(),
    }));
    format!("Input({})", parts.join(", "))
}

fn reply_type(package: &ClientPackage<'_>, call: &ApiCall<'_>) -> String {
    let place = |name: &str| format!("types.{}", type_name(package.document, name));
    match call.reply {
        ApiReply::Json(field) => field_type(field, &place),
        ApiReply::Named(name) => place(name),
        ApiReply::Text => "str".to_owned(),
        ApiReply::Bytes => "bytes".to_owned(),
        ApiReply::Nothing => "None".to_owned(),
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

pub(super) fn verb(call: &ApiCall<'_>) -> String {
    names::method(or_own(|named| named.py.as_ref(), &call.operation.name, naming::snake(&call.verb)))
}

fn form_name(call: &ApiCall<'_>) -> String {
    format!("{}Form", naming::upper_camel(&call.name()))
}

fn call_name(call: &ApiCall<'_>) -> String {
    format!("{}.{}", call.id.split('.').next().unwrap_or_default(), verb(call))
}

fn constant(call: &ApiCall<'_>) -> String {
    naming::snake(&call.name()).to_ascii_uppercase()
}
