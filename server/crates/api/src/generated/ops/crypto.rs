// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `crypto`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/user/topup/crypto/orders: Opens a top-up order that a person pays from a wallet. It is paid by the
/// same operation as an x402 order. With an agent's key the order is bound to that agent's wallet and its caps
/// apply. (spec/operations/crypto.yaml: crypto.create)
#[diagnostic::on_unimplemented(
    message = "operation `crypto.create` (POST /api/user/topup/crypto/orders) has no handler on `{Self}`",
    label = "missing `impl CreateCryptoOrder for {Self}`",
    note = "declared at spec/operations/crypto.yaml: crypto.create",
    note = "add: impl CreateCryptoOrder for {Self} {{ async fn create_crypto_order(&self, cx: &Cx, input: CreateCryptoOrderInput) -> Result<CryptoOrderReply, CreateCryptoOrderError> {{ .. }} }}"
)]
pub trait CreateCryptoOrder: Send + Sync + 'static {
    /// Answers the operation.
    fn create_crypto_order(
        &self,
        cx: &api::Cx,
        input: CreateCryptoOrderInput,
    ) -> impl Future<Output = Result<types::CryptoOrderReply, CreateCryptoOrderError>> + Send;
}

/// The input of [`CreateCryptoOrder`].
#[derive(Debug)]
pub struct CreateCryptoOrderInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::CryptoOrderRequest,
}

impl CreateCryptoOrderInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "billing"];
}

/// The errors of [`CreateCryptoOrder`].
#[derive(Debug, OpError)]
#[op(operation = "crypto.create", spec = "spec/operations/crypto.yaml: crypto.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateCryptoOrderError {
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
    #[code(INVALID_AMOUNT)]
    InvalidAmount { allowed: String, nearest_usd: api::Usd },
    #[code(RAIL_DISABLED)]
    RailDisabled { rail: String },
    #[code(X402_CHAIN_UNAVAILABLE)]
    X402ChainUnavailable { networks: String },
    #[code(X402_UNSUPPORTED_ASSET)]
    X402UnsupportedAsset { network: String, symbol: String },
    #[code(X402_SPEND_CAP_EXCEEDED)]
    X402SpendCapExceeded { amount_usd: api::Usd, cap_usd: api::Usd, window: String },
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
}

pub(in crate::generated) static CREATE_CRYPTO_ORDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/topup/crypto/orders"),
    ],
    members: CreateCryptoOrderInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    once: true,
    ..api::Operation::new("crypto.create", "spec/operations/crypto.yaml: crypto.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_crypto_order<S: CreateCryptoOrder + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateCryptoOrderInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_crypto_order(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
        call.answer(&reply)
    };
    call.once(service, asker, run).await
}

/// GET /api/user/topup/crypto/orders/{trade_no}: An order of this rail with what is to be signed for it, made
/// anew for each answer, so that a page that was closed can go on. Without the challenge once it can no longer
/// be paid. (spec/operations/crypto.yaml: crypto.get)
#[diagnostic::on_unimplemented(
    message = "operation `crypto.get` (GET /api/user/topup/crypto/orders/{{trade_no}}) has no handler on `{Self}`",
    label = "missing `impl GetCryptoOrder for {Self}`",
    note = "declared at spec/operations/crypto.yaml: crypto.get",
    note = "add: impl GetCryptoOrder for {Self} {{ async fn get_crypto_order(&self, cx: &Cx, input: GetCryptoOrderInput) -> Result<CryptoOrderReply, GetCryptoOrderError> {{ .. }} }}"
)]
pub trait GetCryptoOrder: Send + Sync + 'static {
    /// Answers the operation.
    fn get_crypto_order(
        &self,
        cx: &api::Cx,
        input: GetCryptoOrderInput,
    ) -> impl Future<Output = Result<types::CryptoOrderReply, GetCryptoOrderError>> + Send;
}

/// The input of [`GetCryptoOrder`].
#[derive(Debug)]
pub struct GetCryptoOrderInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Name or number of the order, from its creation.
    pub trade_no: String,
    /// Address of the wallet that is to sign. Absent or empty means none yet.
    pub payer: Option<String>,
}

impl GetCryptoOrderInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "viewer"];
}

/// The errors of [`GetCryptoOrder`].
#[derive(Debug, OpError)]
#[op(operation = "crypto.get", spec = "spec/operations/crypto.yaml: crypto.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetCryptoOrderError {
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
    #[code(ORDER_NOT_FOUND)]
    OrderNotFound { order: String },
}

