//! Calls as readers copy them: curl, TypeScript, Python, and what is answered.

use std::fmt::Write;

use askama::Template;
use serde_json::Value;

use super::code::{self, HighlightLanguage};
use super::site::DocsSite;
use crate::client_model::{
    ApiCall, ApiReply, ApiShape, ApiType, CaseBody, ExampleCase, ParameterPlace, filled, in_path, in_query, joined_word,
};
use crate::emit::client::{BASE, CallArguments, LiteralSyntax, literal};

/// The sign for a value that readers fill in themselves.
const DOTS: &str = "…";

/// A call in each language.
#[derive(Template)]
#[template(path = "docs/call.html")]
pub(super) struct OperationSample {
    /// The call's name, where an operation has several.
    pub(super) title: String,
    /// The purpose of the example; empty where nobody wrote one.
    about: String,
    /// Names for programs and for people, with the code.
    codes: Vec<(&'static str, &'static str, String)>,
    /// The answers: a heading and the code of each.
    replies: Vec<(String, String)>,
    /// Further examples of the same call.
    pub(super) more: Vec<OperationSample>,
}

/// A call, by its examples where there are some.
pub(super) fn sample(site: &DocsSite<'_>, call: &ApiCall<'_>) -> OperationSample {
    let written = site.examples(call);
    let is_stream = |case: &ExampleCase<'_>| case.expect.stream.is_some();
    // What is answered whole comes first; the same as a stream is seen beside it.
    let first = written.iter().find(|case| !is_stream(case)).or_else(|| written.first());
    let Some(first) = first else {
        let given = site.calls.least(call);
        return build_sample(
            site,
            call,
            &given,
            SampleContext { about: String::new(), asked: Vec::new(), replies: shapes(site, call) },
        );
    };
    let streamed = written.iter().find(|case| is_stream(case)).filter(|case| case.name != first.name);
    let mut sample = of(site, call, first);
    if let Some(streamed) = streamed {
        sample.replies.extend(replies(site, streamed));
    } else if !is_stream(first) {
        sample.replies.extend(event(site, call));
    }
    let shown = [Some(first), streamed];
    let rest = written.iter().filter(|case| !shown.iter().flatten().any(|shown| shown.name == case.name));
    sample.more = rest.map(|case| of(site, call, case)).collect();
    sample
}

/// True if the body is in somebody else's own form, of which the types name no field: no value of it could be written.
fn says_nothing(site: &DocsSite<'_>, call: &ApiCall<'_>) -> bool {
    let Some(ApiType::Ref(name)) = call.operation.body.as_ref().and_then(|body| body.raw.as_ref()) else {
        return false;
    };
    let shape = site.document.types.get(name).map(|def| &def.shape);
    matches!(shape, Some(ApiShape::Struct { fields, .. }) if fields.is_empty())
}

/// A list as programs have it, which is told with commas.
fn listed(ty: &ApiType, value: Value) -> Value {
    match (ty, &value) {
        (ApiType::List(_), Value::String(told)) => told.split(',').collect(),
        _ => value,
    }
}

/// One example.
fn of(site: &DocsSite<'_>, call: &ApiCall<'_>, case: &ExampleCase<'_>) -> OperationSample {
    let value = |place: ParameterPlace, name: &str, wire: &str| match place {
        ParameterPlace::Path => case.path.get(name),
        ParameterPlace::Query => case.query.get(name),
        ParameterPlace::Header => case.headers.get(wire),
    };
    let parameters = call.parameters.iter().map(|parameter| {
        let value = value(parameter.place, parameter.name, parameter.wire)?;
        Some(listed(&parameter.field.ty, filled(value, &site.values)))
    });
    let body = match &case.body {
        Some(CaseBody::Json(_)) if says_nothing(site, call) => site.calls.least(call).body,
        Some(CaseBody::Json(body)) => Some(filled(body, &site.values)),
        Some(CaseBody::Text(_) | CaseBody::Bytes(_)) | None => None,
    };
    let form = if body.is_none() { site.calls.least(call).form } else { Vec::new() };
    let given = CallArguments { parameters: parameters.collect(), body, form };
    // What no parameter tells, and who calls is told elsewhere.
    let elsewhere = ["content-type", "cookie", "authorization"];
    let known = |name: &str| {
        elsewhere.contains(&name)
            || call.credential.is_some_and(|credential| credential.header == name)
            || call
                .parameters
                .iter()
                .any(|parameter| parameter.place == ParameterPlace::Header && parameter.wire == name)
    };
    let asked = case.headers.iter().filter(|(name, _)| !known(name));
    let asked = asked.map(|(name, value)| ((*name).to_owned(), joined_word(&filled(value, &site.values)))).collect();
    build_sample(site, call, &given, SampleContext { about: case.doc.to_owned(), asked, replies: replies(site, case) })
}

/// The parts of a sample beside the call.
struct SampleContext {
    about: String,
    /// Headers that are no parameters.
    asked: Vec<(String, String)>,
    replies: Vec<(String, String)>,
}

fn build_sample(
    site: &DocsSite<'_>,
    call: &ApiCall<'_>,
    given: &CallArguments,
    beside: SampleContext,
) -> OperationSample {
    let shown = site.calls.show(call, given);
    OperationSample {
        title: String::new(),
        about: beside.about,
        codes: vec![
            ("curl", "curl", code::html(&curl(site, call, given, &beside.asked), HighlightLanguage::Shell)),
            ("typescript", "TypeScript", code::html(&shown.typescript, HighlightLanguage::Typescript)),
            ("python", "Python", code::html(&shown.python, HighlightLanguage::Python)),
        ],
        replies: beside.replies,
        more: Vec::new(),
    }
}

