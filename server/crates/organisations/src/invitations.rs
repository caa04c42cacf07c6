//! Inviting people, and accepting an invitation.

use super::budgets::unfit;
use super::members::{described, owners_alone};
use super::{
    CreatedInvitation, Invitation, InvitationState, Member, OrganisationError, OrganisationService, PooledBudgets,
    ProviderPerson, sql,
};
use tollgate_accounts::{AccountService, InvitationSecret};
use tollgate_api::generated::limits;
use tollgate_api::generated::types::{MemberRole, MemberStatus};
use tollgate_base::{AccountId, Caller, PoolId, draw_id, rfc3339};
use tollgate_store::{StoreError, StoreTransaction};

const INVITED_CHARS_MAX: usize = 64;

impl OrganisationService {
    /// The invitations of the caller's organisation, the newest first.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, or the store fails.
    pub async fn invitations(&self, caller: &Caller) -> Result<Vec<Invitation>, OrganisationError> {
        self.accounts.may_manage_agents(self.store.readers(), caller).await?;
        Ok(sql::invitations::invitations(self.store.readers(), caller.account).await?)
    }

    /// Invites somebody. The secret is in the answer and nowhere else.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, the caller is no owner and the role is an owner's, the name is unfit, too many
    /// invitations are open, or the store fails.
    pub async fn invite(
        &self,
        caller: &Caller,
        invited: String,
        role: MemberRole,
    ) -> Result<CreatedInvitation, OrganisationError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        self.accounts.lock(&mut transaction, caller.account).await?;
        let by = self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        owners_alone(caller, &[role])?;
        let fits = (1..=INVITED_CHARS_MAX).contains(&invited.chars().count()) && !invited.chars().any(char::is_control);
        if !fits {
            return Err(unfit("invited", "1 to 64 characters without line breaks", "another text"));
        }
        let now_ms = self.clock.now_ms();
        let open = sql::invitations::open(&mut transaction, caller.account, now_ms).await?;
        if open >= i64::from(limits::INVITATIONS_PER_ACCOUNT) {
            return Err(OrganisationError::TooManyInvitations(open));
        }
        let secret = InvitationSecret::draw();
        let lasts_ms = i64::try_from(limits::INVITATION_TIME.as_millis()).unwrap_or(i64::MAX);
        let invitation = Invitation {
            id: draw_id(1),
            organisation: caller.account,
            invited,
            role,
            state: InvitationState::Open,
            created_at_ms: now_ms,
            ends_at_ms: now_ms.saturating_add(lasts_ms),
            by,
            member: None,
        };
        sql::invitations::insert(&mut transaction, &invitation, &secret.hash).await?;
        self.note_invitation(&mut transaction, caller, "invitation.create", None, &invitation).await?;
        transaction.commit().await.map_err(StoreError::commit("an invitation"))?;
        Ok(CreatedInvitation { invitation, token: secret.token })
    }

    /// Withdraws an invitation. Doing it twice is the same as once.
    ///
    /// # Errors
    /// When the caller's own key is limited or ends, there is no such invitation, it was accepted, or the store fails.
    pub async fn withdraw(&self, caller: &Caller, id: i64) -> Result<Invitation, OrganisationError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        self.accounts.lock(&mut transaction, caller.account).await?;
        self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        let found = sql::invitations::invitation(&mut transaction, caller.account, id).await?;
        let before = found.ok_or(OrganisationError::NoSuchInvitation)?;
        match before.state {
            InvitationState::Accepted => return Err(OrganisationError::Accepted),
            InvitationState::Withdrawn => return Ok(before),
            InvitationState::Open => {}
        }
        let invitation = Invitation { state: InvitationState::Withdrawn, ..before.clone() };
        sql::invitations::answer(&mut transaction, &invitation).await?;
        self.note_invitation(&mut transaction, caller, "invitation.withdraw", Some(&before), &invitation).await?;
        transaction.commit().await.map_err(StoreError::commit("an invitation"))?;
        Ok(invitation)
    }

    /// The open invitation of a secret, with the name of its organisation.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn open_invitation(&self, token: &str) -> Result<(Invitation, String), OrganisationError> {
        let hash = InvitationSecret::hash_of(token).ok_or(OrganisationError::NotOpen)?;
        let found = sql::invitations::by_hash(self.store.readers(), &hash).await?;
        let found = found.filter(|(invitation, _)| self.is_open(invitation));
        found.ok_or(OrganisationError::NotOpen)
    }

    /// Makes the person who is signed in a member, and lets the session act for the organisation.
    ///
    /// # Errors
    /// When the invitation is not open, the person is a member or the account is the own one, or the store fails.
    pub async fn accept(&self, caller: &Caller, token: &str) -> Result<Member, OrganisationError> {
        let (Invitation { id, organisation, .. }, _) = self.open_invitation(token).await?;
        let mut transaction = self.store.begin_of(organisation).await?;
        self.accounts.lock(&mut transaction, organisation).await?;
        self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        // As it is now: two may have the link, and the organisation be frozen.
        let found = sql::invitations::invitation(&mut transaction, organisation, id).await?;
        let before = found.filter(|now| self.is_open(now)).ok_or(OrganisationError::NotOpen)?;
        let joined = (caller.person(), organisation, before.role);
        let member = self.become_member(&mut transaction, joined, None, &AccountService::actor(caller)).await?;
        let accepted = Invitation { state: InvitationState::Accepted, member: Some(member.id), ..before.clone() };
        sql::invitations::answer(&mut transaction, &accepted).await?;
        self.accounts.act_as(&mut transaction, caller, Some(member.id)).await?;
        self.note_invitation(&mut transaction, caller, "invitation.accept", Some(&before), &accepted).await?;
        transaction.commit().await.map_err(StoreError::commit("an invitation"))?;
        Ok(member)
    }

    /// Makes a person a member of an organisation, without budgets; by its groups at a provider, where there is one.
    pub(super) async fn become_member(
        &self,
        transaction: &mut StoreTransaction,
        (person, organisation, role): (AccountId, AccountId, MemberRole),
        by: Option<&ProviderPerson>,
        actor: &str,
    ) -> Result<Member, OrganisationError> {
        if person == organisation {
            return Err(OrganisationError::AlreadyMember);
        }
        let member = Member {
            id: PoolId(draw_id(1)),
            person,
            name: sql::members::name(&mut *transaction, person).await?,
            role,
            state: MemberStatus::Active,
            issuer: by.map(|by| by.issuer.clone()),
            subject: by.map(|by| by.subject.clone()),
            may_return: false,
            budgets: PooledBudgets::NONE,
            usage: Vec::new(),
            keys: 0,
            created_at_ms: self.clock.now_ms(),
            left_at_ms: None,
        };
        sql::members::insert(transaction, organisation, &member).await?;
        self.note(transaction, actor, "member.create", &member.id.to_string(), None, &described(&member)).await?;
        Ok(member)
    }

    fn is_open(&self, invitation: &Invitation) -> bool {
        invitation.state == InvitationState::Open && self.clock.now_ms() < invitation.ends_at_ms
    }

    async fn note_invitation(
        &self,
        transaction: &mut StoreTransaction,
        caller: &Caller,
        action: &'static str,
        before: Option<&Invitation>,
        after: &Invitation,
    ) -> Result<(), StoreError> {
        let told = |invitation: &Invitation| {
            serde_json::json!({
                "account": invitation.organisation.to_string(), "invited": invitation.invited,
                "role": invitation.role.as_str(), "state": invitation.state.as_str(), "ends_at": rfc3339(invitation.ends_at_ms),
            })
        };
        let (actor, subject) = (AccountService::actor(caller), after.id.to_string());
        self.note(transaction, &actor, action, &subject, before.map(|before| told(before).to_string()), &told(after))
            .await
    }
}
