//! The origin of entries: headings of the source and decisions of the project.

use super::{
    AuthScheme, DeclaredEnvelope, DeclaredErrorCode, DeclaredLimit, DeclaredMachine, DeclaredOperation, DeclaredProof,
    DeclaredRail, DeclaredRequestObject, DeclaredRole, DeclaredType, DeclaredWireName, SpannedText,
};

/// The origin of an entry: a heading of the source, a decision, or both.
pub trait EntryOrigin {
    /// `§4 POST /v1/messages`.
    fn from(&self) -> Option<&SpannedText>;
    /// The id of a fact.
    fn fact(&self) -> Option<&SpannedText>;
    /// Takes from the origin of the file what the entry does not say. A decision of its own stands beside what the source
    /// says, so that its entry takes no heading from the file: it names the one it follows, or none has it.
    fn inherit(&mut self, from: Option<&SpannedText>, fact: Option<&SpannedText>);
}

macro_rules! entry_origin {
    ($($entry:ty),+ $(,)?) => {$(
        impl EntryOrigin for $entry {
            fn from(&self) -> Option<&SpannedText> {
                self.from.as_ref()
            }
            fn fact(&self) -> Option<&SpannedText> {
                self.fact.as_ref()
            }
            fn inherit(&mut self, from: Option<&SpannedText>, fact: Option<&SpannedText>) {
                let from = from.filter(|_| self.fact.is_none());
                self.from = self.from.take().or_else(|| from.cloned());
                self.fact = self.fact.take().or_else(|| fact.cloned());
            }
        }
    )+};
}

entry_origin!(
    DeclaredWireName,
    AuthScheme,
    DeclaredRole,
    DeclaredProof,
    DeclaredRail,
    DeclaredLimit,
    DeclaredEnvelope,
    DeclaredErrorCode,
    DeclaredOperation,
    DeclaredType,
    DeclaredMachine,
    DeclaredRequestObject
);
