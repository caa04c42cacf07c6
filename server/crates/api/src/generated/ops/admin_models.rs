// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_models`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/models: The models on offer, by name. (spec/operations/admin_models.yaml: admin_models.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_models.list` (GET /api/admin/models) has no handler on `{Self}`",
    label = "missing `impl ListOfferedModels for {Self}`",
    note = "declared at spec/operations/admin_models.yaml: admin_models.list",
    note = "add: impl ListOfferedModels for {Self} {{ async fn list_offered_models(&self, cx: &Cx, input: ListOfferedModelsInput) -> Result<OfferedModelListReply, ListOfferedModelsError> {{ .. }} }}"
)]
pub trait ListOfferedModels: Send + Sync + 'static {
    /// Answers the operation.
    fn list_offered_models(
        &self,
        cx: &api::Cx,
        input: ListOfferedModelsInput,
    ) -> impl Future<Output = Result<types::OfferedModelListReply, ListOfferedModelsError>> + Send;
}

/// The input of [`ListOfferedModels`].
#[derive(Debug)]
pub struct ListOfferedModelsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The most models of one page. Absent means 50.
    pub limit: Option<i64>,
    /// The page after that name: `next` of the page before.
    pub after: Option<String>,
    /// Only those from there.
    pub origin: Option<types::CatalogOrigin>,
    /// Only those that this provider has.
    pub upstream: Option<String>,
}

