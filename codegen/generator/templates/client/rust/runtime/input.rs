//! The parameters and the body of a request.

use serde::Serialize;
use serde_json::Value;

/// The parameters and the body of a request.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) path: Vec<(&'static str, String)>,
    pub(crate) query: Vec<(&'static str, String)>,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<Result<Value, String>>,
    pub(crate) content: Option<(Vec<u8>, String)>,
}

impl Input {
    /// With a parameter of the path.
    pub(crate) fn path(mut self, name: &'static str, value: &impl Serialize) -> Self {
        self.path.extend(text(value).map(|value| (name, value)));
        self
    }

    /// With a parameter of the query, if there is one.
    pub(crate) fn query(mut self, name: &'static str, value: &impl Serialize) -> Self {
        self.query.extend(text(value).map(|value| (name, value)));
        self
    }

    /// With a header, if there is one.
    pub(crate) fn header(mut self, name: &'static str, value: &impl Serialize) -> Self {
        self.headers.extend(text(value).map(|value| (name, value)));
        self
    }

    /// With a body.
    pub(crate) fn body(mut self, body: &impl Serialize) -> Self {
        self.body = Some(serde_json::to_value(body).map_err(|error| error.to_string()));
        self
    }

    /// With a body, and the member of it that says whether a stream is asked for.
    pub(crate) fn switched_body(self, body: &impl Serialize, name: &str, streams: bool) -> Self {
        let mut input = self.body(body);
        if let Some(Ok(Value::Object(members))) = &mut input.body {
            if streams {
                members.insert(name.to_owned(), Value::Bool(true));
            } else {
                members.remove(name);
            }
        }
        input
    }

    /// With a body that is no JSON, and its kind.
    pub(crate) fn content(mut self, content: (Vec<u8>, String)) -> Self {
        self.content = Some(content);
        self
    }
}

/// A value as a parameter is written.
pub(super) fn text(value: &impl Serialize) -> Option<String> {
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
