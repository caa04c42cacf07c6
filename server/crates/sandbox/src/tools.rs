//! Calls of tools: the sandbox model calls one where the user says so, as in `use read_file "README.md"`, so that a program
//! with tools can be tried without a real model.

use serde_json::{Map, Value, json};

/// Depth to which a sample follows a schema; deeper values are null.
const DEPTH_MAX: usize = 8;

/// A call that the model makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SandboxToolCall {
    /// The name of the tool, as it was offered.
    pub(super) name: String,
    /// The arguments as a JSON text.
    pub(super) arguments: String,
}

impl SandboxToolCall {
    /// The call that a user's text asks for, or the request itself by `tool_choice`; of several, the last. The texts in
    /// quotes or backticks behind the name, on its line, are the tool's text members, in order. Where results have come, only
    /// a text asks for more.
    pub(super) fn asked(request: &Value, text: &str, answered: bool) -> Option<Self> {
        let choice = &request["tool_choice"];
        if choice == "none" {
            return None;
        }
        let tools: Vec<OfferedTool<'_>> = request["tools"].as_array()?.iter().filter_map(OfferedTool::read).collect();
        let wanted = tools.iter().filter_map(|tool| Some((tool.asked_at(text)?, tool))).max_by_key(|(end, _)| *end);
        if let Some((end, tool)) = wanted {
            let line = text[end..].lines().next().unwrap_or_default();
            return Some(tool.call(&quoted(line)));
        }
        let named = choice["function"]["name"].as_str();
        let forced = match named {
            _ if answered => None,
            Some(name) => tools.iter().find(|tool| tool.name == name),
            None => tools.first().filter(|_| choice == "required"),
        };
        forced.map(|tool| tool.call(&[]))
    }
}

/// A tool that a request offers.
struct OfferedTool<'a> {
    name: &'a str,
    schema: &'a Value,
}

impl<'a> OfferedTool<'a> {
    fn read(tool: &'a Value) -> Option<Self> {
        let function = &tool["function"];
        Some(Self { name: function["name"].as_str()?, schema: &function["parameters"] })
    }

    /// The end of the name of this tool behind the last `use` of a text. A tool of a group may be called by its own name alone,
    /// which stands behind the last `__`.
    fn asked_at(&self, text: &str) -> Option<usize> {
        let own = self.name.rsplit("__").next().filter(|own| !own.is_empty()).unwrap_or(self.name);
        [self.name, own].into_iter().filter_map(|name| last_use(text, name)).max()
    }

    fn call(&self, texts: &[&str]) -> SandboxToolCall {
        let mut texts = texts.iter().copied();
        let arguments = SchemaSampler { root: self.schema }.object(self.schema, &mut texts, 0);
        SandboxToolCall { name: self.name.to_owned(), arguments: Value::Object(arguments).to_string() }
    }
}

/// The end of the last `use NAME` of a text, in which both are whole words.
fn last_use(text: &str, name: &str) -> Option<usize> {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let phrases = text.rmatch_indices(name).filter(|(start, _)| {
        let (before, after) = (&text[..*start], &text[start + name.len()..]);
        let before = before.strip_suffix(['`', '"', '\'']).unwrap_or(before);
        let verb = before.trim_end_matches(' ');
        let verb = verb.strip_suffix("use").or_else(|| verb.strip_suffix("Use")).filter(|_| verb.len() < before.len());
        verb.is_some_and(|rest| !rest.ends_with(in_word)) && !after.starts_with(in_word)
    });
    phrases.map(|(start, _)| start + name.len()).next()
}

/// The texts in quotes or backticks.
fn quoted(line: &str) -> Vec<&str> {
    // A quote that closes around the name itself opens nothing.
    let mut rest = line.strip_prefix(['`', '"', '\'']).unwrap_or(line);
    let mut texts = Vec::new();
    while let Some(open) = rest.find(['"', '`']) {
        let quote = &rest[open..=open];
        let Some((text, after)) = rest[open + 1..].split_once(quote) else { break };
        texts.push(text);
        rest = after;
    }
    texts
}

/// Makes values of a schema: what must be there, and nothing more than that but the texts that were given.
struct SchemaSampler<'a> {
    root: &'a Value,
}

impl<'a> SchemaSampler<'a> {
    fn object(&self, schema: &'a Value, texts: &mut dyn Iterator<Item = &str>, depth: usize) -> Map<String, Value> {
        let schema = self.resolved(schema);
        let names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut object: Map<String, Value> =
            names.map(|name| (name.to_owned(), self.value(&schema["properties"][name], texts, depth + 1))).collect();
        let members = schema["properties"].as_object().into_iter().flatten();
        for (name, _) in members.filter(|(_, member)| self.kind(self.resolved(member)) == "string") {
            if !object.contains_key(name) {
                let Some(text) = texts.next() else { break };
                object.insert(name.clone(), json!(text));
            }
        }
        object
    }

