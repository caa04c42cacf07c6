// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `members`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// Role of a member of an organisation, from the section `member_roles`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/members.yaml: MemberRole")]
pub enum MemberRole {
    /// Everything, the owners themselves included.
    #[wire(name = "owner")]
    Owner,
    /// Members, teams, budgets, keys and agents.
    #[wire(name = "admin")]
    Admin,
    /// Money: top-ups and their orders.
    #[wire(name = "billing")]
    Billing,
    /// Own keys, and what was used by them.
    #[wire(name = "developer")]
    Developer,
    /// Reading alone.
    #[wire(name = "viewer")]
    Viewer,
}

/// State of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/members.yaml: MemberStatus")]
pub enum MemberStatus {
    /// It may act for the organisation in its role.
    #[wire(name = "active")]
    Active,
    /// It may do nothing any more.
    #[wire(name = "left")]
    Left,
}

/// Treatment of the keys of a member who leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/members.yaml: MemberKeys")]
pub enum MemberKeys {
    /// They are revoked.
    #[wire(name = "revoke")]
    Revoke,
    /// They stay, as keys of the organisation, which see all that it used, and each of them gets the budgets of the
    /// member, without their raise, where its own are not lower; what was spent before does not count against them.
    /// Those that manage the organisation are revoked.
    #[wire(name = "keep")]
    Keep,
}

/// Changes. Absent members stay as they are, null means without limit.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: MemberChange")]
pub struct MemberChange {
    /// The role.
    #[wire(optional)]
    pub role: Option<MemberRole>,
    /// The most in a day in UTC.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_day_usd: Option<Option<api::Usd>>,
    /// The most in a week in UTC that begins on a Monday.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_week_usd: Option<Option<api::Usd>>,
    /// The most in a month in UTC.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_month_usd: Option<Option<api::Usd>>,
    /// The most in all.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_usd: Option<Option<api::Usd>>,
    /// The amount by which each of the budgets is higher until `raised_until`.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub raised_by_usd: Option<Option<api::Usd>>,
    /// Time at which the raise ends by itself. It goes with `raised_by_usd`.
    #[wire(optional, nullable, max = 253402300799)]
    pub raised_until: Option<Option<i64>>,
}

/// A member of an organisation. A budget that is absent is none.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: Member")]
pub struct Member {
    /// Number of the member; it never changes.
    pub member_id: i64,
    /// Number of the person's own account.
    pub user_id: i64,
    /// The name that the person signs in by.
    pub name: String,
    /// Its state.
    pub status: MemberStatus,
    /// The provider of OpenID Connect whose groups made it a member, and give and take the role at each sign-in.
    /// Whoever leaves or is taken out all the same is not brought back by them. Absent for who was invited.
    #[wire(optional)]
    pub issuer: Option<String>,
    /// True if the groups of the provider have ended the membership and make the person a member again once they say
    /// so: the groups were lost, the person did not sign in for too long, or cannot sign in by the provider any
    /// more. Taking the member out prevents that.
    pub may_return: bool,
    /// The number of its keys that are not revoked, and of those that it has made for no team and no other member.
    #[wire(min = 0)]
    pub keys: i64,
    /// The use of each of its budgets, the shortest time first.
    pub r#use: Vec<super::BudgetUse>,
    /// Time at which it became a member.
    pub created_at: i64,
    /// Time at which it left.
    #[wire(optional)]
    pub left_at: Option<i64>,
    /// The role.
    pub role: MemberRole,
    /// The most in a day in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_day_usd: Option<api::Usd>,
    /// The most in a week in UTC that begins on a Monday.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_week_usd: Option<api::Usd>,
    /// The most in a month in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_month_usd: Option<api::Usd>,
    /// The most in all.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_usd: Option<api::Usd>,
    /// The amount by which each of the budgets is higher until `raised_until`.
    #[wire(optional, min = 0, max = 1000000000)]
    pub raised_by_usd: Option<api::Usd>,
    /// Time at which the raise ends by itself. It goes with `raised_by_usd`.
    #[wire(optional, max = 253402300799)]
    pub raised_until: Option<i64>,
}

/// Somebody to become a member.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: InvitationRequest")]
pub struct InvitationRequest {
    /// A name or an address for whom it is, for the list. It is checked against nothing. No line breaks.
    #[wire(min_len = 1, max_len = 64)]
    pub invited: String,
    /// The role.
    pub role: MemberRole,
    /// True to mail the link to `invited`, which is an e-mail address then. Absent means false. Services that send
    /// no mail refuse it.
    #[wire(optional)]
    pub send_email: Option<bool>,
}

