// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `billing`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
use crate::api;

/// GET /v1/dashboard/billing/subscription: The budget and the end of the key, in the shape that format O tools
/// read. (spec/operations/billing.yaml: billing.subscription)
#[diagnostic::on_unimplemented(
    message = "operation `billing.subscription` (GET /v1/dashboard/billing/subscription) has no handler on `{Self}`",
    label = "missing `impl GetSubscription for {Self}`",
    note = "declared at spec/operations/billing.yaml: billing.subscription",
    note = "add: impl GetSubscription for {Self} {{ async fn get_subscription(&self, cx: &Cx, input: GetSubscriptionInput) -> Result<Subscription, GetSubscriptionError> {{ .. }} }}"
)]
pub trait GetSubscription: Send + Sync + 'static {
    /// Answers the operation.
    fn get_subscription(
        &self,
        cx: &api::Cx,
        input: GetSubscriptionInput,
    ) -> impl Future<Output = Result<types::Subscription, GetSubscriptionError>> + Send;
}

/// The input of [`GetSubscription`].
#[derive(Debug)]
pub struct GetSubscriptionInput {
    /// The authenticated caller.
    pub caller: api::Principal,
}

/// The errors of [`GetSubscription`].
#[derive(Debug, OpError)]
#[op(operation = "billing.subscription", spec = "spec/operations/billing.yaml: billing.subscription")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetSubscriptionError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static GET_SUBSCRIPTION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/dashboard/billing/subscription"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY],
    ..api::Operation::new("billing.subscription", "spec/operations/billing.yaml: billing.subscription", &envelopes::O)
};

pub(in crate::generated) async fn get_subscription<S: GetSubscription + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetSubscriptionInput {
        caller: call.caller(&*service).await?,
    };
    let reply = service.get_subscription(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /v1/dashboard/billing/usage: Spending of the key, in the shape that format O tools read.
/// (spec/operations/billing.yaml: billing.usage)
#[diagnostic::on_unimplemented(
    message = "operation `billing.usage` (GET /v1/dashboard/billing/usage) has no handler on `{Self}`",
    label = "missing `impl GetUsage for {Self}`",
    note = "declared at spec/operations/billing.yaml: billing.usage",
    note = "add: impl GetUsage for {Self} {{ async fn get_usage(&self, cx: &Cx, input: GetUsageInput) -> Result<BillingUsage, GetUsageError> {{ .. }} }}"
)]
pub trait GetUsage: Send + Sync + 'static {
    /// Answers the operation.
    fn get_usage(
        &self,
        cx: &api::Cx,
        input: GetUsageInput,
    ) -> impl Future<Output = Result<types::BillingUsage, GetUsageError>> + Send;
}

/// The input of [`GetUsage`].
#[derive(Debug)]
pub struct GetUsageInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// First day. Absent means from the key's beginning.
    pub start_date: Option<api::Day>,
    /// The day after the last. Absent means to this day.
    pub end_date: Option<api::Day>,
}

/// The errors of [`GetUsage`].
#[derive(Debug, OpError)]
#[op(operation = "billing.usage", spec = "spec/operations/billing.yaml: billing.usage")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetUsageError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static GET_USAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/dashboard/billing/usage"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY],
    ..api::Operation::new("billing.usage", "spec/operations/billing.yaml: billing.usage", &envelopes::O)
};

pub(in crate::generated) async fn get_usage<S: GetUsage + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetUsageInput {
        caller: call.caller(&*service).await?,
        start_date: call.optional_query("start_date", "a day such as 2026-11-21")?,
        end_date: call.optional_query("end_date", "a day such as 2026-11-21")?,
    };
    let reply = service.get_usage(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
