// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_receipts`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
use crate::api;

/// GET /api/admin/accounts/{account_id}/receipts: The receipts of an account, the newest first. A page may have
/// fewer receipts than asked for, even none, while there are more: the list is at its end when `next` is null.
/// (spec/operations/admin_receipts.yaml: admin_receipts.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_receipts.list` (GET /api/admin/accounts/{{account_id}}/receipts) has no handler on `{Self}`",
    label = "missing `impl ListAccountReceipts for {Self}`",
    note = "declared at spec/operations/admin_receipts.yaml: admin_receipts.list",
    note = "add: impl ListAccountReceipts for {Self} {{ async fn list_account_receipts(&self, cx: &Cx, input: ListAccountReceiptsInput) -> Result<AccountReceiptListReply, ListAccountReceiptsError> {{ .. }} }}"
)]
pub trait ListAccountReceipts: Send + Sync + 'static {
    /// Answers the operation.
    fn list_account_receipts(
        &self,
        cx: &api::Cx,
        input: ListAccountReceiptsInput,
    ) -> impl Future<Output = Result<types::AccountReceiptListReply, ListAccountReceiptsError>> + Send;
}

/// The input of [`ListAccountReceipts`].
#[derive(Debug)]
pub struct ListAccountReceiptsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
    /// The most receipts of one page. Absent means 20, or 5000 as CSV.
    pub limit: Option<i64>,
    /// The page after the receipt of this request: `next` of the page before.
    pub after: Option<String>,
    /// Only requests with this key.
    pub key_id: Option<i64>,
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

