//! One look over a reply or an event of a stream: how much was delivered, whether it is finished, where the usage stands.
//!
//! The walk below is format O's, the busiest; the other formats' are in files of their names.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::super::exchange::Format;
use super::{generate, messages, responses};

/// The metered content of one reply or chunk.
#[derive(Debug, Default)]
pub struct Seen<'a> {
    /// Bytes of generated text, reasoning, refusals, tool names and arguments, unescaped.
    pub delivered_bytes: u64,
    /// True if it brings something of the answer: a text, thinking, a call, an item, a picture, an end.
    ///
    /// What only opens the answer, such as a role, does not count.
    pub content: bool,
    /// The number of choices that it carries; a chunk with usage alone carries none.
    pub choices: usize,
    /// True if a choice says why it ended.
    pub finished: bool,
    /// True if it is the event behind which a stream has nothing more to say.
    ///
    /// Format O's, `[DONE]`, is no JSON and is known by its text; format G has none.
    pub terminal: bool,
    /// True if it is an error, in a stream that began as an answer.
    pub error: bool,
    /// The number of the event, in format R.
    pub sequence: Option<u64>,
    /// The id of the response that the event is about, in format R.
    pub response_id: Option<Cow<'a, str>>,
    /// The class of service that the answer was made in, in formats O and R.
    pub tier: Option<Cow<'a, str>>,
    /// The usage object, as it stands; in format O it may be null.
    pub usage: Option<&'a RawValue>,
    /// The whole JSON text.
    pub json: &'a [u8],
    /// The name of the model that answers, as it stands.
    pub model: Option<&'a RawValue>,
}

impl<'a> Seen<'a> {
    /// Looks over one JSON object.
    ///
    /// # Errors
    /// When it is not one, or has no shape of its format.
    pub fn look(format: Format, json: &'a [u8]) -> Result<Self, serde_json::Error> {
        let seen = match format {
            Format::Chat | Format::Completions => serde_json::from_slice(json),
            Format::Messages => messages::look(json),
            Format::Generate => generate::look(json),
            Format::Responses => responses::look(json),
        }?;
        Ok(Self { json, ..seen })
    }

    /// The usage, unless it is absent or null.
    #[must_use]
    pub fn usage(&self) -> Option<&'a RawValue> {
        self.usage.filter(|raw| raw.get() != "null")
    }
}

impl<'de> Deserialize<'de> for Seen<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SeenVisitor)
    }
}

struct SeenVisitor;

impl<'de> Visitor<'de> for SeenVisitor {
    type Value = Seen<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reply or chunk object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Seen<'de>, A::Error> {
        let mut seen = Seen::default();
        while let Some(key) = map.next_key::<Key>()? {
            match key {
                Key::Choices => {
                    let Choices { count, generated, finished } =
                        map.next_value::<Option<Choices>>()?.unwrap_or_default();
                    seen.choices = count;
                    seen.delivered_bytes = generated.bytes;
                    seen.content = generated.is_some() || finished;
                    seen.finished = finished;
                }
                // Not through `Option`: serde_json reads a raw value only when asked for one directly.
                Key::Usage => seen.usage = Some(map.next_value::<&RawValue>()?),
                Key::Model => seen.model = Some(map.next_value::<&RawValue>()?),
                Key::Tier => seen.tier = map.next_value::<Option<Cow<'de, str>>>()?,
                Key::Error => seen.error = map.next_value::<Option<IgnoredAny>>()?.is_some(),
                Key::Generated | Key::FinishReason | Key::Bookkeeping | Key::Closed | Key::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(seen)
    }
}

/// The names that matter on any level.
enum Key {
    Choices,
    Usage,
    Model,
    Tier,
    Error,
    /// Output of the model: `delta`, `message`, or `text` of a text completion.
    Generated,
    FinishReason,
    /// Strings of the protocol, not of the model.
    Bookkeeping,
    /// Output of the model that is no text: signatures, and the bytes of pictures and sounds.
    Closed,
    Other,
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(KeyVisitor)
    }
}

struct KeyVisitor;

impl Visitor<'_> for KeyVisitor {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Key, E> {
        Ok(match key {
            "choices" => Key::Choices,
            "usage" => Key::Usage,
            "model" => Key::Model,
            "service_tier" => Key::Tier,
            "error" => Key::Error,
            "delta" | "message" | "text" => Key::Generated,
            "finish_reason" => Key::FinishReason,
            "role" | "id" | "type" | "tool_call_id" | "call_id" | "status" => Key::Bookkeeping,
            "mimeType" | "media_type" => Key::Bookkeeping,
            "signature" | "encrypted_content" | "thoughtSignature" | "thought_signature" | "data" => Key::Closed,
            _ => Key::Other,
        })
    }
}

