//! Sums of the usage and the costs of an account's requests.

use super::{LedgerStore, LedgerStoreError, UsageSpan, UsageSumQuery, UsageSums, sql};
use tollgate_base::AccountId;

impl LedgerStore {
    /// Sums over the ended requests of an account; `None` where that is more rows than asked for. No rows where nothing has
    /// ended.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sums(&self, ask: UsageSumQuery<'_>) -> Result<Option<Vec<UsageSums>>, LedgerStoreError> {
        let _place = self.lists.acquire().await;
        // They are counted sooner than they are put in order.
        if ask.is_by_each_row() && sql::has_more_rows(self.store.readers(), ask).await? {
            return Ok(None);
        }
        let rows = sql::sums(self.store.readers(), ask).await?;
        Ok(Some(rows).filter(|rows| rows.len() <= usize::try_from(ask.rows_max).unwrap_or(usize::MAX)))
    }

    /// True if the account has more receipts of these days than `most`. Sums by tags read each of them.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn has_more_receipts(
        &self,
        account: AccountId,
        span: UsageSpan,
        most: u32,
    ) -> Result<bool, LedgerStoreError> {
        let _place = self.lists.acquire().await;
        Ok(sql::has_more_receipts(self.store.readers(), account, span, most).await?)
    }
}
