// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_providers`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/providers: The providers, by name, with where they come from and how they fare at the server
/// that answers. (spec/operations/admin_providers.yaml: admin_providers.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_providers.list` (GET /api/admin/providers) has no handler on `{Self}`",
    label = "missing `impl ListProviders for {Self}`",
    note = "declared at spec/operations/admin_providers.yaml: admin_providers.list",
    note = "add: impl ListProviders for {Self} {{ async fn list_providers(&self, cx: &Cx, input: ListProvidersInput) -> Result<ProviderListReply, ListProvidersError> {{ .. }} }}"
)]
pub trait ListProviders: Send + Sync + 'static {
    /// Answers the operation.
    fn list_providers(
        &self,
        cx: &api::Cx,
        input: ListProvidersInput,
    ) -> impl Future<Output = Result<types::ProviderListReply, ListProvidersError>> + Send;
}

/// The input of [`ListProviders`].
#[derive(Debug)]
pub struct ListProvidersInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The most providers of one page. Absent means 50.
    pub limit: Option<i64>,
    /// The page after that name: `next` of the page before.
    pub after: Option<String>,
    /// Only those from there.
    pub origin: Option<types::CatalogOrigin>,
}

impl ListProvidersInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListProviders`].
#[derive(Debug, OpError)]
#[op(operation = "admin_providers.list", spec = "spec/operations/admin_providers.yaml: admin_providers.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListProvidersError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_PROVIDERS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/providers"),
    ],
    roles: ListProvidersInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_providers.list", "spec/operations/admin_providers.yaml: admin_providers.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_providers<S: ListProviders + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListProvidersInput {
        caller: call.operator(&*service).await?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?,
        after: call.optional_query("after", api::Text::of(1, 128))?,
        origin: call.optional_query("origin", "one of `file`, `api`")?,
    };
    let reply = service.list_providers(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/admin/providers/{name}: One provider. (spec/operations/admin_providers.yaml: admin_providers.get)
#[diagnostic::on_unimplemented(
    message = "operation `admin_providers.get` (GET /api/admin/providers/{{name}}) has no handler on `{Self}`",
    label = "missing `impl GetProvider for {Self}`",
    note = "declared at spec/operations/admin_providers.yaml: admin_providers.get",
    note = "add: impl GetProvider for {Self} {{ async fn get_provider(&self, cx: &Cx, input: GetProviderInput) -> Result<ProviderReply, GetProviderError> {{ .. }} }}"
)]
pub trait GetProvider: Send + Sync + 'static {
    /// Answers the operation.
    fn get_provider(
        &self,
        cx: &api::Cx,
        input: GetProviderInput,
    ) -> impl Future<Output = Result<types::ProviderReply, GetProviderError>> + Send;
}

/// The input of [`GetProvider`].
#[derive(Debug)]
pub struct GetProviderInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name.
    pub name: String,
}

impl GetProviderInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`GetProvider`].
#[derive(Debug, OpError)]
#[op(operation = "admin_providers.get", spec = "spec/operations/admin_providers.yaml: admin_providers.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetProviderError {
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

pub(in crate::generated) static GET_PROVIDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/providers/{name}"),
    ],
    roles: GetProviderInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_providers.get", "spec/operations/admin_providers.yaml: admin_providers.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_provider<S: GetProvider + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetProviderInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
    };
    let reply = service.get_provider(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/admin/providers/{name}/health: The last hour of a provider by the minute, as the server that answers
/// has seen it since its start. Where there are several servers, each has its own.
/// (spec/operations/admin_providers.yaml: admin_providers.health)
#[diagnostic::on_unimplemented(
    message = "operation `admin_providers.health` (GET /api/admin/providers/{{name}}/health) has no handler on `{Self}`",
    label = "missing `impl GetProviderHealth for {Self}`",
    note = "declared at spec/operations/admin_providers.yaml: admin_providers.health",
    note = "add: impl GetProviderHealth for {Self} {{ async fn get_provider_health(&self, cx: &Cx, input: GetProviderHealthInput) -> Result<ProviderHealthReply, GetProviderHealthError> {{ .. }} }}"
)]
pub trait GetProviderHealth: Send + Sync + 'static {
    /// Answers the operation.
    fn get_provider_health(
        &self,
        cx: &api::Cx,
        input: GetProviderHealthInput,
    ) -> impl Future<Output = Result<types::ProviderHealthReply, GetProviderHealthError>> + Send;
}

/// The input of [`GetProviderHealth`].
#[derive(Debug)]
pub struct GetProviderHealthInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name.
    pub name: String,
}

impl GetProviderHealthInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`GetProviderHealth`].
#[derive(Debug, OpError)]
#[op(operation = "admin_providers.health", spec = "spec/operations/admin_providers.yaml: admin_providers.health")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetProviderHealthError {
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

pub(in crate::generated) static GET_PROVIDER_HEALTH: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/providers/{name}/health"),
    ],
    roles: GetProviderHealthInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_providers.health", "spec/operations/admin_providers.yaml: admin_providers.health", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_provider_health<S: GetProviderHealth + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetProviderHealthInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
    };
    let reply = service.get_provider_health(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/providers: Adds a provider. Its secret is sealed, and never shown again.
/// (spec/operations/admin_providers.yaml: admin_providers.create)
#[diagnostic::on_unimplemented(
    message = "operation `admin_providers.create` (POST /api/admin/providers) has no handler on `{Self}`",
    label = "missing `impl CreateProvider for {Self}`",
    note = "declared at spec/operations/admin_providers.yaml: admin_providers.create",
    note = "add: impl CreateProvider for {Self} {{ async fn create_provider(&self, cx: &Cx, input: CreateProviderInput) -> Result<ProviderReply, CreateProviderError> {{ .. }} }}"
)]
pub trait CreateProvider: Send + Sync + 'static {
    /// Answers the operation.
    fn create_provider(
        &self,
        cx: &api::Cx,
        input: CreateProviderInput,
    ) -> impl Future<Output = Result<types::ProviderReply, CreateProviderError>> + Send;
}

/// The input of [`CreateProvider`].
#[derive(Debug)]
pub struct CreateProviderInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::ProviderRequest,
}

impl CreateProviderInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`CreateProvider`].
#[derive(Debug, OpError)]
#[op(operation = "admin_providers.create", spec = "spec/operations/admin_providers.yaml: admin_providers.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateProviderError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(CATALOG_UNUSABLE)]
    CatalogUnusable { field: String, reason: String },
    #[code(CATALOG_CONFIGURED)]
    CatalogConfigured { kind: String, name: String },
    #[code(CATALOG_SANDBOX)]
    CatalogSandbox,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(CATALOG_NAME_TAKEN)]
    CatalogNameTaken { kind: String, name: String },
    #[code(CATALOG_NO_SECRETS)]
    CatalogNoSecrets,
}

pub(in crate::generated) static CREATE_PROVIDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/providers"),
    ],
    roles: CreateProviderInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_providers.create", "spec/operations/admin_providers.yaml: admin_providers.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_provider<S: CreateProvider + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateProviderInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.create_provider(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PUT /api/admin/providers/{name}: Replaces the settings of a provider that operators added; settings that are
/// absent have their usual values. Its secret stays where none is sent, unless the address is another one.
/// Requests under way end as they began. (spec/operations/admin_providers.yaml: admin_providers.change)
#[diagnostic::on_unimplemented(
    message = "operation `admin_providers.change` (PUT /api/admin/providers/{{name}}) has no handler on `{Self}`",
    label = "missing `impl ChangeProvider for {Self}`",
    note = "declared at spec/operations/admin_providers.yaml: admin_providers.change",
    note = "add: impl ChangeProvider for {Self} {{ async fn change_provider(&self, cx: &Cx, input: ChangeProviderInput) -> Result<ProviderReply, ChangeProviderError> {{ .. }} }}"
)]
pub trait ChangeProvider: Send + Sync + 'static {
    /// Answers the operation.
    fn change_provider(
        &self,
        cx: &api::Cx,
        input: ChangeProviderInput,
    ) -> impl Future<Output = Result<types::ProviderReply, ChangeProviderError>> + Send;
}

/// The input of [`ChangeProvider`].
#[derive(Debug)]
pub struct ChangeProviderInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` that the change is of, or `*` for any.
    pub if_match: String,
    /// Its name.
    pub name: String,
    /// The body.
    pub body: types::ProviderUpdate,
}

