//! The cap on a body.

use super::CodeInfo;

/// The most that a body may be, and the code for more.
#[derive(Debug, Clone, Copy)]
pub struct BodyLimit {
    /// The cap; a body of exactly this size is read.
    pub bytes: usize,
    /// The limit's own code; `None` is the framework's.
    pub over: Option<&'static CodeInfo>,
}
