//! The start of a server, and the tasks it owns from then on.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::attempt::{Attempt, LedgerThread};
use super::batch::Batcher;
use super::queue::{Intake, Queue, queues};
use super::sql::{self, SqliteLedger};
use super::writer::Writer;
use super::{Books, Credit, SettlementRule};
use crate::store::{ServeLock, StoreError};

const SWEEP_EVERY: Duration = Duration::from_secs(1);

/// The writer and the sweeper. Whoever holds this waits for them.
#[derive(Debug)]
pub struct CreditWorker {
    writer: JoinSet<WriterEnd>,
    sweeper: JoinSet<()>,
    closing: CancellationToken,
}

/// How the writer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriterEnd {
    /// It was told to stop and has answered everything.
    Drained,
    /// What it wrote may not be on the disk. The process must end, so that the next start reads what is.
    DiskFault,
    /// Another server has started on the same ledger, and has given this one's holds back. The process must end.
    Superseded,
    /// It broke. The process must end likewise.
    Panicked,
}

impl Credit {
    /// Starts the ledger of the one server of this file: begins a new epoch, gives back what earlier ones held, and
    /// starts the writer and the sweeper. `node` names this server in the books.
    ///
    /// # Errors
    /// When the lock is another file's, or the store fails.
    pub async fn start(books: Books, one_server: &ServeLock, node: &str) -> Result<(Self, CreditWorker), StoreError> {
        if one_server.path() != books.store.path() {
            return Err(StoreError::NotLocked { path: books.store.path().to_owned() });
        }
        let epoch = recover(&books, node).await?;
        let ledger = LedgerThread::start(SqliteLedger::connect(books.store.clone())?)
            .map_err(|source| StoreError::Thread { source })?;
        let closing = CancellationToken::new();
        let (queue, intake) = queues(closing.clone());
        let credit = Self { books, queue: queue.clone(), stats: Arc::default() };
        let mut worker = CreditWorker { writer: JoinSet::new(), sweeper: JoinSet::new(), closing };
        worker.writer.spawn(writer(&credit, ledger, epoch, queue, intake).run());
        worker.sweeper.spawn(sweep_for_ever(credit.clone(), worker.closing.clone()));
        Ok((credit, worker))
    }
}

impl CreditWorker {
    /// Waits until the writer stops by itself. It does so only for a fault after which the process must end.
    pub async fn stopped(&mut self) -> WriterEnd {
        match self.writer.join_next().await {
            Some(Ok(end)) => end,
            Some(Err(_)) | None => WriterEnd::Panicked,
        }
    }

    /// Stops taking holds, carries out what is queued, and ends. To be called after the last request: a hold that is
    /// still in somebody's hand is given back by the next start.
    pub async fn shutdown(mut self) -> WriterEnd {
        self.closing.cancel();
        self.sweeper.join_all().await;
        match self.writer.join_next().await {
            Some(Ok(end)) => end,
            Some(Err(_)) => WriterEnd::Panicked,
            None => WriterEnd::Drained,
        }
    }
}

/// Begins an epoch. On this store there is one server, so whatever is held was held by one that is gone.
async fn recover(books: &Books, node: &str) -> Result<i64, StoreError> {
    let now_ms = books.clock.now_ms();
    let mut transaction = books.store.begin().await?;
    let epoch = sql::start_epoch(&mut transaction, node, now_ms).await?;
    let released = sql::release_earlier(&mut transaction, SettlementRule::Crashed.as_str(), epoch, now_ms).await?;
    transaction.commit().await.map_err(StoreError::commit("a start"))?;
    if released > 0 {
        tracing::warn!(
            holds = released,
            epoch,
            "holds of an earlier start were given back: their requests were not charged"
        );
    }
    Ok(epoch)
}

fn writer<A: Attempt>(credit: &Credit, ledger: A, epoch: i64, queue: Queue, intake: Intake) -> Writer<A> {
    let (clock, stats) = (credit.books.clock.clone(), credit.stats.clone());
    Writer { batcher: Batcher { ledger, clock, epoch, stats, queue, disk_troubles: 0 }, intake }
}

async fn sweep_for_ever(credit: Credit, closing: CancellationToken) {
    let mut ticks = interval(SWEEP_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while closing.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = credit.sweep().await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "expired holds cannot be looked for at the moment"
            );
        }
    }
}
