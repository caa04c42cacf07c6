// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_payments`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/orders: The top-up orders of all accounts, the newest first.
/// (spec/operations/admin_payments.yaml: admin_payments.orders)
#[diagnostic::on_unimplemented(
    message = "operation `admin_payments.orders` (GET /api/admin/orders) has no handler on `{Self}`",
    label = "missing `impl ListOrders for {Self}`",
    note = "declared at spec/operations/admin_payments.yaml: admin_payments.orders",
    note = "add: impl ListOrders for {Self} {{ async fn list_orders(&self, cx: &Cx, input: ListOrdersInput) -> Result<OrderListReply, ListOrdersError> {{ .. }} }}"
)]
pub trait ListOrders: Send + Sync + 'static {
    /// Answers the operation.
    fn list_orders(
        &self,
        cx: &api::Cx,
        input: ListOrdersInput,
    ) -> impl Future<Output = Result<types::OrderListReply, ListOrdersError>> + Send;
}

/// The input of [`ListOrders`].
#[derive(Debug)]
pub struct ListOrdersInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// The most orders of one page. Absent means 50, or 1000 as CSV.
    pub limit: Option<i64>,
    /// The page after that: `next` of the page before.
    pub after: Option<String>,
    /// Only orders of this account.
    pub account_id: Option<i64>,
    /// Only orders on this rail.
    pub rail: Option<types::Rail>,
    /// Only orders that stand there.
    pub status: Option<types::TopupStatus>,
}

impl ListOrdersInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListOrders`].
#[derive(Debug, OpError)]
#[op(operation = "admin_payments.orders", spec = "spec/operations/admin_payments.yaml: admin_payments.orders")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListOrdersError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_ORDERS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/orders"),
    ],
    roles: ListOrdersInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_payments.orders", "spec/operations/admin_payments.yaml: admin_payments.orders", &envelopes::ACCOUNT)
};

static LIST_ORDERS_TABLE: api::Table = api::Table {
    file: "admin_payments",
    rows: &["data", "orders"],
    columns: &[
        "order_id",
        "trade_no",
        "account_id",
        "agent_id",
        "rail",
        "status",
        "amount_usd",
        "resolved_usd",
        "receipt",
        "failure",
        "created_at",
        "expires_at",
        "settled_at",
    ],
    next: Some((&auth::names::X_TOLLGATE_NEXT, &["data", "next"])),
};

pub(in crate::generated) async fn list_orders<S: ListOrders + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListOrdersInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?,
        after: call.optional_query("after", api::Text::of(1, 64))?,
        account_id: call.optional_query("account_id", api::Whole::least(1))?,
        rail: call.optional_query("rail", "one of `crypto`, `x402`, `ewallet`")?,
        status: call.optional_query("status", "one of `pending`, `settling`, `success`, `failed`, `expired`")?,
    };
    let csv = input.csv;
    let reply = service.list_orders(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &LIST_ORDERS_TABLE)
}

/// GET /api/admin/orders/{order_id}: One order with all payments for it, and what was decided on them and went
/// back. (spec/operations/admin_payments.yaml: admin_payments.order)
#[diagnostic::on_unimplemented(
    message = "operation `admin_payments.order` (GET /api/admin/orders/{{order_id}}) has no handler on `{Self}`",
    label = "missing `impl GetOrderHistory for {Self}`",
    note = "declared at spec/operations/admin_payments.yaml: admin_payments.order",
    note = "add: impl GetOrderHistory for {Self} {{ async fn get_order_history(&self, cx: &Cx, input: GetOrderHistoryInput) -> Result<OrderHistoryReply, GetOrderHistoryError> {{ .. }} }}"
)]
pub trait GetOrderHistory: Send + Sync + 'static {
    /// Answers the operation.
    fn get_order_history(
        &self,
        cx: &api::Cx,
        input: GetOrderHistoryInput,
    ) -> impl Future<Output = Result<types::OrderHistoryReply, GetOrderHistoryError>> + Send;
}

/// The input of [`GetOrderHistory`].
#[derive(Debug)]
pub struct GetOrderHistoryInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the order, from the list of orders.
    pub order_id: i64,
}

impl GetOrderHistoryInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`GetOrderHistory`].
#[derive(Debug, OpError)]
#[op(operation = "admin_payments.order", spec = "spec/operations/admin_payments.yaml: admin_payments.order")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetOrderHistoryError {
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

pub(in crate::generated) static GET_ORDER_HISTORY: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/orders/{order_id}"),
    ],
    roles: GetOrderHistoryInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_payments.order", "spec/operations/admin_payments.yaml: admin_payments.order", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_order_history<S: GetOrderHistory + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetOrderHistoryInput {
        caller: call.operator(&*service).await?,
        order_id: call.path("order_id", api::Whole::least(1))?,
    };
    let reply = service.get_order_history(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/admin/payments: The payments that were set aside and that nobody has decided on, the oldest first.
/// (spec/operations/admin_payments.yaml: admin_payments.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_payments.list` (GET /api/admin/payments) has no handler on `{Self}`",
    label = "missing `impl ListSetAsidePayments for {Self}`",
    note = "declared at spec/operations/admin_payments.yaml: admin_payments.list",
    note = "add: impl ListSetAsidePayments for {Self} {{ async fn list_set_aside_payments(&self, cx: &Cx, input: ListSetAsidePaymentsInput) -> Result<SetAsidePaymentListReply, ListSetAsidePaymentsError> {{ .. }} }}"
)]
pub trait ListSetAsidePayments: Send + Sync + 'static {
    /// Answers the operation.
    fn list_set_aside_payments(
        &self,
        cx: &api::Cx,
        input: ListSetAsidePaymentsInput,
    ) -> impl Future<Output = Result<types::SetAsidePaymentListReply, ListSetAsidePaymentsError>> + Send;
}

