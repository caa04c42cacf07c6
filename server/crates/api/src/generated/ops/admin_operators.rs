// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_operators`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/operators: The operators, by name. (spec/operations/admin_operators.yaml:
/// admin_operators.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_operators.list` (GET /api/admin/operators) has no handler on `{Self}`",
    label = "missing `impl ListOperators for {Self}`",
    note = "declared at spec/operations/admin_operators.yaml: admin_operators.list",
    note = "add: impl ListOperators for {Self} {{ async fn list_operators(&self, cx: &Cx, input: ListOperatorsInput) -> Result<OperatorListReply, ListOperatorsError> {{ .. }} }}"
)]
pub trait ListOperators: Send + Sync + 'static {
    /// Answers the operation.
    fn list_operators(
        &self,
        cx: &api::Cx,
        input: ListOperatorsInput,
    ) -> impl Future<Output = Result<types::OperatorListReply, ListOperatorsError>> + Send;
}

/// The input of [`ListOperators`].
#[derive(Debug)]
pub struct ListOperatorsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl ListOperatorsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListOperators`].
#[derive(Debug, OpError)]
#[op(operation = "admin_operators.list", spec = "spec/operations/admin_operators.yaml: admin_operators.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListOperatorsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_OPERATORS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/operators"),
    ],
    roles: ListOperatorsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_operators.list", "spec/operations/admin_operators.yaml: admin_operators.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_operators<S: ListOperators + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListOperatorsInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.list_operators(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/operators: Makes an operator: a key for a program, or a person, who is let in once the
/// invitation is accepted. Key or invitation are shown in this answer and never again.
/// (spec/operations/admin_operators.yaml: admin_operators.create)
#[diagnostic::on_unimplemented(
    message = "operation `admin_operators.create` (POST /api/admin/operators) has no handler on `{Self}`",
    label = "missing `impl CreateOperator for {Self}`",
    note = "declared at spec/operations/admin_operators.yaml: admin_operators.create",
    note = "add: impl CreateOperator for {Self} {{ async fn create_operator(&self, cx: &Cx, input: CreateOperatorInput) -> Result<OperatorCreatedReply, CreateOperatorError> {{ .. }} }}"
)]
pub trait CreateOperator: Send + Sync + 'static {
    /// Answers the operation.
    fn create_operator(
        &self,
        cx: &api::Cx,
        input: CreateOperatorInput,
    ) -> impl Future<Output = Result<types::OperatorCreatedReply, CreateOperatorError>> + Send;
}

/// The input of [`CreateOperator`].
#[derive(Debug)]
pub struct CreateOperatorInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::OperatorRequest,
}

impl CreateOperatorInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner"];
}

/// The errors of [`CreateOperator`].
#[derive(Debug, OpError)]
#[op(operation = "admin_operators.create", spec = "spec/operations/admin_operators.yaml: admin_operators.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateOperatorError {
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
    #[code(OPERATOR_EXISTS)]
    OperatorExists { name: String },
}

pub(in crate::generated) static CREATE_OPERATOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/operators"),
    ],
    roles: CreateOperatorInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_operators.create", "spec/operations/admin_operators.yaml: admin_operators.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_operator<S: CreateOperator + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateOperatorInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.create_operator(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PATCH /api/admin/operators/{operator_id}: Changes the role or the state of an operator, and ends its
/// sessions. A member that is absent stays as it is. A key that was disabled stays so, and one active owner
/// stays in any case. (spec/operations/admin_operators.yaml: admin_operators.change)
#[diagnostic::on_unimplemented(
    message = "operation `admin_operators.change` (PATCH /api/admin/operators/{{operator_id}}) has no handler on `{Self}`",
    label = "missing `impl ChangeOperator for {Self}`",
    note = "declared at spec/operations/admin_operators.yaml: admin_operators.change",
    note = "add: impl ChangeOperator for {Self} {{ async fn change_operator(&self, cx: &Cx, input: ChangeOperatorInput) -> Result<OperatorReply, ChangeOperatorError> {{ .. }} }}"
)]
pub trait ChangeOperator: Send + Sync + 'static {
    /// Answers the operation.
    fn change_operator(
        &self,
        cx: &api::Cx,
        input: ChangeOperatorInput,
    ) -> impl Future<Output = Result<types::OperatorReply, ChangeOperatorError>> + Send;
}

/// The input of [`ChangeOperator`].
#[derive(Debug)]
pub struct ChangeOperatorInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` that the change is of, or `*` for any.
    pub if_match: String,
    /// Number of the operator, from the list of operators.
    pub operator_id: i64,
    /// The body.
    pub body: types::OperatorUpdate,
}

