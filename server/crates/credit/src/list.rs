//! The receipts of an account, page by page.

use super::{LedgerStore, LedgerStoreError, Receipt, ReceiptQuery, sql};
use tollgate_api::generated::limits;
use tollgate_base::RequestId;

/// A page of receipts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptsOnPage {
    /// The receipts, the newest first.
    pub receipts: Vec<Receipt>,
    /// The request that the next page comes after; absent where there is none.
    pub next: Option<RequestId>,
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
