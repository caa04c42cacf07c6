//! Signatures of calls: their names, their arguments, and the types that stand beside them.

use super::super::model::{CallForm, StreamTrigger, body_type, when};
use super::names::ident;
use super::value_types::ty;
use crate::client_model::{ApiCall, ApiDocument, CallParameter, ParameterPlace};
use crate::naming;

/// Arguments in their order: the path, the body, the other parameters, options.
pub(super) fn arguments(document: &ApiDocument, call: &ApiCall<'_>, form: Option<&CallForm<'_>>) -> Vec<String> {
    let mut arguments = vec!["&self".to_owned()];
    for parameter in call.placed(ParameterPlace::Path) {
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

/// Parameters that are fields of one value; what asks for a stream is not the caller's.
pub(super) fn said<'c, 'd>(call: &'c ApiCall<'d>) -> impl Iterator<Item = &'c CallParameter<'d>> {
    let switch = call.stream().map(when);
    call.parameters.iter().filter(move |parameter| {
        parameter.place != ParameterPlace::Path
            && !matches!(switch, Some(StreamTrigger::Query(name, _)) if name == parameter.name)
    })
}

pub(super) fn parameters_name(call: &ApiCall<'_>) -> String {
    format!("{}Params", naming::upper_camel(&call.name()))
}

pub(super) fn form_name(call: &ApiCall<'_>) -> String {
    format!("{}Form", naming::upper_camel(&call.name()))
}

pub(super) fn code_name(call: &ApiCall<'_>) -> String {
    format!("{}Code", naming::upper_camel(&call.name()))
}

pub(super) fn verb(call: &ApiCall<'_>) -> String {
    ident(&call.verb)
}

pub(super) fn call_name(call: &ApiCall<'_>) -> String {
    format!("{}.{}", call.id.split('.').next().unwrap_or_default(), call.verb)
}
