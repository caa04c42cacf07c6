// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `invitations`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/user/self/invitations: Invites somebody to become a member. The link works once and is in this
/// answer alone, and in the mail where one is sent; whoever has it is whom it is for. Owners are invited by
/// owners alone. (spec/operations/members.yaml: invitations.create)
#[diagnostic::on_unimplemented(
    message = "operation `invitations.create` (POST /api/user/self/invitations) has no handler on `{Self}`",
    label = "missing `impl CreateInvitation for {Self}`",
    note = "declared at spec/operations/members.yaml: invitations.create",
    note = "add: impl CreateInvitation for {Self} {{ async fn create_invitation(&self, cx: &Cx, input: CreateInvitationInput) -> Result<InvitationCreatedReply, CreateInvitationError> {{ .. }} }}"
)]
pub trait CreateInvitation: Send + Sync + 'static {
    /// Answers the operation.
    fn create_invitation(
        &self,
        cx: &api::Cx,
        input: CreateInvitationInput,
    ) -> impl Future<Output = Result<types::InvitationCreatedReply, CreateInvitationError>> + Send;
}

/// The input of [`CreateInvitation`].
#[derive(Debug)]
pub struct CreateInvitationInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::InvitationRequest,
}

impl CreateInvitationInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`CreateInvitation`].
#[derive(Debug, OpError)]
#[op(operation = "invitations.create", spec = "spec/operations/members.yaml: invitations.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateInvitationError {
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
    #[code(OWNERS_ONLY)]
    OwnersOnly,
    #[code(INVITATION_LIMIT)]
    InvitationLimit { count: i64 },
}

pub(in crate::generated) static CREATE_INVITATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/invitations"),
    ],
    members: CreateInvitationInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    ..api::Operation::new("invitations.create", "spec/operations/members.yaml: invitations.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_invitation<S: CreateInvitation + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateInvitationInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.create_invitation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/user/self/invitations: The invitations of the organisation, the newest first.
/// (spec/operations/members.yaml: invitations.list)
#[diagnostic::on_unimplemented(
    message = "operation `invitations.list` (GET /api/user/self/invitations) has no handler on `{Self}`",
    label = "missing `impl ListInvitations for {Self}`",
    note = "declared at spec/operations/members.yaml: invitations.list",
    note = "add: impl ListInvitations for {Self} {{ async fn list_invitations(&self, cx: &Cx, input: ListInvitationsInput) -> Result<InvitationListReply, ListInvitationsError> {{ .. }} }}"
)]
pub trait ListInvitations: Send + Sync + 'static {
    /// Answers the operation.
    fn list_invitations(
        &self,
        cx: &api::Cx,
        input: ListInvitationsInput,
    ) -> impl Future<Output = Result<types::InvitationListReply, ListInvitationsError>> + Send;
}

/// The input of [`ListInvitations`].
#[derive(Debug)]
pub struct ListInvitationsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ListInvitationsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`ListInvitations`].
#[derive(Debug, OpError)]
#[op(operation = "invitations.list", spec = "spec/operations/members.yaml: invitations.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListInvitationsError {
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

pub(in crate::generated) static LIST_INVITATIONS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/invitations"),
    ],
    members: ListInvitationsInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("invitations.list", "spec/operations/members.yaml: invitations.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_invitations<S: ListInvitations + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListInvitationsInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.list_invitations(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/user/self/invitations/{invitation_id}: Withdraws an invitation that nobody has accepted. Doing it
/// again changes nothing. (spec/operations/members.yaml: invitations.withdraw)
#[diagnostic::on_unimplemented(
    message = "operation `invitations.withdraw` (DELETE /api/user/self/invitations/{{invitation_id}}) has no handler on `{Self}`",
    label = "missing `impl WithdrawInvitation for {Self}`",
    note = "declared at spec/operations/members.yaml: invitations.withdraw",
    note = "add: impl WithdrawInvitation for {Self} {{ async fn withdraw_invitation(&self, cx: &Cx, input: WithdrawInvitationInput) -> Result<InvitationReply, WithdrawInvitationError> {{ .. }} }}"
)]
pub trait WithdrawInvitation: Send + Sync + 'static {
    /// Answers the operation.
    fn withdraw_invitation(
        &self,
        cx: &api::Cx,
        input: WithdrawInvitationInput,
    ) -> impl Future<Output = Result<types::InvitationReply, WithdrawInvitationError>> + Send;
}

/// The input of [`WithdrawInvitation`].
#[derive(Debug)]
pub struct WithdrawInvitationInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the invitation.
    pub invitation_id: i64,
}

