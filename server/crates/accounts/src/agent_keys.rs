//! The operations of the room of agents on the keys of agents, each within a transaction of that room.

use super::manage_keys::{KeyMaker, KeyManager, actor, fit_label, may_manage};
use super::{AccountError, AccountService, ApiKey, CreatedKey, KeyChange, KeyLimits, NewKey, sql};
use tollgate_base::{AccountId, Actor, AgentId, Caller, PoolId};
use tollgate_store::{StatementTarget, StoreError, StoreTransaction};

impl AccountService {
    /// Sees that a caller may manage agents: a person who is signed in, or a key that is neither limited nor ends, as the
    /// database has it at this moment. An agent lives until it is revoked, and would outlive a key that ends.
    ///
    /// # Errors
    /// When that is not so, or the store fails.
    pub async fn may_manage_agents<'t>(
        &self,
        reader: impl Into<StatementTarget<'t>>,
        caller: &Caller,
    ) -> Result<(), AccountError> {
        unending(may_manage(reader, caller).await?).map(drop)
    }

    /// Sees, within the transaction that changes something, that a caller may manage agents. Gives the member who acts, or who made the
    /// caller's key.
    ///
    /// # Errors
    /// When that is not so any more, or the store fails.
    pub async fn may_manage_agents_now(
        &self,
        transaction: &mut StoreTransaction,
        caller: &Caller,
    ) -> Result<Option<PoolId>, AccountError> {
        unending(self.may_manage_now(transaction, caller).await?)
    }

    /// Keeps the ledger from deciding about an account while its agents change.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn lock(&self, transaction: &mut StoreTransaction, account: AccountId) -> Result<(), StoreError> {
        sql::keys::lock_account(transaction, account).await
    }

    /// Makes the key of an agent that a member has registered, where it was one. Its secret is in the answer and nowhere else.
    ///
    /// # Errors
    /// As [`create_limited_key`](Self::create_limited_key).
    pub async fn create_agent_key(
        &self,
        transaction: &mut StoreTransaction,
        (agent, member): (AgentId, Option<PoolId>),
        new: NewKey,
        limits: KeyLimits,
        actor: Actor<'_>,
    ) -> Result<CreatedKey, AccountError> {
        let by = KeyMaker { member, manages: false, agent: Some(agent) };
        self.make(transaction, new, limits, by, actor).await
    }

    /// Changes label and limits of the key of an agent that is not revoked.
    ///
    /// # Errors
    /// When it is revoked, label or limits are unfit, or the store fails.
    pub async fn change_agent_key(
        &self,
        transaction: &mut StoreTransaction,
        agent: AgentId,
        change: KeyChange,
    ) -> Result<ApiKey, AccountError> {
        let key = change.of(sql::keys::of_agent(transaction, agent).await?);
        if !fit_label(&key.label) {
            return Err(AccountError::LabelInvalid);
        }
        key.limits.check().map_err(AccountError::BadLimit)?;
        if sql::keys::change(transaction, &key).await? { Ok(key) } else { Err(AccountError::KeyRevoked) }
    }

    /// Drops the cached keys after the key of an agent was changed or revoked.
    pub fn forget_keys(&self) {
        self.cache.forget();
    }

    /// The caller, in the words of the audit log.
    #[must_use]
    pub fn actor(caller: &Caller) -> String {
        actor(caller)
    }
}

fn unending(manager: KeyManager) -> Result<Option<PoolId>, AccountError> {
    if manager.ends_at_ms.is_none() { Ok(manager.member) } else { Err(AccountError::KeyLimited) }
}
