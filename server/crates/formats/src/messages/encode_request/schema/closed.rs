//! A schema made one that binds.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::budget::SchemaCosts;
use super::defs::{self, SchemaDefinitions};
use super::words;

/// Formats of texts that a grammar knows.
const FORMATS: [&str; 10] =
    ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
/// Keywords that are taken as they are.
const TAKEN: [&str; 2] = ["title", "default"];
/// Keywords of an object.
const OF_OBJECTS: [&str; 3] = ["properties", "required", "additionalProperties"];
/// The most parts of `allOf` in one schema: a part may refer to others that refer to others, each of them many times.
const MERGES_MAX: usize = 64;

/// The schema as one that binds, and what it costs; `None` where that would change what it allows beyond what words can
/// mend: it refers to itself, takes members of any name, or takes any value.
pub fn closed(schema: &RawValue) -> Option<(Box<RawValue>, SchemaCosts)> {
    let Ok(Value::Object(root)) = serde_json::from_str(schema.get()) else { return None };
    let (whole, definitions) = defs::reachable(&root)?;
    let mut closing = SchemaCloser { definitions: &definitions, costs: SchemaCosts::default(), merges: MERGES_MAX };
    let mut made = closing.object(whole)?;
    for (reference, definition) in &definitions {
        let (place, name) = defs::parts(reference)?;
        let closed = closing.value(definition)?;
        let place = made.entry(place).or_insert_with(|| Value::Object(Map::new()));
        place.as_object_mut()?.insert(name, closed);
    }
    Some((to_raw_value(&made).expect("it is JSON"), closing.costs))
}

struct SchemaCloser<'a> {
    definitions: &'a SchemaDefinitions<'a>,
    costs: SchemaCosts,
    /// The number of further parts of `allOf` that may be merged.
    merges: usize,
}

impl<'a> SchemaCloser<'a> {
    fn value(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::Object(schema) => self.object(schema).map(Value::Object),
            // True stands for any value, false for none.
            _ => None,
        }
    }

    fn object(&mut self, schema: &Map<String, Value>) -> Option<Map<String, Value>> {
        if let Some(Value::String(reference)) = schema.get("$ref") {
            return Some(Map::from_iter([("$ref".to_owned(), Value::from(reference.as_str()))]));
        }
        let schema = self.merged(schema)?;
        let kinds = kinds(&schema)?;
        let mut made = Map::new();
        let mut rules = Vec::new();
        if let Some(kind) = &kinds {
            self.costs.unions += usize::from(kind.is_array());
            made.insert("type".to_owned(), kind.clone());
        }
        for (keyword, value) in schema.iter() {
            match keyword.as_str() {
                "type" | "description" | "$defs" | "definitions" => {}
                keyword if TAKEN.contains(&keyword) => drop(made.insert(keyword.to_owned(), value.clone())),
                keyword if OF_OBJECTS.contains(&keyword) => {}
                "anyOf" | "oneOf" if kinds.is_none() => self.alternatives(keyword, value, &mut made, &mut rules)?,
                "items" if value.is_object() => {
                    rules.extend(of_reference("each item", value));
                    made.insert("items".to_owned(), self.value(value)?);
                }
                "items" if value == &Value::Bool(true) => {}
                keyword if is_taken(keyword, value) => drop(made.insert(keyword.to_owned(), value.clone())),
                keyword => rules.extend(words::rule(keyword, value)),
            }
        }
        if has_type(kinds.as_ref(), "object") {
            self.members(&schema, &mut made, &mut rules)?;
        }
        let description = schema.get("description").and_then(Value::as_str);
        if let Some(description) = words::described(description, &rules) {
            made.insert("description".to_owned(), description.into());
        }
        Some(made)
    }

    /// The alternatives, which are all that a schema without a type has.
    fn alternatives(
        &mut self,
        keyword: &str,
        value: &Value,
        made: &mut Map<String, Value>,
        rules: &mut Vec<String>,
    ) -> Option<()> {
        let alternatives = value.as_array().filter(|alternatives| !alternatives.is_empty())?;
        if made.contains_key("anyOf") {
            rules.extend(words::rule(keyword, value));
            return Some(());
        }
        let closed = alternatives.iter().map(|value| self.value(value)).collect::<Option<Vec<_>>>()?;
        rules.extend(alternatives.iter().filter_map(|value| of_reference("one alternative", value)));
        self.costs.unions += 1;
        made.insert("anyOf".to_owned(), closed.into());
        if keyword == "oneOf" {
            rules.extend(words::rule(keyword, value));
        }
        Some(())
    }

    /// The members of an object, which is closed.
    fn members(
        &mut self,
        schema: &Map<String, Value>,
        made: &mut Map<String, Value>,
        rules: &mut Vec<String>,
    ) -> Option<()> {
        let open = schema.get("additionalProperties");
        // Members of any name cannot be had from a closed object.
        if open.is_some_and(Value::is_object) || schema.contains_key("patternProperties") {
            return None;
        }
        let nothing = Map::new();
        let members = match schema.get("properties") {
            Some(Value::Object(members)) if !(members.is_empty() && open == Some(&Value::Bool(true))) => members,
            None if open == Some(&Value::Bool(false)) => &nothing,
            // Nothing but an empty object would be left of it.
            _ => return None,
        };
        let mut closed = Map::new();
        for (name, member) in members {
            rules.extend(of_reference(name, member));
            closed.insert(name.clone(), self.value(member)?);
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: BTreeSet<&str> = required.filter_map(Value::as_str).collect();
        // A closed object has no member that it does not name.
        if required.iter().any(|name| !members.contains_key(*name)) {
            return None;
        }
        self.costs.optional += members.len() - required.len();
        let in_order: Vec<&String> = members.keys().filter(|name| required.contains(name.as_str())).collect();
        made.insert("properties".to_owned(), closed.into());
        made.insert("required".to_owned(), serde_json::json!(in_order));
        made.insert("additionalProperties".to_owned(), false.into());
        Some(())
    }

    /// The schema with what `allOf` adds: closed objects side by side would forbid each other's members.
    fn merged<'s>(&mut self, schema: &'s Map<String, Value>) -> Option<Cow<'s, Map<String, Value>>> {
        let Some(all) = schema.get("allOf") else { return Some(Cow::Borrowed(schema)) };
        let mut merged = schema.clone();
        merged.remove("allOf");
        for part in all.as_array()? {
            self.merges = self.merges.checked_sub(1)?;
            let part = self.referred(part.as_object()?)?;
            let part = self.merged(part)?;
            for (keyword, value) in part.iter() {
                merge(&mut merged, keyword, value)?;
            }
        }
        Some(Cow::Owned(merged))
    }

    /// The schema that a mere reference stands for; any other schema is itself.
    fn referred<'s>(&self, schema: &'s Map<String, Value>) -> Option<&'s Map<String, Value>>
    where
        'a: 's,
    {
        match schema.get("$ref") {
            None => Some(schema),
            Some(reference) => self.referred(self.definitions.get(reference.as_str()?)?.as_object()?),
        }
    }
}

