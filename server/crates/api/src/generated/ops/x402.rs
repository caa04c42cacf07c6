// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `x402`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/user/topup/x402/orders: Opens a top-up order that an agent pays by signature. With an agent's key
/// the order is bound to that agent's wallet and its caps apply. Refusals of the order itself are HTTP 200 with
/// `success` false. (spec/operations/x402.yaml: x402.create, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `x402.create` (POST /api/user/topup/x402/orders) has no handler on `{Self}`",
    label = "missing `impl CreateX402Order for {Self}`",
    note = "declared at spec/operations/x402.yaml: x402.create",
    note = "add: impl CreateX402Order for {Self} {{ async fn create_x402_order(&self, cx: &Cx, input: CreateX402OrderInput) -> Result<X402OrderReply, CreateX402OrderError> {{ .. }} }}"
)]
pub trait CreateX402Order: Send + Sync + 'static {
    /// Answers the operation.
    fn create_x402_order(
        &self,
        cx: &api::Cx,
        input: CreateX402OrderInput,
    ) -> impl Future<Output = Result<types::X402OrderReply, CreateX402OrderError>> + Send;
}

/// The input of [`CreateX402Order`].
#[derive(Debug)]
pub struct CreateX402OrderInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::X402OrderRequest,
}

impl CreateX402OrderInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "billing"];
}

/// The errors of [`CreateX402Order`].
#[derive(Debug, OpError)]
#[op(operation = "x402.create", spec = "spec/operations/x402.yaml: x402.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateX402OrderError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(X402_INVALID_AMOUNT)]
    X402InvalidAmount { networks: String, min_usd: api::Usd, max_usd: api::Usd, decimal_places: i64, nearest_usd: api::Usd },
    #[code(X402_DISABLED)]
    X402Disabled,
    #[code(X402_CHAIN_UNAVAILABLE)]
    X402ChainUnavailable { networks: String },
    #[code(X402_UNSUPPORTED_ASSET)]
    X402UnsupportedAsset { network: String, symbol: String },
    #[code(X402_PENDING_CAP)]
    X402PendingCap { count: i64 },
    #[code(X402_SPEND_CAP_EXCEEDED)]
    X402SpendCapExceeded { amount_usd: api::Usd, cap_usd: api::Usd, window: String },
    #[code(AGENT_NOT_FOUND)]
    AgentNotFound { agent_id: i64 },
}

pub(in crate::generated) static CREATE_X402_ORDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/topup/x402/orders"),
    ],
    members: CreateX402OrderInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    once: true,
    ..api::Operation::new("x402.create", "spec/operations/x402.yaml: x402.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_x402_order<S: CreateX402Order + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateX402OrderInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_x402_order(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
        call.answer(&reply)
    };
    call.once(service, asker, run).await
}

/// GET /api/user/topup/x402/orders: Orders that wait for payment, each with a fresh challenge. Orders with
/// little time left are not listed. (spec/operations/x402.yaml: x402.list, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `x402.list` (GET /api/user/topup/x402/orders) has no handler on `{Self}`",
    label = "missing `impl ListX402Orders for {Self}`",
    note = "declared at spec/operations/x402.yaml: x402.list",
    note = "add: impl ListX402Orders for {Self} {{ async fn list_x402_orders(&self, cx: &Cx, input: ListX402OrdersInput) -> Result<X402OrderListReply, ListX402OrdersError> {{ .. }} }}"
)]
pub trait ListX402Orders: Send + Sync + 'static {
    /// Answers the operation.
    fn list_x402_orders(
        &self,
        cx: &api::Cx,
        input: ListX402OrdersInput,
    ) -> impl Future<Output = Result<types::X402OrderListReply, ListX402OrdersError>> + Send;
}

/// The input of [`ListX402Orders`].
#[derive(Debug)]
pub struct ListX402OrdersInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ListX402OrdersInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "viewer"];
}

/// The errors of [`ListX402Orders`].
#[derive(Debug, OpError)]
#[op(operation = "x402.list", spec = "spec/operations/x402.yaml: x402.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListX402OrdersError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(X402_DISABLED)]
    X402Disabled,
}

