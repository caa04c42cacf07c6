//! One look over a reply or an event of a stream: how much was delivered, whether it is finished, where the usage stands.
//!
//! The walk below is format O's, the busiest; the other formats' are in files of their names.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::generated_size::{GeneratedSize, MeteredKey};

/// The metered content of one reply or chunk.
#[derive(Debug, Default)]
pub struct MeteredEvent<'a> {
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

impl<'a> MeteredEvent<'a> {
    /// The usage, unless it is absent or null.
    #[must_use]
    pub fn usage(&self) -> Option<&'a RawValue> {
        self.usage.filter(|raw| raw.get() != "null")
    }
}

impl<'de> Deserialize<'de> for MeteredEvent<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MeteredEventVisitor)
    }
}

struct MeteredEventVisitor;

impl<'de> Visitor<'de> for MeteredEventVisitor {
    type Value = MeteredEvent<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reply or chunk object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<MeteredEvent<'de>, A::Error> {
        let mut seen = MeteredEvent::default();
        while let Some(key) = map.next_key::<MeteredKey>()? {
            match key {
                MeteredKey::Choices => {
                    let MeteredChoices { count, generated, finished } =
                        map.next_value::<Option<MeteredChoices>>()?.unwrap_or_default();
                    seen.choices = count;
                    seen.delivered_bytes = generated.bytes;
                    seen.content = generated.is_some() || finished;
                    seen.finished = finished;
                }
                // Not through `Option`: serde_json reads a raw value only when asked for one directly.
                MeteredKey::Usage => seen.usage = Some(map.next_value::<&RawValue>()?),
                MeteredKey::Model => seen.model = Some(map.next_value::<&RawValue>()?),
                MeteredKey::Tier => seen.tier = map.next_value::<Option<Cow<'de, str>>>()?,
                MeteredKey::Error => seen.error = map.next_value::<Option<IgnoredAny>>()?.is_some(),
                MeteredKey::Generated
                | MeteredKey::FinishReason
                | MeteredKey::Bookkeeping
                | MeteredKey::Closed
                | MeteredKey::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(seen)
    }
}

#[derive(Default)]
struct MeteredChoices {
    count: usize,
    generated: GeneratedSize,
    finished: bool,
}

impl<'de> Deserialize<'de> for MeteredChoices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(MeteredChoicesVisitor)
    }
}

struct MeteredChoicesVisitor;

impl<'de> Visitor<'de> for MeteredChoicesVisitor {
    type Value = MeteredChoices;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of choices")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<MeteredChoices, A::Error> {
        let mut choices = MeteredChoices::default();
        while let Some(choice) = seq.next_element::<MeteredChoice>()? {
            choices.count += 1;
            choices.generated.add(choice.generated);
            choices.finished |= choice.finished;
        }
        Ok(choices)
    }
}

struct MeteredChoice {
    generated: GeneratedSize,
    finished: bool,
}

impl<'de> Deserialize<'de> for MeteredChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MeteredChoiceVisitor)
    }
}

struct MeteredChoiceVisitor;

impl<'de> Visitor<'de> for MeteredChoiceVisitor {
    type Value = MeteredChoice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a choice")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<MeteredChoice, A::Error> {
        let mut choice = MeteredChoice { generated: GeneratedSize::default(), finished: false };
        while let Some(key) = map.next_key::<MeteredKey>()? {
            match key {
                MeteredKey::Generated => choice.generated.add(map.next_value()?),
                MeteredKey::FinishReason => choice.finished |= map.next_value::<GeneratedSize>()?.bytes > 0,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_formats::Format;

    #[test]
    fn a_chunk_shows_its_text_its_end_and_its_usage() {
        let seen = MeteredEvent::read(
            Format::Chat,
            br#"{"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":"h\u00e9llo","tool_calls":
            [{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},
            "finish_reason":null}],"usage":null}"#,
        )
        .expect("a chunk");
        assert_eq!((seen.choices, seen.delivered_bytes, seen.finished), (1, 6 + 1 + 2, false));
        assert!(seen.usage().is_none() && !seen.error);
        let last =
            MeteredEvent::read(Format::Chat, br#"{"choices":[],"usage":{"prompt_tokens": 3}}"#).expect("a chunk");
        assert_eq!((last.choices, last.usage().map(RawValue::get)), (0, Some(r#"{"prompt_tokens": 3}"#)));
        assert!(
            MeteredEvent::read(Format::Chat, br#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#)
                .expect("a chunk")
                .finished
        );
        assert!(MeteredEvent::read(Format::Chat, br#"{"error":{"message":"no"}}"#).expect("a chunk").error);
    }

    #[test]
    fn what_is_no_chunk_is_an_error_and_no_panic() {
        for text in ["", "[]", "{", "null", r#"{"choices":3}"#, r#"{"choices":[null]}"#] {
            assert!(MeteredEvent::read(Format::Chat, text.as_bytes()).is_err(), "{text}");
        }
    }
}
