//! The origin of entries: headings of the source and decisions of the project.

use super::{Envelope, ErrorCode, Limit, Machine, Operation, Proof, Rail, RequestObject, Scheme, Text, Type, WireName};

/// The origin of an entry: a heading of the source, a decision, or both.
pub trait Origin {
    /// `§4 POST /v1/messages`.
    fn from(&self) -> Option<&Text>;
    /// The id of a fact.
    fn fact(&self) -> Option<&Text>;
    /// Takes from the origin of the file what the entry does not say. A decision of its own stands beside what the source
    /// says, so that its entry takes no heading from the file: it names the one it follows, or none has it.
    fn inherit(&mut self, from: Option<&Text>, fact: Option<&Text>);
}

macro_rules! origin {
    ($($entry:ty),+ $(,)?) => {$(
        impl Origin for $entry {
            fn from(&self) -> Option<&Text> {
                self.from.as_ref()
            }
            fn fact(&self) -> Option<&Text> {
                self.fact.as_ref()
            }
            fn inherit(&mut self, from: Option<&Text>, fact: Option<&Text>) {
                let from = from.filter(|_| self.fact.is_none());
                self.from = self.from.take().or_else(|| from.cloned());
                self.fact = self.fact.take().or_else(|| fact.cloned());
            }
        }
    )+};
}

origin!(WireName, Scheme, Proof, Rail, Limit, Envelope, ErrorCode, Operation, Type, Machine, RequestObject);
