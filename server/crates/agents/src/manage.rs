//! Listing, changing and revoking agents.

use super::agent::{AgentCaps, AgentChange, AgentState, RevokedAgent};
use super::register::{fit_label, unfit};
use super::sql::AgentRevoker;
use super::{Agent, AgentBudgets, AgentError, AgentService, sql};
use tollgate_accounts::{AccountService, KeyChange};
use tollgate_base::{AccountId, Actor, AgentId, Caller, CallerCredential, Usd};
use tollgate_store::{StoreError, StoreTransaction};

/// The largest cap, as the database has it: no account can have more.
const CAP_MAX: Usd = Usd::from_nanos(1_000_000_000_000_000_000);

impl AgentService {
    /// The agents of an account, the newest first, revoked ones included.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn of_account(&self, account: AccountId) -> Result<Vec<Agent>, AgentError> {
        Ok(sql::of_account(self.store.readers(), account).await?)
    }

    /// The agents that a caller may see: all of its account, or itself.
    ///
    /// # Errors
    /// When the caller's own key is limited, or the store fails.
    pub async fn own(&self, caller: &Caller) -> Result<Vec<Agent>, AgentError> {
        if let CallerCredential::Agent(id, _) = caller.by {
            let own = sql::own(self.store.readers(), caller.account, id).await?;
            return Ok(own.into_iter().collect());
        }
        self.accounts.may_manage_agents(self.store.readers(), caller).await?;
        self.of_account(caller.account).await
    }

    /// Changes what an agent of the caller's account may do. It holds from the next request and the next payment on.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, the account has no such agent, it is revoked, something is unfit, or the
    /// store fails.
    pub async fn change(&self, caller: &Caller, id: AgentId, change: AgentChange) -> Result<Agent, AgentError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        self.accounts.lock(&mut transaction, caller.account).await?;
        self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        let agent = sql::own(&mut transaction, caller.account, id).await?.ok_or(AgentError::NoSuchAgent)?;
        self.change_within(transaction, agent, change, (&AccountService::actor(caller)).into()).await
    }

    /// Changes what an agent of any account may do, as an operator asked by the admin API.
    ///
    /// # Errors
    /// When there is none, it is revoked, something is unfit, or the store fails.
    pub async fn change_any(
        &self,
        id: AgentId,
        change: AgentChange,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<Agent, AgentError> {
        let mut transaction = self.store.begin().await?;
        let account = sql::find(&mut transaction, id).await?.ok_or(AgentError::NoSuchAgent)?.account;
        self.accounts.lock(&mut transaction, account).await?;
        let agent = sql::find(&mut transaction, id).await?.ok_or(AgentError::NoSuchAgent)?;
        self.change_within(transaction, agent, change, actor.into()).await
    }

    /// Changes an agent whose account is locked.
    async fn change_within(
        &self,
        mut transaction: StoreTransaction,
        agent: Agent,
        change: AgentChange,
        actor: Actor<'_>,
    ) -> Result<Agent, AgentError> {
        if agent.state == AgentState::Revoked {
            return Err(AgentError::Revoked);
        }
        let caps = AgentCaps {
            order: change.cap_order.unwrap_or(agent.caps.order),
            day: change.cap_day.unwrap_or(agent.caps.day),
            life: change.cap_life.unwrap_or(agent.caps.life),
        };
        fit_caps(&caps)?;
        let label = change.label.unwrap_or(agent.label);
        fit_label(&label)?;
        // Its key goes by the same name.
        let key = KeyChange {
            label: Some(label.clone()),
            budget_day: change.budget_day,
            budget_week: change.budget_week,
            budget_month: change.budget_month,
            budget_life: change.budget_life,
            ..KeyChange::default()
        };
        let key = self.accounts.change_agent_key(&mut transaction, agent.id, key).await?;
        let agent = Agent { label, caps, budgets: AgentBudgets::of(&key), ..agent };
        sql::change(&mut transaction, &agent).await?;
        self.note(&mut transaction, actor, "agent.change", &agent).await?;
        transaction.commit().await.map_err(StoreError::commit("an agent"))?;
        self.accounts.forget_keys();
        Ok(agent)
    }

    /// Revokes an agent of the caller's account and its key, in one commit. Doing it twice is the same as once.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, the account has no such agent, or the store fails.
    pub async fn revoke_own(&self, caller: &Caller, id: AgentId) -> Result<Agent, AgentError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        let agent = sql::own(&mut transaction, caller.account, id).await?.ok_or(AgentError::NoSuchAgent)?;
        Ok(self
            .revoke_within(transaction, agent, AgentRevoker::Owner, (&AccountService::actor(caller)).into())
            .await?
            .agent)
    }

    /// Revokes the agent of this number, or the live one of this wallet. Doing it twice is the same as once.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn revoke(
        &self,
        id_or_wallet: &str,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<RevokedAgent, AgentError> {
        let mut transaction = self.store.begin().await?;
        let agent = match id_or_wallet.parse() {
            Ok(id) => sql::find(&mut transaction, AgentId(id)).await?,
            Err(_) => match id_or_wallet.parse() {
                Ok(wallet) => sql::live_of_wallet(&mut transaction, &wallet).await?,
                Err(_) => None,
            },
        };
        self.revoke_within(transaction, agent.ok_or(AgentError::NoSuchAgent)?, AgentRevoker::Operator, actor.into())
            .await
    }

    /// Revokes an agent of any account, as an operator asked by the admin API. Doing it twice is the same as once.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn revoke_any(
        &self,
        id: AgentId,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<RevokedAgent, AgentError> {
        let mut transaction = self.store.begin().await?;
        let agent = sql::find(&mut transaction, id).await?.ok_or(AgentError::NoSuchAgent)?;
        self.revoke_within(transaction, agent, AgentRevoker::Admin, actor.into()).await
    }

    async fn revoke_within(
        &self,
        mut transaction: StoreTransaction,
        agent: Agent,
        by: AgentRevoker,
        actor: Actor<'_>,
    ) -> Result<RevokedAgent, AgentError> {
        // A batch that has read the key as live writes first, or reads it after.
        self.accounts.lock(&mut transaction, agent.account).await?;
        let was_active = sql::revoke(&mut transaction, agent.id, by).await?;
        // The database has revoked the key with it.
        let agent = sql::find(&mut transaction, agent.id).await?.ok_or(AgentError::NoSuchAgent)?;
        if was_active {
            self.note(&mut transaction, actor, "agent.revoke", &agent).await?;
        }
        transaction.commit().await.map_err(StoreError::commit("a revocation"))?;
        self.accounts.forget_keys();
        Ok(RevokedAgent { agent, was_active })
    }
}

fn fit_caps(caps: &AgentCaps) -> Result<(), AgentError> {
    for (field, cap) in [("cap_order_usd", caps.order), ("cap_day_usd", caps.day), ("cap_usd", caps.life)] {
        if let Some(cap) = cap.filter(|cap| *cap < Usd::ZERO || *cap > CAP_MAX) {
            return Err(unfit(field, "an amount from 0 to 1000000000", &cap.to_string()));
        }
    }
    Ok(())
}
