//! The one task that writes: takes what is queued, carries it out, and takes what has come in meanwhile.
//!
//! There is no timer. While a commit is on its way to the disk the next batch gathers, so a batch is as large as the
//! disk is slow, and a lone caller waits for nobody.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::WriterStats;
use super::attempt::BatchExecutor;
use super::batch::{BatchRunner, WriterHalt};
use super::hold::WriterOperation;
use super::queue::WriterIntake;
use tollgate_api::generated::limits;

/// The most operations in one transaction: bounds how long the first of them waits for the last.
const BATCH_MAX: usize = limits::LEDGER_BATCH as usize;
/// The pause between two tries at endings that could not be written.
const RETRY_PAUSE: Duration = Duration::from_millis(100);
/// The time for which such endings are tried when the writer is to stop. It is short of whatever ends a process that does not
/// end by itself; whoever finds this start gone releases what is left.
const LAST_TRIES: Duration = Duration::from_secs(8);

/// The way that the writer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriterEnd {
    /// It was told to stop and has answered everything.
    Drained,
    /// It was told to stop, and the store did not take the last endings. What they are of is left as it stands in the store.
    Undrained,
    /// The disk may not have what was written. The process must end, so that the next start reads what is.
    DiskFault,
    /// Another server has started in this one's place, or took it for gone, and has given its holds back. The process must end.
    Superseded,
    /// It broke. The process must end.
    Panicked,
}

pub(super) struct LedgerWriter<A> {
    pub(super) batcher: BatchRunner<A>,
    pub(super) intake: WriterIntake,
}

impl<A: BatchExecutor> LedgerWriter<A> {
    /// Runs until both queues are closed and empty, or it has to stop; then it answers whatever it has taken.
    pub(super) async fn run(mut self) -> WriterEnd {
        let mut batch: Vec<WriterOperation> = Vec::new();
        let mut ends_at: Option<Instant> = None;
        loop {
            let kept = batch.len();
            // However many are kept: what is new is of others, or has to be told that it cannot be written.
            self.intake.take(&mut batch, kept + BATCH_MAX).await;
            if batch.is_empty() {
                return WriterEnd::Drained;
            }
            if self.intake.is_closing() {
                let ends_at = *ends_at.get_or_insert_with(|| Instant::now() + LAST_TRIES);
                if kept > 0 && Instant::now() >= ends_at {
                    tracing::error!(
                        operations = batch.len(),
                        "stopping with holds that could not be resolved: whoever finds this server gone releases them"
                    );
                    batch.into_iter().for_each(WriterOperation::refuse);
                    self.intake.refuse_all();
                    return WriterEnd::Undrained;
                }
            }
            self.count_waiting(&batch[kept..]);
            batch = match self.batcher.run(batch).await {
                Ok(later) => later,
                Err(halt) => {
                    self.intake.refuse_all();
                    return ended(&halt);
                }
            };
            if self.batcher.waits_for_locked_alone(&batch) {
                self.intake.add_within(RETRY_PAUSE, &mut batch).await;
            } else if !batch.is_empty() {
                sleep(RETRY_PAUSE).await;
            }
        }
    }

    fn count_waiting(&self, batch: &[WriterOperation]) {
        let now = Instant::now();
        for operation in batch {
            WriterStats::took(&self.batcher.stats.queue_wait, now.saturating_duration_since(operation.queued()));
        }
    }
}

/// Says why the writer stops.
fn ended(halt: &WriterHalt) -> WriterEnd {
    match halt {
        WriterHalt::Disk(trouble) => {
            let error = trouble as &dyn std::error::Error;
            tracing::error!(error, "the ledger cannot be trusted to reach the disk: the writer stops");
            WriterEnd::DiskFault
        }
        WriterHalt::Superseded => {
            tracing::error!("another server has started in this one's place, or took it for gone: the writer stops");
            WriterEnd::Superseded
        }
    }
}
