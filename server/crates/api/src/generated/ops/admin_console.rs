// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_console`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use crate::api;

/// GET /admin: The page on which operators sign in. Whoever is signed in is sent on to the overview.
/// (spec/operations/admin_console.yaml: admin_console.sign_in)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.sign_in` (GET /admin) has no handler on `{Self}`",
    label = "missing `impl ShowSignIn for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.sign_in",
    note = "add: impl ShowSignIn for {Self} {{ async fn show_sign_in(&self, cx: &Cx, input: ShowSignInInput) -> Result<ProxyReply, ShowSignInError> {{ .. }} }}"
)]
pub trait ShowSignIn: Send + Sync + 'static {
    /// Answers the operation.
    fn show_sign_in(
        &self,
        cx: &api::Cx,
        input: ShowSignInInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowSignInError>> + Send;
}

/// The input of [`ShowSignIn`].
#[derive(Debug)]
pub struct ShowSignInInput {}

/// The errors of [`ShowSignIn`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.sign_in", spec = "spec/operations/admin_console.yaml: admin_console.sign_in")]
pub enum ShowSignInError {}

pub(in crate::generated) static SHOW_SIGN_IN: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin"),
        api::Route::new(http::Method::GET, "/admin/sign-in"),
    ],
    ..api::Operation::new("admin_console.sign_in", "spec/operations/admin_console.yaml: admin_console.sign_in", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_sign_in<S: ShowSignIn>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowSignInInput {};
    let reply = service.show_sign_in(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/invitation: The page on which an invited person binds a second factor and chooses a password. The
/// invitation is pasted there, or stands behind `#` in the page's address, which is sent to nobody.
/// (spec/operations/admin_console.yaml: admin_console.invitation)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.invitation` (GET /admin/invitation) has no handler on `{Self}`",
    label = "missing `impl ShowInvitation for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.invitation",
    note = "add: impl ShowInvitation for {Self} {{ async fn show_invitation(&self, cx: &Cx, input: ShowInvitationInput) -> Result<ProxyReply, ShowInvitationError> {{ .. }} }}"
)]
pub trait ShowInvitation: Send + Sync + 'static {
    /// Answers the operation.
    fn show_invitation(
        &self,
        cx: &api::Cx,
        input: ShowInvitationInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowInvitationError>> + Send;
}

/// The input of [`ShowInvitation`].
#[derive(Debug)]
pub struct ShowInvitationInput {}

/// The errors of [`ShowInvitation`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.invitation", spec = "spec/operations/admin_console.yaml: admin_console.invitation")]
pub enum ShowInvitationError {}

pub(in crate::generated) static SHOW_INVITATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/invitation"),
    ],
    ..api::Operation::new("admin_console.invitation", "spec/operations/admin_console.yaml: admin_console.invitation", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_invitation<S: ShowInvitation>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowInvitationInput {};
    let reply = service.show_invitation(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/files/{file}: The style or the script of the pages, or the logo of the service.
/// (spec/operations/admin_console.yaml: admin_console.file)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.file` (GET /admin/files/{{file}}) has no handler on `{Self}`",
    label = "missing `impl ShowConsoleFile for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.file",
    note = "add: impl ShowConsoleFile for {Self} {{ async fn show_console_file(&self, cx: &Cx, input: ShowConsoleFileInput) -> Result<ProxyReply, ShowConsoleFileError> {{ .. }} }}"
)]
pub trait ShowConsoleFile: Send + Sync + 'static {
    /// Answers the operation.
    fn show_console_file(
        &self,
        cx: &api::Cx,
        input: ShowConsoleFileInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowConsoleFileError>> + Send;
}

/// The input of [`ShowConsoleFile`].
#[derive(Debug)]
pub struct ShowConsoleFileInput {
    /// Its name, as the pages have it.
    pub file: String,
}

/// The errors of [`ShowConsoleFile`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.file", spec = "spec/operations/admin_console.yaml: admin_console.file")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowConsoleFileError {
    #[code(ROUTE_NOT_FOUND)]
    RouteNotFound { method: String, path: String },
}

