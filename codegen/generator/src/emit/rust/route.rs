//! The route function of an operation, and what the runtime is told about it.

use super::input;
use super::scope::{AUTH, CODE, ImportScope, LIMITS};
use super::tokens::{capitals, joined, quoted};
use crate::model::{BODY_TOO_LARGE, CALLER_CONFLICT, SessionEffect};
use crate::naming::word;
use crate::resolve::{RequestCondition, ResolvedDeprecation, ResolvedOperation, ResolvedRoute, ResolvedSpec};
use tollgate_spec_language::calendar::unix_seconds;

/// The ways to an operation, as expressions.
pub(super) fn routes(operation: &ResolvedOperation<'_>) -> Vec<String> {
    let route = |route: &ResolvedRoute| {
        let (method, path) = (route.method, quoted(&route.path));
        match &route.suffix {
            Some(suffix) => format!("api::Route::with_suffix(http::Method::{method}, {path}, {})", quoted(suffix)),
            None => format!("api::Route::new(http::Method::{method}, {path})"),
        }
    };
    operation.routes.iter().map(route).collect()
}

/// Further facts for the runtime, where they differ from its defaults.
pub(super) fn facts(
    operation: &ResolvedOperation<'_>,
    lowered: &ResolvedSpec<'_>,
    scope: &ImportScope<'_>,
) -> Vec<String> {
    let mut facts = Vec::new();
    if !operation.auth.is_empty() {
        let schemes = operation.auth.iter().map(|scheme| format!("&{}", scope.of(AUTH, capitals(scheme))));
        facts.push(format!("schemes: &[{}]", joined(schemes)));
    }
    if let Some(select) = &operation.select {
        let probes = select.conditions.iter().map(|condition| match condition {
            RequestCondition::Header(header) => format!("api::Probe::Header({})", input::header(header, scope)),
            RequestCondition::Query(query) => format!("api::Probe::Query({})", quoted(query)),
        });
        facts.push(format!("select: Some(|seen| {}Format::of(seen).envelope())", operation.rust));
        facts.push(format!("probes: &[{}]", lined(probes)));
    }
    facts.extend(operation.always_http.map(|http| format!("always_http: Some({http})")));
    facts.extend(body(operation, lowered, scope));
    if operation.proxy {
        facts.push("proxy: true".to_owned());
    }
    if operation.about_service {
        facts.push("about_service: true".to_owned());
    }
    if lowered.framework.get(CALLER_CONFLICT).is_some_and(|code| operation.errors.contains(code)) {
        facts.push("for_one_account: true".to_owned());
    }
    if operation.idempotency_key {
        facts.push("once: true".to_owned());
    }
    facts.extend(operation.deprecated.as_ref().map(deprecation));
    facts
}

/// The days as Unix time. A path with parameters is no address that a header could name.
fn deprecation(deprecated: &ResolvedDeprecation<'_>) -> String {
    let seconds = |day: &str| unix_seconds(day).unwrap_or_default();
    // Nothing ends before Unix time begins.
    let until = deprecated.until.map_or("None".to_owned(), |until| format!("Some({})", seconds(until).max(0)));
    let path = deprecated.successor_path.as_deref().filter(|path| !path.contains('{'));
    let successor = path.map_or("None".to_owned(), |path| format!("Some({})", quoted(path)));
    format!(
        "deprecated: Some(&api::Deprecation {{ since: {}, until: {until}, successor: {successor} }})",
        seconds(deprecated.since)
    )
}

fn body(operation: &ResolvedOperation<'_>, lowered: &ResolvedSpec<'_>, scope: &ImportScope<'_>) -> Option<String> {
    let name = operation.body.as_ref()?.limit?;
    // The framework's own code needs no naming.
    let over = lowered.limits[name].error.filter(|error| lowered.framework.get(BODY_TOO_LARGE) != Some(error));
    let bytes = scope.of(LIMITS, capitals(name));
    let over = over.map_or("None".to_owned(), |code| format!("Some(&{})", scope.of(CODE, word(code))));
    Some(format!("body: api::BodyLimit {{ bytes: {bytes}, over: {over} }}"))
}

