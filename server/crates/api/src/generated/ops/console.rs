// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `console`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use crate::api;

/// GET /: The page on which people sign in to an account. Whoever is signed in is sent on to the overview.
/// (spec/operations/console.yaml: console.sign_in)
#[diagnostic::on_unimplemented(
    message = "operation `console.sign_in` (GET /) has no handler on `{Self}`",
    label = "missing `impl ShowLogin for {Self}`",
    note = "declared at spec/operations/console.yaml: console.sign_in",
    note = "add: impl ShowLogin for {Self} {{ async fn show_login(&self, cx: &Cx, input: ShowLoginInput) -> Result<ProxyReply, ShowLoginError> {{ .. }} }}"
)]
pub trait ShowLogin: Send + Sync + 'static {
    /// Answers the operation.
    fn show_login(
        &self,
        cx: &api::Cx,
        input: ShowLoginInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowLoginError>> + Send;
}

/// The input of [`ShowLogin`].
#[derive(Debug)]
pub struct ShowLoginInput {}

/// The errors of [`ShowLogin`].
#[derive(Debug, OpError)]
#[op(operation = "console.sign_in", spec = "spec/operations/console.yaml: console.sign_in")]
pub enum ShowLoginError {}

pub(in crate::generated) static SHOW_LOGIN: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/"),
        api::Route::new(http::Method::GET, "/console"),
        api::Route::new(http::Method::GET, "/console/sign-in"),
    ],
    ..api::Operation::new("console.sign_in", "spec/operations/console.yaml: console.sign_in", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_login<S: ShowLogin>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowLoginInput {};
    let reply = service.show_login(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/register: The page on which people open an account, where the operator has switched registration
/// on. (spec/operations/console.yaml: console.register)
#[diagnostic::on_unimplemented(
    message = "operation `console.register` (GET /console/register) has no handler on `{Self}`",
    label = "missing `impl ShowRegistration for {Self}`",
    note = "declared at spec/operations/console.yaml: console.register",
    note = "add: impl ShowRegistration for {Self} {{ async fn show_registration(&self, cx: &Cx, input: ShowRegistrationInput) -> Result<ProxyReply, ShowRegistrationError> {{ .. }} }}"
)]
pub trait ShowRegistration: Send + Sync + 'static {
    /// Answers the operation.
    fn show_registration(
        &self,
        cx: &api::Cx,
        input: ShowRegistrationInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowRegistrationError>> + Send;
}

/// The input of [`ShowRegistration`].
#[derive(Debug)]
pub struct ShowRegistrationInput {}

/// The errors of [`ShowRegistration`].
#[derive(Debug, OpError)]
#[op(operation = "console.register", spec = "spec/operations/console.yaml: console.register")]
pub enum ShowRegistrationError {}

pub(in crate::generated) static SHOW_REGISTRATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/register"),
    ],
    ..api::Operation::new("console.register", "spec/operations/console.yaml: console.register", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_registration<S: ShowRegistration>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowRegistrationInput {};
    let reply = service.show_registration(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/files/{file}: A style or a script of the pages, or the logo of the service.
/// (spec/operations/console.yaml: console.file)
#[diagnostic::on_unimplemented(
    message = "operation `console.file` (GET /console/files/{{file}}) has no handler on `{Self}`",
    label = "missing `impl ShowPageFile for {Self}`",
    note = "declared at spec/operations/console.yaml: console.file",
    note = "add: impl ShowPageFile for {Self} {{ async fn show_page_file(&self, cx: &Cx, input: ShowPageFileInput) -> Result<ProxyReply, ShowPageFileError> {{ .. }} }}"
)]
pub trait ShowPageFile: Send + Sync + 'static {
    /// Answers the operation.
    fn show_page_file(
        &self,
        cx: &api::Cx,
        input: ShowPageFileInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowPageFileError>> + Send;
}

/// The input of [`ShowPageFile`].
#[derive(Debug)]
pub struct ShowPageFileInput {
    /// Its name, as the pages have it.
    pub file: String,
}

