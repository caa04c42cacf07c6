//! `/api/user/self/organisations`: list, make and enter.

use super::refusal::OrganisationRefusal as Refusal;
use crate::{Membership, OrganisationService};
use tollgate_accounts::BadLimit;
use tollgate_api::Cx;
use tollgate_api::generated::ops::organisations::{
    CreateOrganisation, CreateOrganisationError, CreateOrganisationInput, EnterOrganisation, EnterOrganisationError,
    EnterOrganisationInput, ListOrganisations, ListOrganisationsError, ListOrganisationsInput,
};
use tollgate_api::generated::types::{self, MembershipListReply, MembershipReply};
use tollgate_base::AccountId;

impl ListOrganisations for OrganisationService {
    async fn list_organisations(
        &self,
        cx: &Cx,
        input: ListOrganisationsInput,
    ) -> Result<MembershipListReply, ListOrganisationsError> {
        let found = self.memberships(&input.caller).await.map_err(|error| {
            Refusal::of(cx, error);
            ListOrganisationsError::LedgerUnavailable
        })?;
        let current = input.caller.account;
        let data = found.into_iter().map(|membership| told(membership, current)).collect();
        Ok(MembershipListReply { success: true, message: String::new(), data })
    }
}

impl CreateOrganisation for OrganisationService {
    async fn create_organisation(
        &self,
        cx: &Cx,
        input: CreateOrganisationInput,
    ) -> Result<MembershipReply, CreateOrganisationError> {
        let name = input.body.name;
        let made = self.create_organisation(&input.caller, &name).await;
        let made = made.map_err(|error| match Refusal::of(cx, error) {
            Refusal::Field(BadLimit { field, expected, found }) => {
                CreateOrganisationError::BadField { field, expected: expected.to_owned(), found }
            }
            Refusal::SignedOut | Refusal::Frozen => CreateOrganisationError::SessionInvalid,
            Refusal::RegistrationClosed => CreateOrganisationError::RegistrationDisabled,
            Refusal::NameTaken => CreateOrganisationError::OrganisationNameTaken { name },
            Refusal::TooMany(count) => CreateOrganisationError::OrganisationLimit { count },
            _ => CreateOrganisationError::LedgerUnavailable,
        })?;
        Ok(reply(made))
    }
}

impl EnterOrganisation for OrganisationService {
    async fn enter_organisation(
        &self,
        cx: &Cx,
        input: EnterOrganisationInput,
    ) -> Result<MembershipReply, EnterOrganisationError> {
        let account_id = input.account_id;
        let entered = self.enter(&input.caller, AccountId(account_id)).await;
        let entered = entered.map_err(|error| match Refusal::of(cx, error) {
            Refusal::SignedOut | Refusal::Frozen => EnterOrganisationError::SessionInvalid,
            Refusal::NotFound => EnterOrganisationError::OrganisationNotFound { account_id },
            _ => EnterOrganisationError::LedgerUnavailable,
        })?;
        Ok(reply(entered))
    }
}

fn reply(membership: Membership) -> MembershipReply {
    let current = membership.account;
    MembershipReply { success: true, message: String::new(), data: told(membership, current) }
}

fn told(membership: Membership, current: AccountId) -> types::Membership {
    let Membership { account, name, role, member } = membership;
    types::Membership {
        account_id: account.0,
        name,
        own: member.is_none(),
        role,
        member_id: member.map(|member| member.0),
        current: account == current,
    }
}
