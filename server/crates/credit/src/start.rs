//! The start of a server, and the tasks it owns from then on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::attempt::{BatchExecutor, LedgerThread};
use super::batch::BatchRunner;
use super::commit::{Step, commit};
use super::hold::WriterQueue;
use super::nodes::{LastHeartbeat, ServerHeartbeat};
use super::orphaned_holds::OrphanedHolds;
use super::queue::{WriterIntake, queues};
use super::sql::{self, PostgresLedger, SqliteLedger};
use super::writer::{LedgerWriter, WriterEnd};
use super::{Ledger, LedgerStore};
use tollgate_store::{ServeLock, StoreError, WriterPlace};

const SWEEP_EVERY: Duration = Duration::from_secs(1);

/// The writer and the sweeper. Whoever holds this waits for them.
#[derive(Debug)]
pub struct LedgerWorker {
    writer: JoinSet<WriterEnd>,
    /// The sweeper, and what gives back the holds of servers that are gone.
    sweeper: JoinSet<()>,
    /// Empty where no other server shares the ledger.
    beating: JoinSet<()>,
    closing: CancellationToken,
    /// The heartbeat, where other servers share the ledger.
    pulse: Option<ServerHeartbeat>,
}

impl Ledger {
    /// Starts the ledger: begins a new epoch, gives back a part of what starts held that are gone, and starts the writer, the
    /// sweeper and what gives back the rest; where others share the ledger, also what tells them that this one is there. The
    /// lock says which server of the books this is, and that it is the only one.
    ///
    /// # Errors
    /// When the lock is another file's, or the store fails.
    pub async fn start(books: LedgerStore, lock: &ServeLock) -> Result<(Self, LedgerWorker), StoreError> {
        if !books.store.is_locked_by(lock) {
            return Err(StoreError::NotLocked { place: books.store.to_string() });
        }
        let epoch = begin_epoch(&books, lock.node()).await?;
        let found = Arc::new(Notify::new());
        let mut orphaned = OrphanedHolds::new(books.clone(), found.clone());
        release_first(&mut orphaned).await;
        let closing = CancellationToken::new();
        let (queue, intake) = queues(closing.clone());
        let credit = Self::new(books, queue.clone(), epoch);
        let mut worker = LedgerWorker {
            writer: JoinSet::new(),
            sweeper: JoinSet::new(),
            beating: JoinSet::new(),
            closing,
            pulse: None,
        };
        match credit.books.store.writer() {
            WriterPlace::File(file, turns) => {
                let ledger = LedgerThread::start(SqliteLedger::connect(file)?, turns);
                let ledger = ledger.map_err(|source| StoreError::Thread { source })?;
                worker.writer.spawn(writer(&credit, ledger, queue, intake).run());
            }
            WriterPlace::Server(server) => {
                let last_beat = LastHeartbeat::now();
                let (closing, beat) = (worker.closing.clone(), last_beat.clone());
                let ledger = PostgresLedger::connect(server, epoch, beat, closing).await?;
                worker.writer.spawn(writer(&credit, ledger, queue, intake).run());
                let pulse = ServerHeartbeat { books: credit.books.clone(), epoch, last_beat, found };
                worker.beating.spawn(pulse.clone().send_heartbeats(worker.closing.clone()));
                worker.pulse = Some(pulse);
            }
        }
        worker.sweeper.spawn(sweep_for_ever(credit.clone(), worker.closing.clone()));
        worker.sweeper.spawn(orphaned.release_for_ever(worker.closing.clone()));
        Ok((credit, worker))
    }
}

impl LedgerWorker {
    /// Waits until the writer stops by itself. It does so only for a fault after which the process must end.
    pub async fn stopped(&mut self) -> WriterEnd {
        tokio::select! {
            ended = self.writer.join_next() => match ended {
                Some(Ok(end)) => end,
                Some(Err(_)) | None => WriterEnd::Panicked,
            },
            Some(beaten) = self.beating.join_next() => match beaten {
                Ok(()) => WriterEnd::Superseded,
                Err(_) => WriterEnd::Panicked,
            },
        }
    }

    /// Stops taking holds, carries out what is queued, and ends. To be called after the last request: a hold that is
    /// still in somebody's hand is given back by the next start.
    pub async fn shutdown(mut self) -> WriterEnd {
        self.closing.cancel();
        self.sweeper.join_all().await;
        self.beating.join_all().await;
        let end = match self.writer.join_next().await {
            Some(Ok(end)) => end,
            Some(Err(_)) => WriterEnd::Panicked,
            None => WriterEnd::Drained,
        };
        if let Some(pulse) = self.pulse.filter(|_| end == WriterEnd::Drained) {
            pulse.resign().await;
        }
        end
    }
}

/// Begins an epoch. What was up in its place is gone.
async fn begin_epoch(books: &LedgerStore, node: &str) -> Result<i64, StoreError> {
    let mut transaction = books.store.begin().await?;
    let epoch = sql::start_epoch(&mut transaction, node, books.clock.now_ms()).await?;
    // Behind its row: whoever upgrades the database waits for this start and finds it up, or has upgraded before.
    books.store.check_steps(&mut transaction).await?;
    commit(transaction, Step::Start, "a start").await?;
    Ok(epoch)
}

/// Gives back one part of what starts held that are gone, so that after most deaths nothing of theirs is held when the first
/// request comes. The rest comes back in the background: no start waits for it, or fails for it.
async fn release_first(orphaned: &mut OrphanedHolds) {
    if let Err(error) = orphaned.release(1, &CancellationToken::new()).await {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(error, "holds of an earlier start cannot be given back yet: that is tried again");
    }
}

fn writer<A: BatchExecutor>(credit: &Ledger, ledger: A, queue: WriterQueue, intake: WriterIntake) -> LedgerWriter<A> {
    let (clock, stats, epoch) = (credit.books.clock.clone(), credit.stats.clone(), credit.epoch);
    LedgerWriter {
        batcher: BatchRunner { ledger, clock, epoch, stats, queue, disk_troubles: 0, locked: BTreeSet::new() },
        intake,
    }
}

async fn sweep_for_ever(credit: Ledger, closing: CancellationToken) {
    let mut ticks = interval(SWEEP_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while closing.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = credit.sweep().await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "expired holds cannot be looked for at the moment"
            );
        }
        if let Err(error) = credit.collect_debts().await {
            tracing::warn!(error = &error as &dyn std::error::Error, "debts cannot be collected at the moment");
        }
    }
}
