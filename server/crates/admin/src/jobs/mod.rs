//! Work on the whole ledger that operators ask for: audits, comparisons, backups, archives.
//!
//! A job is a row, written before it begins and once more when it ends. Invariants: one job that reads the whole ledger is under way at
//! a time, since it keeps a connection that requests are read by, and one comparison beside it; a job that cannot be done says why; a
//! job of a server that has ended is told as lost.
//! Start reading at [`JobService`].

mod backups;
mod handlers;
mod job;
mod sql;
mod work;

use std::num::NonZeroU32;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::watch;
use tokio::time::sleep;
use tokio_util::task::TaskTracker;

use tollgate_base::{Actor, Clock, with_causes};
use tollgate_credit::Ledger;
use tollgate_store::{AuditEntry, Store, StoreConfig, StoreError, record};
use tollgate_topup::reconcile::Reconciler;

use job::{AskedJob, JobOutcome, JobRefused, KeptJob};

/// The pause before the end of a job is written down again.
const END_AGAIN: Duration = Duration::from_secs(1);

/// The places that jobs work with.
#[derive(Debug, Clone)]
pub struct JobPlaces {
    /// The ledger's own.
    pub ledger: StoreConfig,
    /// The folder of backups.
    pub backups: PathBuf,
    /// The most backups that stay there.
    pub backups_kept: NonZeroU32,
    /// The folder of archives.
    pub archives: PathBuf,
}

/// Does work on the ledger. Cheap to clone.
#[derive(Debug, Clone)]
pub struct JobService {
    inner: Arc<JobInner>,
}

#[derive(Debug)]
struct JobInner {
    store: Store,
    clock: Clock,
    ledger: Ledger,
    reconciler: Reconciler,
    places: JobPlaces,
    tasks: TaskTracker,
    stopped: watch::Receiver<bool>,
}

impl JobService {
    /// The handle, at the server of this name. Jobs are among `tasks`, and are given up once `stopped` says so.
    #[must_use]
    pub fn new(
        (store, clock): (Store, Clock),
        ledger: Ledger,
        reconciler: Reconciler,
        places: JobPlaces,
        (tasks, stopped): (TaskTracker, watch::Receiver<bool>),
    ) -> Self {
        Self { inner: Arc::new(JobInner { store, clock, ledger, reconciler, places, tasks, stopped }) }
    }

    /// True if the ledger is in a file, which is copied here; false in a database, whose months are archived.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.inner.places.ledger, StoreConfig::Sqlite { .. })
    }

    /// Begins a job, which goes on by itself.
    async fn begin(&self, asked: AskedJob, actor: Actor<'_>) -> Result<KeptJob, JobRefused> {
        let JobInner { store, clock, ledger, tasks, stopped, .. } = &*self.inner;
        let now_ms = clock.now_ms();
        let mut transaction = store.begin().await?;
        if let Some(id) = sql::under_way(&mut transaction, asked.kind()).await? {
            return Err(JobRefused::UnderWay(id));
        }
        let id = sql::insert(&mut transaction, asked, ledger.epoch(), now_ms, actor.name).await?;
        let (subject, month) = (id.to_string(), asked.month().map(|month| format!(" of {month}")).unwrap_or_default());
        let detail = format!("{}{month}", asked.kind().as_str());
        record(&mut transaction, &AuditEntry::new(now_ms, actor, "job.start", &subject).detail(&detail)).await?;
        let job = sql::find(&mut transaction, id).await?;
        let begun = transaction.commit().await.map_err(StoreError::commit("a job"));
        let (service, mut stopped, is_begun) = (self.clone(), stopped.clone(), begun.is_ok());
        tasks.spawn(async move {
            let done = async {
                // Where nobody knows whether it was committed, its row must not be under way for ever.
                let outcome = if is_begun { service.work(id, asked).await } else { Err("it was not begun".to_owned()) };
                service.end(id, &outcome).await;
            };
            // A row that is left as it is tells by its server's end that it is lost.
            let is_stopped = async { drop(stopped.wait_for(|stopped| *stopped).await) };
            match asked {
                // Its month may be out of the ledger already: the server waits for it.
                AskedJob::Archive(_) => done.await,
                AskedJob::Audit | AskedJob::Reconciliation | AskedJob::Backup => tokio::select! {
                    () = done => {}
                    () = is_stopped => {}
                },
            }
        });
        begun?;
        job.ok_or_else(|| JobRefused::Store(StoreError::Unreadable { what: "a job", found: subject }))
    }

    /// Does a job. A panic is a failure like any other.
    async fn work(&self, id: i64, asked: AskedJob) -> Result<JobOutcome, String> {
        let outcome = AssertUnwindSafe(self.inner.work(id, asked)).catch_unwind().await;
        let outcome = outcome.unwrap_or_else(|_| Err("it panicked; the server's log has the place".to_owned()));
        let kind = asked.kind();
        let kind = kind.as_str();
        match &outcome {
            Ok(JobOutcome { clean: false, .. }) => tracing::warn!(job = id, kind, "a job found what is not right"),
            Ok(_) => tracing::info!(job = id, kind, "a job has ended"),
            Err(error) => tracing::warn!(job = id, kind, error, "a job could not be done"),
        }
        outcome
    }

    /// Writes down the outcome of a job, however often that has to be tried.
    async fn end(&self, id: i64, outcome: &Result<JobOutcome, String>) {
        let JobInner { store, clock, stopped, .. } = &*self.inner;
        while let Err(error) = sql::end(store, id, clock.now_ms(), outcome).await {
            let error = with_causes(&error);
            tracing::error!(job = id, error, "the end of a job could not be written down");
            if *stopped.borrow() {
                return;
            }
            sleep(END_AGAIN).await;
        }
    }
}