    fn value(&self, schema: &'a Value, texts: &mut dyn Iterator<Item = &str>, depth: usize) -> Value {
        if depth > DEPTH_MAX {
            return Value::Null;
        }
        let schema = self.resolved(schema);
        let given = [&schema["const"], &schema["enum"][0], &schema["default"]];
        if let Some(value) = given.into_iter().find(|value| !value.is_null()) {
            return value.clone();
        }
        match self.kind(schema) {
            "string" => json!(texts.next().unwrap_or("sample")),
            "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
            "boolean" => json!(false),
            "array" if self.kind(self.resolved(&schema["items"])) == "string" => match texts.next() {
                Some(text) => json!(text.split_whitespace().collect::<Vec<_>>()),
                None => json!(["sample"]),
            },
            "array" => match schema["minItems"].as_u64() {
                Some(1..) => json!([self.value(&schema["items"], texts, depth + 1)]),
                _ => json!([]),
            },
            "object" => Value::Object(self.object(schema, texts, depth)),
            _ => Value::Null,
        }
    }

    /// A schema behind references and choices: the first that is no null.
    fn resolved(&self, schema: &'a Value) -> &'a Value {
        let mut schema = schema;
        for _ in 0..DEPTH_MAX {
            let of = ["anyOf", "oneOf", "allOf"].into_iter().find_map(|word| schema[word].as_array());
            schema = match (schema["$ref"].as_str(), of) {
                (Some(reference), _) => {
                    let place = reference.strip_prefix('#').unwrap_or_default();
                    self.root.pointer(place).unwrap_or(&Value::Null)
                }
                (None, Some(schemas)) => schemas.iter().find(|schema| schema["type"] != "null").unwrap_or(&Value::Null),
                (None, None) => return schema,
            };
        }
        schema
    }

    fn kind(&self, schema: &'a Value) -> &'a str {
        let named = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
            kind => kind.as_str(),
        };
        named.unwrap_or(if schema["properties"].is_object() { "object" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, parameters: &Value) -> Value {
        json!({"type": "function", "function": {"name": name, "parameters": parameters}})
    }

    fn asked(request: &Value, text: &str) -> Option<(String, Value)> {
        let call = SandboxToolCall::asked(request, text, false)?;
        Some((call.name, serde_json::from_str(&call.arguments).expect("JSON")))
    }

    #[test]
    fn a_tool_is_called_where_the_user_says_so() {
        let text = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
        let none = json!({"type": "object"});
        let tools =
            json!([tool("read", &text), tool("read_file", &text), tool("ns__list", &none), tool("list", &none)]);
        let request = json!({"tools": tools});
        let path = |path: &str| json!({"path": path});
        for (said, want) in [
            ("use read_file \"README.md\"", Some(("read_file", path("README.md")))),
            ("Use `read` `a b.txt` please", Some(("read", path("a b.txt")))),
            ("use read", Some(("read", path("sample")))),
            ("use read\n\"not on its line\"", Some(("read", path("sample")))),
            ("use list, then use read 'x' \"y\"", Some(("read", path("y")))),
            ("use ns__list", Some(("ns__list", json!({})))),
            ("reuse read", None),
            ("use reader", None),
            ("read_file", None),
            ("useread", None),
            ("", None),
        ] {
            assert_eq!(asked(&request, said), want.map(|(name, args)| (name.to_owned(), args)), "{said}");
        }
        let only = json!({"tools": [tool("multi__spawn", &text)]});
        assert_eq!(asked(&only, "use spawn").expect("a call").0, "multi__spawn");
        let none = json!({"tools": tools, "tool_choice": "none"});
        assert_eq!(asked(&none, "use read"), None);
        let forced = json!({"tools": tools, "tool_choice": {"type": "function", "function": {"name": "read"}}});
        assert_eq!(asked(&forced, "hello").expect("a call").0, "read");
        let required = json!({"tools": tools, "tool_choice": "required"});
        assert_eq!(asked(&required, "hello").expect("a call").0, "read");
        assert_eq!(asked(&json!({}), "use read"), None);
    }

    #[test]
    fn arguments_are_what_the_schema_requires() {
        let schema = json!({
            "type": "object",
            "$defs": {"unit": {"enum": ["metric", "imperial"]}, "loop": {"type": "object", "required": ["next"],
                "properties": {"next": {"$ref": "#/$defs/loop"}}}},
            "properties": {
                "command": {"type": "array", "items": {"type": "string"}},
                "count": {"type": "integer", "minimum": 3},
                "unit": {"$ref": "#/$defs/unit"},
                "flag": {"type": ["null", "boolean"]},
                "where": {"anyOf": [{"type": "null"}, {"type": "string"}]},
                "pairs": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["a"],
                    "properties": {"a": {"type": "number"}}}},
                "free": {},
                "note": {"type": "string"},
                "skipped": {"type": "integer"}
            },
            "required": ["command", "count", "unit", "flag", "where", "pairs", "free"]
        });
        let request = json!({"tools": [tool("run", &schema)]});
        let (_, arguments) = asked(&request, "use run `ls -l` `here` `as a note`").expect("a call");
        let want = json!({
            "command": ["ls", "-l"], "count": 3, "unit": "metric", "flag": false, "where": "here", "pairs": [{"a": 1}],
            "free": null, "note": "as a note",
        });
        assert_eq!(arguments, want);
        let endless = json!({"tools": [tool("run", &json!({"$defs": schema["$defs"], "$ref": "#/$defs/loop"}))]});
        assert!(asked(&endless, "use run").is_some(), "a schema without an end has one here");
    }
}