/// The errors of [`ShowPageFile`].
#[derive(Debug, OpError)]
#[op(operation = "console.file", spec = "spec/operations/console.yaml: console.file")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowPageFileError {
    #[code(ROUTE_NOT_FOUND)]
    RouteNotFound { method: String, path: String },
}

pub(in crate::generated) static SHOW_PAGE_FILE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/files/{file}"),
    ],
    ..api::Operation::new("console.file", "spec/operations/console.yaml: console.file", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_page_file<S: ShowPageFile>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowPageFileInput {
        file: call.path("file", api::Text::of(1, 64))?,
    };
    let reply = service.show_page_file(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/overview: The credit of the account, its requests under way, what it has spent in this month,
/// its latest receipts and its keys. (spec/operations/console.yaml: console.overview)
#[diagnostic::on_unimplemented(
    message = "operation `console.overview` (GET /console/overview) has no handler on `{Self}`",
    label = "missing `impl ShowOwnOverview for {Self}`",
    note = "declared at spec/operations/console.yaml: console.overview",
    note = "add: impl ShowOwnOverview for {Self} {{ async fn show_own_overview(&self, cx: &Cx, input: ShowOwnOverviewInput) -> Result<ProxyReply, ShowOwnOverviewError> {{ .. }} }}"
)]
pub trait ShowOwnOverview: Send + Sync + 'static {
    /// Answers the operation.
    fn show_own_overview(
        &self,
        cx: &api::Cx,
        input: ShowOwnOverviewInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOwnOverviewError>> + Send;
}

/// The input of [`ShowOwnOverview`].
#[derive(Debug)]
pub struct ShowOwnOverviewInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ShowOwnOverviewInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowOwnOverview`].
#[derive(Debug, OpError)]
#[op(operation = "console.overview", spec = "spec/operations/console.yaml: console.overview")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOwnOverviewError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_OWN_OVERVIEW: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/overview"),
    ],
    members: ShowOwnOverviewInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.overview", "spec/operations/console.yaml: console.overview", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_own_overview<S: ShowOwnOverview + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOwnOverviewInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.show_own_overview(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/keys: The keys of the account, with their last use. (spec/operations/console.yaml: console.keys)
#[diagnostic::on_unimplemented(
    message = "operation `console.keys` (GET /console/keys) has no handler on `{Self}`",
    label = "missing `impl ShowOwnKeys for {Self}`",
    note = "declared at spec/operations/console.yaml: console.keys",
    note = "add: impl ShowOwnKeys for {Self} {{ async fn show_own_keys(&self, cx: &Cx, input: ShowOwnKeysInput) -> Result<ProxyReply, ShowOwnKeysError> {{ .. }} }}"
)]
pub trait ShowOwnKeys: Send + Sync + 'static {
    /// Answers the operation.
    fn show_own_keys(
        &self,
        cx: &api::Cx,
        input: ShowOwnKeysInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOwnKeysError>> + Send;
}

/// The input of [`ShowOwnKeys`].
#[derive(Debug)]
pub struct ShowOwnKeysInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ShowOwnKeysInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowOwnKeys`].
#[derive(Debug, OpError)]
#[op(operation = "console.keys", spec = "spec/operations/console.yaml: console.keys")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOwnKeysError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_OWN_KEYS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/keys"),
    ],
    members: ShowOwnKeysInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.keys", "spec/operations/console.yaml: console.keys", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_own_keys<S: ShowOwnKeys + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOwnKeysInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.show_own_keys(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/keys/{key_id}: One key of the account with its limits. (spec/operations/console.yaml:
/// console.key)
#[diagnostic::on_unimplemented(
    message = "operation `console.key` (GET /console/keys/{{key_id}}) has no handler on `{Self}`",
    label = "missing `impl ShowOwnKey for {Self}`",
    note = "declared at spec/operations/console.yaml: console.key",
    note = "add: impl ShowOwnKey for {Self} {{ async fn show_own_key(&self, cx: &Cx, input: ShowOwnKeyInput) -> Result<ProxyReply, ShowOwnKeyError> {{ .. }} }}"
)]
pub trait ShowOwnKey: Send + Sync + 'static {
    /// Answers the operation.
    fn show_own_key(
        &self,
        cx: &api::Cx,
        input: ShowOwnKeyInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOwnKeyError>> + Send;
}