pub(in crate::generated) static LIST_X402_ORDERS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/topup/x402/orders"),
    ],
    members: ListX402OrdersInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("x402.list", "spec/operations/x402.yaml: x402.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_x402_orders<S: ListX402Orders + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListX402OrdersInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.list_x402_orders(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/topup/x402/orders/{orderId}/resume: A fresh order with the amount and options of one that has
/// expired unpaid. (spec/operations/x402.yaml: x402.resume)
#[diagnostic::on_unimplemented(
    message = "operation `x402.resume` (POST /api/user/topup/x402/orders/{{orderId}}/resume) has no handler on `{Self}`",
    label = "missing `impl ResumeX402Order for {Self}`",
    note = "declared at spec/operations/x402.yaml: x402.resume",
    note = "add: impl ResumeX402Order for {Self} {{ async fn resume_x402_order(&self, cx: &Cx, input: ResumeX402OrderInput) -> Result<X402OrderReply, ResumeX402OrderError> {{ .. }} }}"
)]
pub trait ResumeX402Order: Send + Sync + 'static {
    /// Answers the operation.
    fn resume_x402_order(
        &self,
        cx: &api::Cx,
        input: ResumeX402OrderInput,
    ) -> impl Future<Output = Result<types::X402OrderReply, ResumeX402OrderError>> + Send;
}

/// The input of [`ResumeX402Order`].
#[derive(Debug)]
pub struct ResumeX402OrderInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the order that has expired.
    pub order_id: i64,
}

impl ResumeX402OrderInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "billing"];
}

/// The errors of [`ResumeX402Order`].
#[derive(Debug, OpError)]
#[op(operation = "x402.resume", spec = "spec/operations/x402.yaml: x402.resume")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ResumeX402OrderError {
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
    #[code(ORDER_NOT_PENDING)]
    OrderNotPending { order_id: i64, status: String },
    #[code(X402_DISABLED)]
    X402Disabled,
    #[code(X402_CHAIN_UNAVAILABLE)]
    X402ChainUnavailable { networks: String },
    #[code(X402_UNSUPPORTED_ASSET)]
    X402UnsupportedAsset { network: String, symbol: String },
    #[code(X402_INVALID_AMOUNT)]
    X402InvalidAmount { networks: String, min_usd: api::Usd, max_usd: api::Usd, decimal_places: i64, nearest_usd: api::Usd },
    #[code(X402_PENDING_CAP)]
    X402PendingCap { count: i64 },
    #[code(X402_SPEND_CAP_EXCEEDED)]
    X402SpendCapExceeded { amount_usd: api::Usd, cap_usd: api::Usd, window: String },
    #[code(AGENT_NOT_FOUND)]
    AgentNotFound { agent_id: i64 },
}

pub(in crate::generated) static RESUME_X402_ORDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/topup/x402/orders/{orderId}/resume"),
    ],
    members: ResumeX402OrderInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    once: true,
    ..api::Operation::new("x402.resume", "spec/operations/x402.yaml: x402.resume", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn resume_x402_order<S: ResumeX402Order + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ResumeX402OrderInput {
        caller: call.caller_or_session(&*service).await?,
        order_id: call.path("orderId", api::Whole::least(1))?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.resume_x402_order(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
        call.answer(&reply)
    };
    call.once(service, asker, run).await
}

/// GET /api/user/topup/x402/config: Networks and bounds of payments by x402, as enforced now.
/// (spec/operations/x402.yaml: x402.config, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `x402.config` (GET /api/user/topup/x402/config) has no handler on `{Self}`",
    label = "missing `impl GetX402Config for {Self}`",
    note = "declared at spec/operations/x402.yaml: x402.config",
    note = "add: impl GetX402Config for {Self} {{ async fn get_x402_config(&self, cx: &Cx, input: GetX402ConfigInput) -> Result<X402ConfigReply, GetX402ConfigError> {{ .. }} }}"
)]
pub trait GetX402Config: Send + Sync + 'static {
    /// Answers the operation.
    fn get_x402_config(
        &self,
        cx: &api::Cx,
        input: GetX402ConfigInput,
    ) -> impl Future<Output = Result<types::X402ConfigReply, GetX402ConfigError>> + Send;
}

/// The input of [`GetX402Config`].
#[derive(Debug)]
pub struct GetX402ConfigInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl GetX402ConfigInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "viewer"];
}

/// The errors of [`GetX402Config`].
#[derive(Debug, OpError)]
#[op(operation = "x402.config", spec = "spec/operations/x402.yaml: x402.config")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetX402ConfigError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static GET_X402_CONFIG: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/topup/x402/config"),
    ],
    members: GetX402ConfigInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("x402.config", "spec/operations/x402.yaml: x402.config", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_x402_config<S: GetX402Config + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetX402ConfigInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.get_x402_config(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/x402/pay/{orderId}: Submits a signed payment for an order. Needs no key: the signature is the
/// authorization. The answer is always HTTP 200; `success` tells the outcome. Where an order was paid by other
/// money meanwhile, ORDER_ALREADY_SETTLED is told, and what comes by this payment is set aside for the operator
/// to give back. (spec/operations/x402.yaml: x402.pay, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `x402.pay` (POST /api/x402/pay/{{orderId}}) has no handler on `{Self}`",
    label = "missing `impl PayX402Order for {Self}`",
    note = "declared at spec/operations/x402.yaml: x402.pay",
    note = "add: impl PayX402Order for {Self} {{ async fn pay_x402_order(&self, cx: &Cx, input: PayX402OrderInput) -> Result<Headed<X402SettlementReply, PayX402OrderHeaders>, Headed<PayX402OrderError, PayX402OrderHeaders>> {{ .. }} }}"
)]
pub trait PayX402Order: Send + Sync + 'static {
    /// Answers the operation.
    fn pay_x402_order(
        &self,
        cx: &api::Cx,
        input: PayX402OrderInput,
    ) -> impl Future<Output = Result<api::Headed<types::X402SettlementReply, PayX402OrderHeaders>, api::Headed<PayX402OrderError, PayX402OrderHeaders>>> + Send;
}