/// The input of [`ListSetAsidePayments`].
#[derive(Debug)]
pub struct ListSetAsidePaymentsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
}

impl ListSetAsidePaymentsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListSetAsidePayments`].
#[derive(Debug, OpError)]
#[op(operation = "admin_payments.list", spec = "spec/operations/admin_payments.yaml: admin_payments.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListSetAsidePaymentsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_SET_ASIDE_PAYMENTS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/payments"),
    ],
    roles: ListSetAsidePaymentsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_payments.list", "spec/operations/admin_payments.yaml: admin_payments.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_set_aside_payments<S: ListSetAsidePayments + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListSetAsidePaymentsInput {
        caller: call.operator(&*service).await?,
    };
    let reply = service.list_set_aside_payments(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/payments/{payment_id}/resolution: Decides on a payment that was set aside: it is credited to
/// the account of its order, or was given back to its payer outside of the service. Each is decided on once; the
/// same decision again is answered as it was. (spec/operations/admin_payments.yaml: admin_payments.resolve)
#[diagnostic::on_unimplemented(
    message = "operation `admin_payments.resolve` (POST /api/admin/payments/{{payment_id}}/resolution) has no handler on `{Self}`",
    label = "missing `impl ResolvePayment for {Self}`",
    note = "declared at spec/operations/admin_payments.yaml: admin_payments.resolve",
    note = "add: impl ResolvePayment for {Self} {{ async fn resolve_payment(&self, cx: &Cx, input: ResolvePaymentInput) -> Result<PaymentResolutionReply, ResolvePaymentError> {{ .. }} }}"
)]
pub trait ResolvePayment: Send + Sync + 'static {
    /// Answers the operation.
    fn resolve_payment(
        &self,
        cx: &api::Cx,
        input: ResolvePaymentInput,
    ) -> impl Future<Output = Result<types::PaymentResolutionReply, ResolvePaymentError>> + Send;
}

/// The input of [`ResolvePayment`].
#[derive(Debug)]
pub struct ResolvePaymentInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the payment, from the list of payments.
    pub payment_id: i64,
    /// The body.
    pub body: types::ResolutionRequest,
}

impl ResolvePaymentInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "finance"];
}

/// The errors of [`ResolvePayment`].
#[derive(Debug, OpError)]
#[op(operation = "admin_payments.resolve", spec = "spec/operations/admin_payments.yaml: admin_payments.resolve")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ResolvePaymentError {
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
    #[code(PAYMENT_NOT_FOUND)]
    PaymentNotFound { payment_id: i64 },
    #[code(PAYMENT_UNDER_WAY)]
    PaymentUnderWay { payment_id: i64 },
    #[code(PAYMENT_CREDITED)]
    PaymentCredited { payment_id: i64, order_id: i64 },
    #[code(PAYMENT_DECIDED)]
    PaymentDecided { payment_id: i64, decision: String },
}

pub(in crate::generated) static RESOLVE_PAYMENT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/payments/{payment_id}/resolution"),
    ],
    roles: ResolvePaymentInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_payments.resolve", "spec/operations/admin_payments.yaml: admin_payments.resolve", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn resolve_payment<S: ResolvePayment + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ResolvePaymentInput {
        caller: call.operator(&*service).await?,
        payment_id: call.path("payment_id", api::Whole::least(1))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.resolve_payment(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/payments/{payment}/reversals: Books money that went back to its payer, once per idempotency
/// key. It is taken out of what the account has available, never of what requests hold; the rest is owed.
/// (spec/operations/admin_payments.yaml: admin_payments.reverse)
#[diagnostic::on_unimplemented(
    message = "operation `admin_payments.reverse` (POST /api/admin/payments/{{payment}}/reversals) has no handler on `{Self}`",
    label = "missing `impl ReversePayment for {Self}`",
    note = "declared at spec/operations/admin_payments.yaml: admin_payments.reverse",
    note = "add: impl ReversePayment for {Self} {{ async fn reverse_payment(&self, cx: &Cx, input: ReversePaymentInput) -> Result<PaymentReversalReply, ReversePaymentError> {{ .. }} }}"
)]
pub trait ReversePayment: Send + Sync + 'static {
    /// Answers the operation.
    fn reverse_payment(
        &self,
        cx: &api::Cx,
        input: ReversePaymentInput,
    ) -> impl Future<Output = Result<types::PaymentReversalReply, ReversePaymentError>> + Send;
}

/// The input of [`ReversePayment`].
#[derive(Debug)]
pub struct ReversePaymentInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// A reversal with the same key is booked once, and answered as it was.
    pub idempotency_key: String,
    /// The payment by its number, or its order by number or name.
    pub payment: String,
    /// The body.
    pub body: types::ReversalRequest,
}

impl ReversePaymentInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "finance"];
}

/// The errors of [`ReversePayment`].
#[derive(Debug, OpError)]
#[op(operation = "admin_payments.reverse", spec = "spec/operations/admin_payments.yaml: admin_payments.reverse")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ReversePaymentError {
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
    #[code(CREDITED_PAYMENT_NOT_FOUND)]
    CreditedPaymentNotFound { payment: String },
    #[code(PAYMENT_AMBIGUOUS)]
    PaymentAmbiguous { payment: String, payments: String },
    #[code(BOOKING_KEY_USED)]
    BookingKeyUsed { amount_usd: api::Usd, account_id: i64 },
}

pub(in crate::generated) static REVERSE_PAYMENT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/payments/{payment}/reversals"),
    ],
    roles: ReversePaymentInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_payments.reverse", "spec/operations/admin_payments.yaml: admin_payments.reverse", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn reverse_payment<S: ReversePayment + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ReversePaymentInput {
        caller: call.operator(&*service).await?,
        idempotency_key: call.header(&auth::names::IDEMPOTENCY_KEY, api::Text::of(1, 128))?,
        payment: call.path("payment", api::Text::of(1, 64))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.reverse_payment(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
