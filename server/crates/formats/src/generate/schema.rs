//! The format's own schemas made JSON schemas: types in small letters, `nullable` as a type, counts as numbers, and the
//! order of properties that `propertyOrdering` asks for. JSON schemas go through as they are.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::super::json::{JsonObject, JsonValue, ObjectWriter};
use super::super::{MalformedRequest, UnknownMember};

/// Deeper schemas are refused: nobody writes them, and each level costs one reading of what lies beneath.
const LEVELS_MAX: usize = 48;

/// The JSON schema that says the same. Names of properties, numbers and values keep their spelling.
///
/// # Errors
/// When it is no object, or nested without measure.
pub fn json_schema(value: &JsonValue<'_>) -> Result<Box<RawValue>, MalformedRequest> {
    let mut out = Vec::with_capacity(value.raw.get().len());
    write(value, 0, &mut out)?;
    let text = String::from_utf8(out).expect("written from texts");
    Ok(RawValue::from_string(text).expect("written as JSON"))
}

fn write(value: &JsonValue<'_>, level: usize, out: &mut Vec<u8>) -> Result<(), MalformedRequest> {
    if level >= LEVELS_MAX {
        return Err(value.wrong("nested less deeply"));
    }
    let mut schema = value.object()?;
    let nullable = schema.value(&["nullable"]).is_some_and(|value| value.raw.get() == "true");
    let order = order(&mut schema);
    let mut object = ObjectWriter::new(out);
    let members = schema.rest();
    let has_type = members.iter().any(|member| member.name == "type");
    for member in &members {
        let value = JsonValue { at: member.at.clone(), raw: &member.value };
        match member.name.as_str() {
            "type" => kind(&value, nullable, &mut object),
            "properties" => properties(&value, &order, level, &mut object)?,
            "items" | "additionalProperties" | "not" if value.starts_with('{') => {
                object.member(&member.name, &*raw(&value, level)?);
            }
            "anyOf" | "oneOf" | "allOf" if value.starts_with('[') => {
                any_of(&value, nullable && !has_type, level, member, &mut object)?;
            }
            "enum" if nullable => with_null(&value, member, &mut object),
            "minItems" | "maxItems" | "minLength" | "maxLength" | "minProperties" | "maxProperties" => {
                count(&value, member, &mut object);
            }
            _ => {
                object.member(&member.name, &member.value);
            }
        }
    }
    object.end();
    Ok(())
}

fn raw(value: &JsonValue<'_>, level: usize) -> Result<Box<RawValue>, MalformedRequest> {
    let mut out = Vec::new();
    write(value, level + 1, &mut out)?;
    let text = String::from_utf8(out).expect("written from texts");
    Ok(RawValue::from_string(text).expect("written as JSON"))
}

/// `propertyOrdering` is an order, and an object has one: what it names comes first.
fn order(schema: &mut JsonObject<'_>) -> BTreeMap<String, usize> {
    let names = schema.list(&["propertyOrdering"]).unwrap_or_default();
    names.iter().enumerate().filter_map(|(rank, name)| Some((name.text().ok()?, rank))).collect()
}

fn kind(value: &JsonValue<'_>, nullable: bool, object: &mut ObjectWriter<'_>) {
    match value.text() {
        Ok(word) if word == "TYPE_UNSPECIFIED" => {}
        Ok(word) if nullable => {
            object.member("type", &[word.to_ascii_lowercase().as_str(), "null"]);
        }
        Ok(word) => {
            object.member("type", &word.to_ascii_lowercase());
        }
        // A list of types is JSON schema already.
        Err(_) => {
            object.member("type", value.raw);
        }
    }
}

fn properties(
    value: &JsonValue<'_>,
    order: &BTreeMap<String, usize>,
    level: usize,
    object: &mut ObjectWriter<'_>,
) -> Result<(), MalformedRequest> {
    let mut members = value.object()?.rest();
    members.sort_by_key(|member| order.get(&member.name).copied().unwrap_or(usize::MAX));
    let mut properties = object.object("properties");
    for member in &members {
        let value = JsonValue { at: member.at.clone(), raw: &member.value };
        if value.starts_with('{') {
            properties.member(&member.name, &*raw(&value, level)?);
        } else {
            properties.member(&member.name, &member.value);
        }
    }
    properties.end();
    Ok(())
}

fn any_of(
    value: &JsonValue<'_>,
    nullable: bool,
    level: usize,
    member: &UnknownMember,
    object: &mut ObjectWriter<'_>,
) -> Result<(), MalformedRequest> {
    let mut list = object.array(&member.name);
    for schema in value.list()? {
        if schema.starts_with('{') {
            list.element(&*raw(&schema, level)?);
        } else {
            list.element(schema.raw);
        }
    }
    if nullable && member.name == "anyOf" {
        let mut null = list.object();
        null.member("type", "null");
        null.end();
    }
    list.end();
    Ok(())
}

/// Writes the values of a type that may be null, with null among them.
fn with_null(value: &JsonValue<'_>, member: &UnknownMember, object: &mut ObjectWriter<'_>) {
    let Ok(values) = value.list() else {
        object.member(&member.name, &member.value);
        return;
    };
    let mut list = object.array(&member.name);
    for value in &values {
        list.element(value.raw);
    }
    if !values.iter().any(JsonValue::is_null) {
        list.element(&None::<()>);
    }
    list.end();
}

/// 64-bit numbers may stand in quotes in this format.
fn count(value: &JsonValue<'_>, member: &UnknownMember, object: &mut ObjectWriter<'_>) {
    match value.text().ok().and_then(|text| text.parse::<u64>().ok()) {
        Some(count) => object.member(&member.name, &count),
        None => object.member(&member.name, &member.value),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_of_the_format_gets_its_json_schema() {
        for (given, expected) in [
            (r#"{"type":"STRING","nullable":true}"#, r#"{"type":["string","null"]}"#),
            (r#"{"type":"TYPE_UNSPECIFIED","anyOf":[{"type":"NUMBER"}]}"#, r#"{"anyOf":[{"type":"number"}]}"#),
            (r#"{"nullable":true,"anyOf":[{"type":"NUMBER"}]}"#, r#"{"anyOf":[{"type":"number"},{"type":"null"}]}"#),
            (r#"{"enum":["a"],"nullable":true}"#, r#"{"enum":["a",null]}"#),
            (
                r#"{"type":"ARRAY","items":{"type":"INTEGER"},"minItems":"2"}"#,
                r#"{"type":"array","items":{"type":"integer"},"minItems":2}"#,
            ),
            (
                r#"{"type":"OBJECT","properties":{"type":{"type":"STRING"},"b":{"maximum":12345678901234567890}},"propertyOrdering":["b","type"]}"#,
                r#"{"type":"object","properties":{"b":{"maximum":12345678901234567890},"type":{"type":"string"}}}"#,
            ),
            (
                r#"{"type":["string","null"],"$defs":{"A":{"type":"X"}}}"#,
                r#"{"type":["string","null"],"$defs":{"A":{"type":"X"}}}"#,
            ),
        ] {
            let value = JsonValue::document(given.as_bytes()).expect("JSON");
            assert_eq!(json_schema(&value).expect("a schema").get(), expected);
        }
    }

    #[test]
    fn bottomless_nesting_is_refused() {
        let deep = format!("{}{{}}{}", "{\"items\":".repeat(5000), "}".repeat(5000));
        let value = JsonValue::document(deep.as_bytes()).expect("JSON");
        assert!(json_schema(&value).is_err());
    }
}
