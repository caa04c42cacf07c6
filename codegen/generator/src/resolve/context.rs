//! The context in which the sections of a spec are resolved, and what is refused there.

use crate::diagnostics::Diagnostic;
use crate::model::{SourceSpan, Spec};

/// Something that passed the check and still cannot be generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolveError {
    /// The place of the entry at fault.
    pub place: SourceSpan,
    /// The error in words, with what would be right.
    pub message: String,
}

impl From<ResolveError> for Diagnostic {
    fn from(ResolveError { place, message }: ResolveError) -> Self {
        Self::not_generated(place, message)
    }
}

/// The context in which one section is resolved: the spec, and the refusals so far.
pub(crate) struct ResolveContext<'s> {
    pub(crate) spec: &'s Spec,
    pub(crate) refusals: Vec<ResolveError>,
}

impl ResolveContext<'_> {
    pub(crate) fn refuse(&mut self, place: SourceSpan, message: impl Into<String>) {
        self.refusals.push(ResolveError { place, message: message.into() });
    }
}
