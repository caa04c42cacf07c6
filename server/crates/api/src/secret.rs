//! Text that a client is shown once, or shows us, and that no log ever sees.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::wire::HasLength;

/// A secret in a reply or a request: on the wire as it is, and hidden everywhere else.
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

impl HasLength for ShownOnce {
    fn characters(&self) -> Option<usize> {
        self.0.characters()
    }
}
