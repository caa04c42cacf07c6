// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_alarms`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/alarms: The alarms, the one that rang last first. Alarms of one code, subject and message are
/// one, which counts how often it rang, until it is acknowledged. (spec/operations/admin_alarms.yaml:
/// admin_alarms.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_alarms.list` (GET /api/admin/alarms) has no handler on `{Self}`",
    label = "missing `impl ListAlarms for {Self}`",
    note = "declared at spec/operations/admin_alarms.yaml: admin_alarms.list",
    note = "add: impl ListAlarms for {Self} {{ async fn list_alarms(&self, cx: &Cx, input: ListAlarmsInput) -> Result<AlarmListReply, ListAlarmsError> {{ .. }} }}"
)]
pub trait ListAlarms: Send + Sync + 'static {
    /// Answers the operation.
    fn list_alarms(
        &self,
        cx: &api::Cx,
        input: ListAlarmsInput,
    ) -> impl Future<Output = Result<types::AlarmListReply, ListAlarmsError>> + Send;
}

/// The input of [`ListAlarms`].
#[derive(Debug)]
pub struct ListAlarmsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// The most alarms of one page. Absent means 50, or 1000 as CSV.
    pub limit: Option<i64>,
    /// The page after that: `next` of the page before.
    pub after: Option<String>,
    /// Only alarms that stand there.
    pub state: Option<types::AlarmState>,
    /// Only alarms of this code, as `relayer`.
    pub alarm: Option<String>,
}

impl ListAlarmsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListAlarms`].
#[derive(Debug, OpError)]
#[op(operation = "admin_alarms.list", spec = "spec/operations/admin_alarms.yaml: admin_alarms.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListAlarmsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_ALARMS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/alarms"),
    ],
    roles: ListAlarmsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_alarms.list", "spec/operations/admin_alarms.yaml: admin_alarms.list", &envelopes::ACCOUNT)
};

static LIST_ALARMS_TABLE: api::Table = api::Table {
    file: "admin_alarms",
    rows: &["data", "alarms"],
    columns: &[
        "alarm_id",
        "alarm",
        "state",
        "subject",
        "message",
        "remedy",
        "fields",
        "server",
        "occurrences",
        "first_at",
        "last_at",
        "acknowledged_at",
        "acknowledged_by",
    ],
    next: Some((&auth::names::X_TOLLGATE_NEXT, &["data", "next"])),
};

pub(in crate::generated) async fn list_alarms<S: ListAlarms + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListAlarmsInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?,
        after: call.optional_query("after", api::Text::of(1, 64))?,
        state: call.optional_query("state", "one of `open`, `acknowledged`")?,
        alarm: call.optional_query("alarm", api::Text::of(1, 64))?,
    };
    let csv = input.csv;
    let reply = service.list_alarms(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &LIST_ALARMS_TABLE)
}

/// POST /api/admin/alarms/{alarm_id}/acknowledgement: Acknowledges an alarm: it is no longer open, and rings
/// anew where its cause is still there. One that is acknowledged already is answered as it is.
/// (spec/operations/admin_alarms.yaml: admin_alarms.acknowledge)
#[diagnostic::on_unimplemented(
    message = "operation `admin_alarms.acknowledge` (POST /api/admin/alarms/{{alarm_id}}/acknowledgement) has no handler on `{Self}`",
    label = "missing `impl AcknowledgeAlarm for {Self}`",
    note = "declared at spec/operations/admin_alarms.yaml: admin_alarms.acknowledge",
    note = "add: impl AcknowledgeAlarm for {Self} {{ async fn acknowledge_alarm(&self, cx: &Cx, input: AcknowledgeAlarmInput) -> Result<AlarmReply, AcknowledgeAlarmError> {{ .. }} }}"
)]
pub trait AcknowledgeAlarm: Send + Sync + 'static {
    /// Answers the operation.
    fn acknowledge_alarm(
        &self,
        cx: &api::Cx,
        input: AcknowledgeAlarmInput,
    ) -> impl Future<Output = Result<types::AlarmReply, AcknowledgeAlarmError>> + Send;
}

/// The input of [`AcknowledgeAlarm`].
#[derive(Debug)]
pub struct AcknowledgeAlarmInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the alarm.
    pub alarm_id: i64,
    /// The body.
    pub body: types::AlarmAcknowledgement,
}

impl AcknowledgeAlarmInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`AcknowledgeAlarm`].
#[derive(Debug, OpError)]
#[op(operation = "admin_alarms.acknowledge", spec = "spec/operations/admin_alarms.yaml: admin_alarms.acknowledge")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum AcknowledgeAlarmError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(ALARM_NOT_FOUND)]
    AlarmNotFound { alarm_id: i64 },
    #[code(ALARM_RANG_AGAIN)]
    AlarmRangAgain { alarm_id: i64, occurrences: i64 },
}

pub(in crate::generated) static ACKNOWLEDGE_ALARM: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/alarms/{alarm_id}/acknowledgement"),
    ],
    roles: AcknowledgeAlarmInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_alarms.acknowledge", "spec/operations/admin_alarms.yaml: admin_alarms.acknowledge", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn acknowledge_alarm<S: AcknowledgeAlarm + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = AcknowledgeAlarmInput {
        caller: call.operator(&*service).await?,
        alarm_id: call.path("alarm_id", api::Whole::least(1))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.acknowledge_alarm(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
