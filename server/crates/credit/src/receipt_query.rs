//! A request for a page of an account's receipts.

use std::fmt;
use std::str::FromStr;

use super::{KeySelection, ResolutionKind};
use tollgate_base::{AccountId, Moment, RequestId};

/// The beginning of a position as text.
const POSITION: &str = "at_";

/// A request for a page of an account's receipts, with its filters.
#[derive(Debug, Clone)]
pub struct ReceiptQuery {
    /// The account.
    pub account: AccountId,
    /// The most receipts on the page.
    pub limit: u32,
    /// The place that the page comes after.
    pub after: Option<ReceiptMark>,
    /// Only requests with these keys.
    pub keys: KeySelection,
    /// The keys whose requests the caller may see.
    pub seen: KeySelection,
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

/// A place in the order of an account's receipts that a page comes after. As text it is the id of a request, or `at_` with two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptMark {
    /// That of the receipt of this request.
    Request(RequestId),
    /// That of a receipt which the caller may not see: the moment of its hold in unix milliseconds, and the number of the hold.
    Position(i64, i64),
}

impl From<RequestId> for ReceiptMark {
    fn from(request: RequestId) -> Self {
        Self::Request(request)
    }
}

impl fmt::Display for ReceiptMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(request) => request.fmt(f),
            Self::Position(created_at_ms, hold) => write!(f, "{POSITION}{created_at_ms}_{hold}"),
        }
    }
}

impl FromStr for ReceiptMark {
    type Err = <RequestId as FromStr>::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.strip_prefix(POSITION).and_then(|numbers| numbers.split_once('_'));
        let position = numbers.and_then(|(at, hold)| Some(Self::Position(at.parse().ok()?, hold.parse().ok()?)));
        position.map_or_else(|| text.parse().map(Self::Request), Ok)
    }
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