/// The answer of an example.
fn replies(site: &DocsSite<'_>, case: &ExampleCase<'_>) -> Vec<(String, String)> {
    let json = |value: &Value| literal(&filled(value, &site.values), LiteralSyntax::Json, 0);
    let status = case.expect.status;
    let whole =
        case.expect.body.map(|body| (format!("Reply {status}"), code::html(&json(body), HighlightLanguage::Json)));
    let stream = case.expect.stream.map(|events| {
        let events: Vec<String> = events.iter().map(json).collect();
        ("Events of the stream".to_owned(), code::html(&events.join("\n"), HighlightLanguage::Json))
    });
    whole.into_iter().chain(stream).collect()
}

/// The least that may be answered, where nobody wrote an example.
fn shapes(site: &DocsSite<'_>, call: &ApiCall<'_>) -> Vec<(String, String)> {
    let ok = call.operation.always_http.unwrap_or(200);
    let whole = match call.reply {
        ApiReply::Json(field) => Some(shape(site, &field.ty)),
        ApiReply::Named(name) => Some(shape(site, &ApiType::Ref(name.to_owned()))),
        ApiReply::Text | ApiReply::Bytes | ApiReply::Nothing => None,
    };
    whole.map(|whole| (format!("Reply {ok}"), whole)).into_iter().chain(event(site, call)).collect()
}

/// The least that an event may be.
fn event(site: &DocsSite<'_>, call: &ApiCall<'_>) -> Option<(String, String)> {
    let stream = call.stream()?;
    Some(("Event of the stream".to_owned(), shape(site, &ApiType::Ref(stream.event.clone()))))
}

fn shape(site: &DocsSite<'_>, ty: &ApiType) -> String {
    code::html(&literal(&site.calls.value(ty), LiteralSyntax::Json, 0), HighlightLanguage::Json)
}

/// The request for curl.
fn curl(site: &DocsSite<'_>, call: &ApiCall<'_>, given: &CallArguments, asked: &[(String, String)]) -> String {
    let route = &call.operation.routes[0];
    let placed = |place: ParameterPlace| {
        let all = call.parameters.iter().zip(&given.parameters);
        all.filter(move |(parameter, _)| parameter.place == place)
            .filter_map(|(parameter, value)| Some((parameter, value.as_ref()?)))
    };
    let mut path = format!("{}{}", route.path.replace("{*", "{"), route.suffix);
    for (parameter, value) in placed(ParameterPlace::Path) {
        let (word, rest) = (joined_word(value), route.path.contains(&format!("{{*{}}}", parameter.name)));
        // What readers put something else in the place of stays as it is.
        let word = if word == DOTS { word } else { in_path(&word, rest) };
        path = path.replace(&format!("{{{}}}", parameter.name), &word);
    }
    let query: Vec<String> = placed(ParameterPlace::Query)
        .map(|(parameter, value)| format!("{}={}", parameter.wire, in_query(&joined_word(value))))
        .collect();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let has_body = given.body.is_some() || !given.form.is_empty();
    let streams =
        call.stream().is_some_and(|stream| stream.when.as_deref().is_none_or(|when| !when.starts_with("body.")));
    let method = match (route.method.as_str(), has_body) {
        ("GET", false) | ("POST", true) => String::new(),
        (method, _) => format!(" -X {method}"),
    };
    let address = format!("{BASE}{path}{query}");
    // Shells look for files where there is a question mark, and go on beside an ampersand.
    let address = if query.is_empty() { address } else { format!("\"{address}\"") };
    let mut text = format!("curl{}{method} {address}", if streams { " -N" } else { "" });
    let mut option = |option: &str| {
        let _ = write!(text, " \\\n  {option}");
    };
    if let Some(credential) = call.credential {
        let key = format!("${}_API_KEY", site.document.service.name.to_uppercase().replace('-', "_"));
        option(&format!("-H \"{}: {}{key}\"", header(credential.header), credential.prefix));
    } else if let Some(cookie) = site.calls.cookie(call) {
        option(&format!("-b \"{cookie}=$SESSION\""));
    }
    for (parameter, value) in placed(ParameterPlace::Header) {
        option(&format!("-H {}", quoted(&format!("{}: {}", parameter.wire, joined_word(value)))));
    }
    for (name, value) in asked {
        option(&format!("-H {}", quoted(&format!("{name}: {value}"))));
    }
    for (name, is_file) in &given.form {
        option(&if *is_file { format!("-F {name}=@{name}") } else { format!("-F {name}=…") });
    }
    if let Some(body) = &given.body {
        option("-H \"Content-Type: application/json\"");
        option(&format!("-d {}", single(&literal(body, LiteralSyntax::Json, 2))));
    }
    text
}

/// `authorization` → `Authorization`.
fn header(name: &str) -> String {
    let part = |part: &str| super::fields::upper_first(part);
    name.split('-').map(part).collect::<Vec<_>>().join("-")
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    if text.contains(['"', '$', '`', '\\', '!']) { single(text) } else { format!("\"{text}\"") }
}

/// A text as one word of a shell, in which nothing has a meaning of its own.
fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
