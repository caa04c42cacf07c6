//! What an operation takes: its parts as fields of one struct, and how each is read from the request.

use super::doc::{docs, lines};
use super::scope::{AUTH, ImportScope};
use super::tokens::{capitals, quoted};
use super::ty;
use crate::model::Primitive;
use crate::naming::word;
use crate::resolve::{BodyForm, ResolvedField, ResolvedOperation, ResolvedShape, ResolvedSpec, ResolvedType};

/// A field of the input: its declaration, and the expression that reads it.
pub(super) struct InputField {
    pub(super) docs: Vec<String>,
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) read: String,
}

impl InputField {
    fn new(about: &str, name: &str, ty: String, read: String) -> Self {
        Self { docs: lines(about), name: name.to_owned(), ty, read }
    }
}

/// The fields in the order in which they are read, which is the order in which a request is refused.
pub(super) fn parts(
    operation: &ResolvedOperation<'_>,
    lowered: &ResolvedSpec<'_>,
    scope: &ImportScope<'_>,
) -> Vec<InputField> {
    let mut parts = Vec::new();
    if !operation.auth.is_empty() {
        let (ty, read) = if !operation.roles.is_empty() {
            ("OperatorCaller", "call.operator(&*service).await?")
        } else if takes_session(operation, lowered) {
            ("Caller", "call.caller_or_session(&*service).await?")
        } else {
            ("Principal", "call.caller(&*service).await?")
        };
        parts.push(InputField::new("The authenticated caller.", "caller", scope.api(ty), read.to_owned()));
    }
    if operation.select.is_some() {
        let format = format!("{}Format", operation.rust);
        let read = format!("{format}::of(call.seen())");
        parts.push(InputField::new("The form of reply that the request asks for.", "format", format, read));
    }
    if operation.csv.is_some() {
        let about = "True if the reply is to be CSV.";
        parts.push(InputField::new(about, "csv", "bool".to_owned(), "call.wants_csv()?".to_owned()));
    }
    let secret = CredentialNames::of(operation, lowered);
    let mut add = |wire: &str, field: &ResolvedField<'_>, method: &str, key: String| {
        let (ty, read) = parameter(field, method, &key, lowered, scope);
        parts.push(InputField { docs: docs(field.doc, &format!("`{wire}`.")), name: field_name(field), ty, read });
    };
    for (wire, field) in operation.headers.iter().filter(|(wire, _)| !secret.headers.contains(*wire)) {
        add(wire, field, "header", header(wire, scope));
    }
    for (wire, field) in &operation.path {
        add(wire, field, "path", quoted(wire));
    }
    for (wire, field) in operation.query.iter().filter(|(wire, _)| !secret.queries.contains(*wire)) {
        add(wire, field, "query", quoted(wire));
    }
    parts.extend(body(operation, scope));
    parts
}

/// A header, with all its names.
pub(super) fn header(wire: &str, scope: &ImportScope<'_>) -> String {
    format!("&{}", scope.of(AUTH, format_args!("names::{}", capitals(wire))))
}

/// True if a signed-in browser may call it.
fn takes_session(operation: &ResolvedOperation<'_>, lowered: &ResolvedSpec<'_>) -> bool {
    operation.auth.iter().filter_map(|name| lowered.auth.get(name)).any(|scheme| scheme.cookie.is_some())
}

/// The field of the input that a parameter becomes, beside those that inputs have of their own.
pub(super) fn field_name(field: &ResolvedField<'_>) -> String {
    match field.rust.as_str() {
        own @ ("caller" | "format" | "csv" | "body") => format!("{own}_"),
        other => word(other).into_owned(),
    }
}

/// The names that carry credentials; what stands under them never reaches a handler.
struct CredentialNames<'l> {
    headers: Vec<&'l str>,
    queries: Vec<&'l str>,
}

impl<'l> CredentialNames<'l> {
    fn of(operation: &ResolvedOperation<'l>, lowered: &ResolvedSpec<'l>) -> Self {
        let schemes = || operation.auth.iter().filter_map(|name| lowered.auth.get(name));
        Self {
            headers: schemes().filter_map(|scheme| scheme.header).collect(),
            queries: schemes().filter_map(|scheme| scheme.query).collect(),
        }
    }
}

/// The type of a parameter, and the call that reads it.
fn parameter(
    field: &ResolvedField<'_>,
    method: &str,
    key: &str,
    lowered: &ResolvedSpec<'_>,
    scope: &ImportScope<'_>,
) -> (String, String) {
    let words = || quoted(&ty::parameter_words(&field.ty, lowered));
    let (ty, expected) = match &field.ty {
        // Read where it arrives: a handler gets the moment and not its text.
        ResolvedType::Primitive(Primitive::DateTime) => (scope.api("Moment"), words()),
        ResolvedType::List(_) => (ty::ty(&field.ty, scope), words()),
        _ => (ty::ty(&field.ty, scope), ty::expected(field, lowered, scope)),
    };
    match &field.default {
        Some(default) => {
            let default = literal(default, field, lowered, &ty);
            (ty, format!("call.optional_{method}({key}, {expected})?.unwrap_or({default})"))
        }
        None if field.optional => (format!("Option<{ty}>"), format!("call.optional_{method}({key}, {expected})?")),
        None => (ty, format!("call.{method}({key}, {expected})?")),
    }
}

/// A default as a value of its type `ty`.
fn literal(value: &serde_json::Value, field: &ResolvedField<'_>, lowered: &ResolvedSpec<'_>, ty: &str) -> String {
    let shape = field.ty.named().and_then(|name| lowered.types.get(name)).map(|def| &def.shape);
    match (value, shape) {
        (serde_json::Value::String(text), Some(ResolvedShape::Enum { words, .. })) => {
            let variant = words.get(text.as_str()).map(|found| word(&found.rust)).unwrap_or_default();
            format!("{ty}::{variant}")
        }
        (serde_json::Value::String(text), _) => format!("{}.to_owned()", quoted(text)),
        (other, _) => other.to_string(),
    }
}

fn body(operation: &ResolvedOperation<'_>, scope: &ImportScope<'_>) -> Option<InputField> {
    let body = operation.body.as_ref()?;
    let passed = || format!("{}<{}Head>", scope.api("ProxyBody"), operation.rust);
    let (about, ty, read) = match &body.form {
        BodyForm::Json(ty) if !operation.roles.is_empty() => {
            let read = "call.json_of_operator(&*service).await?".to_owned();
            return Some(InputField::new("The body.", "body", ty::ty(ty, scope), read));
        }
        BodyForm::Json(ty) => ("The body.", ty::ty(ty, scope), "json"),
        BodyForm::Raw(ty) => {
            let about = format!("The body as it came; it should be a `{}`.", ty.words());
            return Some(InputField::new(&about, "body", "bytes::Bytes".to_owned(), "call.bytes().await?".to_owned()));
        }
        BodyForm::Passed { .. } if body.multipart.is_some() => {
            ("The body as it came, JSON or a form, and the members that decide.", passed(), "proxy_body_or_form")
        }
        BodyForm::Passed { .. } => ("The body as it came, and the members that decide.", passed(), "proxy_body"),
        BodyForm::PassedParts { .. } => ("The form as it came, and the parts that decide.", passed(), "proxy_form"),
        BodyForm::Parts => return None,
    };
    Some(InputField::new(about, "body", ty, format!("call.{read}().await?")))
}
