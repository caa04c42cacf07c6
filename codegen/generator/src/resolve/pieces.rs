//! JSON templates taken to pieces, so that writing one out is a walk over a constant list.

use super::context::ResolveContext;
use crate::model::{EntryMap, SourceSpan, SpannedJson, SpannedText};

/// A piece of an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnvelopePiece {
    /// JSON text as it stands.
    Json(String),
    /// A JSON value.
    Value(PlaceholderValue, AbsentText),
    /// A value inside a JSON string.
    Within(PlaceholderValue),
    /// Text, value, text; all left out when the value is absent.
    Member(String, PlaceholderValue, String),
}

/// The text for an absent value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AbsentText {
    /// `null`.
    Null,
    /// `""`.
    Empty,
}

impl AbsentText {
    /// Its name in the runtime.
    #[must_use]
    pub const fn rust(self) -> &'static str {
        match self {
            Self::Null => "Null",
            Self::Empty => "Empty",
        }
    }
}

macro_rules! placeholder_values {
    ($($variant:ident = $word:literal),+ $(,)?) => {
        /// The value that a placeholder stands for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the words of the spec language")]
        pub enum PlaceholderValue {
            $($variant),+
        }

        impl PlaceholderValue {
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

placeholder_values! {
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
struct EnvelopePlaceholder {
    slot: PlaceholderValue,
    absent: Option<AbsentText>,
}

/// The pieces of a template. What cannot be written is refused at `place`, or where it stands.
pub(super) fn of(cx: &mut ResolveContext<'_>, place: SourceSpan, template: &SpannedJson) -> Vec<EnvelopePiece> {
    let mut pieces = PieceBuilder { done: Vec::new(), place, cx };
    pieces.value(template);
    pieces.done
}

struct PieceBuilder<'c, 's> {
    done: Vec<EnvelopePiece>,
    place: SourceSpan,
    cx: &'c mut ResolveContext<'s>,
}

impl PieceBuilder<'_, '_> {
    fn json(&mut self, text: &str) {
        match self.done.last_mut() {
            Some(EnvelopePiece::Json(last)) => last.push_str(text),
            _ => self.done.push(EnvelopePiece::Json(text.to_owned())),
        }
    }

    fn value(&mut self, value: &SpannedJson) {
        match value {
            SpannedJson::Null | SpannedJson::Bool(_) | SpannedJson::Number(_) => {
                self.json(&value.to_json().to_string());
            }
            SpannedJson::Word(word) => self.word(word),
            SpannedJson::List(items) => {
                self.json("[");
                for (index, item) in items.iter().enumerate() {
                    self.json(if index == 0 { "" } else { "," });
                    self.value(item);
                }
                self.json("]");
            }
            SpannedJson::Mapping(members) => self.mapping(members),
        }
    }

    fn mapping(&mut self, members: &EntryMap<SpannedJson>) {
        self.json("{");
        // Whether something stands before the next member for certain.
        let mut certain = false;
        let mut left = members.values().filter(|value| omitted(value).is_none()).count();
        for (key, value) in members {
            let key = format!("{}:", quoted(key));
            match omitted(value) {
                Some(slot) if certain => self.done.push(EnvelopePiece::Member(format!(",{key}"), slot, String::new())),
                Some(slot) if left > 0 => self.done.push(EnvelopePiece::Member(key, slot, ",".to_owned())),
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

    fn word(&mut self, word: &SpannedText) {
        let parts = match parts(&word.value) {
            Ok(parts) => parts,
            Err(unknown) => return self.cx.refuse(word.place, format!("`{{{unknown}}}` is no placeholder")),
        };
        match parts.as_slice() {
            [TemplatePart::Slot(EnvelopePlaceholder { slot, absent })] => {
                self.done.push(EnvelopePiece::Value(*slot, absent.unwrap_or(AbsentText::Null)));
            }
            _ => {
                self.json("\"");
                for part in parts {
                    match part {
                        TemplatePart::Text(text) => self.json(quoted(text).trim_matches('"')),
                        TemplatePart::Slot(placeholder) => self.done.push(EnvelopePiece::Within(placeholder.slot)),
                    }
                }
                self.json("\"");
            }
        }
    }
}

enum TemplatePart<'t> {
    Text(&'t str),
    Slot(EnvelopePlaceholder),
}

/// A text cut at its placeholders; braces that do not pair are text. The error is the word of no placeholder.
fn parts(text: &str) -> Result<Vec<TemplatePart<'_>>, &str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, inside, after)) = rest
        .split_once('{')
        .and_then(|(before, tail)| tail.split_once('}').map(|(inside, after)| (before, inside, after)))
    {
        if !before.is_empty() {
            parts.push(TemplatePart::Text(before));
        }
        parts.push(TemplatePart::Slot(placeholder(inside).ok_or(inside)?));
        rest = after;
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(TemplatePart::Text(rest));
    }
    Ok(parts)
}

fn placeholder(inside: &str) -> Option<EnvelopePlaceholder> {
    let (word, absent) = match inside.split_once('?') {
        None => (inside, None),
        Some((word, "" | "omit")) => (word, Some(AbsentText::Null)),
        Some((word, "\"\"")) => (word, Some(AbsentText::Empty)),
        Some(_) => return None,
    };
    Some(EnvelopePlaceholder { slot: PlaceholderValue::of(word)?, absent })
}

/// The slot of a member that is left out when it is absent.
fn omitted(value: &SpannedJson) -> Option<PlaceholderValue> {
    let SpannedJson::Word(word) = value else { return None };
    word.strip_prefix('{')?.strip_suffix("?omit}").and_then(PlaceholderValue::of)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
