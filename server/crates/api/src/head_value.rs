//! The types that a member of a head can have.

use serde::de::DeserializeOwned;

use super::wire::{self, Refusal};

/// A type that a member of a head can have: whatever serde reads, or [`Raw`].
pub trait HeadValue: Sized {
    /// Reads the JSON text of the member.
    ///
    /// # Errors
    /// When it is another type, or a part of it is.
    fn read(raw: &str) -> Result<Self, Refusal>;
}

/// Some JSON whose place is enough: `&body.bytes[member.span]` is its text. A part of a form is taken for JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw {
    first: u8,
    empty: bool,
}

impl Raw {
    /// True if it is a list.
    #[must_use]
    pub const fn is_list(&self) -> bool {
        self.first == b'['
    }

    /// True if it is a list or object without anything in it.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.empty
    }

    /// True if it is an object.
    #[must_use]
    pub const fn is_object(&self) -> bool {
        self.first == b'{'
    }
}

impl HeadValue for Raw {
    fn read(raw: &str) -> Result<Self, Refusal> {
        let mut bytes = raw.bytes().filter(|byte| !byte.is_ascii_whitespace());
        let first = bytes.next().unwrap_or_default();
        Ok(Self { first, empty: matches!(bytes.next(), Some(b']' | b'}')) && matches!(first, b'[' | b'{') })
    }
}

impl<T: DeserializeOwned> HeadValue for T {
    fn read(raw: &str) -> Result<Self, Refusal> {
        wire::read(raw.as_bytes())
    }
}