impl WithdrawInvitationInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`WithdrawInvitation`].
#[derive(Debug, OpError)]
#[op(operation = "invitations.withdraw", spec = "spec/operations/members.yaml: invitations.withdraw")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum WithdrawInvitationError {
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
    #[code(INVITATION_NOT_FOUND)]
    InvitationNotFound { invitation_id: i64 },
    #[code(INVITATION_ACCEPTED)]
    InvitationAccepted { invitation_id: i64 },
}

pub(in crate::generated) static WITHDRAW_INVITATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/user/self/invitations/{invitation_id}"),
    ],
    members: WithdrawInvitationInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("invitations.withdraw", "spec/operations/members.yaml: invitations.withdraw", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn withdraw_invitation<S: WithdrawInvitation + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = WithdrawInvitationInput {
        caller: call.caller_or_session(&*service).await?,
        invitation_id: call.path("invitation_id", "a whole number")?,
    };
    let reply = service.withdraw_invitation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/invitations/show: The organisation and the role that an invitation is for, for whoever has its
/// link. (spec/operations/members.yaml: invitations.show)
#[diagnostic::on_unimplemented(
    message = "operation `invitations.show` (POST /api/user/invitations/show) has no handler on `{Self}`",
    label = "missing `impl ShowMemberInvitation for {Self}`",
    note = "declared at spec/operations/members.yaml: invitations.show",
    note = "add: impl ShowMemberInvitation for {Self} {{ async fn show_member_invitation(&self, cx: &Cx, input: ShowMemberInvitationInput) -> Result<OpenInvitationReply, ShowMemberInvitationError> {{ .. }} }}"
)]
pub trait ShowMemberInvitation: Send + Sync + 'static {
    /// Answers the operation.
    fn show_member_invitation(
        &self,
        cx: &api::Cx,
        input: ShowMemberInvitationInput,
    ) -> impl Future<Output = Result<types::OpenInvitationReply, ShowMemberInvitationError>> + Send;
}

/// The input of [`ShowMemberInvitation`].
#[derive(Debug)]
pub struct ShowMemberInvitationInput {
    /// The body.
    pub body: types::InvitationToken,
}

/// The errors of [`ShowMemberInvitation`].
#[derive(Debug, OpError)]
#[op(operation = "invitations.show", spec = "spec/operations/members.yaml: invitations.show")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowMemberInvitationError {
    #[code(INVITATION_NOT_OPEN)]
    InvitationNotOpen,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_MEMBER_INVITATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/invitations/show"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("invitations.show", "spec/operations/members.yaml: invitations.show", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_member_invitation<S: ShowMemberInvitation>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ShowMemberInvitationInput {
        body: call.json().await?,
    };
    let reply = service.show_member_invitation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/invitations/accept: Makes the person who is signed in a member. The session acts for the
/// organisation from then on. (spec/operations/members.yaml: invitations.accept)
#[diagnostic::on_unimplemented(
    message = "operation `invitations.accept` (POST /api/user/invitations/accept) has no handler on `{Self}`",
    label = "missing `impl AcceptMemberInvitation for {Self}`",
    note = "declared at spec/operations/members.yaml: invitations.accept",
    note = "add: impl AcceptMemberInvitation for {Self} {{ async fn accept_member_invitation(&self, cx: &Cx, input: AcceptMemberInvitationInput) -> Result<MemberReply, AcceptMemberInvitationError> {{ .. }} }}"
)]
pub trait AcceptMemberInvitation: Send + Sync + 'static {
    /// Answers the operation.
    fn accept_member_invitation(
        &self,
        cx: &api::Cx,
        input: AcceptMemberInvitationInput,
    ) -> impl Future<Output = Result<types::MemberReply, AcceptMemberInvitationError>> + Send;
}

/// The input of [`AcceptMemberInvitation`].
#[derive(Debug)]
pub struct AcceptMemberInvitationInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::InvitationToken,
}

impl AcceptMemberInvitationInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`AcceptMemberInvitation`].
#[derive(Debug, OpError)]
#[op(operation = "invitations.accept", spec = "spec/operations/members.yaml: invitations.accept")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum AcceptMemberInvitationError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(INVITATION_NOT_OPEN)]
    InvitationNotOpen,
    #[code(ALREADY_A_MEMBER)]
    AlreadyAMember,
}

pub(in crate::generated) static ACCEPT_MEMBER_INVITATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/invitations/accept"),
    ],
    members: AcceptMemberInvitationInput::MEMBERS,
    schemes: &[&auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("invitations.accept", "spec/operations/members.yaml: invitations.accept", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn accept_member_invitation<S: AcceptMemberInvitation + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = AcceptMemberInvitationInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.accept_member_invitation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
