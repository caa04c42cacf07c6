//! Work on the whole ledger that operators ask for: audits, comparisons, backups, archives.
//!
//! A job is a row, written before it begins and once more when it ends. Invariants: one of a kind is under way at a time; what a job
//! finds is told as it is, and a job that cannot be done says why; a job of a server that has ended is told as lost.
//! Start reading at [`JobService`].

mod handlers;
mod job;
mod sql;
mod work;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use tollgate_base::{Actor, Clock, with_causes};
use tollgate_credit::Ledger;
use tollgate_store::{AuditEntry, Store, StoreConfig, StoreError, record};
use tollgate_topup::reconcile::Reconciler;

use job::{AskedJob, JobOutcome, JobRefused, KeptJob};

/// The places that jobs work with.
#[derive(Debug, Clone)]
pub struct JobPlaces {
    /// The ledger's own.
    pub ledger: StoreConfig,
    /// The folder of backups.
    pub backups: PathBuf,
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
    /// The handle. Jobs are among `tasks`, and are given up once `stopped` says so.
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
        self.check(asked)?;
        let now_ms = clock.now_ms();
        let mut transaction = store.begin().await?;
        if let Some(id) = sql::under_way(&mut transaction, asked.kind).await? {
            return Err(JobRefused::UnderWay(id));
        }
        let id = sql::insert(&mut transaction, asked, ledger.epoch(), now_ms, actor.name).await?;
        let (subject, month) = (id.to_string(), asked.month.map(|month| format!(" of {month}")).unwrap_or_default());
        let detail = format!("{}{month}", asked.kind.as_str());
        record(&mut transaction, &AuditEntry::new(now_ms, actor, "job.start", &subject).detail(&detail)).await?;
        let job = sql::find(&mut transaction, id).await?;
        transaction.commit().await.map_err(StoreError::commit("a job"))?;
        let (service, mut stopped) = (self.clone(), stopped.clone());
        tasks.spawn(async move {
            tokio::select! {
                () = service.run(id, asked) => {}
                // The row stays as it is: that its server has ended tells that it is lost.
                _ = stopped.wait_for(|stopped| *stopped) => {}
            }
        });
        job.ok_or_else(|| JobRefused::Store(StoreError::Unreadable { what: "a job", found: subject }))
    }

    /// Does a job and writes down what came of it.
    async fn run(&self, id: i64, asked: AskedJob) {
        let outcome = self.inner.work(asked).await;
        let kind = asked.kind.as_str();
        match &outcome {
            Ok(JobOutcome { clean: false, .. }) => tracing::warn!(job = id, kind, "a job found what is not right"),
            Ok(_) => tracing::info!(job = id, kind, "a job has ended"),
            Err(error) => tracing::warn!(job = id, kind, error, "a job could not be done"),
        }
        if let Err(error) = sql::end(&self.inner.store, id, self.inner.clock.now_ms(), &outcome).await {
            let error = with_causes(&error);
            tracing::error!(job = id, kind, error, "the end of a job could not be written down");
        }
    }
}
