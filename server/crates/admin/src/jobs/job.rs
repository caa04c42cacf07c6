//! Types of a job: the request, the row, the outcome.

use tollgate_api::generated::types::{JobKind, JobState};
use tollgate_base::YearMonth;
use tollgate_store::StoreError;

/// A job that is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum AskedJob {
    Audit,
    Reconciliation,
    Backup,
    Archive(YearMonth),
}

impl AskedJob {
    pub(super) const fn kind(self) -> JobKind {
        match self {
            Self::Audit => JobKind::Audit,
            Self::Reconciliation => JobKind::Reconciliation,
            Self::Backup => JobKind::Backup,
            Self::Archive(_) => JobKind::Archive,
        }
    }

    /// The month of an archive.
    pub(super) const fn month(self) -> Option<YearMonth> {
        match self {
            Self::Archive(month) => Some(month),
            Self::Audit | Self::Reconciliation | Self::Backup => None,
        }
    }
}

/// The reason that a job does not begin.
#[derive(Debug, thiserror::Error)]
pub(super) enum JobRefused {
    #[error("the job {0} is under way")]
    UnderWay(i64),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A job as it is kept.
#[derive(Debug, Clone)]
pub(super) struct KeptJob {
    pub(super) id: i64,
    pub(super) kind: JobKind,
    pub(super) state: JobState,
    pub(super) month: Option<String>,
    pub(super) node: String,
    pub(super) started_at_ms: i64,
    pub(super) started_by: String,
    pub(super) ended_at_ms: Option<i64>,
    pub(super) clean: Option<bool>,
    pub(super) report: Option<String>,
    pub(super) file: Option<String>,
    pub(super) sha256: Option<String>,
}

/// The outcome of a job that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JobOutcome {
    /// True if nothing was found that is not right.
    pub(super) clean: bool,
    /// The findings, for people.
    pub(super) report: String,
    pub(super) file: Option<String>,
    pub(super) sha256: Option<String>,
}

impl JobOutcome {
    pub(super) const fn found(clean: bool, report: String) -> Self {
        Self { clean, report, file: None, sha256: None }
    }
}
