//! The state that all parts of the provider share.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use tollgate_base::Clock;
use tollgate_topup::ewallet::{SigningKey, VerifyingKeys};

use super::book::Book;
use super::faults::Faults;
use super::sent::Sent;

/// The options of the provider at its start.
#[derive(Debug, Clone)]
pub struct Options {
    /// Its time of day.
    pub clock: Clock,
    /// Divisor of the pauses between two repetitions of a notice.
    pub speed: u32,
}

/// The state that all parts of the provider share. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct House(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) address: SocketAddr,
    pub(super) options: Options,
    pub(super) signing: SigningKey,
    pub(super) merchant: VerifyingKeys,
    pub(super) http: reqwest::Client,
    pub(super) book: Mutex<Book>,
    pub(super) faults: watch::Sender<Faults>,
    pub(super) sent: Mutex<Vec<Sent>>,
    /// Notices on their way, and payments that are made later.
    pub(super) tasks: TaskTracker,
    pub(super) stopping: CancellationToken,
}

impl House {
    /// Every change of these is one step.
    pub(super) fn book(&self) -> MutexGuard<'_, Book> {
        self.0.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn faults(&self) -> Faults {
        self.0.faults.borrow().clone()
    }

    pub(super) fn sent(&self) -> MutexGuard<'_, Vec<Sent>> {
        self.0.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn now_ms(&self) -> i64 {
        self.0.options.clock.now_ms()
    }

    /// Does `work` unless the provider stops before it is done.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let stopping = self.0.stopping.clone();
        self.0.tasks.spawn(async move {
            tokio::select! {
                () = work => {}
                () = stopping.cancelled() => {}
            }
        });
    }

    /// Waits as long as `is_held` says so of the faults.
    pub(super) async fn held(&self, is_held: impl Fn(&Faults) -> bool) {
        // The sender is the house's own, so that it is not gone.
        drop(self.0.faults.subscribe().wait_for(|faults| !is_held(faults)).await);
    }
}
