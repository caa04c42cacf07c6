// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_service`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/servers: The servers that share the ledger, those that are up first.
/// (spec/operations/admin_service.yaml: admin_service.servers)
#[diagnostic::on_unimplemented(
    message = "operation `admin_service.servers` (GET /api/admin/servers) has no handler on `{Self}`",
    label = "missing `impl ListServers for {Self}`",
    note = "declared at spec/operations/admin_service.yaml: admin_service.servers",
    note = "add: impl ListServers for {Self} {{ async fn list_servers(&self, cx: &Cx, input: ListServersInput) -> Result<ServerListReply, ListServersError> {{ .. }} }}"
)]
pub trait ListServers: Send + Sync + 'static {
    /// Answers the operation.
    fn list_servers(
        &self,
        cx: &api::Cx,
        input: ListServersInput,
    ) -> impl Future<Output = Result<types::ServerListReply, ListServersError>> + Send;
}

/// The input of [`ListServers`].
#[derive(Debug)]
pub struct ListServersInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl ListServersInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListServers`].
#[derive(Debug, OpError)]
#[op(operation = "admin_service.servers", spec = "spec/operations/admin_service.yaml: admin_service.servers")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListServersError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_SERVERS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/servers"),
    ],
    roles: ListServersInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_service.servers", "spec/operations/admin_service.yaml: admin_service.servers", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_servers<S: ListServers + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListServersInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.list_servers(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/admin/seals: The chain of seals, the newest first. A seal's hash covers all rows since the seal
/// before, and that seal's hash: one that was noted elsewhere proves what stood in the ledger then.
/// (spec/operations/admin_service.yaml: admin_service.seals)
#[diagnostic::on_unimplemented(
    message = "operation `admin_service.seals` (GET /api/admin/seals) has no handler on `{Self}`",
    label = "missing `impl ListSeals for {Self}`",
    note = "declared at spec/operations/admin_service.yaml: admin_service.seals",
    note = "add: impl ListSeals for {Self} {{ async fn list_seals(&self, cx: &Cx, input: ListSealsInput) -> Result<SealListReply, ListSealsError> {{ .. }} }}"
)]
pub trait ListSeals: Send + Sync + 'static {
    /// Answers the operation.
    fn list_seals(
        &self,
        cx: &api::Cx,
        input: ListSealsInput,
    ) -> impl Future<Output = Result<types::SealListReply, ListSealsError>> + Send;
}

/// The input of [`ListSeals`].
#[derive(Debug)]
pub struct ListSealsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// The most seals of one page. Absent means 50, or 1000 as CSV.
    pub limit: Option<i64>,
    /// The page after that: `next` of the page before.
    pub after: Option<String>,
}

impl ListSealsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListSeals`].
#[derive(Debug, OpError)]
#[op(operation = "admin_service.seals", spec = "spec/operations/admin_service.yaml: admin_service.seals")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListSealsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_SEALS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/seals"),
    ],
    roles: ListSealsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_service.seals", "spec/operations/admin_service.yaml: admin_service.seals", &envelopes::ACCOUNT)
};

static LIST_SEALS_TABLE: api::Table = api::Table {
    file: "admin_service",
    rows: &["data", "seals"],
    columns: &[
        "seal",
        "hash",
        "rows",
        "created_at",
    ],
    next: Some((&auth::names::X_TOLLGATE_NEXT, &["data", "next"])),
};

pub(in crate::generated) async fn list_seals<S: ListSeals + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListSealsInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?,
        after: call.optional_query("after", api::Text::of(1, 32))?,
    };
    let csv = input.csv;
    let reply = service.list_seals(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &LIST_SEALS_TABLE)
}

/// GET /api/admin/usage: Usage and cost of the requests of all accounts, summed up by day, account or model.
/// (spec/operations/admin_service.yaml: admin_service.usage)
#[diagnostic::on_unimplemented(
    message = "operation `admin_service.usage` (GET /api/admin/usage) has no handler on `{Self}`",
    label = "missing `impl SumServiceUsage for {Self}`",
    note = "declared at spec/operations/admin_service.yaml: admin_service.usage",
    note = "add: impl SumServiceUsage for {Self} {{ async fn sum_service_usage(&self, cx: &Cx, input: SumServiceUsageInput) -> Result<ServiceUsageReply, SumServiceUsageError> {{ .. }} }}"
)]
pub trait SumServiceUsage: Send + Sync + 'static {
    /// Answers the operation.
    fn sum_service_usage(
        &self,
        cx: &api::Cx,
        input: SumServiceUsageInput,
    ) -> impl Future<Output = Result<types::ServiceUsageReply, SumServiceUsageError>> + Send;
}

