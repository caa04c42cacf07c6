// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `members`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/user/self/members: The members of the organisation by name, those who have left included, each with
/// what is spent of its budgets. (spec/operations/members.yaml: members.list)
#[diagnostic::on_unimplemented(
    message = "operation `members.list` (GET /api/user/self/members) has no handler on `{Self}`",
    label = "missing `impl ListMembers for {Self}`",
    note = "declared at spec/operations/members.yaml: members.list",
    note = "add: impl ListMembers for {Self} {{ async fn list_members(&self, cx: &Cx, input: ListMembersInput) -> Result<MemberListReply, ListMembersError> {{ .. }} }}"
)]
pub trait ListMembers: Send + Sync + 'static {
    /// Answers the operation.
    fn list_members(
        &self,
        cx: &api::Cx,
        input: ListMembersInput,
    ) -> impl Future<Output = Result<types::MemberListReply, ListMembersError>> + Send;
}

/// The input of [`ListMembers`].
#[derive(Debug)]
pub struct ListMembersInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ListMembersInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "viewer"];
}

/// The errors of [`ListMembers`].
#[derive(Debug, OpError)]
#[op(operation = "members.list", spec = "spec/operations/members.yaml: members.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListMembersError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(KEY_LIMITED)]
    KeyLimited,
}

pub(in crate::generated) static LIST_MEMBERS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/members"),
    ],
    members: ListMembersInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("members.list", "spec/operations/members.yaml: members.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_members<S: ListMembers + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListMembersInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.list_members(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PATCH /api/user/self/members/{member_id}: Changes the role and the budgets of a member, from the next request
/// on. What is absent stays as it is; null takes the budget away. Owners are made and changed by owners alone.
/// Keys go with the role: who is an owner no more leaves none that manages, a developer's are the own ones, and
/// billing and viewers have none. (spec/operations/members.yaml: members.change)
#[diagnostic::on_unimplemented(
    message = "operation `members.change` (PATCH /api/user/self/members/{{member_id}}) has no handler on `{Self}`",
    label = "missing `impl ChangeMember for {Self}`",
    note = "declared at spec/operations/members.yaml: members.change",
    note = "add: impl ChangeMember for {Self} {{ async fn change_member(&self, cx: &Cx, input: ChangeMemberInput) -> Result<MemberReply, ChangeMemberError> {{ .. }} }}"
)]
pub trait ChangeMember: Send + Sync + 'static {
    /// Answers the operation.
    fn change_member(
        &self,
        cx: &api::Cx,
        input: ChangeMemberInput,
    ) -> impl Future<Output = Result<types::MemberReply, ChangeMemberError>> + Send;
}

/// The input of [`ChangeMember`].
#[derive(Debug)]
pub struct ChangeMemberInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the member.
    pub member_id: i64,
    /// The body.
    pub body: types::MemberChange,
}

impl ChangeMemberInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`ChangeMember`].
#[derive(Debug, OpError)]
#[op(operation = "members.change", spec = "spec/operations/members.yaml: members.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeMemberError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(KEY_LIMITED)]
    KeyLimited,
    #[code(MEMBER_NOT_FOUND)]
    MemberNotFound { member_id: i64 },
    #[code(MEMBER_LEFT)]
    MemberLeft { member_id: i64 },
    #[code(OWNERS_ONLY)]
    OwnersOnly,
    #[code(LAST_OWNER)]
    LastOwner,
}