pub(in crate::generated) static SHOW_CONSOLE_FILE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/files/{file}"),
    ],
    ..api::Operation::new("admin_console.file", "spec/operations/admin_console.yaml: admin_console.file", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_console_file<S: ShowConsoleFile>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowConsoleFileInput {
        file: call.path("file", api::Text::of(1, 64))?,
    };
    let reply = service.show_console_file(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/overview: The state of the service in numbers, the last changes, and what an empty server still
/// needs. (spec/operations/admin_console.yaml: admin_console.overview)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.overview` (GET /admin/overview) has no handler on `{Self}`",
    label = "missing `impl ShowOverview for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.overview",
    note = "add: impl ShowOverview for {Self} {{ async fn show_overview(&self, cx: &Cx, input: ShowOverviewInput) -> Result<ProxyReply, ShowOverviewError> {{ .. }} }}"
)]
pub trait ShowOverview: Send + Sync + 'static {
    /// Answers the operation.
    fn show_overview(
        &self,
        cx: &api::Cx,
        input: ShowOverviewInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOverviewError>> + Send;
}

/// The input of [`ShowOverview`].
#[derive(Debug)]
pub struct ShowOverviewInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl ShowOverviewInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowOverview`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.overview", spec = "spec/operations/admin_console.yaml: admin_console.overview")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOverviewError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_OVERVIEW: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/overview"),
    ],
    roles: ShowOverviewInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.overview", "spec/operations/admin_console.yaml: admin_console.overview", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_overview<S: ShowOverview + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOverviewInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.show_overview(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/accounts: The accounts with their credit. (spec/operations/admin_console.yaml:
/// admin_console.accounts)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.accounts` (GET /admin/accounts) has no handler on `{Self}`",
    label = "missing `impl ShowAccounts for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.accounts",
    note = "add: impl ShowAccounts for {Self} {{ async fn show_accounts(&self, cx: &Cx, input: ShowAccountsInput) -> Result<ProxyReply, ShowAccountsError> {{ .. }} }}"
)]
pub trait ShowAccounts: Send + Sync + 'static {
    /// Answers the operation.
    fn show_accounts(
        &self,
        cx: &api::Cx,
        input: ShowAccountsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowAccountsError>> + Send;
}

/// The input of [`ShowAccounts`].
#[derive(Debug)]
pub struct ShowAccountsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The page after that: `next` of the page before.
    pub after: Option<String>,
    /// Only accounts with this in their name, and the one of this number.
    pub search: Option<String>,
    /// Only accounts of this group.
    pub group: Option<String>,
    /// Only accounts that stand there: a word of `AccountState`.
    pub state: Option<String>,
    /// The order: a word of `AccountSort`. Absent means `name`.
    pub sort: Option<String>,
}

impl ShowAccountsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowAccounts`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.accounts", spec = "spec/operations/admin_console.yaml: admin_console.accounts")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowAccountsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_ACCOUNTS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/accounts"),
    ],
    roles: ShowAccountsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.accounts", "spec/operations/admin_console.yaml: admin_console.accounts", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_accounts<S: ShowAccounts + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowAccountsInput {
        caller: call.operator(&*service).await?,
        after: call.optional_query("after", api::Text::most(128))?,
        search: call.optional_query("search", api::Text::most(64))?,
        group: call.optional_query("group", api::Text::most(64))?,
        state: call.optional_query("state", api::Text::most(16))?,
        sort: call.optional_query("sort", api::Text::most(16))?,
    };
    let reply = service.show_accounts(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/accounts/{account_id}: One account: its credit, its keys, and what was changed of it.
/// (spec/operations/admin_console.yaml: admin_console.account)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.account` (GET /admin/accounts/{{account_id}}) has no handler on `{Self}`",
    label = "missing `impl ShowAccount for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.account",
    note = "add: impl ShowAccount for {Self} {{ async fn show_account(&self, cx: &Cx, input: ShowAccountInput) -> Result<ProxyReply, ShowAccountError> {{ .. }} }}"
)]
pub trait ShowAccount: Send + Sync + 'static {
    /// Answers the operation.
    fn show_account(
        &self,
        cx: &api::Cx,
        input: ShowAccountInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowAccountError>> + Send;
}

/// The input of [`ShowAccount`].
#[derive(Debug)]
pub struct ShowAccountInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
}

