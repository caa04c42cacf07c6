//! The writer of a message that is read: it decides how strictly the format is checked, and who made a signature.

use super::super::{Format, ThinkingSignature};

/// The writer of a message, a call or a thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageOrigin<'a> {
    /// A client, in a request: held to the format, so that it learns of its mistakes.
    Client,
    /// The upstream of this name, in an answer: what can be understood is.
    Upstream(&'a str),
}

impl MessageOrigin<'_> {
    /// The signature in a field for signatures; `item` is the id of the thought that it belongs to.
    pub fn signature(self, item: Option<&str>, text: String) -> ThinkingSignature {
        let item = item.map(str::to_owned);
        match self {
            Self::Upstream(upstream) => ThinkingSignature::made_by(upstream, Format::Chat, item, text),
            Self::Client => {
                let read = ThinkingSignature::read(&text);
                if read.maker.is_some() { read } else { ThinkingSignature { item, ..read } }
            }
        }
    }

    /// The signature of a thought that came without one. An upstream's own gets an empty one: it can then go back, in a
    /// later turn, to the upstream that thought it, and to no other.
    pub fn unsigned(self) -> Option<ThinkingSignature> {
        match self {
            Self::Upstream(upstream) => Some(ThinkingSignature::made_by(upstream, Format::Chat, None, String::new())),
            Self::Client => None,
        }
    }

    /// True if wrong types are passed over where something can still be made of the rest.
    pub const fn is_lenient(self) -> bool {
        matches!(self, Self::Upstream(_))
    }
}
