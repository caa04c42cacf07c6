//! The effects of operations on sessions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The effect of an operation on the session of the browser that calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionEffect {
    /// Its success begins one: the answer sets the cookie. Pages of other origins may not call it.
    Begins,
    /// Its success ends it: the answer takes the cookie away.
    Ends,
}
