//! `spec.schema.json`: the spec language as a JSON Schema, for editors.

pub(super) fn generate() -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(&crate::schema::language()).expect("keys are texts");
    text.push(b'\n');
    text
}