impl ListOfferedModelsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListOfferedModels`].
#[derive(Debug, OpError)]
#[op(operation = "admin_models.list", spec = "spec/operations/admin_models.yaml: admin_models.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListOfferedModelsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_OFFERED_MODELS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/models"),
    ],
    roles: ListOfferedModelsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_models.list", "spec/operations/admin_models.yaml: admin_models.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_offered_models<S: ListOfferedModels + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListOfferedModelsInput {
        caller: call.operator(&*service).await?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?,
        after: call.optional_query("after", api::Text::of(1, 128))?,
        origin: call.optional_query("origin", "one of `file`, `api`")?,
        upstream: call.optional_query("upstream", api::Text::of(1, 128))?,
    };
    let reply = service.list_offered_models(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/admin/models/{name}: One model on offer. (spec/operations/admin_models.yaml: admin_models.get)
#[diagnostic::on_unimplemented(
    message = "operation `admin_models.get` (GET /api/admin/models/{{name}}) has no handler on `{Self}`",
    label = "missing `impl GetOfferedModel for {Self}`",
    note = "declared at spec/operations/admin_models.yaml: admin_models.get",
    note = "add: impl GetOfferedModel for {Self} {{ async fn get_offered_model(&self, cx: &Cx, input: GetOfferedModelInput) -> Result<OfferedModelReply, GetOfferedModelError> {{ .. }} }}"
)]
pub trait GetOfferedModel: Send + Sync + 'static {
    /// Answers the operation.
    fn get_offered_model(
        &self,
        cx: &api::Cx,
        input: GetOfferedModelInput,
    ) -> impl Future<Output = Result<types::OfferedModelReply, GetOfferedModelError>> + Send;
}

/// The input of [`GetOfferedModel`].
#[derive(Debug)]
pub struct GetOfferedModelInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name, percent-encoded where it has slashes.
    pub name: String,
}

impl GetOfferedModelInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`GetOfferedModel`].
#[derive(Debug, OpError)]
#[op(operation = "admin_models.get", spec = "spec/operations/admin_models.yaml: admin_models.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetOfferedModelError {
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

pub(in crate::generated) static GET_OFFERED_MODEL: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/models/{name}"),
    ],
    roles: GetOfferedModelInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_models.get", "spec/operations/admin_models.yaml: admin_models.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_offered_model<S: GetOfferedModel + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetOfferedModelInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
    };
    let reply = service.get_offered_model(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/models: Puts a model on offer. Its price has to be there before.
/// (spec/operations/admin_models.yaml: admin_models.create)
#[diagnostic::on_unimplemented(
    message = "operation `admin_models.create` (POST /api/admin/models) has no handler on `{Self}`",
    label = "missing `impl CreateOfferedModel for {Self}`",
    note = "declared at spec/operations/admin_models.yaml: admin_models.create",
    note = "add: impl CreateOfferedModel for {Self} {{ async fn create_offered_model(&self, cx: &Cx, input: CreateOfferedModelInput) -> Result<OfferedModelReply, CreateOfferedModelError> {{ .. }} }}"
)]
pub trait CreateOfferedModel: Send + Sync + 'static {
    /// Answers the operation.
    fn create_offered_model(
        &self,
        cx: &api::Cx,
        input: CreateOfferedModelInput,
    ) -> impl Future<Output = Result<types::OfferedModelReply, CreateOfferedModelError>> + Send;
}

/// The input of [`CreateOfferedModel`].
#[derive(Debug)]
pub struct CreateOfferedModelInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::OfferedModelRequest,
}

impl CreateOfferedModelInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`CreateOfferedModel`].
#[derive(Debug, OpError)]
#[op(operation = "admin_models.create", spec = "spec/operations/admin_models.yaml: admin_models.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateOfferedModelError {
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
}

pub(in crate::generated) static CREATE_OFFERED_MODEL: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/models"),
    ],
    roles: CreateOfferedModelInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_models.create", "spec/operations/admin_models.yaml: admin_models.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_offered_model<S: CreateOfferedModel + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateOfferedModelInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.create_offered_model(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PUT /api/admin/models/{name}: Replaces the settings of a model that operators put on offer; settings that are
/// absent have their usual values. Requests under way end as they began, and cost what they cost then.
/// (spec/operations/admin_models.yaml: admin_models.change)
#[diagnostic::on_unimplemented(
    message = "operation `admin_models.change` (PUT /api/admin/models/{{name}}) has no handler on `{Self}`",
    label = "missing `impl ChangeOfferedModel for {Self}`",
    note = "declared at spec/operations/admin_models.yaml: admin_models.change",
    note = "add: impl ChangeOfferedModel for {Self} {{ async fn change_offered_model(&self, cx: &Cx, input: ChangeOfferedModelInput) -> Result<OfferedModelReply, ChangeOfferedModelError> {{ .. }} }}"
)]
pub trait ChangeOfferedModel: Send + Sync + 'static {
    /// Answers the operation.
    fn change_offered_model(
        &self,
        cx: &api::Cx,
        input: ChangeOfferedModelInput,
    ) -> impl Future<Output = Result<types::OfferedModelReply, ChangeOfferedModelError>> + Send;
}

/// The input of [`ChangeOfferedModel`].
#[derive(Debug)]
pub struct ChangeOfferedModelInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` that the change is of, or `*` for any.
    pub if_match: String,
    /// Its name, percent-encoded where it has slashes.
    pub name: String,
    /// The body.
    pub body: types::OfferedModelUpdate,
}

impl ChangeOfferedModelInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`ChangeOfferedModel`].
#[derive(Debug, OpError)]
#[op(operation = "admin_models.change", spec = "spec/operations/admin_models.yaml: admin_models.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeOfferedModelError {
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
    #[code(CATALOG_NOT_FOUND)]
    CatalogNotFound { kind: String, name: String },
    #[code(CHANGED_MEANWHILE)]
    ChangedMeanwhile { version: String },
}

