//! `/api/user/self/members`: list, change, take out and leave.

use super::convert::{member_change, member_reply};
use super::refusal::OrganisationRefusal as Refusal;
use crate::{Member, OrganisationService};
use tollgate_accounts::BadLimit;
use tollgate_api::Cx;
use tollgate_api::generated::ops::members::{
    ChangeMember, ChangeMemberError, ChangeMemberInput, LeaveOrganisation, LeaveOrganisationError,
    LeaveOrganisationInput, ListMembers, ListMembersError, ListMembersInput, RemoveMember, RemoveMemberError,
    RemoveMemberInput,
};
use tollgate_api::generated::types::{MemberKeys, MemberListReply, MemberReply};
use tollgate_base::PoolId;

impl ListMembers for OrganisationService {
    async fn list_members(&self, cx: &Cx, input: ListMembersInput) -> Result<MemberListReply, ListMembersError> {
        let members = self.members(&input.caller).await.map_err(|error| match Refusal::of(cx, error) {
            Refusal::Limited => ListMembersError::KeyLimited,
            Refusal::SignedOut => ListMembersError::SessionInvalid,
            Refusal::Frozen => ListMembersError::KeyDisabled,
            _ => ListMembersError::LedgerUnavailable,
        })?;
        let data = members.into_iter().map(member_reply).collect();
        Ok(MemberListReply { success: true, message: String::new(), data })
    }
}

impl ChangeMember for OrganisationService {
    async fn change_member(&self, cx: &Cx, input: ChangeMemberInput) -> Result<MemberReply, ChangeMemberError> {
        let member_id = input.member_id;
        let member = self.change_member(&input.caller, PoolId(member_id), member_change(&input.body)).await;
        let member = member.map_err(|error| match Refusal::of(cx, error) {
            Refusal::Field(BadLimit { field, expected, found }) => {
                ChangeMemberError::BadField { field, expected: expected.to_owned(), found }
            }
            Refusal::Limited => ChangeMemberError::KeyLimited,
            Refusal::SignedOut => ChangeMemberError::SessionInvalid,
            Refusal::Frozen => ChangeMemberError::KeyDisabled,
            Refusal::NotFound => ChangeMemberError::MemberNotFound { member_id },
            Refusal::Closed => ChangeMemberError::MemberLeft { member_id },
            Refusal::OwnersOnly => ChangeMemberError::OwnersOnly,
            Refusal::LastOwner => ChangeMemberError::LastOwner,
            _ => ChangeMemberError::LedgerUnavailable,
        })?;
        Ok(reply(member))
    }
}

impl RemoveMember for OrganisationService {
    async fn remove_member(&self, cx: &Cx, input: RemoveMemberInput) -> Result<MemberReply, RemoveMemberError> {
        let (member_id, keys) = (input.member_id, input.keys.unwrap_or(MemberKeys::Revoke));
        let member = self.remove_member(&input.caller, PoolId(member_id), keys).await;
        let member = member.map_err(|error| match Refusal::of(cx, error) {
            Refusal::Limited => RemoveMemberError::KeyLimited,
            Refusal::SignedOut => RemoveMemberError::SessionInvalid,
            Refusal::Frozen => RemoveMemberError::KeyDisabled,
            Refusal::NotFound => RemoveMemberError::MemberNotFound { member_id },
            Refusal::OwnersOnly => RemoveMemberError::OwnersOnly,
            Refusal::LastOwner => RemoveMemberError::LastOwner,
            _ => RemoveMemberError::LedgerUnavailable,
        })?;
        Ok(reply(member))
    }
}

impl LeaveOrganisation for OrganisationService {
    async fn leave_organisation(
        &self,
        cx: &Cx,
        input: LeaveOrganisationInput,
    ) -> Result<MemberReply, LeaveOrganisationError> {
        let member = self.leave(&input.caller).await.map_err(|error| match Refusal::of(cx, error) {
            Refusal::SignedOut | Refusal::Frozen | Refusal::NotFound => LeaveOrganisationError::SessionInvalid,
            Refusal::OwnAccount => LeaveOrganisationError::NotAMember,
            Refusal::LastOwner => LeaveOrganisationError::LastOwner,
            _ => LeaveOrganisationError::LedgerUnavailable,
        })?;
        Ok(reply(member))
    }
}

fn reply(member: Member) -> MemberReply {
    MemberReply { success: true, message: String::new(), data: member_reply(member) }
}