/// The description beside a reference, which has no place there: the schema around tells it.
fn of_reference(name: &str, schema: &Value) -> Option<String> {
    schema.get("$ref")?;
    let words = schema.get("description")?.as_str()?;
    Some(format!("`{name}`: {words}"))
}

/// Adds a keyword of one part to the others; `None` where both say something of the same.
fn merge(merged: &mut Map<String, Value>, keyword: &str, value: &Value) -> Option<()> {
    match (merged.get_mut(keyword), value) {
        (None, _) => {
            merged.insert(keyword.to_owned(), value.clone());
        }
        (Some(same), value) if *same == *value => {}
        (Some(_), _) if ["title", "description", "additionalProperties", "default"].contains(&keyword) => {}
        (Some(Value::Array(names)), Value::Array(more)) if keyword == "required" => names.extend(more.iter().cloned()),
        (Some(Value::Object(members)), Value::Object(more)) if keyword == "properties" => {
            for (name, member) in more {
                if members.get(name).is_some_and(|known| known != member) {
                    return None;
                }
                members.insert(name.clone(), member.clone());
            }
        }
        _ => return None,
    }
    Some(())
}

/// The type of a schema, or its types; `Some(None)` where alternatives say it, `None` where it takes any value.
#[expect(clippy::option_option, reason = "no type and any type are two things")]
fn kinds(schema: &Map<String, Value>) -> Option<Option<Value>> {
    match schema.get("type") {
        Some(Value::String(kind)) => return Some(Some(kind.as_str().into())),
        Some(Value::Array(kinds)) if kinds.len() == 1 => return Some(kinds.first().cloned()),
        Some(Value::Array(kinds)) if !kinds.is_empty() => return Some(Some(kinds.clone().into())),
        _ => {}
    }
    if schema.contains_key("properties") {
        return Some(Some("object".into()));
    }
    if schema.contains_key("items") {
        return Some(Some("array".into()));
    }
    let values = match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(values)), _) => &values[..],
        (_, Some(value)) => std::slice::from_ref(value),
        _ => return (schema.contains_key("anyOf") || schema.contains_key("oneOf")).then_some(None),
    };
    let mut kinds: Vec<&str> = Vec::new();
    for kind in values.iter().map(kind_of) {
        let kind = kind?;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    match &kinds[..] {
        [] => None,
        [kind] => Some(Some((*kind).into())),
        kinds => Some(Some(serde_json::json!(kinds))),
    }
}

fn has_type(kinds: Option<&Value>, kind: &str) -> bool {
    match kinds {
        Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
        Some(one) => one == kind,
        None => false,
    }
}

/// The type of a value that is no list and no object.
fn kind_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::Null => Some("null"),
        Value::Bool(_) => Some("boolean"),
        Value::Number(_) => Some("number"),
        Value::String(_) => Some("string"),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// True if a grammar knows the rule of the keyword.
fn is_taken(keyword: &str, value: &Value) -> bool {
    match keyword {
        "enum" => value.as_array().is_some_and(|values| values.iter().all(|value| kind_of(value).is_some())),
        "const" => kind_of(value).is_some(),
        "format" => value.as_str().is_some_and(|format| FORMATS.contains(&format)),
        "minItems" => value.as_u64().is_some_and(|items| items <= 1),
        "pattern" => value.as_str().is_some_and(is_simple),
        _ => false,
    }
}

/// True if a regular expression is simple enough for a grammar.
/// It has no assertions, references back, borders of words, classes by property, or counts.
fn is_simple(pattern: &str) -> bool {
    let odd = ["(?", "\\b", "\\B", "\\p", "\\P", "\\k", "{"];
    let refers_back = pattern.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && pair[1].is_ascii_digit());
    !refers_back && !odd.iter().any(|odd| pattern.contains(odd))
}
