// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_session`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/admin/session: Signs an operator in and sets the cookie `operator_session`. Which of name, password
/// and code is wrong shows neither in the answer nor in the time that it takes. Each code is taken once.
/// (spec/operations/admin_session.yaml: admin_session.login)
#[diagnostic::on_unimplemented(
    message = "operation `admin_session.login` (POST /api/admin/session) has no handler on `{Self}`",
    label = "missing `impl SignInOperator for {Self}`",
    note = "declared at spec/operations/admin_session.yaml: admin_session.login",
    note = "add: impl SignInOperator for {Self} {{ async fn sign_in_operator(&self, cx: &Cx, input: SignInOperatorInput) -> Result<BeginsSession<OperatorLoginReply>, SignInOperatorError> {{ .. }} }}"
)]
pub trait SignInOperator: Send + Sync + 'static {
    /// Answers the operation.
    fn sign_in_operator(
        &self,
        cx: &api::Cx,
        input: SignInOperatorInput,
    ) -> impl Future<Output = Result<api::BeginsSession<types::OperatorLoginReply>, SignInOperatorError>> + Send;
}

/// The input of [`SignInOperator`].
#[derive(Debug)]
pub struct SignInOperatorInput {
    /// The body.
    pub body: types::OperatorLogin,
}

/// The errors of [`SignInOperator`].
#[derive(Debug, OpError)]
#[op(operation = "admin_session.login", spec = "spec/operations/admin_session.yaml: admin_session.login")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SignInOperatorError {
    #[code(OPERATOR_LOGIN_FAILED)]
    OperatorLoginFailed,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SIGN_IN_OPERATOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/session"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_session.login", "spec/operations/admin_session.yaml: admin_session.login", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn sign_in_operator<S: SignInOperator>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    call.from_own_page()?;
    let input = SignInOperatorInput {
        body: call.json().await?,
    };
    let reply = service.sign_in_operator(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_beginning(&auth::OPERATOR_SESSION, &reply)
}

/// POST /api/admin/invitation: Offers a second factor to the person whose invitation it is. It is stored
/// nowhere: it counts once it is sent back with a password and its code. (spec/operations/admin_session.yaml:
/// admin_session.offer)
#[diagnostic::on_unimplemented(
    message = "operation `admin_session.offer` (POST /api/admin/invitation) has no handler on `{Self}`",
    label = "missing `impl OfferSecondFactor for {Self}`",
    note = "declared at spec/operations/admin_session.yaml: admin_session.offer",
    note = "add: impl OfferSecondFactor for {Self} {{ async fn offer_second_factor(&self, cx: &Cx, input: OfferSecondFactorInput) -> Result<SecondFactorReply, OfferSecondFactorError> {{ .. }} }}"
)]
pub trait OfferSecondFactor: Send + Sync + 'static {
    /// Answers the operation.
    fn offer_second_factor(
        &self,
        cx: &api::Cx,
        input: OfferSecondFactorInput,
    ) -> impl Future<Output = Result<types::SecondFactorReply, OfferSecondFactorError>> + Send;
}

/// The input of [`OfferSecondFactor`].
#[derive(Debug)]
pub struct OfferSecondFactorInput {
    /// The body.
    pub body: types::OperatorInvitation,
}

/// The errors of [`OfferSecondFactor`].
#[derive(Debug, OpError)]
#[op(operation = "admin_session.offer", spec = "spec/operations/admin_session.yaml: admin_session.offer")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum OfferSecondFactorError {
    #[code(INVITATION_INVALID)]
    InvitationInvalid,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static OFFER_SECOND_FACTOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/invitation"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_session.offer", "spec/operations/admin_session.yaml: admin_session.offer", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn offer_second_factor<S: OfferSecondFactor>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = OfferSecondFactorInput {
        body: call.json().await?,
    };
    let reply = service.offer_second_factor(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/invitation/accept: Takes the password and the second factor that an invited person has
/// chosen, signs them in, and sets the cookie `operator_session`. An invitation works once.
/// (spec/operations/admin_session.yaml: admin_session.accept)
#[diagnostic::on_unimplemented(
    message = "operation `admin_session.accept` (POST /api/admin/invitation/accept) has no handler on `{Self}`",
    label = "missing `impl AcceptInvitation for {Self}`",
    note = "declared at spec/operations/admin_session.yaml: admin_session.accept",
    note = "add: impl AcceptInvitation for {Self} {{ async fn accept_invitation(&self, cx: &Cx, input: AcceptInvitationInput) -> Result<BeginsSession<OperatorLoginReply>, AcceptInvitationError> {{ .. }} }}"
)]
pub trait AcceptInvitation: Send + Sync + 'static {
    /// Answers the operation.
    fn accept_invitation(
        &self,
        cx: &api::Cx,
        input: AcceptInvitationInput,
    ) -> impl Future<Output = Result<api::BeginsSession<types::OperatorLoginReply>, AcceptInvitationError>> + Send;
}