impl ShowAccountInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowAccount`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.account", spec = "spec/operations/admin_console.yaml: admin_console.account")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowAccountError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(ACCOUNT_NOT_FOUND)]
    AccountNotFound { account_id: i64 },
}

pub(in crate::generated) static SHOW_ACCOUNT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/accounts/{account_id}"),
    ],
    roles: ShowAccountInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.account", "spec/operations/admin_console.yaml: admin_console.account", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_account<S: ShowAccount + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowAccountInput {
        caller: call.operator(&*service).await?,
        account_id: call.path("account_id", api::Whole::least(1))?,
    };
    let reply = service.show_account(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/providers: The providers: where they come from, and how they fare at the server that answers.
/// (spec/operations/admin_console.yaml: admin_console.providers)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.providers` (GET /admin/providers) has no handler on `{Self}`",
    label = "missing `impl ShowProviders for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.providers",
    note = "add: impl ShowProviders for {Self} {{ async fn show_providers(&self, cx: &Cx, input: ShowProvidersInput) -> Result<ProxyReply, ShowProvidersError> {{ .. }} }}"
)]
pub trait ShowProviders: Send + Sync + 'static {
    /// Answers the operation.
    fn show_providers(
        &self,
        cx: &api::Cx,
        input: ShowProvidersInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowProvidersError>> + Send;
}

/// The input of [`ShowProviders`].
#[derive(Debug)]
pub struct ShowProvidersInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The page after that name: `next` of the page before.
    pub after: Option<String>,
}

impl ShowProvidersInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowProviders`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.providers", spec = "spec/operations/admin_console.yaml: admin_console.providers")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowProvidersError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_PROVIDERS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/providers"),
    ],
    roles: ShowProvidersInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.providers", "spec/operations/admin_console.yaml: admin_console.providers", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_providers<S: ShowProviders + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowProvidersInput {
        caller: call.operator(&*service).await?,
        after: call.optional_query("after", api::Text::most(128))?,
    };
    let reply = service.show_providers(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/providers/{name}: One provider: its settings, its models, and what was changed of it.
/// (spec/operations/admin_console.yaml: admin_console.provider)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.provider` (GET /admin/providers/{{name}}) has no handler on `{Self}`",
    label = "missing `impl ShowProvider for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.provider",
    note = "add: impl ShowProvider for {Self} {{ async fn show_provider(&self, cx: &Cx, input: ShowProviderInput) -> Result<ProxyReply, ShowProviderError> {{ .. }} }}"
)]
pub trait ShowProvider: Send + Sync + 'static {
    /// Answers the operation.
    fn show_provider(
        &self,
        cx: &api::Cx,
        input: ShowProviderInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowProviderError>> + Send;
}

/// The input of [`ShowProvider`].
#[derive(Debug)]
pub struct ShowProviderInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name, percent-encoded where it has slashes.
    pub name: String,
}

impl ShowProviderInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowProvider`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.provider", spec = "spec/operations/admin_console.yaml: admin_console.provider")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowProviderError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(CATALOG_NOT_FOUND)]
    CatalogNotFound { kind: String, name: String },
}

pub(in crate::generated) static SHOW_PROVIDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/providers/{name}"),
    ],
    roles: ShowProviderInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.provider", "spec/operations/admin_console.yaml: admin_console.provider", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_provider<S: ShowProvider + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowProviderInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
    };
    let reply = service.show_provider(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/models: The models on offer with what they cost. (spec/operations/admin_console.yaml:
/// admin_console.models)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.models` (GET /admin/models) has no handler on `{Self}`",
    label = "missing `impl ShowModels for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.models",
    note = "add: impl ShowModels for {Self} {{ async fn show_models(&self, cx: &Cx, input: ShowModelsInput) -> Result<ProxyReply, ShowModelsError> {{ .. }} }}"
)]
pub trait ShowModels: Send + Sync + 'static {
    /// Answers the operation.
    fn show_models(
        &self,
        cx: &api::Cx,
        input: ShowModelsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowModelsError>> + Send;
}

/// The input of [`ShowModels`].
#[derive(Debug)]
pub struct ShowModelsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The page after that name: `next` of the page before.
    pub after: Option<String>,
}

