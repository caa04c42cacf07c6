//! What goes into a request.

use serde::Serialize;
use serde_json::Value;

/// What goes into a request.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) path: Vec<(&'static str, String)>,
    pub(crate) query: Vec<(&'static str, String)>,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<Result<Value, String>>,
    pub(crate) content: Option<(Vec<u8>, String)>,
}

impl Input {
    /// A body, and a member of it that says whether a stream is asked for.
    pub(crate) fn body(body: &impl Serialize, switch: Option<(&str, bool)>) -> Option<Result<Value, String>> {
        let mut body = match serde_json::to_value(body) {
            Ok(body) => body,
            Err(error) => return Some(Err(error.to_string())),
        };
        if let (Some((name, value)), Some(members)) = (switch, body.as_object_mut()) {
            if value {
                members.insert(name.to_owned(), Value::Bool(true));
            } else {
                members.remove(name);
            }
        }
        Some(Ok(body))
    }
}

/// A value as a parameter is written.
pub(crate) fn text(value: &impl Serialize) -> Option<String> {
    fn of(value: &Value) -> Option<String> {
        match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            Value::Array(items) => Some(items.iter().filter_map(of).collect::<Vec<_>>().join(",")),
            other => Some(other.to_string()),
        }
    }
    of(&serde_json::to_value(value).ok()?)
}
