//! Reads of the whole ledger for operators: usage of all accounts, open holds, servers, seals.

use super::service_rows::{OpenHold, ServerStart, ServiceUsage, ServiceUsageQuery};
use super::{LedgerSeal, LedgerStore, LedgerStoreError, Receipt, sql};
use tollgate_base::{AccountId, HoldId, RequestId};

impl LedgerStore {
    /// Sums over the ended requests of all accounts; `None` where that is more rows than asked for.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn service_usage(&self, ask: ServiceUsageQuery) -> Result<Option<Vec<ServiceUsage>>, LedgerStoreError> {
        let _place = self.lists.acquire().await;
        let rows = sql::service_usage(self.store.readers(), ask).await?;
        Ok(Some(rows).filter(|rows| rows.len() <= usize::try_from(ask.rows_max).unwrap_or(usize::MAX)))
    }

    /// Open holds behind a number, the oldest first; of one account where it is named.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn open_holds(
        &self,
        after: HoldId,
        account: Option<AccountId>,
        limit: i64,
    ) -> Result<Vec<OpenHold>, LedgerStoreError> {
        Ok(sql::open_holds(self.store.readers(), after, account, limit).await?)
    }

    /// The latest starts of servers, those that are up first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn server_starts(&self, limit: i64) -> Result<Vec<ServerStart>, LedgerStoreError> {
        Ok(sql::server_starts(self.store.readers(), limit).await?)
    }

    /// Seals before a number, the newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn seals_before(&self, number: i64, limit: i64) -> Result<Vec<LedgerSeal>, LedgerStoreError> {
        Ok(sql::seals_before(self.store.readers(), number, limit).await?)
    }

    /// The receipt of a request of any account, also while it is held.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn find_receipt(&self, request: RequestId) -> Result<Option<Receipt>, LedgerStoreError> {
        Ok(sql::receipt_of_any(self.store.readers(), request).await?)
    }
}