impl ShowModelsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowModels`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.models", spec = "spec/operations/admin_console.yaml: admin_console.models")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowModelsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_MODELS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/models"),
    ],
    roles: ShowModelsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.models", "spec/operations/admin_console.yaml: admin_console.models", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_models<S: ShowModels + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowModelsInput {
        caller: call.operator(&*service).await?,
        after: call.optional_query("after", api::Text::most(128))?,
    };
    let reply = service.show_models(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/models/{name}: One model on offer: its settings, what it costs, and what was changed of it.
/// (spec/operations/admin_console.yaml: admin_console.model)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.model` (GET /admin/models/{{name}}) has no handler on `{Self}`",
    label = "missing `impl ShowModel for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.model",
    note = "add: impl ShowModel for {Self} {{ async fn show_model(&self, cx: &Cx, input: ShowModelInput) -> Result<ProxyReply, ShowModelError> {{ .. }} }}"
)]
pub trait ShowModel: Send + Sync + 'static {
    /// Answers the operation.
    fn show_model(
        &self,
        cx: &api::Cx,
        input: ShowModelInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowModelError>> + Send;
}

/// The input of [`ShowModel`].
#[derive(Debug)]
pub struct ShowModelInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name, percent-encoded where it has slashes.
    pub name: String,
}

impl ShowModelInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowModel`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.model", spec = "spec/operations/admin_console.yaml: admin_console.model")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowModelError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(CATALOG_NOT_FOUND)]
    CatalogNotFound { kind: String, name: String },
}

pub(in crate::generated) static SHOW_MODEL: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/models/{name}"),
    ],
    roles: ShowModelInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.model", "spec/operations/admin_console.yaml: admin_console.model", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_model<S: ShowModel + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowModelInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
    };
    let reply = service.show_model(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/prices: The prices and the groups. (spec/operations/admin_console.yaml: admin_console.prices)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.prices` (GET /admin/prices) has no handler on `{Self}`",
    label = "missing `impl ShowPrices for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.prices",
    note = "add: impl ShowPrices for {Self} {{ async fn show_prices(&self, cx: &Cx, input: ShowPricesInput) -> Result<ProxyReply, ShowPricesError> {{ .. }} }}"
)]
pub trait ShowPrices: Send + Sync + 'static {
    /// Answers the operation.
    fn show_prices(
        &self,
        cx: &api::Cx,
        input: ShowPricesInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowPricesError>> + Send;
}

/// The input of [`ShowPrices`].
#[derive(Debug)]
pub struct ShowPricesInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The page after that name: `next` of the page before.
    pub after: Option<String>,
}

impl ShowPricesInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowPrices`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.prices", spec = "spec/operations/admin_console.yaml: admin_console.prices")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowPricesError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_PRICES: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/prices"),
    ],
    roles: ShowPricesInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.prices", "spec/operations/admin_console.yaml: admin_console.prices", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_prices<S: ShowPrices + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowPricesInput {
        caller: call.operator(&*service).await?,
        after: call.optional_query("after", api::Text::most(128))?,
    };
    let reply = service.show_prices(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/prices/{name}: One price with the versions before it and the models that cost so.
/// (spec/operations/admin_console.yaml: admin_console.price)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.price` (GET /admin/prices/{{name}}) has no handler on `{Self}`",
    label = "missing `impl ShowPrice for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.price",
    note = "add: impl ShowPrice for {Self} {{ async fn show_price(&self, cx: &Cx, input: ShowPriceInput) -> Result<ProxyReply, ShowPriceError> {{ .. }} }}"
)]
pub trait ShowPrice: Send + Sync + 'static {
    /// Answers the operation.
    fn show_price(
        &self,
        cx: &api::Cx,
        input: ShowPriceInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowPriceError>> + Send;
}

/// The input of [`ShowPrice`].
#[derive(Debug)]
pub struct ShowPriceInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name, percent-encoded where it has slashes.
    pub name: String,
}