pub(in crate::generated) static CHANGE_OFFERED_MODEL: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PUT, "/api/admin/models/{name}"),
    ],
    roles: ChangeOfferedModelInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_models.change", "spec/operations/admin_models.yaml: admin_models.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_offered_model<S: ChangeOfferedModel + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeOfferedModelInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        name: call.path("name", api::Text::of(1, 128))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.change_offered_model(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/admin/models/{name}: Takes a model off that operators put on offer. No other model may fall back
/// on it. (spec/operations/admin_models.yaml: admin_models.remove)
#[diagnostic::on_unimplemented(
    message = "operation `admin_models.remove` (DELETE /api/admin/models/{{name}}) has no handler on `{Self}`",
    label = "missing `impl RemoveOfferedModel for {Self}`",
    note = "declared at spec/operations/admin_models.yaml: admin_models.remove",
    note = "add: impl RemoveOfferedModel for {Self} {{ async fn remove_offered_model(&self, cx: &Cx, input: RemoveOfferedModelInput) -> Result<OfferedModelRemovedReply, RemoveOfferedModelError> {{ .. }} }}"
)]
pub trait RemoveOfferedModel: Send + Sync + 'static {
    /// Answers the operation.
    fn remove_offered_model(
        &self,
        cx: &api::Cx,
        input: RemoveOfferedModelInput,
    ) -> impl Future<Output = Result<types::OfferedModelRemovedReply, RemoveOfferedModelError>> + Send;
}

/// The input of [`RemoveOfferedModel`].
#[derive(Debug)]
pub struct RemoveOfferedModelInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` that is taken off, or `*` for any.
    pub if_match: String,
    /// Its name, percent-encoded where it has slashes.
    pub name: String,
    /// The reason, for the log of changes.
    pub reason: Option<String>,
}

impl RemoveOfferedModelInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`RemoveOfferedModel`].
#[derive(Debug, OpError)]
#[op(operation = "admin_models.remove", spec = "spec/operations/admin_models.yaml: admin_models.remove")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RemoveOfferedModelError {
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

pub(in crate::generated) static REMOVE_OFFERED_MODEL: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/admin/models/{name}"),
    ],
    roles: RemoveOfferedModelInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_models.remove", "spec/operations/admin_models.yaml: admin_models.remove", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn remove_offered_model<S: RemoveOfferedModel + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = RemoveOfferedModelInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        name: call.path("name", api::Text::of(1, 128))?,
        reason: call.optional_query("reason", api::Text::most(500))?,
    };
    let reply = service.remove_offered_model(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/models/{name}/quotes: Computes the cost of a request of so many tokens, at the prices of now.
/// Nothing is sent or charged. (spec/operations/admin_models.yaml: admin_models.quote)
#[diagnostic::on_unimplemented(
    message = "operation `admin_models.quote` (POST /api/admin/models/{{name}}/quotes) has no handler on `{Self}`",
    label = "missing `impl QuoteModel for {Self}`",
    note = "declared at spec/operations/admin_models.yaml: admin_models.quote",
    note = "add: impl QuoteModel for {Self} {{ async fn quote_model(&self, cx: &Cx, input: QuoteModelInput) -> Result<QuoteReply, QuoteModelError> {{ .. }} }}"
)]
pub trait QuoteModel: Send + Sync + 'static {
    /// Answers the operation.
    fn quote_model(
        &self,
        cx: &api::Cx,
        input: QuoteModelInput,
    ) -> impl Future<Output = Result<types::QuoteReply, QuoteModelError>> + Send;
}

/// The input of [`QuoteModel`].
#[derive(Debug)]
pub struct QuoteModelInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name, percent-encoded where it has slashes.
    pub name: String,
    /// The body.
    pub body: types::QuoteRequest,
}

impl QuoteModelInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`QuoteModel`].
#[derive(Debug, OpError)]
#[op(operation = "admin_models.quote", spec = "spec/operations/admin_models.yaml: admin_models.quote")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum QuoteModelError {
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
    #[code(CATALOG_NOT_FOUND)]
    CatalogNotFound { kind: String, name: String },
}

pub(in crate::generated) static QUOTE_MODEL: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/models/{name}/quotes"),
    ],
    roles: QuoteModelInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_models.quote", "spec/operations/admin_models.yaml: admin_models.quote", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn quote_model<S: QuoteModel + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = QuoteModelInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.quote_model(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
