// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `oidc`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/user/login/oidc: The providers of OpenID Connect that people sign in by, in the order of the
/// configuration. (spec/operations/oidc.yaml: oidc.providers)
#[diagnostic::on_unimplemented(
    message = "operation `oidc.providers` (GET /api/user/login/oidc) has no handler on `{Self}`",
    label = "missing `impl ListSignInProviders for {Self}`",
    note = "declared at spec/operations/oidc.yaml: oidc.providers",
    note = "add: impl ListSignInProviders for {Self} {{ async fn list_sign_in_providers(&self, cx: &Cx, input: ListSignInProvidersInput) -> Result<SignInProviderListReply, ListSignInProvidersError> {{ .. }} }}"
)]
pub trait ListSignInProviders: Send + Sync + 'static {
    /// Answers the operation.
    fn list_sign_in_providers(
        &self,
        cx: &api::Cx,
        input: ListSignInProvidersInput,
    ) -> impl Future<Output = Result<types::SignInProviderListReply, ListSignInProvidersError>> + Send;
}

/// The input of [`ListSignInProviders`].
#[derive(Debug)]
pub struct ListSignInProvidersInput {}

/// The errors of [`ListSignInProviders`].
#[derive(Debug, OpError)]
#[op(operation = "oidc.providers", spec = "spec/operations/oidc.yaml: oidc.providers")]
pub enum ListSignInProvidersError {}

pub(in crate::generated) static LIST_SIGN_IN_PROVIDERS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/login/oidc"),
    ],
    ..api::Operation::new("oidc.providers", "spec/operations/oidc.yaml: oidc.providers", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_sign_in_providers<S: ListSignInProviders>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListSignInProvidersInput {};
    let reply = service.list_sign_in_providers(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/login/oidc/begin: Begins a sign-in by a provider. The browser goes to the address, and comes
/// back to `/sign-in/{provider}` of this service with a code. Nothing is kept here: the secret is all that the
/// sign-in consists of. (spec/operations/oidc.yaml: oidc.begin)
#[diagnostic::on_unimplemented(
    message = "operation `oidc.begin` (POST /api/user/login/oidc/begin) has no handler on `{Self}`",
    label = "missing `impl BeginOidcSignIn for {Self}`",
    note = "declared at spec/operations/oidc.yaml: oidc.begin",
    note = "add: impl BeginOidcSignIn for {Self} {{ async fn begin_oidc_sign_in(&self, cx: &Cx, input: BeginOidcSignInInput) -> Result<OidcStartReply, BeginOidcSignInError> {{ .. }} }}"
)]
pub trait BeginOidcSignIn: Send + Sync + 'static {
    /// Answers the operation.
    fn begin_oidc_sign_in(
        &self,
        cx: &api::Cx,
        input: BeginOidcSignInInput,
    ) -> impl Future<Output = Result<types::OidcStartReply, BeginOidcSignInError>> + Send;
}

/// The input of [`BeginOidcSignIn`].
#[derive(Debug)]
pub struct BeginOidcSignInInput {
    /// The body.
    pub body: types::OidcBegin,
}

/// The errors of [`BeginOidcSignIn`].
#[derive(Debug, OpError)]
#[op(operation = "oidc.begin", spec = "spec/operations/oidc.yaml: oidc.begin")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum BeginOidcSignInError {
    #[code(OIDC_PROVIDER_NOT_FOUND)]
    OidcProviderNotFound { provider: String },
    #[code(OIDC_UNAVAILABLE)]
    OidcUnavailable { provider: String },
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
}

pub(in crate::generated) static BEGIN_OIDC_SIGN_IN: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/login/oidc/begin"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("oidc.begin", "spec/operations/oidc.yaml: oidc.begin", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn begin_oidc_sign_in<S: BeginOidcSignIn>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = BeginOidcSignInInput {
        body: call.json().await?,
    };
    let reply = service.begin_oidc_sign_in(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/login/oidc: Signs a person in by what the browser brought back from the provider, and sets the
/// cookie `session`. Whoever comes for the first time gets an account, where the operator lets the people of
/// that provider open one or one of their groups has a role here. Its name is the address that the provider has
/// verified, or else what the provider calls the person. Roles that groups have in organisations are given and
/// taken before the session begins. (spec/operations/oidc.yaml: oidc.sign_in)
#[diagnostic::on_unimplemented(
    message = "operation `oidc.sign_in` (POST /api/user/login/oidc) has no handler on `{Self}`",
    label = "missing `impl SignInByOidc for {Self}`",
    note = "declared at spec/operations/oidc.yaml: oidc.sign_in",
    note = "add: impl SignInByOidc for {Self} {{ async fn sign_in_by_oidc(&self, cx: &Cx, input: SignInByOidcInput) -> Result<BeginsSession<LoginReply>, SignInByOidcError> {{ .. }} }}"
)]
pub trait SignInByOidc: Send + Sync + 'static {
    /// Answers the operation.
    fn sign_in_by_oidc(
        &self,
        cx: &api::Cx,
        input: SignInByOidcInput,
    ) -> impl Future<Output = Result<api::BeginsSession<types::LoginReply>, SignInByOidcError>> + Send;
}

