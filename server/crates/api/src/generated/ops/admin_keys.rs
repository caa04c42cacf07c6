// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_keys`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/accounts/{account_id}/keys: The keys of an account, the newest first, revoked ones included.
/// (spec/operations/admin_keys.yaml: admin_keys.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_keys.list` (GET /api/admin/accounts/{{account_id}}/keys) has no handler on `{Self}`",
    label = "missing `impl ListAccountKeys for {Self}`",
    note = "declared at spec/operations/admin_keys.yaml: admin_keys.list",
    note = "add: impl ListAccountKeys for {Self} {{ async fn list_account_keys(&self, cx: &Cx, input: ListAccountKeysInput) -> Result<AccountKeyListReply, ListAccountKeysError> {{ .. }} }}"
)]
pub trait ListAccountKeys: Send + Sync + 'static {
    /// Answers the operation.
    fn list_account_keys(
        &self,
        cx: &api::Cx,
        input: ListAccountKeysInput,
    ) -> impl Future<Output = Result<types::AccountKeyListReply, ListAccountKeysError>> + Send;
}

/// The input of [`ListAccountKeys`].
#[derive(Debug)]
pub struct ListAccountKeysInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
}

impl ListAccountKeysInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListAccountKeys`].
#[derive(Debug, OpError)]
#[op(operation = "admin_keys.list", spec = "spec/operations/admin_keys.yaml: admin_keys.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListAccountKeysError {
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

pub(in crate::generated) static LIST_ACCOUNT_KEYS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/accounts/{account_id}/keys"),
    ],
    roles: ListAccountKeysInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_keys.list", "spec/operations/admin_keys.yaml: admin_keys.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_account_keys<S: ListAccountKeys + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListAccountKeysInput {
        caller: call.operator(&*service).await?,
        account_id: call.path("account_id", api::Whole::least(1))?,
    };
    let reply = service.list_account_keys(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/accounts/{account_id}/keys: Makes a key of an account. It is shown in this answer and never
/// again. (spec/operations/admin_keys.yaml: admin_keys.create)
#[diagnostic::on_unimplemented(
    message = "operation `admin_keys.create` (POST /api/admin/accounts/{{account_id}}/keys) has no handler on `{Self}`",
    label = "missing `impl CreateAccountKey for {Self}`",
    note = "declared at spec/operations/admin_keys.yaml: admin_keys.create",
    note = "add: impl CreateAccountKey for {Self} {{ async fn create_account_key(&self, cx: &Cx, input: CreateAccountKeyInput) -> Result<AccountKeyCreatedReply, CreateAccountKeyError> {{ .. }} }}"
)]
pub trait CreateAccountKey: Send + Sync + 'static {
    /// Answers the operation.
    fn create_account_key(
        &self,
        cx: &api::Cx,
        input: CreateAccountKeyInput,
    ) -> impl Future<Output = Result<types::AccountKeyCreatedReply, CreateAccountKeyError>> + Send;
}

/// The input of [`CreateAccountKey`].
#[derive(Debug)]
pub struct CreateAccountKeyInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
    /// The body.
    pub body: types::KeyRequest,
}

impl CreateAccountKeyInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "support"];
}

/// The errors of [`CreateAccountKey`].
#[derive(Debug, OpError)]
#[op(operation = "admin_keys.create", spec = "spec/operations/admin_keys.yaml: admin_keys.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateAccountKeyError {
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
    #[code(ACCOUNT_NOT_FOUND)]
    AccountNotFound { account_id: i64 },
    #[code(KEY_LIMIT)]
    KeyLimit { count: i64 },
    #[code(TEAM_NOT_FOUND)]
    TeamNotFound { team_id: i64 },
    #[code(MEMBER_NOT_FOUND)]
    MemberNotFound { member_id: i64 },
}

pub(in crate::generated) static CREATE_ACCOUNT_KEY: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/accounts/{account_id}/keys"),
    ],
    roles: CreateAccountKeyInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_keys.create", "spec/operations/admin_keys.yaml: admin_keys.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_account_key<S: CreateAccountKey + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateAccountKeyInput {
        caller: call.operator(&*service).await?,
        account_id: call.path("account_id", api::Whole::least(1))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.create_account_key(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PATCH /api/admin/keys/{key_id}: Changes what a key of any account may do, from the next request on. A member
/// that is absent stays as it is; null takes the limit away. Account, secret and expiry of a key never change.
/// (spec/operations/admin_keys.yaml: admin_keys.change)
#[diagnostic::on_unimplemented(
    message = "operation `admin_keys.change` (PATCH /api/admin/keys/{{key_id}}) has no handler on `{Self}`",
    label = "missing `impl ChangeAccountKey for {Self}`",
    note = "declared at spec/operations/admin_keys.yaml: admin_keys.change",
    note = "add: impl ChangeAccountKey for {Self} {{ async fn change_account_key(&self, cx: &Cx, input: ChangeAccountKeyInput) -> Result<AccountKeyChangedReply, ChangeAccountKeyError> {{ .. }} }}"
)]
pub trait ChangeAccountKey: Send + Sync + 'static {
    /// Answers the operation.
    fn change_account_key(
        &self,
        cx: &api::Cx,
        input: ChangeAccountKeyInput,
    ) -> impl Future<Output = Result<types::AccountKeyChangedReply, ChangeAccountKeyError>> + Send;
}

/// The input of [`ChangeAccountKey`].
#[derive(Debug)]
pub struct ChangeAccountKeyInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the key, from the list of keys.
    pub key_id: i64,
    /// The body.
    pub body: types::KeyChange,
}

impl ChangeAccountKeyInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "support"];
}

/// The errors of [`ChangeAccountKey`].
#[derive(Debug, OpError)]
#[op(operation = "admin_keys.change", spec = "spec/operations/admin_keys.yaml: admin_keys.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeAccountKeyError {
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
    #[code(KEY_NOT_FOUND)]
    KeyNotFound { key_id: i64 },
    #[code(KEY_REVOKED)]
    KeyRevoked { key_id: i64 },
    #[code(TEAM_NOT_FOUND)]
    TeamNotFound { team_id: i64 },
    #[code(MEMBER_NOT_FOUND)]
    MemberNotFound { member_id: i64 },
}

pub(in crate::generated) static CHANGE_ACCOUNT_KEY: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PATCH, "/api/admin/keys/{key_id}"),
    ],
    roles: ChangeAccountKeyInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_keys.change", "spec/operations/admin_keys.yaml: admin_keys.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_account_key<S: ChangeAccountKey + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeAccountKeyInput {
        caller: call.operator(&*service).await?,
        key_id: call.path("key_id", api::Whole::least(1))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.change_account_key(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/admin/keys/{key_id}: Revokes a key of any account for ever. Requests under way still end;
/// revoking again changes nothing. The agent whose key it is, is revoked with it.
/// (spec/operations/admin_keys.yaml: admin_keys.revoke)
#[diagnostic::on_unimplemented(
    message = "operation `admin_keys.revoke` (DELETE /api/admin/keys/{{key_id}}) has no handler on `{Self}`",
    label = "missing `impl RevokeAccountKey for {Self}`",
    note = "declared at spec/operations/admin_keys.yaml: admin_keys.revoke",
    note = "add: impl RevokeAccountKey for {Self} {{ async fn revoke_account_key(&self, cx: &Cx, input: RevokeAccountKeyInput) -> Result<AccountKeyReply, RevokeAccountKeyError> {{ .. }} }}"
)]
pub trait RevokeAccountKey: Send + Sync + 'static {
    /// Answers the operation.
    fn revoke_account_key(
        &self,
        cx: &api::Cx,
        input: RevokeAccountKeyInput,
    ) -> impl Future<Output = Result<types::AccountKeyReply, RevokeAccountKeyError>> + Send;
}

/// The input of [`RevokeAccountKey`].
#[derive(Debug)]
pub struct RevokeAccountKeyInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the key, from the list of keys.
    pub key_id: i64,
}

impl RevokeAccountKeyInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "support"];
}

/// The errors of [`RevokeAccountKey`].
#[derive(Debug, OpError)]
#[op(operation = "admin_keys.revoke", spec = "spec/operations/admin_keys.yaml: admin_keys.revoke")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RevokeAccountKeyError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(KEY_NOT_FOUND)]
    KeyNotFound { key_id: i64 },
}

pub(in crate::generated) static REVOKE_ACCOUNT_KEY: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/admin/keys/{key_id}"),
    ],
    roles: RevokeAccountKeyInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_keys.revoke", "spec/operations/admin_keys.yaml: admin_keys.revoke", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn revoke_account_key<S: RevokeAccountKey + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = RevokeAccountKeyInput {
        caller: call.operator(&*service).await?,
        key_id: call.path("key_id", api::Whole::least(1))?,
    };
    let reply = service.revoke_account_key(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
