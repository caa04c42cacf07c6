//! Cases that need no writing: for each operation, the requests that are refused before it is looked at.

use super::document::{ApiDocument, ApiOperation, ApiRoute, ApiScheme};
use super::example_case::{CaseBody, ExampleCase, case, credentials};
use crate::map::HashMap;

/// The methods that a route may have.
const METHODS: [&str; 5] = ["PUT", "PATCH", "DELETE", "POST", "GET"];

/// A kind of case that needs no writing.
struct FrameworkCase {
    name: &'static str,
    doc: &'static str,
    event: &'static str,
    change: for<'d> fn(&mut ExampleCase<'d>, &PathMethods<'d>) -> Option<()>,
}

/// A document, and which methods its paths have.
pub(super) struct PathMethods<'d> {
    document: &'d ApiDocument,
    /// By the form of a path.
    taken: HashMap<String, Vec<&'d str>>,
    /// The paths before a final parameter that takes the rest: it takes all that stands below.
    below: Vec<(&'d str, &'d str)>,
}

impl<'d> PathMethods<'d> {
    pub(super) fn new(document: &'d ApiDocument) -> Self {
        let mut table = Self { document, taken: HashMap::default(), below: Vec::new() };
        for route in document.operations.values().flat_map(|operation| &operation.routes) {
            table.taken.entry(form(route)).or_default().push(&route.method);
            table.below.extend(route.path.split_once("{*").map(|(below, _)| (below, route.method.as_str())));
        }
        table
    }

    fn takes(&self, route: &ApiRoute, method: &str) -> bool {
        let own = self.taken.get(&form(route)).is_some_and(|taken| taken.contains(&method));
        own || self.below.iter().any(|(below, other)| *other == method && route.path.starts_with(below))
    }
}

/// A path whatever its parameters are called.
fn form(route: &ApiRoute) -> String {
    let steps = route.path.split('/').map(|step| if step.starts_with('{') { "{}" } else { step });
    steps.collect::<Vec<_>>().join("/") + &route.suffix
}

/// The most cases of one operation.
pub(super) const MOST: usize = ALL.len();

const ALL: [FrameworkCase; 7] = [
    FrameworkCase { name: "bad-json", doc: "A body that is no JSON.", event: "bad_json", change: bad_json },
    FrameworkCase {
        name: "wrong-content-type",
        doc: "A body that is said to be text.",
        event: "bad_content_type",
        change: wrong_type,
    },
    FrameworkCase {
        name: "missing-header",
        doc: "Without a header that must be there.",
        event: "missing_header",
        change: missing_header,
    },
    FrameworkCase {
        name: "no-credentials",
        doc: "Nobody says who calls.",
        event: "key_missing",
        change: no_credentials,
    },
    FrameworkCase {
        name: "wrong-credentials",
        doc: "Credentials of a kind that the operation does not look at.",
        event: "key_missing",
        change: wrong_credentials,
    },
    FrameworkCase { name: "too-large", doc: "A body beyond the limit.", event: "body_too_large", change: too_large },
    FrameworkCase {
        name: "wrong-method",
        doc: "A method that the path does not have.",
        event: "wrong_method",
        change: wrong_method,
    },
];

/// The cases that an operation can meet.
pub(super) fn cases<'d>(table: &PathMethods<'d>, id: &str, operation: &'d ApiOperation) -> Vec<ExampleCase<'d>> {
    let document = table.document;
    let Some(base) = operation.example.as_deref().and_then(|name| case(document, id, name)) else { return Vec::new() };
    let make = |made: &FrameworkCase| {
        let hidden = is_hidden(document, operation, made.event);
        let event = if hidden { "unknown_path" } else { made.event };
        let code = document.framework.get(event)?.as_str();
        let mut case = base.clone();
        (case.name, case.doc, case.at) = (made.name, made.doc, &operation.at);
        (case.expect.body, case.expect.stream, case.expect.varies) = (None, None, &[]);
        (case.expect.late, case.expect.code) = (false, None);
        case.expect.headers.clear();
        (made.change)(&mut case, table)?;
        if hidden || event == "wrong_method" {
            let path = operation.routes.first()?;
            case.expect.envelope = family_envelope(&case, document, path).unwrap_or(&operation.envelope);
            // No operation was found that would say a status for all its answers.
            let face = document.errors.get(code)?.faces.get(case.expect.envelope)?;
            (case.expect.code, case.expect.status) = (Some(code), face.http);
        } else {
            case.refused(document, code);
        }
        Some(case)
    };
    ALL.iter().filter_map(make).collect()
}

/// True if an operation of operators is answered as a path that is not there: nobody who has no role learns of it.
fn is_hidden(document: &ApiDocument, operation: &ApiOperation, event: &str) -> bool {
    let below = |prefix: &String| operation.routes.iter().any(|route| is_below(&route.path, prefix));
    match event {
        "key_missing" => !operation.roles.is_empty(),
        "wrong_method" => document.service.operator_paths.iter().any(below),
        _ => false,
    }
}

