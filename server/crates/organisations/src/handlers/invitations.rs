//! `/api/user/self/invitations` and `/api/user/invitations`: invite, list, withdraw, show and accept.

use super::convert::{invitation_reply, member_reply};
use super::refusal::OrganisationRefusal as Refusal;
use crate::{CreatedInvitation, OrganisationError, OrganisationService};
use tollgate_accounts::BadLimit;
use tollgate_api::Cx;
use tollgate_api::generated::ops::invitations::{
    AcceptMemberInvitation, AcceptMemberInvitationError, AcceptMemberInvitationInput, CreateInvitation,
    CreateInvitationError, CreateInvitationInput, ListInvitations, ListInvitationsError, ListInvitationsInput,
    ShowMemberInvitation, ShowMemberInvitationError, ShowMemberInvitationInput, WithdrawInvitation,
    WithdrawInvitationError, WithdrawInvitationInput,
};
use tollgate_api::generated::types::{
    InvitationCreated, InvitationCreatedReply, InvitationListReply, InvitationMail, InvitationReply, MemberReply,
    OpenInvitation, OpenInvitationReply,
};

impl CreateInvitation for OrganisationService {
    async fn create_invitation(
        &self,
        cx: &Cx,
        input: CreateInvitationInput,
    ) -> Result<InvitationCreatedReply, CreateInvitationError> {
        let created = self.create(input).await;
        let (CreatedInvitation { invitation, token }, email) =
            created.map_err(|error| match Refusal::of(cx, error) {
                Refusal::Field(BadLimit { field, expected, found }) => {
                    CreateInvitationError::BadField { field, expected: expected.to_owned(), found }
                }
                Refusal::Limited => CreateInvitationError::KeyLimited,
                Refusal::SignedOut => CreateInvitationError::SessionInvalid,
                Refusal::Frozen => CreateInvitationError::KeyDisabled,
                Refusal::OwnersOnly => CreateInvitationError::OwnersOnly,
                Refusal::TooMany(count) => CreateInvitationError::InvitationLimit { count },
                _ => CreateInvitationError::LedgerUnavailable,
            })?;
        let data = InvitationCreated {
            invitation: invitation_reply(invitation, self.clock.now_ms()),
            link: self.link(&token).into(),
            token: token.reveal().to_owned().into(),
            email,
        };
        Ok(InvitationCreatedReply { success: true, message: String::new(), data })
    }
}

impl OrganisationService {
    /// Invites, and mails the link where that is asked for.
    async fn create(
        &self,
        CreateInvitationInput { caller, body, .. }: CreateInvitationInput,
    ) -> Result<(CreatedInvitation, Option<InvitationMail>), OrganisationError> {
        let to = if body.send_email.unwrap_or_default() { Some(self.recipient(&body.invited)?) } else { None };
        let created = self.invite(&caller, body.invited, body.role).await?;
        let mail = match to {
            Some(to) => Some(self.mail(&created, to).await),
            None => None,
        };
        Ok((created, mail))
    }
}

impl ListInvitations for OrganisationService {
    async fn list_invitations(
        &self,
        cx: &Cx,
        input: ListInvitationsInput,
    ) -> Result<InvitationListReply, ListInvitationsError> {
        let found = self.invitations(&input.caller).await.map_err(|error| match Refusal::of(cx, error) {
            Refusal::Limited => ListInvitationsError::KeyLimited,
            Refusal::SignedOut => ListInvitationsError::SessionInvalid,
            Refusal::Frozen => ListInvitationsError::KeyDisabled,
            _ => ListInvitationsError::LedgerUnavailable,
        })?;
        let now_ms = self.clock.now_ms();
        let data = found.into_iter().map(|invitation| invitation_reply(invitation, now_ms)).collect();
        Ok(InvitationListReply { success: true, message: String::new(), data })
    }
}

impl WithdrawInvitation for OrganisationService {
    async fn withdraw_invitation(
        &self,
        cx: &Cx,
        input: WithdrawInvitationInput,
    ) -> Result<InvitationReply, WithdrawInvitationError> {
        let invitation_id = input.invitation_id;
        let withdrawn = self.withdraw(&input.caller, invitation_id).await;
        let withdrawn = withdrawn.map_err(|error| match Refusal::of(cx, error) {
            Refusal::Limited => WithdrawInvitationError::KeyLimited,
            Refusal::SignedOut => WithdrawInvitationError::SessionInvalid,
            Refusal::Frozen => WithdrawInvitationError::KeyDisabled,
            Refusal::NotFound => WithdrawInvitationError::InvitationNotFound { invitation_id },
            Refusal::Closed => WithdrawInvitationError::InvitationAccepted { invitation_id },
            _ => WithdrawInvitationError::LedgerUnavailable,
        })?;
        let data = invitation_reply(withdrawn, self.clock.now_ms());
        Ok(InvitationReply { success: true, message: String::new(), data })
    }
}

impl ShowMemberInvitation for OrganisationService {
    async fn show_member_invitation(
        &self,
        cx: &Cx,
        input: ShowMemberInvitationInput,
    ) -> Result<OpenInvitationReply, ShowMemberInvitationError> {
        let found = self.open_invitation(&input.body.token.0).await;
        let (invitation, organisation) = found.map_err(|error| match Refusal::of(cx, error) {
            Refusal::NotOpen => ShowMemberInvitationError::InvitationNotOpen,
            _ => ShowMemberInvitationError::LedgerUnavailable,
        })?;
        let data = OpenInvitation {
            organisation,
            invited: invitation.invited,
            role: invitation.role,
            ends_at: invitation.ends_at_ms / 1000,
        };
        Ok(OpenInvitationReply { success: true, message: String::new(), data })
    }
}

impl AcceptMemberInvitation for OrganisationService {
    async fn accept_member_invitation(
        &self,
        cx: &Cx,
        input: AcceptMemberInvitationInput,
    ) -> Result<MemberReply, AcceptMemberInvitationError> {
        let accepted = self.accept(&input.caller, &input.body.token.0).await;
        let member = accepted.map_err(|error| match Refusal::of(cx, error) {
            Refusal::SignedOut | Refusal::Frozen => AcceptMemberInvitationError::SessionInvalid,
            Refusal::NotOpen => AcceptMemberInvitationError::InvitationNotOpen,
            Refusal::AlreadyMember => AcceptMemberInvitationError::AlreadyAMember,
            _ => AcceptMemberInvitationError::LedgerUnavailable,
        })?;
        Ok(MemberReply { success: true, message: String::new(), data: member_reply(member) })
    }
}