impl ChangeProviderInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`ChangeProvider`].
#[derive(Debug, OpError)]
#[op(operation = "admin_providers.change", spec = "spec/operations/admin_providers.yaml: admin_providers.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeProviderError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(CATALOG_UNUSABLE)]
    CatalogUnusable { field: String, reason: String },
    #[code(CATALOG_CONFIGURED)]
    CatalogConfigured { kind: String, name: String },
    #[code(CATALOG_SANDBOX)]
    CatalogSandbox,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(CATALOG_NOT_FOUND)]
    CatalogNotFound { kind: String, name: String },
    #[code(CHANGED_MEANWHILE)]
    ChangedMeanwhile { version: String },
    #[code(CATALOG_NO_SECRETS)]
    CatalogNoSecrets,
}

pub(in crate::generated) static CHANGE_PROVIDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PUT, "/api/admin/providers/{name}"),
    ],
    roles: ChangeProviderInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_providers.change", "spec/operations/admin_providers.yaml: admin_providers.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_provider<S: ChangeProvider + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeProviderInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        name: call.path("name", api::Text::of(1, 128))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.change_provider(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/admin/providers/{name}: Takes a provider off that operators added, with its secret. No model may
/// name it. (spec/operations/admin_providers.yaml: admin_providers.remove)
#[diagnostic::on_unimplemented(
    message = "operation `admin_providers.remove` (DELETE /api/admin/providers/{{name}}) has no handler on `{Self}`",
    label = "missing `impl RemoveProvider for {Self}`",
    note = "declared at spec/operations/admin_providers.yaml: admin_providers.remove",
    note = "add: impl RemoveProvider for {Self} {{ async fn remove_provider(&self, cx: &Cx, input: RemoveProviderInput) -> Result<CatalogRemovedReply, RemoveProviderError> {{ .. }} }}"
)]
pub trait RemoveProvider: Send + Sync + 'static {
    /// Answers the operation.
    fn remove_provider(
        &self,
        cx: &api::Cx,
        input: RemoveProviderInput,
    ) -> impl Future<Output = Result<types::CatalogRemovedReply, RemoveProviderError>> + Send;
}

