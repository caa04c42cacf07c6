//! The organisations of a person, and which of them a session acts for.

use super::budgets::unfit;
use super::{Membership, OrganisationError, OrganisationService, sql};
use tollgate_accounts::AccountService;
use tollgate_api::generated::limits;
use tollgate_api::generated::types::MemberRole;
use tollgate_base::{AccountId, Caller};
use tollgate_store::StoreError;

impl OrganisationService {
    /// The person's own account, and the organisations that the person is a member of, by name. Those that groups at a provider have
    /// made are told to sessions that began by it alone.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn memberships(&self, caller: &Caller) -> Result<Vec<Membership>, OrganisationError> {
        Ok(sql::members::memberships(self.store.readers(), caller).await?)
    }

    /// Makes an organisation with an account of its own and the person as its owner, for which the session acts from then on.
    ///
    /// # Errors
    /// When registration is switched off, the name is unfit or taken, the person is a member of too many, or the store fails.
    pub async fn create_organisation(&self, caller: &Caller, name: &str) -> Result<Membership, OrganisationError> {
        // What people sign in by names no organisation: an address, or a wallet.
        if name.contains('@') || looks_like_a_wallet(name) {
            return Err(unfit("name", "the name of an organisation, not an address or a wallet", "another text"));
        }
        if !self.accounts.is_registration_open() {
            return Err(OrganisationError::RegistrationClosed);
        }
        let mut transaction = self.store.begin().await?;
        self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        let count = sql::members::count_of_person(&mut transaction, caller.person()).await?;
        if count >= i64::from(limits::ORGANISATIONS_PER_PERSON) {
            return Err(OrganisationError::TooManyOrganisations(count));
        }
        let actor = AccountService::actor(caller);
        let account = self.accounts.open_account(&mut transaction, name, actor.as_str().into()).await?;
        let joined = (caller.person(), account.id, MemberRole::Owner);
        let member = self.become_member(&mut transaction, joined, None, &actor).await?;
        self.accounts.act_as(&mut transaction, caller, Some(member.id)).await?;
        transaction.commit().await.map_err(StoreError::commit("an organisation"))?;
        Ok(Membership { account: account.id, name: account.name, role: MemberRole::Owner, member: Some(member.id) })
    }

    /// Lets the session act for an organisation of the person's, or for the own account.
    ///
    /// # Errors
    /// When the person is no member of it, or the store fails.
    pub async fn enter(&self, caller: &Caller, account: AccountId) -> Result<Membership, OrganisationError> {
        let mut transaction = self.store.begin_of(caller.person()).await?;
        self.accounts.person_now(&mut transaction, caller).await?;
        let found = sql::members::memberships(&mut transaction, caller).await?;
        let entered = found.into_iter().find(|membership| membership.account == account);
        let entered = entered.ok_or(OrganisationError::NoSuchOrganisation)?;
        if let Some(member) = entered.member
            && !self.accounts.is_member_still(&mut transaction, member).await?
        {
            return Err(OrganisationError::NoSuchOrganisation);
        }
        self.accounts.act_as(&mut transaction, caller, entered.member).await?;
        transaction.commit().await.map_err(StoreError::commit("the organisation of a session"))?;
        Ok(entered)
    }
}

/// True for what could be the address of a wallet, on any chain.
fn looks_like_a_wallet(name: &str) -> bool {
    name.starts_with("0x")
        || ((32..=44).contains(&name.len()) && name.chars().all(|letter| letter.is_ascii_alphanumeric()))
}
