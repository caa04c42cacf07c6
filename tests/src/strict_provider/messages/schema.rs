//! What a provider of format A takes of JSON Schema where a schema binds: in the answer, and in a strict tool.

use serde_json::{Map, Value};

use super::super::check::{Checked, Complaint, ensure};

const FORMATS: [&str; 10] =
    ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

/// The most members that may be left out, and the most unions, in all schemas of a request that bind.
const OPTIONAL_MAX: usize = 24;
const UNIONS_MAX: usize = 16;

/// What the schemas of one request have together.
#[derive(Debug, Default)]
pub(super) struct Complexity {
    optional: usize,
    unions: usize,
}

impl Complexity {
    /// Takes one that binds.
    pub(super) fn bind(&mut self, schema: &Value) -> Checked {
        let Some(root) = schema.as_object() else { return Err(Complaint::new("schema: expected an object")) };
        self.schema(root, root, &mut Vec::new())?;
        ensure(self.optional <= OPTIONAL_MAX && self.unions <= UNIONS_MAX, "Schema is too complex.")
    }

    fn schema(&mut self, schema: &Map<String, Value>, root: &Map<String, Value>, open: &mut Vec<String>) -> Checked {
        keywords(schema, open.is_empty())?;
        if let Some(reference) = schema.get("$ref") {
            return self.reference(reference, root, open);
        }
        let kinds = match schema.get("type") {
            Some(Value::Array(kinds)) => {
                self.unions += 1;
                kinds.iter().filter_map(Value::as_str).collect()
            }
            Some(kind) => vec![kind.as_str().unwrap_or_default()],
            None => Vec::new(),
        };
        let alternatives = schema.get("anyOf").and_then(Value::as_array);
        self.unions += usize::from(alternatives.is_some());
        ensure(alternatives.is_some() || !kinds.is_empty(), "Schema must have a 'type' or 'anyOf'")?;
        let mut within: Vec<&Value> = alternatives.into_iter().flatten().collect();
        if kinds.contains(&"object") {
            within.extend(self.members(schema)?);
        }
        within.extend(schema.get("items"));
        for value in within {
            self.inner(value, String::new(), root, open)?;
        }
        let places: &[&str] = if open.is_empty() { &["$defs", "definitions"] } else { &[] };
        for place in places {
            for (name, definition) in root.get(*place).and_then(Value::as_object).into_iter().flatten() {
                self.inner(definition, format!("#/{place}/{name}"), root, open)?;
            }
        }
        Ok(())
    }

    /// The members of an object, which must be closed.
    fn members<'s>(&mut self, schema: &'s Map<String, Value>) -> Checked<Vec<&'s Value>> {
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        ensure(closed, "For 'object' type, 'additionalProperties' must be explicitly set to false")?;
        let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
        self.optional += members.clone().filter(|(name, _)| !is_required(name)).count();
        Ok(members.map(|(_, member)| member).collect())
    }

    fn inner(&mut self, value: &Value, name: String, root: &Map<String, Value>, open: &mut Vec<String>) -> Checked {
        let Some(schema) = value.as_object() else { return Err(Complaint::new("schema: expected an object")) };
        open.push(name);
        self.schema(schema, root, open)?;
        open.pop();
        Ok(())
    }

    /// Follows a reference to see that it comes to an end; what it leads to is counted where it stands.
    fn reference(&self, reference: &Value, root: &Map<String, Value>, open: &mut Vec<String>) -> Checked {
        let reference = reference.as_str().unwrap_or_default();
        ensure(!open.iter().any(|one| one == reference), "Too many recursive definitions in schema")?;
        let place = reference.strip_prefix("#/").and_then(|path| path.split_once('/'));
        let definition = place.and_then(|(place, name)| root.get(place)?.get(name));
        let Some(definition) = definition else { return Err(Complaint::new("External $ref is not supported")) };
        open.push(reference.to_owned());
        self.references(definition, root, open)?;
        open.pop();
        Ok(())
    }

    fn references(&self, value: &Value, root: &Map<String, Value>, open: &mut Vec<String>) -> Checked {
        match value {
            Value::Object(members) => match members.get("$ref") {
                Some(reference) => self.reference(reference, root, open),
                None => members.values().try_for_each(|value| self.references(value, root, open)),
            },
            Value::Array(elements) => elements.iter().try_for_each(|value| self.references(value, root, open)),
            _ => Ok(()),
        }
    }
}

/// Whether all keywords of a schema are taken.
fn keywords(schema: &Map<String, Value>, is_root: bool) -> Checked {
    for (keyword, value) in schema {
        let taken = match keyword.as_str() {
            "type"
            | "title"
            | "description"
            | "default"
            | "properties"
            | "required"
            | "items"
            | "$ref"
            | "anyOf"
            | "pattern"
            | "additionalProperties" => true,
            "$defs" | "definitions" => is_root,
            "enum" => {
                value.as_array().is_some_and(|values| !values.iter().any(|one| one.is_object() || one.is_array()))
            }
            "const" => !value.is_object() && !value.is_array(),
            "format" => value.as_str().is_some_and(|format| FORMATS.contains(&format)),
            "minItems" => value == 0 || value == 1,
            _ => false,
        };
        let kind = schema.get("type").and_then(Value::as_str).unwrap_or("this");
        ensure(taken, format!("For '{kind}' type, property '{keyword}' is not supported"))?;
    }
    Ok(())
}