#[derive(Default)]
struct Choices {
    count: usize,
    generated: Generated,
    finished: bool,
}

impl<'de> Deserialize<'de> for Choices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ChoicesVisitor)
    }
}

struct ChoicesVisitor;

impl<'de> Visitor<'de> for ChoicesVisitor {
    type Value = Choices;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of choices")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Choices, A::Error> {
        let mut choices = Choices::default();
        while let Some(choice) = seq.next_element::<Choice>()? {
            choices.count += 1;
            choices.generated.add(choice.generated);
            choices.finished |= choice.finished;
        }
        Ok(choices)
    }
}

struct Choice {
    generated: Generated,
    finished: bool,
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ChoiceVisitor)
    }
}

struct ChoiceVisitor;

impl<'de> Visitor<'de> for ChoiceVisitor {
    type Value = Choice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a choice")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Choice, A::Error> {
        let mut choice = Choice { generated: Generated::default(), finished: false };
        while let Some(key) = map.next_key::<Key>()? {
            match key {
                Key::Generated => choice.generated.add(map.next_value()?),
                Key::FinishReason => choice.finished |= map.next_value::<Generated>()?.bytes > 0,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(choice)
    }
}

/// The size of a value that the model generated.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Generated {
    /// The sum of the lengths of all texts; those of the protocol, signatures, pictures and sounds left out.
    pub(super) bytes: u64,
    /// True if there is a signature, a picture or a sound.
    closed: bool,
}

impl Generated {
    /// True if there is anything.
    pub(super) fn is_some(self) -> bool {
        self.bytes > 0 || self.closed
    }

    /// Adds the size of another value.
    pub(super) fn add(&mut self, other: Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.closed |= other.closed;
    }
}

impl<'de> Deserialize<'de> for Generated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(GeneratedVisitor)
    }
}

struct GeneratedVisitor;

impl<'de> Visitor<'de> for GeneratedVisitor {
    type Value = Generated;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_str<E>(self, text: &str) -> Result<Generated, E> {
        Ok(Generated { bytes: u64::try_from(text.len()).unwrap_or(u64::MAX), closed: false })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Generated, A::Error> {
        let mut sum = Generated::default();
        while let Some(key) = map.next_key::<Key>()? {
            match key {
                Key::Bookkeeping => drop(map.next_value::<IgnoredAny>()?),
                Key::Closed => sum.closed |= map.next_value::<Generated>()?.is_some(),
                _ => sum.add(map.next_value()?),
            }
        }
        Ok(sum)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Generated, A::Error> {
        let mut sum = Generated::default();
        while let Some(part) = seq.next_element()? {
            sum.add(part);
        }
        Ok(sum)
    }

    fn visit_unit<E>(self) -> Result<Generated, E> {
        Ok(Generated::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Generated, E> {
        Ok(Generated::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Generated, E> {
        Ok(Generated::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Generated, E> {
        Ok(Generated::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Generated, E> {
        Ok(Generated::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_shows_its_text_its_end_and_its_usage() {
        let seen = Seen::look(
            Format::Chat,
            br#"{"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":"h\u00e9llo","tool_calls":
            [{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},
            "finish_reason":null}],"usage":null}"#,
        )
        .expect("a chunk");
        assert_eq!((seen.choices, seen.delivered_bytes, seen.finished), (1, 6 + 1 + 2, false));
        assert!(seen.usage().is_none() && !seen.error);
        let last = Seen::look(Format::Chat, br#"{"choices":[],"usage":{"prompt_tokens": 3}}"#).expect("a chunk");
        assert_eq!((last.choices, last.usage().map(RawValue::get)), (0, Some(r#"{"prompt_tokens": 3}"#)));
        assert!(
            Seen::look(Format::Chat, br#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#)
                .expect("a chunk")
                .finished
        );
        assert!(Seen::look(Format::Chat, br#"{"error":{"message":"no"}}"#).expect("a chunk").error);
    }

    #[test]
    fn what_is_no_chunk_is_an_error_and_no_panic() {
        for text in ["", "[]", "{", "null", r#"{"choices":3}"#, r#"{"choices":[null]}"#] {
            assert!(Seen::look(Format::Chat, text.as_bytes()).is_err(), "{text}");
        }
    }
}
