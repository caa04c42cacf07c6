//! Listing, changing and taking out members.

use super::{Member, MemberChange, OrganisationError, OrganisationService, ProviderPerson, TeamState, sql};
use tollgate_accounts::AccountService;
use tollgate_api::generated::types::{MemberKeys, MemberRole, MemberStatus};
use tollgate_base::{AccountId, Caller, PoolId};
use tollgate_store::{StoreError, StoreTransaction};

/// In the log of changes, that groups do not bring a member back.
const KEEP_OUT: &str = "member.keep_out";

/// The way that a membership ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MembershipEnd {
    /// The person has left, or was taken out.
    Left,
    /// Its groups at the provider that made it are lost.
    LostGroups,
    /// The person does not sign in any more by the provider that made it.
    Absent,
}

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

    /// Changes role and budgets of a member, from the next request on. With another role its open invitations are withdrawn, and with one
    /// that makes no keys its keys are revoked.
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
        if role != before.role {
            change_role(&mut transaction, caller.account, &before, role).await?;
        }
        self.finish_member(transaction, by(caller), "member.change", &before, member).await
    }

    /// Takes a member out of the organisation: its sessions end at once, and its keys, and those of nobody else that it has made, are
    /// revoked or become the organisation's; those that manage it are revoked. The groups of a provider do not bring it back, whether
    /// they have ended it before or not. Doing it twice is the same as once.
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
        let (mut transaction, before) = self.member_now(caller, id).await?;
        owners_alone(caller, &[before.role])?;
        if before.may_return {
            sql::members::keep_out(&mut transaction, id).await?;
            let member = Member { may_return: false, ..before.clone() };
            return self.finish_member(transaction, by(caller), KEEP_OUT, &before, member).await;
        }
        self.end_membership(transaction, by(caller), MembershipEnd::Left, before, keys).await
    }

    /// Ends the caller's own membership. Its keys are revoked.
    ///
    /// # Errors
    /// When the caller acts for the own account, no owner would be left, or the store fails.
    pub async fn leave(&self, caller: &Caller) -> Result<Member, OrganisationError> {
        let id = caller.member.ok_or(OrganisationError::OwnAccount)?.id;
        let (transaction, before) = self.member_now(caller, id).await?;
        self.end_membership(transaction, by(caller), MembershipEnd::Left, before, MemberKeys::Revoke).await
    }

    /// The organisations of which the groups of a provider have made a person a member.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn organisations_by(&self, person: AccountId, issuer: &str) -> Result<Vec<AccountId>, OrganisationError> {
        Ok(sql::members::organisations_by(self.store.readers(), person, issuer).await?)
    }

    /// True if the groups of a provider have made a person the only owner of an organisation that nobody signs in to.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn is_only_owner_by(&self, person: AccountId, issuer: &str) -> Result<bool, OrganisationError> {
        Ok(sql::members::is_only_owner_by(self.store.readers(), person, issuer).await?)
    }

    /// Gives a person the role in an organisation that its groups at a provider have there now, or ends the membership where they have
    /// none: its keys are revoked. With a group that comes back so does the member, by the account that the person has then, with what
    /// is spent of its budgets. A member that was invited, or that another provider has made, stays as it is, and so does the last owner;
    /// and whoever left or was taken out, as a member that was invited or by the groups of any provider, stays out.
    ///
    /// # Errors
    /// When there is no such account, no owner would be left, or the store fails.
    pub async fn follow_groups(
        &self,
        (person, organisation): (AccountId, AccountId),
        role: Option<MemberRole>,
        by_person: &ProviderPerson,
    ) -> Result<(), OrganisationError> {
        let issuer = by_person.issuer.as_str();
        let stays = |found: &Option<Member>| match found {
            Some(member) => {
                member.issuer.as_deref() != Some(issuer) || (Some(member.role) == role && member.subject.is_some())
            }
            None => role.is_none(),
        };
        // Most sign-ins change nothing, and wait for nobody.
        if person == organisation || stays(&sql::members::active(self.store.readers(), organisation, person).await?) {
            return Ok(());
        }
        let mut transaction = self.store.begin_of(organisation).await?;
        self.accounts.lock(&mut transaction, organisation).await?;
        if !sql::members::is_account(&mut transaction, organisation).await? {
            return Err(OrganisationError::NoSuchOrganisation);
        }
        let found = sql::members::active(&mut transaction, organisation, person).await?;
        if stays(&found) {
            return Ok(());
        }
        let by = by_groups(organisation, issuer);
        match (found, role) {
            (None, None) => Ok(()),
            (None, Some(role)) => {
                self.join_by_groups(transaction, (person, organisation, role), by_person, &by.1).await
            }
            (Some(before), Some(role)) => {
                sql::members::know(&mut transaction, before.id, by_person).await?;
                if role == before.role {
                    transaction.commit().await.map_err(StoreError::commit("a member"))?;
                    return Ok(());
                }
                let member = Member { role, ..before.clone() };
                change_role(&mut transaction, organisation, &before, role).await?;
                self.finish_member(transaction, by, "member.change", &before, member).await.map(drop)
            }
            (Some(before), None) => {
                let lost = MembershipEnd::LostGroups;
                self.end_membership(transaction, by, lost, before, MemberKeys::Revoke).await.map(drop)
            }
        }
    }

    /// The people whom the groups of a provider have made members, each with an organisation.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn people_by(&self, issuer: &str) -> Result<Vec<(AccountId, AccountId)>, OrganisationError> {
        Ok(sql::members::people_by(self.store.readers(), issuer).await?)
    }

    /// Ends what the groups of a provider have made of a person who does not sign in any more, as where the groups are lost, in a
    /// transaction that begins with what speaks for it.
    ///
    /// # Errors
    /// When no owner would be left, or the store fails.
    pub async fn end_absent(
        &self,
        mut transaction: StoreTransaction,
        (person, organisation): (AccountId, AccountId),
        issuer: &str,
    ) -> Result<(), OrganisationError> {
        self.accounts.lock(&mut transaction, organisation).await?;
        let found = sql::members::active(&mut transaction, organisation, person).await?;
        let Some(before) = found.filter(|member| member.issuer.as_deref() == Some(issuer)) else { return Ok(()) };
        let (by, absent) = (by_groups(organisation, issuer), MembershipEnd::Absent);
        self.end_membership(transaction, by, absent, before, MemberKeys::Revoke).await.map(drop)
    }

    async fn join_by_groups(
        &self,
        mut transaction: StoreTransaction,
        (person, organisation, role): (AccountId, AccountId, MemberRole),
        by: &ProviderPerson,
        actor: &str,
    ) -> Result<(), OrganisationError> {
        if sql::members::is_kept_out(&mut transaction, (person, organisation), by).await? {
            return Ok(());
        }
        let joined = (person, organisation, role);
        let member = match sql::members::lapsed(&mut transaction, (person, organisation), by).await? {
            Some(before) => self.bring_back(&mut transaction, (joined, before), by, actor).await?,
            None => self.become_member(&mut transaction, joined, Some(by), actor).await?,
        };
        sql::members::enter_first(&mut transaction, &member).await?;
        transaction.commit().await.map_err(StoreError::commit("a member"))?;
        Ok(())
    }

    /// Makes somebody a member again whom a lost group has made none, by the account that the person has now.
    async fn bring_back(
        &self,
        transaction: &mut StoreTransaction,
        ((person, _, role), before): ((AccountId, AccountId, MemberRole), Member),
        by: &ProviderPerson,
        actor: &str,
    ) -> Result<Member, OrganisationError> {
        let member = Member {
            person,
            name: sql::members::name(&mut *transaction, person).await?,
            role,
            state: MemberStatus::Active,
            subject: Some(by.subject.clone()),
            may_return: false,
            left_at_ms: None,
            ..before.clone()
        };
        sql::members::bring_back(transaction, &member).await?;
        let (subject, was) = (member.id.to_string(), described(&before).to_string());
        self.note(transaction, actor, "member.return", &subject, Some(was), &described(&member)).await?;
        Ok(member)
    }

    async fn end_membership(
        &self,
        mut transaction: StoreTransaction,
        by: (AccountId, String),
        end: MembershipEnd,
        mut before: Member,
        keys: MemberKeys,
    ) -> Result<Member, OrganisationError> {
        if before.state == MemberStatus::Left {
            drop(transaction);
            self.add_usage(by.0, [before.pool()]).await?;
            return Ok(before);
        }
        let now_ms = self.clock.now_ms();
        match keys {
            MemberKeys::Revoke => sql::members::revoke_keys(&mut transaction, by.0, before.id).await?,
            MemberKeys::Keep => sql::members::keep_keys(&mut transaction, by.0, &before).await?,
        }
        sql::members::forget_maker(&mut transaction, by.0, before.id).await?;
        sql::invitations::withdraw_of(&mut transaction, by.0, before.id).await?;
        sql::members::end(&mut transaction, &before, now_ms, end.by_groups()).await?;
        let found = sql::members::member(&mut transaction, by.0, before.id).await?;
        let member = found.ok_or(OrganisationError::NoSuchMember)?;
        self.finish_member(transaction, by, end.action(), &before, member).await
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
        (organisation, actor): (AccountId, String),
        action: &'static str,
        before: &Member,
        mut member: Member,
    ) -> Result<Member, OrganisationError> {
        let subject = member.id.to_string();
        let was = described(before).to_string();
        self.note(&mut transaction, &actor, action, &subject, Some(was), &described(&member)).await?;
        transaction.commit().await.map_err(StoreError::commit("a member"))?;
        self.accounts.forget_keys();
        self.add_usage(organisation, [member.pool()]).await?;
        Ok(member)
    }
}

