//! `/api/admin/jobs`.

use super::job::{AskedJob, JobRefused, KeptJob};
use super::{JobService, sql};
use crate::unavailable;
use tollgate_api::generated::ops::admin_jobs::{
    GetJob, GetJobError, GetJobInput, ListJobs, ListJobsError, ListJobsInput, StartJob, StartJobError, StartJobInput,
};
use tollgate_api::generated::types::{Job, JobKind, JobListReply, JobPage, JobReply, JobRequest};
use tollgate_api::{Cx, OperatorCaller, PageLimit};
use tollgate_base::{Actor, YearMonth, rfc3339};

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

impl StartJob for JobService {
    async fn start_job(&self, cx: &Cx, input: StartJobInput) -> Result<JobReply, StartJobError> {
        let JobRequest { kind, month, reason } = input.body;
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let asked = AskedJob { kind, month: month_asked(kind, month.as_deref())? };
        let job = self.begin(asked, actor).await.map_err(|refused| match refused {
            JobRefused::UnderWay(job_id) => StartJobError::JobUnderWay { job_id },
            JobRefused::Unsupported { reason, remedy } => {
                StartJobError::JobUnsupported { kind: asked.kind.as_str().to_owned(), reason, remedy }
            }
            JobRefused::Store(error) => {
                unavailable(cx, &error);
                StartJobError::LedgerUnavailable
            }
        })?;
        Ok(JobReply { success: true, message: String::new(), data: job_reply(job) })
    }
}

/// The month of an archive, which needs one, and nothing else has one.
fn month_asked(kind: JobKind, month: Option<&str>) -> Result<Option<YearMonth>, StartJobError> {
    let wrong = |expected: &str| StartJobError::BadField {
        field: "month".to_owned(),
        expected: expected.to_owned(),
        found: month.unwrap_or("nothing").to_owned(),
    };
    match (kind, month) {
        (JobKind::Archive, Some(text)) => text.parse().map(Some).map_err(|_| wrong("a month, as 2026-10")),
        (JobKind::Archive, None) => Err(wrong("a month, as 2026-10")),
        (_, None) => Ok(None),
        (_, Some(_)) => Err(wrong("nothing: only an archive is of a month")),
    }
}

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
