//! The receipts of an account, page by page.

use super::{LedgerStore, LedgerStoreError, Receipt, ResolutionKind, sql};
use crate::base::{AccountId, KeyId, Moment, RequestId};
use crate::generated::limits;

/// A request for a page of an account's receipts, with its filters.
#[derive(Debug, Clone)]
pub struct ReceiptQuery {
    /// The account.
    pub account: AccountId,
    /// The most receipts on the page.
    pub limit: u32,
    /// The request whose receipt the page comes after.
    pub after: Option<RequestId>,
    /// Only requests with this key.
    pub key: Option<KeyId>,
    /// Only requests for this model.
    pub model: Option<String>,
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

/// A page of receipts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptsOnPage {
    /// The receipts, the newest first.
    pub receipts: Vec<Receipt>,
    /// The request that the next page comes after; absent where there is none.
    pub next: Option<RequestId>,
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
    /// True if a filter may pass over receipts in between.
    fn is_narrowed(&self) -> bool {
        self.key.is_some() || self.model.is_some() || self.standing.is_some()
    }
}

impl LedgerStore {
    /// A page of the receipts of an account, the newest first. `None` where the account has no receipt of the request that
    /// the page is to come after.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn receipts(&self, ask: &ReceiptQuery) -> Result<Option<ReceiptsOnPage>, LedgerStoreError> {
        let _place = self.lists.acquire().await;
        let readers = self.store.readers();
        let mut before = ask.to.map_or((i64::MAX, 0), |to| (to.unix_ms(), 0));
        if let Some(after) = ask.after {
            let Some(mark) = sql::mark_of(readers, ask.account, after).await? else { return Ok(None) };
            before = before.min(mark);
        }
        let since = ask.from.map_or((i64::MIN, 0), |from| (from.unix_ms(), 0));
        // Where receipts are passed over, the page ends after so many that were looked at, however few of them fit.
        let searched = i64::from(limits::RECEIPTS_SEARCHED);
        let last_seen = match ask.is_narrowed() {
            true => sql::mark_ahead(readers, ask.account, before, since, searched).await?,
            false => None,
        };
        let down_to = last_seen.map_or(since, |(mark, _)| mark);
        let mut receipts = sql::receipts(readers, ask, before, down_to).await?;
        let limit = usize::try_from(ask.limit).unwrap_or(usize::MAX);
        let next = if receipts.len() > limit {
            receipts.truncate(limit);
            receipts.last().map(|receipt| receipt.request)
        } else {
            last_seen.map(|(_, request)| request)
        };
        Ok(Some(ReceiptsOnPage { receipts, next }))
    }
}