/// The input of [`RemoveProvider`].
#[derive(Debug)]
pub struct RemoveProviderInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` that is taken off, or `*` for any.
    pub if_match: String,
    /// Its name.
    pub name: String,
    /// The reason, for the log of changes.
    pub reason: Option<String>,
}

impl RemoveProviderInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`RemoveProvider`].
#[derive(Debug, OpError)]
#[op(operation = "admin_providers.remove", spec = "spec/operations/admin_providers.yaml: admin_providers.remove")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RemoveProviderError {
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
    #[code(CATALOG_CONFIGURED)]
    CatalogConfigured { kind: String, name: String },
    #[code(CATALOG_IN_USE)]
    CatalogInUse { kind: String, name: String, by: String },
    #[code(CATALOG_SANDBOX)]
    CatalogSandbox,
    #[code(CHANGED_MEANWHILE)]
    ChangedMeanwhile { version: String },
}

pub(in crate::generated) static REMOVE_PROVIDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/admin/providers/{name}"),
    ],
    roles: RemoveProviderInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_providers.remove", "spec/operations/admin_providers.yaml: admin_providers.remove", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn remove_provider<S: RemoveProvider + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = RemoveProviderInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        name: call.path("name", api::Text::of(1, 128))?,
        reason: call.optional_query("reason", api::Text::most(500))?,
    };
    let reply = service.remove_provider(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/providers/{name}/drain: Sends a provider no new requests, wherever it comes from: other
/// candidates of its models are asked, and those under way end. Draining again changes nothing.
/// (spec/operations/admin_providers.yaml: admin_providers.drain)
#[diagnostic::on_unimplemented(
    message = "operation `admin_providers.drain` (POST /api/admin/providers/{{name}}/drain) has no handler on `{Self}`",
    label = "missing `impl DrainProvider for {Self}`",
    note = "declared at spec/operations/admin_providers.yaml: admin_providers.drain",
    note = "add: impl DrainProvider for {Self} {{ async fn drain_provider(&self, cx: &Cx, input: DrainProviderInput) -> Result<ProviderReply, DrainProviderError> {{ .. }} }}"
)]
pub trait DrainProvider: Send + Sync + 'static {
    /// Answers the operation.
    fn drain_provider(
        &self,
        cx: &api::Cx,
        input: DrainProviderInput,
    ) -> impl Future<Output = Result<types::ProviderReply, DrainProviderError>> + Send;
}

/// The input of [`DrainProvider`].
#[derive(Debug)]
pub struct DrainProviderInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name.
    pub name: String,
    /// The reason, for the log of changes.
    pub reason: Option<String>,
}

impl DrainProviderInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`DrainProvider`].
#[derive(Debug, OpError)]
#[op(operation = "admin_providers.drain", spec = "spec/operations/admin_providers.yaml: admin_providers.drain")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum DrainProviderError {
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
    #[code(CATALOG_SANDBOX)]
    CatalogSandbox,
}

pub(in crate::generated) static DRAIN_PROVIDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/providers/{name}/drain"),
    ],
    roles: DrainProviderInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_providers.drain", "spec/operations/admin_providers.yaml: admin_providers.drain", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn drain_provider<S: DrainProvider + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = DrainProviderInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
        reason: call.optional_query("reason", api::Text::most(500))?,
    };
    let reply = service.drain_provider(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/providers/{name}/resume: Sends a provider requests again that was drained. Resuming again
/// changes nothing. (spec/operations/admin_providers.yaml: admin_providers.resume)
#[diagnostic::on_unimplemented(
    message = "operation `admin_providers.resume` (POST /api/admin/providers/{{name}}/resume) has no handler on `{Self}`",
    label = "missing `impl ResumeProvider for {Self}`",
    note = "declared at spec/operations/admin_providers.yaml: admin_providers.resume",
    note = "add: impl ResumeProvider for {Self} {{ async fn resume_provider(&self, cx: &Cx, input: ResumeProviderInput) -> Result<ProviderReply, ResumeProviderError> {{ .. }} }}"
)]
pub trait ResumeProvider: Send + Sync + 'static {
    /// Answers the operation.
    fn resume_provider(
        &self,
        cx: &api::Cx,
        input: ResumeProviderInput,
    ) -> impl Future<Output = Result<types::ProviderReply, ResumeProviderError>> + Send;
}

/// The input of [`ResumeProvider`].
#[derive(Debug)]
pub struct ResumeProviderInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name.
    pub name: String,
    /// The reason, for the log of changes.
    pub reason: Option<String>,
}

impl ResumeProviderInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`ResumeProvider`].
#[derive(Debug, OpError)]
#[op(operation = "admin_providers.resume", spec = "spec/operations/admin_providers.yaml: admin_providers.resume")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ResumeProviderError {
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
    #[code(CATALOG_SANDBOX)]
    CatalogSandbox,
}

pub(in crate::generated) static RESUME_PROVIDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/providers/{name}/resume"),
    ],
    roles: ResumeProviderInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_providers.resume", "spec/operations/admin_providers.yaml: admin_providers.resume", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn resume_provider<S: ResumeProvider + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ResumeProviderInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
        reason: call.optional_query("reason", api::Text::most(500))?,
    };
    let reply = service.resume_provider(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/providers/{name}/tests: Sends a provider a short text for one of its models, as a request of
/// a customer is sent, and tells what came back. Nobody is charged; the provider bills some tokens. Whether it
/// drains or has its breaker open does not matter, and neither learns of it.
/// (spec/operations/admin_providers.yaml: admin_providers.test)
#[diagnostic::on_unimplemented(
    message = "operation `admin_providers.test` (POST /api/admin/providers/{{name}}/tests) has no handler on `{Self}`",
    label = "missing `impl TryProvider for {Self}`",
    note = "declared at spec/operations/admin_providers.yaml: admin_providers.test",
    note = "add: impl TryProvider for {Self} {{ async fn try_provider(&self, cx: &Cx, input: TryProviderInput) -> Result<ProviderTestReply, TryProviderError> {{ .. }} }}"
)]
pub trait TryProvider: Send + Sync + 'static {
    /// Answers the operation.
    fn try_provider(
        &self,
        cx: &api::Cx,
        input: TryProviderInput,
    ) -> impl Future<Output = Result<types::ProviderTestReply, TryProviderError>> + Send;
}

/// The input of [`TryProvider`].
#[derive(Debug)]
pub struct TryProviderInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name.
    pub name: String,
    /// The body.
    pub body: types::ProviderTestRequest,
}

impl TryProviderInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`TryProvider`].
#[derive(Debug, OpError)]
#[op(operation = "admin_providers.test", spec = "spec/operations/admin_providers.yaml: admin_providers.test")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum TryProviderError {
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

pub(in crate::generated) static TRY_PROVIDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/providers/{name}/tests"),
    ],
    roles: TryProviderInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_providers.test", "spec/operations/admin_providers.yaml: admin_providers.test", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn try_provider<S: TryProvider + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = TryProviderInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.try_provider(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/secrets/reseal: Seals all secrets of providers under the present key, once all servers have
/// it, so that the key before it can be taken away. (spec/operations/admin_providers.yaml:
/// admin_providers.reseal)
#[diagnostic::on_unimplemented(
    message = "operation `admin_providers.reseal` (POST /api/admin/secrets/reseal) has no handler on `{Self}`",
    label = "missing `impl ResealSecrets for {Self}`",
    note = "declared at spec/operations/admin_providers.yaml: admin_providers.reseal",
    note = "add: impl ResealSecrets for {Self} {{ async fn reseal_secrets(&self, cx: &Cx, input: ResealSecretsInput) -> Result<SecretsResealedReply, ResealSecretsError> {{ .. }} }}"
)]
pub trait ResealSecrets: Send + Sync + 'static {
    /// Answers the operation.
    fn reseal_secrets(
        &self,
        cx: &api::Cx,
        input: ResealSecretsInput,
    ) -> impl Future<Output = Result<types::SecretsResealedReply, ResealSecretsError>> + Send;
}

/// The input of [`ResealSecrets`].
#[derive(Debug)]
pub struct ResealSecretsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The reason, for the log of changes.
    pub reason: Option<String>,
}

impl ResealSecretsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner"];
}

/// The errors of [`ResealSecrets`].
#[derive(Debug, OpError)]
#[op(operation = "admin_providers.reseal", spec = "spec/operations/admin_providers.yaml: admin_providers.reseal")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ResealSecretsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(CATALOG_NO_SECRETS)]
    CatalogNoSecrets,
    #[code(CATALOG_UNUSABLE)]
    CatalogUnusable { field: String, reason: String },
}

pub(in crate::generated) static RESEAL_SECRETS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/secrets/reseal"),
    ],
    roles: ResealSecretsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_providers.reseal", "spec/operations/admin_providers.yaml: admin_providers.reseal", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn reseal_secrets<S: ResealSecrets + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ResealSecretsInput {
        caller: call.operator(&*service).await?,
        reason: call.optional_query("reason", api::Text::most(500))?,
    };
    let reply = service.reseal_secrets(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