impl ShowPriceInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowPrice`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.price", spec = "spec/operations/admin_console.yaml: admin_console.price")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowPriceError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(CATALOG_NOT_FOUND)]
    CatalogNotFound { kind: String, name: String },
}

pub(in crate::generated) static SHOW_PRICE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/prices/{name}"),
    ],
    roles: ShowPriceInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.price", "spec/operations/admin_console.yaml: admin_console.price", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_price<S: ShowPrice + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowPriceInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
    };
    let reply = service.show_price(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/payments: The payments that wait for a decision, and the top-up orders of all accounts.
/// (spec/operations/admin_console.yaml: admin_console.payments)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.payments` (GET /admin/payments) has no handler on `{Self}`",
    label = "missing `impl ShowPayments for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.payments",
    note = "add: impl ShowPayments for {Self} {{ async fn show_payments(&self, cx: &Cx, input: ShowPaymentsInput) -> Result<ProxyReply, ShowPaymentsError> {{ .. }} }}"
)]
pub trait ShowPayments: Send + Sync + 'static {
    /// Answers the operation.
    fn show_payments(
        &self,
        cx: &api::Cx,
        input: ShowPaymentsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowPaymentsError>> + Send;
}

/// The input of [`ShowPayments`].
#[derive(Debug)]
pub struct ShowPaymentsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The page after that: `next` of the page before.
    pub after: Option<String>,
    /// Only orders of the account of this number.
    pub account: Option<String>,
    /// Only orders on this rail: a word of `Rail`.
    pub rail: Option<String>,
    /// Only orders that stand there: a word of `TopupStatus`.
    pub status: Option<String>,
}

impl ShowPaymentsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowPayments`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.payments", spec = "spec/operations/admin_console.yaml: admin_console.payments")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowPaymentsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_PAYMENTS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/payments"),
    ],
    roles: ShowPaymentsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.payments", "spec/operations/admin_console.yaml: admin_console.payments", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_payments<S: ShowPayments + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowPaymentsInput {
        caller: call.operator(&*service).await?,
        after: call.optional_query("after", api::Text::most(64))?,
        account: call.optional_query("account", api::Text::most(20))?,
        rail: call.optional_query("rail", api::Text::most(16))?,
        status: call.optional_query("status", api::Text::most(16))?,
    };
    let reply = service.show_payments(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/orders/{order_id}: One order: its payments, what was decided on them, and what went back.
/// (spec/operations/admin_console.yaml: admin_console.order)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.order` (GET /admin/orders/{{order_id}}) has no handler on `{Self}`",
    label = "missing `impl ShowOrder for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.order",
    note = "add: impl ShowOrder for {Self} {{ async fn show_order(&self, cx: &Cx, input: ShowOrderInput) -> Result<ProxyReply, ShowOrderError> {{ .. }} }}"
)]
pub trait ShowOrder: Send + Sync + 'static {
    /// Answers the operation.
    fn show_order(
        &self,
        cx: &api::Cx,
        input: ShowOrderInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOrderError>> + Send;
}

/// The input of [`ShowOrder`].
#[derive(Debug)]
pub struct ShowOrderInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the order, from the list of orders.
    pub order_id: i64,
}

impl ShowOrderInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowOrder`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.order", spec = "spec/operations/admin_console.yaml: admin_console.order")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOrderError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(ORDER_NOT_FOUND)]
    OrderNotFound { order: String },
}

pub(in crate::generated) static SHOW_ORDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/orders/{order_id}"),
    ],
    roles: ShowOrderInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.order", "spec/operations/admin_console.yaml: admin_console.order", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_order<S: ShowOrder + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOrderInput {
        caller: call.operator(&*service).await?,
        order_id: call.path("order_id", api::Whole::least(1))?,
    };
    let reply = service.show_order(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/ledger: The ledger: receipts by account or request, open holds, work on it, and its seals.
/// (spec/operations/admin_console.yaml: admin_console.ledger)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.ledger` (GET /admin/ledger) has no handler on `{Self}`",
    label = "missing `impl ShowLedger for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.ledger",
    note = "add: impl ShowLedger for {Self} {{ async fn show_ledger(&self, cx: &Cx, input: ShowLedgerInput) -> Result<ProxyReply, ShowLedgerError> {{ .. }} }}"
)]
pub trait ShowLedger: Send + Sync + 'static {
    /// Answers the operation.
    fn show_ledger(
        &self,
        cx: &api::Cx,
        input: ShowLedgerInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowLedgerError>> + Send;
}