/// The input of [`SumServiceUsage`].
#[derive(Debug)]
pub struct SumServiceUsageInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// First day. Absent means 30 days before `to`.
    pub from: Option<api::Day>,
    /// The day after the last. Absent means tomorrow.
    pub to: Option<api::Day>,
    /// Columns by which rows are grouped. Absent means one row for all.
    pub group_by: Option<Vec<types::ServiceUsageGroup>>,
}

impl SumServiceUsageInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`SumServiceUsage`].
#[derive(Debug, OpError)]
#[op(operation = "admin_service.usage", spec = "spec/operations/admin_service.yaml: admin_service.usage")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SumServiceUsageError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(USAGE_TOO_WIDE)]
    UsageTooWide { from: String, to: String, reason: String },
}

pub(in crate::generated) static SUM_SERVICE_USAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/usage"),
    ],
    roles: SumServiceUsageInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_service.usage", "spec/operations/admin_service.yaml: admin_service.usage", &envelopes::ACCOUNT)
};

static SUM_SERVICE_USAGE_TABLE: api::Table = api::Table {
    file: "admin_service",
    rows: &["data", "rows"],
    columns: &[
        "day",
        "account_id",
        "model",
        "requests",
        "released_requests",
        "prompt_tokens",
        "completion_tokens",
        "charged_usd",
        "shortfall_usd",
    ],
    next: None,
};

pub(in crate::generated) async fn sum_service_usage<S: SumServiceUsage + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = SumServiceUsageInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        from: call.optional_query("from", "a day such as 2026-11-21")?,
        to: call.optional_query("to", "a day such as 2026-11-21")?,
        group_by: call.optional_query("group_by", "one of `day`, `account`, `model`, or several of them with commas between")?,
    };
    let csv = input.csv;
    let reply = service.sum_service_usage(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &SUM_SERVICE_USAGE_TABLE)
}

/// GET /api/admin/margin: The charges of the requests of all accounts beside what their tokens cost at the
/// providers, summed up by day or model. Costs are reckoned by the `cost` that prices have today, whatever it
/// was on the day. A model whose cost is not known is in no cost and no margin, and is named in
/// `models_without_cost`. (spec/operations/admin_service.yaml: admin_service.margin)
#[diagnostic::on_unimplemented(
    message = "operation `admin_service.margin` (GET /api/admin/margin) has no handler on `{Self}`",
    label = "missing `impl SumMargin for {Self}`",
    note = "declared at spec/operations/admin_service.yaml: admin_service.margin",
    note = "add: impl SumMargin for {Self} {{ async fn sum_margin(&self, cx: &Cx, input: SumMarginInput) -> Result<MarginReply, SumMarginError> {{ .. }} }}"
)]
pub trait SumMargin: Send + Sync + 'static {
    /// Answers the operation.
    fn sum_margin(
        &self,
        cx: &api::Cx,
        input: SumMarginInput,
    ) -> impl Future<Output = Result<types::MarginReply, SumMarginError>> + Send;
}

/// The input of [`SumMargin`].
#[derive(Debug)]
pub struct SumMarginInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// First day. Absent means 30 days before `to`.
    pub from: Option<api::Day>,
    /// The day after the last. Absent means tomorrow.
    pub to: Option<api::Day>,
    /// Columns by which rows are grouped. Absent means one row for all.
    pub group_by: Option<Vec<types::MarginGroup>>,
}

impl SumMarginInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`SumMargin`].
#[derive(Debug, OpError)]
#[op(operation = "admin_service.margin", spec = "spec/operations/admin_service.yaml: admin_service.margin")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SumMarginError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(USAGE_TOO_WIDE)]
    UsageTooWide { from: String, to: String, reason: String },
}