impl ChangeOperatorInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner"];
}

/// The errors of [`ChangeOperator`].
#[derive(Debug, OpError)]
#[op(operation = "admin_operators.change", spec = "spec/operations/admin_operators.yaml: admin_operators.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeOperatorError {
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
    #[code(OPERATOR_KEY_DISABLED)]
    OperatorKeyDisabled { operator_id: i64 },
    #[code(OPERATOR_LAST_OWNER)]
    OperatorLastOwner { operator_id: i64 },
    #[code(CHANGED_MEANWHILE)]
    ChangedMeanwhile { version: String },
}

pub(in crate::generated) static CHANGE_OPERATOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PATCH, "/api/admin/operators/{operator_id}"),
    ],
    roles: ChangeOperatorInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_operators.change", "spec/operations/admin_operators.yaml: admin_operators.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_operator<S: ChangeOperator + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeOperatorInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        operator_id: call.path("operator_id", api::Whole::least(1))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.change_operator(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/operators/{operator_id}/invitation: Invites a person anew, who has lost the password or the
/// second factor. Both are taken away at once, and the sessions end. The invitation is shown in this answer and
/// never again. (spec/operations/admin_operators.yaml: admin_operators.invite)
#[diagnostic::on_unimplemented(
    message = "operation `admin_operators.invite` (POST /api/admin/operators/{{operator_id}}/invitation) has no handler on `{Self}`",
    label = "missing `impl InviteOperator for {Self}`",
    note = "declared at spec/operations/admin_operators.yaml: admin_operators.invite",
    note = "add: impl InviteOperator for {Self} {{ async fn invite_operator(&self, cx: &Cx, input: InviteOperatorInput) -> Result<OperatorCreatedReply, InviteOperatorError> {{ .. }} }}"
)]
pub trait InviteOperator: Send + Sync + 'static {
    /// Answers the operation.
    fn invite_operator(
        &self,
        cx: &api::Cx,
        input: InviteOperatorInput,
    ) -> impl Future<Output = Result<types::OperatorCreatedReply, InviteOperatorError>> + Send;
}

/// The input of [`InviteOperator`].
#[derive(Debug)]
pub struct InviteOperatorInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the operator, from the list of operators.
    pub operator_id: i64,
}

impl InviteOperatorInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner"];
}

/// The errors of [`InviteOperator`].
#[derive(Debug, OpError)]
#[op(operation = "admin_operators.invite", spec = "spec/operations/admin_operators.yaml: admin_operators.invite")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum InviteOperatorError {
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
    #[code(OPERATOR_IS_KEY)]
    OperatorIsKey { operator_id: i64 },
    #[code(OPERATOR_LAST_OWNER)]
    OperatorLastOwner { operator_id: i64 },
}

