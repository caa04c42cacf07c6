//! Values as the languages write them, for readers.

use serde_json::Value;

use super::lines::quoted;

/// Characters of a value that stands in one line.
const WIDTH: usize = 56;

/// The syntax that a value is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::emit) enum LiteralSyntax {
    Json,
    Typescript,
    Python,
}

/// The value, in lines where it is long; all but the first begin with so many spaces.
pub(in crate::emit) fn literal(value: &Value, syntax: LiteralSyntax, indent: usize) -> String {
    let mut text = String::new();
    write(value, syntax, (indent, indent), &mut text);
    text
}

/// Writes a value whose lines are so far in, and whose first begins so far to the right.
fn write(value: &Value, syntax: LiteralSyntax, (indent, column): (usize, usize), text: &mut String) {
    let flat = flat(value, syntax);
    if flat.chars().count() + column <= WIDTH {
        return text.push_str(&flat);
    }
    let (step, end) = if syntax == LiteralSyntax::Python { (4, ",") } else { (2, "") };
    let end = if syntax == LiteralSyntax::Typescript { "," } else { end };
    let inner = " ".repeat(indent + step);
    let member = |head: String, value: &Value, last: bool, text: &mut String| {
        text.push_str(&inner);
        text.push_str(&head);
        write(value, syntax, (indent + step, indent + step + head.chars().count()), text);
        text.push_str(if last { end } else { "," });
        text.push('\n');
    };
    let close = match value {
        Value::Array(items) => {
            text.push_str("[\n");
            for (index, item) in items.iter().enumerate() {
                member(String::new(), item, index + 1 == items.len(), text);
            }
            ']'
        }
        Value::Object(members) => {
            text.push_str("{\n");
            for (index, (name, value)) in members.iter().enumerate() {
                member(format!("{}: ", key(name, syntax)), value, index + 1 == members.len(), text);
            }
            '}'
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return text.push_str(&flat),
    };
    text.push_str(&" ".repeat(indent));
    text.push(close);
}

fn flat(value: &Value, syntax: LiteralSyntax) -> String {
    match value {
        Value::Null if syntax == LiteralSyntax::Python => "None".to_owned(),
        Value::Bool(true) if syntax == LiteralSyntax::Python => "True".to_owned(),
        Value::Bool(false) if syntax == LiteralSyntax::Python => "False".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| flat(item, syntax)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("{}: {}", key(name, syntax), flat(value, syntax))).collect();
            let (open, close) = if syntax == LiteralSyntax::Python { ("{", "}") } else { ("{ ", " }") };
            format!("{open}{}{close}", members.join(", "))
        }
    }
}

/// A member's name, in quotes where it has to be.
fn key(name: &str, syntax: LiteralSyntax) -> String {
    let plain = syntax == LiteralSyntax::Typescript
        && !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$'));
    if plain { name.to_owned() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_written_as_each_language_does() {
        let value = json!({"on": true, "no-way": null, "list": [1, "a"]});
        assert_eq!(literal(&value, LiteralSyntax::Json, 0), r#"{ "on": true, "no-way": null, "list": [1, "a"] }"#);
        assert_eq!(literal(&value, LiteralSyntax::Typescript, 0), r#"{ on: true, "no-way": null, list: [1, "a"] }"#);
        assert_eq!(literal(&value, LiteralSyntax::Python, 0), r#"{"on": True, "no-way": None, "list": [1, "a"]}"#);
        let long = json!({"text": "x".repeat(60), "next": [{"a": 1}]});
        let text = "x".repeat(60);
        let wanted = format!("{{\n    \"text\": \"{text}\",\n    \"next\": [{{\"a\": 1}}],\n  }}");
        assert_eq!(literal(&long, LiteralSyntax::Python, 0).replace("\n}", "\n  }"), wanted);
        assert_eq!(
            literal(&long, LiteralSyntax::Json, 2),
            format!("{{\n    \"text\": \"{text}\",\n    \"next\": [{{ \"a\": 1 }}]\n  }}")
        );
    }
}
