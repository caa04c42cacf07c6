//! Values that fit a schema: what the model calls tools with and answers in JSON.

use serde_json::{Map, Value, json};

/// Above 2^53, so that a detour through binary floats shows.
const WHOLE_NUMBER: u64 = 9_007_199_254_740_993;

/// A value for a schema; its texts are `text`.
pub(super) fn fill(schema: &Value, text: &str) -> Value {
    if let Some(choice) = schema["enum"].get(0).or_else(|| schema.get("const")) {
        return choice.clone();
    }
    if let Some(first) = schema["anyOf"].get(0) {
        return fill(first, text);
    }
    // Format G knows its types in capitals too.
    let kind = schema["type"].as_str().map(str::to_ascii_lowercase);
    match kind.as_deref() {
        Some("string") => json!(text),
        Some("integer") => json!(WHOLE_NUMBER),
        Some("number") => json!(1.5),
        Some("boolean") => json!(true),
        Some("array") => json!([fill(&schema["items"], text)]),
        _ => Value::Object(members(schema, text)),
    }
}

fn members(schema: &Value, text: &str) -> Map<String, Value> {
    let properties = schema["properties"].as_object();
    properties.into_iter().flatten().map(|(name, schema)| (name.clone(), fill(schema, text))).collect()
}
