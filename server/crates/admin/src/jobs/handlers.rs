//! `/api/admin/jobs`.

use super::job::{AskedJob, JobRefused, KeptJob};
use super::{JobService, sql};
use crate::unavailable;
use tollgate_api::generated::ops::admin_jobs::{
    GetJob, GetJobError, GetJobInput, ListJobs, ListJobsError, ListJobsInput, StartArchive, StartArchiveError,
    StartArchiveInput, StartAudit, StartAuditError, StartAuditInput, StartBackup, StartBackupError, StartBackupInput,
    StartReconciliation, StartReconciliationError, StartReconciliationInput,
};
use tollgate_api::generated::types::{ArchiveRequest, Job, JobKind, JobListReply, JobPage, JobReply};
use tollgate_api::{Cx, OperatorCaller, PageLimit};
use tollgate_base::{Actor, rfc3339};

impl ListJobs for JobService {
    async fn list_jobs(&self, cx: &Cx, input: ListJobsInput) -> Result<JobListReply, ListJobsError> {
        let ListJobsInput { csv, limit, after, kind, .. } = input;
        let limit = PageLimit::new(limit, csv);
        // A text that is no number is one behind all: a client that pages by it comes to an end.
        let before = after.map_or(i64::MAX, |text| text.parse().unwrap_or(0));
        let found = sql::list(self.inner.store.readers(), before, kind, limit.rows_to_read()).await;
        let mut found = found.map_err(|error| {
            unavailable(cx, &error);
            ListJobsError::LedgerUnavailable
        })?;
        let next = limit.next_page(&mut found, |last| last.id.to_string());
        let data = JobPage { jobs: found.into_iter().map(job_reply).collect(), next };
        Ok(JobListReply { success: true, message: String::new(), data })
    }
}

impl GetJob for JobService {
    async fn get_job(&self, cx: &Cx, input: GetJobInput) -> Result<JobReply, GetJobError> {
        let job_id = input.job_id;
        let found = sql::find(self.inner.store.readers(), job_id).await.map_err(|error| {
            unavailable(cx, &error);
            GetJobError::LedgerUnavailable
        })?;
        let job = found.ok_or(GetJobError::JobNotFound { job_id })?;
        Ok(JobReply { success: true, message: String::new(), data: job_reply(job) })
    }
}

impl StartAudit for JobService {
    async fn start_audit(&self, cx: &Cx, input: StartAuditInput) -> Result<JobReply, StartAuditError> {
        let StartAuditInput { caller, body, .. } = input;
        Ok(self.start(cx, AskedJob::Audit, &caller, body.reason).await?)
    }
}

impl StartReconciliation for JobService {
    async fn start_reconciliation(
        &self,
        cx: &Cx,
        input: StartReconciliationInput,
    ) -> Result<JobReply, StartReconciliationError> {
        let StartReconciliationInput { caller, body, .. } = input;
        Ok(self.start(cx, AskedJob::Reconciliation, &caller, body.reason).await?)
    }
}

impl StartBackup for JobService {
    async fn start_backup(&self, cx: &Cx, input: StartBackupInput) -> Result<JobReply, StartBackupError> {
        let StartBackupInput { caller, body, .. } = input;
        if !self.is_file() {
            return Err(StartBackupError::JobUnsupported {
                kind: JobKind::Backup.as_str().to_owned(),
                reason: "it is in a database, which its own tool copies".to_owned(),
                remedy: "make the copy with pg_dump; `tollgate backup FILE` prints the command".to_owned(),
            });
        }
        Ok(self.start(cx, AskedJob::Backup, &caller, body.reason).await?)
    }
}

impl StartArchive for JobService {
    async fn start_archive(&self, cx: &Cx, input: StartArchiveInput) -> Result<JobReply, StartArchiveError> {
        let StartArchiveInput { caller, body: ArchiveRequest { month, reason }, .. } = input;
        let asked = month.parse().map_err(|_| StartArchiveError::BadField {
            field: "month".to_owned(),
            expected: "a month, as 2026-10".to_owned(),
            found: month,
        })?;
        if self.is_file() {
            return Err(StartArchiveError::JobUnsupported {
                kind: JobKind::Archive.as_str().to_owned(),
                reason: "it is in a file, which has no months to take out".to_owned(),
                remedy: "copy the whole file with a backup".to_owned(),
            });
        }
        Ok(self.start(cx, AskedJob::Archive(asked), &caller, reason).await?)
    }
}

impl JobService {
    async fn start(
        &self,
        cx: &Cx,
        asked: AskedJob,
        caller: &OperatorCaller,
        reason: Option<String>,
    ) -> Result<JobReply, StartRefused> {
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let job = self.begin(asked, actor).await.map_err(|refused| match refused {
            JobRefused::UnderWay(job_id) => StartRefused::UnderWay(job_id),
            JobRefused::Store(error) => {
                unavailable(cx, &error);
                StartRefused::Ledger
            }
        })?;
        Ok(JobReply { success: true, message: String::new(), data: job_reply(job) })
    }
}

/// A job that did not begin, for the operation that asked for it. The log has the error of a ledger.
enum StartRefused {
    UnderWay(i64),
    Ledger,
}

macro_rules! refused_as {
    ($($error:ident),+) => {$(
        impl From<StartRefused> for $error {
            fn from(refused: StartRefused) -> Self {
                match refused {
                    StartRefused::UnderWay(job_id) => Self::JobUnderWay { job_id },
                    StartRefused::Ledger => Self::LedgerUnavailable,
                }
            }
        }
    )+};
}
refused_as!(StartAuditError, StartReconciliationError, StartBackupError, StartArchiveError);

/// A job in the words of the spec.
fn job_reply(kept: KeptJob) -> Job {
    Job {
        job_id: kept.id,
        kind: kept.kind,
        state: kept.state,
        month: kept.month,
        server: kept.node,
        started_at: rfc3339(kept.started_at_ms),
        started_by: kept.started_by,
        ended_at: kept.ended_at_ms.map(rfc3339),
        clean: kept.clean,
        report: kept.report,
        file: kept.file,
        sha256: kept.sha256,
    }
}
