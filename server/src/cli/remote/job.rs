//! `tollgate audit --server`, `tollgate backup --server` and `tollgate ledger archive --server`: jobs of the server.

use std::process::ExitCode;
use std::time::Duration;

use http::Method;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use tollgate_api::generated::types::{ArchiveRequest, JobKind, JobRequest, JobState};
use tollgate_base::YearMonth;

use super::client::{AdminClient, AdminRequest};
use super::values::REASON;
use crate::cli::audit::AuditScope;
use crate::cli::output::{CommandError, CommandOutput, CommandResult};

/// The pause before a job is asked for again.
const PAUSE: Duration = Duration::from_secs(1);

/// A job, as the admin API tells of it.
#[derive(Debug, Deserialize, Serialize)]
struct RemoteJob {
    job_id: i64,
    kind: JobKind,
    state: JobState,
    clean: Option<bool>,
    report: Option<String>,
    file: Option<String>,
    sha256: Option<String>,
}

/// The option of an audit that needs the ledger's machine.
pub(super) fn option_of_the_ledger(asked: AuditScope<'_>) -> Option<&'static str> {
    let of_this_machine = [
        ("audit --told", asked.told.is_some()),
        ("audit --since", asked.since.is_some()),
        ("audit --settlements", asked.settlements.is_some()),
    ];
    of_this_machine.into_iter().find_map(|(option, typed)| typed.then_some(option))
}

/// Audits the books and the seals, and where it is asked for compares the last two days with chains and provider.
pub(super) async fn audit(server: &AdminClient, with_chains: bool, output: CommandOutput) -> CommandResult {
    let mut jobs = vec![run(server, JobKind::Audit, &request(), output).await?];
    if with_chains {
        jobs.push(run(server, JobKind::Reconciliation, &request(), output).await?);
    }
    Ok(report(&jobs, output))
}

/// Copies the ledger's file, at the server.
pub(super) async fn backup(server: &AdminClient, output: CommandOutput) -> CommandResult {
    Ok(report(&[run(server, JobKind::Backup, &request(), output).await?], output))
}

/// Puts the receipts of a month into a file, at the server.
pub(super) async fn archive(server: &AdminClient, month: YearMonth, output: CommandOutput) -> CommandResult {
    let body = ArchiveRequest { month: month.to_string(), reason: Some(REASON.to_owned()) };
    Ok(report(&[run(server, JobKind::Archive, &body, output).await?], output))
}

fn request() -> JobRequest {
    JobRequest { reason: Some(REASON.to_owned()) }
}

/// Has a job of a kind done, by the operation that has the kind's word in its path, and waits for its end.
async fn run(
    server: &AdminClient,
    kind: JobKind,
    body: &impl Serialize,
    output: CommandOutput,
) -> Result<RemoteJob, CommandError> {
    let mut job: RemoteJob = server.send(AdminRequest::new(Method::POST, &["jobs", kind.as_str()], body)).await?;
    let number = job.job_id.to_string();
    if job.state == JobState::Running {
        output.progress(&format!(
            "job {number} ({kind}) is under way at the server, and goes on there if this command is ended"
        ));
    }
    while job.state == JobState::Running {
        sleep(PAUSE).await;
        job = server.get(&["jobs", &number], &[]).await?;
    }
    Ok(job)
}

fn report(jobs: &[RemoteJob], output: CommandOutput) -> ExitCode {
    let text = |job: &RemoteJob| {
        let RemoteJob { job_id, kind, state, clean, report, file, sha256 } = job;
        let verdict = match (state, clean) {
            (JobState::Done, Some(true)) => "all is right",
            (JobState::Done, _) => "NOT RIGHT",
            (JobState::Failed, _) => "FAILED",
            (JobState::Running | JobState::Lost, _) => "LOST: its server ended",
        };
        let lines = [
            Some(format!("job {job_id} ({kind}): {verdict}")),
            report.clone(),
            file.as_ref().map(|file| format!("file at the server: {file}")),
            sha256.as_ref().map(|sha256| format!("SHA-256 of the CSV in it: {sha256}")),
        ];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    };
    let texts: Vec<String> = jobs.iter().map(text).collect();
    let is_right = jobs.iter().all(|job| job.state == JobState::Done && job.clean == Some(true));
    output.result(&texts.join("\n"), &serde_json::json!({"clean": is_right, "jobs": jobs}));
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
