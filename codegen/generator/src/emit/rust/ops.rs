//! `ops/`: one module per group of operations. Each operation is its input, its reply, its errors, its trait and its
//! route function.

use std::borrow::Cow;
use std::collections::BTreeMap;

use askama::Template;
use proc_macro2::Ident;
use quote::quote;

use super::doc::{docs, lines};
use super::errors::with_type;
use super::handler::{error, method, reply, routed};
use super::head::HeadStruct;
use super::input::{self, InputField};
use super::route::{self, RouteFunction};
use super::scope::{CODE, CodePosition, ENVELOPES, ImportScope};
use super::select::ReplyChoice;
use super::source::{MARK, RustFileJob, RustSource, job};
use super::stream::StreamFacts;
use super::tokens::{capitals, ident, joined, quoted};
use crate::map::HashSet;
use crate::model::FRAMEWORK_EVENTS;
use crate::naming::{self, word};
use crate::resolve::{ResolvedOperation, ResolvedRoute, ResolvedSpec};

/// The folder of these files.
const FOLDER: &str = "ops/";

/// The files under `ops/`, with the door.
pub(super) fn files<'l>(lowered: &'l ResolvedSpec<'_>) -> impl Iterator<Item = (String, RustFileJob<'l>)> {
    let mut modules: BTreeMap<&str, Vec<(&str, &ResolvedOperation<'_>)>> = BTreeMap::new();
    for (id, operation) in routed(lowered) {
        modules.entry(&operation.module).or_default().push((id, operation));
    }
    let names: Vec<&str> = modules.keys().copied().collect();
    let door = job(&format!("{FOLDER}mod"), move || {
        let names: Vec<Ident> = names.into_iter().map(ident).collect();
        quote! {
            //! Operations, one module per group: a trait for each, what it takes and gives, and its route.

            #(pub mod #names;)*
        }
    });
    let files = modules.into_iter().map(move |(module, operations)| {
        let made: RustFileJob<'_> = Box::new(move || {
            let scope = ImportScope::new(CodePosition::Operations, lowered);
            let operations =
                operations.into_iter().map(|(id, operation)| OperationView::of(id, operation, lowered, &scope));
            let operations = operations.collect();
            RustSource::written(&OperationsModule { mark: MARK, name: module, operations, imports: scope.imports() })
        });
        (format!("{FOLDER}{module}"), made)
    });
    std::iter::once(door).chain(files)
}

#[derive(Template)]
#[template(path = "operations.rs", escape = "none")]
struct OperationsModule<'l> {
    mark: &'l str,
    name: &'l str,
    imports: Vec<String>,
    operations: Vec<OperationView<'l>>,
}

/// An operation as the template writes it. What is in quotes here is in quotes there.
struct OperationView<'l> {
    id: String,
    spec: String,
    /// Its trait.
    answers: Cow<'l, str>,
    /// The beginning of the names of all that stands beside it.
    name: &'l str,
    method: String,
    constant: String,
    docs: Vec<String>,
    told: MissingHandlerText,
    reply: String,
    error: String,
    parts: Vec<InputField>,
    head: Option<HeadStruct>,
    stream: Option<StreamFacts>,
    /// In quotes, with commas between.
    roles: String,
    /// As `roles`.
    members: String,
    choice: Option<ReplyChoice>,
    headers: Vec<HandlerHeader>,
    codes: Vec<OperationCode<'l>>,
    routes: Vec<String>,
    facts: Vec<String>,
    envelope: String,
    table: Option<Vec<String>>,
    function: RouteFunction,
}

/// The error of rustc where an operation has no handler, in quotes.
struct MissingHandlerText {
    message: String,
    label: String,
    declared: String,
    add: String,
}

/// A header that the handler may set beside its reply or error.
struct HandlerHeader {
    docs: Vec<String>,
    name: String,
    constant: String,
}

/// A code that an operation may fail with.
struct OperationCode<'l> {
    constant: &'l str,
    variant: Cow<'l, str>,
    /// The values that it carries, in braces.
    with: String,
}

