// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_changes`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
use crate::api;

/// GET /api/admin/changes: The log of changes, the newest first: who changed what, from where, and why. Lines
/// are written with the change itself and never changed. (spec/operations/admin_changes.yaml:
/// admin_changes.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_changes.list` (GET /api/admin/changes) has no handler on `{Self}`",
    label = "missing `impl ListChanges for {Self}`",
    note = "declared at spec/operations/admin_changes.yaml: admin_changes.list",
    note = "add: impl ListChanges for {Self} {{ async fn list_changes(&self, cx: &Cx, input: ListChangesInput) -> Result<ChangeListReply, ListChangesError> {{ .. }} }}"
)]
pub trait ListChanges: Send + Sync + 'static {
    /// Answers the operation.
    fn list_changes(
        &self,
        cx: &api::Cx,
        input: ListChangesInput,
    ) -> impl Future<Output = Result<types::ChangeListReply, ListChangesError>> + Send;
}

/// The input of [`ListChanges`].
#[derive(Debug)]
pub struct ListChangesInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// The most lines of one page. Absent means 50, or 1000 as CSV.
    pub limit: Option<i64>,
    /// The page after that line: `next` of the page before.
    pub after: Option<String>,
    /// Only changes by this actor, as the lines tell it.
    pub actor: Option<String>,
    /// Only this act, as in `credit.grant`.
    pub action: Option<String>,
    /// Only changes of this, most often a number.
    pub subject: Option<String>,
    /// Only changes at this time or later.
    pub from: Option<api::Moment>,
    /// Only changes before this time.
    pub to: Option<api::Moment>,
}

impl ListChangesInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListChanges`].
#[derive(Debug, OpError)]
#[op(operation = "admin_changes.list", spec = "spec/operations/admin_changes.yaml: admin_changes.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListChangesError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_CHANGES: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/changes"),
    ],
    roles: ListChangesInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_changes.list", "spec/operations/admin_changes.yaml: admin_changes.list", &envelopes::ACCOUNT)
};

static LIST_CHANGES_TABLE: api::Table = api::Table {
    file: "admin_changes",
    rows: &["data", "changes"],
    columns: &[
        "change_id",
        "at",
        "actor",
        "address",
        "action",
        "subject",
        "detail",
        "reason",
        "before",
        "after",
    ],
    next: Some((&auth::names::X_TOLLGATE_NEXT, &["data", "next"])),
};

pub(in crate::generated) async fn list_changes<S: ListChanges + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListChangesInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?,
        after: call.optional_query("after", api::Text::of(1, 32))?,
        actor: call.optional_query("actor", api::Text::of(1, 128))?,
        action: call.optional_query("action", api::Text::of(1, 64))?,
        subject: call.optional_query("subject", api::Text::of(1, 128))?,
        from: call.optional_query("from", "a time such as 2026-11-21T08:30:00Z")?,
        to: call.optional_query("to", "a time such as 2026-11-21T08:30:00Z")?,
    };
    let csv = input.csv;
    let reply = service.list_changes(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &LIST_CHANGES_TABLE)
}
