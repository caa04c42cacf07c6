// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_jobs`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/jobs: Work on the ledger that operators asked for, the newest first.
/// (spec/operations/admin_jobs.yaml: admin_jobs.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_jobs.list` (GET /api/admin/jobs) has no handler on `{Self}`",
    label = "missing `impl ListJobs for {Self}`",
    note = "declared at spec/operations/admin_jobs.yaml: admin_jobs.list",
    note = "add: impl ListJobs for {Self} {{ async fn list_jobs(&self, cx: &Cx, input: ListJobsInput) -> Result<JobListReply, ListJobsError> {{ .. }} }}"
)]
pub trait ListJobs: Send + Sync + 'static {
    /// Answers the operation.
    fn list_jobs(
        &self,
        cx: &api::Cx,
        input: ListJobsInput,
    ) -> impl Future<Output = Result<types::JobListReply, ListJobsError>> + Send;
}

/// The input of [`ListJobs`].
#[derive(Debug)]
pub struct ListJobsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// The most jobs of one page. Absent means 50, or 1000 as CSV.
    pub limit: Option<i64>,
    /// The page after that: `next` of the page before.
    pub after: Option<String>,
    /// Only jobs of this kind.
    pub kind: Option<types::JobKind>,
}

impl ListJobsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListJobs`].
#[derive(Debug, OpError)]
#[op(operation = "admin_jobs.list", spec = "spec/operations/admin_jobs.yaml: admin_jobs.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListJobsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_JOBS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/jobs"),
    ],
    roles: ListJobsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_jobs.list", "spec/operations/admin_jobs.yaml: admin_jobs.list", &envelopes::ACCOUNT)
};

static LIST_JOBS_TABLE: api::Table = api::Table {
    file: "admin_jobs",
    rows: &["data", "jobs"],
    columns: &[
        "job_id",
        "kind",
        "state",
        "month",
        "server",
        "started_at",
        "started_by",
        "ended_at",
        "clean",
        "report",
        "file",
        "sha256",
    ],
    next: Some((&auth::names::X_TOLLGATE_NEXT, &["data", "next"])),
};

pub(in crate::generated) async fn list_jobs<S: ListJobs + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListJobsInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?,
        after: call.optional_query("after", api::Text::of(1, 32))?,
        kind: call.optional_query("kind", "one of `audit`, `reconciliation`, `backup`, `archive`")?,
    };
    let csv = input.csv;
    let reply = service.list_jobs(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &LIST_JOBS_TABLE)
}

/// GET /api/admin/jobs/{job_id}: One job: its state, and what came of it. (spec/operations/admin_jobs.yaml:
/// admin_jobs.get)
#[diagnostic::on_unimplemented(
    message = "operation `admin_jobs.get` (GET /api/admin/jobs/{{job_id}}) has no handler on `{Self}`",
    label = "missing `impl GetJob for {Self}`",
    note = "declared at spec/operations/admin_jobs.yaml: admin_jobs.get",
    note = "add: impl GetJob for {Self} {{ async fn get_job(&self, cx: &Cx, input: GetJobInput) -> Result<JobReply, GetJobError> {{ .. }} }}"
)]
pub trait GetJob: Send + Sync + 'static {
    /// Answers the operation.
    fn get_job(
        &self,
        cx: &api::Cx,
        input: GetJobInput,
    ) -> impl Future<Output = Result<types::JobReply, GetJobError>> + Send;
}

/// The input of [`GetJob`].
#[derive(Debug)]
pub struct GetJobInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the job.
    pub job_id: i64,
}

impl GetJobInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`GetJob`].
#[derive(Debug, OpError)]
#[op(operation = "admin_jobs.get", spec = "spec/operations/admin_jobs.yaml: admin_jobs.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetJobError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(JOB_NOT_FOUND)]
    JobNotFound { job_id: i64 },
}

pub(in crate::generated) static GET_JOB: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/jobs/{job_id}"),
    ],
    roles: GetJobInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_jobs.get", "spec/operations/admin_jobs.yaml: admin_jobs.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_job<S: GetJob + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetJobInput {
        caller: call.operator(&*service).await?,
        job_id: call.path("job_id", api::Whole::least(1))?,
    };
    let reply = service.get_job(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/jobs/audit: Starts an audit at the server that answers, which goes on after the answer: ask
/// for the job again until its state is no longer `running`. Requests of clients go on meanwhile, here as in
/// other jobs. (spec/operations/admin_jobs.yaml: admin_jobs.audit)
#[diagnostic::on_unimplemented(
    message = "operation `admin_jobs.audit` (POST /api/admin/jobs/audit) has no handler on `{Self}`",
    label = "missing `impl StartAudit for {Self}`",
    note = "declared at spec/operations/admin_jobs.yaml: admin_jobs.audit",
    note = "add: impl StartAudit for {Self} {{ async fn start_audit(&self, cx: &Cx, input: StartAuditInput) -> Result<JobReply, StartAuditError> {{ .. }} }}"
)]
pub trait StartAudit: Send + Sync + 'static {
    /// Answers the operation.
    fn start_audit(
        &self,
        cx: &api::Cx,
        input: StartAuditInput,
    ) -> impl Future<Output = Result<types::JobReply, StartAuditError>> + Send;
}

/// The input of [`StartAudit`].
#[derive(Debug)]
pub struct StartAuditInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::JobRequest,
}

impl StartAuditInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`StartAudit`].
#[derive(Debug, OpError)]
#[op(operation = "admin_jobs.audit", spec = "spec/operations/admin_jobs.yaml: admin_jobs.audit")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum StartAuditError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(JOB_UNDER_WAY)]
    JobUnderWay { job_id: i64 },
}

pub(in crate::generated) static START_AUDIT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/jobs/audit"),
    ],
    roles: StartAuditInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_jobs.audit", "spec/operations/admin_jobs.yaml: admin_jobs.audit", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn start_audit<S: StartAudit + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = StartAuditInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.start_audit(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/jobs/reconciliation: Starts a comparison of the last two days with the chains and the payment
/// provider, as an audit is started. (spec/operations/admin_jobs.yaml: admin_jobs.reconciliation)
#[diagnostic::on_unimplemented(
    message = "operation `admin_jobs.reconciliation` (POST /api/admin/jobs/reconciliation) has no handler on `{Self}`",
    label = "missing `impl StartReconciliation for {Self}`",
    note = "declared at spec/operations/admin_jobs.yaml: admin_jobs.reconciliation",
    note = "add: impl StartReconciliation for {Self} {{ async fn start_reconciliation(&self, cx: &Cx, input: StartReconciliationInput) -> Result<JobReply, StartReconciliationError> {{ .. }} }}"
)]
pub trait StartReconciliation: Send + Sync + 'static {
    /// Answers the operation.
    fn start_reconciliation(
        &self,
        cx: &api::Cx,
        input: StartReconciliationInput,
    ) -> impl Future<Output = Result<types::JobReply, StartReconciliationError>> + Send;
}

/// The input of [`StartReconciliation`].
#[derive(Debug)]
pub struct StartReconciliationInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::JobRequest,
}

impl StartReconciliationInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance"];
}

/// The errors of [`StartReconciliation`].
#[derive(Debug, OpError)]
#[op(operation = "admin_jobs.reconciliation", spec = "spec/operations/admin_jobs.yaml: admin_jobs.reconciliation")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum StartReconciliationError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(JOB_UNDER_WAY)]
    JobUnderWay { job_id: i64 },
}

pub(in crate::generated) static START_RECONCILIATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/jobs/reconciliation"),
    ],
    roles: StartReconciliationInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_jobs.reconciliation", "spec/operations/admin_jobs.yaml: admin_jobs.reconciliation", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn start_reconciliation<S: StartReconciliation + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = StartReconciliationInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.start_reconciliation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/jobs/backup: Starts a backup of a ledger that is in a file, as an audit is started. Once the
/// copy is whole and right, the oldest ones beyond `admin.backups_kept` are removed.
/// (spec/operations/admin_jobs.yaml: admin_jobs.backup)
#[diagnostic::on_unimplemented(
    message = "operation `admin_jobs.backup` (POST /api/admin/jobs/backup) has no handler on `{Self}`",
    label = "missing `impl StartBackup for {Self}`",
    note = "declared at spec/operations/admin_jobs.yaml: admin_jobs.backup",
    note = "add: impl StartBackup for {Self} {{ async fn start_backup(&self, cx: &Cx, input: StartBackupInput) -> Result<JobReply, StartBackupError> {{ .. }} }}"
)]
pub trait StartBackup: Send + Sync + 'static {
    /// Answers the operation.
    fn start_backup(
        &self,
        cx: &api::Cx,
        input: StartBackupInput,
    ) -> impl Future<Output = Result<types::JobReply, StartBackupError>> + Send;
}

/// The input of [`StartBackup`].
#[derive(Debug)]
pub struct StartBackupInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::JobRequest,
}

impl StartBackupInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`StartBackup`].
#[derive(Debug, OpError)]
#[op(operation = "admin_jobs.backup", spec = "spec/operations/admin_jobs.yaml: admin_jobs.backup")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum StartBackupError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(JOB_UNDER_WAY)]
    JobUnderWay { job_id: i64 },
    #[code(JOB_UNSUPPORTED)]
    JobUnsupported { kind: String, reason: String, remedy: String },
}

pub(in crate::generated) static START_BACKUP: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/jobs/backup"),
    ],
    roles: StartBackupInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_jobs.backup", "spec/operations/admin_jobs.yaml: admin_jobs.backup", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn start_backup<S: StartBackup + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = StartBackupInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.start_backup(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/jobs/archive: Starts an archive of a month of a ledger that is on PostgreSQL, as an audit is
/// started. It takes the month's receipts out of the ledger. (spec/operations/admin_jobs.yaml:
/// admin_jobs.archive)
#[diagnostic::on_unimplemented(
    message = "operation `admin_jobs.archive` (POST /api/admin/jobs/archive) has no handler on `{Self}`",
    label = "missing `impl StartArchive for {Self}`",
    note = "declared at spec/operations/admin_jobs.yaml: admin_jobs.archive",
    note = "add: impl StartArchive for {Self} {{ async fn start_archive(&self, cx: &Cx, input: StartArchiveInput) -> Result<JobReply, StartArchiveError> {{ .. }} }}"
)]
pub trait StartArchive: Send + Sync + 'static {
    /// Answers the operation.
    fn start_archive(
        &self,
        cx: &api::Cx,
        input: StartArchiveInput,
    ) -> impl Future<Output = Result<types::JobReply, StartArchiveError>> + Send;
}

/// The input of [`StartArchive`].
#[derive(Debug)]
pub struct StartArchiveInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::ArchiveRequest,
}

impl StartArchiveInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner"];
}

/// The errors of [`StartArchive`].
#[derive(Debug, OpError)]
#[op(operation = "admin_jobs.archive", spec = "spec/operations/admin_jobs.yaml: admin_jobs.archive")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum StartArchiveError {
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
    #[code(JOB_UNDER_WAY)]
    JobUnderWay { job_id: i64 },
    #[code(JOB_UNSUPPORTED)]
    JobUnsupported { kind: String, reason: String, remedy: String },
}

pub(in crate::generated) static START_ARCHIVE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/jobs/archive"),
    ],
    roles: StartArchiveInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_jobs.archive", "spec/operations/admin_jobs.yaml: admin_jobs.archive", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn start_archive<S: StartArchive + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = StartArchiveInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.start_archive(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