/// The input of [`SignInByOidc`].
#[derive(Debug)]
pub struct SignInByOidcInput {
    /// The body.
    pub body: types::OidcAnswer,
}

/// The errors of [`SignInByOidc`].
#[derive(Debug, OpError)]
#[op(operation = "oidc.sign_in", spec = "spec/operations/oidc.yaml: oidc.sign_in")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SignInByOidcError {
    #[code(OIDC_PROVIDER_NOT_FOUND)]
    OidcProviderNotFound { provider: String },
    #[code(OIDC_REFUSED)]
    OidcRefused { provider: String, reason: String },
    #[code(OIDC_UNAVAILABLE)]
    OidcUnavailable { provider: String },
    #[code(ACCOUNT_FROZEN)]
    AccountFrozen,
    #[code(REGISTRATION_DISABLED)]
    RegistrationDisabled,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SIGN_IN_BY_OIDC: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/login/oidc"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("oidc.sign_in", "spec/operations/oidc.yaml: oidc.sign_in", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn sign_in_by_oidc<S: SignInByOidc>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    call.from_own_page()?;
    let input = SignInByOidcInput {
        body: call.json().await?,
    };
    let reply = service.sign_in_by_oidc(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_beginning(&auth::SESSION, &reply)
}

/// POST /api/user/self/identities/oidc/begin: Begins what makes a person of a provider a way to sign in to the
/// account. What it begins is no sign-in. Asked for by a session that began lately. (spec/operations/oidc.yaml:
/// oidc.begin_own)
#[diagnostic::on_unimplemented(
    message = "operation `oidc.begin_own` (POST /api/user/self/identities/oidc/begin) has no handler on `{Self}`",
    label = "missing `impl BeginOwnOidc for {Self}`",
    note = "declared at spec/operations/oidc.yaml: oidc.begin_own",
    note = "add: impl BeginOwnOidc for {Self} {{ async fn begin_own_oidc(&self, cx: &Cx, input: BeginOwnOidcInput) -> Result<OidcStartReply, BeginOwnOidcError> {{ .. }} }}"
)]
pub trait BeginOwnOidc: Send + Sync + 'static {
    /// Answers the operation.
    fn begin_own_oidc(
        &self,
        cx: &api::Cx,
        input: BeginOwnOidcInput,
    ) -> impl Future<Output = Result<types::OidcStartReply, BeginOwnOidcError>> + Send;
}

/// The input of [`BeginOwnOidc`].
#[derive(Debug)]
pub struct BeginOwnOidcInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::OidcBegin,
}

impl BeginOwnOidcInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`BeginOwnOidc`].
#[derive(Debug, OpError)]
#[op(operation = "oidc.begin_own", spec = "spec/operations/oidc.yaml: oidc.begin_own")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum BeginOwnOidcError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(OIDC_PROVIDER_NOT_FOUND)]
    OidcProviderNotFound { provider: String },
    #[code(OIDC_UNAVAILABLE)]
    OidcUnavailable { provider: String },
    #[code(SIGN_IN_STALE)]
    SignInStale,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static BEGIN_OWN_OIDC: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/identities/oidc/begin"),
    ],
    members: BeginOwnOidcInput::MEMBERS,
    schemes: &[&auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("oidc.begin_own", "spec/operations/oidc.yaml: oidc.begin_own", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn begin_own_oidc<S: BeginOwnOidc + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = BeginOwnOidcInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.begin_own_oidc(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/self/identities/oidc: Makes a person of a provider a way to sign in to the account. That
/// person signs in to one account. Asked for by a session that began lately. (spec/operations/oidc.yaml:
/// oidc.link)
#[diagnostic::on_unimplemented(
    message = "operation `oidc.link` (POST /api/user/self/identities/oidc) has no handler on `{Self}`",
    label = "missing `impl LinkOidc for {Self}`",
    note = "declared at spec/operations/oidc.yaml: oidc.link",
    note = "add: impl LinkOidc for {Self} {{ async fn link_oidc(&self, cx: &Cx, input: LinkOidcInput) -> Result<IdentityReply, LinkOidcError> {{ .. }} }}"
)]
pub trait LinkOidc: Send + Sync + 'static {
    /// Answers the operation.
    fn link_oidc(
        &self,
        cx: &api::Cx,
        input: LinkOidcInput,
    ) -> impl Future<Output = Result<types::IdentityReply, LinkOidcError>> + Send;
}

