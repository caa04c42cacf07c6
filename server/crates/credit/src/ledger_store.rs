//! The ledger without its writer: reads, grants and audits, in the server or beside it.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::{AccountBalance, Receipt, sql};
use tollgate_base::{AccountId, Clock, KeyId, PoolId, RequestId};
use tollgate_store::{Store, StoreError};

/// The most lists and sums that are read at the same time.
const LISTS: usize = 2;

/// A handle on the books. Cheap to clone; enough for the command line.
#[derive(Debug, Clone)]
pub struct LedgerStore {
    pub(super) store: Store,
    pub(super) clock: Clock,
    /// Permits for lists and sums, fewer than there are connections: whoever looks a key up finds one.
    pub(super) lists: Arc<Semaphore>,
}

/// The reason that the books were not read.
#[derive(Debug, thiserror::Error)]
pub enum LedgerStoreError {
    /// No such account has a balance.
    #[error("no such account")]
    NoSuchAccount,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LedgerStore {
    /// The books in `store`.
    #[must_use]
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { store, clock, lists: Arc::new(Semaphore::new(LISTS)) }
    }

    /// The credit and the held amount of an account.
    ///
    /// # Errors
    /// When there is no such account, or the store fails.
    pub async fn balance(&self, account: AccountId) -> Result<AccountBalance, LedgerStoreError> {
        sql::balance(self.store.readers(), account).await?.ok_or(LedgerStoreError::NoSuchAccount)
    }

    /// The receipt of a request of this account, also while it is held. Another account's receipt is not found.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn receipt(&self, account: AccountId, request: RequestId) -> Result<Option<Receipt>, LedgerStoreError> {
        Ok(sql::receipt(self.store.readers(), account, request).await?)
    }

    /// True if a key is of a member now.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn is_key_of_member(&self, key: KeyId, member: PoolId) -> Result<bool, LedgerStoreError> {
        Ok(sql::is_of_member(self.store.readers(), key, member).await?)
    }
}
