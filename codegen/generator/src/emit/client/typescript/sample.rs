//! A call as a program in TypeScript writes it.

use std::fmt::Write;

use serde_json::Value;

use super::super::arguments::{BASE, CallArguments, asks, asks_by, cookie, placed, with};
use super::super::lines::quoted;
use super::super::literal::{LiteralSyntax, literal};
use super::super::model::{ClientPackage, StreamTrigger, takes_form, when};
use super::calls::verb;
use super::names::{group_member, parameter as parameter_name};
use crate::client_model::{ApiCall, ApiReply, ParameterPlace};

pub(in crate::emit::client) fn call(package: &ClientPackage<'_>, call: &ApiCall<'_>, given: &CallArguments) -> String {
    let client = package.client();
    let mut text = format!("import {{ {client} }} from {};\n\n", quoted(&package.name()));
    let credential = match (call.credential, cookie(package, call)) {
        (Some(_), _) => ", apiKey: \"sk-…\"".to_owned(),
        (None, Some(cookie)) => format!(", headers: {{ cookie: {} }}", quoted(&format!("{cookie}=…"))),
        (None, None) => String::new(),
    };
    let _ = write!(text, "const client = new {client}({{ baseUrl: {}{credential} }});\n\n", quoted(BASE));
    if takes_form(call) {
        text.push_str("const form = new FormData();\n");
        for (name, is_file) in &given.form {
            let value = if *is_file { format!("new Blob([bytes]), {}", quoted(name)) } else { "\"…\"".to_owned() };
            let _ = writeln!(text, "form.set({}, {value});", quoted(name));
        }
    }
    match call.stream().map(when) {
        Some(StreamTrigger::Query(name, _)) if !asks_by(call, given, name) => {
            text.push_str(&whole(call, &made(call, given, given.body.as_ref())));
        }
        Some(StreamTrigger::Always | StreamTrigger::Query(..)) => {
            text.push_str(&streamed(&made(call, given, given.body.as_ref())));
        }
        Some(StreamTrigger::Body(switch)) => {
            let (body, asked) = asks(given.body.as_ref(), switch);
            if !asked {
                text.push_str(&whole(call, &made(call, given, body.as_ref())));
                text.push_str("\n// The same as a stream.\n");
            }
            let body = body.map(|body| with(&body, switch, true.into()));
            text.push_str(&streamed(&made(call, given, body.as_ref())));
        }
        None => text.push_str(&whole(call, &made(call, given, given.body.as_ref()))),
    }
    text
}

fn whole(call: &ApiCall<'_>, made: &str) -> String {
    match call.reply {
        ApiReply::Nothing => format!("await {made};\n"),
        ApiReply::Json(_) | ApiReply::Named(_) | ApiReply::Text | ApiReply::Bytes => {
            format!("const reply = await {made};\n")
        }
    }
}

fn streamed(made: &str) -> String {
    format!("for await (const event of await {made}) {{\n  console.log(event);\n}}\n")
}

fn made(call: &ApiCall<'_>, given: &CallArguments, body: Option<&Value>) -> String {
    let group = call.id.split('.').next().unwrap_or_default();
    let mut arguments: Vec<String> = placed(call, given, ParameterPlace::Path)
        .map(|(_, value)| literal(value, LiteralSyntax::Typescript, 0))
        .collect();
    arguments.extend(body.map(|body| literal(body, LiteralSyntax::Typescript, 0)));
    arguments.extend(takes_form(call).then(|| "form".to_owned()));
    let said =
        call.parameters.iter().zip(&given.parameters).filter(|(parameter, _)| parameter.place != ParameterPlace::Path);
    let params: serde_json::Map<String, Value> =
        said.filter_map(|(parameter, value)| Some((parameter_name(parameter.name), value.clone()?))).collect();
    if !params.is_empty() {
        arguments.push(literal(&params.into(), LiteralSyntax::Typescript, 0));
    }
    format!("client.{}.{}({})", group_member(group), verb(call), arguments.join(", "))
}
