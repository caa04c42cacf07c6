// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `standing`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
use crate::api;

/// GET /api/user/self/status: Status of the caller, in one call: the balance, the rest of caps and budgets, the
/// orders that are open, and the prices of models. With the key of an agent, of its own caps; with a key of the
/// account that is limited in no way, of those of all its agents. (spec/operations/standing.yaml: standing.get)
#[diagnostic::on_unimplemented(
    message = "operation `standing.get` (GET /api/user/self/status) has no handler on `{Self}`",
    label = "missing `impl GetSelfStatus for {Self}`",
    note = "declared at spec/operations/standing.yaml: standing.get",
    note = "add: impl GetSelfStatus for {Self} {{ async fn get_self_status(&self, cx: &Cx, input: GetSelfStatusInput) -> Result<SelfStatusReply, GetSelfStatusError> {{ .. }} }}"
)]
pub trait GetSelfStatus: Send + Sync + 'static {
    /// Answers the operation.
    fn get_self_status(
        &self,
        cx: &api::Cx,
        input: GetSelfStatusInput,
    ) -> impl Future<Output = Result<types::SelfStatusReply, GetSelfStatusError>> + Send;
}

/// The input of [`GetSelfStatus`].
#[derive(Debug)]
pub struct GetSelfStatusInput {
    /// The authenticated caller.
    pub caller: api::Principal,
}

/// The errors of [`GetSelfStatus`].
#[derive(Debug, OpError)]
#[op(operation = "standing.get", spec = "spec/operations/standing.yaml: standing.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetSelfStatusError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static GET_SELF_STATUS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/status"),
    ],
    schemes: &[&auth::BEARER],
    ..api::Operation::new("standing.get", "spec/operations/standing.yaml: standing.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_self_status<S: GetSelfStatus + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetSelfStatusInput {
        caller: call.caller(&*service).await?,
    };
    let reply = service.get_self_status(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