/// The outcome of mailing the link of an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/members.yaml: InvitationMail")]
pub enum InvitationMail {
    /// The mail server has taken it. Delivery is not reported.
    #[wire(name = "accepted")]
    Accepted,
    /// The mail server has not taken it, or it is unknown whether it has.
    #[wire(name = "failed")]
    Failed,
    /// Too many invitations were made within a day: by the organisation, for the same address, or mailed by the
    /// service.
    #[wire(name = "limit")]
    Limit,
}

/// State of an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/members.yaml: InvitationStatus")]
pub enum InvitationStatus {
    /// It can be accepted until it ends.
    #[wire(name = "open")]
    Open,
    /// Somebody became a member by it.
    #[wire(name = "accepted")]
    Accepted,
    /// It was taken back.
    #[wire(name = "withdrawn")]
    Withdrawn,
    /// Its time is over.
    #[wire(name = "ended")]
    Ended,
}

/// An invitation.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: Invitation")]
pub struct Invitation {
    /// Number of the invitation.
    pub invitation_id: i64,
    /// For whom it is.
    pub invited: String,
    /// The role.
    pub role: MemberRole,
    /// Its state.
    pub status: InvitationStatus,
    /// Time at which it was made.
    pub created_at: i64,
    /// Time at which it ends.
    pub ends_at: i64,
    /// The member that accepted it.
    #[wire(optional)]
    pub member_id: Option<i64>,
}

/// A new invitation.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: InvitationCreated")]
pub struct InvitationCreated {
    /// The invitation.
    pub invitation: Invitation,
    /// The secret of the invitation. Shown here only, and stored as a hash.
    pub token: api::ShownOnce,
    /// The page at which it is accepted, with the secret behind a `#`, which browsers send nowhere. Shown here only.
    pub link: api::ShownOnce,
    /// The outcome of mailing the link. Whatever it is, the invitation is made, and its link works. Absent where it
    /// was not to be mailed.
    #[wire(optional)]
    pub email: Option<InvitationMail>,
}

/// The secret of an invitation.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: InvitationToken")]
pub struct InvitationToken {
    /// The secret, from the end of the link.
    #[wire(min_len = 1, max_len = 128)]
    pub token: api::ShownOnce,
}

/// An invitation that can be accepted.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: OpenInvitation")]
pub struct OpenInvitation {
    /// The name of the organisation.
    pub organisation: String,
    /// For whom it is.
    pub invited: String,
    /// The role.
    pub role: MemberRole,
    /// Time at which it ends.
    pub ends_at: i64,
}

/// A new organisation.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: OrganisationRequest")]
pub struct OrganisationRequest {
    /// Its name, which no other account has. No line breaks.
    #[wire(min_len = 1, max_len = 64)]
    pub name: String,
}

/// An account that a person acts for.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: Membership")]
pub struct Membership {
    /// Number of the account.
    pub account_id: i64,
    /// Its name.
    pub name: String,
    /// True for the account that the person signs in to.
    pub own: bool,
    /// The role there. In the own account it is the owner's.
    pub role: MemberRole,
    /// Number of the member that the person is there.
    #[wire(optional)]
    pub member_id: Option<i64>,
    /// True for the account that the session acts for.
    pub current: bool,
}

/// Answer of `members.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: MemberListReply")]
pub struct MemberListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The members, those who have left included.
    pub data: Vec<Member>,
}

/// Answer of `members.change`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: MemberReply")]
pub struct MemberReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The member as it stands now.
    pub data: Member,
}

/// Answer of `invitations.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: InvitationCreatedReply")]
pub struct InvitationCreatedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The invitation with its link.
    pub data: InvitationCreated,
}

/// Answer of `invitations.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: InvitationListReply")]
pub struct InvitationListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The invitations, answered ones included.
    pub data: Vec<Invitation>,
}

/// Answer of `invitations.withdraw`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: InvitationReply")]
pub struct InvitationReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The invitation as it stands now.
    pub data: Invitation,
}

/// Answer of `invitations.show`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: OpenInvitationReply")]
pub struct OpenInvitationReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The invitation.
    pub data: OpenInvitation,
}

/// Answer of `organisations.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: MembershipListReply")]
pub struct MembershipListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The organisations, the own account first.
    pub data: Vec<Membership>,
}

/// Answer of `organisations.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/members.yaml: MembershipReply")]
pub struct MembershipReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The organisation.
    pub data: Membership,
}
