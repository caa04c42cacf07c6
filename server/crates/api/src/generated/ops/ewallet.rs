// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `ewallet`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/user/topup/ewallet/orders: Opens a top-up order that is paid on the hosted checkout page of an
/// e-wallet. (spec/operations/ewallet.yaml: ewallet.create)
#[diagnostic::on_unimplemented(
    message = "operation `ewallet.create` (POST /api/user/topup/ewallet/orders) has no handler on `{Self}`",
    label = "missing `impl CreateEwalletOrder for {Self}`",
    note = "declared at spec/operations/ewallet.yaml: ewallet.create",
    note = "add: impl CreateEwalletOrder for {Self} {{ async fn create_ewallet_order(&self, cx: &Cx, input: CreateEwalletOrderInput) -> Result<EwalletOrderReply, CreateEwalletOrderError> {{ .. }} }}"
)]
pub trait CreateEwalletOrder: Send + Sync + 'static {
    /// Answers the operation.
    fn create_ewallet_order(
        &self,
        cx: &api::Cx,
        input: CreateEwalletOrderInput,
    ) -> impl Future<Output = Result<types::EwalletOrderReply, CreateEwalletOrderError>> + Send;
}

/// The input of [`CreateEwalletOrder`].
#[derive(Debug)]
pub struct CreateEwalletOrderInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::EwalletOrderRequest,
}

impl CreateEwalletOrderInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "billing"];
}

/// The errors of [`CreateEwalletOrder`].
#[derive(Debug, OpError)]
#[op(operation = "ewallet.create", spec = "spec/operations/ewallet.yaml: ewallet.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateEwalletOrderError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(INVALID_AMOUNT)]
    InvalidAmount { allowed: String, nearest_usd: api::Usd },
    #[code(RAIL_DISABLED)]
    RailDisabled { rail: String },
    #[code(UNSUPPORTED_WALLET)]
    UnsupportedWallet { wallet: String },
    #[code(CHECKOUT_UNAVAILABLE)]
    CheckoutUnavailable,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
}

pub(in crate::generated) static CREATE_EWALLET_ORDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/topup/ewallet/orders"),
    ],
    members: CreateEwalletOrderInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    once: true,
    ..api::Operation::new("ewallet.create", "spec/operations/ewallet.yaml: ewallet.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_ewallet_order<S: CreateEwalletOrder + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateEwalletOrderInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_ewallet_order(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
        call.answer(&reply)
    };
    call.once(service, asker, run).await
}

/// POST /api/topup/ewallet/notify/{provider}: Reports of payment providers. Clients do not call it. The answer
/// is the provider's own acknowledgement, signed. (spec/operations/ewallet.yaml: ewallet.notify)
#[diagnostic::on_unimplemented(
    message = "operation `ewallet.notify` (POST /api/topup/ewallet/notify/{{provider}}) has no handler on `{Self}`",
    label = "missing `impl ReceiveEwalletNotice for {Self}`",
    note = "declared at spec/operations/ewallet.yaml: ewallet.notify",
    note = "add: impl ReceiveEwalletNotice for {Self} {{ async fn receive_ewallet_notice(&self, cx: &Cx, input: ReceiveEwalletNoticeInput) -> Result<ProxyReply, ReceiveEwalletNoticeError> {{ .. }} }}"
)]
pub trait ReceiveEwalletNotice: Send + Sync + 'static {
    /// Answers the operation.
    fn receive_ewallet_notice(
        &self,
        cx: &api::Cx,
        input: ReceiveEwalletNoticeInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ReceiveEwalletNoticeError>> + Send;
}

/// The input of [`ReceiveEwalletNotice`].
#[derive(Debug)]
pub struct ReceiveEwalletNoticeInput {
    /// Name of the payment provider in the configuration.
    pub provider: String,
    /// The body as it came; it should be a `EwalletNotice`.
    pub body: bytes::Bytes,
}

