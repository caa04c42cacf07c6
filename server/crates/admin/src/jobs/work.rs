//! The work of each kind of job.

use std::error::Error;
use std::path::{Path, PathBuf};

use super::job::{AskedJob, JobOutcome, JobRefused};
use super::{JobInner, JobService};
use tollgate_api::generated::types::JobKind;
use tollgate_base::{YearMonth, rfc3339, with_causes};
use tollgate_credit::LedgerStore;
use tollgate_store::{Store, StoreConfig, back_up};
use tollgate_topup::reconcile::WINDOW_MS;

type Failure = Box<dyn Error + Send + Sync>;

impl JobService {
    /// Refuses what cannot be done with this ledger.
    pub(super) fn check(&self, asked: AskedJob) -> Result<(), JobRefused> {
        let ledger = &self.inner.places.ledger;
        let refused = |reason: &str, remedy: &str| {
            Err(JobRefused::Unsupported { reason: reason.to_owned(), remedy: remedy.to_owned() })
        };
        match (asked.kind, ledger) {
            (JobKind::Backup, StoreConfig::Postgres { .. }) => refused(
                "it is in a database, which its own tool copies",
                "make the copy with pg_dump; `tollgate backup FILE` prints the command",
            ),
            (JobKind::Archive, StoreConfig::Sqlite { .. }) => {
                refused("it is in a file, which has no months to take out", "copy the whole file with a backup")
            }
            (JobKind::Audit | JobKind::Reconciliation | JobKind::Backup | JobKind::Archive, _) => Ok(()),
        }
    }
}

impl JobInner {
    /// Does the work. The error is told with its causes.
    pub(super) async fn work(&self, id: i64, asked: AskedJob) -> Result<JobOutcome, String> {
        let done = match (asked.kind, asked.month) {
            (JobKind::Audit, _) => self.audit().await,
            (JobKind::Reconciliation, _) => self.reconcile().await,
            (JobKind::Backup, _) => self.back_up().await,
            (JobKind::Archive, Some(month)) => self.archive(id, month).await,
            (JobKind::Archive, None) => Err("an archive is of a month".into()),
        };
        done.map_err(|error| with_causes(&*error))
    }

    async fn audit(&self) -> Result<JobOutcome, Failure> {
        let (books, chain) = (self.ledger.audit().await?, self.ledger.verify_seals(None).await?);
        Ok(JobOutcome::found(books.is_clean() && chain.broken.is_none(), format!("{chain}\n{books}")))
    }

    async fn reconcile(&self) -> Result<JobOutcome, Failure> {
        let compared = self.reconciler.compare(self.clock.now_ms() - WINDOW_MS, None).await?;
        Ok(JobOutcome::found(compared.is_clean(), compared.to_string()))
    }

    /// Copies the file and audits the copy, as a server would open it.
    async fn back_up(&self) -> Result<JobOutcome, Failure> {
        let stamp: String = rfc3339(self.clock.now_ms()).chars().filter(char::is_ascii_alphanumeric).collect();
        let path = in_folder(&self.places.backups, &format!("tollgate-{stamp}.db"))?;
        let (ledger, copy) = (self.places.ledger.clone(), path.clone());
        tokio::task::spawn_blocking(move || back_up(&ledger, &copy)).await??;
        let store = Store::open(&StoreConfig::Sqlite { path: path.clone() }, &self.clock).await?;
        let report = LedgerStore::new(store.clone(), self.clock.clone()).audit().await;
        // The last one to close a file takes what SQLite keeps beside it into it.
        store.close().await;
        let report = report?;
        let found = JobOutcome::found(report.is_clean(), format!("the audit of the copy:\n{report}"));
        Ok(JobOutcome { file: Some(path.display().to_string()), ..found })
    }

    async fn archive(&self, id: i64, month: YearMonth) -> Result<JobOutcome, Failure> {
        // What an archive that was cut has left there keeps nobody from another.
        let path = in_folder(&self.places.archives, &format!("receipts-{month}-{id}.csv.gz"))?;
        let archived = self.ledger.archive(month, &path, false).await?;
        let (seal, hash) = &archived.seal;
        let mut report = format!("{} receipts of {month}, sealed by {seal}: {hash}", archived.receipts);
        if let Some(table) = &archived.table {
            report.push_str(&format!(
                "\nthe table {table} is no part of the ledger any more: drop it when the file is safe"
            ));
        }
        let found = JobOutcome::found(true, report);
        Ok(JobOutcome { file: Some(path.display().to_string()), sha256: Some(archived.sha256), ..found })
    }
}

/// A path in a folder, which is made where it is not there.
fn in_folder(folder: &Path, name: &str) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    Ok(folder.join(name))
}
