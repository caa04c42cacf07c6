//! One try at carrying out a batch: load, decide, write and commit. Where it runs is the store's affair: a driver that
//! waits for a network runs it in the writer's task; one that blocks has a [`LedgerThread`].

use std::collections::BTreeSet;
use std::time::Duration;
use std::{io, mem, thread};

use futures_util::FutureExt;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::decide::{self, Verdict};
use super::in_hand::InHand;
use super::ledger::{Ledger, Plan, Trouble};
use super::queue::Operation;
use crate::base::AccountId;
use crate::store::{Fault, Turn, Turns};

/// A batch of operations, with the epoch and the time that they are decided under.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) operations: Vec<Operation>,
    pub(super) in_hand: InHand,
    pub(super) epoch: i64,
    pub(super) now_ms: i64,
}

/// The outcome of an attempt at a batch. The operations come back, unanswered.
#[derive(Debug)]
pub(super) struct Attempted {
    pub(super) operations: Vec<Operation>,
    pub(super) outcome: Result<Done, Failed>,
}

/// A batch that is on the disk, as far as there was anything to write.
#[derive(Debug)]
pub(super) struct Done {
    /// One for each operation, in order.
    pub(super) verdicts: Vec<Verdict>,
    /// The time that writing and committing took. Absent where nothing was written, or a failed commit was found on the disk.
    pub(super) committed: Option<Duration>,
}

/// The reason that a batch was not carried out.
#[derive(Debug)]
pub(super) enum Failed {
    /// Nothing of it is written.
    Undone(Trouble),
    /// The disk cannot be trusted, or nobody can tell what is on it.
    Unknown(Trouble),
    /// This start may not write any more: another one may in its place, or it was taken for gone. Nothing of the batch is
    /// written.
    Superseded,
}

/// Tries batches, one after the other.
pub(super) trait Attempt: Send + 'static {
    fn attempt(&mut self, batch: Batch) -> impl Future<Output = Attempted> + Send;

    /// The accounts of these that another session keeps locked; see [`Ledger::locked`].
    fn locked(&mut self, accounts: Vec<AccountId>) -> impl Future<Output = BTreeSet<AccountId>> + Send;
}

impl<L: Ledger> Attempt for L {
    async fn attempt(&mut self, batch: Batch) -> Attempted {
        let outcome = attempt(self, &batch).await;
        Attempted { operations: batch.operations, outcome }
    }

    async fn locked(&mut self, accounts: Vec<AccountId>) -> BTreeSet<AccountId> {
        Ledger::locked(self, accounts).await
    }
}

async fn attempt<L: Ledger>(ledger: &mut L, batch: &Batch) -> Result<Done, Failed> {
    let mut loaded = match ledger.begin(&decide::touched(&batch.operations, batch.now_ms)).await {
        Ok(loaded) => loaded,
        Err(trouble) => return Err(Failed::Undone(back_out(ledger, trouble).await)),
    };
    // Under the write lock, so that no start comes between this and the commit. Two who decide by what they read would not
    // overdraw an account, the database sees to that; but each takes the other's holds for those of a dead process.
    if loaded.epoch != batch.epoch {
        ledger.roll_back(None).await;
        return Err(Failed::Superseded);
    }
    let (plan, verdicts) = decide::decide(&batch.operations, &mut loaded, &batch.in_hand, batch.epoch, batch.now_ms);
    if plan.is_empty() {
        ledger.roll_back(None).await;
        return Ok(Done { verdicts, committed: None });
    }
    let committed = carry_out(ledger, &plan).await?;
    Ok(Done { verdicts, committed })
}

async fn back_out<L: Ledger>(ledger: &mut L, trouble: Trouble) -> Trouble {
    ledger.roll_back(Some(trouble.fault)).await;
    trouble
}

/// Writes and commits. A commit that failed is looked up, never assumed to have done nothing.
async fn carry_out<L: Ledger>(ledger: &mut L, plan: &Plan<'_>) -> Result<Option<Duration>, Failed> {
    let began = Instant::now();
    let Err(trouble) = ledger.carry_out(plan).await else { return Ok(Some(began.elapsed())) };
    match trouble.fault {
        Fault::Refused => return Err(Failed::Undone(back_out(ledger, trouble).await)),
        // The log may be on the disk or not, and may come to life at the next start: only a restart can tell.
        Fault::Disk => return Err(Failed::Unknown(trouble)),
        Fault::Passing | Fault::Lost => ledger.roll_back(Some(trouble.fault)).await,
    }
    match ledger.is_written(plan).await {
        Ok(true) => Ok(None),
        Ok(false) => Err(Failed::Undone(trouble)),
        Err(unknown) => Err(Failed::Unknown(unknown)),
    }
}

/// Tries batches on a thread of its own. One hop there and one back for a whole batch: a hop wakes a thread, which costs
/// more than the statements of a few operations.
#[derive(Debug)]
pub(super) struct LedgerThread {
    /// Not of std, whose receiver yields its turn a few times before it sleeps: beside a busy thread that costs milliseconds.
    jobs: mpsc::UnboundedSender<Job>,
    turns: Turns,
    thread: Option<thread::JoinHandle<()>>,
}

type Job = (Batch, Turn, oneshot::Sender<Attempted>);

impl LedgerThread {
    /// Moves `ledger` to a new thread, where each batch waits for its turn first. It must not wait for anything that its thread
    /// would have to drive.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(super) fn start<L: Ledger>(mut ledger: L, turns: Turns) -> io::Result<Self> {
        let (jobs, mut taken) = mpsc::unbounded_channel::<Job>();
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

impl Attempt for LedgerThread {
    async fn attempt(&mut self, batch: Batch) -> Attempted {
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
