//! A call as a program in Python writes it.

use std::fmt::Write;

use serde_json::Value;

use super::super::arguments::{BASE, CallArguments, asks, asks_by, cookie, placed};
use super::super::lines::quoted;
use super::super::literal::{LiteralSyntax, literal};
use super::super::model::{ClientPackage, StreamTrigger, takes_form, when};
use super::calls::verb;
use super::names::{argument, module, module_name};
use crate::client_model::{ApiCall, ApiReply, ParameterPlace};

pub(in crate::emit::client) fn call(package: &ClientPackage<'_>, call: &ApiCall<'_>, given: &CallArguments) -> String {
    let client = package.client();
    let upload = if given.form.iter().any(|(_, is_file)| *is_file) { ", Upload" } else { "" };
    let mut text = format!("from {} import {client}{upload}\n\n", module_name(package));
    let credential = match (call.credential, cookie(package, call)) {
        (Some(_), _) => ", \"sk-…\"".to_owned(),
        (None, Some(cookie)) => format!(", headers={{\"cookie\": {}}}", quoted(&format!("{cookie}=…"))),
        (None, None) => String::new(),
    };
    let _ = write!(text, "client = {client}({}{credential})\n\n", quoted(BASE));
    if takes_form(call) {
        let part = |(name, is_file): &(String, bool)| {
            let value = if *is_file { format!("Upload(content, {})", quoted(name)) } else { "\"…\"".to_owned() };
            format!("{}: {value}", quoted(name))
        };
        let parts: Vec<String> = given.form.iter().map(part).collect();
        let _ = writeln!(text, "form = {{{}}}", parts.join(", "));
    }
    match call.stream().map(when) {
        Some(StreamTrigger::Always) => text.push_str(&streamed(&made(call, given, false))),
        Some(StreamTrigger::Query(name, _)) if !asks_by(call, given, name) => {
            text.push_str(&whole(call, &made(call, given, false)));
        }
        Some(StreamTrigger::Query(..)) => text.push_str(&streamed(&made(call, given, true))),
        Some(StreamTrigger::Body(switch)) => {
            let (body, asked) = asks(given.body.as_ref(), switch);
            let given = CallArguments { body, ..given.clone() };
            if !asked {
                text.push_str(&whole(call, &made(call, &given, false)));
                text.push_str("\n# The same as a stream.\n");
            }
            text.push_str(&streamed(&made(call, &given, true)));
        }
        None => text.push_str(&whole(call, &made(call, given, false))),
    }
    text
}

fn whole(call: &ApiCall<'_>, made: &str) -> String {
    match call.reply {
        ApiReply::Nothing => format!("{made}\n"),
        ApiReply::Json(_) | ApiReply::Named(_) | ApiReply::Text | ApiReply::Bytes => format!("reply = {made}\n"),
    }
}

fn streamed(made: &str) -> String {
    format!("for event in {made}:\n    print(event)\n")
}

fn made(call: &ApiCall<'_>, given: &CallArguments, stream: bool) -> String {
    let group = call.id.split('.').next().unwrap_or_default();
    let mut arguments: Vec<String> =
        placed(call, given, ParameterPlace::Path).map(|(_, value)| literal(value, LiteralSyntax::Python, 0)).collect();
    arguments.extend(given.body.as_ref().map(|body| literal(body, LiteralSyntax::Python, 0)));
    arguments.extend(takes_form(call).then(|| "form".to_owned()));
    let switch = call.stream().map(when);
    let said =
        call.parameters.iter().zip(&given.parameters).filter(|(parameter, _)| parameter.place != ParameterPlace::Path);
    let named = said.filter_map(|(parameter, value): (_, &Option<Value>)| {
        let switches = matches!(switch, Some(StreamTrigger::Query(name, _)) if name == parameter.name);
        let value = value.as_ref().filter(|_| !switches)?;
        Some(format!("{}={}", argument(parameter.name), literal(value, LiteralSyntax::Python, 0)))
    });
    arguments.extend(named);
    arguments.extend(stream.then(|| "stream=True".to_owned()));
    format!("client.{}.{}({})", module(group), verb(call), arguments.join(", "))
}
