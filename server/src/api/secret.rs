//! Text that is shown to a client once and never to a log.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A secret in a reply: written to the wire as it is, and hidden everywhere else.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShownOnce(pub String);

impl fmt::Debug for ShownOnce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShownOnce(…)")
    }
}

impl From<String> for ShownOnce {
    fn from(text: String) -> Self {
        Self(text)
    }
}
