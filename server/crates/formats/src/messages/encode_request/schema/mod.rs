//! JSON schemas as providers want them.
//!
//! A schema that binds (of the answer, of a strict tool) may use a part of JSON Schema alone: objects are closed, and what
//! providers refuse is said in words in the description beside it. Any other schema is byte for byte the client's.

mod budget;
mod closed;
mod defs;
#[cfg(test)]
mod tests;
mod words;

use serde_json::value::RawValue;

use crate::json::{JsonValue, ObjectWriter};

pub use budget::SchemaBudget;
pub use closed::closed;

/// The schema of a function's arguments: an object, and said to be one.
pub fn of_arguments(schema: Option<&RawValue>) -> Box<RawValue> {
    const NOTHING: &str = r#"{"type":"object","properties":{}}"#;
    let given = schema.filter(|schema| schema.get().starts_with('{') && !is_empty(schema));
    match given {
        Some(schema) => with(schema, "type", "object"),
        None => serde_json::from_str(NOTHING).expect("it is JSON"),
    }
}

/// The schema with a member before its others, unless it has one of that name.
pub fn with(schema: &RawValue, name: &str, text: &str) -> Box<RawValue> {
    let value = JsonValue { at: String::new(), raw: schema };
    let Ok(object) = value.object() else { return schema.to_owned() };
    if object.has(name) {
        return schema.to_owned();
    }
    let mut out = Vec::new();
    let mut writer = ObjectWriter::new(&mut out);
    writer.member(name, text).extras(&object.rest());
    writer.end();
    serde_json::from_slice(&out).expect("it was just written as JSON")
}

fn is_empty(schema: &RawValue) -> bool {
    schema.get()[1..].trim_start().starts_with('}')
}
