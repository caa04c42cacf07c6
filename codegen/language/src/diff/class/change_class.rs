//! A class of change, and the declaration of a table of them.

use std::fmt;

use crate::diff::node::{FacetChange, FacetKind, WireDirection};

/// The parties that have to know of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeAudience {
    /// Clients that run.
    Wire,
    /// Clients that are built anew, against what is generated for them.
    Source,
    /// Rows that are in a database, and configuration that is in use.
    Stored,
}

/// The parties that a change breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrokenSide {
    /// Nobody.
    Nobody,
    /// Senders of what was valid before.
    Sent,
    /// Receivers of what was valid before.
    Received,
    /// Senders and receivers.
    Both,
    /// Rows and settings that were kept before.
    Kept,
}

/// A class of change.
#[derive(Debug)]
pub struct ChangeClass {
    /// `reply-field-removed`; never given to another meaning.
    pub id: &'static str,
    /// The parties that have to know of it.
    pub audience: ChangeAudience,
    /// The parties that it breaks.
    pub breaks: BrokenSide,
    /// The sentence, with `{subject}`, `{key}`, `{old}` and `{new}`.
    pub says: &'static str,
    pub(super) of: &'static [(FacetKind, FacetChange)],
    /// The direction it is seen in; none where it is of no direction.
    pub(super) directions: &'static [WireDirection],
}

impl ChangeClass {
    /// True if it breaks somebody.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        self.breaks != BrokenSide::Nobody
    }

    /// True if it breaks what clients send.
    #[must_use]
    pub const fn breaks_sent(&self) -> bool {
        matches!(self.breaks, BrokenSide::Sent | BrokenSide::Both)
    }

    /// True if it breaks what clients receive.
    #[must_use]
    pub const fn breaks_received(&self) -> bool {
        matches!(self.breaks, BrokenSide::Received | BrokenSide::Both)
    }
}

impl fmt::Display for ChangeAudience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wire => "wire",
            Self::Source => "source",
            Self::Stored => "stored",
        })
    }
}

/// Declares a table of classes: id, audience, whom each breaks, its direction, its nodes and events, and the sentence.
macro_rules! table {
    ($(
        $id:literal $audience:ident $breaks:ident $([$direction:ident])?
        $($kind:ident $happening:ident),+ => $says:literal;
    )+) => {
        pub(super) const ALL: &[super::change_class::ChangeClass] = &[$(
            super::change_class::ChangeClass {
                id: $id,
                audience: super::change_class::ChangeAudience::$audience,
                breaks: super::change_class::BrokenSide::$breaks,
                says: $says,
                of: &[$((crate::diff::node::FacetKind::$kind, crate::diff::node::FacetChange::$happening)),+],
                directions: &[$(crate::diff::node::WireDirection::$direction)?],
            }
        ),+];
    };
}
pub(super) use table;
