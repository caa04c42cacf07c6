//! `GET /console/organisation` and `GET /invitation`.

use std::sync::Arc;

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::texts::{ConsoleTexts, ENGLISH};
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::console::{
    ShowInvitationPage, ShowInvitationPageError, ShowInvitationPageInput, ShowOwnOrganisation,
    ShowOwnOrganisationError, ShowOwnOrganisationInput,
};
use tollgate_api::generated::ops::invitations::{ListInvitations, ListInvitationsInput};
use tollgate_api::generated::ops::members::{ListMembers, ListMembersInput};
use tollgate_api::generated::ops::organisation::{ShowOrganisation, ShowOrganisationInput};
use tollgate_api::generated::ops::organisations::{ListOrganisations, ListOrganisationsInput};
use tollgate_api::generated::ops::teams::{ListTeams, ListTeamsInput};
use tollgate_api::generated::types::{
    Invitation, InvitationStatus, Member, MemberRole, MemberStatus, Membership, Organisation, Team, TeamStatus,
};
use tollgate_api::{Caller, Cx, ProxyReply};
use tollgate_base::Branding;
use tollgate_pages::reply;

#[derive(Template)]
#[template(path = "account/organisation.html")]
struct OwnOrganisationPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    memberships: Vec<Membership>,
    organisation: Organisation,
    teams: Vec<Team>,
    /// Absent for whom the role does not show them.
    members: Option<Vec<Member>>,
    invitations: Vec<Invitation>,
    /// True if the service mails them.
    sends_mail: bool,
    may_create: bool,
}

#[derive(Template)]
#[template(path = "account/invitation.html")]
struct InvitationPage {
    t: &'static ConsoleTexts,
    branding: Arc<Branding>,
    /// True where a wallet opens an account.
    is_open: bool,
    takes_wallets: bool,
    providers: Vec<(String, String)>,
}

impl ShowOwnOrganisation for AccountPages {
    async fn show_own_organisation(
        &self,
        cx: &Cx,
        input: ShowOwnOrganisationInput,
    ) -> Result<ProxyReply, ShowOwnOrganisationError> {
        let page = self.organisation_page(cx, input.caller).await;
        page.map_err(|Unreadable| ShowOwnOrganisationError::LedgerUnavailable)
    }
}

impl ShowInvitationPage for AccountPages {
    async fn show_invitation_page(
        &self,
        _cx: &Cx,
        _input: ShowInvitationPageInput,
    ) -> Result<ProxyReply, ShowInvitationPageError> {
        Ok(reply::page(&InvitationPage {
            t: &ENGLISH,
            branding: self.branding.clone(),
            is_open: self.accounts.is_registration_open(),
            takes_wallets: self.identities.takes_wallets(),
            providers: self.sign_in_providers(),
        }))
    }
}

impl AccountPages {
    async fn organisation_page(&self, cx: &Cx, caller: Caller) -> Result<ProxyReply, Unreadable> {
        let frame = self.frame(cx, &caller, ConsoleSection::Organisation).await?;
        let rooms = &self.organisations;
        let list = ListOrganisationsInput { caller: caller.clone() };
        let memberships = rooms.list_organisations(cx, list).await.map_err(|_| Unreadable)?.data;
        let show = ShowOrganisationInput { caller: caller.clone() };
        let organisation = rooms.show_organisation(cx, show).await.map_err(|_| Unreadable)?.data;
        let list = ListTeamsInput { caller: caller.clone() };
        let teams = rooms.list_teams(cx, list).await.map_err(|_| Unreadable)?.data;
        let members = if frame.powers.sees_members {
            let list = ListMembersInput { caller: caller.clone() };
            Some(rooms.list_members(cx, list).await.map_err(|_| Unreadable)?.data)
        } else {
            None
        };
        let invitations = if frame.powers.manages {
            rooms.list_invitations(cx, ListInvitationsInput { caller }).await.map_err(|_| Unreadable)?.data
        } else {
            Vec::new()
        };
        let (t, may_create) = (frame.t, self.accounts.is_registration_open());
        Ok(reply::page(&OwnOrganisationPage {
            t,
            frame,
            memberships,
            organisation,
            teams: teams.into_iter().filter(|team| team.status == TeamStatus::Active).collect(),
            members,
            invitations: invitations.into_iter().filter(|each| each.status == InvitationStatus::Open).collect(),
            sends_mail: self.organisations.sends_mail(),
            may_create,
        }))
    }
}

impl OwnOrganisationPage {
    /// The roles that the person may give.
    fn roles(&self) -> impl Iterator<Item = &'static MemberRole> {
        let is_owner = self.frame.powers.owns;
        MemberRole::ALL.iter().filter(move |role| is_owner || **role != MemberRole::Owner)
    }

    /// True for a member whom the person may change.
    fn may_change(&self, member: &Member) -> bool {
        member.status == MemberStatus::Active && self.may_take_out(member)
    }

    fn may_keep_out(&self, member: &Member) -> bool {
        member.may_return && self.may_take_out(member)
    }

    fn may_take_out(&self, member: &Member) -> bool {
        let powers = self.frame.powers;
        powers.manages && (powers.owns || member.role != MemberRole::Owner)
    }
}
