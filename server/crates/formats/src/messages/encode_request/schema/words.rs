//! Rules of a schema in words, for the model to keep that no grammar binds to them.

use serde_json::Value;

/// The rule of a keyword that providers do not take; `None` where it rules nothing.
pub fn rule(keyword: &str, value: &Value) -> Option<String> {
    let told = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let rule = match keyword {
        "minimum" => format!("at least {told}"),
        "maximum" => format!("at most {told}"),
        "exclusiveMinimum" => format!("more than {told}"),
        "exclusiveMaximum" => format!("less than {told}"),
        "multipleOf" => format!("a multiple of {told}"),
        "minLength" => format!("at least {told} characters"),
        "maxLength" => format!("at most {told} characters"),
        "minItems" => format!("at least {told} items"),
        "maxItems" => format!("at most {told} items"),
        "minProperties" => format!("at least {told} members"),
        "maxProperties" => format!("at most {told} members"),
        "uniqueItems" if value == &Value::Bool(true) => "no two items alike".to_owned(),
        "uniqueItems" => return None,
        "pattern" => format!("a match of the regular expression {told}"),
        "format" => format!("in the format {told}"),
        "enum" => format!("one of {told}"),
        "const" => format!("exactly {told}"),
        "contentEncoding" => format!("encoded as {told}"),
        "contentMediaType" => format!("of the kind {told}"),
        "oneOf" => "after exactly one of the alternatives".to_owned(),
        "$schema" | "$id" | "$anchor" | "$comment" | "readOnly" | "writeOnly" | "deprecated" => return None,
        "example" | "examples" => format!("for example {told}"),
        _ => format!("{keyword}: {told}"),
    };
    Some(rule)
}

/// A description with rules behind it.
pub fn described(description: Option<&str>, rules: &[String]) -> Option<String> {
    let rules = (!rules.is_empty()).then(|| format!("Must be: {}.", rules.join("; ")));
    let parts: Vec<&str> = description.into_iter().chain(rules.as_deref()).filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}
