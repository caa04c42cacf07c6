//! One try at carrying out a batch: load, decide, write and commit. Where it runs is the store's affair: a driver that
//! waits for a network runs it in the writer's task; one that blocks has a [`LedgerThread`].

use std::collections::BTreeSet;
use std::time::Duration;
use std::{io, mem, thread};

use futures_util::FutureExt;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::backend::{BackendError, BatchPlan, LedgerBackend};
use super::decide::{self, OperationDecision};
use super::hold::WriterOperation;
use super::live_holds::LiveHolds;
use tollgate_base::AccountId;
use tollgate_store::{ErrorClass, WriteGuard, WriteQueue};

/// A batch of operations, with the epoch and the time that they are decided under.
#[derive(Debug)]
pub(super) struct OperationBatch {
    pub(super) operations: Vec<WriterOperation>,
    pub(super) in_hand: LiveHolds,
    pub(super) epoch: i64,
    pub(super) now_ms: i64,
}

/// The outcome of an attempt at a batch. The operations come back, unanswered.
#[derive(Debug)]
pub(super) struct ExecutedBatch {
    pub(super) operations: Vec<WriterOperation>,
    pub(super) outcome: Result<CommittedBatch, BatchFailure>,
}

/// A batch that is on the disk, as far as there was anything to write.
#[derive(Debug)]
pub(super) struct CommittedBatch {
    /// One for each operation, in order.
    pub(super) verdicts: Vec<OperationDecision>,
    /// The time that writing and committing took. Absent where nothing was written, or a failed commit was found on the disk.
    pub(super) committed: Option<Duration>,
}

/// The reason that a batch was not carried out.
#[derive(Debug)]
pub(super) enum BatchFailure {
    /// Nothing of it is written.
    Undone(BackendError),
    /// The disk cannot be trusted, or nobody can tell what is on it.
    Unknown(BackendError),
    /// This start may not write any more: another one may in its place, or it was taken for gone. Nothing of the batch is
    /// written.
    Superseded,
}

/// Tries batches, one after the other.
pub(super) trait BatchExecutor: Send + 'static {
    fn attempt(&mut self, batch: OperationBatch) -> impl Future<Output = ExecutedBatch> + Send;

    /// The accounts of these that another session keeps locked; see [`LedgerBackend::locked`].
    fn locked(&mut self, accounts: Vec<AccountId>) -> impl Future<Output = BTreeSet<AccountId>> + Send;
}

impl<L: LedgerBackend> BatchExecutor for L {
    async fn attempt(&mut self, batch: OperationBatch) -> ExecutedBatch {
        let outcome = attempt(self, &batch).await;
        ExecutedBatch { operations: batch.operations, outcome }
    }

    async fn locked(&mut self, accounts: Vec<AccountId>) -> BTreeSet<AccountId> {
        LedgerBackend::locked(self, accounts).await
    }
}

async fn attempt<L: LedgerBackend>(ledger: &mut L, batch: &OperationBatch) -> Result<CommittedBatch, BatchFailure> {
    let mut loaded = match ledger.begin(&decide::touched(&batch.operations, batch.now_ms)).await {
        Ok(loaded) => loaded,
        Err(trouble) => return Err(BatchFailure::Undone(back_out(ledger, trouble).await)),
    };
    // Under the write lock, so that no start comes between this and the commit. Two who decide by what they read would not
    // overdraw an account, the database sees to that; but each takes the other's holds for those of a dead process.
    if loaded.epoch != batch.epoch {
        ledger.roll_back(None).await;
        return Err(BatchFailure::Superseded);
    }
    let (plan, verdicts) = decide::decide(&batch.operations, &mut loaded, &batch.in_hand, batch.epoch, batch.now_ms);
    if plan.is_empty() {
        ledger.roll_back(None).await;
        return Ok(CommittedBatch { verdicts, committed: None });
    }
    let committed = carry_out(ledger, &plan).await?;
    Ok(CommittedBatch { verdicts, committed })
}

async fn back_out<L: LedgerBackend>(ledger: &mut L, trouble: BackendError) -> BackendError {
    ledger.roll_back(Some(trouble.fault)).await;
    trouble
}

/// Writes and commits. A commit that failed is looked up, never assumed to have done nothing.
async fn carry_out<L: LedgerBackend>(ledger: &mut L, plan: &BatchPlan<'_>) -> Result<Option<Duration>, BatchFailure> {
    let began = Instant::now();
    let Err(trouble) = ledger.carry_out(plan).await else { return Ok(Some(began.elapsed())) };
    match trouble.fault {
        ErrorClass::Refused => return Err(BatchFailure::Undone(back_out(ledger, trouble).await)),
        // The log may be on the disk or not, and may come to life at the next start: only a restart can tell.
        ErrorClass::Disk => return Err(BatchFailure::Unknown(trouble)),
        ErrorClass::Passing | ErrorClass::Lost => ledger.roll_back(Some(trouble.fault)).await,
    }
    match ledger.is_written(plan).await {
        Ok(true) => Ok(None),
        Ok(false) => Err(BatchFailure::Undone(trouble)),
        Err(unknown) => Err(BatchFailure::Unknown(unknown)),
    }
}

/// Tries batches on a thread of its own. One hop there and one back for a whole batch: a hop wakes a thread, which costs
/// more than the statements of a few operations.
#[derive(Debug)]
pub(super) struct LedgerThread {
    /// Not of std, whose receiver yields its turn a few times before it sleeps: beside a busy thread that costs milliseconds.
    jobs: mpsc::UnboundedSender<BatchJob>,
    turns: WriteQueue,
    thread: Option<thread::JoinHandle<()>>,
}

type BatchJob = (OperationBatch, WriteGuard, oneshot::Sender<ExecutedBatch>);

impl LedgerThread {
    /// Moves `ledger` to a new thread, where each batch waits for its turn first. It must not wait for anything that its thread
    /// would have to drive.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(super) fn start<L: LedgerBackend>(mut ledger: L, turns: WriteQueue) -> io::Result<Self> {
        let (jobs, mut taken) = mpsc::unbounded_channel::<BatchJob>();
        let thread = thread::Builder::new().name("ledger".to_owned()).spawn(move || {
            while let Some((batch, turn, answer)) = taken.blocking_recv() {
                let attempted = ledger.attempt(batch).now_or_never();
                drop(turn);
                // Nobody takes it when the writer has been stopped; the operations in it are dropped, unanswered.
                drop(answer.send(attempted.expect("this ledger blocks its thread and never waits")));
            }
        })?;
        Ok(Self { jobs, turns, thread: Some(thread) })
    }
}

impl BatchExecutor for LedgerThread {
    async fn attempt(&mut self, batch: OperationBatch) -> ExecutedBatch {
        // A control write is done soon, or its caller's patience is over as soon as that of whoever waits here.
        let turn = self.turns.of_writer().await;
        let (answer, answered) = oneshot::channel();
        // A thread that panicked takes the writer with it, which says so.
        self.jobs.send((batch, turn, answer)).expect("the ledger's thread runs");
        answered.await.expect("the ledger's thread runs")
    }

    /// A file is locked whole.
    async fn locked(&mut self, _: Vec<AccountId>) -> BTreeSet<AccountId> {
        BTreeSet::new()
    }
}

impl Drop for LedgerThread {
    /// Waits for the thread: the file is closed when the writer has ended.
    fn drop(&mut self) {
        drop(mem::replace(&mut self.jobs, mpsc::unbounded_channel().0));
        // What a panicked thread has to say was said.
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}