/// The input of [`ShowLedger`].
#[derive(Debug)]
pub struct ShowLedgerInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The request whose receipt is looked for: its header `x-request-id`.
    pub request: Option<String>,
    /// Receipts of the account of this number.
    pub account: Option<String>,
    /// Only receipts of requests with the key of this number.
    pub key_id: Option<String>,
    /// Only receipts of this model.
    pub model: Option<String>,
    /// Only receipts of requests that carry this tag.
    pub tag: Option<String>,
    /// Only receipts that stand there: a word of `ReceiptStatus`.
    pub status: Option<String>,
    /// Only receipts of this day in UTC or later, as in `2026-11-27`.
    pub from: Option<String>,
    /// Only receipts before this day in UTC.
    pub to: Option<String>,
    /// The page after that receipt: `next` of the page before.
    pub after: Option<String>,
}

impl ShowLedgerInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowLedger`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.ledger", spec = "spec/operations/admin_console.yaml: admin_console.ledger")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowLedgerError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_LEDGER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/ledger"),
    ],
    roles: ShowLedgerInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.ledger", "spec/operations/admin_console.yaml: admin_console.ledger", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_ledger<S: ShowLedger + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowLedgerInput {
        caller: call.operator(&*service).await?,
        request: call.optional_query("request", api::Text::most(128))?,
        account: call.optional_query("account", api::Text::most(20))?,
        key_id: call.optional_query("key_id", api::Text::most(20))?,
        model: call.optional_query("model", api::Text::most(256))?,
        tag: call.optional_query("tag", api::Text::most(64))?,
        status: call.optional_query("status", api::Text::most(16))?,
        from: call.optional_query("from", api::Text::most(10))?,
        to: call.optional_query("to", api::Text::most(10))?,
        after: call.optional_query("after", api::Text::most(128))?,
    };
    let reply = service.show_ledger(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/receipts/{request_id}: One receipt: what was held and charged, and the rule that decided it.
/// (spec/operations/admin_console.yaml: admin_console.receipt)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.receipt` (GET /admin/receipts/{{request_id}}) has no handler on `{Self}`",
    label = "missing `impl ShowReceipt for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.receipt",
    note = "add: impl ShowReceipt for {Self} {{ async fn show_receipt(&self, cx: &Cx, input: ShowReceiptInput) -> Result<ProxyReply, ShowReceiptError> {{ .. }} }}"
)]
pub trait ShowReceipt: Send + Sync + 'static {
    /// Answers the operation.
    fn show_receipt(
        &self,
        cx: &api::Cx,
        input: ShowReceiptInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowReceiptError>> + Send;
}

/// The input of [`ShowReceipt`].
#[derive(Debug)]
pub struct ShowReceiptInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The value of the header `x-request-id` of the answer.
    pub request_id: String,
}

impl ShowReceiptInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowReceipt`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.receipt", spec = "spec/operations/admin_console.yaml: admin_console.receipt")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowReceiptError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(RECEIPT_NOT_FOUND)]
    ReceiptNotFound { request_id: String },
}

pub(in crate::generated) static SHOW_RECEIPT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/receipts/{request_id}"),
    ],
    roles: ShowReceiptInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.receipt", "spec/operations/admin_console.yaml: admin_console.receipt", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_receipt<S: ShowReceipt + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowReceiptInput {
        caller: call.operator(&*service).await?,
        request_id: call.path("request_id", api::Text::of(1, 128))?,
    };
    let reply = service.show_receipt(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/alarms: The alarms, with what to do about each. (spec/operations/admin_console.yaml:
/// admin_console.alarms)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.alarms` (GET /admin/alarms) has no handler on `{Self}`",
    label = "missing `impl ShowAlarms for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.alarms",
    note = "add: impl ShowAlarms for {Self} {{ async fn show_alarms(&self, cx: &Cx, input: ShowAlarmsInput) -> Result<ProxyReply, ShowAlarmsError> {{ .. }} }}"
)]
pub trait ShowAlarms: Send + Sync + 'static {
    /// Answers the operation.
    fn show_alarms(
        &self,
        cx: &api::Cx,
        input: ShowAlarmsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowAlarmsError>> + Send;
}

/// The input of [`ShowAlarms`].
#[derive(Debug)]
pub struct ShowAlarmsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The page after that: `next` of the page before.
    pub after: Option<String>,
    /// Only alarms that stand there: a word of `AlarmState`. Absent means `open`.
    pub state: Option<String>,
    /// Only alarms of this code, as `relayer`.
    pub alarm: Option<String>,
}

