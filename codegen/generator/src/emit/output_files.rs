//! Files on their way out of the generator.

use std::collections::BTreeMap;

/// Paths from the root of the project, with what belongs there.
pub type OutputFiles = BTreeMap<String, Vec<u8>>;