impl ListAccountReceiptsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListAccountReceipts`].
#[derive(Debug, OpError)]
#[op(operation = "admin_receipts.list", spec = "spec/operations/admin_receipts.yaml: admin_receipts.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListAccountReceiptsError {
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

pub(in crate::generated) static LIST_ACCOUNT_RECEIPTS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/accounts/{account_id}/receipts"),
    ],
    roles: ListAccountReceiptsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_receipts.list", "spec/operations/admin_receipts.yaml: admin_receipts.list", &envelopes::ACCOUNT)
};

static LIST_ACCOUNT_RECEIPTS_TABLE: api::Table = api::Table {
    file: "admin_receipts",
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

pub(in crate::generated) async fn list_account_receipts<S: ListAccountReceipts + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListAccountReceiptsInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        account_id: call.path("account_id", api::Whole::least(1))?,
        limit: call.optional_query("limit", api::Whole::of(1, 100))?,
        after: call.optional_query("after", api::Text::of(1, 128))?,
        key_id: call.optional_query("key_id", api::Whole::least(1))?,
        model: call.optional_query("model", api::Text::of(1, 256))?,
        tag: call.optional_query("tag", api::Text::of(1, 64))?,
        status: call.optional_query("status", "one of `held`, `settled`, `released`")?,
        from: call.optional_query("from", "a time such as 2026-11-21T08:30:00Z")?,
        to: call.optional_query("to", "a time such as 2026-11-21T08:30:00Z")?,
    };
    let csv = input.csv;
    let reply = service.list_account_receipts(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &LIST_ACCOUNT_RECEIPTS_TABLE)
}

/// GET /api/admin/accounts/{account_id}/receipts/{request_id}: The receipt of one model request of an account.
/// (spec/operations/admin_receipts.yaml: admin_receipts.get)
#[diagnostic::on_unimplemented(
    message = "operation `admin_receipts.get` (GET /api/admin/accounts/{{account_id}}/receipts/{{request_id}}) has no handler on `{Self}`",
    label = "missing `impl GetAccountReceipt for {Self}`",
    note = "declared at spec/operations/admin_receipts.yaml: admin_receipts.get",
    note = "add: impl GetAccountReceipt for {Self} {{ async fn get_account_receipt(&self, cx: &Cx, input: GetAccountReceiptInput) -> Result<AccountReceiptReply, GetAccountReceiptError> {{ .. }} }}"
)]
pub trait GetAccountReceipt: Send + Sync + 'static {
    /// Answers the operation.
    fn get_account_receipt(
        &self,
        cx: &api::Cx,
        input: GetAccountReceiptInput,
    ) -> impl Future<Output = Result<types::AccountReceiptReply, GetAccountReceiptError>> + Send;
}

/// The input of [`GetAccountReceipt`].
#[derive(Debug)]
pub struct GetAccountReceiptInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The value of the header `x-request-id` of the answer.
    pub request_id: String,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
}

impl GetAccountReceiptInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`GetAccountReceipt`].
#[derive(Debug, OpError)]
#[op(operation = "admin_receipts.get", spec = "spec/operations/admin_receipts.yaml: admin_receipts.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetAccountReceiptError {
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

pub(in crate::generated) static GET_ACCOUNT_RECEIPT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/accounts/{account_id}/receipts/{request_id}"),
    ],
    roles: GetAccountReceiptInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_receipts.get", "spec/operations/admin_receipts.yaml: admin_receipts.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_account_receipt<S: GetAccountReceipt + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetAccountReceiptInput {
        caller: call.operator(&*service).await?,
        request_id: call.path("request_id", api::Text::of(1, 128))?,
        account_id: call.path("account_id", api::Whole::least(1))?,
    };
    let reply = service.get_account_receipt(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/admin/receipts/{request_id}: The receipt of one model request of any account.
/// (spec/operations/admin_receipts.yaml: admin_receipts.find)
#[diagnostic::on_unimplemented(
    message = "operation `admin_receipts.find` (GET /api/admin/receipts/{{request_id}}) has no handler on `{Self}`",
    label = "missing `impl FindReceipt for {Self}`",
    note = "declared at spec/operations/admin_receipts.yaml: admin_receipts.find",
    note = "add: impl FindReceipt for {Self} {{ async fn find_receipt(&self, cx: &Cx, input: FindReceiptInput) -> Result<FoundReceiptReply, FindReceiptError> {{ .. }} }}"
)]
pub trait FindReceipt: Send + Sync + 'static {
    /// Answers the operation.
    fn find_receipt(
        &self,
        cx: &api::Cx,
        input: FindReceiptInput,
    ) -> impl Future<Output = Result<types::FoundReceiptReply, FindReceiptError>> + Send;
}

/// The input of [`FindReceipt`].
#[derive(Debug)]
pub struct FindReceiptInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The value of the header `x-request-id` of the answer.
    pub request_id: String,
}

impl FindReceiptInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`FindReceipt`].
#[derive(Debug, OpError)]
#[op(operation = "admin_receipts.find", spec = "spec/operations/admin_receipts.yaml: admin_receipts.find")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum FindReceiptError {
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

pub(in crate::generated) static FIND_RECEIPT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/receipts/{request_id}"),
    ],
    roles: FindReceiptInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_receipts.find", "spec/operations/admin_receipts.yaml: admin_receipts.find", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn find_receipt<S: FindReceipt + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = FindReceiptInput {
        caller: call.operator(&*service).await?,
        request_id: call.path("request_id", api::Text::of(1, 128))?,
    };
    let reply = service.find_receipt(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/admin/holds: The credit that is held for requests under way, the oldest first.
/// (spec/operations/admin_receipts.yaml: admin_receipts.holds)
#[diagnostic::on_unimplemented(
    message = "operation `admin_receipts.holds` (GET /api/admin/holds) has no handler on `{Self}`",
    label = "missing `impl ListHolds for {Self}`",
    note = "declared at spec/operations/admin_receipts.yaml: admin_receipts.holds",
    note = "add: impl ListHolds for {Self} {{ async fn list_holds(&self, cx: &Cx, input: ListHoldsInput) -> Result<HoldListReply, ListHoldsError> {{ .. }} }}"
)]
pub trait ListHolds: Send + Sync + 'static {
    /// Answers the operation.
    fn list_holds(
        &self,
        cx: &api::Cx,
        input: ListHoldsInput,
    ) -> impl Future<Output = Result<types::HoldListReply, ListHoldsError>> + Send;
}

/// The input of [`ListHolds`].
#[derive(Debug)]
pub struct ListHoldsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// The most holds of one page. Absent means 50, or 1000 as CSV.
    pub limit: Option<i64>,
    /// The page after that: `next` of the page before.
    pub after: Option<String>,
    /// Only holds of this account.
    pub account_id: Option<i64>,
}

impl ListHoldsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListHolds`].
#[derive(Debug, OpError)]
#[op(operation = "admin_receipts.holds", spec = "spec/operations/admin_receipts.yaml: admin_receipts.holds")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListHoldsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_HOLDS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/holds"),
    ],
    roles: ListHoldsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_receipts.holds", "spec/operations/admin_receipts.yaml: admin_receipts.holds", &envelopes::ACCOUNT)
};

