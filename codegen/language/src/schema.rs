//! The JSON Schema of the spec language: what the structural check walks and what editors complete from.

use std::sync::LazyLock;

use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use crate::model::SpecFile;

/// Greatest whole number that every reader of JSON keeps exactly.
const EXACT_MAX: u64 = (1 << 53) - 1;

/// The schema of one spec file, made once.
#[must_use]
pub fn language() -> &'static Value {
    static LANGUAGE: LazyLock<Value> = LazyLock::new(made);
    &LANGUAGE
}

fn made() -> Value {
    let settings = SchemaSettings::draft2020_12();
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<SpecFile>().to_value();
    tighten(&mut schema);
    if let Value::Object(root) = &mut schema {
        root.insert("title".to_owned(), json!("A file of the spec"));
    }
    schema
}

/// Makes the derived schema say what the language says: a key is absent rather than null, whole numbers are exact, and
/// the number formats of Rust are left out.
fn tighten(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(tighten),
        Value::Object(object) => {
            if object.get("format").is_some_and(|format| format == "uint64") {
                object.insert("maximum".to_owned(), EXACT_MAX.into());
            }
            if object.get("type").is_some_and(|kind| kind == "integer" || kind == "number") {
                object.remove("format");
            }
            if let Some(Value::Object(properties)) = object.get_mut("properties") {
                properties.values_mut().for_each(refuse_null);
            }
            object.values_mut().for_each(tighten);
        }
        _ => {}
    }
}

/// `Option` derives "or null"; in a file an optional key is left out.
fn refuse_null(property: &mut Value) {
    let Value::Object(property) = property else { return };
    property.remove("default");
    if let Some(Value::Array(kinds)) = property.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(words)) = property.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    let Some(Value::Array(choices)) = property.get_mut("anyOf") else { return };
    choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
    if let [Value::Object(only)] = choices.as_slice() {
        let only: Map<String, Value> = only.clone();
        property.remove("anyOf");
        property.extend(only);
    }
}