pub(in crate::generated) static GET_CRYPTO_ORDER: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/topup/crypto/orders/{trade_no}"),
    ],
    members: GetCryptoOrderInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("crypto.get", "spec/operations/crypto.yaml: crypto.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_crypto_order<S: GetCryptoOrder + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetCryptoOrderInput {
        caller: call.caller_or_session(&*service).await?,
        trade_no: call.path("trade_no", api::Text::of(1, 64))?,
        payer: call.optional_query("payer", api::Text::most(64))?,
    };
    let reply = service.get_crypto_order(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/user/topup/crypto/orders/{trade_no}/code: The address of the order's page as a QR code, for the
/// browser of a wallet on a phone. (spec/operations/crypto.yaml: crypto.code)
#[diagnostic::on_unimplemented(
    message = "operation `crypto.code` (GET /api/user/topup/crypto/orders/{{trade_no}}/code) has no handler on `{Self}`",
    label = "missing `impl GetCryptoOrderCode for {Self}`",
    note = "declared at spec/operations/crypto.yaml: crypto.code",
    note = "add: impl GetCryptoOrderCode for {Self} {{ async fn get_crypto_order_code(&self, cx: &Cx, input: GetCryptoOrderCodeInput) -> Result<ProxyReply, GetCryptoOrderCodeError> {{ .. }} }}"
)]
pub trait GetCryptoOrderCode: Send + Sync + 'static {
    /// Answers the operation.
    fn get_crypto_order_code(
        &self,
        cx: &api::Cx,
        input: GetCryptoOrderCodeInput,
    ) -> impl Future<Output = Result<api::ProxyReply, GetCryptoOrderCodeError>> + Send;
}

/// The input of [`GetCryptoOrderCode`].
#[derive(Debug)]
pub struct GetCryptoOrderCodeInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Name or number of the order, from its creation.
    pub trade_no: String,
}

impl GetCryptoOrderCodeInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "viewer"];
}

/// The errors of [`GetCryptoOrderCode`].
#[derive(Debug, OpError)]
#[op(operation = "crypto.code", spec = "spec/operations/crypto.yaml: crypto.code")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetCryptoOrderCodeError {
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
    #[code(ORDER_NOT_FOUND)]
    OrderNotFound { order: String },
}

pub(in crate::generated) static GET_CRYPTO_ORDER_CODE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/topup/crypto/orders/{trade_no}/code"),
    ],
    members: GetCryptoOrderCodeInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("crypto.code", "spec/operations/crypto.yaml: crypto.code", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_crypto_order_code<S: GetCryptoOrderCode + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetCryptoOrderCodeInput {
        caller: call.caller_or_session(&*service).await?,
        trade_no: call.path("trade_no", api::Text::of(1, 64))?,
    };
    let reply = service.get_crypto_order_code(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /topup/crypto: The page on which a person signs in, makes an order, signs with a wallet and watches the
/// credit arrive. The same for everybody: what is somebody's own, it asks for with the session.
/// (spec/operations/crypto.yaml: crypto.page)
#[diagnostic::on_unimplemented(
    message = "operation `crypto.page` (GET /topup/crypto) has no handler on `{Self}`",
    label = "missing `impl ShowCryptoPage for {Self}`",
    note = "declared at spec/operations/crypto.yaml: crypto.page",
    note = "add: impl ShowCryptoPage for {Self} {{ async fn show_crypto_page(&self, cx: &Cx, input: ShowCryptoPageInput) -> Result<ProxyReply, ShowCryptoPageError> {{ .. }} }}"
)]
pub trait ShowCryptoPage: Send + Sync + 'static {
    /// Answers the operation.
    fn show_crypto_page(
        &self,
        cx: &api::Cx,
        input: ShowCryptoPageInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowCryptoPageError>> + Send;
}

/// The input of [`ShowCryptoPage`].
#[derive(Debug)]
pub struct ShowCryptoPageInput {
    /// Name of the order to show. Absent or empty means a new one.
    pub order: Option<String>,
}

/// The errors of [`ShowCryptoPage`].
#[derive(Debug, OpError)]
#[op(operation = "crypto.page", spec = "spec/operations/crypto.yaml: crypto.page")]
pub enum ShowCryptoPageError {}

pub(in crate::generated) static SHOW_CRYPTO_PAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/topup/crypto"),
    ],
    ..api::Operation::new("crypto.page", "spec/operations/crypto.yaml: crypto.page", &envelopes::O)
};

pub(in crate::generated) async fn show_crypto_page<S: ShowCryptoPage>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowCryptoPageInput {
        order: call.optional_query("order", api::Text::most(64))?,
    };
    let reply = service.show_crypto_page(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}
