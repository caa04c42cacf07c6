//! Errors: a schema for each envelope, the codes of an operation by status, and the table of all codes.

use std::collections::btree_map::Entry::{Occupied, Vacant};
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::examples::RefusalExample;
use super::object::{JSON, any_of, header, object, some};
use super::schema::made_name;
use super::text::{self, JsonText};
use super::version::OpenApiVersion;
use crate::client_model::{ApiDocument, ApiOperation, ErrorAnswer, codes, faces, slots};
use crate::map::{IndexMap, IndexSet};
use crate::model::{REQUEST_ID, SHOULD_RETRY};
use crate::naming;

/// The name of the schema of an envelope's bodies: with the codes of the service alone, or with others too.
fn name(document: &ApiDocument, envelope: &str, open: bool) -> String {
    made_name(document, derived_name(&[envelope], open))
}

/// The name of the schema of an envelope's codes. Another envelope may have taken it.
fn code_name(document: &ApiDocument, envelope: &str) -> String {
    made_name(document, beside_envelopes(document, format!("ErrorCode{}", naming::upper_camel(envelope))))
}

/// The name of the schema that is any of these envelopes.
fn union_name(document: &ApiDocument, envelopes: &[&str], open: bool) -> String {
    match envelopes {
        [only] => name(document, only, open),
        all => made_name(document, beside_envelopes(document, derived_name(all, open))),
    }
}

fn derived_name(envelopes: &[&str], open: bool) -> String {
    let envelopes: Vec<String> = envelopes.iter().copied().map(naming::upper_camel).collect();
    format!("{}Error{}", if open { "Open" } else { "" }, envelopes.join("Or"))
}

/// A name that the schema of no envelope alone has: `code_x` and `a_or_b` may be envelopes, too.
fn beside_envelopes(document: &ApiDocument, mut name: String) -> String {
    let is_of =
        |envelope: &String, name: &str| [true, false].iter().any(|open| derived_name(&[envelope], *open) == name);
    while document.envelopes.keys().any(|envelope| is_of(envelope, &name)) {
        name.push_str("Schema");
    }
    name
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The bodies of errors, their codes, and the choices of bodies that operations have.
pub(super) fn schemas(document: &ApiDocument, version: OpenApiVersion) -> IndexMap<String, Value> {
    let mut schemas = IndexMap::default();
    for (envelope, declared) in &document.envelopes {
        let mut body = |open: bool| {
            let mut schema = of(&declared.body, &TemplateContext { document, envelope, open, version });
            if let Some(doc) = &declared.doc {
                schema["description"] = doc.trim_end().into();
            }
            schemas.insert(name(document, envelope, open), schema);
        };
        body(false);
        if users(document, envelope).any(|operation| operation.errors_open.is_some()) {
            body(true);
        }
        if !slots(&declared.body).code.is_empty() {
            let doc = format!("Codes of errors in the envelope `{envelope}`.");
            let codes = json!({"type": "string", "enum": wires(document, envelope), "description": doc});
            schemas.insert(code_name(document, envelope), codes);
        }
    }
    for operation in document.operations.values() {
        let envelopes = envelopes(operation);
        if envelopes.len() > 1 {
            let open = operation.errors_open.is_some();
            let each: Vec<Value> = envelopes.iter().map(|one| reference(&name(document, one, open))).collect();
            schemas.insert(union_name(document, &envelopes, open), json!({"anyOf": each}));
        }
    }
    schemas
}

/// The operations whose errors come in an envelope.
fn users<'d>(document: &'d ApiDocument, envelope: &str) -> impl Iterator<Item = &'d ApiOperation> {
    document.operations.values().filter(move |operation| envelopes(operation).contains(&envelope))
}

/// The codes that an envelope comes with, those included that are answered where there is no operation.
fn wires<'d>(document: &'d ApiDocument, envelope: &str) -> IndexSet<&'d str> {
    let mut told: BTreeSet<&str> = document.framework.values().map(String::as_str).collect();
    told.extend(users(document, envelope).flat_map(|operation| codes(document, operation)));
    let codes = document.errors.iter().filter(|(name, _)| told.contains(name.as_str()));
    codes.filter_map(|(_, code)| Some(code.faces.get(envelope)?.code.as_str())).collect()
}

/// The envelope and the version that a template is made a schema for.
struct TemplateContext<'e> {
    document: &'e ApiDocument,
    envelope: &'e str,
    open: bool,
    version: OpenApiVersion,
}

/// A template as the schema of what is made of it.
fn of(template: &Value, context: &TemplateContext<'_>) -> Value {
    match template {
        Value::Object(members) => {
            let left_out = |value: &Value| value.as_str().is_some_and(|text| text.ends_with("?omit}"));
            let required: Vec<&String> =
                members.iter().filter(|(_, value)| !left_out(value)).map(|(name, _)| name).collect();
            let properties: Map<String, Value> =
                members.iter().map(|(name, value)| (name.clone(), of(value, context))).collect();
            json!({"type": "object", "properties": properties, "required": required})
        }
        Value::Array(items) => {
            let shown: Vec<Value> = items.iter().map(|item| of(item, context)).collect();
            json!({"type": "array", "items": any_of(shown), "minItems": items.len()})
        }
        Value::String(text) => placeholder(text, context),
        other => context.version.constant(other),
    }
}

