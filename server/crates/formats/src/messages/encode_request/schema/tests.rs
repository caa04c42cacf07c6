//! Schemas that bind.

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::budget::SchemaCosts;
use super::{SchemaBudget, closed};

fn raw(schema: &Value) -> Box<RawValue> {
    to_raw_value(schema).expect("JSON")
}

fn made(schema: &Value) -> Option<Value> {
    closed(&raw(schema)).map(|(schema, _)| serde_json::from_str(schema.get()).expect("JSON"))
}

/// An object with one required member `a`, as it is asked for and as it is closed.
fn around(member: &Value) -> Value {
    json!({"type": "object", "properties": {"a": member}, "required": ["a"], "additionalProperties": false})
}

#[test]
fn what_no_grammar_knows_is_said_in_words() {
    for (asked, told) in [
        (
            json!({"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 2, "description": "d"}),
            json!({"type": "integer", "description": "d\n\nMust be: at least 1; at most 9; a multiple of 2."}),
        ),
        (
            json!({"type": "string", "minLength": 2, "format": "iban", "pattern": "^(?=a)"}),
            json!({"type": "string", "description":
                "Must be: at least 2 characters; in the format iban; a match of the regular expression ^(?=a)."}),
        ),
        (
            json!({"type": "string", "format": "date", "pattern": "^[a-z]+$", "title": "t", "default": "x"}),
            json!({"type": "string", "format": "date", "pattern": "^[a-z]+$", "title": "t", "default": "x"}),
        ),
        (
            json!({"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 2, "maxItems": 3}),
            json!({"type": "array", "items": {"type": "number", "description": "Must be: more than 0."},
                "description": "Must be: at least 2 items; at most 3 items."}),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
            json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
        ),
        (json!({"enum": ["a", "b"]}), json!({"type": "string", "enum": ["a", "b"]})),
        (json!({"const": null}), json!({"type": "null", "const": null})),
        (
            json!({"type": ["string", "null"], "enum": ["a", null]}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}],
                "description": "Must be: after exactly one of the alternatives."}),
        ),
        (
            json!({"properties": {"b": {"type": "string"}}, "additionalProperties": true}),
            json!({"type": "object", "properties": {"b": {"type": "string"}}, "required": [],
                "additionalProperties": false}),
        ),
    ] {
        assert_eq!(made(&around(&asked)), Some(around(&told)), "{asked}");
    }
}

#[test]
fn definitions_are_closed_and_those_without_use_go() {
    let point = json!({"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]});
    let asked = json!({"type": "object", "required": ["a"],
        "properties": {"a": {"$ref": "#/$defs/Point", "description": "the corner"}},
        "$defs": {"Point": point, "Unused": {"$ref": "#/$defs/Unused"}}});
    let made = made(&asked).expect("it can be closed");
    assert_eq!(made["properties"]["a"], json!({"$ref": "#/$defs/Point"}));
    assert_eq!(made["description"], "Must be: `a`: the corner.");
    assert_eq!(made["$defs"]["Point"]["additionalProperties"], false);
    assert_eq!(made["$defs"].as_object().map(serde_json::Map::len), Some(1));
}

#[test]
fn parts_of_one_object_become_one() {
    let asked = json!({"allOf": [{"$ref": "#/$defs/A"}, {"type": "object", "properties": {"b": {"type": "string"}},
        "required": ["b"]}], "$defs": {"A": {"type": "object", "properties": {"a": {"type": "string"}}}}});
    let made = made(&asked).expect("it can be closed");
    let names: Vec<&str> = made["properties"].as_object().expect("members").keys().map(String::as_str).collect();
    assert_eq!((names, &made["required"]), (vec!["a", "b"], &json!(["b"])));
}

#[test]
fn what_cannot_be_closed_is_left_to_others() {
    for asked in [
        json!({"type": "object"}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}),
        around(&json!({})),
        around(&json!(true)),
        around(&json!({"const": {"b": 1}})),
        around(&json!({"$ref": "https://elsewhere.example/schema"})),
        around(&json!({"allOf": [{"type": "string"}, {"type": "number"}]})),
        json!({"$ref": "#/$defs/A", "$defs": {"A": around(&json!({"type": "array", "items": {"$ref": "#/$defs/A"}}))}}),
        json!([1]),
    ] {
        assert_eq!(made(&asked), None, "{asked}");
    }
}

#[test]
fn parts_of_parts_do_not_multiply() {
    let definition = |at: usize| {
        let next = json!({"$ref": format!("#/$defs/D{}", at + 1)});
        (format!("D{at}"), json!({"allOf": [next, next, next, next]}))
    };
    let mut definitions: serde_json::Map<String, Value> = (0..30).map(definition).collect();
    definitions.insert("D30".to_owned(), around(&json!({"type": "string"})));
    assert_eq!(made(&json!({"$ref": "#/$defs/D0", "$defs": definitions})), None);
}

#[test]
fn the_schemas_of_a_request_share_a_budget() {
    let optional = |members: usize| {
        let members: serde_json::Map<String, Value> =
            (0..members).map(|at| (format!("m{at}"), json!({"type": ["string", "null"]}))).collect();
        json!({"type": "object", "properties": members})
    };
    let costs = closed(&raw(&optional(10))).expect("it can be closed").1;
    assert_eq!(costs, SchemaCosts { optional: 10, unions: 10 });
    let mut budget = SchemaBudget::whole();
    assert_eq!([budget.take_tool(costs), budget.take_tool(costs)], [true, false]);
    let (few, nothing) = (SchemaCosts { optional: 14, unions: 6 }, SchemaCosts { optional: 1, unions: 0 });
    assert_eq!([budget.take(few), budget.take(nothing)], [true, false]);
}
