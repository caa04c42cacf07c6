//! The writer of a message that is read: it decides how strictly the format is checked, and who made a signature.

use super::super::{Format, Signature};

/// The writer of a message, a call or a thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin<'a> {
    /// A client, in a request: held to the format, so that it learns of its mistakes.
    Client,
    /// The upstream of this name, in an answer: what can be understood is.
    Upstream(&'a str),
}

impl Origin<'_> {
    /// The signature in a field for signatures; `item` is the id of the thought that it belongs to.
    pub fn signature(self, item: Option<&str>, text: String) -> Signature {
        let item = item.map(str::to_owned);
        match self {
            Self::Upstream(upstream) => Signature::made_by(upstream, Format::Chat, item, text),
            Self::Client => {
                let read = Signature::read(&text);
                if read.maker.is_some() { read } else { Signature { item, ..read } }
            }
        }
    }

    /// The signature of a thought that came without one. An upstream's own gets an empty one: it can then go back, in a
    /// later turn, to the upstream that thought it, and to no other.
    pub fn unsigned(self) -> Option<Signature> {
        match self {
            Self::Upstream(upstream) => Some(Signature::made_by(upstream, Format::Chat, None, String::new())),
            Self::Client => None,
        }
    }

    /// True if wrong types are passed over where something can still be made of the rest.
    pub const fn forgiven(self) -> bool {
        matches!(self, Self::Upstream(_))
    }
}
