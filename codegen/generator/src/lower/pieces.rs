//! JSON templates taken to pieces, so that writing one out is a walk over a constant list.

use super::Cx;
use crate::model::{Entries, Place, Text, Value};

/// A piece of an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// JSON text as it stands.
    Json(String),
    /// A JSON value.
    Value(Slot, Absent),
    /// A value inside a JSON string.
    Within(Slot),
    /// Text, value, text; all left out when the value is absent.
    Member(String, Slot, String),
}

/// The text for an absent value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    /// `null`.
    Null,
    /// `""`.
    Empty,
}

impl Absent {
    /// Its name in the runtime.
    #[must_use]
    pub const fn rust(self) -> &'static str {
        match self {
            Self::Null => "Null",
            Self::Empty => "Empty",
        }
    }
}

macro_rules! slots {
    ($($variant:ident = $word:literal),+ $(,)?) => {
        /// The value that a placeholder stands for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the words of the spec language")]
        pub enum Slot {
            $($variant),+
        }

        impl Slot {
            fn of(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// Its name in the runtime.
            #[must_use]
            pub const fn rust(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($variant)),+
                }
            }
        }
    };
}

slots! {
    Say = "say",
    Kind = "kind",
    Code = "code",
    Param = "param",
    Http = "http",
    HttpInt = "http:int",
    RequestId = "request_id",
    Remedy = "remedy",
    With = "with",
    Data = "data",
}

/// A placeholder: the value that it stands for, and what is written when it is absent.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Placeholder {
    slot: Slot,
    absent: Option<Absent>,
}

/// The pieces of a template. What cannot be written is refused at `place`, or where it stands.
pub(super) fn of(cx: &mut Cx<'_>, place: Place, template: &Value) -> Vec<Piece> {
    let mut pieces = Pieces { done: Vec::new(), place, cx };
    pieces.value(template);
    pieces.done
}

struct Pieces<'c, 's> {
    done: Vec<Piece>,
    place: Place,
    cx: &'c mut Cx<'s>,
}

impl Pieces<'_, '_> {
    fn json(&mut self, text: &str) {
        match self.done.last_mut() {
            Some(Piece::Json(last)) => last.push_str(text),
            _ => self.done.push(Piece::Json(text.to_owned())),
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => self.json(&value.to_json().to_string()),
            Value::Word(word) => self.word(word),
            Value::List(items) => {
                self.json("[");
                for (index, item) in items.iter().enumerate() {
                    self.json(if index == 0 { "" } else { "," });
                    self.value(item);
                }
                self.json("]");
            }
            Value::Mapping(members) => self.mapping(members),
        }
    }

    fn mapping(&mut self, members: &Entries<Value>) {
        self.json("{");
        // Whether something stands before the next member for certain.
        let mut certain = false;
        let mut left = members.values().filter(|value| omitted(value).is_none()).count();
        for (key, value) in members {
            let key = format!("{}:", quoted(key));
            match omitted(value) {
                Some(slot) if certain => self.done.push(Piece::Member(format!(",{key}"), slot, String::new())),
                Some(slot) if left > 0 => self.done.push(Piece::Member(key, slot, ",".to_owned())),
                Some(_) => self.cx.refuse(self.place, "an object of nothing but `?omit` members cannot be written"),
                None => {
                    self.json(if certain { "," } else { "" });
                    self.json(&key);
                    self.value(value);
                    certain = true;
                    left -= 1;
                }
            }
        }
        self.json("}");
    }

    fn word(&mut self, word: &Text) {
        let parts = match parts(&word.value) {
            Ok(parts) => parts,
            Err(unknown) => return self.cx.refuse(word.place, format!("`{{{unknown}}}` is no placeholder")),
        };
        match parts.as_slice() {
            [Part::Slot(Placeholder { slot, absent })] => {
                self.done.push(Piece::Value(*slot, absent.unwrap_or(Absent::Null)));
            }
            _ => {
                self.json("\"");
                for part in parts {
                    match part {
                        Part::Text(text) => self.json(quoted(text).trim_matches('"')),
                        Part::Slot(placeholder) => self.done.push(Piece::Within(placeholder.slot)),
                    }
                }
                self.json("\"");
            }
        }
    }
}

enum Part<'t> {
    Text(&'t str),
    Slot(Placeholder),
}

/// A text cut at its placeholders; braces that do not pair are text. The error is the word of no placeholder.
fn parts(text: &str) -> Result<Vec<Part<'_>>, &str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, inside, after)) = rest
        .split_once('{')
        .and_then(|(before, tail)| tail.split_once('}').map(|(inside, after)| (before, inside, after)))
    {
        if !before.is_empty() {
            parts.push(Part::Text(before));
        }
        parts.push(Part::Slot(placeholder(inside).ok_or(inside)?));
        rest = after;
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(Part::Text(rest));
    }
    Ok(parts)
}

fn placeholder(inside: &str) -> Option<Placeholder> {
    let (word, absent) = match inside.split_once('?') {
        None => (inside, None),
        Some((word, "" | "omit")) => (word, Some(Absent::Null)),
        Some((word, "\"\"")) => (word, Some(Absent::Empty)),
        Some(_) => return None,
    };
    Some(Placeholder { slot: Slot::of(word)?, absent })
}

/// The slot of a member that is left out when it is absent.
fn omitted(value: &Value) -> Option<Slot> {
    let Value::Word(word) = value else { return None };
    word.strip_prefix('{')?.strip_suffix("?omit}").and_then(Slot::of)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
