//! Names in format G may be written in camelCase or snake_case; here they are read in one spelling.

use serde_json::{Map, Value};

/// What is inside belongs to the user.
const FOREIGN: &[&str] = &["args", "response", "parametersJsonSchema", "responseJsonSchema", "labels"];

/// The same with its names in camelCase.
pub(super) fn camel(value: &Value) -> Value {
    match value {
        Value::Object(members) => members.iter().map(|(name, value)| member(name, value)).collect(),
        Value::Array(items) => items.iter().map(camel).collect(),
        value => value.clone(),
    }
}

fn member(name: &str, value: &Value) -> (String, Value) {
    let name = camel_name(name);
    let value = match (name.as_str(), value) {
        (name, value) if FOREIGN.contains(&name) => value.clone(),
        // The names of properties are the user's, their schemas are not.
        ("properties", Value::Object(properties)) => {
            let renamed: Map<String, Value> =
                properties.iter().map(|(name, schema)| (name.clone(), camel(schema))).collect();
            Value::Object(renamed)
        }
        (_, value) => camel(value),
    };
    (name, value)
}

fn camel_name(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut name, word| {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
        name
    })
}
