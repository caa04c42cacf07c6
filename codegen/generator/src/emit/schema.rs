//! `spec.schema.json`: the spec language as a JSON Schema, for editors; `resolved.schema.json`: the form of `resolved.json`,
//! as far as clients are made of it, for other generators.

use crate::client_model::ApiDocument;

pub(super) fn generate() -> Vec<u8> {
    bytes(crate::schema::language())
}

pub(super) fn resolved() -> Vec<u8> {
    bytes(schemars::schema_for!(ApiDocument).as_value())
}

fn bytes(schema: &serde_json::Value) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(schema).expect("keys are texts");
    text.push(b'\n');
    text
}
