// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_prices`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/prices: The prices by name, those of the configuration's price list among them.
/// (spec/operations/admin_prices.yaml: admin_prices.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_prices.list` (GET /api/admin/prices) has no handler on `{Self}`",
    label = "missing `impl ListPrices for {Self}`",
    note = "declared at spec/operations/admin_prices.yaml: admin_prices.list",
    note = "add: impl ListPrices for {Self} {{ async fn list_prices(&self, cx: &Cx, input: ListPricesInput) -> Result<PriceListReply, ListPricesError> {{ .. }} }}"
)]
pub trait ListPrices: Send + Sync + 'static {
    /// Answers the operation.
    fn list_prices(
        &self,
        cx: &api::Cx,
        input: ListPricesInput,
    ) -> impl Future<Output = Result<types::PriceListReply, ListPricesError>> + Send;
}

/// The input of [`ListPrices`].
#[derive(Debug)]
pub struct ListPricesInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The most prices of one page. Absent means 50.
    pub limit: Option<i64>,
    /// The page after that name: `next` of the page before.
    pub after: Option<String>,
    /// Only those from there.
    pub origin: Option<types::CatalogOrigin>,
}

impl ListPricesInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListPrices`].
#[derive(Debug, OpError)]
#[op(operation = "admin_prices.list", spec = "spec/operations/admin_prices.yaml: admin_prices.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListPricesError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_PRICES: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/prices"),
    ],
    roles: ListPricesInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_prices.list", "spec/operations/admin_prices.yaml: admin_prices.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_prices<S: ListPrices + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListPricesInput {
        caller: call.operator(&*service).await?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?,
        after: call.optional_query("after", api::Text::of(1, 128))?,
        origin: call.optional_query("origin", "one of `file`, `api`")?,
    };
    let reply = service.list_prices(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/admin/prices/{name}: One price with the versions before it, the newest first.
/// (spec/operations/admin_prices.yaml: admin_prices.get)
#[diagnostic::on_unimplemented(
    message = "operation `admin_prices.get` (GET /api/admin/prices/{{name}}) has no handler on `{Self}`",
    label = "missing `impl GetPrice for {Self}`",
    note = "declared at spec/operations/admin_prices.yaml: admin_prices.get",
    note = "add: impl GetPrice for {Self} {{ async fn get_price(&self, cx: &Cx, input: GetPriceInput) -> Result<PriceReply, GetPriceError> {{ .. }} }}"
)]
pub trait GetPrice: Send + Sync + 'static {
    /// Answers the operation.
    fn get_price(
        &self,
        cx: &api::Cx,
        input: GetPriceInput,
    ) -> impl Future<Output = Result<types::PriceReply, GetPriceError>> + Send;
}

/// The input of [`GetPrice`].
#[derive(Debug)]
pub struct GetPriceInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Its name, percent-encoded where it has slashes.
    pub name: String,
}

impl GetPriceInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`GetPrice`].
#[derive(Debug, OpError)]
#[op(operation = "admin_prices.get", spec = "spec/operations/admin_prices.yaml: admin_prices.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetPriceError {
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

pub(in crate::generated) static GET_PRICE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/prices/{name}"),
    ],
    roles: GetPriceInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_prices.get", "spec/operations/admin_prices.yaml: admin_prices.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_price<S: GetPrice + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetPriceInput {
        caller: call.operator(&*service).await?,
        name: call.path("name", api::Text::of(1, 128))?,
    };
    let reply = service.get_price(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/prices: Adds a price. It counts once a model names it. (spec/operations/admin_prices.yaml:
/// admin_prices.create)
#[diagnostic::on_unimplemented(
    message = "operation `admin_prices.create` (POST /api/admin/prices) has no handler on `{Self}`",
    label = "missing `impl CreatePrice for {Self}`",
    note = "declared at spec/operations/admin_prices.yaml: admin_prices.create",
    note = "add: impl CreatePrice for {Self} {{ async fn create_price(&self, cx: &Cx, input: CreatePriceInput) -> Result<PriceReply, CreatePriceError> {{ .. }} }}"
)]
pub trait CreatePrice: Send + Sync + 'static {
    /// Answers the operation.
    fn create_price(
        &self,
        cx: &api::Cx,
        input: CreatePriceInput,
    ) -> impl Future<Output = Result<types::PriceReply, CreatePriceError>> + Send;
}

/// The input of [`CreatePrice`].
#[derive(Debug)]
pub struct CreatePriceInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::PriceRequest,
}

impl CreatePriceInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`CreatePrice`].
#[derive(Debug, OpError)]
#[op(operation = "admin_prices.create", spec = "spec/operations/admin_prices.yaml: admin_prices.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreatePriceError {
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

pub(in crate::generated) static CREATE_PRICE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/prices"),
    ],
    roles: CreatePriceInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_prices.create", "spec/operations/admin_prices.yaml: admin_prices.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_price<S: CreatePrice + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreatePriceInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.create_price(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/prices/{name}/versions: Puts a new version in the place of a price. Requests under way cost
/// what they cost when they began; a version that was in force is never changed.
/// (spec/operations/admin_prices.yaml: admin_prices.replace)
#[diagnostic::on_unimplemented(
    message = "operation `admin_prices.replace` (POST /api/admin/prices/{{name}}/versions) has no handler on `{Self}`",
    label = "missing `impl ReplacePrice for {Self}`",
    note = "declared at spec/operations/admin_prices.yaml: admin_prices.replace",
    note = "add: impl ReplacePrice for {Self} {{ async fn replace_price(&self, cx: &Cx, input: ReplacePriceInput) -> Result<PriceReply, ReplacePriceError> {{ .. }} }}"
)]
pub trait ReplacePrice: Send + Sync + 'static {
    /// Answers the operation.
    fn replace_price(
        &self,
        cx: &api::Cx,
        input: ReplacePriceInput,
    ) -> impl Future<Output = Result<types::PriceReply, ReplacePriceError>> + Send;
}

/// The input of [`ReplacePrice`].
#[derive(Debug)]
pub struct ReplacePriceInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` that it replaces, or `*` for any.
    pub if_match: String,
    /// Its name, percent-encoded where it has slashes.
    pub name: String,
    /// The body.
    pub body: types::PriceUpdate,
}

