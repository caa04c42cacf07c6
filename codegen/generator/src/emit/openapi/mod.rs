//! `openapi.json`: the service in OpenAPI 3.1, for tools that know that; `openapi-3.0.json`: the same in the words of 3.0.3;
//! `types.schema.json`: its types alone.
//!
//! What OpenAPI has no word for stands under `x-`: names that a header goes by (`x-wire-names`), how a stream ends
//! (`x-stream`), how a list goes on (`x-pages`), whether a request may be sent again (`x-idempotent`), limits, and the
//! codes with their sentences (`x-error-codes`).
//!
//! An answer that is an error stands once, under `components/responses`, for all operations that fail alike. Its name is made of
//! its parts: each envelope and its codes, `Open` where others may come too, headers of the operation, and the status, as in
//! `o.KEY_MISSING.KEY_INVALID.401`.

mod errors;
mod examples;
mod object;
mod operation;
mod schema;
mod security;
mod text;
mod version;

use serde_json::{Map, Value, json};

use self::examples::OpenApiExamples;
use self::schema::TypeSchemas;
pub(super) use self::version::OpenApiVersion;
use crate::client_model::{ApiDocument, ExampleCase};
use crate::map::IndexSet;

const ABOUT: &str = "Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.";
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The service.
pub(super) fn generate(document: &ApiDocument, cases: &[ExampleCase<'_>], version: OpenApiVersion) -> Vec<u8> {
    let schemas = TypeSchemas::new(document, "#/components/schemas/", version);
    let examples = OpenApiExamples::new(document, cases);
    let ((paths, responses, shown), mut all) = rayon::join(
        || {
            let (paths, failures) = operation::paths(document, &schemas, &examples, 2);
            let responses = errors::responses(&failures, 3);
            (paths, responses, examples.components(failures.refusals, 3))
        },
        || schemas.all(3),
    );
    all.extend(schemas.forms(3));
    all.extend(errors::schemas(document, version).into_iter().map(|(name, schema)| {
        let text = text::value(3, &name, &schema);
        (name, text)
    }));
    let components = [
        ("schemas", text::object(2, all)),
        ("responses", text::object(2, responses)),
        ("headers", text::value(2, "headers", &operation::headers(document).into())),
        ("examples", text::object(2, shown)),
        ("securitySchemes", text::value(2, "securitySchemes", &security::schemes(document).into())),
    ];
    let member = |name: &'static str, value: Value| (name, text::value(1, name, &value));
    let dialect = (version == OpenApiVersion::V31).then(|| member("jsonSchemaDialect", DIALECT.into()));
    let head = [
        member("openapi", version.number().into()),
        member("x-about", ABOUT.into()),
        member("info", info(document, version)),
    ];
    let members = [
        member("servers", json!([{"url": "/"}])),
        member("tags", tags(document)),
        ("paths", text::object(1, paths)),
        ("components", text::object(1, components)),
        member("x-error-codes", errors::table(document).into()),
        member("x-limits", limits(document)),
        member("x-proofs", proofs(document)),
    ];
    text::object(0, head.into_iter().chain(dialect).chain(members)).ended()
}

/// The types, each under `$defs`.
pub(super) fn types(document: &ApiDocument) -> Vec<u8> {
    let schemas = TypeSchemas::new(document, "#/$defs/", OpenApiVersion::V31);
    let title = format!("{}: types", document.service.title);
    let member = |name: &'static str, value: Value| (name, text::value(1, name, &value));
    let members = [
        member("$schema", DIALECT.into()),
        member("$comment", ABOUT.into()),
        member("title", title.into()),
        ("$defs", text::object(1, schemas.all(2))),
    ];
    text::object(0, members).ended()
}

fn info(document: &ApiDocument, version: OpenApiVersion) -> Value {
    let mut info = Map::new();
    info.insert("title".to_owned(), document.service.title.clone().into());
    info.insert("version".to_owned(), "1".into());
    info.extend(document.service.doc.as_ref().map(|doc| ("description".to_owned(), doc.trim_end().into())));
    if let Some(license) = &document.service.license {
        let mut shown = json!({"name": license});
        if version == OpenApiVersion::V31 {
            shown["identifier"] = license.as_str().into();
        }
        info.insert("license".to_owned(), shown);
    }
    info.into()
}

fn tags(document: &ApiDocument) -> Value {
    let groups: IndexSet<&str> =
        document.operations.keys().filter_map(|id| id.split_once('.')).map(|(group, _)| group).collect();
    let tag = |group: &str| {
        let mut tag = json!({"name": group});
        if let Some(doc) = document.service.tags.get(group) {
            tag["description"] = doc.trim_end().into();
        }
        tag
    };
    groups.into_iter().map(tag).collect()
}

fn limits(document: &ApiDocument) -> Value {
    let limit = |(name, limit): (&String, &crate::client_model::ApiLimit)| {
        let mut shown = Map::new();
        let mut put = |key: &str, value: Option<Value>| shown.extend(value.map(|value| (key.to_owned(), value)));
        put("description", limit.doc.as_deref().map(Into::into));
        put("count", limit.count.map(Into::into));
        put("seconds", limit.seconds.map(Into::into));
        put("bytes", limit.bytes.map(Into::into));
        put("usd", limit.usd.as_ref().map(|(least, most)| json!({"least": least, "most": most})));
        put("least", limit.least.then_some(Value::Bool(true)));
        put("per", limit.per.as_deref().map(Into::into));
        put("live", limit.live.then_some(Value::Bool(true)));
        put("error", limit.error.as_deref().map(Into::into));
        (name.clone(), Value::Object(shown))
    };
    document.limits.iter().map(limit).collect::<Map<_, _>>().into()
}

fn proofs(document: &ApiDocument) -> Value {
    let proof = |(name, proof): (&String, &crate::client_model::ApiProof)| {
        (name.clone(), json!({"description": proof.doc, "example": proof.example}))
    };
    document.proofs.iter().map(proof).collect::<Map<_, _>>().into()
}
