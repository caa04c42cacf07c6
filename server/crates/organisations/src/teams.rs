//! Making, listing, changing and closing teams.

use serde_json::Value;

use super::budgets::{UsedPool, unfit};
use super::{BudgetsChange, OrganisationError, OrganisationService, PooledBudgets, Team, TeamChange, TeamState, sql};
use tollgate_accounts::AccountService;
use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Caller, PoolId, draw_id, rfc3339};
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

const NAME_CHARS_MAX: usize = 64;

impl OrganisationService {
    /// The teams of the caller's organisation by name, closed ones included.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, or the store fails.
    pub async fn teams(&self, caller: &Caller) -> Result<Vec<Team>, OrganisationError> {
        self.accounts.may_manage_agents(self.store.readers(), caller).await?;
        let mut teams = sql::teams(self.store.readers(), caller.account).await?;
        self.add_usage(caller.account, teams.iter_mut().map(Team::pool)).await?;
        Ok(teams)
    }

    /// Makes a team.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, the name is unfit or taken, a budget is unfit, there are too many teams,
    /// or the store fails.
    pub async fn create_team(
        &self,
        caller: &Caller,
        name: String,
        budgets: BudgetsChange,
    ) -> Result<Team, OrganisationError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        self.accounts.lock(&mut transaction, caller.account).await?;
        self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        fit_name(&name)?;
        let now_ms = self.clock.now_ms();
        let team = Team {
            id: PoolId(draw_id(1)),
            name,
            state: TeamState::Active,
            budgets: PooledBudgets::default().changed(&budgets, now_ms)?,
            usage: Vec::new(),
            keys: 0,
            created_at_ms: now_ms,
        };
        let open = sql::open_teams(&mut transaction, caller.account).await?;
        if open >= i64::from(limits::TEAMS_PER_ACCOUNT) {
            return Err(OrganisationError::TooMany(open));
        }
        sql::insert_team(&mut transaction, caller.account, &team).await?;
        self.finish(transaction, caller, "team.create", None, team).await
    }

    /// Changes a team, from the next request on.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, there is no such team, it is closed, the name is unfit or taken, a budget
    /// is unfit, or the store fails.
    pub async fn change_team(
        &self,
        caller: &Caller,
        id: PoolId,
        change: TeamChange,
    ) -> Result<Team, OrganisationError> {
        let (mut transaction, before) = self.team_now(caller, id).await?;
        if before.state == TeamState::Closed {
            return Err(OrganisationError::Closed);
        }
        let name = change.name.unwrap_or_else(|| before.name.clone());
        fit_name(&name)?;
        let budgets = before.budgets.changed(&change.budgets, self.clock.now_ms())?;
        let team = Team { name, budgets, ..before.clone() };
        sql::change_team(&mut transaction, &team).await?;
        self.finish(transaction, caller, "team.change", Some(&before), team).await
    }

    /// Closes a team for ever. Doing it twice is the same as once.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, there is no such team, live keys are of it, or the store fails.
    pub async fn close_team(&self, caller: &Caller, id: PoolId) -> Result<Team, OrganisationError> {
        let (mut transaction, before) = self.team_now(caller, id).await?;
        if before.state == TeamState::Closed {
            return Ok(before);
        }
        if before.keys > 0 {
            return Err(OrganisationError::InUse(before.keys));
        }
        let team = Team { state: TeamState::Closed, ..before.clone() };
        sql::change_team(&mut transaction, &team).await?;
        self.finish(transaction, caller, "team.close", Some(&before), team).await
    }

    /// A team, under the lock that the ledger decides by.
    async fn team_now(&self, caller: &Caller, id: PoolId) -> Result<(StoreTransaction, Team), OrganisationError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        self.accounts.lock(&mut transaction, caller.account).await?;
        self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        let team = sql::team(&mut transaction, caller.account, id).await?.ok_or(OrganisationError::NoSuchTeam)?;
        Ok((transaction, team))
    }

    async fn finish(
        &self,
        mut transaction: StoreTransaction,
        caller: &Caller,
        action: &'static str,
        before: Option<&Team>,
        mut team: Team,
    ) -> Result<Team, OrganisationError> {
        let (actor, subject) = (AccountService::actor(caller), team.id.to_string());
        let before = before.map(|team| described(team).to_string());
        self.note(&mut transaction, &actor, action, &subject, before, &described(&team)).await?;
        transaction.commit().await.map_err(StoreError::commit("a team"))?;
        self.add_usage(caller.account, [team.pool()]).await?;
        Ok(team)
    }

    /// Puts the use of their budgets into teams or members of an account.
    pub(super) async fn add_usage(
        &self,
        account: AccountId,
        pools: impl IntoIterator<Item = UsedPool<'_>>,
    ) -> Result<(), StoreError> {
        let now_ms = self.clock.now_ms();
        let mut spent = sql::spent(self.store.readers(), account, now_ms).await?;
        for UsedPool { id, budgets, usage } in pools {
            *usage = spent.remove(&id).unwrap_or_default().of(budgets, now_ms);
        }
        Ok(())
    }

    /// Writes what was done into the log of changes.
    pub(super) async fn note(
        &self,
        transaction: &mut StoreTransaction,
        actor: &str,
        action: &'static str,
        subject: &str,
        before: Option<String>,
        after: &Value,
    ) -> Result<(), StoreError> {
        let entry = AuditEntry::new(self.clock.now_ms(), actor, action, subject);
        record(transaction, &entry.change(before.as_deref(), &after.to_string())).await
    }
}

impl PooledBudgets {
    /// The budgets, for the log of changes.
    pub(super) fn described(&self) -> Value {
        let usd = |amount: Option<tollgate_base::Usd>| amount.map(|amount| amount.to_string());
        serde_json::json!({
            "budget_day_usd": usd(self.day), "budget_week_usd": usd(self.week), "budget_month_usd": usd(self.month),
            "budget_usd": usd(self.life), "raised_by_usd": usd(self.raised_by),
            "raised_until": self.raised_until_ms.map(rfc3339),
        })
    }
}

fn described(team: &Team) -> Value {
    serde_json::json!({"name": team.name, "state": team.state.as_str(), "budgets": team.budgets.described()})
}

fn fit_name(name: &str) -> Result<(), OrganisationError> {
    let fits = (1..=NAME_CHARS_MAX).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if fits && name.trim() == name {
        return Ok(());
    }
    Err(unfit("name", "1 to 64 characters without line breaks and outer spaces", "another text"))
}