/// The input of [`LinkOidc`].
#[derive(Debug)]
pub struct LinkOidcInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::OidcAnswer,
}

impl LinkOidcInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`LinkOidc`].
#[derive(Debug, OpError)]
#[op(operation = "oidc.link", spec = "spec/operations/oidc.yaml: oidc.link")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum LinkOidcError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(OIDC_PROVIDER_NOT_FOUND)]
    OidcProviderNotFound { provider: String },
    #[code(OIDC_REFUSED)]
    OidcRefused { provider: String, reason: String },
    #[code(OIDC_UNAVAILABLE)]
    OidcUnavailable { provider: String },
    #[code(SIGN_IN_STALE)]
    SignInStale,
    #[code(IDENTITY_EXISTS)]
    IdentityExists { identity: String },
    #[code(IDENTITY_LIMIT)]
    IdentityLimit { count: i64 },
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static LINK_OIDC: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/identities/oidc"),
    ],
    members: LinkOidcInput::MEMBERS,
    schemes: &[&auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("oidc.link", "spec/operations/oidc.yaml: oidc.link", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn link_oidc<S: LinkOidc + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = LinkOidcInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.link_oidc(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/login/oidc/{provider}/logout: Ends the sessions of a person whom a provider has signed out.
/// Providers call it and clients do not: with a form of one field (`application/x-www-form-urlencoded`), as
/// OpenID Connect Back-Channel Logout 1.0 has it, or with the same field in JSON. (spec/operations/oidc.yaml:
/// oidc.log_out)
#[diagnostic::on_unimplemented(
    message = "operation `oidc.log_out` (POST /api/user/login/oidc/{{provider}}/logout) has no handler on `{Self}`",
    label = "missing `impl ReceiveOidcLogout for {Self}`",
    note = "declared at spec/operations/oidc.yaml: oidc.log_out",
    note = "add: impl ReceiveOidcLogout for {Self} {{ async fn receive_oidc_logout(&self, cx: &Cx, input: ReceiveOidcLogoutInput) -> Result<OidcLogoutReply, ReceiveOidcLogoutError> {{ .. }} }}"
)]
pub trait ReceiveOidcLogout: Send + Sync + 'static {
    /// Answers the operation.
    fn receive_oidc_logout(
        &self,
        cx: &api::Cx,
        input: ReceiveOidcLogoutInput,
    ) -> impl Future<Output = Result<types::OidcLogoutReply, ReceiveOidcLogoutError>> + Send;
}

/// The input of [`ReceiveOidcLogout`].
#[derive(Debug)]
pub struct ReceiveOidcLogoutInput {
    /// Name of the provider in the configuration.
    pub provider: String,
    /// The body as it came; it should be a `OidcLogout`.
    pub body: bytes::Bytes,
}

/// The errors of [`ReceiveOidcLogout`].
#[derive(Debug, OpError)]
#[op(operation = "oidc.log_out", spec = "spec/operations/oidc.yaml: oidc.log_out")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ReceiveOidcLogoutError {
    #[code(OIDC_PROVIDER_NOT_FOUND)]
    OidcProviderNotFound { provider: String },
    #[code(OIDC_LOGOUT_REFUSED)]
    OidcLogoutRefused { reason: String },
    #[code(OIDC_UNAVAILABLE)]
    OidcUnavailable { provider: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static RECEIVE_OIDC_LOGOUT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/login/oidc/{provider}/logout"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("oidc.log_out", "spec/operations/oidc.yaml: oidc.log_out", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn receive_oidc_logout<S: ReceiveOidcLogout>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ReceiveOidcLogoutInput {
        provider: call.path("provider", api::Text::of(1, 32))?,
        body: call.bytes().await?,
    };
    let reply = service.receive_oidc_logout(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