fn placeholder(text: &str, TemplateContext { document, envelope, open, version }: &TemplateContext<'_>) -> Value {
    match text {
        "{code}" if !open => reference(&code_name(document, envelope)),
        "{http:int}" => json!({"type": "integer"}),
        "{param?}" => version.or_null(json!({"type": "string"})),
        "{with?omit}" | "{data?omit}" => details(),
        "{with?}" | "{data?}" => version.or_null(details()),
        _ if text.contains('{') => json!({"type": "string"}),
        _ => version.constant(&text.into()),
    }
}

/// The schema of what a code carries.
fn details() -> Value {
    json!({"type": "object", "additionalProperties": true})
}

/// The errors of an operation that have the same status. Operations that have the same share one answer in the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FailureResponse<'d> {
    http: u16,
    /// The name of the schema of its bodies.
    schema: String,
    envelopes: Vec<EnvelopeCodes<'d>>,
    /// True if others than these may come, too.
    open: bool,
    /// True if one of them comes with `retry-after`.
    says_when: bool,
    /// Headers of the operation that come with them.
    pub(super) headers: Vec<&'d str>,
    /// The headers that every failure has.
    common: Vec<&'d str>,
}

/// The codes of an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EnvelopeCodes<'d> {
    envelope: &'d str,
    /// Their names in the spec.
    names: Vec<&'d str>,
    /// Their words on the wire, each once.
    wires: Vec<&'d str>,
}

/// The answers of an operation that are errors, by status.
pub(super) fn by_status<'d>(
    document: &'d ApiDocument,
    operation: &'d ApiOperation,
) -> BTreeMap<u16, FailureResponse<'d>> {
    let open = operation.errors_open.is_some();
    let mut statuses: BTreeMap<u16, FailureResponse<'d>> = BTreeMap::new();
    // Each status has all envelopes of the operation, so that all its errors are of one type.
    let envelopes = envelopes(operation);
    let schema = union_name(document, &envelopes, open);
    let common = [REQUEST_ID, SHOULD_RETRY].into_iter().filter_map(|key| document.runtime_header(key));
    let common: Vec<&'d str> = common.map(|(name, _)| name).collect();
    let none = |envelope: &&'d str| EnvelopeCodes { envelope, names: Vec::new(), wires: Vec::new() };
    for (index, envelope) in envelopes.iter().enumerate() {
        let mut faces = faces(document, operation, envelope);
        // Whatever the order in which an operation lists its codes.
        faces.sort_by_key(|answer| document.errors.get_index_of(answer.name));
        for ErrorAnswer { name, code, wire, http } in faces {
            let also = if operation.always_http.is_some() { &[][..] } else { &code.http_also };
            for http in std::iter::once(http).chain(also.iter().copied()) {
                let new = || {
                    let schema = schema.clone();
                    let (common, envelopes) = (common.clone(), envelopes.iter().map(none).collect());
                    FailureResponse { http, schema, envelopes, open, says_when: false, headers: Vec::new(), common }
                };
                let refused = statuses.entry(http).or_insert_with(new);
                refused.says_when |= code.retry == "after";
                refused.envelopes[index].add(name, wire);
            }
        }
    }
    statuses
}

impl<'d> EnvelopeCodes<'d> {
    fn add(&mut self, name: &'d str, wire: &'d str) {
        if !self.names.contains(&name) {
            self.names.push(name);
        }
        if !self.wires.contains(&wire) {
            self.wires.push(wire);
        }
    }
}

impl<'d> FailureResponse<'d> {
    /// The name of the answer: all that it is made of. Envelopes, codes and headers are written so that none is like another,
    /// or like `Open`.
    fn name(&self) -> String {
        let mut words = Vec::new();
        for EnvelopeCodes { envelope, names, .. } in &self.envelopes {
            words.push(*envelope);
            words.extend(names);
        }
        words.extend(self.open.then_some("Open"));
        words.extend(&self.headers);
        let http = self.http.to_string();
        words.push(&http);
        words.join(".")
    }

    /// The schema of its bodies.
    pub(super) fn schema(&self) -> Value {
        reference(&self.schema)
    }

