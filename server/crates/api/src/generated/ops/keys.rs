// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `keys`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/user/self/keys: Makes a key. It is shown in this answer and never again. A key that expires makes
/// keys that expire no later than itself; a key that is limited in any other way makes none.
/// (spec/operations/keys.yaml: keys.create)
#[diagnostic::on_unimplemented(
    message = "operation `keys.create` (POST /api/user/self/keys) has no handler on `{Self}`",
    label = "missing `impl CreateKey for {Self}`",
    note = "declared at spec/operations/keys.yaml: keys.create",
    note = "add: impl CreateKey for {Self} {{ async fn create_key(&self, cx: &Cx, input: CreateKeyInput) -> Result<KeyCreatedReply, CreateKeyError> {{ .. }} }}"
)]
pub trait CreateKey: Send + Sync + 'static {
    /// Answers the operation.
    fn create_key(
        &self,
        cx: &api::Cx,
        input: CreateKeyInput,
    ) -> impl Future<Output = Result<types::KeyCreatedReply, CreateKeyError>> + Send;
}

/// The input of [`CreateKey`].
#[derive(Debug)]
pub struct CreateKeyInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::KeyRequest,
}

impl CreateKeyInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "developer"];
}

/// The errors of [`CreateKey`].
#[derive(Debug, OpError)]
#[op(operation = "keys.create", spec = "spec/operations/keys.yaml: keys.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateKeyError {
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
    #[code(KEY_LIMITED)]
    KeyLimited,
    #[code(KEY_LIMIT)]
    KeyLimit { count: i64 },
    #[code(TEAM_NOT_FOUND)]
    TeamNotFound { team_id: i64 },
    #[code(MEMBER_NOT_FOUND)]
    MemberNotFound { member_id: i64 },
    #[code(OWN_KEYS_ONLY)]
    OwnKeysOnly,
}

pub(in crate::generated) static CREATE_KEY: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/keys"),
    ],
    members: CreateKeyInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    ..api::Operation::new("keys.create", "spec/operations/keys.yaml: keys.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_key<S: CreateKey + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateKeyInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.create_key(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/user/self/keys: The keys of the account, the newest first, revoked ones included; for a developer,
/// the own ones. (spec/operations/keys.yaml: keys.list)
#[diagnostic::on_unimplemented(
    message = "operation `keys.list` (GET /api/user/self/keys) has no handler on `{Self}`",
    label = "missing `impl ListKeys for {Self}`",
    note = "declared at spec/operations/keys.yaml: keys.list",
    note = "add: impl ListKeys for {Self} {{ async fn list_keys(&self, cx: &Cx, input: ListKeysInput) -> Result<KeyListReply, ListKeysError> {{ .. }} }}"
)]
pub trait ListKeys: Send + Sync + 'static {
    /// Answers the operation.
    fn list_keys(
        &self,
        cx: &api::Cx,
        input: ListKeysInput,
    ) -> impl Future<Output = Result<types::KeyListReply, ListKeysError>> + Send;
}

