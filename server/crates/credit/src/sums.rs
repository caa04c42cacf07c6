//! Sums of the usage and the costs of an account's requests.

use super::{LedgerStore, LedgerStoreError, UsageSumQuery, UsageSums, sql};

impl LedgerStore {
    /// Sums over the ended requests of an account; `None` where that is more rows than asked for. No rows where nothing has
    /// ended.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sums(&self, ask: UsageSumQuery<'_>) -> Result<Option<Vec<UsageSums>>, LedgerStoreError> {
        let _place = self.lists.acquire().await;
        let rows = sql::sums(self.store.readers(), ask).await?;
        Ok(Some(rows).filter(|rows| rows.len() <= usize::try_from(ask.rows_max).unwrap_or(usize::MAX)))
    }
}
