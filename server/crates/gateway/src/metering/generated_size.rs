//! The size of what the model generated within a JSON value, and the names of members that tell it from the rest.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The names that matter on any level.
#[derive(Debug, Clone, Copy)]
pub(super) enum MeteredKey {
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

impl<'de> Deserialize<'de> for MeteredKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(MeteredKeyVisitor)
    }
}

struct MeteredKeyVisitor;

impl Visitor<'_> for MeteredKeyVisitor {
    type Value = MeteredKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<MeteredKey, E> {
        Ok(match key {
            "choices" => MeteredKey::Choices,
            "usage" => MeteredKey::Usage,
            "model" => MeteredKey::Model,
            "service_tier" => MeteredKey::Tier,
            "error" => MeteredKey::Error,
            "delta" | "message" | "text" => MeteredKey::Generated,
            "finish_reason" => MeteredKey::FinishReason,
            "role" | "id" | "type" | "tool_call_id" | "call_id" | "status" => MeteredKey::Bookkeeping,
            "mimeType" | "media_type" => MeteredKey::Bookkeeping,
            "signature" | "encrypted_content" | "thoughtSignature" | "thought_signature" | "data" => MeteredKey::Closed,
            _ => MeteredKey::Other,
        })
    }
}

/// The size of a value that the model generated.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct GeneratedSize {
    /// The sum of the lengths of all texts; those of the protocol, signatures, pictures and sounds left out.
    pub(super) bytes: u64,
    /// True if there is a signature, a picture or a sound.
    closed: bool,
}

impl GeneratedSize {
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

impl<'de> Deserialize<'de> for GeneratedSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(GeneratedSizeVisitor)
    }
}

struct GeneratedSizeVisitor;

impl<'de> Visitor<'de> for GeneratedSizeVisitor {
    type Value = GeneratedSize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_str<E>(self, text: &str) -> Result<GeneratedSize, E> {
        Ok(GeneratedSize { bytes: u64::try_from(text.len()).unwrap_or(u64::MAX), closed: false })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GeneratedSize, A::Error> {
        let mut sum = GeneratedSize::default();
        while let Some(key) = map.next_key::<MeteredKey>()? {
            match key {
                MeteredKey::Bookkeeping => drop(map.next_value::<IgnoredAny>()?),
                MeteredKey::Closed => sum.closed |= map.next_value::<GeneratedSize>()?.is_some(),
                _ => sum.add(map.next_value()?),
            }
        }
        Ok(sum)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<GeneratedSize, A::Error> {
        let mut sum = GeneratedSize::default();
        while let Some(part) = seq.next_element()? {
            sum.add(part);
        }
        Ok(sum)
    }

    fn visit_unit<E>(self) -> Result<GeneratedSize, E> {
        Ok(GeneratedSize::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<GeneratedSize, E> {
        Ok(GeneratedSize::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<GeneratedSize, E> {
        Ok(GeneratedSize::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<GeneratedSize, E> {
        Ok(GeneratedSize::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<GeneratedSize, E> {
        Ok(GeneratedSize::default())
    }
}