pub(in crate::generated) static SUM_MARGIN: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/margin"),
    ],
    roles: SumMarginInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_service.margin", "spec/operations/admin_service.yaml: admin_service.margin", &envelopes::ACCOUNT)
};

static SUM_MARGIN_TABLE: api::Table = api::Table {
    file: "admin_service",
    rows: &["data", "rows"],
    columns: &[
        "day",
        "model",
        "requests",
        "charged_usd",
        "reckoned_usd",
        "cost_usd",
        "margin_usd",
    ],
    next: None,
};

pub(in crate::generated) async fn sum_margin<S: SumMargin + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = SumMarginInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        from: call.optional_query("from", "a day such as 2026-11-21")?,
        to: call.optional_query("to", "a day such as 2026-11-21")?,
        group_by: call.optional_query("group_by", "one of `day`, `model`, or several of them with commas between")?,
    };
    let csv = input.csv;
    let reply = service.sum_margin(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &SUM_MARGIN_TABLE)
}

/// GET /api/admin/settings: The settings in force at the server that answers. Secrets are none of them: a
/// setting names the variable or file that holds one. Addresses are told without what may be a secret in them.
/// (spec/operations/admin_service.yaml: admin_service.settings)
#[diagnostic::on_unimplemented(
    message = "operation `admin_service.settings` (GET /api/admin/settings) has no handler on `{Self}`",
    label = "missing `impl ListSettings for {Self}`",
    note = "declared at spec/operations/admin_service.yaml: admin_service.settings",
    note = "add: impl ListSettings for {Self} {{ async fn list_settings(&self, cx: &Cx, input: ListSettingsInput) -> Result<SettingListReply, ListSettingsError> {{ .. }} }}"
)]
pub trait ListSettings: Send + Sync + 'static {
    /// Answers the operation.
    fn list_settings(
        &self,
        cx: &api::Cx,
        input: ListSettingsInput,
    ) -> impl Future<Output = Result<types::SettingListReply, ListSettingsError>> + Send;
}

/// The input of [`ListSettings`].
#[derive(Debug)]
pub struct ListSettingsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl ListSettingsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListSettings`].
#[derive(Debug, OpError)]
#[op(operation = "admin_service.settings", spec = "spec/operations/admin_service.yaml: admin_service.settings")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListSettingsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_SETTINGS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/settings"),
    ],
    roles: ListSettingsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_service.settings", "spec/operations/admin_service.yaml: admin_service.settings", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_settings<S: ListSettings + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListSettingsInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.list_settings(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/reload: Has the server that answers read its configuration file again, as a hangup signal
/// does: models, prices and providers are those of the file then. Nothing changes where the file cannot be used.
/// (spec/operations/admin_service.yaml: admin_service.reload)
#[diagnostic::on_unimplemented(
    message = "operation `admin_service.reload` (POST /api/admin/reload) has no handler on `{Self}`",
    label = "missing `impl ReloadSettings for {Self}`",
    note = "declared at spec/operations/admin_service.yaml: admin_service.reload",
    note = "add: impl ReloadSettings for {Self} {{ async fn reload_settings(&self, cx: &Cx, input: ReloadSettingsInput) -> Result<ReloadReply, ReloadSettingsError> {{ .. }} }}"
)]
pub trait ReloadSettings: Send + Sync + 'static {
    /// Answers the operation.
    fn reload_settings(
        &self,
        cx: &api::Cx,
        input: ReloadSettingsInput,
    ) -> impl Future<Output = Result<types::ReloadReply, ReloadSettingsError>> + Send;
}

/// The input of [`ReloadSettings`].
#[derive(Debug)]
pub struct ReloadSettingsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::ReloadRequest,
}

impl ReloadSettingsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`ReloadSettings`].
#[derive(Debug, OpError)]
#[op(operation = "admin_service.reload", spec = "spec/operations/admin_service.yaml: admin_service.reload")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ReloadSettingsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(SETTINGS_UNUSABLE)]
    SettingsUnusable { reason: String },
}

pub(in crate::generated) static RELOAD_SETTINGS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/reload"),
    ],
    roles: ReloadSettingsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_service.reload", "spec/operations/admin_service.yaml: admin_service.reload", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn reload_settings<S: ReloadSettings + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ReloadSettingsInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.reload_settings(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
