// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `receipts`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
use crate::api;

/// GET /api/user/self/receipts/{request_id}: The receipt of one model request: its cost, and the reason for it.
/// There is a receipt as soon as credit is held for a request; it is final when its status is no longer `held`.
/// (spec/operations/receipts.yaml: receipts.get)
#[diagnostic::on_unimplemented(
    message = "operation `receipts.get` (GET /api/user/self/receipts/{{request_id}}) has no handler on `{Self}`",
    label = "missing `impl GetReceipt for {Self}`",
    note = "declared at spec/operations/receipts.yaml: receipts.get",
    note = "add: impl GetReceipt for {Self} {{ async fn get_receipt(&self, cx: &Cx, input: GetReceiptInput) -> Result<ReceiptReply, GetReceiptError> {{ .. }} }}"
)]
pub trait GetReceipt: Send + Sync + 'static {
    /// Answers the operation.
    fn get_receipt(
        &self,
        cx: &api::Cx,
        input: GetReceiptInput,
    ) -> impl Future<Output = Result<types::ReceiptReply, GetReceiptError>> + Send;
}

/// The input of [`GetReceipt`].
#[derive(Debug)]
pub struct GetReceiptInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The value of the header `x-request-id` of the answer.
    pub request_id: String,
}

impl GetReceiptInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`GetReceipt`].
#[derive(Debug, OpError)]
#[op(operation = "receipts.get", spec = "spec/operations/receipts.yaml: receipts.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetReceiptError {
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

pub(in crate::generated) static GET_RECEIPT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/receipts/{request_id}"),
    ],
    members: GetReceiptInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("receipts.get", "spec/operations/receipts.yaml: receipts.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_receipt<S: GetReceipt + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetReceiptInput {
        caller: call.caller_or_session(&*service).await?,
        request_id: call.path("request_id", api::Text::of(1, 128))?,
    };
    let reply = service.get_receipt(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/user/self/receipts: The receipts of the account, the newest first. A page may have fewer receipts
/// than asked for, even none, while there are more: the list is at its end when `next` is null.
/// (spec/operations/receipts.yaml: receipts.list)
#[diagnostic::on_unimplemented(
    message = "operation `receipts.list` (GET /api/user/self/receipts) has no handler on `{Self}`",
    label = "missing `impl ListReceipts for {Self}`",
    note = "declared at spec/operations/receipts.yaml: receipts.list",
    note = "add: impl ListReceipts for {Self} {{ async fn list_receipts(&self, cx: &Cx, input: ListReceiptsInput) -> Result<ReceiptListReply, ListReceiptsError> {{ .. }} }}"
)]
pub trait ListReceipts: Send + Sync + 'static {
    /// Answers the operation.
    fn list_receipts(
        &self,
        cx: &api::Cx,
        input: ListReceiptsInput,
    ) -> impl Future<Output = Result<types::ReceiptListReply, ListReceiptsError>> + Send;
}

/// The input of [`ListReceipts`].
#[derive(Debug)]
pub struct ListReceiptsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// The most receipts of one page. Absent means 20, or 5000 as CSV.
    pub limit: Option<i64>,
    /// The page after the receipt of this request, or `next` of the page before. What is new meanwhile is on none of
    /// the pages that follow.
    pub after: Option<String>,
    /// Only requests with this key.
    pub key_id: Option<i64>,
    /// Only requests with keys that are of this team now.
    pub team_id: Option<i64>,
    /// Only requests with keys that are of this member now.
    pub member_id: Option<i64>,
    /// Only requests for this model, as the client named it.
    pub model: Option<String>,
    /// Only requests that carry this tag, in the same letters.
    pub tag: Option<String>,
    /// Only receipts that stand there.
    pub status: Option<types::ReceiptStatus>,
    /// Only what was held for at this time or later.
    pub from: Option<api::Moment>,
    /// Only what was held for before this time.
    pub to: Option<api::Moment>,
}

impl ListReceiptsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ListReceipts`].
#[derive(Debug, OpError)]
#[op(operation = "receipts.list", spec = "spec/operations/receipts.yaml: receipts.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListReceiptsError {
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

pub(in crate::generated) static LIST_RECEIPTS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/receipts"),
    ],
    members: ListReceiptsInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("receipts.list", "spec/operations/receipts.yaml: receipts.list", &envelopes::ACCOUNT)
};

static LIST_RECEIPTS_TABLE: api::Table = api::Table {
    file: "receipts",
    rows: &["data", "receipts"],
    columns: &[
        "request_id",
        "key_id",
        "model",
        "upstream",
        "upstream_model",
        "fallback_model",
        "stream",
        "tags",
        "status",
        "rule",
        "usage.prompt_tokens",
        "usage.cached_tokens",
        "usage.cache_write_tokens",
        "usage.cache_write_long_tokens",
        "usage.completion_tokens",
        "usage.reasoning_tokens",
        "usage.audio_prompt_tokens",
        "usage.image_prompt_tokens",
        "usage.audio_completion_tokens",
        "usage.image_completion_tokens",
        "usage.estimated",
        "prices.prompt_picousd",
        "prices.cached_picousd",
        "prices.cache_write_picousd",
        "prices.cache_write_long_picousd",
        "prices.completion_picousd",
        "prices.audio_prompt_picousd",
        "prices.image_prompt_picousd",
        "prices.audio_completion_picousd",
        "prices.image_completion_picousd",
        "prices.reasoning_picousd",
        "prices.request_picousd",
        "tier_above_tokens",
        "ratio",
        "service_class",
        "tool_uses",
        "price_version",
        "held_usd",
        "charged_usd",
        "released_usd",
        "shortfall_usd",
        "first_byte_ms",
        "duration_ms",
        "created_at",
        "settled_at",
    ],
    next: Some((&auth::names::X_TOLLGATE_NEXT, &["data", "next"])),
};

pub(in crate::generated) async fn list_receipts<S: ListReceipts + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListReceiptsInput {
        caller: call.caller_or_session(&*service).await?,
        csv: call.wants_csv()?,
        limit: call.optional_query("limit", api::Whole::of(1, 100))?,
        after: call.optional_query("after", api::Text::of(1, 128))?,
        key_id: call.optional_query("key_id", api::Whole::least(1))?,
        team_id: call.optional_query("team_id", api::Whole::least(1))?,
        member_id: call.optional_query("member_id", api::Whole::least(1))?,
        model: call.optional_query("model", api::Text::of(1, 256))?,
        tag: call.optional_query("tag", api::Text::of(1, 64))?,
        status: call.optional_query("status", "one of `held`, `settled`, `released`")?,
        from: call.optional_query("from", "a time such as 2026-11-21T08:30:00Z")?,
        to: call.optional_query("to", "a time such as 2026-11-21T08:30:00Z")?,
    };
    let csv = input.csv;
    let reply = service.list_receipts(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &LIST_RECEIPTS_TABLE)
}