/// The input of [`PayX402Order`].
#[derive(Debug)]
pub struct PayX402OrderInput {
    /// Number of the order, from its creation.
    pub order_id: i64,
    /// The body as it came; it should be a `X402Payment`.
    pub body: bytes::Bytes,
}

/// Headers that the answers of [`PayX402Order`] may have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PayX402OrderHeaders {
    /// Result of the payment, base64 of the protocol's JSON: `success`, `transaction`, `network`, `payer` and
    /// `amount`. Only where a payment was taken.
    pub payment_response: Option<String>,
    /// Caches that may keep the answer: `private` is for the client alone that paid, `no-store` for nobody.
    pub cache_control: Option<String>,
}

impl api::ReplyHeaders for PayX402OrderHeaders {
    fn told(self) -> impl Iterator<Item = (&'static api::WireName, String)> {
        let told = [
            (&auth::names::PAYMENT_RESPONSE, self.payment_response),
            (&auth::names::CACHE_CONTROL, self.cache_control),
        ];
        told.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

/// The errors of [`PayX402Order`].
#[derive(Debug, OpError)]
#[op(operation = "x402.pay", spec = "spec/operations/x402.yaml: x402.pay")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum PayX402OrderError {
    #[code(ORDER_NOT_FOUND)]
    OrderNotFound { order: String },
    #[code(ORDER_EXPIRED)]
    OrderExpired { order_id: i64, trade_no: String, status: String },
    #[code(PAYLOAD_MISMATCH)]
    PayloadMismatch { order_id: i64, trade_no: String, status: String, field: String, expected: String, found: String },
    #[code(SETTLING_IN_PROGRESS)]
    SettlingInProgress { order_id: i64, trade_no: String, status: String },
    #[code(ORDER_ALREADY_SETTLED)]
    OrderAlreadySettled { order_id: i64, trade_no: String, status: String },
    #[code(SPEND_CAP_EXCEEDED)]
    SpendCapExceeded { order_id: i64, trade_no: String, status: String, amount_usd: api::Usd, cap_usd: api::Usd, window: String },
    #[code(X402_SETTLE_PENDING)]
    X402SettlePending { order_id: i64, trade_no: String, status: String },
    #[code(X402_PAYMENT_REJECTED)]
    X402PaymentRejected { order_id: i64, trade_no: String, status: String, reason: String },
    #[code(X402_PAYMENT_SET_ASIDE)]
    X402PaymentSetAside { order_id: i64, trade_no: String, status: String, reason: String },
    #[code(CHAIN_UNAVAILABLE)]
    ChainUnavailable { order_id: i64, trade_no: String, status: String, network: String },
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static PAY_X402_ORDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/x402/pay/{orderId}"),
    ],
    always_http: Some(200),
    body: api::BodyLimit { bytes: limits::PAYMENT_PAYLOAD, over: None },
    ..api::Operation::new("x402.pay", "spec/operations/x402.yaml: x402.pay", &envelopes::X402_PAY)
};

pub(in crate::generated) async fn pay_x402_order<S: PayX402Order>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = PayX402OrderInput {
        order_id: call.path("orderId", api::Whole::least(1))?,
        body: call.bytes().await?,
    };
    let reply = service.pay_x402_order(&call.cx, input).await.map_err(|error| call.cx.failed_headed(error))?;
    call.answer_headed(reply)
}