/// The input of [`AcceptInvitation`].
#[derive(Debug)]
pub struct AcceptInvitationInput {
    /// The body.
    pub body: types::InvitationAcceptance,
}

/// The errors of [`AcceptInvitation`].
#[derive(Debug, OpError)]
#[op(operation = "admin_session.accept", spec = "spec/operations/admin_session.yaml: admin_session.accept")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum AcceptInvitationError {
    #[code(INVITATION_INVALID)]
    InvitationInvalid,
    #[code(SECOND_FACTOR_WRONG)]
    SecondFactorWrong,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static ACCEPT_INVITATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/invitation/accept"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_session.accept", "spec/operations/admin_session.yaml: admin_session.accept", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn accept_invitation<S: AcceptInvitation>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    call.from_own_page()?;
    let input = AcceptInvitationInput {
        body: call.json().await?,
    };
    let reply = service.accept_invitation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_beginning(&auth::OPERATOR_SESSION, &reply)
}

/// GET /api/admin/session: The operator that calls, by key or by session. (spec/operations/admin_session.yaml:
/// admin_session.get)
#[diagnostic::on_unimplemented(
    message = "operation `admin_session.get` (GET /api/admin/session) has no handler on `{Self}`",
    label = "missing `impl GetOperatorSession for {Self}`",
    note = "declared at spec/operations/admin_session.yaml: admin_session.get",
    note = "add: impl GetOperatorSession for {Self} {{ async fn get_operator_session(&self, cx: &Cx, input: GetOperatorSessionInput) -> Result<OperatorSelfReply, GetOperatorSessionError> {{ .. }} }}"
)]
pub trait GetOperatorSession: Send + Sync + 'static {
    /// Answers the operation.
    fn get_operator_session(
        &self,
        cx: &api::Cx,
        input: GetOperatorSessionInput,
    ) -> impl Future<Output = Result<types::OperatorSelfReply, GetOperatorSessionError>> + Send;
}

/// The input of [`GetOperatorSession`].
#[derive(Debug)]
pub struct GetOperatorSessionInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl GetOperatorSessionInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`GetOperatorSession`].
#[derive(Debug, OpError)]
#[op(operation = "admin_session.get", spec = "spec/operations/admin_session.yaml: admin_session.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetOperatorSessionError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static GET_OPERATOR_SESSION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/session"),
    ],
    roles: GetOperatorSessionInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_session.get", "spec/operations/admin_session.yaml: admin_session.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_operator_session<S: GetOperatorSession + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetOperatorSessionInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.get_operator_session(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/admin/session: Ends the session of the operator that calls. By a key it ends nothing.
/// (spec/operations/admin_session.yaml: admin_session.logout)
#[diagnostic::on_unimplemented(
    message = "operation `admin_session.logout` (DELETE /api/admin/session) has no handler on `{Self}`",
    label = "missing `impl SignOutOperator for {Self}`",
    note = "declared at spec/operations/admin_session.yaml: admin_session.logout",
    note = "add: impl SignOutOperator for {Self} {{ async fn sign_out_operator(&self, cx: &Cx, input: SignOutOperatorInput) -> Result<OperatorLogoutReply, SignOutOperatorError> {{ .. }} }}"
)]
pub trait SignOutOperator: Send + Sync + 'static {
    /// Answers the operation.
    fn sign_out_operator(
        &self,
        cx: &api::Cx,
        input: SignOutOperatorInput,
    ) -> impl Future<Output = Result<types::OperatorLogoutReply, SignOutOperatorError>> + Send;
}

/// The input of [`SignOutOperator`].
#[derive(Debug)]
pub struct SignOutOperatorInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl SignOutOperatorInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`SignOutOperator`].
#[derive(Debug, OpError)]
#[op(operation = "admin_session.logout", spec = "spec/operations/admin_session.yaml: admin_session.logout")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SignOutOperatorError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SIGN_OUT_OPERATOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/admin/session"),
    ],
    roles: SignOutOperatorInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_session.logout", "spec/operations/admin_session.yaml: admin_session.logout", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn sign_out_operator<S: SignOutOperator + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = SignOutOperatorInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.sign_out_operator(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_ending(&auth::OPERATOR_SESSION, &reply)
}
