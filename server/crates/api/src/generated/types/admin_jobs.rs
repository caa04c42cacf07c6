// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_jobs`.

use tollgate_macros::{Wire, WireEnum};


/// One page of the list of jobs.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_jobs.yaml: JobPage")]
pub struct JobPage {
    /// The jobs, the newest first.
    pub jobs: Vec<Job>,
    /// Value of `after` for the next page. Null on the last one.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// Kinds of work on the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_jobs.yaml: JobKind")]
pub enum JobKind {
    /// Every balance is computed again from its entries, and every seal from the rows that it covers.
    #[wire(name = "audit")]
    Audit,
    /// The last two days are compared with the chains and the payment provider.
    #[wire(name = "reconciliation")]
    Reconciliation,
    /// The ledger's file is copied as it is at one moment, and the copy is audited.
    #[wire(name = "backup")]
    Backup,
    /// The receipts of a month are put into a file and taken out of the ledger, which is on PostgreSQL.
    #[wire(name = "archive")]
    Archive,
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_jobs.yaml: JobState")]
pub enum JobState {
    /// It is under way.
    #[wire(name = "running")]
    Running,
    /// It ended, and `report` tells what was found.
    #[wire(name = "done")]
    Done,
    /// It could not be done, and `report` tells the reason.
    #[wire(name = "failed")]
    Failed,
    /// The server that did it ended meanwhile.
    #[wire(name = "lost")]
    Lost,
}

/// Work on the ledger that is asked for.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_jobs.yaml: JobRequest")]
pub struct JobRequest {
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// An archive that is asked for.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_jobs.yaml: ArchiveRequest")]
pub struct ArchiveRequest {
    /// The month in UTC whose receipts are archived, as `2026-10`.
    #[wire(min_len = 7, max_len = 7)]
    pub month: String,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// Work on the ledger.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_jobs.yaml: Job")]
pub struct Job {
    /// Number of the job.
    pub job_id: i64,
    /// Its kind.
    pub kind: JobKind,
    /// Its state.
    pub state: JobState,
    /// The month of an archive. Null for another kind.
    #[wire(nullable)]
    pub month: Option<String>,
    /// The server that does it, by its name.
    pub server: String,
    /// Time at which it began.
    pub started_at: String,
    /// The operator who asked for it.
    pub started_by: String,
    /// Time at which it ended. Null where it has not.
    #[wire(nullable)]
    pub ended_at: Option<String>,
    /// True if everything was right, false if something differs. Null until it is known.
    #[wire(nullable)]
    pub clean: Option<bool>,
    /// What was found, in words. Null until it has ended.
    #[wire(nullable)]
    pub report: Option<String>,
    /// The file that was made, on the machine of that server. Null where there is none.
    #[wire(nullable)]
    pub file: Option<String>,
    /// SHA-256 of the archive's content, in hexadecimal digits. Null where there is none.
    #[wire(nullable)]
    pub sha256: Option<String>,
}

/// Answer of `admin_jobs.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_jobs.yaml: JobListReply")]
pub struct JobListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: JobPage,
}

/// Answer of `admin_jobs.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_jobs.yaml: JobReply")]
pub struct JobReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The job.
    pub data: Job,
}