static LIST_HOLDS_TABLE: api::Table = api::Table {
    file: "admin_receipts",
    rows: &["data", "holds"],
    columns: &[
        "hold_id",
        "account_id",
        "key_id",
        "request_id",
        "model",
        "held_usd",
        "server",
        "is_durable",
        "created_at",
        "expires_at",
    ],
    next: Some((&auth::names::X_TOLLGATE_NEXT, &["data", "next"])),
};

pub(in crate::generated) async fn list_holds<S: ListHolds + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListHoldsInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?,
        after: call.optional_query("after", api::Text::of(1, 32))?,
        account_id: call.optional_query("account_id", api::Whole::least(1))?,
    };
    let csv = input.csv;
    let reply = service.list_holds(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &LIST_HOLDS_TABLE)
}

/// GET /api/admin/accounts/{account_id}/usage: Usage and cost of an account's requests, summed up from their
/// receipts. (spec/operations/admin_receipts.yaml: admin_receipts.usage)
#[diagnostic::on_unimplemented(
    message = "operation `admin_receipts.usage` (GET /api/admin/accounts/{{account_id}}/usage) has no handler on `{Self}`",
    label = "missing `impl SumAccountUsage for {Self}`",
    note = "declared at spec/operations/admin_receipts.yaml: admin_receipts.usage",
    note = "add: impl SumAccountUsage for {Self} {{ async fn sum_account_usage(&self, cx: &Cx, input: SumAccountUsageInput) -> Result<AccountUsageReply, SumAccountUsageError> {{ .. }} }}"
)]
pub trait SumAccountUsage: Send + Sync + 'static {
    /// Answers the operation.
    fn sum_account_usage(
        &self,
        cx: &api::Cx,
        input: SumAccountUsageInput,
    ) -> impl Future<Output = Result<types::AccountUsageReply, SumAccountUsageError>> + Send;
}

/// The input of [`SumAccountUsage`].
#[derive(Debug)]
pub struct SumAccountUsageInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
    /// First day. Absent means 30 days before `to`.
    pub from: Option<api::Day>,
    /// The day after the last. Absent means tomorrow.
    pub to: Option<api::Day>,
    /// Columns by which rows are grouped. Absent means one row for all.
    pub group_by: Option<Vec<types::UsageGroup>>,
}

impl SumAccountUsageInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`SumAccountUsage`].
#[derive(Debug, OpError)]
#[op(operation = "admin_receipts.usage", spec = "spec/operations/admin_receipts.yaml: admin_receipts.usage")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SumAccountUsageError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(USAGE_TOO_WIDE)]
    UsageTooWide { from: String, to: String, reason: String },
}

pub(in crate::generated) static SUM_ACCOUNT_USAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/accounts/{account_id}/usage"),
    ],
    roles: SumAccountUsageInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_receipts.usage", "spec/operations/admin_receipts.yaml: admin_receipts.usage", &envelopes::ACCOUNT)
};

static SUM_ACCOUNT_USAGE_TABLE: api::Table = api::Table {
    file: "admin_receipts",
    rows: &["data", "rows"],
    columns: &[
        "day",
        "key_id",
        "model",
        "requests",
        "released_requests",
        "prompt_tokens",
        "cached_tokens",
        "cache_write_tokens",
        "cache_write_long_tokens",
        "completion_tokens",
        "reasoning_tokens",
        "audio_prompt_tokens",
        "image_prompt_tokens",
        "audio_completion_tokens",
        "image_completion_tokens",
        "charged_usd",
        "shortfall_usd",
        "team_id",
        "member_id",
        "tag",
    ],
    next: None,
};

pub(in crate::generated) async fn sum_account_usage<S: SumAccountUsage + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = SumAccountUsageInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        account_id: call.path("account_id", api::Whole::least(1))?,
        from: call.optional_query("from", "a day such as 2026-11-21")?,
        to: call.optional_query("to", "a day such as 2026-11-21")?,
        group_by: call.optional_query("group_by", "one of `day`, `model`, `key`, `team`, `member`, `tag`, or several of them with commas between")?,
    };
    let csv = input.csv;
    let reply = service.sum_account_usage(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &SUM_ACCOUNT_USAGE_TABLE)
}
