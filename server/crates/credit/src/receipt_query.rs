//! A request for a page of an account's receipts.

use super::{KeySelection, ResolutionKind};
use tollgate_base::{AccountId, Moment, RequestId};

/// A request for a page of an account's receipts, with its filters.
#[derive(Debug, Clone)]
pub struct ReceiptQuery {
    /// The account.
    pub account: AccountId,
    /// The most receipts on the page.
    pub limit: u32,
    /// The request whose receipt the page comes after.
    pub after: Option<RequestId>,
    /// Only requests with these keys.
    pub keys: KeySelection,
    /// Only requests for this model.
    pub model: Option<String>,
    /// Only requests that carry this tag.
    pub tag: Option<String>,
    /// Only receipts in this state.
    pub standing: Option<ReceiptState>,
    /// Only what was held for at this time or later.
    pub from: Option<Moment>,
    /// Only what was held for before this time.
    pub to: Option<Moment>,
}

/// The state of a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptState {
    /// Its hold is open.
    Held,
    /// Its hold has ended so.
    Ended(ResolutionKind),
}

/// A place in the order of an account's receipts: the moment of the hold, and its number.
pub(super) type ReceiptPosition = (i64, i64);

impl ReceiptState {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Ended(resolved) => resolved.as_str(),
        }
    }
}

impl ReceiptQuery {
    /// True if a filter may pass over receipts in between. Open holds are few, whatever filter narrows them.
    pub(super) fn is_narrowed(&self) -> bool {
        let is_narrowed =
            self.keys.is_narrowed() || self.model.is_some() || self.tag.is_some() || self.standing.is_some();
        is_narrowed && !self.is_open_alone()
    }

    /// True if receipts of ended requests are not asked for.
    pub(super) fn is_open_alone(&self) -> bool {
        self.standing == Some(ReceiptState::Held)
    }
}