impl ShowAlarmsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowAlarms`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.alarms", spec = "spec/operations/admin_console.yaml: admin_console.alarms")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowAlarmsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_ALARMS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/alarms"),
    ],
    roles: ShowAlarmsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.alarms", "spec/operations/admin_console.yaml: admin_console.alarms", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_alarms<S: ShowAlarms + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowAlarmsInput {
        caller: call.operator(&*service).await?,
        after: call.optional_query("after", api::Text::most(64))?,
        state: call.optional_query("state", api::Text::most(16))?,
        alarm: call.optional_query("alarm", api::Text::most(64))?,
    };
    let reply = service.show_alarms(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/settings: The servers, and the settings in force at the one that answers.
/// (spec/operations/admin_console.yaml: admin_console.settings)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.settings` (GET /admin/settings) has no handler on `{Self}`",
    label = "missing `impl ShowSettings for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.settings",
    note = "add: impl ShowSettings for {Self} {{ async fn show_settings(&self, cx: &Cx, input: ShowSettingsInput) -> Result<ProxyReply, ShowSettingsError> {{ .. }} }}"
)]
pub trait ShowSettings: Send + Sync + 'static {
    /// Answers the operation.
    fn show_settings(
        &self,
        cx: &api::Cx,
        input: ShowSettingsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowSettingsError>> + Send;
}

/// The input of [`ShowSettings`].
#[derive(Debug)]
pub struct ShowSettingsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl ShowSettingsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowSettings`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.settings", spec = "spec/operations/admin_console.yaml: admin_console.settings")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowSettingsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_SETTINGS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/settings"),
    ],
    roles: ShowSettingsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.settings", "spec/operations/admin_console.yaml: admin_console.settings", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_settings<S: ShowSettings + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowSettingsInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.show_settings(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/live: The numbers of the overview as they are now, or with `alt=sse` as they change, as
/// server-sent events, for a minute: the browser comes again by itself then, so that whoever was signed out sees
/// no more. (spec/operations/admin_console.yaml: admin_console.live)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.live` (GET /admin/live) has no handler on `{Self}`",
    label = "missing `impl ShowLive for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.live",
    note = "add: impl ShowLive for {Self} {{ async fn show_live(&self, cx: &Cx, input: ShowLiveInput) -> Result<ProxyReply, ShowLiveError> {{ .. }} }}"
)]
pub trait ShowLive: Send + Sync + 'static {
    /// Answers the operation.
    fn show_live(
        &self,
        cx: &api::Cx,
        input: ShowLiveInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowLiveError>> + Send;
}

/// The input of [`ShowLive`].
#[derive(Debug)]
pub struct ShowLiveInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// `sse` for server-sent events.
    pub alt: Option<String>,
    /// The number of events, two seconds apart. Absent means 30.
    pub events: Option<i64>,
}

impl ShowLiveInput {
    /// The form of a stream on the wire.
    pub const STREAM: api::EventStream = api::EventStream {
        named: false,
        ends_with: &[],
    };

    /// True if the request asks for a stream of events: `query.alt=sse`.
    #[must_use]
    pub fn streams(&self) -> bool {
        self.alt.as_deref() == Some("sse")
    }
}

impl ShowLiveInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowLive`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.live", spec = "spec/operations/admin_console.yaml: admin_console.live")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowLiveError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_LIVE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/live"),
    ],
    roles: ShowLiveInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.live", "spec/operations/admin_console.yaml: admin_console.live", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_live<S: ShowLive + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowLiveInput {
        caller: call.operator(&*service).await?,
        alt: call.optional_query("alt", "a text")?,
        events: call.optional_query("events", api::Whole::of(1, 30))?,
    };
    let reply = service.show_live(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/operators: The operators. (spec/operations/admin_console.yaml: admin_console.operators)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.operators` (GET /admin/operators) has no handler on `{Self}`",
    label = "missing `impl ShowOperators for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.operators",
    note = "add: impl ShowOperators for {Self} {{ async fn show_operators(&self, cx: &Cx, input: ShowOperatorsInput) -> Result<ProxyReply, ShowOperatorsError> {{ .. }} }}"
)]
pub trait ShowOperators: Send + Sync + 'static {
    /// Answers the operation.
    fn show_operators(
        &self,
        cx: &api::Cx,
        input: ShowOperatorsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOperatorsError>> + Send;
}

