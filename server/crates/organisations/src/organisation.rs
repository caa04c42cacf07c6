//! The organisation of an account.

use super::{BudgetUse, BudgetsChange, OrganisationError, OrganisationService, PooledBudgets, sql};
use tollgate_accounts::AccountService;
use tollgate_base::{AccountId, Caller};
use tollgate_store::StoreError;

/// An organisation, whose wallet an account is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organisation {
    /// Its name, which is that of the account.
    pub name: String,
    /// The budgets that all of its keys spend together.
    pub budgets: PooledBudgets,
    /// Their use.
    pub usage: Vec<BudgetUse>,
}

impl OrganisationService {
    /// The organisation of a caller.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, or the store fails.
    pub async fn organisation(&self, caller: &Caller) -> Result<Organisation, OrganisationError> {
        self.accounts.may_manage_agents(self.store.readers(), caller).await?;
        self.read(caller.account).await
    }

    /// Changes the budgets of the whole organisation, from the next request on.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, a budget is unfit, or the store fails.
    pub async fn change(&self, caller: &Caller, change: BudgetsChange) -> Result<Organisation, OrganisationError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        self.accounts.lock(&mut transaction, caller.account).await?;
        self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        let now_ms = self.clock.now_ms();
        let before = sql::budgets_of_organisation(&mut transaction, caller.account).await?;
        let budgets = before.unwrap_or_default().changed(&change, now_ms)?;
        if before.is_none() && budgets == PooledBudgets::default() {
            return self.read(caller.account).await;
        }
        sql::set_budgets_of_organisation(&mut transaction, caller.account, &budgets, now_ms).await?;
        let (actor, subject) = (AccountService::actor(caller), caller.account.to_string());
        let before = before.map(|budgets| budgets.described().to_string());
        self.note(&mut transaction, &actor, "organisation.change", &subject, before, &budgets.described()).await?;
        transaction.commit().await.map_err(StoreError::commit("the budgets of an organisation"))?;
        self.read(caller.account).await
    }

    async fn read(&self, account: AccountId) -> Result<Organisation, OrganisationError> {
        let now_ms = self.clock.now_ms();
        let (name, pool) = sql::organisation(self.store.readers(), account).await?;
        let Some((pool, budgets)) = pool else {
            return Ok(Organisation { name, budgets: PooledBudgets::default(), usage: Vec::new() });
        };
        let mut spent = sql::spent(self.store.readers(), account, now_ms).await?;
        let usage = spent.remove(&pool).unwrap_or_default().of(budgets, now_ms);
        Ok(Organisation { name, budgets, usage })
    }
}
