//! Operations: paths, parameters, bodies, answers.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::errors::{self, FailureResponse, FailureResponses};
use super::examples::OpenApiExamples;
use super::object::{JSON, any_of, header, object, some};
use super::schema::{TypeSchemas, form_of};
use super::security;
use super::text::{self, JsonText};
use super::version::OpenApiVersion;
use crate::client_model::{ApiBody, ApiDocument, ApiField, ApiOperation, ApiReply, ApiRoute, media, reply};
use crate::map::{IndexMap, IndexSet};
use crate::model::{FIRST_REQUEST_ID, REPLAYED, REQUEST_ID, SHOULD_RETRY, TAGS};

const EVENTS: &str = "text/event-stream";
const CSV: &str = "text/csv";
const BYTES: &str = "application/octet-stream";
const FORM: &str = "multipart/form-data";

/// Each path with its methods, as texts at that depth; and how they fail.
pub(super) fn paths<'d>(
    document: &'d ApiDocument,
    schemas: &TypeSchemas<'_>,
    examples: &OpenApiExamples<'_>,
    depth: usize,
) -> (Vec<(String, JsonText)>, FailureResponses<'d>) {
    let mut paths: IndexMap<String, Vec<(&ApiRoute, &str, &'d ApiOperation)>> = IndexMap::default();
    for (id, operation) in &document.operations {
        let Some(route) = operation.routes.first() else { continue };
        paths.entry(template(route)).or_default().push((route, id, operation));
    }
    let paths: Vec<_> = paths.into_iter().collect();
    let written = paths.into_par_iter().map(|(path, operations)| {
        let mut failures = FailureResponses::default();
        let method = |(route, id, operation): (&ApiRoute, &str, &'d ApiOperation)| {
            let mut shown = operation_object(document, (schemas, examples), id, operation, &mut failures);
            exemplify(&mut shown, examples, id);
            let method = route.method.to_lowercase();
            let text = text::value(depth + 1, &method, &shown);
            (method, text)
        };
        let text = text::object(depth, operations.into_iter().map(method));
        ((path, text), failures)
    });
    let (paths, failures): (Vec<_>, Vec<_>) = written.unzip();
    let mut all = FailureResponses::default();
    failures.into_iter().for_each(|failures| all.extend(failures));
    (paths, all)
}

/// `/v1beta/models/{model}:generateContent`.
fn template(route: &ApiRoute) -> String {
    format!("{}{}", route.path.replace("{*", "{"), route.suffix)
}

fn operation_object<'d>(
    document: &'d ApiDocument,
    (schemas, examples): (&TypeSchemas<'_>, &OpenApiExamples<'_>),
    id: &str,
    operation: &'d ApiOperation,
    failures: &mut FailureResponses<'d>,
) -> Value {
    let group = id.split('.').next().unwrap_or(id);
    let doc = operation.doc.as_deref().unwrap_or_default();
    let mut shown = json!({"operationId": id, "tags": [group], "summary": first_sentence(doc), "description": doc});
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            shown[key] = value;
        }
    };
    let parameters = parameters(document, schemas, operation);
    put("parameters", (!parameters.is_empty()).then(|| parameters.into()));
    put("requestBody", operation.body.as_ref().map(|body| request_body(document, schemas, body)));
    let told = |header: &str, http: u16| {
        tells(operation, &examples.header_statuses(id, header), document.wire_name(header), http)
    };
    put("responses", Some(responses(document, (schemas, examples), (id, operation), &told, failures)));
    put("security", Some(security::of_operation(document, operation)));
    put("x-tollgate-roles", (!operation.roles.is_empty()).then(|| operation.roles.clone().into()));
    put("x-tollgate-members", (!operation.members.is_empty()).then(|| operation.members.clone().into()));
    let others: Vec<String> =
        operation.routes.iter().skip(1).map(|route| format!("{} {}", route.method, template(route))).collect();
    put("x-also-at", (!others.is_empty()).then(|| others.into()));
    put("deprecated", operation.deprecated.as_ref().map(|_| true.into()));
    put("x-deprecated-since", operation.deprecated.as_ref().map(|deprecated| deprecated.since.clone().into()));
    put("x-sunset", operation.deprecated.as_ref().and_then(|deprecated| deprecated.until.clone()).map(Into::into));
    put(
        "x-successor",
        operation.deprecated.as_ref().and_then(|deprecated| deprecated.successor.clone()).map(Into::into),
    );
    put("x-idempotent", Some(operation.idempotent.into()));
    put("x-limits", (!operation.limits.is_empty()).then(|| operation.limits.clone().into()));
    put("x-proof", operation.proof.as_deref().map(Into::into));
    put("x-errors-open", operation.errors_open.as_deref().map(Into::into));
    put("x-decided", operation.fact.as_deref().map(Into::into));
    put(
        "x-pages",
        operation
            .pages
            .as_ref()
            .map(|pages| json!({"items": pages.items, "by": pages.by, "next": pages.next, "more": pages.more})),
    );
    put(
        "x-stream",
        operation.stream.as_ref().map(|stream| {
            json!({"when": stream.when, "event": stream.event, "named": stream.named, "ends_with": stream.ends_with})
        }),
    );
    put(
        "x-select",
        operation.select.as_ref().map(|select| {
            let branch = |branch: &crate::client_model::ApiBranch| {
                json!({"has": branch.has, "has_any": branch.has_any, "errors": branch.envelope, "ok": branch.ok})
            };
            select.branches.iter().map(branch).collect()
        }),
    );
    shown
}

