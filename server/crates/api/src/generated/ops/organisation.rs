// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `organisation`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/user/self/organisation: The organisation that the account is the wallet of, with the budgets that
/// all of its keys spend together. (spec/operations/organisation.yaml: organisation.show)
#[diagnostic::on_unimplemented(
    message = "operation `organisation.show` (GET /api/user/self/organisation) has no handler on `{Self}`",
    label = "missing `impl ShowOrganisation for {Self}`",
    note = "declared at spec/operations/organisation.yaml: organisation.show",
    note = "add: impl ShowOrganisation for {Self} {{ async fn show_organisation(&self, cx: &Cx, input: ShowOrganisationInput) -> Result<OrganisationReply, ShowOrganisationError> {{ .. }} }}"
)]
pub trait ShowOrganisation: Send + Sync + 'static {
    /// Answers the operation.
    fn show_organisation(
        &self,
        cx: &api::Cx,
        input: ShowOrganisationInput,
    ) -> impl Future<Output = Result<types::OrganisationReply, ShowOrganisationError>> + Send;
}

/// The input of [`ShowOrganisation`].
#[derive(Debug)]
pub struct ShowOrganisationInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ShowOrganisationInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowOrganisation`].
#[derive(Debug, OpError)]
#[op(operation = "organisation.show", spec = "spec/operations/organisation.yaml: organisation.show")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOrganisationError {
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

pub(in crate::generated) static SHOW_ORGANISATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/organisation"),
    ],
    members: ShowOrganisationInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("organisation.show", "spec/operations/organisation.yaml: organisation.show", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_organisation<S: ShowOrganisation + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOrganisationInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.show_organisation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PATCH /api/user/self/organisation: Changes the budgets of the whole organisation, from the next request on. A
/// member that is absent stays as it is; null takes the budget away. (spec/operations/organisation.yaml:
/// organisation.change)
#[diagnostic::on_unimplemented(
    message = "operation `organisation.change` (PATCH /api/user/self/organisation) has no handler on `{Self}`",
    label = "missing `impl ChangeOrganisation for {Self}`",
    note = "declared at spec/operations/organisation.yaml: organisation.change",
    note = "add: impl ChangeOrganisation for {Self} {{ async fn change_organisation(&self, cx: &Cx, input: ChangeOrganisationInput) -> Result<OrganisationReply, ChangeOrganisationError> {{ .. }} }}"
)]
pub trait ChangeOrganisation: Send + Sync + 'static {
    /// Answers the operation.
    fn change_organisation(
        &self,
        cx: &api::Cx,
        input: ChangeOrganisationInput,
    ) -> impl Future<Output = Result<types::OrganisationReply, ChangeOrganisationError>> + Send;
}

/// The input of [`ChangeOrganisation`].
#[derive(Debug)]
pub struct ChangeOrganisationInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::OrganisationChange,
}

impl ChangeOrganisationInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`ChangeOrganisation`].
#[derive(Debug, OpError)]
#[op(operation = "organisation.change", spec = "spec/operations/organisation.yaml: organisation.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeOrganisationError {
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
}

pub(in crate::generated) static CHANGE_ORGANISATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PATCH, "/api/user/self/organisation"),
    ],
    members: ChangeOrganisationInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    ..api::Operation::new("organisation.change", "spec/operations/organisation.yaml: organisation.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_organisation<S: ChangeOrganisation + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeOrganisationInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.change_organisation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
