// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `organisations`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/user/self/organisations: The person's own account, and the organisations that the person is a member
/// of. (spec/operations/members.yaml: organisations.list)
#[diagnostic::on_unimplemented(
    message = "operation `organisations.list` (GET /api/user/self/organisations) has no handler on `{Self}`",
    label = "missing `impl ListOrganisations for {Self}`",
    note = "declared at spec/operations/members.yaml: organisations.list",
    note = "add: impl ListOrganisations for {Self} {{ async fn list_organisations(&self, cx: &Cx, input: ListOrganisationsInput) -> Result<MembershipListReply, ListOrganisationsError> {{ .. }} }}"
)]
pub trait ListOrganisations: Send + Sync + 'static {
    /// Answers the operation.
    fn list_organisations(
        &self,
        cx: &api::Cx,
        input: ListOrganisationsInput,
    ) -> impl Future<Output = Result<types::MembershipListReply, ListOrganisationsError>> + Send;
}

/// The input of [`ListOrganisations`].
#[derive(Debug)]
pub struct ListOrganisationsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ListOrganisationsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ListOrganisations`].
#[derive(Debug, OpError)]
#[op(operation = "organisations.list", spec = "spec/operations/members.yaml: organisations.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListOrganisationsError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static LIST_ORGANISATIONS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/organisations"),
    ],
    members: ListOrganisationsInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("organisations.list", "spec/operations/members.yaml: organisations.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_organisations<S: ListOrganisations + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListOrganisationsInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.list_organisations(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/self/organisations: Makes an organisation with an account of its own, which nobody signs in
/// to, and makes the person its owner. The session acts for it from then on. It needs registration to be
/// switched on. (spec/operations/members.yaml: organisations.create)
#[diagnostic::on_unimplemented(
    message = "operation `organisations.create` (POST /api/user/self/organisations) has no handler on `{Self}`",
    label = "missing `impl CreateOrganisation for {Self}`",
    note = "declared at spec/operations/members.yaml: organisations.create",
    note = "add: impl CreateOrganisation for {Self} {{ async fn create_organisation(&self, cx: &Cx, input: CreateOrganisationInput) -> Result<MembershipReply, CreateOrganisationError> {{ .. }} }}"
)]
pub trait CreateOrganisation: Send + Sync + 'static {
    /// Answers the operation.
    fn create_organisation(
        &self,
        cx: &api::Cx,
        input: CreateOrganisationInput,
    ) -> impl Future<Output = Result<types::MembershipReply, CreateOrganisationError>> + Send;
}

/// The input of [`CreateOrganisation`].
#[derive(Debug)]
pub struct CreateOrganisationInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::OrganisationRequest,
}

impl CreateOrganisationInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`CreateOrganisation`].
#[derive(Debug, OpError)]
#[op(operation = "organisations.create", spec = "spec/operations/members.yaml: organisations.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateOrganisationError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(REGISTRATION_DISABLED)]
    RegistrationDisabled,
    #[code(ORGANISATION_NAME_TAKEN)]
    OrganisationNameTaken { name: String },
    #[code(ORGANISATION_LIMIT)]
    OrganisationLimit { count: i64 },
}

pub(in crate::generated) static CREATE_ORGANISATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/organisations"),
    ],
    members: CreateOrganisationInput::MEMBERS,
    schemes: &[&auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("organisations.create", "spec/operations/members.yaml: organisations.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_organisation<S: CreateOrganisation + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateOrganisationInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.create_organisation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/self/organisations/{account_id}/enter: Lets the session act for an organisation of the
/// person's, or for the own account again. (spec/operations/members.yaml: organisations.enter)
#[diagnostic::on_unimplemented(
    message = "operation `organisations.enter` (POST /api/user/self/organisations/{{account_id}}/enter) has no handler on `{Self}`",
    label = "missing `impl EnterOrganisation for {Self}`",
    note = "declared at spec/operations/members.yaml: organisations.enter",
    note = "add: impl EnterOrganisation for {Self} {{ async fn enter_organisation(&self, cx: &Cx, input: EnterOrganisationInput) -> Result<MembershipReply, EnterOrganisationError> {{ .. }} }}"
)]
pub trait EnterOrganisation: Send + Sync + 'static {
    /// Answers the operation.
    fn enter_organisation(
        &self,
        cx: &api::Cx,
        input: EnterOrganisationInput,
    ) -> impl Future<Output = Result<types::MembershipReply, EnterOrganisationError>> + Send;
}

/// The input of [`EnterOrganisation`].
#[derive(Debug)]
pub struct EnterOrganisationInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the organisation's account.
    pub account_id: i64,
}

impl EnterOrganisationInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`EnterOrganisation`].
#[derive(Debug, OpError)]
#[op(operation = "organisations.enter", spec = "spec/operations/members.yaml: organisations.enter")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum EnterOrganisationError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(ORGANISATION_NOT_FOUND)]
    OrganisationNotFound { account_id: i64 },
}

pub(in crate::generated) static ENTER_ORGANISATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/organisations/{account_id}/enter"),
    ],
    members: EnterOrganisationInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("organisations.enter", "spec/operations/members.yaml: organisations.enter", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn enter_organisation<S: EnterOrganisation + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = EnterOrganisationInput {
        caller: call.caller_or_session(&*service).await?,
        account_id: call.path("account_id", "a whole number")?,
    };
    let reply = service.enter_organisation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
