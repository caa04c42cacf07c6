//! All calls in Rust, where a call cannot be looked up by its name: a function for each, that puts what it is given into the
//! types that the client takes.

use std::fmt::Write;

use tollgate_spec_generator::client_model::{ApiCall, ApiReply, ApiType, CallGroup, CallParameter, ParameterPlace};
use tollgate_spec_language::naming;

/// What stands beside the program.
pub(super) fn module(groups: &[CallGroup<'_>]) -> String {
    let mut text = "use super::*;\n\n\
        pub async fn call(given: &Given) -> Outcome {\n    match given.call() {\n"
        .to_owned();
    let calls: Vec<&ApiCall<'_>> = groups.iter().flat_map(|group| &group.calls).collect();
    for call in &calls {
        let _ = writeln!(text, "        {0:?} => Box::pin({0}(given)).await,", call.name());
    }
    text.push_str("        other => panic!(\"there is no call `{other}`\"),\n    }\n}\n");
    calls.iter().for_each(|call| function(&mut text, call));
    text
}

fn function(text: &mut String, call: &ApiCall<'_>) {
    let group = call.id.split('.').next().expect("a group");
    let mut arguments = Vec::new();
    let _ = writeln!(text, "\nasync fn {}(given: &Given) -> Outcome {{", call.name());
    for (index, parameter) in call.placed(ParameterPlace::Path).enumerate() {
        let plain = ["int", "unix_seconds", "bool"];
        let is_text = matches!(&parameter.field.ty, ApiType::Primitive(of) if !plain.contains(&of.word()));
        let ty = if is_text { ": String" } else { "" };
        let _ = writeln!(text, "    let path_{index}{ty} = given.path({index})?;");
        arguments.push(format!("{}path_{index}", if is_text { "&" } else { "" }));
    }
    if call.operation.body.is_some() {
        text.push_str("    let body = given.body()?;\n");
        arguments.push("&body".to_owned());
    }
    let switch = call.stream().and_then(|stream| stream.when.as_deref()).and_then(|when| when.strip_prefix("query."));
    let switch = switch.and_then(|when| when.split('=').next());
    let is_said =
        |parameter: &&CallParameter<'_>| parameter.place != ParameterPlace::Path && Some(parameter.name) != switch;
    let said: Vec<&CallParameter<'_>> = call.parameters.iter().filter(is_said).collect();
    if !said.is_empty() {
        let name = naming::upper_camel(&call.name());
        let fields =
            said.iter().map(|parameter| format!("{}: given.param({:?})?", ident(parameter.name), parameter.name));
        let fields: Vec<String> = fields.collect();
        let _ = writeln!(
            text,
            "    let params = tollgate_client::calls::{group}::{name}Params {{ {} }};",
            fields.join(", ")
        );
        arguments.push("&params".to_owned());
    }
    arguments.push("&options".to_owned());
    let (arguments, verb) = (arguments.join(", "), ident(&call.verb));
    let read = match call.reply {
        ApiReply::Json(_) | ApiReply::Named(_) => "reply",
        ApiReply::Text => "text",
        ApiReply::Bytes => "bytes",
        ApiReply::Nothing => "nothing",
    };
    text.push_str("    let (client, options) = given.client();\n");
    if call.stream().is_some() {
        let _ = writeln!(text, "    if given.streams() {{");
        let _ =
            writeln!(text, "        return events(client.{group}().{}_stream({arguments}).await).await;", call.verb);
        text.push_str("    }\n");
    }
    let _ = writeln!(text, "    {read}(client.{group}().{verb}({arguments}).await)\n}}");
}

/// A name as an identifier.
fn ident(name: &str) -> String {
    let snake = naming::snake(name);
    let is_word = ["type", "match", "move", "ref", "in", "use", "loop"].contains(&snake.as_str());
    if is_word { format!("r#{snake}") } else { snake }
}