impl<'l> OperationView<'l> {
    fn of(
        id: &'l str,
        operation: &'l ResolvedOperation<'_>,
        lowered: &'l ResolvedSpec<'_>,
        scope: &ImportScope<'_>,
    ) -> Self {
        let name = operation.rust.as_str();
        let route = operation.routes.first().map(ResolvedRoute::words).unwrap_or_default();
        let reply = reply(operation, scope);
        let error = error(operation, scope);
        let docs = lines(&format!("{route}: {} ({})", operation.doc.unwrap_or(id), operation.origin.words()));
        Self {
            id: quoted(id),
            spec: quoted(&operation.origin.at),
            answers: word(name),
            name,
            method: method(operation),
            constant: capitals(name),
            docs,
            told: MissingHandlerText::of(id, operation, &route, &reply, &error),
            reply,
            error,
            parts: input::parts(operation, lowered, scope),
            head: HeadStruct::of(operation, lowered, scope),
            stream: StreamFacts::of(operation),
            roles: joined(operation.roles.iter().map(|role| quoted(role))),
            members: joined(operation.members.iter().map(|role| quoted(role))),
            choice: ReplyChoice::of(operation, scope),
            headers: headers(operation, lowered, scope),
            codes: codes(operation, lowered, scope),
            routes: route::routes(operation),
            facts: route::facts(operation, lowered, scope),
            envelope: scope.of(ENVELOPES, capitals(operation.envelope)),
            table: route::table(operation, scope),
            function: RouteFunction::of(operation, lowered, scope),
        }
    }
}

impl MissingHandlerText {
    fn of(id: &str, operation: &ResolvedOperation<'_>, route: &str, reply: &str, error: &str) -> Self {
        let (name, method) = (word(&operation.rust), method(operation));
        // As the one who writes the handler has it in scope.
        let plain = |ty: &str| escaped(&ty.replace("types::", "").replace("api::", ""));
        let add = format!(
            "add: impl {name} for {{Self}} {{{{ async fn {method}(&self, cx: &Cx, input: {}Input) -> Result<{}, {}> \
             {{{{ .. }}}} }}}}",
            operation.rust,
            plain(reply),
            plain(error),
        );
        Self {
            message: quoted(&format!("operation `{id}` ({}) has no handler on `{{Self}}`", escaped(route))),
            label: quoted(&format!("missing `impl {name} for {{Self}}`")),
            declared: quoted(&format!("declared at {}", operation.origin.at)),
            add: quoted(&add),
        }
    }
}

/// The headers that the handler may set beside its reply or error, where the operation declares any.
fn headers(
    operation: &ResolvedOperation<'_>,
    lowered: &ResolvedSpec<'_>,
    scope: &ImportScope<'_>,
) -> Vec<HandlerHeader> {
    if !operation.is_headed() {
        return Vec::new();
    }
    let headers = operation.reply_headers.iter().map(|header| HandlerHeader {
        docs: docs(lowered.wire_names.get(header).and_then(|name| name.doc), header),
        name: word(&naming::snake(header)).into_owned(),
        constant: input::header(header, scope),
    });
    headers.collect()
}

/// The codes that a handler may raise: those of the operation, but for what the runtime alone answers.
fn codes<'l>(
    operation: &ResolvedOperation<'l>,
    lowered: &'l ResolvedSpec<'_>,
    scope: &ImportScope<'_>,
) -> Vec<OperationCode<'l>> {
    let by_runtime: HashSet<&str> = FRAMEWORK_EVENTS
        .iter()
        .filter(|event| event.is_before_handlers())
        .filter_map(|event| lowered.framework.get(event.name).copied())
        .collect();
    let codes = operation.errors.iter().filter(|code| !by_runtime.contains(**code)).filter_map(|code| {
        let info = lowered.errors.get(code)?;
        let with = joined(info.with.iter().map(|(name, ty)| {
            let ty = with_type(ty);
            format!("{}: {}", word(&naming::snake(name)), ty.strip_prefix("crate::").unwrap_or(ty))
        }));
        let with = if with.is_empty() { with } else { format!(" {{ {with} }}") };
        Some(OperationCode { constant: code, variant: word(&info.rust), with })
    });
    let codes: Vec<OperationCode<'l>> = codes.collect();
    if !codes.is_empty() {
        scope.needs(CODE);
    }
    codes
}

/// Braces doubled, as rustc's messages want them.
fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
