// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `sessions`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/user/register: Creates an account, where the operator has switched registration on, signs the
/// person in, and sets the cookie `session`. (spec/operations/sessions.yaml: sessions.register)
#[diagnostic::on_unimplemented(
    message = "operation `sessions.register` (POST /api/user/register) has no handler on `{Self}`",
    label = "missing `impl SignUp for {Self}`",
    note = "declared at spec/operations/sessions.yaml: sessions.register",
    note = "add: impl SignUp for {Self} {{ async fn sign_up(&self, cx: &Cx, input: SignUpInput) -> Result<BeginsSession<LoginReply>, SignUpError> {{ .. }} }}"
)]
pub trait SignUp: Send + Sync + 'static {
    /// Answers the operation.
    fn sign_up(
        &self,
        cx: &api::Cx,
        input: SignUpInput,
    ) -> impl Future<Output = Result<api::BeginsSession<types::LoginReply>, SignUpError>> + Send;
}

/// The input of [`SignUp`].
#[derive(Debug)]
pub struct SignUpInput {
    /// The body.
    pub body: types::RegistrationRequest,
}

/// The errors of [`SignUp`].
#[derive(Debug, OpError)]
#[op(operation = "sessions.register", spec = "spec/operations/sessions.yaml: sessions.register")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SignUpError {
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(REGISTRATION_DISABLED)]
    RegistrationDisabled,
    #[code(ACCOUNT_EXISTS)]
    AccountExists,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SIGN_UP: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/register"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("sessions.register", "spec/operations/sessions.yaml: sessions.register", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn sign_up<S: SignUp>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    call.from_own_page()?;
    let input = SignUpInput {
        body: call.json().await?,
    };
    let reply = service.sign_up(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_beginning(&auth::SESSION, &reply)
}

/// POST /api/user/login: Signs a person in and sets the cookie `session`. Whether the name is known shows
/// neither in the answer nor in the time that it takes. (spec/operations/sessions.yaml: sessions.login)
#[diagnostic::on_unimplemented(
    message = "operation `sessions.login` (POST /api/user/login) has no handler on `{Self}`",
    label = "missing `impl SignIn for {Self}`",
    note = "declared at spec/operations/sessions.yaml: sessions.login",
    note = "add: impl SignIn for {Self} {{ async fn sign_in(&self, cx: &Cx, input: SignInInput) -> Result<BeginsSession<LoginReply>, SignInError> {{ .. }} }}"
)]
pub trait SignIn: Send + Sync + 'static {
    /// Answers the operation.
    fn sign_in(
        &self,
        cx: &api::Cx,
        input: SignInInput,
    ) -> impl Future<Output = Result<api::BeginsSession<types::LoginReply>, SignInError>> + Send;
}

/// The input of [`SignIn`].
#[derive(Debug)]
pub struct SignInInput {
    /// The body.
    pub body: types::LoginRequest,
}

/// The errors of [`SignIn`].
#[derive(Debug, OpError)]
#[op(operation = "sessions.login", spec = "spec/operations/sessions.yaml: sessions.login")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SignInError {
    #[code(LOGIN_FAILED)]
    LoginFailed,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SIGN_IN: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/login"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("sessions.login", "spec/operations/sessions.yaml: sessions.login", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn sign_in<S: SignIn>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    call.from_own_page()?;
    let input = SignInInput {
        body: call.json().await?,
    };
    let reply = service.sign_in(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_beginning(&auth::SESSION, &reply)
}

/// POST /api/user/logout: Ends the session. (spec/operations/sessions.yaml: sessions.logout)
#[diagnostic::on_unimplemented(
    message = "operation `sessions.logout` (POST /api/user/logout) has no handler on `{Self}`",
    label = "missing `impl SignOut for {Self}`",
    note = "declared at spec/operations/sessions.yaml: sessions.logout",
    note = "add: impl SignOut for {Self} {{ async fn sign_out(&self, cx: &Cx, input: SignOutInput) -> Result<LogoutReply, SignOutError> {{ .. }} }}"
)]
pub trait SignOut: Send + Sync + 'static {
    /// Answers the operation.
    fn sign_out(
        &self,
        cx: &api::Cx,
        input: SignOutInput,
    ) -> impl Future<Output = Result<types::LogoutReply, SignOutError>> + Send;
}

/// The input of [`SignOut`].
#[derive(Debug)]
pub struct SignOutInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

/// The errors of [`SignOut`].
#[derive(Debug, OpError)]
#[op(operation = "sessions.logout", spec = "spec/operations/sessions.yaml: sessions.logout")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SignOutError {
    #[code(KEY_MISSING)]
    KeyMissing,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SIGN_OUT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/logout"),
    ],
    schemes: &[&auth::SESSION],
    ..api::Operation::new("sessions.logout", "spec/operations/sessions.yaml: sessions.logout", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn sign_out<S: SignOut + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = SignOutInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.sign_out(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_ending(&auth::SESSION, &reply)
}
