//! What operators see of the whole ledger: usage of all accounts, open holds, servers, seals.

use super::{LedgerSeal, LedgerStore, LedgerStoreError, Receipt, sql};
use tollgate_base::{AccountId, Day, HoldId, KeyId, RequestId, Usd};

/// A request for sums over all accounts.
#[derive(Debug, Clone, Copy)]
pub struct ServiceUsageQuery {
    /// The first day.
    pub from: Day,
    /// The day after the last.
    pub to: Day,
    /// True for a row for each day.
    pub by_day: bool,
    /// True for a row for each account.
    pub by_account: bool,
    /// True for a row for each model.
    pub by_model: bool,
    /// At most so many rows.
    pub rows_max: u32,
}

/// The sums of one group of requests, of all accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceUsage {
    /// The day, where rows are grouped by it.
    pub day: Option<Day>,
    /// The account, where rows are grouped by it.
    pub account: Option<AccountId>,
    /// The model that was asked for, where rows are grouped by it.
    pub model: Option<String>,
    /// The number of requests.
    pub requests: i64,
    /// The number of requests that were given back whole.
    pub released: i64,
    /// The tokens of the input.
    pub prompt_tokens: i64,
    /// The tokens of the output.
    pub completion_tokens: i64,
    /// The sum of the charges.
    pub charged: Usd,
    /// The sum that accounts could not pay.
    pub shortfall: Usd,
}

/// Credit that is held for a request under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenHold {
    /// Its number.
    pub id: HoldId,
    /// The account that pays.
    pub account: AccountId,
    /// The key that was shown.
    pub key: KeyId,
    /// The request.
    pub request_id: String,
    /// The model that was asked for.
    pub model: String,
    /// The amount.
    pub held: Usd,
    /// The name of the server that took it, where that is known.
    pub server: Option<String>,
    /// True for what outlives a server.
    pub is_durable: bool,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// Unix time in milliseconds at which it ends by itself.
    pub expires_at_ms: i64,
}

/// A start of a server on this ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerStart {
    /// The number of the start.
    pub epoch: i64,
    /// The server's name.
    pub name: String,
    /// False once it has ended or was taken for gone.
    pub is_up: bool,
    /// Unix time in milliseconds.
    pub started_at_ms: i64,
    /// Unix time in milliseconds at which it last wrote that it is there; on a file, of its start.
    pub seen_at_ms: i64,
}

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