/// The input of [`ListKeys`].
#[derive(Debug)]
pub struct ListKeysInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ListKeysInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ListKeys`].
#[derive(Debug, OpError)]
#[op(operation = "keys.list", spec = "spec/operations/keys.yaml: keys.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListKeysError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(KEY_LIMITED)]
    KeyLimited,
}

pub(in crate::generated) static LIST_KEYS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/keys"),
    ],
    members: ListKeysInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("keys.list", "spec/operations/keys.yaml: keys.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_keys<S: ListKeys + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListKeysInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.list_keys(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PATCH /api/user/self/keys/{key_id}: Changes what a key may do, from the next request on. A member that is
/// absent stays as it is; null takes the limit away. Account, secret and expiry of a key never change.
/// (spec/operations/keys.yaml: keys.change)
#[diagnostic::on_unimplemented(
    message = "operation `keys.change` (PATCH /api/user/self/keys/{{key_id}}) has no handler on `{Self}`",
    label = "missing `impl ChangeKey for {Self}`",
    note = "declared at spec/operations/keys.yaml: keys.change",
    note = "add: impl ChangeKey for {Self} {{ async fn change_key(&self, cx: &Cx, input: ChangeKeyInput) -> Result<KeyReply, ChangeKeyError> {{ .. }} }}"
)]
pub trait ChangeKey: Send + Sync + 'static {
    /// Answers the operation.
    fn change_key(
        &self,
        cx: &api::Cx,
        input: ChangeKeyInput,
    ) -> impl Future<Output = Result<types::KeyReply, ChangeKeyError>> + Send;
}

/// The input of [`ChangeKey`].
#[derive(Debug)]
pub struct ChangeKeyInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the key, from the list of keys.
    pub key_id: i64,
    /// The body.
    pub body: types::KeyChange,
}

impl ChangeKeyInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "developer"];
}

/// The errors of [`ChangeKey`].
#[derive(Debug, OpError)]
#[op(operation = "keys.change", spec = "spec/operations/keys.yaml: keys.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeKeyError {
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
    #[code(KEY_LIMITED)]
    KeyLimited,
    #[code(KEY_NOT_FOUND)]
    KeyNotFound { key_id: i64 },
    #[code(KEY_REVOKED)]
    KeyRevoked { key_id: i64 },
    #[code(TEAM_NOT_FOUND)]
    TeamNotFound { team_id: i64 },
    #[code(MEMBER_NOT_FOUND)]
    MemberNotFound { member_id: i64 },
    #[code(OWN_KEYS_ONLY)]
    OwnKeysOnly,
}

pub(in crate::generated) static CHANGE_KEY: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PATCH, "/api/user/self/keys/{key_id}"),
    ],
    members: ChangeKeyInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    ..api::Operation::new("keys.change", "spec/operations/keys.yaml: keys.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_key<S: ChangeKey + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeKeyInput {
        caller: call.caller_or_session(&*service).await?,
        key_id: call.path("key_id", api::Whole::least(1))?,
        body: call.json().await?,
    };
    let reply = service.change_key(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/user/self/keys/{key_id}: Revokes a key for ever. Requests under way still end; revoking again
/// changes nothing. The agent whose key it is, is revoked with it. (spec/operations/keys.yaml: keys.revoke)
#[diagnostic::on_unimplemented(
    message = "operation `keys.revoke` (DELETE /api/user/self/keys/{{key_id}}) has no handler on `{Self}`",
    label = "missing `impl RevokeKey for {Self}`",
    note = "declared at spec/operations/keys.yaml: keys.revoke",
    note = "add: impl RevokeKey for {Self} {{ async fn revoke_key(&self, cx: &Cx, input: RevokeKeyInput) -> Result<KeyReply, RevokeKeyError> {{ .. }} }}"
)]
pub trait RevokeKey: Send + Sync + 'static {
    /// Answers the operation.
    fn revoke_key(
        &self,
        cx: &api::Cx,
        input: RevokeKeyInput,
    ) -> impl Future<Output = Result<types::KeyReply, RevokeKeyError>> + Send;
}

/// The input of [`RevokeKey`].
#[derive(Debug)]
pub struct RevokeKeyInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the key, from the list of keys.
    pub key_id: i64,
}

impl RevokeKeyInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "developer"];
}

/// The errors of [`RevokeKey`].
#[derive(Debug, OpError)]
#[op(operation = "keys.revoke", spec = "spec/operations/keys.yaml: keys.revoke")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RevokeKeyError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(KEY_LIMITED)]
    KeyLimited,
    #[code(KEY_NOT_FOUND)]
    KeyNotFound { key_id: i64 },
}

pub(in crate::generated) static REVOKE_KEY: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/user/self/keys/{key_id}"),
    ],
    members: RevokeKeyInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("keys.revoke", "spec/operations/keys.yaml: keys.revoke", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn revoke_key<S: RevokeKey + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = RevokeKeyInput {
        caller: call.caller_or_session(&*service).await?,
        key_id: call.path("key_id", api::Whole::least(1))?,
    };
    let reply = service.revoke_key(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
