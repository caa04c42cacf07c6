// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `usage`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
use crate::api;

/// GET /api/user/self/usage: Usage and cost of the account's requests, summed up from their receipts. A request
/// counts when it has ended, on the day on which its credit was held. (spec/operations/account_usage.yaml:
/// usage.get)
#[diagnostic::on_unimplemented(
    message = "operation `usage.get` (GET /api/user/self/usage) has no handler on `{Self}`",
    label = "missing `impl SumUsage for {Self}`",
    note = "declared at spec/operations/account_usage.yaml: usage.get",
    note = "add: impl SumUsage for {Self} {{ async fn sum_usage(&self, cx: &Cx, input: SumUsageInput) -> Result<UsageReply, SumUsageError> {{ .. }} }}"
)]
pub trait SumUsage: Send + Sync + 'static {
    /// Answers the operation.
    fn sum_usage(
        &self,
        cx: &api::Cx,
        input: SumUsageInput,
    ) -> impl Future<Output = Result<types::UsageReply, SumUsageError>> + Send;
}

/// The input of [`SumUsage`].
#[derive(Debug)]
pub struct SumUsageInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// First day. Absent means 30 days before `to`.
    pub from: Option<api::Day>,
    /// The day after the last. Absent means tomorrow.
    pub to: Option<api::Day>,
    /// Columns by which rows are grouped. Absent means one row for all.
    pub group_by: Option<Vec<types::UsageGroup>>,
    /// Only requests with this key.
    pub key_id: Option<i64>,
    /// Only requests with keys that are of this team now.
    pub team_id: Option<i64>,
    /// Only requests with keys that are of this member now.
    pub member_id: Option<i64>,
    /// Only requests that carry this tag, in the same letters. Rows by tag are then those of all tags that they
    /// carry.
    pub tag: Option<String>,
}

impl SumUsageInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`SumUsage`].
#[derive(Debug, OpError)]
#[op(operation = "usage.get", spec = "spec/operations/account_usage.yaml: usage.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SumUsageError {
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

pub(in crate::generated) static SUM_USAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/usage"),
    ],
    members: SumUsageInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("usage.get", "spec/operations/account_usage.yaml: usage.get", &envelopes::ACCOUNT)
};

static SUM_USAGE_TABLE: api::Table = api::Table {
    file: "usage",
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

pub(in crate::generated) async fn sum_usage<S: SumUsage + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = SumUsageInput {
        caller: call.caller_or_session(&*service).await?,
        csv: call.wants_csv()?,
        from: call.optional_query("from", "a day such as 2026-11-21")?,
        to: call.optional_query("to", "a day such as 2026-11-21")?,
        group_by: call.optional_query("group_by", "one of `day`, `model`, `key`, `team`, `member`, `tag`, or several of them with commas between")?,
        key_id: call.optional_query("key_id", api::Whole::least(1))?,
        team_id: call.optional_query("team_id", api::Whole::least(1))?,
        member_id: call.optional_query("member_id", api::Whole::least(1))?,
        tag: call.optional_query("tag", api::Text::of(1, 64))?,
    };
    let csv = input.csv;
    let reply = service.sum_usage(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &SUM_USAGE_TABLE)
}