impl MembershipEnd {
    /// The name in the log of changes.
    fn action(self) -> &'static str {
        match self {
            Self::Left | Self::LostGroups => "member.leave",
            Self::Absent => "member.absent",
        }
    }

    /// True if groups have ended it, which bring it back.
    fn by_groups(self) -> bool {
        self != Self::Left
    }
}

/// Sees that owners are made, changed and taken out by owners alone. Whoever has the account itself is one.
pub(super) fn owners_alone(caller: &Caller, roles: &[MemberRole]) -> Result<(), OrganisationError> {
    if caller.is_owner() || !roles.contains(&MemberRole::Owner) { Ok(()) } else { Err(OrganisationError::OwnersOnly) }
}

/// Gives a member another role. What it has invited, and keys that it could not make now, go; what an owner's key may manage ends by a
/// rule of the database, and a developer's keys are the own ones.
async fn change_role(
    transaction: &mut StoreTransaction,
    organisation: AccountId,
    before: &Member,
    role: MemberRole,
) -> Result<(), OrganisationError> {
    sql::members::change_role(transaction, before.id, role).await?;
    sql::invitations::withdraw_of(transaction, organisation, before.id).await?;
    match role {
        MemberRole::Owner | MemberRole::Admin => {}
        MemberRole::Developer => sql::members::own_keys(transaction, organisation, before.id).await?,
        MemberRole::Viewer | MemberRole::Billing => {
            sql::members::revoke_keys(transaction, organisation, before.id).await?;
        }
    }
    Ok(())
}

/// The organisation of a caller, and who acts, in the words of the log of changes.
fn by(caller: &Caller) -> (AccountId, String) {
    (caller.account, AccountService::actor(caller))
}

/// The same, where the groups of a provider act.
fn by_groups(organisation: AccountId, issuer: &str) -> (AccountId, String) {
    (organisation, format!("oidc {issuer}"))
}

/// A member, for the log of changes.
pub(super) fn described(member: &Member) -> serde_json::Value {
    serde_json::json!({
        "account": member.person.to_string(), "name": member.name, "role": member.role.as_str(), "state": member.state.as_str(),
        "issuer": member.issuer, "may_return": member.may_return, "keys": member.keys,
        "budgets": member.budgets.described(),
    })
}
