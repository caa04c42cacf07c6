//! Places in the spec, and the two wrappers that carry them through serde.

use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

/// The name by which [`SpannedValue`] asks the tree's deserializer for the place of the value.
pub(super) const LOCATED: &str = "$located";
/// The name by which [`SpecEntry`] asks the tree's deserializer for the place of the key.
pub(super) const ENTRY: &str = "$entry";

/// A file of the spec, by its position in [`super::SpecSources`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(transparent)]
pub struct FileId(pub u32);

/// A stretch of a file: bytes `start..end`, beginning at `line`:`column` (both from 1, columns in characters).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub struct SourceSpan {
    /// The file.
    pub file: FileId,
    /// First byte, in the text as [`super::SpecSources`] holds it.
    pub start: u32,
    /// First byte after it.
    pub end: u32,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Column of the first byte in characters, from 1.
    pub column: u32,
}

impl SourceSpan {
    /// The beginning of the first file, for what has no place of its own.
    pub const BEGINNING: Self = Self { file: FileId(0), start: 0, end: 0, line: 1, column: 1 };

    /// A stretch of the word that stands here, bytes `start..end` of it. Exact for a plain word on one line and for
    /// one in quotes without escapes; anything else gives the whole place.
    #[must_use]
    pub fn part(self, text: &str, start: usize, end: usize) -> Self {
        let length = (self.end - self.start) as usize;
        // In quotes the text begins one byte later; with escapes or line folds the lengths do not fit.
        let quote = match length.checked_sub(text.len()) {
            Some(extra @ (0 | 2)) => extra / 2,
            _ => return self,
        };
        let (Some(before), Some(part)) = (text.get(..start), text.get(start..end)) else { return self };
        let narrow = |number: usize| u32::try_from(number).unwrap_or(0);
        let from = self.start + narrow(quote + before.len());
        let column = self.column + narrow(quote + before.chars().count());
        Self { start: from, end: from + narrow(part.len()), column, ..self }
    }
}

/// A value together with the place it was written at: every reference is one.
#[derive(Debug, Clone, Default)]
pub struct SpannedValue<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub place: SourceSpan,
}

/// A named entry: the value, and the place of the KEY that names it. Dereferences to the value.
#[derive(Debug, Clone, Default)]
pub struct SpecEntry<T> {
    /// The place of the key.
    pub place: SourceSpan,
    /// The value of the key.
    pub value: T,
}

impl<T> Deref for SpannedValue<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Deref for SpecEntry<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Compares values alone; the place does not matter to meaning.
impl<T: PartialEq> PartialEq for SpannedValue<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// The place and value that the deserializer hands out for [`LOCATED`] and [`ENTRY`].
#[derive(Deserialize)]
struct SpannedPair<T>(SourceSpan, T);

/// Reads a pair through a newtype of the given name; any other deserializer than the tree's refuses it.
struct PairVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for PairVisitor<T> {
    type Value = SpannedPair<T>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value read from a spec tree")
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<SpannedPair<T>, A::Error> {
        let missing = || serde::de::Error::custom("a place and a value");
        let place = seq.next_element()?.ok_or_else(missing)?;
        let value = seq.next_element()?.ok_or_else(missing)?;
        Ok(SpannedPair(place, value))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SpannedValue<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SpannedPair(place, value) =
            deserializer.deserialize_newtype_struct(LOCATED, PairVisitor(std::marker::PhantomData))?;
        Ok(Self { value, place })
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SpecEntry<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SpannedPair(place, value) =
            deserializer.deserialize_newtype_struct(ENTRY, PairVisitor(std::marker::PhantomData))?;
        Ok(Self { place, value })
    }
}

/// The wrappers do not show in the schema: it is that of what they wrap.
macro_rules! transparent_schema {
    ($wrapper:ident) => {
        impl<T: JsonSchema> JsonSchema for $wrapper<T> {
            fn inline_schema() -> bool {
                T::inline_schema()
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                T::schema_name()
            }
            fn schema_id() -> std::borrow::Cow<'static, str> {
                T::schema_id()
            }
            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                T::json_schema(generator)
            }
        }
    };
}

transparent_schema!(SpannedValue);
transparent_schema!(SpecEntry);
