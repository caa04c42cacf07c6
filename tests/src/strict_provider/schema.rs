//! Values that fit a schema: what the model calls tools with and answers in JSON. Like a model it keeps rules that stand in
//! the description as it does those that stand as keywords.

use serde_json::{Map, Value, json};

/// Above 2^53, so that a detour through binary floats shows.
const WHOLE_NUMBER: u64 = 9_007_199_254_740_993;
/// How deep a value grows where the schema does not say.
const DEPTH_MAX: usize = 4;

/// A value for a schema; its texts are `text`.
pub(super) fn fill(schema: &Value, text: &str) -> Value {
    Filler { root: schema, text }.value(schema, 0)
}

struct Filler<'a> {
    root: &'a Value,
    text: &'a str,
}

impl Filler<'_> {
    fn value(&self, schema: &Value, depth: usize) -> Value {
        if let Some(reference) = schema["$ref"].as_str() {
            let definition = self.root.pointer(reference.trim_start_matches('#')).expect("a definition");
            return self.value(definition, depth);
        }
        if let Some(choice) = schema["enum"].get(0).or_else(|| schema.get("const")) {
            return choice.clone();
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let parts = parts.iter().map(|part| self.value(part, depth)).filter_map(|part| part.as_object().cloned());
            return Value::Object(parts.flatten().chain(self.members(schema, depth)).collect());
        }
        if let Some(alternatives) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
            let last = alternatives.iter().rfind(|one| one["type"] == "null").filter(|_| depth > DEPTH_MAX);
            return self.value(last.unwrap_or(&alternatives[0]), depth);
        }
        // Format G knows its types in capitals too.
        let kind = schema["type"].get(0).unwrap_or(&schema["type"]).as_str().map(str::to_ascii_lowercase);
        match kind.as_deref() {
            Some("string") => json!(self.string(schema)),
            Some("integer") => json!(whole(schema)),
            Some("number") => match rules(schema).iter().any(|rule| rule.number().is_some()) {
                true => json!(whole(schema)),
                false => json!(1.5),
            },
            Some("boolean") => json!(true),
            Some("null") => Value::Null,
            Some("array") => self.items(schema, depth),
            None if schema["properties"].is_null() => json!(self.text),
            _ => Value::Object(self.members(schema, depth)),
        }
    }

    fn members(&self, schema: &Value, depth: usize) -> Map<String, Value> {
        let required =
            |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
        let members = schema["properties"].as_object().into_iter().flatten();
        let mut members: Map<String, Value> = members
            .filter(|(name, _)| depth < DEPTH_MAX || required(name))
            .map(|(name, schema)| (name.clone(), self.value(schema, depth + 1)))
            .collect();
        if let Some(others) = schema.get("additionalProperties").filter(|others| others.is_object()) {
            members.insert("other".to_owned(), self.value(others, depth + 1));
        }
        members
    }

    fn items(&self, schema: &Value, depth: usize) -> Value {
        let bounds = rules(schema);
        let least = bounds.iter().find_map(|rule| rule.of("at least", " items"));
        let count = if depth > DEPTH_MAX { least.unwrap_or(0) } else { least.unwrap_or(1).max(1) };
        let items = (0..count).map(|at| match (self.value(&schema["items"], depth + 1), at) {
            (Value::String(text), 1..) => json!(format!("{text}{at}")),
            (item, _) => item,
        });
        items.collect()
    }

    fn string(&self, schema: &Value) -> String {
        let told = match schema["format"].as_str() {
            Some("date") => "2026-01-31",
            Some("date-time") => "2026-01-31T12:00:00Z",
            Some("email") => "a@example.org",
            Some("uuid") => "123e4567-e89b-42d3-a456-426614174000",
            _ => self.text,
        };
        let mut text = told.to_owned();
        for rule in rules(schema) {
            if let Some(least) = rule.of("at least", " characters") {
                while text.chars().count() < least {
                    text.push('x');
                }
            }
            if let Some(most) = rule.of("at most", " characters") {
                text = text.chars().take(most).collect();
            }
        }
        text
    }
}

/// A whole number that keeps the rules.
fn whole(schema: &Value) -> u64 {
    let (mut number, mut step) = (WHOLE_NUMBER, 1);
    for rule in rules(schema) {
        match rule.number() {
            Some(("at least", bound)) => number = bound,
            Some(("more than", bound)) => number = bound + 1,
            Some(("at most", bound)) => number = number.min(bound),
            Some(("less than", bound)) => number = number.min(bound - 1),
            Some(("a multiple of", bound)) => step = bound,
            _ => {}
        }
    }
    number.next_multiple_of(step)
}

/// A rule in words: `at least 3`, `at most 9 items`.
struct Rule(String);

impl Rule {
    fn of(&self, start: &str, end: &str) -> Option<usize> {
        self.0.strip_prefix(start)?.strip_suffix(end)?.trim().parse().ok()
    }

    fn number(&self) -> Option<(&str, u64)> {
        let (words, number) = self.0.rsplit_once(' ')?;
        Some((words, number.parse().ok()?))
    }
}

/// The rules of a schema, those of keywords and those of its description.
fn rules(schema: &Value) -> Vec<Rule> {
    let keywords = [
        ("minimum", "at least ", ""),
        ("exclusiveMinimum", "more than ", ""),
        ("maximum", "at most ", ""),
        ("exclusiveMaximum", "less than ", ""),
        ("multipleOf", "a multiple of ", ""),
        ("minLength", "at least ", " characters"),
        ("maxLength", "at most ", " characters"),
        ("minItems", "at least ", " items"),
    ];
    let told = keywords.iter().filter_map(|(keyword, before, after)| {
        let value = schema[*keyword].as_u64().or_else(|| schema[*keyword].as_str()?.parse().ok())?;
        Some(Rule(format!("{before}{value}{after}")))
    });
    let description = schema["description"].as_str().unwrap_or_default();
    let words = description.split_once("Must be: ").map_or("", |(_, words)| words.trim_end_matches('.'));
    told.chain(words.split("; ").map(|rule| Rule(rule.to_owned()))).collect()
}