impl ReplacePriceInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`ReplacePrice`].
#[derive(Debug, OpError)]
#[op(operation = "admin_prices.replace", spec = "spec/operations/admin_prices.yaml: admin_prices.replace")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ReplacePriceError {
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

pub(in crate::generated) static REPLACE_PRICE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/prices/{name}/versions"),
    ],
    roles: ReplacePriceInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_prices.replace", "spec/operations/admin_prices.yaml: admin_prices.replace", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn replace_price<S: ReplacePrice + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ReplacePriceInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        name: call.path("name", api::Text::of(1, 128))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.replace_price(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/admin/prices/{name}: Takes a price away that operators added. No model may name it.
/// (spec/operations/admin_prices.yaml: admin_prices.remove)
#[diagnostic::on_unimplemented(
    message = "operation `admin_prices.remove` (DELETE /api/admin/prices/{{name}}) has no handler on `{Self}`",
    label = "missing `impl RemovePrice for {Self}`",
    note = "declared at spec/operations/admin_prices.yaml: admin_prices.remove",
    note = "add: impl RemovePrice for {Self} {{ async fn remove_price(&self, cx: &Cx, input: RemovePriceInput) -> Result<PriceRemovedReply, RemovePriceError> {{ .. }} }}"
)]
pub trait RemovePrice: Send + Sync + 'static {
    /// Answers the operation.
    fn remove_price(
        &self,
        cx: &api::Cx,
        input: RemovePriceInput,
    ) -> impl Future<Output = Result<types::PriceRemovedReply, RemovePriceError>> + Send;
}