pub(in crate::generated) static CHANGE_MEMBER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PATCH, "/api/user/self/members/{member_id}"),
    ],
    members: ChangeMemberInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    ..api::Operation::new("members.change", "spec/operations/members.yaml: members.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_member<S: ChangeMember + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeMemberInput {
        caller: call.caller_or_session(&*service).await?,
        member_id: call.path("member_id", "a whole number")?,
        body: call.json().await?,
    };
    let reply = service.change_member(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/user/self/members/{member_id}: Takes a member out of the organisation. The person's sessions that
/// act for it end at once. The keys of the member, and those that it has made for no team and no other member,
/// are revoked, or stay as keys of the organisation, each with the budgets that the member had; those that
/// manage the organisation are revoked. Groups of providers do not make the person a member again. One who has
/// left, with `may_return` true, is kept out so. Owners, former ones included, are taken out by owners alone;
/// doing it again changes nothing. (spec/operations/members.yaml: members.remove)
#[diagnostic::on_unimplemented(
    message = "operation `members.remove` (DELETE /api/user/self/members/{{member_id}}) has no handler on `{Self}`",
    label = "missing `impl RemoveMember for {Self}`",
    note = "declared at spec/operations/members.yaml: members.remove",
    note = "add: impl RemoveMember for {Self} {{ async fn remove_member(&self, cx: &Cx, input: RemoveMemberInput) -> Result<MemberReply, RemoveMemberError> {{ .. }} }}"
)]
pub trait RemoveMember: Send + Sync + 'static {
    /// Answers the operation.
    fn remove_member(
        &self,
        cx: &api::Cx,
        input: RemoveMemberInput,
    ) -> impl Future<Output = Result<types::MemberReply, RemoveMemberError>> + Send;
}

/// The input of [`RemoveMember`].
#[derive(Debug)]
pub struct RemoveMemberInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the member.
    pub member_id: i64,
    /// Treatment of the member's keys. Absent means `revoke`.
    pub keys: Option<types::MemberKeys>,
}

impl RemoveMemberInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`RemoveMember`].
#[derive(Debug, OpError)]
#[op(operation = "members.remove", spec = "spec/operations/members.yaml: members.remove")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RemoveMemberError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(KEY_LIMITED)]
    KeyLimited,
    #[code(MEMBER_NOT_FOUND)]
    MemberNotFound { member_id: i64 },
    #[code(OWNERS_ONLY)]
    OwnersOnly,
    #[code(LAST_OWNER)]
    LastOwner,
}

pub(in crate::generated) static REMOVE_MEMBER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/user/self/members/{member_id}"),
    ],
    members: RemoveMemberInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("members.remove", "spec/operations/members.yaml: members.remove", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn remove_member<S: RemoveMember + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = RemoveMemberInput {
        caller: call.caller_or_session(&*service).await?,
        member_id: call.path("member_id", "a whole number")?,
        keys: call.optional_query("keys", "one of `revoke`, `keep`")?,
    };
    let reply = service.remove_member(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/self/organisation/leave: Ends the caller's own membership of the organisation that the session
/// acts for. The member's keys, and those that it has made for no team and no other member, are revoked, and the
/// sessions that act for it end, the one that asks included. (spec/operations/members.yaml: members.leave)
#[diagnostic::on_unimplemented(
    message = "operation `members.leave` (POST /api/user/self/organisation/leave) has no handler on `{Self}`",
    label = "missing `impl LeaveOrganisation for {Self}`",
    note = "declared at spec/operations/members.yaml: members.leave",
    note = "add: impl LeaveOrganisation for {Self} {{ async fn leave_organisation(&self, cx: &Cx, input: LeaveOrganisationInput) -> Result<MemberReply, LeaveOrganisationError> {{ .. }} }}"
)]
pub trait LeaveOrganisation: Send + Sync + 'static {
    /// Answers the operation.
    fn leave_organisation(
        &self,
        cx: &api::Cx,
        input: LeaveOrganisationInput,
    ) -> impl Future<Output = Result<types::MemberReply, LeaveOrganisationError>> + Send;
}

/// The input of [`LeaveOrganisation`].
#[derive(Debug)]
pub struct LeaveOrganisationInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl LeaveOrganisationInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`LeaveOrganisation`].
#[derive(Debug, OpError)]
#[op(operation = "members.leave", spec = "spec/operations/members.yaml: members.leave")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum LeaveOrganisationError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(NOT_A_MEMBER)]
    NotAMember,
    #[code(LAST_OWNER)]
    LastOwner,
}

pub(in crate::generated) static LEAVE_ORGANISATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/organisation/leave"),
    ],
    members: LeaveOrganisationInput::MEMBERS,
    schemes: &[&auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("members.leave", "spec/operations/members.yaml: members.leave", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn leave_organisation<S: LeaveOrganisation + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = LeaveOrganisationInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.leave_organisation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
