//! Calls as readers copy them: curl, TypeScript, Python, and what is answered.

use std::fmt::Write;

use askama::Template;

use super::code::{self, Lang};
use super::site::Site;
use crate::emit::client::{BASE, Given, Syntax, literal};
use crate::interface::{Call, Place, Reply, Ty};

/// A call in each language.
#[derive(Template)]
#[template(path = "docs/call.html")]
pub(super) struct Sample {
    /// The call's name, where an operation has several.
    pub(super) title: String,
    /// Names for programs and for people, with the code.
    codes: Vec<(&'static str, &'static str, String)>,
    /// What is answered: a heading and the code.
    replies: Vec<(String, String)>,
}

pub(super) fn sample(site: &Site<'_>, call: &Call<'_>) -> Sample {
    let given = site.calls.least(call);
    let shown = site.calls.show(call, &given);
    Sample {
        title: String::new(),
        codes: vec![
            ("curl", "curl", code::html(&curl(site, call, &given), Lang::Shell)),
            ("typescript", "TypeScript", code::html(&shown.typescript, Lang::Typescript)),
            ("python", "Python", code::html(&shown.python, Lang::Python)),
        ],
        replies: replies(site, call),
    }
}

fn replies(site: &Site<'_>, call: &Call<'_>) -> Vec<(String, String)> {
    let shown = |ty: &Ty| code::html(&literal(&site.calls.value(ty), Syntax::Json, 0), Lang::Json);
    let ok = call.operation.always_http.unwrap_or(200);
    let whole = match call.reply {
        Reply::Json(field) => Some(shown(&field.ty)),
        Reply::Named(name) => Some(shown(&Ty::Ref(name.to_owned()))),
        Reply::Text | Reply::Bytes | Reply::Nothing => None,
    };
    let event = call.stream().map(|stream| (format!("Event of the stream"), shown(&Ty::Ref(stream.event.clone()))));
    whole.map(|whole| (format!("Reply {ok}"), whole)).into_iter().chain(event).collect()
}

/// The request for curl.
fn curl(site: &Site<'_>, call: &Call<'_>, given: &Given) -> String {
    let route = &call.operation.routes[0];
    let placed = |place: Place| {
        let all = call.parameters.iter().zip(&given.parameters);
        all.filter(move |(parameter, _)| parameter.place == place)
            .filter_map(|(parameter, value)| Some((parameter, value.as_ref()?)))
    };
    let mut path = format!("{}{}", route.path.replace("{*", "{"), route.suffix);
    for (parameter, value) in placed(Place::Path) {
        path = path.replace(&format!("{{{}}}", parameter.name), &plain(value));
    }
    let query: Vec<String> =
        placed(Place::Query).map(|(parameter, value)| format!("{}={}", parameter.wire, plain(value))).collect();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let has_body = given.body.is_some() || !given.form.is_empty();
    let streams =
        call.stream().is_some_and(|stream| stream.when.as_deref().is_none_or(|when| !when.starts_with("body.")));
    let method = match (route.method.as_str(), has_body) {
        ("GET", false) | ("POST", true) => String::new(),
        (method, _) => format!(" -X {method}"),
    };
    let address = format!("{BASE}{path}{query}");
    let address = if query.contains('&') { format!("\"{address}\"") } else { address };
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
    for (parameter, value) in placed(Place::Header) {
        option(&format!("-H \"{}: {}\"", parameter.wire, plain(value)));
    }
    for (name, is_file) in &given.form {
        option(&if *is_file { format!("-F {name}=@{name}") } else { format!("-F {name}=…") });
    }
    if let Some(body) = &given.body {
        option("-H \"Content-Type: application/json\"");
        option(&format!("-d '{}'", literal(body, Syntax::Json, 2).replace('\'', "'\\''")));
    }
    text
}

/// `authorization` → `Authorization`.
fn header(name: &str) -> String {
    let part = |part: &str| super::fields::upper_first(part);
    name.split('-').map(part).collect::<Vec<_>>().join("-")
}

/// A value as it stands in an address or a header.
fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