/// The input of [`ShowOwnKey`].
#[derive(Debug)]
pub struct ShowOwnKeyInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the key, from the list of keys.
    pub key_id: i64,
}

impl ShowOwnKeyInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowOwnKey`].
#[derive(Debug, OpError)]
#[op(operation = "console.key", spec = "spec/operations/console.yaml: console.key")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOwnKeyError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(KEY_NOT_FOUND)]
    KeyNotFound { key_id: i64 },
}

pub(in crate::generated) static SHOW_OWN_KEY: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/keys/{key_id}"),
    ],
    members: ShowOwnKeyInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.key", "spec/operations/console.yaml: console.key", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_own_key<S: ShowOwnKey + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOwnKeyInput {
        caller: call.caller_or_session(&*service).await?,
        key_id: call.path("key_id", api::Whole::least(1))?,
    };
    let reply = service.show_own_key(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/receipts: The receipts of the account, the newest first. (spec/operations/console.yaml:
/// console.receipts)
#[diagnostic::on_unimplemented(
    message = "operation `console.receipts` (GET /console/receipts) has no handler on `{Self}`",
    label = "missing `impl ShowOwnReceipts for {Self}`",
    note = "declared at spec/operations/console.yaml: console.receipts",
    note = "add: impl ShowOwnReceipts for {Self} {{ async fn show_own_receipts(&self, cx: &Cx, input: ShowOwnReceiptsInput) -> Result<ProxyReply, ShowOwnReceiptsError> {{ .. }} }}"
)]
pub trait ShowOwnReceipts: Send + Sync + 'static {
    /// Answers the operation.
    fn show_own_receipts(
        &self,
        cx: &api::Cx,
        input: ShowOwnReceiptsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOwnReceiptsError>> + Send;
}

/// The input of [`ShowOwnReceipts`].
#[derive(Debug)]
pub struct ShowOwnReceiptsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The request whose receipt is looked for: its header `x-request-id`.
    pub request: Option<String>,
    /// The page after that receipt: `next` of the page before.
    pub after: Option<String>,
    /// Only receipts of requests with the key of this number.
    pub key_id: Option<String>,
    /// Only receipts of requests with keys that are of this team now.
    pub team_id: Option<String>,
    /// Only receipts of requests with keys that are of this member now.
    pub member_id: Option<String>,
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
}

impl ShowOwnReceiptsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowOwnReceipts`].
#[derive(Debug, OpError)]
#[op(operation = "console.receipts", spec = "spec/operations/console.yaml: console.receipts")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOwnReceiptsError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_OWN_RECEIPTS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/receipts"),
    ],
    members: ShowOwnReceiptsInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.receipts", "spec/operations/console.yaml: console.receipts", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_own_receipts<S: ShowOwnReceipts + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOwnReceiptsInput {
        caller: call.caller_or_session(&*service).await?,
        request: call.optional_query("request", api::Text::most(128))?,
        after: call.optional_query("after", api::Text::most(128))?,
        key_id: call.optional_query("key_id", api::Text::most(20))?,
        team_id: call.optional_query("team_id", api::Text::most(20))?,
        member_id: call.optional_query("member_id", api::Text::most(20))?,
        model: call.optional_query("model", api::Text::most(256))?,
        tag: call.optional_query("tag", api::Text::most(64))?,
        status: call.optional_query("status", api::Text::most(16))?,
        from: call.optional_query("from", api::Text::most(10))?,
        to: call.optional_query("to", api::Text::most(10))?,
    };
    let reply = service.show_own_receipts(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/receipts/{request_id}: One receipt: what was held and charged, and the rule that decided it.
/// (spec/operations/console.yaml: console.receipt)
#[diagnostic::on_unimplemented(
    message = "operation `console.receipt` (GET /console/receipts/{{request_id}}) has no handler on `{Self}`",
    label = "missing `impl ShowOwnReceipt for {Self}`",
    note = "declared at spec/operations/console.yaml: console.receipt",
    note = "add: impl ShowOwnReceipt for {Self} {{ async fn show_own_receipt(&self, cx: &Cx, input: ShowOwnReceiptInput) -> Result<ProxyReply, ShowOwnReceiptError> {{ .. }} }}"
)]
pub trait ShowOwnReceipt: Send + Sync + 'static {
    /// Answers the operation.
    fn show_own_receipt(
        &self,
        cx: &api::Cx,
        input: ShowOwnReceiptInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOwnReceiptError>> + Send;
}

