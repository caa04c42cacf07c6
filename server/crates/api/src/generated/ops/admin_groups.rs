// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_groups`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/groups: The groups of accounts, by name, each with the ratio of all prices that it pays and
/// the bounds of its accounts. (spec/operations/admin_groups.yaml: admin_groups.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_groups.list` (GET /api/admin/groups) has no handler on `{Self}`",
    label = "missing `impl ListGroups for {Self}`",
    note = "declared at spec/operations/admin_groups.yaml: admin_groups.list",
    note = "add: impl ListGroups for {Self} {{ async fn list_groups(&self, cx: &Cx, input: ListGroupsInput) -> Result<AccountGroupListReply, ListGroupsError> {{ .. }} }}"
)]
pub trait ListGroups: Send + Sync + 'static {
    /// Answers the operation.
    fn list_groups(
        &self,
        cx: &api::Cx,
        input: ListGroupsInput,
    ) -> impl Future<Output = Result<types::AccountGroupListReply, ListGroupsError>> + Send;
}

/// The input of [`ListGroups`].
#[derive(Debug)]
pub struct ListGroupsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl ListGroupsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListGroups`].
#[derive(Debug, OpError)]
#[op(operation = "admin_groups.list", spec = "spec/operations/admin_groups.yaml: admin_groups.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListGroupsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_GROUPS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/groups"),
    ],
    roles: ListGroupsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_groups.list", "spec/operations/admin_groups.yaml: admin_groups.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_groups<S: ListGroups + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListGroupsInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.list_groups(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/groups: Adds a group. (spec/operations/admin_groups.yaml: admin_groups.create)
#[diagnostic::on_unimplemented(
    message = "operation `admin_groups.create` (POST /api/admin/groups) has no handler on `{Self}`",
    label = "missing `impl CreateGroup for {Self}`",
    note = "declared at spec/operations/admin_groups.yaml: admin_groups.create",
    note = "add: impl CreateGroup for {Self} {{ async fn create_group(&self, cx: &Cx, input: CreateGroupInput) -> Result<AccountGroupInfoReply, CreateGroupError> {{ .. }} }}"
)]
pub trait CreateGroup: Send + Sync + 'static {
    /// Answers the operation.
    fn create_group(
        &self,
        cx: &api::Cx,
        input: CreateGroupInput,
    ) -> impl Future<Output = Result<types::AccountGroupInfoReply, CreateGroupError>> + Send;
}

/// The input of [`CreateGroup`].
#[derive(Debug)]
pub struct CreateGroupInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::AccountGroupRequest,
}

impl CreateGroupInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`CreateGroup`].
#[derive(Debug, OpError)]
#[op(operation = "admin_groups.create", spec = "spec/operations/admin_groups.yaml: admin_groups.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateGroupError {
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

pub(in crate::generated) static CREATE_GROUP: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/groups"),
    ],
    roles: CreateGroupInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_groups.create", "spec/operations/admin_groups.yaml: admin_groups.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_group<S: CreateGroup + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateGroupInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.create_group(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PUT /api/admin/groups/{name}: Changes the ratio and the bounds of a group that operators added. They count
/// for requests that begin from then on. (spec/operations/admin_groups.yaml: admin_groups.change)
#[diagnostic::on_unimplemented(
    message = "operation `admin_groups.change` (PUT /api/admin/groups/{{name}}) has no handler on `{Self}`",
    label = "missing `impl ChangeGroup for {Self}`",
    note = "declared at spec/operations/admin_groups.yaml: admin_groups.change",
    note = "add: impl ChangeGroup for {Self} {{ async fn change_group(&self, cx: &Cx, input: ChangeGroupInput) -> Result<AccountGroupInfoReply, ChangeGroupError> {{ .. }} }}"
)]
pub trait ChangeGroup: Send + Sync + 'static {
    /// Answers the operation.
    fn change_group(
        &self,
        cx: &api::Cx,
        input: ChangeGroupInput,
    ) -> impl Future<Output = Result<types::AccountGroupInfoReply, ChangeGroupError>> + Send;
}

/// The input of [`ChangeGroup`].
#[derive(Debug)]
pub struct ChangeGroupInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` that the change is of, or `*` for any.
    pub if_match: String,
    /// Its name.
    pub name: String,
    /// The body.
    pub body: types::AccountGroupUpdate,
}

impl ChangeGroupInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`ChangeGroup`].
#[derive(Debug, OpError)]
#[op(operation = "admin_groups.change", spec = "spec/operations/admin_groups.yaml: admin_groups.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeGroupError {
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

pub(in crate::generated) static CHANGE_GROUP: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PUT, "/api/admin/groups/{name}"),
    ],
    roles: ChangeGroupInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_groups.change", "spec/operations/admin_groups.yaml: admin_groups.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_group<S: ChangeGroup + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeGroupInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        name: call.path("name", api::Text::of(1, 64))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.change_group(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/admin/groups/{name}: Takes a group away that operators added. No account may be in it.
/// (spec/operations/admin_groups.yaml: admin_groups.remove)
#[diagnostic::on_unimplemented(
    message = "operation `admin_groups.remove` (DELETE /api/admin/groups/{{name}}) has no handler on `{Self}`",
    label = "missing `impl RemoveGroup for {Self}`",
    note = "declared at spec/operations/admin_groups.yaml: admin_groups.remove",
    note = "add: impl RemoveGroup for {Self} {{ async fn remove_group(&self, cx: &Cx, input: RemoveGroupInput) -> Result<AccountGroupRemovedReply, RemoveGroupError> {{ .. }} }}"
)]
pub trait RemoveGroup: Send + Sync + 'static {
    /// Answers the operation.
    fn remove_group(
        &self,
        cx: &api::Cx,
        input: RemoveGroupInput,
    ) -> impl Future<Output = Result<types::AccountGroupRemovedReply, RemoveGroupError>> + Send;
}

/// The input of [`RemoveGroup`].
#[derive(Debug)]
pub struct RemoveGroupInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` that is taken away, or `*` for any.
    pub if_match: String,
    /// Its name.
    pub name: String,
    /// The reason, for the log of changes.
    pub reason: Option<String>,
}

impl RemoveGroupInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`RemoveGroup`].
#[derive(Debug, OpError)]
#[op(operation = "admin_groups.remove", spec = "spec/operations/admin_groups.yaml: admin_groups.remove")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RemoveGroupError {
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

pub(in crate::generated) static REMOVE_GROUP: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/admin/groups/{name}"),
    ],
    roles: RemoveGroupInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_groups.remove", "spec/operations/admin_groups.yaml: admin_groups.remove", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn remove_group<S: RemoveGroup + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = RemoveGroupInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        name: call.path("name", api::Text::of(1, 64))?,
        reason: call.optional_query("reason", api::Text::most(500))?,
    };
    let reply = service.remove_group(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
