// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `operators`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /admin/session: Signs an operator in. (spec/mini.yaml: operators.begin)
#[diagnostic::on_unimplemented(
    message = "operation `operators.begin` (POST /admin/session) has no handler on `{Self}`",
    label = "missing `impl BeginOperator for {Self}`",
    note = "declared at spec/mini.yaml: operators.begin",
    note = "add: impl BeginOperator for {Self} {{ async fn begin_operator(&self, cx: &Cx, input: BeginOperatorInput) -> Result<BeginsSession<Operator>, BeginOperatorError> {{ .. }} }}"
)]
pub trait BeginOperator: Send + Sync + 'static {
    /// Answers the operation.
    fn begin_operator(
        &self,
        cx: &api::Cx,
        input: BeginOperatorInput,
    ) -> impl Future<Output = Result<api::BeginsSession<types::Operator>, BeginOperatorError>> + Send;
}

/// The input of [`BeginOperator`].
#[derive(Debug)]
pub struct BeginOperatorInput {
    /// The body.
    pub body: types::SigningIn,
}

/// The errors of [`BeginOperator`].
#[derive(Debug, OpError)]
#[op(operation = "operators.begin", spec = "spec/mini.yaml: operators.begin")]
pub enum BeginOperatorError {}

pub(in crate::generated) static BEGIN_OPERATOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/admin/session"),
    ],
    body: api::BodyLimit { bytes: limits::BODY, over: None },
    ..api::Operation::new("operators.begin", "spec/mini.yaml: operators.begin", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn begin_operator<S: BeginOperator>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    call.from_own_page()?;
    let input = BeginOperatorInput {
        body: call.json().await?,
    };
    let reply = service.begin_operator(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_beginning(&auth::OPERATOR_SESSION, &reply)
}

/// DELETE /admin/session: Signs an operator out. (spec/mini.yaml: operators.end)
#[diagnostic::on_unimplemented(
    message = "operation `operators.end` (DELETE /admin/session) has no handler on `{Self}`",
    label = "missing `impl EndOperator for {Self}`",
    note = "declared at spec/mini.yaml: operators.end",
    note = "add: impl EndOperator for {Self} {{ async fn end_operator(&self, cx: &Cx, input: EndOperatorInput) -> Result<Operator, EndOperatorError> {{ .. }} }}"
)]
pub trait EndOperator: Send + Sync + 'static {
    /// Answers the operation.
    fn end_operator(
        &self,
        cx: &api::Cx,
        input: EndOperatorInput,
    ) -> impl Future<Output = Result<types::Operator, EndOperatorError>> + Send;
}

/// The input of [`EndOperator`].
#[derive(Debug)]
pub struct EndOperatorInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl EndOperatorInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["viewer", "keeper", "owner"];
}

/// The errors of [`EndOperator`].
#[derive(Debug, OpError)]
#[op(operation = "operators.end", spec = "spec/mini.yaml: operators.end")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum EndOperatorError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static END_OPERATOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/admin/session"),
    ],
    roles: EndOperatorInput::ROLES,
    schemes: &[&auth::OPERATOR_SESSION],
    ..api::Operation::new("operators.end", "spec/mini.yaml: operators.end", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn end_operator<S: EndOperator + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = EndOperatorInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.end_operator(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_ending(&auth::OPERATOR_SESSION, &reply)
}

/// GET /admin/operators/{operator}: Tells an operator who is asking. (spec/mini.yaml: operators.see)
#[diagnostic::on_unimplemented(
    message = "operation `operators.see` (GET /admin/operators/{{operator}}) has no handler on `{Self}`",
    label = "missing `impl SeeOperator for {Self}`",
    note = "declared at spec/mini.yaml: operators.see",
    note = "add: impl SeeOperator for {Self} {{ async fn see_operator(&self, cx: &Cx, input: SeeOperatorInput) -> Result<Operator, SeeOperatorError> {{ .. }} }}"
)]
pub trait SeeOperator: Send + Sync + 'static {
    /// Answers the operation.
    fn see_operator(
        &self,
        cx: &api::Cx,
        input: SeeOperatorInput,
    ) -> impl Future<Output = Result<types::Operator, SeeOperatorError>> + Send;
}

/// The input of [`SeeOperator`].
#[derive(Debug)]
pub struct SeeOperatorInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Who is asked about.
    pub operator: String,
}

impl SeeOperatorInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["viewer", "keeper", "owner"];
}

/// The errors of [`SeeOperator`].
#[derive(Debug, OpError)]
#[op(operation = "operators.see", spec = "spec/mini.yaml: operators.see")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SeeOperatorError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static SEE_OPERATOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/admin/operators/{operator}"),
    ],
    roles: SeeOperatorInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("operators.see", "spec/mini.yaml: operators.see", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn see_operator<S: SeeOperator + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = SeeOperatorInput {
        caller: call.operator(&*service).await?,
        operator: call.path("operator", "a text")?,
    };
    let reply = service.see_operator(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /admin/things/clear: Takes all things away. (spec/mini.yaml: operators.clear)
#[diagnostic::on_unimplemented(
    message = "operation `operators.clear` (POST /admin/things/clear) has no handler on `{Self}`",
    label = "missing `impl ClearOperator for {Self}`",
    note = "declared at spec/mini.yaml: operators.clear",
    note = "add: impl ClearOperator for {Self} {{ async fn clear_operator(&self, cx: &Cx, input: ClearOperatorInput) -> Result<Operator, ClearOperatorError> {{ .. }} }}"
)]
pub trait ClearOperator: Send + Sync + 'static {
    /// Answers the operation.
    fn clear_operator(
        &self,
        cx: &api::Cx,
        input: ClearOperatorInput,
    ) -> impl Future<Output = Result<types::Operator, ClearOperatorError>> + Send;
}

/// The input of [`ClearOperator`].
#[derive(Debug)]
pub struct ClearOperatorInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl ClearOperatorInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["keeper", "owner"];
}

/// The errors of [`ClearOperator`].
#[derive(Debug, OpError)]
#[op(operation = "operators.clear", spec = "spec/mini.yaml: operators.clear")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ClearOperatorError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static CLEAR_OPERATOR: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/admin/things/clear"),
    ],
    roles: ClearOperatorInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("operators.clear", "spec/mini.yaml: operators.clear", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn clear_operator<S: ClearOperator + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ClearOperatorInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.clear_operator(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
