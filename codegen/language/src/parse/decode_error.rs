//! The error of a value that could not be read.

use std::fmt;

use serde::de;

/// The error of a value that could not be read. The structural check has reported it already, with its place.
#[derive(Debug)]
pub struct DecodeError(pub(super) String);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}
