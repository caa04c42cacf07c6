//! The queues of the writer.
//!
//! Two queues: holds wait in a bounded one and are refused when it stays full; endings go into one that never refuses,
//! because money that is held must be able to come back. It is bounded all the same: whoever has a hold ends it once, and
//! the sweeper waits for what it has asked.

use std::future::pending;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::yield_now;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::hold::{WriterOperation, WriterQueue};
use super::live_holds::LiveHolds;
use tollgate_api::generated::limits;

/// The most holds that wait.
pub(super) const HOLDS_WAITING_MAX: usize = limits::LEDGER_QUEUE as usize;

/// The most rounds in which all ready tasks run before a batch begins, as long as each round queues something. A commit costs
/// as much for one operation as for fifty, so on a busy machine it is worth the wait.
const ROUNDS_MAX: usize = 8;

/// The writer's ends of the two queues.
#[derive(Debug)]
pub(super) struct WriterIntake {
    holds: mpsc::Receiver<WriterOperation>,
    ends: mpsc::UnboundedReceiver<WriterOperation>,
    closing: CancellationToken,
}

/// Two empty queues. When `closing` is cancelled they take nothing more and [`WriterIntake::take`] hands out what is left.
pub(super) fn queues(closing: CancellationToken) -> (WriterQueue, WriterIntake) {
    let (holds, holds_out) = mpsc::channel(HOLDS_WAITING_MAX);
    let (ends, ends_out) = mpsc::unbounded_channel();
    (
        WriterQueue { holds, ends, in_hand: LiveHolds::default() },
        WriterIntake { holds: holds_out, ends: ends_out, closing },
    )
}

impl WriterIntake {
    /// Adds operations to `batch` until there are `most`: endings first, because they free money for the holds behind
    /// them. Waits for the first one only, and for none where the batch has some already. Leaves the batch empty when
    /// both queues are closed and empty.
    pub(super) async fn take(&mut self, batch: &mut Vec<WriterOperation>, most: usize) {
        if !batch.is_empty() && self.closing.is_cancelled() {
            self.close_and_refuse_holds();
        }
        while batch.is_empty() && !(self.ends.is_closed() && self.ends.is_empty() && self.holds.is_empty()) {
            tokio::select! {
                biased;
                Some(first) = self.ends.recv() => batch.push(first),
                Some(first) = self.holds.recv() => batch.push(first),
                () = self.closing.cancelled() => self.close(),
            }
            batch.retain(|operation| !operation.is_abandoned());
        }
        // Whoever is ready to run may be about to queue something. On an idle machine this is nobody and costs nothing;
        // on a busy one it makes the batch as large as the machine is busy.
        for _ in 0..ROUNDS_MAX {
            let before = batch.len();
            yield_now().await;
            self.add_waiting(batch, most);
            if batch.len() == before {
                break;
            }
        }
    }

    /// Waits for so long, or until one more operation is there, which is added to `batch`.
    pub(super) async fn add_within(&mut self, most: Duration, batch: &mut Vec<WriterOperation>) {
        let next = async {
            tokio::select! {
                biased;
                Some(next) = self.ends.recv() => next,
                Some(next) = self.holds.recv() => next,
                else => pending().await,
            }
        };
        batch.extend(timeout(most, next).await.ok());
    }

    fn add_waiting(&mut self, batch: &mut Vec<WriterOperation>, most: usize) {
        while batch.len() < most {
            let next = self.ends.try_recv().or_else(|_| self.holds.try_recv());
            let Ok(operation) = next else { break };
            if !operation.is_abandoned() {
                batch.push(operation);
            }
        }
    }

    /// Takes nothing more, and refuses what waits.
    pub(super) fn refuse_all(&mut self) {
        self.holds.close();
        self.ends.close();
        while let Ok(operation) = self.ends.try_recv().or_else(|_| self.holds.try_recv()) {
            operation.refuse();
        }
    }

    /// True if nothing more is to be taken on.
    pub(super) fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// Takes endings that wait and nothing more: what is there already cannot be written, so no hold is begun.
    fn close_and_refuse_holds(&mut self) {
        self.holds.close();
        while let Ok(operation) = self.holds.try_recv() {
            operation.refuse();
        }
        self.ends.close();
    }

    /// Holds that wait are still taken, and may still be ended; after them nothing.
    fn close(&mut self) {
        self.holds.close();
        if self.holds.is_empty() {
            self.ends.close();
        }
    }
}