/// True if a path is a prefix, or goes on below it.
fn is_below(path: &str, prefix: &str) -> bool {
    match path.strip_prefix(prefix) {
        Some(rest) => rest.is_empty() || rest.starts_with('/') || prefix.ends_with('/'),
        None => false,
    }
}

/// The envelope of the family that a request belongs to.
fn family_envelope<'d>(case: &ExampleCase<'d>, document: &'d ApiDocument, route: &ApiRoute) -> Option<&'d str> {
    let path = format!("{}{}", route.path, route.suffix);
    let has = |with: &String| case_has(case, document, with);
    let family = document.families.iter().find(|family| {
        let verb = !family.verb || !route.suffix.is_empty();
        is_below(&path, &family.prefix) && verb && family.with.as_ref().is_none_or(has)
    });
    family.map(|family| family.envelope.as_str())
}

/// True if the body is read as JSON by the runtime; bytes are read by the operation itself.
fn takes_json(operation: &ApiOperation) -> bool {
    operation.body.as_ref().is_some_and(|body| body.json.is_some() || body.passed.is_some())
}

fn bad_json(case: &mut ExampleCase<'_>, _: &PathMethods<'_>) -> Option<()> {
    takes_json(case.operation).then(|| case.body = Some(CaseBody::Text("{")))
}

fn wrong_type(case: &mut ExampleCase<'_>, _: &PathMethods<'_>) -> Option<()> {
    takes_json(case.operation).then_some(())?;
    case.headers.insert("content-type", "text/plain".into());
    case.body = Some(CaseBody::Text("hello"));
    Some(())
}

fn missing_header(case: &mut ExampleCase<'_>, table: &PathMethods<'_>) -> Option<()> {
    let required = case.operation.headers.iter().find(|(_, field)| !field.optional)?.0;
    case.headers.shift_remove(table.document.wire_name(required)).map(drop)
}

/// Takes away all that says who calls.
fn without_credentials(case: &mut ExampleCase<'_>, document: &ApiDocument) -> Option<()> {
    let fixture = document.fixtures.get(case.caller?)?;
    let scheme = document.auth.get(fixture.caller.as_deref()?)?;
    let (header, _) = credentials(document, scheme, "")?;
    case.headers.shift_remove(header);
    // What chose the form of the answer may have gone with it.
    case.expect.envelope = &case.operation.envelope;
    Some(())
}

fn no_credentials(case: &mut ExampleCase<'_>, table: &PathMethods<'_>) -> Option<()> {
    without_credentials(case, table.document)
}

fn wrong_credentials<'d>(case: &mut ExampleCase<'d>, table: &PathMethods<'d>) -> Option<()> {
    let document = table.document;
    without_credentials(case, document)?;
    let caller = case.caller?;
    let own = || case.operation.auth.iter().filter_map(|name| document.auth.get(name));
    // In the same header, it would be a key of the operation's own kind.
    let same = |scheme: &ApiScheme, own: &ApiScheme| {
        scheme.header.is_some() && scheme.header == own.header && scheme.prefix == own.prefix
    };
    let is_other = |(name, scheme): &(&String, &ApiScheme)| {
        !case.operation.auth.contains(*name) && !own().any(|own| same(scheme, own))
    };
    let other = document.auth.iter().find(is_other)?.1;
    let secret = if other.header.is_some() { format!("{{{caller}.secret}}") } else { "none".to_owned() };
    let (header, value) = credentials(document, other, &secret)?;
    case.headers.insert(header, value);
    Some(())
}

fn too_large(case: &mut ExampleCase<'_>, table: &PathMethods<'_>) -> Option<()> {
    let limit = case.operation.body.as_ref()?.limit.as_ref()?;
    let bytes = table.document.limits.get(limit)?.bytes? + 1;
    case.headers.insert("content-length", bytes.into());
    case.body = Some(CaseBody::Bytes(bytes));
    Some(())
}

/// True if the request has this header under any of its names, or with `query.` before it this parameter.
fn case_has(case: &ExampleCase<'_>, document: &ApiDocument, with: &str) -> bool {
    if let Some(parameter) = with.strip_prefix("query.") {
        return case.query.contains_key(parameter);
    }
    let names = document.wire_names.get(with).map_or_else(Vec::new, |name| name.accepts.iter().collect());
    let has = |name: &str| case.headers.keys().any(|header| header.eq_ignore_ascii_case(name));
    has(with) || names.into_iter().any(|name| has(name))
}

fn wrong_method<'d>(case: &mut ExampleCase<'d>, table: &PathMethods<'d>) -> Option<()> {
    let route = case.operation.routes.first()?;
    case.method = METHODS.into_iter().find(|method| !table.takes(route, method))?;
    case.body = None;
    case.headers.shift_remove("content-type");
    Some(())
}