/// The input of [`ShowOperators`].
#[derive(Debug)]
pub struct ShowOperatorsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl ShowOperatorsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowOperators`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.operators", spec = "spec/operations/admin_console.yaml: admin_console.operators")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOperatorsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_OPERATORS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/operators"),
    ],
    roles: ShowOperatorsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.operators", "spec/operations/admin_console.yaml: admin_console.operators", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_operators<S: ShowOperators + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOperatorsInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.show_operators(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/operators/{operator_id}: One operator, to owners with its sessions.
/// (spec/operations/admin_console.yaml: admin_console.operator)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.operator` (GET /admin/operators/{{operator_id}}) has no handler on `{Self}`",
    label = "missing `impl ShowOperator for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.operator",
    note = "add: impl ShowOperator for {Self} {{ async fn show_operator(&self, cx: &Cx, input: ShowOperatorInput) -> Result<ProxyReply, ShowOperatorError> {{ .. }} }}"
)]
pub trait ShowOperator: Send + Sync + 'static {
    /// Answers the operation.
    fn show_operator(
        &self,
        cx: &api::Cx,
        input: ShowOperatorInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOperatorError>> + Send;
}

/// The input of [`ShowOperator`].
#[derive(Debug)]
pub struct ShowOperatorInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the operator, from the list of operators.
    pub operator_id: i64,
}

impl ShowOperatorInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowOperator`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.operator", spec = "spec/operations/admin_console.yaml: admin_console.operator")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOperatorError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(OPERATOR_NOT_FOUND)]
    OperatorNotFound { operator_id: i64 },
}

pub(in crate::generated) static SHOW_OPERATOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/operators/{operator_id}"),
    ],
    roles: ShowOperatorInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.operator", "spec/operations/admin_console.yaml: admin_console.operator", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_operator<S: ShowOperator + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOperatorInput {
        caller: call.operator(&*service).await?,
        operator_id: call.path("operator_id", api::Whole::least(1))?,
    };
    let reply = service.show_operator(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /admin/changes: The log of changes, the newest first. (spec/operations/admin_console.yaml:
/// admin_console.changes)
#[diagnostic::on_unimplemented(
    message = "operation `admin_console.changes` (GET /admin/changes) has no handler on `{Self}`",
    label = "missing `impl ShowChanges for {Self}`",
    note = "declared at spec/operations/admin_console.yaml: admin_console.changes",
    note = "add: impl ShowChanges for {Self} {{ async fn show_changes(&self, cx: &Cx, input: ShowChangesInput) -> Result<ProxyReply, ShowChangesError> {{ .. }} }}"
)]
pub trait ShowChanges: Send + Sync + 'static {
    /// Answers the operation.
    fn show_changes(
        &self,
        cx: &api::Cx,
        input: ShowChangesInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowChangesError>> + Send;
}

/// The input of [`ShowChanges`].
#[derive(Debug)]
pub struct ShowChangesInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The page after that line: `next` of the page before.
    pub after: Option<String>,
    /// Only changes by this actor, as the lines tell it.
    pub actor: Option<String>,
    /// Only this act, as in `credit.grant`.
    pub action: Option<String>,
    /// Only changes of this, most often a number.
    pub subject: Option<String>,
    /// Only changes on this day in UTC or later, as in `2026-11-27`.
    pub from: Option<String>,
    /// Only changes before this day in UTC.
    pub to: Option<String>,
}

impl ShowChangesInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ShowChanges`].
#[derive(Debug, OpError)]
#[op(operation = "admin_console.changes", spec = "spec/operations/admin_console.yaml: admin_console.changes")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowChangesError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SHOW_CHANGES: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/changes"),
    ],
    roles: ShowChangesInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_console.changes", "spec/operations/admin_console.yaml: admin_console.changes", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_changes<S: ShowChanges + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowChangesInput {
        caller: call.operator(&*service).await?,
        after: call.optional_query("after", api::Text::most(32))?,
        actor: call.optional_query("actor", api::Text::most(128))?,
        action: call.optional_query("action", api::Text::most(64))?,
        subject: call.optional_query("subject", api::Text::most(128))?,
        from: call.optional_query("from", api::Text::most(10))?,
        to: call.optional_query("to", api::Text::most(10))?,
    };
    let reply = service.show_changes(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}
