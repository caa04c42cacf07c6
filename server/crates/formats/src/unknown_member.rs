//! A member that one format alone knows.

use serde_json::value::RawValue;

/// A member that the inner language does not know, byte for byte.
#[derive(Debug, Clone)]
pub struct UnknownMember {
    /// The place of the member, its name included, in the client's own words. Empty for a mark: what a reader keeps only so
    /// that its own format gets the spelling back (ids and states of items, the name of a role). It asks for nothing, so
    /// that leaving it out is no loss to report.
    pub at: String,
    /// Its name. With dots where it stood deeper than the object that keeps it: `generationConfig.speechConfig`.
    pub name: String,
    /// Its value.
    pub value: Box<RawValue>,
}
