//! The ledger without its writer: reads, grants and audits, in the server or beside it.

use std::sync::Arc;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::{AccountBalance, KeySelection, Receipt, sql};
use tollgate_base::{AccountId, Caller, CallerCredential, Clock, KeyId, PoolId, RequestId};
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

    /// A permit for a list of another room that is read from the same database. It is held while the list is read.
    pub async fn list_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.lists.acquire().await.ok()
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

    /// The keys whose requests a caller sees: a developer the own ones, a key of a member those of the member, and a key of a team those
    /// of the team. Everybody else sees all of the account.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keys_seen_by(&self, caller: &Caller) -> Result<KeySelection, LedgerStoreError> {
        if let Some(own) = caller.own_keys_only() {
            return Ok(KeySelection { member: Some(own), ..KeySelection::default() });
        }
        match caller.by {
            CallerCredential::Key(key) | CallerCredential::Agent(_, key) => self.keys_seen_by_key(key).await,
            CallerCredential::Session(_) => Ok(KeySelection::default()),
        }
    }

    /// The keys whose requests the holder of a key sees, as in [`keys_seen_by`](Self::keys_seen_by).
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keys_seen_by_key(&self, key: KeyId) -> Result<KeySelection, LedgerStoreError> {
        let (team, member) = sql::pools_of_key(self.store.readers(), key).await?;
        Ok(KeySelection { key: None, team: team.filter(|_| member.is_none()), member })
    }

    /// True if a key is one of these, by the team and the member that it is of now.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn is_one_of(&self, key: KeyId, keys: KeySelection) -> Result<bool, LedgerStoreError> {
        if !keys.is_narrowed() {
            return Ok(true);
        }
        let (team, member) = sql::pools_of_key(self.store.readers(), key).await?;
        let fits = |asked: Option<PoolId>, has| asked.is_none_or(|asked| Some(asked) == has);
        Ok(keys.key.is_none_or(|one| one == key) && fits(keys.team, team) && fits(keys.member, member))
    }
}