/// The errors of [`ReceiveEwalletNotice`].
#[derive(Debug, OpError)]
#[op(operation = "ewallet.notify", spec = "spec/operations/ewallet.yaml: ewallet.notify")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ReceiveEwalletNoticeError {
    #[code(ROUTE_NOT_FOUND)]
    RouteNotFound { method: String, path: String },
    #[code(NOTICE_REFUSED)]
    NoticeRefused { reason: String },
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static RECEIVE_EWALLET_NOTICE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/topup/ewallet/notify/{provider}"),
    ],
    body: api::BodyLimit { bytes: limits::NOTICE_BODY, over: None },
    ..api::Operation::new("ewallet.notify", "spec/operations/ewallet.yaml: ewallet.notify", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn receive_ewallet_notice<S: ReceiveEwalletNotice>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ReceiveEwalletNoticeInput {
        provider: call.path("provider", api::Text::most(64))?,
        body: call.bytes().await?,
    };
    let reply = service.receive_ewallet_notice(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /api/topup/order/{trade_no}: State and amount of an order, for the page that its payer returns to. It
/// takes no key: the token in that page's address stands for the order. With another token, or none, there is no
/// such order. (spec/operations/ewallet.yaml: ewallet.state)
#[diagnostic::on_unimplemented(
    message = "operation `ewallet.state` (GET /api/topup/order/{{trade_no}}) has no handler on `{Self}`",
    label = "missing `impl GetEwalletOrderState for {Self}`",
    note = "declared at spec/operations/ewallet.yaml: ewallet.state",
    note = "add: impl GetEwalletOrderState for {Self} {{ async fn get_ewallet_order_state(&self, cx: &Cx, input: GetEwalletOrderStateInput) -> Result<Headed<EwalletOrderStateReply, GetEwalletOrderStateHeaders>, Headed<GetEwalletOrderStateError, GetEwalletOrderStateHeaders>> {{ .. }} }}"
)]
pub trait GetEwalletOrderState: Send + Sync + 'static {
    /// Answers the operation.
    fn get_ewallet_order_state(
        &self,
        cx: &api::Cx,
        input: GetEwalletOrderStateInput,
    ) -> impl Future<Output = Result<api::Headed<types::EwalletOrderStateReply, GetEwalletOrderStateHeaders>, api::Headed<GetEwalletOrderStateError, GetEwalletOrderStateHeaders>>> + Send;
}

/// The input of [`GetEwalletOrderState`].
#[derive(Debug)]
pub struct GetEwalletOrderStateInput {
    /// Name of the order, from its creation.
    pub trade_no: String,
    /// The order's token, from the address of its page.
    pub token: Option<String>,
}

/// Headers that the answers of [`GetEwalletOrderState`] may have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GetEwalletOrderStateHeaders {
    /// Caches that may keep the answer: `private` is for the client alone that paid, `no-store` for nobody.
    pub cache_control: Option<String>,
}

impl api::ReplyHeaders for GetEwalletOrderStateHeaders {
    fn told(self) -> impl Iterator<Item = (&'static api::WireName, String)> {
        let told = [
            (&auth::names::CACHE_CONTROL, self.cache_control),
        ];
        told.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

/// The errors of [`GetEwalletOrderState`].
#[derive(Debug, OpError)]
#[op(operation = "ewallet.state", spec = "spec/operations/ewallet.yaml: ewallet.state")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetEwalletOrderStateError {
    #[code(ORDER_NOT_FOUND)]
    OrderNotFound { order: String },
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static GET_EWALLET_ORDER_STATE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/topup/order/{trade_no}"),
    ],
    ..api::Operation::new("ewallet.state", "spec/operations/ewallet.yaml: ewallet.state", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_ewallet_order_state<S: GetEwalletOrderState>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetEwalletOrderStateInput {
        trade_no: call.path("trade_no", api::Text::of(1, 64))?,
        token: call.optional_query("token", "a text")?,
    };
    let reply = service.get_ewallet_order_state(&call.cx, input).await.map_err(|error| call.cx.failed_headed(error))?;
    call.answer_headed(reply)
}

/// GET /topup/order/{trade_no}: The page to which the checkout sends the payer back. The same for everybody: it
/// asks for the order's state with the token in its own address, until the order has ended.
/// (spec/operations/ewallet.yaml: ewallet.page)
#[diagnostic::on_unimplemented(
    message = "operation `ewallet.page` (GET /topup/order/{{trade_no}}) has no handler on `{Self}`",
    label = "missing `impl ShowEwalletPage for {Self}`",
    note = "declared at spec/operations/ewallet.yaml: ewallet.page",
    note = "add: impl ShowEwalletPage for {Self} {{ async fn show_ewallet_page(&self, cx: &Cx, input: ShowEwalletPageInput) -> Result<ProxyReply, ShowEwalletPageError> {{ .. }} }}"
)]
pub trait ShowEwalletPage: Send + Sync + 'static {
    /// Answers the operation.
    fn show_ewallet_page(
        &self,
        cx: &api::Cx,
        input: ShowEwalletPageInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowEwalletPageError>> + Send;
}

/// The input of [`ShowEwalletPage`].
#[derive(Debug)]
pub struct ShowEwalletPageInput {
    /// Name of the order, from its creation.
    pub trade_no: String,
    /// The order's token. The page's script reads it.
    pub token: Option<String>,
}

/// The errors of [`ShowEwalletPage`].
#[derive(Debug, OpError)]
#[op(operation = "ewallet.page", spec = "spec/operations/ewallet.yaml: ewallet.page")]
pub enum ShowEwalletPageError {}

pub(in crate::generated) static SHOW_EWALLET_PAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/topup/order/{trade_no}"),
    ],
    ..api::Operation::new("ewallet.page", "spec/operations/ewallet.yaml: ewallet.page", &envelopes::O)
};

pub(in crate::generated) async fn show_ewallet_page<S: ShowEwalletPage>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowEwalletPageInput {
        trade_no: call.path("trade_no", api::Text::of(1, 64))?,
        token: call.optional_query("token", "a text")?,
    };
    let reply = service.show_ewallet_page(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}
