// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `topup`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
use crate::api;

/// GET /api/user/topup/info: Every rail with its bounds, as enforced now. (spec/operations/topup.yaml:
/// topup.info, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `topup.info` (GET /api/user/topup/info) has no handler on `{Self}`",
    label = "missing `impl GetTopupInfo for {Self}`",
    note = "declared at spec/operations/topup.yaml: topup.info",
    note = "add: impl GetTopupInfo for {Self} {{ async fn get_topup_info(&self, cx: &Cx, input: GetTopupInfoInput) -> Result<TopupInfoReply, GetTopupInfoError> {{ .. }} }}"
)]
pub trait GetTopupInfo: Send + Sync + 'static {
    /// Answers the operation.
    fn get_topup_info(
        &self,
        cx: &api::Cx,
        input: GetTopupInfoInput,
    ) -> impl Future<Output = Result<types::TopupInfoReply, GetTopupInfoError>> + Send;
}

/// The input of [`GetTopupInfo`].
#[derive(Debug)]
pub struct GetTopupInfoInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl GetTopupInfoInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "viewer"];
}

/// The errors of [`GetTopupInfo`].
#[derive(Debug, OpError)]
#[op(operation = "topup.info", spec = "spec/operations/topup.yaml: topup.info")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetTopupInfoError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static GET_TOPUP_INFO: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/topup/info"),
    ],
    members: GetTopupInfoInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("topup.info", "spec/operations/topup.yaml: topup.info", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_topup_info<S: GetTopupInfo + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetTopupInfoInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.get_topup_info(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/user/topup/order/{trade_no}: State of an order, on any rail. (spec/operations/topup.yaml: topup.get,
/// source §4)
#[diagnostic::on_unimplemented(
    message = "operation `topup.get` (GET /api/user/topup/order/{{trade_no}}) has no handler on `{Self}`",
    label = "missing `impl GetTopupOrder for {Self}`",
    note = "declared at spec/operations/topup.yaml: topup.get",
    note = "add: impl GetTopupOrder for {Self} {{ async fn get_topup_order(&self, cx: &Cx, input: GetTopupOrderInput) -> Result<TopupOrderReply, GetTopupOrderError> {{ .. }} }}"
)]
pub trait GetTopupOrder: Send + Sync + 'static {
    /// Answers the operation.
    fn get_topup_order(
        &self,
        cx: &api::Cx,
        input: GetTopupOrderInput,
    ) -> impl Future<Output = Result<types::TopupOrderReply, GetTopupOrderError>> + Send;
}

/// The input of [`GetTopupOrder`].
#[derive(Debug)]
pub struct GetTopupOrderInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Name or number of the order, from its creation.
    pub trade_no: String,
}

impl GetTopupOrderInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "viewer"];
}

/// The errors of [`GetTopupOrder`].
#[derive(Debug, OpError)]
#[op(operation = "topup.get", spec = "spec/operations/topup.yaml: topup.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetTopupOrderError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(ORDER_NOT_FOUND)]
    OrderNotFound { order: String },
}

pub(in crate::generated) static GET_TOPUP_ORDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/topup/order/{trade_no}"),
    ],
    members: GetTopupOrderInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("topup.get", "spec/operations/topup.yaml: topup.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_topup_order<S: GetTopupOrder + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetTopupOrderInput {
        caller: call.caller_or_session(&*service).await?,
        trade_no: call.path("trade_no", api::Text::of(1, 64))?,
    };
    let reply = service.get_topup_order(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
