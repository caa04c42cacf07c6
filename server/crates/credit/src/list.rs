//! The receipts of an account, page by page.

use super::receipt_query::ReceiptPosition;
use super::{LedgerStore, LedgerStoreError, Receipt, ReceiptMark, ReceiptQuery, sql};
use tollgate_api::generated::limits;

/// A page of receipts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptsOnPage {
    /// The receipts, the newest first.
    pub receipts: Vec<Receipt>,
    /// The place that the next page comes after; absent where there is none. It names no request that the caller may not see.
    pub next: Option<ReceiptMark>,
}

impl LedgerStore {
    /// A page of the receipts of an account, the newest first. `None` where the caller may see no receipt of the request
    /// that the page is to come after.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn receipts(&self, ask: &ReceiptQuery) -> Result<Option<ReceiptsOnPage>, LedgerStoreError> {
        let _place = self.lists.acquire().await;
        let readers = self.store.readers();
        let mut before = ask.to.map_or((i64::MAX, 0), |to| (to.unix_ms(), 0));
        if let Some(after) = ask.after {
            let Some(mark) = self.position_of(ask, after).await? else { return Ok(None) };
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
            receipts.last().map(|receipt| receipt.request.into())
        } else {
            // The receipt may be another's.
            let mark = |((at, hold), request)| match ask.seen.is_narrowed() {
                true => ReceiptMark::Position(at, hold),
                false => ReceiptMark::Request(request),
            };
            last_seen.map(mark)
        };
        Ok(Some(ReceiptsOnPage { receipts, next }))
    }

    /// The position that a page comes after. `None` where the caller may see no such receipt.
    async fn position_of(
        &self,
        ask: &ReceiptQuery,
        after: ReceiptMark,
    ) -> Result<Option<ReceiptPosition>, LedgerStoreError> {
        let request = match after {
            ReceiptMark::Position(at, hold) => return Ok(Some((at, hold))),
            ReceiptMark::Request(request) => request,
        };
        let Some((mark, key)) = sql::mark_of(self.store.readers(), ask.account, request).await? else {
            return Ok(None);
        };
        Ok(self.is_one_of(key, ask.seen).await?.then_some(mark))
    }
}
