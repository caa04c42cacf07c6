//! Bodies that are forms of parts.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use serde::Serialize;
use serde_json::Value;

/// A file in a form.
#[derive(Clone)]
pub struct Upload {
    /// Its content.
    pub bytes: Vec<u8>,
    /// Its name.
    pub name: String,
    /// Its media type.
    pub content_type: String,
}

impl Upload {
    /// A file with a name, of a kind.
    pub fn new(bytes: impl Into<Vec<u8>>, name: impl Into<String>, content_type: impl Into<String>) -> Self {
        Self { bytes: bytes.into(), name: name.into(), content_type: content_type.into() }
    }
}

impl fmt::Debug for Upload {
    /// Without what is in it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, name, content_type } = self;
        write!(formatter, "Upload({name:?}, {content_type}, {} bytes)", bytes.len())
    }
}

/// A part of a form that may be a text or a file.
#[derive(Debug, Clone)]
pub enum Part {
    /// A text.
    Text(String),
    /// A file.
    File(Upload),
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Upload> for Part {
    fn from(file: Upload) -> Self {
        Self::File(file)
    }
}

/// A form under way.
#[derive(Debug)]
pub(crate) struct Form {
    boundary: String,
    body: Vec<u8>,
}

impl Form {
    pub(crate) fn new() -> Self {
        // Nobody who chooses what is in a part knows it before.
        let half = || RandomState::new().build_hasher().finish();
        Self { boundary: format!("part-{:016x}{:016x}", half(), half()), body: Vec::new() }
    }

    /// A value as a text, and a list as a text for each of its items; one that is not there is left out.
    pub(crate) fn value(&mut self, name: &str, value: &impl Serialize) {
        let items = match serde_json::to_value(value) {
            Ok(Value::Array(items)) => items,
            Ok(value) => vec![value],
            Err(_) => Vec::new(),
        };
        for text in items.iter().filter_map(super::input::text) {
            self.add(name, "", text.as_bytes());
        }
    }

    pub(crate) fn file(&mut self, name: &str, file: &Upload) {
        let type_: String = file.content_type.chars().filter(|letter| !letter.is_control()).collect();
        let rest = format!("; filename=\"{}\"\r\nContent-Type: {type_}", escaped(&file.name));
        self.add(name, &rest, &file.bytes);
    }

    pub(crate) fn part(&mut self, name: &str, part: &Part) {
        match part {
            Part::Text(text) => self.add(name, "", text.as_bytes()),
            Part::File(file) => self.file(name, file),
        }
    }

    fn add(&mut self, name: &str, rest: &str, content: &[u8]) {
        let (boundary, name) = (&self.boundary, escaped(name));
        let head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"{rest}\r\n\r\n");
        self.body.extend([head.as_bytes(), content, b"\r\n"].concat());
    }

    /// The body, and its type.
    pub(crate) fn done(mut self) -> (Vec<u8>, String) {
        self.body.extend(format!("--{}--\r\n", self.boundary).as_bytes());
        (self.body, format!("multipart/form-data; boundary={}", self.boundary))
    }
}

/// A name inside its quotes, as browsers write it.
fn escaped(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}