/// The input of [`ShowOwnReceipt`].
#[derive(Debug)]
pub struct ShowOwnReceiptInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The value of the header `x-request-id` of the answer.
    pub request_id: String,
}

impl ShowOwnReceiptInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowOwnReceipt`].
#[derive(Debug, OpError)]
#[op(operation = "console.receipt", spec = "spec/operations/console.yaml: console.receipt")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOwnReceiptError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(RECEIPT_NOT_FOUND)]
    ReceiptNotFound { request_id: String },
}

pub(in crate::generated) static SHOW_OWN_RECEIPT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/receipts/{request_id}"),
    ],
    members: ShowOwnReceiptInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.receipt", "spec/operations/console.yaml: console.receipt", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_own_receipt<S: ShowOwnReceipt + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOwnReceiptInput {
        caller: call.caller_or_session(&*service).await?,
        request_id: call.path("request_id", api::Text::of(1, 128))?,
    };
    let reply = service.show_own_receipt(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/usage: What the account has spent: by day, by model and by key, and by team and by member where
/// it has any. (spec/operations/console.yaml: console.usage)
#[diagnostic::on_unimplemented(
    message = "operation `console.usage` (GET /console/usage) has no handler on `{Self}`",
    label = "missing `impl ShowOwnUsage for {Self}`",
    note = "declared at spec/operations/console.yaml: console.usage",
    note = "add: impl ShowOwnUsage for {Self} {{ async fn show_own_usage(&self, cx: &Cx, input: ShowOwnUsageInput) -> Result<ProxyReply, ShowOwnUsageError> {{ .. }} }}"
)]
pub trait ShowOwnUsage: Send + Sync + 'static {
    /// Answers the operation.
    fn show_own_usage(
        &self,
        cx: &api::Cx,
        input: ShowOwnUsageInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOwnUsageError>> + Send;
}

/// The input of [`ShowOwnUsage`].
#[derive(Debug)]
pub struct ShowOwnUsageInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The first day in UTC, as in `2026-11-27`. Absent means 30 days up to the last.
    pub from: Option<String>,
    /// The last day in UTC. Absent means today.
    pub to: Option<String>,
    /// Only requests with keys that are of this team now.
    pub team_id: Option<String>,
    /// Only requests with keys that are of this member now.
    pub member_id: Option<String>,
    /// `tag` for the sums by tag too, of at most 31 days.
    pub by: Option<String>,
}

impl ShowOwnUsageInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowOwnUsage`].
#[derive(Debug, OpError)]
#[op(operation = "console.usage", spec = "spec/operations/console.yaml: console.usage")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOwnUsageError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_OWN_USAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/usage"),
    ],
    members: ShowOwnUsageInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.usage", "spec/operations/console.yaml: console.usage", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_own_usage<S: ShowOwnUsage + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOwnUsageInput {
        caller: call.caller_or_session(&*service).await?,
        from: call.optional_query("from", api::Text::most(10))?,
        to: call.optional_query("to", api::Text::most(10))?,
        team_id: call.optional_query("team_id", api::Text::most(20))?,
        member_id: call.optional_query("member_id", api::Text::most(20))?,
        by: call.optional_query("by", api::Text::most(10))?,
    };
    let reply = service.show_own_usage(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/top-up: The ways to pay in: wallets with their tokens, and e-wallets.
/// (spec/operations/console.yaml: console.topup)
#[diagnostic::on_unimplemented(
    message = "operation `console.topup` (GET /console/top-up) has no handler on `{Self}`",
    label = "missing `impl ShowTopup for {Self}`",
    note = "declared at spec/operations/console.yaml: console.topup",
    note = "add: impl ShowTopup for {Self} {{ async fn show_topup(&self, cx: &Cx, input: ShowTopupInput) -> Result<ProxyReply, ShowTopupError> {{ .. }} }}"
)]
pub trait ShowTopup: Send + Sync + 'static {
    /// Answers the operation.
    fn show_topup(
        &self,
        cx: &api::Cx,
        input: ShowTopupInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowTopupError>> + Send;
}