/// The input of [`RemovePrice`].
#[derive(Debug)]
pub struct RemovePriceInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` that is taken away, or `*` for any.
    pub if_match: String,
    /// Its name, percent-encoded where it has slashes.
    pub name: String,
    /// The reason, for the log of changes.
    pub reason: Option<String>,
}

impl RemovePriceInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`RemovePrice`].
#[derive(Debug, OpError)]
#[op(operation = "admin_prices.remove", spec = "spec/operations/admin_prices.yaml: admin_prices.remove")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RemovePriceError {
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

pub(in crate::generated) static REMOVE_PRICE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/admin/prices/{name}"),
    ],
    roles: RemovePriceInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_prices.remove", "spec/operations/admin_prices.yaml: admin_prices.remove", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn remove_price<S: RemovePrice + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = RemovePriceInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        name: call.path("name", api::Text::of(1, 128))?,
        reason: call.optional_query("reason", api::Text::most(500))?,
    };
    let reply = service.remove_price(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/price_list/comparison: Compares the prices of now with those of a list. Nothing is changed.
/// (spec/operations/admin_prices.yaml: admin_prices.compare)
#[diagnostic::on_unimplemented(
    message = "operation `admin_prices.compare` (POST /api/admin/price_list/comparison) has no handler on `{Self}`",
    label = "missing `impl ComparePriceList for {Self}`",
    note = "declared at spec/operations/admin_prices.yaml: admin_prices.compare",
    note = "add: impl ComparePriceList for {Self} {{ async fn compare_price_list(&self, cx: &Cx, input: ComparePriceListInput) -> Result<PriceListComparisonReply, ComparePriceListError> {{ .. }} }}"
)]
pub trait ComparePriceList: Send + Sync + 'static {
    /// Answers the operation.
    fn compare_price_list(
        &self,
        cx: &api::Cx,
        input: ComparePriceListInput,
    ) -> impl Future<Output = Result<types::PriceListComparisonReply, ComparePriceListError>> + Send;
}

/// The input of [`ComparePriceList`].
#[derive(Debug)]
pub struct ComparePriceListInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::PriceListRequest,
}

impl ComparePriceListInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ComparePriceList`].
#[derive(Debug, OpError)]
#[op(operation = "admin_prices.compare", spec = "spec/operations/admin_prices.yaml: admin_prices.compare")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ComparePriceListError {
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
}

pub(in crate::generated) static COMPARE_PRICE_LIST: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/price_list/comparison"),
    ],
    roles: ComparePriceListInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::PRICE_LIST_BODY, over: None },
    ..api::Operation::new("admin_prices.compare", "spec/operations/admin_prices.yaml: admin_prices.compare", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn compare_price_list<S: ComparePriceList + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ComparePriceListInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.compare_price_list(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/price_list: Takes the prices of a list: all that are new or other than now, in one step, each
/// as a version of its own. Prices that the list lacks stay as they are, and so do those of the configuration. A
/// price that the list has without a `cost` has none afterwards. (spec/operations/admin_prices.yaml:
/// admin_prices.take)
#[diagnostic::on_unimplemented(
    message = "operation `admin_prices.take` (POST /api/admin/price_list) has no handler on `{Self}`",
    label = "missing `impl ImportPriceList for {Self}`",
    note = "declared at spec/operations/admin_prices.yaml: admin_prices.take",
    note = "add: impl ImportPriceList for {Self} {{ async fn import_price_list(&self, cx: &Cx, input: ImportPriceListInput) -> Result<PriceListImportReply, ImportPriceListError> {{ .. }} }}"
)]
pub trait ImportPriceList: Send + Sync + 'static {
    /// Answers the operation.
    fn import_price_list(
        &self,
        cx: &api::Cx,
        input: ImportPriceListInput,
    ) -> impl Future<Output = Result<types::PriceListImportReply, ImportPriceListError>> + Send;
}

/// The input of [`ImportPriceList`].
#[derive(Debug)]
pub struct ImportPriceListInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` of the comparison that was looked at, or `*` for any.
    pub if_match: String,
    /// The body.
    pub body: types::PriceListRequest,
}

impl ImportPriceListInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`ImportPriceList`].
#[derive(Debug, OpError)]
#[op(operation = "admin_prices.take", spec = "spec/operations/admin_prices.yaml: admin_prices.take")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ImportPriceListError {
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
    #[code(CATALOG_SANDBOX)]
    CatalogSandbox,
    #[code(CHANGED_MEANWHILE)]
    ChangedMeanwhile { version: String },
}

pub(in crate::generated) static IMPORT_PRICE_LIST: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/price_list"),
    ],
    roles: ImportPriceListInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::PRICE_LIST_BODY, over: None },
    ..api::Operation::new("admin_prices.take", "spec/operations/admin_prices.yaml: admin_prices.take", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn import_price_list<S: ImportPriceList + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ImportPriceListInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.import_price_list(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