/// Puts examples beside the schemas of what is sent.
fn exemplify(shown: &mut Value, examples: &OpenApiExamples<'_>, id: &str) {
    let parameters = shown.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let (place, name) =
            (parameter["in"].as_str().unwrap_or_default(), parameter["name"].as_str().unwrap_or_default());
        if let Some(example) = examples.parameter(id, place, name) {
            parameter["example"] = match &example {
                // Examples have it as it is sent.
                Value::String(list) if parameter["schema"]["type"] == "array" => list.split(',').collect(),
                _ => example,
            };
        }
    }
    let media = shown.pointer_mut("/requestBody/content/application~1json");
    if let (Some(media), Some(sent)) = (media, examples.sent(id)) {
        media["examples"] = sent;
    }
}

fn first_sentence(doc: &str) -> &str {
    doc.split_inclusive(". ").next().unwrap_or(doc).trim_end_matches(['.', ' '])
}

fn parameters(document: &ApiDocument, schemas: &TypeSchemas<'_>, operation: &ApiOperation) -> Vec<Value> {
    let schemes = || operation.auth.iter().filter_map(|name| document.auth.get(name));
    let mut parameters = Vec::new();
    for (name, field) in &operation.path {
        parameters.push(parameter(schemas, "path", name, field));
    }
    // What carries a key is a scheme of security here, and no parameter.
    let queries = operation.query.iter();
    for (name, field) in queries.filter(|(name, _)| !schemes().any(|scheme| scheme.query.as_ref() == Some(name))) {
        parameters.push(parameter(schemas, "query", name, field));
    }
    let headers = operation.headers.iter();
    for (name, field) in headers.filter(|(name, _)| !schemes().any(|scheme| scheme.header.as_ref() == Some(name))) {
        let names = document.wire_names.get(name).map(|of| of.accepts.as_slice()).unwrap_or_default();
        let mut header = parameter(schemas, "header", names.first().unwrap_or(name), field);
        if names.len() > 1 {
            let also: Vec<String> = names[1..].iter().map(|name| format!("`{name}`")).collect();
            let doc = header["description"].as_str().unwrap_or_default();
            header["description"] =
                format!("{doc} Accepted as {} too; where several are sent, they must be equal.", also.join(", "))
                    .trim()
                    .into();
            header["x-wire-names"] = json!(names);
            // Any of its names will do.
            header["required"] = false.into();
            header["x-required"] = (!field.optional).into();
        }
        parameters.push(header);
    }
    let is_declared = document.runtime_headers.get(TAGS).is_some_and(|tags| operation.headers.contains_key(tags));
    let tags = document.runtime_header(TAGS).filter(|_| operation.proxy && operation.idempotency_key && !is_declared);
    parameters.extend(
        tags.map(|(name, doc)| json!({"name": name, "in": "header", "schema": {"type": "string"}, "description": doc})),
    );
    if operation.csv.is_some() {
        parameters.push(json!({
            "name": "format", "in": "query", "schema": {"type": "string", "enum": ["json", "csv"]},
            "description": "How the reply is told; without it, as `Accept` prefers.",
        }));
    }
    if operation.idempotency_key {
        parameters.push(json!({
            "name": "idempotency-key", "in": "header", "schema": {"type": "string"},
            "description": "With it, the request is carried out once for each key of the account.",
        }));
    }
    if operation.conditional {
        parameters.push(json!({
            "name": "if-none-match", "in": "header", "schema": {"type": "string"},
            "description": "What `etag` told before: where it still is so, the answer is 304 and has no body.",
        }));
    }
    parameters
}

fn parameter(schemas: &TypeSchemas<'_>, place: &str, name: &str, field: &ApiField) -> Value {
    let mut schema = schemas.field(field);
    let doc = schema.as_object_mut().and_then(|schema| schema.shift_remove("description"));
    // Only beside its text a reference had to be wrapped.
    if let Some([reference]) = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
        schema = reference.clone();
    }
    let required = Value::from(!field.optional);
    let mut parameter =
        object([("name", name.into()), ("in", place.into()), ("required", required), ("schema", schema)]);
    if let Some(doc) = doc {
        parameter["description"] = doc;
    }
    if matches!(field.ty, crate::client_model::ApiType::List(_)) {
        parameter["style"] = if place == "query" { "form".into() } else { "simple".into() };
        parameter["explode"] = false.into();
    }
    parameter
}

