//! Listing, changing and taking out members.

use super::{Member, MemberChange, OrganisationError, OrganisationService, TeamState, sql};
use tollgate_accounts::AccountService;
use tollgate_api::generated::types::{MemberKeys, MemberRole, MemberStatus};
use tollgate_base::{Caller, PoolId};
use tollgate_store::{StoreError, StoreTransaction};

impl OrganisationService {
    /// The members of the caller's organisation by name, those who have left included.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, or the store fails.
    pub async fn members(&self, caller: &Caller) -> Result<Vec<Member>, OrganisationError> {
        self.accounts.may_manage_agents(self.store.readers(), caller).await?;
        let mut members = sql::members::members(self.store.readers(), caller.account).await?;
        self.add_usage(caller.account, members.iter_mut().map(Member::pool)).await?;
        Ok(members)
    }

    /// Changes role and budgets of a member, from the next request on. With another role its open invitations are withdrawn.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, there is no such member or it has left, the caller is no owner and it is about
    /// one, no owner would be left, a budget is unfit, or the store fails.
    pub async fn change_member(
        &self,
        caller: &Caller,
        id: PoolId,
        change: MemberChange,
    ) -> Result<Member, OrganisationError> {
        let (mut transaction, before) = self.member_now(caller, id).await?;
        if before.state == MemberStatus::Left {
            return Err(OrganisationError::Left);
        }
        let role = change.role.unwrap_or(before.role);
        owners_alone(caller, &[before.role, role])?;
        let budgets = before.budgets.changed(&change.budgets, self.clock.now_ms())?;
        let member = Member { role, budgets, ..before.clone() };
        sql::members::change_pool(&mut transaction, &member, TeamState::Active).await?;
        sql::members::change_role(&mut transaction, id, role).await?;
        if role != before.role {
            sql::invitations::withdraw_of(&mut transaction, caller.account, id).await?;
        }
        self.finish_member(transaction, caller, "member.change", &before, member).await
    }

    /// Takes a member out of the organisation: its sessions end at once, and its keys are revoked or become the organisation's. Doing
    /// it twice is the same as once.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, there is no such member, the caller is no owner and it is one, no owner would be
    /// left, or the store fails.
    pub async fn remove_member(
        &self,
        caller: &Caller,
        id: PoolId,
        keys: MemberKeys,
    ) -> Result<Member, OrganisationError> {
        let (transaction, before) = self.member_now(caller, id).await?;
        owners_alone(caller, &[before.role])?;
        self.end_membership(transaction, caller, before, keys).await
    }

    /// Ends the caller's own membership. Its keys are revoked.
    ///
    /// # Errors
    /// When the caller acts for the own account, no owner would be left, or the store fails.
    pub async fn leave(&self, caller: &Caller) -> Result<Member, OrganisationError> {
        let id = caller.member.ok_or(OrganisationError::OwnAccount)?.id;
        let (transaction, before) = self.member_now(caller, id).await?;
        self.end_membership(transaction, caller, before, MemberKeys::Revoke).await
    }

    async fn end_membership(
        &self,
        mut transaction: StoreTransaction,
        caller: &Caller,
        before: Member,
        keys: MemberKeys,
    ) -> Result<Member, OrganisationError> {
        if before.state == MemberStatus::Left {
            return Ok(before);
        }
        let now_ms = self.clock.now_ms();
        match keys {
            MemberKeys::Revoke => sql::members::revoke_keys(&mut transaction, caller.account, before.id).await?,
            MemberKeys::Keep => sql::members::keep_keys(&mut transaction, caller.account, before.id).await?,
        }
        sql::invitations::withdraw_of(&mut transaction, caller.account, before.id).await?;
        sql::members::end(&mut transaction, &before, now_ms).await?;
        let member = Member { state: MemberStatus::Left, left_at_ms: Some(now_ms), keys: 0, ..before.clone() };
        let member = self.finish_member(transaction, caller, "member.leave", &before, member).await?;
        self.accounts.forget_keys();
        Ok(member)
    }

    /// A member, under the lock that the ledger decides by.
    async fn member_now(&self, caller: &Caller, id: PoolId) -> Result<(StoreTransaction, Member), OrganisationError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        self.accounts.lock(&mut transaction, caller.account).await?;
        self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        let found = sql::members::member(&mut transaction, caller.account, id).await?;
        Ok((transaction, found.ok_or(OrganisationError::NoSuchMember)?))
    }

    async fn finish_member(
        &self,
        mut transaction: StoreTransaction,
        caller: &Caller,
        action: &'static str,
        before: &Member,
        mut member: Member,
    ) -> Result<Member, OrganisationError> {
        let (actor, subject) = (AccountService::actor(caller), member.id.to_string());
        let was = described(before).to_string();
        self.note(&mut transaction, &actor, action, &subject, Some(was), &described(&member)).await?;
        transaction.commit().await.map_err(StoreError::commit("a member"))?;
        self.add_usage(caller.account, [member.pool()]).await?;
        Ok(member)
    }
}

/// Sees that owners are made, changed and taken out by owners alone. Whoever has the account itself is one.
pub(super) fn owners_alone(caller: &Caller, roles: &[MemberRole]) -> Result<(), OrganisationError> {
    if caller.is_owner() || !roles.contains(&MemberRole::Owner) { Ok(()) } else { Err(OrganisationError::OwnersOnly) }
}

/// A member, for the log of changes.
pub(super) fn described(member: &Member) -> serde_json::Value {
    serde_json::json!({
        "account": member.person.to_string(), "name": member.name, "role": member.role.as_str(), "state": member.state.as_str(),
        "budgets": member.budgets.described(),
    })
}
