// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `balance`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
use crate::api;

/// GET /api/user/self/balance: The credit of the account, to the last commit. (spec/operations/balance.yaml:
/// balance.get, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `balance.get` (GET /api/user/self/balance) has no handler on `{Self}`",
    label = "missing `impl GetBalance for {Self}`",
    note = "declared at spec/operations/balance.yaml: balance.get",
    note = "add: impl GetBalance for {Self} {{ async fn get_balance(&self, cx: &Cx, input: GetBalanceInput) -> Result<BalanceReply, GetBalanceError> {{ .. }} }}"
)]
pub trait GetBalance: Send + Sync + 'static {
    /// Answers the operation.
    fn get_balance(
        &self,
        cx: &api::Cx,
        input: GetBalanceInput,
    ) -> impl Future<Output = Result<types::BalanceReply, GetBalanceError>> + Send;
}

/// The input of [`GetBalance`].
#[derive(Debug)]
pub struct GetBalanceInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl GetBalanceInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`GetBalance`].
#[derive(Debug, OpError)]
#[op(operation = "balance.get", spec = "spec/operations/balance.yaml: balance.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetBalanceError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static GET_BALANCE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/balance"),
    ],
    members: GetBalanceInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("balance.get", "spec/operations/balance.yaml: balance.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_balance<S: GetBalance + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetBalanceInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.get_balance(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