pub(in crate::generated) static INVITE_OPERATOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/operators/{operator_id}/invitation"),
    ],
    roles: InviteOperatorInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_operators.invite", "spec/operations/admin_operators.yaml: admin_operators.invite", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn invite_operator<S: InviteOperator + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = InviteOperatorInput {
        caller: call.operator(&*service).await?,
        operator_id: call.path("operator_id", api::Whole::least(1))?,
    };
    let reply = service.invite_operator(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/admin/operators/{operator_id}/sessions: The sessions of an operator that are not over, the newest
/// first. (spec/operations/admin_operators.yaml: admin_operators.sessions)
#[diagnostic::on_unimplemented(
    message = "operation `admin_operators.sessions` (GET /api/admin/operators/{{operator_id}}/sessions) has no handler on `{Self}`",
    label = "missing `impl ListOperatorSessions for {Self}`",
    note = "declared at spec/operations/admin_operators.yaml: admin_operators.sessions",
    note = "add: impl ListOperatorSessions for {Self} {{ async fn list_operator_sessions(&self, cx: &Cx, input: ListOperatorSessionsInput) -> Result<OperatorSessionInfoListReply, ListOperatorSessionsError> {{ .. }} }}"
)]
pub trait ListOperatorSessions: Send + Sync + 'static {
    /// Answers the operation.
    fn list_operator_sessions(
        &self,
        cx: &api::Cx,
        input: ListOperatorSessionsInput,
    ) -> impl Future<Output = Result<types::OperatorSessionInfoListReply, ListOperatorSessionsError>> + Send;
}

/// The input of [`ListOperatorSessions`].
#[derive(Debug)]
pub struct ListOperatorSessionsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the operator, from the list of operators.
    pub operator_id: i64,
}

impl ListOperatorSessionsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner"];
}

/// The errors of [`ListOperatorSessions`].
#[derive(Debug, OpError)]
#[op(operation = "admin_operators.sessions", spec = "spec/operations/admin_operators.yaml: admin_operators.sessions")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListOperatorSessionsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_OPERATOR_SESSIONS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/operators/{operator_id}/sessions"),
    ],
    roles: ListOperatorSessionsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_operators.sessions", "spec/operations/admin_operators.yaml: admin_operators.sessions", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_operator_sessions<S: ListOperatorSessions + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListOperatorSessionsInput {
        caller: call.operator(&*service).await?,
        operator_id: call.path("operator_id", api::Whole::least(1))?,
    };
    let reply = service.list_operator_sessions(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/admin/operators/{operator_id}/sessions: Ends one session of an operator, or all of them. Ending
/// again changes nothing. (spec/operations/admin_operators.yaml: admin_operators.end_sessions)
#[diagnostic::on_unimplemented(
    message = "operation `admin_operators.end_sessions` (DELETE /api/admin/operators/{{operator_id}}/sessions) has no handler on `{Self}`",
    label = "missing `impl EndOperatorSessions for {Self}`",
    note = "declared at spec/operations/admin_operators.yaml: admin_operators.end_sessions",
    note = "add: impl EndOperatorSessions for {Self} {{ async fn end_operator_sessions(&self, cx: &Cx, input: EndOperatorSessionsInput) -> Result<OperatorSessionsEndedReply, EndOperatorSessionsError> {{ .. }} }}"
)]
pub trait EndOperatorSessions: Send + Sync + 'static {
    /// Answers the operation.
    fn end_operator_sessions(
        &self,
        cx: &api::Cx,
        input: EndOperatorSessionsInput,
    ) -> impl Future<Output = Result<types::OperatorSessionsEndedReply, EndOperatorSessionsError>> + Send;
}

/// The input of [`EndOperatorSessions`].
#[derive(Debug)]
pub struct EndOperatorSessionsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the operator, from the list of operators.
    pub operator_id: i64,
    /// The session, by its `session_id`. Absent means all of them.
    pub session: Option<String>,
}

impl EndOperatorSessionsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner"];
}

/// The errors of [`EndOperatorSessions`].
#[derive(Debug, OpError)]
#[op(operation = "admin_operators.end_sessions", spec = "spec/operations/admin_operators.yaml: admin_operators.end_sessions")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum EndOperatorSessionsError {
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

pub(in crate::generated) static END_OPERATOR_SESSIONS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/admin/operators/{operator_id}/sessions"),
    ],
    roles: EndOperatorSessionsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_operators.end_sessions", "spec/operations/admin_operators.yaml: admin_operators.end_sessions", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn end_operator_sessions<S: EndOperatorSessions + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = EndOperatorSessionsInput {
        caller: call.operator(&*service).await?,
        operator_id: call.path("operator_id", api::Whole::least(1))?,
        session: call.optional_query("session", api::Text::of(64, 64))?,
    };
    let reply = service.end_operator_sessions(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
