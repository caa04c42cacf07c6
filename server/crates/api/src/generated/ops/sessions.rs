// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `sessions`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/user/register: Creates an account, where the operator has switched registration on or an open
/// invitation is shown, signs the person in, and sets the cookie `session`. (spec/operations/sessions.yaml:
/// sessions.register)
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

impl SignOutInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`SignOut`].
#[derive(Debug, OpError)]
#[op(operation = "sessions.logout", spec = "spec/operations/sessions.yaml: sessions.logout")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SignOutError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SIGN_OUT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/logout"),
    ],
    members: SignOutInput::MEMBERS,
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

/// GET /api/user/self/sessions: The sessions of the account that are not over, the newest first.
/// (spec/operations/sessions.yaml: sessions.list)
#[diagnostic::on_unimplemented(
    message = "operation `sessions.list` (GET /api/user/self/sessions) has no handler on `{Self}`",
    label = "missing `impl ListSessions for {Self}`",
    note = "declared at spec/operations/sessions.yaml: sessions.list",
    note = "add: impl ListSessions for {Self} {{ async fn list_sessions(&self, cx: &Cx, input: ListSessionsInput) -> Result<SessionInfoListReply, ListSessionsError> {{ .. }} }}"
)]
pub trait ListSessions: Send + Sync + 'static {
    /// Answers the operation.
    fn list_sessions(
        &self,
        cx: &api::Cx,
        input: ListSessionsInput,
    ) -> impl Future<Output = Result<types::SessionInfoListReply, ListSessionsError>> + Send;
}

/// The input of [`ListSessions`].
#[derive(Debug)]
pub struct ListSessionsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ListSessionsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ListSessions`].
#[derive(Debug, OpError)]
#[op(operation = "sessions.list", spec = "spec/operations/sessions.yaml: sessions.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListSessionsError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static LIST_SESSIONS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/sessions"),
    ],
    members: ListSessionsInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("sessions.list", "spec/operations/sessions.yaml: sessions.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_sessions<S: ListSessions + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListSessionsInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.list_sessions(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/user/self/sessions: Ends one session of the account, or all of them but the one that asks. Ending
/// again changes nothing. The session that asks is ended by signing out. (spec/operations/sessions.yaml:
/// sessions.end)
#[diagnostic::on_unimplemented(
    message = "operation `sessions.end` (DELETE /api/user/self/sessions) has no handler on `{Self}`",
    label = "missing `impl EndSessions for {Self}`",
    note = "declared at spec/operations/sessions.yaml: sessions.end",
    note = "add: impl EndSessions for {Self} {{ async fn end_sessions(&self, cx: &Cx, input: EndSessionsInput) -> Result<SessionsEndedReply, EndSessionsError> {{ .. }} }}"
)]
pub trait EndSessions: Send + Sync + 'static {
    /// Answers the operation.
    fn end_sessions(
        &self,
        cx: &api::Cx,
        input: EndSessionsInput,
    ) -> impl Future<Output = Result<types::SessionsEndedReply, EndSessionsError>> + Send;
}

/// The input of [`EndSessions`].
#[derive(Debug)]
pub struct EndSessionsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The session, by its `session_id`. Absent means all others.
    pub session: Option<String>,
}

impl EndSessionsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`EndSessions`].
#[derive(Debug, OpError)]
#[op(operation = "sessions.end", spec = "spec/operations/sessions.yaml: sessions.end")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum EndSessionsError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static END_SESSIONS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/user/self/sessions"),
    ],
    members: EndSessionsInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("sessions.end", "spec/operations/sessions.yaml: sessions.end", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn end_sessions<S: EndSessions + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = EndSessionsInput {
        caller: call.caller_or_session(&*service).await?,
        session: call.optional_query("session", api::Text::of(64, 64))?,
    };
    let reply = service.end_sessions(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/self/password: Changes the password of the account, or sets the first one of an account that
/// is signed in to in other ways alone: within a quarter of an hour after a sign-in. All its sessions end, the
/// one that asks included. (spec/operations/sessions.yaml: sessions.change_password)
#[diagnostic::on_unimplemented(
    message = "operation `sessions.change_password` (POST /api/user/self/password) has no handler on `{Self}`",
    label = "missing `impl ChangePassword for {Self}`",
    note = "declared at spec/operations/sessions.yaml: sessions.change_password",
    note = "add: impl ChangePassword for {Self} {{ async fn change_password(&self, cx: &Cx, input: ChangePasswordInput) -> Result<PasswordReply, ChangePasswordError> {{ .. }} }}"
)]
pub trait ChangePassword: Send + Sync + 'static {
    /// Answers the operation.
    fn change_password(
        &self,
        cx: &api::Cx,
        input: ChangePasswordInput,
    ) -> impl Future<Output = Result<types::PasswordReply, ChangePasswordError>> + Send;
}

/// The input of [`ChangePassword`].
#[derive(Debug)]
pub struct ChangePasswordInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::PasswordChange,
}

impl ChangePasswordInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ChangePassword`].
#[derive(Debug, OpError)]
#[op(operation = "sessions.change_password", spec = "spec/operations/sessions.yaml: sessions.change_password")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangePasswordError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LOGIN_FAILED)]
    LoginFailed,
    #[code(SIGN_IN_STALE)]
    SignInStale,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static CHANGE_PASSWORD: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/password"),
    ],
    members: ChangePasswordInput::MEMBERS,
    schemes: &[&auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("sessions.change_password", "spec/operations/sessions.yaml: sessions.change_password", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_password<S: ChangePassword + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangePasswordInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.change_password(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
