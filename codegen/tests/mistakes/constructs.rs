//! The spec that mutants are made of has every construct: each key of the language stands somewhere in it.

use std::collections::BTreeSet;

use serde_json::Value;
use tollgate_spec_language::{parse, schema};

use crate::base;

#[test]
fn every_key_of_the_language_is_in_the_whole_spec() {
    let language = schema::language();
    let mut known = BTreeSet::new();
    known_keys("file", language, &mut known);
    for (name, kind) in language["$defs"].as_object().expect("the parts of the language") {
        known_keys(name, kind, &mut known);
    }
    let mut there = BTreeSet::new();
    let sources = base::sources(&base::whole());
    for (file, source) in sources.files() {
        let root = parse::parse(file, source, &mut Vec::new()).root.expect("a mapping");
        keys_in("file", &root.to_json(), language, &mut there);
    }
    let missing: Vec<_> = known.difference(&there).collect();
    assert!(missing.is_empty(), "add them to tests/golden/mistakes/whole: {missing:?}");
    assert!(known.len() > 200, "{} keys are not the language", known.len());
}

/// The keys that a part of the language has, as `Operation.route`.
fn known_keys(owner: &str, shape: &Value, known: &mut BTreeSet<String>) {
    for (key, inner) in shape["properties"].as_object().into_iter().flatten() {
        let key = format!("{owner}.{key}");
        known_keys(&key, inner, known);
        known.insert(key);
    }
    for choice in choices(shape) {
        known_keys(owner, choice, known);
    }
}

/// The keys of the language that stand in a value, each under its part of the language.
fn keys_in(owner: &str, value: &Value, shape: &Value, there: &mut BTreeSet<String>) {
    if let Some(name) = shape["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        return keys_in(name, value, &schema::language()["$defs"][name], there);
    }
    for choice in choices(shape) {
        keys_in(owner, value, choice, there);
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys_in(owner, item, &shape["items"], there)),
        Value::Object(members) => {
            for (key, inner) in members {
                let known = &shape["properties"][key];
                if known.is_null() {
                    keys_in(owner, inner, &shape["additionalProperties"], there);
                } else {
                    let key = format!("{owner}.{key}");
                    keys_in(&key, inner, known, there);
                    there.insert(key);
                }
            }
        }
        _ => {}
    }
}

fn choices(shape: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf"].into_iter().filter_map(|key| shape[key].as_array()).flatten()
}