/// GET /api/x402/pay/{orderId}: The payment protocol's own exchange. Without a payment: HTTP 402, and the
/// challenge in the header PAYMENT-REQUIRED. With one: it is settled as by a POST, and the outcome is in the
/// header PAYMENT-RESPONSE too. Where a payment is refused and the order still waits, the challenge comes again.
/// Failures have their own HTTP status here. (spec/operations/x402.yaml: x402.handshake)
#[diagnostic::on_unimplemented(
    message = "operation `x402.handshake` (GET /api/x402/pay/{{orderId}}) has no handler on `{Self}`",
    label = "missing `impl PayX402OrderByHeader for {Self}`",
    note = "declared at spec/operations/x402.yaml: x402.handshake",
    note = "add: impl PayX402OrderByHeader for {Self} {{ async fn pay_x402_order_by_header(&self, cx: &Cx, input: PayX402OrderByHeaderInput) -> Result<Headed<X402SettlementReply, PayX402OrderByHeaderHeaders>, Headed<PayX402OrderByHeaderError, PayX402OrderByHeaderHeaders>> {{ .. }} }}"
)]
pub trait PayX402OrderByHeader: Send + Sync + 'static {
    /// Answers the operation.
    fn pay_x402_order_by_header(
        &self,
        cx: &api::Cx,
        input: PayX402OrderByHeaderInput,
    ) -> impl Future<Output = Result<api::Headed<types::X402SettlementReply, PayX402OrderByHeaderHeaders>, api::Headed<PayX402OrderByHeaderError, PayX402OrderByHeaderHeaders>>> + Send;
}

/// The input of [`PayX402OrderByHeader`].
#[derive(Debug)]
pub struct PayX402OrderByHeaderInput {
    /// The payment, base64 of the JSON of an `X402Payment`.
    pub payment_signature: Option<String>,
    /// Number of the order, from its creation.
    pub order_id: i64,
}

/// Headers that the answers of [`PayX402OrderByHeader`] may have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PayX402OrderByHeaderHeaders {
    /// Challenge to pay, base64 of the JSON of an `X402Challenge`, with a member `error` where a payment was
    /// refused. Only where the order still waits.
    pub payment_required: Option<String>,
    /// Result of the payment, base64 of the protocol's JSON: `success`, `transaction`, `network`, `payer` and
    /// `amount`. Only where a payment was taken.
    pub payment_response: Option<String>,
    /// Caches that may keep the answer: `private` is for the client alone that paid, `no-store` for nobody.
    pub cache_control: Option<String>,
}

impl api::ReplyHeaders for PayX402OrderByHeaderHeaders {
    fn told(self) -> impl Iterator<Item = (&'static api::WireName, String)> {
        let told = [
            (&auth::names::PAYMENT_REQUIRED, self.payment_required),
            (&auth::names::PAYMENT_RESPONSE, self.payment_response),
            (&auth::names::CACHE_CONTROL, self.cache_control),
        ];
        told.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

/// The errors of [`PayX402OrderByHeader`].
#[derive(Debug, OpError)]
#[op(operation = "x402.handshake", spec = "spec/operations/x402.yaml: x402.handshake")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum PayX402OrderByHeaderError {
    #[code(ORDER_NOT_FOUND)]
    OrderNotFound { order: String },
    #[code(ORDER_EXPIRED)]
    OrderExpired { order_id: i64, trade_no: String, status: String },
    #[code(PAYLOAD_MISMATCH)]
    PayloadMismatch { order_id: i64, trade_no: String, status: String, field: String, expected: String, found: String },
    #[code(SETTLING_IN_PROGRESS)]
    SettlingInProgress { order_id: i64, trade_no: String, status: String },
    #[code(ORDER_ALREADY_SETTLED)]
    OrderAlreadySettled { order_id: i64, trade_no: String, status: String },
    #[code(SPEND_CAP_EXCEEDED)]
    SpendCapExceeded { order_id: i64, trade_no: String, status: String, amount_usd: api::Usd, cap_usd: api::Usd, window: String },
    #[code(X402_SETTLE_PENDING)]
    X402SettlePending { order_id: i64, trade_no: String, status: String },
    #[code(X402_PAYMENT_REJECTED)]
    X402PaymentRejected { order_id: i64, trade_no: String, status: String, reason: String },
    #[code(X402_PAYMENT_SET_ASIDE)]
    X402PaymentSetAside { order_id: i64, trade_no: String, status: String, reason: String },
    #[code(CHAIN_UNAVAILABLE)]
    ChainUnavailable { order_id: i64, trade_no: String, status: String, network: String },
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(PAYMENT_REQUIRED)]
    PaymentRequired { order_id: i64, trade_no: String, status: String },
}

pub(in crate::generated) static PAY_X402_ORDER_BY_HEADER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/x402/pay/{orderId}"),
    ],
    ..api::Operation::new("x402.handshake", "spec/operations/x402.yaml: x402.handshake", &envelopes::X402_PAY)
};

pub(in crate::generated) async fn pay_x402_order_by_header<S: PayX402OrderByHeader>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = PayX402OrderByHeaderInput {
        payment_signature: call.optional_header(&auth::names::PAYMENT_SIGNATURE, "a text")?,
        order_id: call.path("orderId", api::Whole::least(1))?,
    };
    let reply = service.pay_x402_order_by_header(&call.cx, input).await.map_err(|error| call.cx.failed_headed(error))?;
    call.answer_headed(reply)
}