/// The input of [`ShowTopup`].
#[derive(Debug)]
pub struct ShowTopupInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ShowTopupInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "billing"];
}

/// The errors of [`ShowTopup`].
#[derive(Debug, OpError)]
#[op(operation = "console.topup", spec = "spec/operations/console.yaml: console.topup")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowTopupError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_TOPUP: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/top-up"),
    ],
    members: ShowTopupInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.topup", "spec/operations/console.yaml: console.topup", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_topup<S: ShowTopup + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowTopupInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.show_topup(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/first-steps: Lines for programs and coding agents, with the address of this service.
/// (spec/operations/console.yaml: console.first_steps)
#[diagnostic::on_unimplemented(
    message = "operation `console.first_steps` (GET /console/first-steps) has no handler on `{Self}`",
    label = "missing `impl ShowFirstSteps for {Self}`",
    note = "declared at spec/operations/console.yaml: console.first_steps",
    note = "add: impl ShowFirstSteps for {Self} {{ async fn show_first_steps(&self, cx: &Cx, input: ShowFirstStepsInput) -> Result<ProxyReply, ShowFirstStepsError> {{ .. }} }}"
)]
pub trait ShowFirstSteps: Send + Sync + 'static {
    /// Answers the operation.
    fn show_first_steps(
        &self,
        cx: &api::Cx,
        input: ShowFirstStepsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowFirstStepsError>> + Send;
}

/// The input of [`ShowFirstSteps`].
#[derive(Debug)]
pub struct ShowFirstStepsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ShowFirstStepsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowFirstSteps`].
#[derive(Debug, OpError)]
#[op(operation = "console.first_steps", spec = "spec/operations/console.yaml: console.first_steps")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowFirstStepsError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_FIRST_STEPS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/first-steps"),
    ],
    members: ShowFirstStepsInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.first_steps", "spec/operations/console.yaml: console.first_steps", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_first_steps<S: ShowFirstSteps + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowFirstStepsInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.show_first_steps(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/playground: A page to talk with a model, which tells the cost of each answer. It asks by a key
/// that stays in its memory, so that requests are charged and limited as any others.
/// (spec/operations/console.yaml: console.playground)
#[diagnostic::on_unimplemented(
    message = "operation `console.playground` (GET /console/playground) has no handler on `{Self}`",
    label = "missing `impl ShowPlayground for {Self}`",
    note = "declared at spec/operations/console.yaml: console.playground",
    note = "add: impl ShowPlayground for {Self} {{ async fn show_playground(&self, cx: &Cx, input: ShowPlaygroundInput) -> Result<ProxyReply, ShowPlaygroundError> {{ .. }} }}"
)]
pub trait ShowPlayground: Send + Sync + 'static {
    /// Answers the operation.
    fn show_playground(
        &self,
        cx: &api::Cx,
        input: ShowPlaygroundInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowPlaygroundError>> + Send;
}

/// The input of [`ShowPlayground`].
#[derive(Debug)]
pub struct ShowPlaygroundInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ShowPlaygroundInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowPlayground`].
#[derive(Debug, OpError)]
#[op(operation = "console.playground", spec = "spec/operations/console.yaml: console.playground")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowPlaygroundError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_PLAYGROUND: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/playground"),
    ],
    members: ShowPlaygroundInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.playground", "spec/operations/console.yaml: console.playground", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_playground<S: ShowPlayground + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowPlaygroundInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.show_playground(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/agents: The agents of the account, with their caps, and how one is registered.