fn request_body(document: &ApiDocument, schemas: &TypeSchemas<'_>, body: &ApiBody) -> Value {
    let mut content = Map::new();
    let json_type = [&body.json, &body.raw].into_iter().flatten().next().map(|ty| schemas.ty(ty));
    let json_type = json_type.or_else(|| body.passed.as_ref().map(|passed| schemas.named(&passed.ty)));
    content.extend(json_type.map(|schema| (JSON.to_owned(), object([("schema", schema)]))));
    content
        .extend(form_of(body, schemas.version).map(|form| (FORM.to_owned(), object([("schema", schemas.form(form))]))));
    let mut shown = object([("required", Value::from(true)), ("content", content.into())]);
    let limit = body.limit.as_deref().and_then(|name| document.limits.get(name));
    if let Some(bytes) = limit.and_then(|limit| limit.bytes) {
        shown["x-bytes-max"] = bytes.into();
    }
    shown
}

/// The status of what is as the client knows it.
const UNCHANGED: u16 = 304;
/// The status of a part of what was asked for.
const PART: u16 = 206;
/// The header that says which part it is.
const CONTENT_RANGE: &str = "content-range";

/// True if a part of the reply may be asked for.
fn has_parts(document: &ApiDocument, operation: &ApiOperation) -> bool {
    let is_bytes = matches!(reply(document, operation.ok.as_ref()), ApiReply::Bytes);
    is_bytes && operation.headers.keys().any(|name| document.wire_name(name) == "range")
}

/// True if an answer with that status may have a header of the operation: where examples show it, there, and else where all
/// is well.
fn tells(operation: &ApiOperation, shown: &BTreeSet<u16>, header: &str, http: u16) -> bool {
    let ok = operation.always_http.unwrap_or(200);
    match header {
        CONTENT_RANGE => http == PART,
        _ if shown.is_empty() => http == ok || http == PART,
        _ => shown.contains(&http) || http == PART && shown.contains(&ok),
    }
}

fn responses<'d>(
    document: &'d ApiDocument,
    (schemas, examples): (&TypeSchemas<'_>, &OpenApiExamples<'_>),
    (id, operation): (&str, &'d ApiOperation),
    told: &dyn Fn(&str, u16) -> bool,
    failures: &mut FailureResponses<'d>,
) -> Value {
    let mut responses = Map::new();
    let mut statuses = errors::by_status(document, operation);
    failures.refusals.extend(statuses.values().flat_map(FailureResponse::refusals));
    let ok = operation.always_http.unwrap_or(200);
    // A failure may come with the status of success; its body then says that it is one.
    let failed = statuses.remove(&ok);
    let own = |http: u16| {
        let told = operation.reply_headers.iter().filter(move |name| told(name, http));
        told.map(|name| document.wire_name(name))
    };
    let with_own = |response: &mut Value, http: u16| {
        own(http).for_each(|name| response["headers"][name] = header(name));
    };
    let mut whole = success(document, (schemas, examples), (id, operation), failed.as_ref());
    if has_parts(document, operation) {
        // A failure does not come as a part.
        let mut part = success(document, (schemas, examples), (id, operation), None);
        part["description"] = "The part that was asked for.".into();
        with_own(&mut part, PART);
        responses.insert(PART.to_string(), part);
    }
    with_own(&mut whole, ok);
    responses.insert(ok.to_string(), whole);
    if operation.conditional {
        let names = document.runtime_header(REQUEST_ID).map(|(name, _)| name).into_iter().chain(["etag"]);
        let headers: Map<String, Value> = names.map(|name| (name.to_owned(), header(name))).collect();
        let same = json!({"description": "It is still as `if-none-match` says.", "headers": headers});
        responses.insert(UNCHANGED.to_string(), same);
    }
    for (http, mut answer) in statuses {
        answer.headers.extend(own(http));
        let name = failures.add(answer);
        responses.insert(http.to_string(), json!({"$ref": format!("#/components/responses/{name}")}));
    }
    responses.into()
}