    /// Its codes on the wire, each once.
    pub(super) fn codes(&self) -> IndexSet<&'d str> {
        self.envelopes.iter().flat_map(|codes| codes.wires.iter().copied()).collect()
    }

    /// Its codes, as a sentence lists them.
    fn words(&self) -> String {
        let words = |codes: &EnvelopeCodes<'_>| {
            let words: Vec<String> = codes.wires.iter().map(|wire| format!("`{wire}`")).collect();
            words.join(", ")
        };
        self.envelopes.iter().map(words).collect::<Vec<_>>().join("; ")
    }

    /// The headers that come with it.
    pub(super) fn headers(&self) -> Map<String, Value> {
        let names = self.common.iter().copied().chain(self.says_when.then_some("retry-after"));
        names.chain(self.headers.iter().copied()).map(|name| (name.to_owned(), header(name))).collect()
    }

    /// Its codes, as the answer says them.
    fn sentence(&self) -> String {
        format!("Codes: {}.{}", self.words(), self.others())
    }

    /// Its codes, as the answer says them where it may as well be a success.
    pub(super) fn or_success(&self) -> String {
        format!("Success; or one of the codes {}, which the body tells.{}", self.words(), self.others())
    }

    const fn others(&self) -> &'static str {
        if self.open { " Others may come, too." } else { "" }
    }

    /// Its refusals, code by code.
    pub(super) fn refusals(&self) -> impl Iterator<Item = RefusalExample<'d>> {
        let http = self.http;
        let of = move |codes: &EnvelopeCodes<'d>| {
            let envelope = codes.envelope;
            codes.names.clone().into_iter().map(move |code| RefusalExample { envelope, code, http })
        };
        self.envelopes.iter().flat_map(of)
    }

    /// Its examples, by code; where it comes in several envelopes, by envelope, code and status.
    pub(super) fn examples(&self) -> Map<String, Value> {
        let shown = self.refusals().map(|refusal| {
            let name = refusal.name();
            let shown = json!({"$ref": format!("#/components/examples/{name}")});
            (if self.envelopes.len() == 1 { refusal.code.to_owned() } else { name }, shown)
        });
        shown.collect()
    }

    /// The answer.
    fn response(&self) -> Value {
        let mut media = object([("schema", self.schema())]);
        if let Some(shown) = some(self.examples()) {
            media["examples"] = shown;
        }
        object([
            ("description", Value::from(self.sentence())),
            ("headers", self.headers().into()),
            ("content", object([(JSON, media)])),
            ("x-error-codes", self.codes().into_iter().collect()),
        ])
    }
}

/// The failures of all operations together.
#[derive(Debug, Default)]
pub(super) struct FailureResponses<'d> {
    /// Answers by their names.
    answers: BTreeMap<String, FailureResponse<'d>>,
    /// The refusals in them, for the examples.
    pub(super) refusals: BTreeSet<RefusalExample<'d>>,
}

impl<'d> FailureResponses<'d> {
    /// Adds an answer; gives its name.
    pub(super) fn add(&mut self, refused: FailureResponse<'d>) -> String {
        let name = refused.name();
        match self.answers.entry(name.clone()) {
            Vacant(place) => {
                place.insert(refused);
            }
            Occupied(known) => debug_assert_eq!(*known.get(), refused, "a name tells all that an answer is made of"),
        }
        name
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.answers.extend(other.answers);
        self.refusals.extend(other.refusals);
    }
}

/// Answers that are errors, by their names, as texts at that depth.
pub(super) fn responses(failures: &FailureResponses<'_>, depth: usize) -> Vec<(String, JsonText)> {
    let answers: Vec<_> = failures.answers.iter().collect();
    let written = answers.into_par_iter().map(|(name, refused)| {
        let name = name.clone();
        let text = text::value(depth, &name, &refused.response());
        (name, text)
    });
    written.collect()
}

/// The envelopes that an operation's errors come in, its own first.
fn envelopes(operation: &ApiOperation) -> Vec<&str> {
    let branches = operation.select.iter().flat_map(|select| &select.branches).map(|branch| branch.envelope.as_str());
    let mut all: Vec<&str> = Vec::new();
    for envelope in [operation.envelope.as_str()].into_iter().chain(branches) {
        if !all.contains(&envelope) {
            all.push(envelope);
        }
    }
    all
}

/// All codes that are answered anywhere.
pub(super) fn table(document: &ApiDocument) -> Map<String, Value> {
    let answered: BTreeSet<&str> =
        document.operations.values().flat_map(|operation| codes(document, operation)).collect();
    let shown = |(name, code): (&String, &crate::client_model::ApiErrorCode)| {
        let wire: Map<String, Value> = code
            .faces
            .iter()
            .map(|(envelope, face)| {
                (envelope.clone(), json!({"http": face.http, "type": face.kind, "code": face.code}))
            })
            .collect();
        let mut row = json!({"say": code.say, "do": code.remedy, "retry": code.retry, "in": wire});
        if !code.with.is_empty() {
            row["with"] = json!(code.with);
        }
        if let Some(doc) = &code.doc {
            row["description"] = doc.trim_end().into();
        }
        (name.clone(), row)
    };
    document.errors.iter().filter(|(name, _)| answered.contains(name.as_str())).map(shown).collect()
}
