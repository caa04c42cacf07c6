// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `receipts`.
use crate::api::{
    Answer, Authenticate, Call, Cx, Operation, OperationError, Principal, Route, Text,
};

use http::Method;
use std::sync::Arc;
use tollgate_macros::OpError;
use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
/// GET /api/user/self/receipts/{request_id}: What one model request cost and why. There is a receipt as soon as
/// credit is held for a request; it is final when its status is no longer `held`.
/// (spec/operations/receipts.yaml:5)
#[diagnostic::on_unimplemented(
    message = "operation `receipts.get` (GET /api/user/self/receipts/{{request_id}}) has no handler on `{Self}`",
    label = "missing `impl GetReceipt for {Self}`",
    note = "declared at spec/operations/receipts.yaml:5",
    note = "add: impl GetReceipt for {Self} {{ async fn get_receipt(&self, cx: &Cx, input: GetReceiptInput) -> Result<ReceiptReply, GetReceiptError> {{ .. }} }}"
)]
pub trait GetReceipt: Send + Sync + 'static {
    /// Answers the operation.
    fn get_receipt(
        &self,
        cx: &Cx,
        input: GetReceiptInput,
    ) -> impl Future<Output = Result<types::ReceiptReply, GetReceiptError>> + Send;
}

/// What [`GetReceipt`] takes.
#[derive(Debug)]
pub struct GetReceiptInput {
    /// Who is calling.
    pub caller: Principal,
    /// The value of the header `x-request-id` of the answer.
    pub request_id: String,
}

/// What [`GetReceipt`] may fail with.
#[derive(Debug, OpError)]
#[op(operation = "receipts.get", spec = "spec/operations/receipts.yaml:5")]
#[expect(
    missing_docs,
    reason = "each is a code of `errors::code`, which says what it means"
)]
pub enum GetReceiptError {
    #[code(KEY_MISSING)]
    KeyMissing,
    #[code(KEY_INVALID)]
    KeyInvalid,
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(RECEIPT_NOT_FOUND)]
    ReceiptNotFound { request_id: String },
}

pub(crate) static GET_RECEIPT: Operation = Operation {
    routes: &[Route::new(Method::GET, "/api/user/self/receipts/{request_id}")],
    schemes: &[&auth::BEARER, &auth::SESSION],
    ..Operation::new(
        "receipts.get",
        "spec/operations/receipts.yaml:5",
        &envelopes::ACCOUNT,
    )
};

pub(crate) async fn get_receipt<S: GetReceipt + Authenticate>(
    service: Arc<S>,
    call: Call,
) -> Answer {
    let input = GetReceiptInput {
        caller: call.caller(&*service).await?,
        request_id: call.path("request_id", Text::of(1, 128))?,
    };
    let reply = service
        .get_receipt(&call.cx, input)
        .await
        .map_err(OperationError::failure)?;
    call.answer(&reply)
}