/// The CSV form of a reply: members of a table.
pub(super) fn table(operation: &ResolvedOperation<'_>, scope: &ImportScope<'_>) -> Option<Vec<String>> {
    let csv = operation.csv.as_ref()?;
    let next = csv.next.as_ref().map_or("None".to_owned(), |(header, path)| {
        format!("Some(({}, &[{}]))", input::header(header, scope), joined(path.iter().map(|member| quoted(member))))
    });
    Some(vec![
        format!("file: {}", quoted(&operation.module)),
        format!("rows: &[{}]", joined(csv.rows.iter().map(|member| quoted(member)))),
        format!("columns: &[{}]", lined(csv.columns.iter().map(|column| quoted(column)))),
        format!("next: {next}"),
    ])
}

/// The members of a list in a member of a static, a line each.
fn lined(members: impl Iterator<Item = String>) -> String {
    members.map(|member| format!("\n        {member},")).chain(std::iter::once("\n    ".to_owned())).collect()
}

/// The parts in which route functions differ.
pub(super) struct RouteFunction {
    /// The bounds on a service beside answering the operation.
    pub(super) bounds: &'static str,
    /// True if it reads a body.
    pub(super) reads: bool,
    /// True if it serves the service's own pages alone.
    pub(super) own_page: bool,
    /// True if it is carried out once for each key.
    pub(super) once: bool,
    /// The expression that makes a failure of a handler's error.
    pub(super) failed: &'static str,
    /// The lines that make an answer of its reply.
    pub(super) answer: Vec<String>,
}

impl RouteFunction {
    pub(super) fn of(operation: &ResolvedOperation<'_>, lowered: &ResolvedSpec<'_>, scope: &ImportScope<'_>) -> Self {
        Self {
            bounds: match (operation.auth.is_empty(), operation.idempotency_key) {
                (_, true) => " + api::Authenticate + api::Once",
                (false, false) => " + api::Authenticate",
                (true, false) => "",
            },
            reads: operation.body.is_some(),
            own_page: operation.session == Some(SessionEffect::Begins),
            once: operation.idempotency_key,
            // A handler that says all of its answer says the wait before a retry as well.
            failed: if operation.is_raw() {
                "api::OperationError::failure"
            } else if operation.is_headed() {
                "|error| call.cx.failed_headed(error)"
            } else {
                "|error| call.cx.failed(error)"
            },
            answer: answer(operation, lowered, scope),
        }
    }
}

fn answer(operation: &ResolvedOperation<'_>, lowered: &ResolvedSpec<'_>, scope: &ImportScope<'_>) -> Vec<String> {
    let line = match operation.session {
        Some(SessionEffect::Begins) => format!("call.answer_beginning({}&reply)", cookie(operation, lowered, scope)),
        Some(SessionEffect::Ends) => format!("call.answer_ending({}&reply)", cookie(operation, lowered, scope)),
        None if operation.select.is_some() => return chosen(operation),
        None if operation.csv.is_some() => {
            format!("call.answer_as(csv, &reply, &{}_TABLE)", capitals(&operation.rust))
        }
        None if operation.is_headed() => "call.answer_headed(reply)".to_owned(),
        None if operation.is_raw() => "Ok(reply.into_response())".to_owned(),
        None => "call.answer(&reply)".to_owned(),
    };
    vec![line]
}

/// The scheme of the cookie that a session has: the one it names, else its own, else the first that is not of operators.
fn cookie(operation: &ResolvedOperation<'_>, lowered: &ResolvedSpec<'_>, scope: &ImportScope<'_>) -> String {
    let has_cookie = |name: &&str| lowered.auth.get(name).is_some_and(|scheme| scheme.cookie.is_some());
    let is_usual = |name: &&str| has_cookie(name) && !lowered.auth[name].is_of_operators();
    let named = operation.session_scheme.or_else(|| operation.auth.iter().copied().find(has_cookie));
    let all = || lowered.auth.keys().copied();
    let scheme = named.or_else(|| all().find(is_usual)).or_else(|| all().find(has_cookie));
    scheme.map(|name| format!("&{}, ", scope.of(AUTH, capitals(name)))).unwrap_or_default()
}

/// The answer in each form.
fn chosen(operation: &ResolvedOperation<'_>) -> Vec<String> {
    let variants = operation.select.iter().flat_map(|select| &select.variants);
    let arms = variants
        .map(|variant| format!("    {}Reply::{}(reply) => call.answer(&reply),", operation.rust, word(&variant.rust)));
    let begins = std::iter::once("match reply {".to_owned());
    begins.chain(arms).chain(std::iter::once("}".to_owned())).collect()
}
