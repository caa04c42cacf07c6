//! The work of each kind of job.

use std::error::Error;
use std::future::Future;

use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::JobInner;
use super::job::{AskedJob, JobOutcome};
use tollgate_base::{YearMonth, with_causes};
use tollgate_topup::reconcile::WINDOW_MS;

pub(super) type Failure = Box<dyn Error + Send + Sync>;

impl JobInner {
    /// Does the work. The error is told with its causes.
    pub(super) async fn work(&self, id: i64, asked: AskedJob) -> Result<JobOutcome, String> {
        let done = match asked {
            AskedJob::Audit => self.audit().await,
            AskedJob::Reconciliation => self.reconcile().await,
            AskedJob::Backup => self.back_up().await,
            AskedJob::Archive(month) => self.archive(id, month).await,
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

    async fn archive(&self, id: i64, month: YearMonth) -> Result<JobOutcome, Failure> {
        let (ledger, folder) = (self.ledger.clone(), self.places.archives.clone());
        // What an archive that was cut has left there keeps nobody from another.
        let path = folder.join(format!("receipts-{month}-{id}.csv.gz"));
        let file = path.display().to_string();
        let archived = off_requests(async move {
            std::fs::create_dir_all(folder)?;
            Ok::<_, Failure>(ledger.archive(month, &path, false).await?)
        });
        let archived = archived.await?;
        let (seal, hash) = &archived.seal;
        let mut report = format!("{} receipts of {month}, sealed by {seal}: {hash}", archived.receipts);
        if let Some(table) = &archived.table {
            report.push_str(&format!(
                "\nthe table {table} is no part of the ledger any more: drop it when the file is safe"
            ));
        }
        let found = JobOutcome::found(true, report);
        Ok(JobOutcome { file: Some(file), sha256: Some(archived.sha256), ..found })
    }
}

/// Does work that waits for the disk on a thread for that, so that requests do not wait for it.
async fn off_requests<T: Send + 'static>(
    work: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    let handle = Handle::current();
    spawn_blocking(move || handle.block_on(work)).await?
}
