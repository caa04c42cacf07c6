//! The versions of OpenAPI that the document is written in, and the words in which they differ.

use serde_json::{Map, Value, json};

use super::object::object;

/// A version of OpenAPI. Schemas of 3.1 are JSON Schema 2020-12; those of 3.0 have words of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenApiVersion {
    /// 3.0.3, for tools that know no later one.
    V30,
    /// 3.1.0.
    V31,
}

impl OpenApiVersion {
    /// The version as the document names it.
    pub(super) fn number(self) -> &'static str {
        match self {
            Self::V30 => "3.0.3",
            Self::V31 => "3.1.0",
        }
    }

    /// The schema of one value alone.
    pub(super) fn constant(self, value: &Value) -> Value {
        let mut schema = Map::new();
        let ty = match value {
            Value::Bool(_) => Some("boolean"),
            Value::Number(_) => Some("number"),
            Value::String(_) => Some("string"),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        };
        schema.extend(ty.map(|ty| ("type".to_owned(), ty.into())));
        match self {
            Self::V30 => schema.insert("enum".to_owned(), json!([value])),
            Self::V31 => schema.insert("const".to_owned(), value.clone()),
        };
        schema.into()
    }

    /// The schema of a word of a list that grows, with what is said of each.
    pub(super) fn open_enum(self, mut known: Map<String, Value>) -> Value {
        match self {
            // Where a choice of two schemas of text is made a structure of both, a text is of more use.
            Self::V30 => {
                let words = known.shift_remove("enum");
                known.extend(words.map(|words| ("x-extensible-enum".to_owned(), words)));
                known.into()
            }
            Self::V31 => json!({"anyOf": [known, {"type": "string"}]}),
        }
    }

    /// A schema that null fits too.
    pub(super) fn or_null(self, mut schema: Value) -> Value {
        let Some(members) = schema.as_object_mut() else { return schema };
        if members.is_empty() {
            return schema;
        }
        match self {
            // `nullable` widens a type that stands beside it, and nothing else.
            Self::V30 if members.contains_key("type") => {
                if let Some(words) = members.get_mut("enum").and_then(Value::as_array_mut) {
                    words.push(Value::Null);
                }
                schema["nullable"] = true.into();
                schema
            }
            // Null first: to some tools it is no type, and what they write begins with a `|` then.
            Self::V30 => object([("anyOf", vec![json!({"enum": [null]}), schema])]),
            Self::V31 => match members.get("type") {
                Some(Value::String(ty)) if !members.contains_key("const") => {
                    schema["type"] = json!([ty, "null"]);
                    schema
                }
                _ => object([("anyOf", vec![schema, json!({"type": "null"})])]),
            },
        }
    }

    /// Puts a reference where it may stand beside other members: 3.0 ignores what stands beside one.
    pub(super) fn referenced(self, schema: &mut Value) {
        let Some(members) = schema.as_object_mut().filter(|members| self == Self::V30 && members.len() > 1) else {
            return;
        };
        if let Some(reference) = members.shift_remove("$ref") {
            members.shift_insert(0, "allOf".to_owned(), json!([{"$ref": reference}]));
        }
    }

    /// The schema of bytes in JSON.
    pub(super) fn base64(self) -> Value {
        match self {
            Self::V30 => json!({"type": "string", "format": "byte"}),
            Self::V31 => json!({"type": "string", "contentEncoding": "base64"}),
        }
    }

    /// The schema of bytes as they are. 3.1 needs no word for them, and its tools know that of 3.0.
    pub(super) fn bytes() -> Value {
        json!({"type": "string", "format": "binary"})
    }
}
