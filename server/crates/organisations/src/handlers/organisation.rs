//! `/api/user/self/organisation`: show and change.

use super::convert::{organisation_change, organisation_reply};
use super::refusal::OrganisationRefusal;
use crate::OrganisationService;
use tollgate_accounts::BadLimit;
use tollgate_api::Cx;
use tollgate_api::generated::ops::organisation::{
    ChangeOrganisation, ChangeOrganisationError, ChangeOrganisationInput, ShowOrganisation, ShowOrganisationError,
    ShowOrganisationInput,
};
use tollgate_api::generated::types::OrganisationReply;

impl ShowOrganisation for OrganisationService {
    async fn show_organisation(
        &self,
        cx: &Cx,
        input: ShowOrganisationInput,
    ) -> Result<OrganisationReply, ShowOrganisationError> {
        let found = self.organisation(&input.caller).await;
        let found = found.map_err(|error| match OrganisationRefusal::of(cx, error) {
            OrganisationRefusal::Limited => ShowOrganisationError::KeyLimited,
            OrganisationRefusal::SignedOut => ShowOrganisationError::SessionInvalid,
            OrganisationRefusal::Frozen => ShowOrganisationError::KeyDisabled,
            _ => ShowOrganisationError::LedgerUnavailable,
        })?;
        Ok(OrganisationReply { success: true, message: String::new(), data: organisation_reply(found) })
    }
}

impl ChangeOrganisation for OrganisationService {
    async fn change_organisation(
        &self,
        cx: &Cx,
        input: ChangeOrganisationInput,
    ) -> Result<OrganisationReply, ChangeOrganisationError> {
        let changed = self.change(&input.caller, organisation_change(&input.body)).await;
        let changed = changed.map_err(|error| match OrganisationRefusal::of(cx, error) {
            OrganisationRefusal::Field(BadLimit { field, expected, found }) => {
                ChangeOrganisationError::BadField { field, expected: expected.to_owned(), found }
            }
            OrganisationRefusal::Limited => ChangeOrganisationError::KeyLimited,
            OrganisationRefusal::SignedOut => ChangeOrganisationError::SessionInvalid,
            OrganisationRefusal::Frozen => ChangeOrganisationError::KeyDisabled,
            _ => ChangeOrganisationError::LedgerUnavailable,
        })?;
        Ok(OrganisationReply { success: true, message: String::new(), data: organisation_reply(changed) })
    }
}