fn success(
    document: &ApiDocument,
    (schemas, examples): (&TypeSchemas<'_>, &OpenApiExamples<'_>),
    (id, operation): (&str, &ApiOperation),
    failed: Option<&FailureResponse<'_>>,
) -> Value {
    let mut content = Map::new();
    let mut in_json = Vec::new();
    match (&operation.select, reply(document, operation.ok.as_ref())) {
        (Some(select), _) => {
            let names: IndexSet<&str> = select.branches.iter().map(|branch| branch.ok.as_str()).collect();
            in_json.extend(names.into_iter().map(|name| schemas.named(name)));
        }
        (None, ApiReply::Json(ok)) => in_json.push(schemas.field(ok)),
        (None, ApiReply::Named(name)) => in_json.push(schemas.named(name)),
        (None, ApiReply::Text) => {
            let text = operation.ok.as_ref().map(|ok| schemas.ty(&ok.ty));
            content.extend(operation.ok.iter().flat_map(|ok| media(document, ok)).map(|ty| {
                // A text of JSON is described as what it says.
                let schema = text.clone().filter(|_| ty != JSON).unwrap_or_else(|| json!({}));
                (ty.clone(), json!({"schema": schema}))
            }));
        }
        (None, ApiReply::Bytes) => {
            let types = operation.ok.iter().flat_map(|ok| media(document, ok)).map(String::as_str);
            let types = types.chain(examples.media_types(id, BYTES)).chain([BYTES]);
            content.extend(types.map(|ty| (ty.to_owned(), json!({"schema": handed_on(ty)}))));
        }
        (None, ApiReply::Nothing) => {}
    }
    let mut words = "Success.".to_owned();
    let mut headers = runtime_headers(document, operation);
    if let Some(failed) = failed {
        in_json.push(failed.schema());
        words = failed.or_success();
        // What is told of a failure is told of one that comes with this status too.
        headers.extend(failed.headers());
    }
    if !in_json.is_empty() {
        let mut media = object([("schema", any_of(in_json))]);
        let mut shown = examples.answered(id);
        shown.extend(failed.map(FailureResponse::examples).into_iter().flatten());
        if let Some(shown) = some(shown) {
            media["examples"] = shown;
        }
        content.insert(JSON.to_owned(), media);
    }
    if let Some(stream) = &operation.stream {
        let mut media = object([("schema", schemas.named(&stream.event))]);
        if let Some(shown) = examples.streamed(id) {
            media["examples"] = shown;
        }
        content.insert(EVENTS.to_owned(), media);
    }
    if operation.csv.is_some() {
        content.insert(CSV.to_owned(), json!({"schema": {"type": "string"}}));
    }
    if operation.session.is_some() {
        let cookie = json!({"schema": {"type": "string"}, "description": "The cookie of the session."});
        headers.insert("set-cookie".to_owned(), cookie);
    }
    let mut shown = object([("description", Value::from(words)), ("headers", headers.into())]);
    if !content.is_empty() {
        shown["content"] = content.into();
    }
    if let Some(failed) = failed {
        shown["x-error-codes"] = failed.codes().into_iter().collect();
    }
    shown
}

/// The headers that the server puts on each answer of an operation by itself.
fn runtime_headers(document: &ApiDocument, operation: &ApiOperation) -> Map<String, Value> {
    let again = operation.idempotency_key.then_some([REPLAYED, FIRST_REQUEST_ID]);
    let keys = [REQUEST_ID].into_iter().chain(again.into_iter().flatten());
    let names = keys.filter_map(|key| document.runtime_header(key));
    names.map(|(name, _)| (name.to_owned(), header(name))).collect()
}

/// The headers of answers, each once.
pub(super) fn headers(document: &ApiDocument) -> Map<String, Value> {
    let told = |schema: Value, doc: &str| json!({"schema": schema, "description": doc});
    let is_again = document.operations.values().any(|operation| operation.idempotency_key);
    let text = || json!({"type": "string"});
    let by_runtime = [
        (REQUEST_ID, Some(text())),
        (SHOULD_RETRY, Some(json!({"type": "string", "enum": ["true", "false"]}))),
        (REPLAYED, is_again.then(text)),
        (FIRST_REQUEST_ID, is_again.then(text)),
    ];
    let by_runtime = by_runtime.into_iter().filter_map(|(key, schema)| {
        let (name, doc) = document.runtime_header(key)?;
        Some((name.to_owned(), told(schema?, doc)))
    });
    let mut headers: Map<String, Value> = by_runtime.collect();
    headers.insert(
        "retry-after".to_owned(),
        told(json!({"type": "integer", "minimum": 0}), "Seconds after which it can."),
    );
    for name in document.operations.values().flat_map(|operation| &operation.reply_headers) {
        let doc = document.wire_names.get(name).and_then(|of| of.doc.as_deref()).unwrap_or_default();
        headers.insert(document.wire_name(name).to_owned(), told(json!({"type": "string"}), doc.trim_end()));
    }
    headers
}

/// The schema of an answer that is handed on as it came: JSON may say anything.
fn handed_on(media_type: &str) -> Value {
    if media_type == JSON { json!({}) } else { OpenApiVersion::bytes() }
}