/// (spec/operations/console.yaml: console.agents)
#[diagnostic::on_unimplemented(
    message = "operation `console.agents` (GET /console/agents) has no handler on `{Self}`",
    label = "missing `impl ShowOwnAgents for {Self}`",
    note = "declared at spec/operations/console.yaml: console.agents",
    note = "add: impl ShowOwnAgents for {Self} {{ async fn show_own_agents(&self, cx: &Cx, input: ShowOwnAgentsInput) -> Result<ProxyReply, ShowOwnAgentsError> {{ .. }} }}"
)]
pub trait ShowOwnAgents: Send + Sync + 'static {
    /// Answers the operation.
    fn show_own_agents(
        &self,
        cx: &api::Cx,
        input: ShowOwnAgentsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOwnAgentsError>> + Send;
}

/// The input of [`ShowOwnAgents`].
#[derive(Debug)]
pub struct ShowOwnAgentsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ShowOwnAgentsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "viewer"];
}

/// The errors of [`ShowOwnAgents`].
#[derive(Debug, OpError)]
#[op(operation = "console.agents", spec = "spec/operations/console.yaml: console.agents")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOwnAgentsError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_OWN_AGENTS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/agents"),
    ],
    members: ShowOwnAgentsInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.agents", "spec/operations/console.yaml: console.agents", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_own_agents<S: ShowOwnAgents + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOwnAgentsInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.show_own_agents(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/organisation: The organisation that the session acts for: its budgets, teams, members and
/// invitations, as far as the role shows them. (spec/operations/console.yaml: console.organisation)
#[diagnostic::on_unimplemented(
    message = "operation `console.organisation` (GET /console/organisation) has no handler on `{Self}`",
    label = "missing `impl ShowOwnOrganisation for {Self}`",
    note = "declared at spec/operations/console.yaml: console.organisation",
    note = "add: impl ShowOwnOrganisation for {Self} {{ async fn show_own_organisation(&self, cx: &Cx, input: ShowOwnOrganisationInput) -> Result<ProxyReply, ShowOwnOrganisationError> {{ .. }} }}"
)]
pub trait ShowOwnOrganisation: Send + Sync + 'static {
    /// Answers the operation.
    fn show_own_organisation(
        &self,
        cx: &api::Cx,
        input: ShowOwnOrganisationInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOwnOrganisationError>> + Send;
}

/// The input of [`ShowOwnOrganisation`].
#[derive(Debug)]
pub struct ShowOwnOrganisationInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ShowOwnOrganisationInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowOwnOrganisation`].
#[derive(Debug, OpError)]
#[op(operation = "console.organisation", spec = "spec/operations/console.yaml: console.organisation")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOwnOrganisationError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_OWN_ORGANISATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/organisation"),
    ],
    members: ShowOwnOrganisationInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.organisation", "spec/operations/console.yaml: console.organisation", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_own_organisation<S: ShowOwnOrganisation + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOwnOrganisationInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.show_own_organisation(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /invitation: The page on which an invitation to an organisation is accepted. The secret stands behind the
/// `#` of its address, which browsers send nowhere. (spec/operations/console.yaml: console.invitation)
#[diagnostic::on_unimplemented(
    message = "operation `console.invitation` (GET /invitation) has no handler on `{Self}`",
    label = "missing `impl ShowInvitationPage for {Self}`",
    note = "declared at spec/operations/console.yaml: console.invitation",
    note = "add: impl ShowInvitationPage for {Self} {{ async fn show_invitation_page(&self, cx: &Cx, input: ShowInvitationPageInput) -> Result<ProxyReply, ShowInvitationPageError> {{ .. }} }}"
)]
pub trait ShowInvitationPage: Send + Sync + 'static {
    /// Answers the operation.
    fn show_invitation_page(
        &self,
        cx: &api::Cx,
        input: ShowInvitationPageInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowInvitationPageError>> + Send;
}

