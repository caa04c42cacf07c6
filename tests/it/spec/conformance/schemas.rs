//! What OpenAPI says of answers, asked of a validator of JSON Schema.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;

use jsonschema::Validator;
use serde_json::{Value, json};
use tollgate_spec_generator::client_model::ExampleCase;

use super::answers::Reply;
use crate::spec::answers::root;

/// The document, and the validators that were made of it.
pub(super) struct Schemas {
    openapi: Value,
    made: RefCell<HashMap<String, Validator>>,
}

impl Schemas {
    pub(super) fn read() -> Self {
        let text = fs::read_to_string(root().join("spec/dist/openapi.json")).expect("it is committed");
        Self { openapi: serde_json::from_str(&text).expect("JSON"), made: RefCell::default() }
    }

    /// Why an answer is none that was declared.
    pub(super) fn outside(&self, case: &ExampleCase<'_>, reply: &Reply) -> Option<String> {
        let route = &case.operation.routes[0];
        if case.method != route.method {
            let name = format!("Error{}", upper_camel(case.expect.envelope));
            return self.breaks(&json!({"$ref": format!("#/components/schemas/{name}")}), &reply.body);
        }
        let path = format!("{}{}", route.path.replace("{*", "{"), route.suffix);
        let responses = &self.openapi["paths"][path.as_str()][route.method.to_lowercase()]["responses"];
        let Some(mut response) = responses.get(reply.status.to_string()) else {
            return Some(format!("no answer with status {} is declared", reply.status));
        };
        if let Some(shared) = response["$ref"].as_str() {
            let name = shared.strip_prefix("#/components/responses/").expect("answers lie there");
            response = self.openapi["components"]["responses"].get(name).expect("it is there");
        }
        let codes = response["x-error-codes"].as_array();
        let told = case.expect.code.filter(|_| !case.expect.late).zip(codes);
        if let Some((code, codes)) = told {
            let wire = &self.openapi["x-error-codes"][code]["in"][case.expect.envelope]["code"];
            if !codes.contains(wire) {
                return Some(format!("the code {wire} with status {} is not declared", reply.status));
            }
        }
        let content = &response["content"];
        let ty = reply.content_type();
        let Some(media) = content.get(ty) else {
            return Some(format!("no answer of type {ty:?} with status {} is declared", reply.status));
        };
        if ty == "text/event-stream" {
            let ends = case.operation.stream.as_ref().map(|stream| stream.ends_with.as_slice()).unwrap_or_default();
            let events = reply.events();
            // The refusal that ends a stream is that of the envelope.
            let refused = json!({"$ref": format!("#/components/schemas/Error{}", upper_camel(case.expect.envelope))});
            let either = json!({"anyOf": [media["schema"], refused]});
            let schema = if case.expect.late { &either } else { &media["schema"] };
            let data = events.iter().filter(|event| !ends.contains(event));
            return data.into_iter().find_map(|event| self.breaks(schema, event.as_bytes()));
        }
        if ty == "application/json" {
            return self.breaks(&media["schema"], &reply.body);
        }
        None
    }

    /// How a text breaks a schema.
    fn breaks(&self, schema: &Value, text: &[u8]) -> Option<String> {
        let Ok(value) = serde_json::from_slice::<Value>(text) else { return Some("this is no JSON".to_owned()) };
        let mut made = self.made.borrow_mut();
        let validator = made.entry(schema.to_string()).or_insert_with(|| {
            let whole = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "components": {"schemas": self.openapi["components"]["schemas"]},
                "allOf": [schema],
            });
            jsonschema::validator_for(&whole).unwrap_or_else(|error| panic!("{schema}: {error}"))
        });
        let first = validator.iter_errors(&value).next()?;
        Some(format!("{} at `{}`", first, first.instance_path()))
    }
}

fn upper_camel(name: &str) -> String {
    let part = |part: &str| part[..1].to_uppercase() + &part[1..];
    name.split('_').map(part).collect()
}