/// The input of [`ShowInvitationPage`].
#[derive(Debug)]
pub struct ShowInvitationPageInput {}

/// The errors of [`ShowInvitationPage`].
#[derive(Debug, OpError)]
#[op(operation = "console.invitation", spec = "spec/operations/console.yaml: console.invitation")]
pub enum ShowInvitationPageError {}

pub(in crate::generated) static SHOW_INVITATION_PAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/invitation"),
    ],
    ..api::Operation::new("console.invitation", "spec/operations/console.yaml: console.invitation", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_invitation_page<S: ShowInvitationPage>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowInvitationPageInput {};
    let reply = service.show_invitation_page(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /sign-in/{provider}: The page that a sign-in provider sends the browser back to. Its script takes the
/// parameters of the address, and finishes the sign-in that this window has begun.
/// (spec/operations/console.yaml: console.oidc_return)
#[diagnostic::on_unimplemented(
    message = "operation `console.oidc_return` (GET /sign-in/{{provider}}) has no handler on `{Self}`",
    label = "missing `impl ShowOidcReturn for {Self}`",
    note = "declared at spec/operations/console.yaml: console.oidc_return",
    note = "add: impl ShowOidcReturn for {Self} {{ async fn show_oidc_return(&self, cx: &Cx, input: ShowOidcReturnInput) -> Result<ProxyReply, ShowOidcReturnError> {{ .. }} }}"
)]
pub trait ShowOidcReturn: Send + Sync + 'static {
    /// Answers the operation.
    fn show_oidc_return(
        &self,
        cx: &api::Cx,
        input: ShowOidcReturnInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOidcReturnError>> + Send;
}

/// The input of [`ShowOidcReturn`].
#[derive(Debug)]
pub struct ShowOidcReturnInput {
    /// The name of the provider in the configuration.
    pub provider: String,
}

/// The errors of [`ShowOidcReturn`].
#[derive(Debug, OpError)]
#[op(operation = "console.oidc_return", spec = "spec/operations/console.yaml: console.oidc_return")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOidcReturnError {
    #[code(ROUTE_NOT_FOUND)]
    RouteNotFound { method: String, path: String },
}

pub(in crate::generated) static SHOW_OIDC_RETURN: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/sign-in/{provider}"),
    ],
    ..api::Operation::new("console.oidc_return", "spec/operations/console.yaml: console.oidc_return", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_oidc_return<S: ShowOidcReturn>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOidcReturnInput {
        provider: call.path("provider", api::Text::of(1, 32))?,
    };
    let reply = service.show_oidc_return(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /console/settings: The sessions of the account, and its password. (spec/operations/console.yaml:
/// console.settings)
#[diagnostic::on_unimplemented(
    message = "operation `console.settings` (GET /console/settings) has no handler on `{Self}`",
    label = "missing `impl ShowOwnSettings for {Self}`",
    note = "declared at spec/operations/console.yaml: console.settings",
    note = "add: impl ShowOwnSettings for {Self} {{ async fn show_own_settings(&self, cx: &Cx, input: ShowOwnSettingsInput) -> Result<ProxyReply, ShowOwnSettingsError> {{ .. }} }}"
)]
pub trait ShowOwnSettings: Send + Sync + 'static {
    /// Answers the operation.
    fn show_own_settings(
        &self,
        cx: &api::Cx,
        input: ShowOwnSettingsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowOwnSettingsError>> + Send;
}

/// The input of [`ShowOwnSettings`].
#[derive(Debug)]
pub struct ShowOwnSettingsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ShowOwnSettingsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ShowOwnSettings`].
#[derive(Debug, OpError)]
#[op(operation = "console.settings", spec = "spec/operations/console.yaml: console.settings")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowOwnSettingsError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SHOW_OWN_SETTINGS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/console/settings"),
    ],
    members: ShowOwnSettingsInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("console.settings", "spec/operations/console.yaml: console.settings", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn show_own_settings<S: ShowOwnSettings + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowOwnSettingsInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.show_own_settings(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}
