//! Floor 4: videos, which take longer than a request. A task for each, with the credit that is held for it.
//!
//! May import `gateway`, which speaks to providers, and `credit`, which holds and charges. Cannot: send anything, or write
//! a balance.
//!
//! Invariants: the task and its hold are on the disk before any provider is asked; the last move of a task and its charge or
//! release are one transaction; every open task has one watch in this process, from its order on or from when a sweep finds
//! it, which asks its maker whether or not the client does. So a task that was ever ordered comes to its end, once.
//!
//! Start reading at [`Videos::create`](create), then [`watch`].

mod create;
mod end;
mod handlers;
mod order;
mod render;
mod sql;
mod task;
mod watch;
mod watch_list;

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use tollgate_api::generated::limits;
use tollgate_base::Clock;
use tollgate_credit::Ledger;
use tollgate_gateway::Gateway;
use tollgate_store::{Store, StoreError};

use watch_list::WatchedTasks;

/// The pause between two sweeps for tasks that nobody watches.
const SWEEP_EVERY: Duration = Duration::from_secs(60);
/// The rows that are read at once.
const SWEEP_ROWS: i64 = 500;

/// The room's handle. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Videos {
    gateway: Gateway,
    credit: Ledger,
    store: Store,
    clock: Clock,
    patience: VideoTimeouts,
    /// The address under which clients reach this service, up to the path; absent if it is not configured.
    public_url: Option<String>,
    /// Orders on their way, and watches.
    tasks: TaskTracker,
    /// The tasks that these are for.
    watched: WatchedTasks,
    /// Cancelled when watches end; their tasks are watched again by the next start.
    stopping: CancellationToken,
    /// Cancelled when no provider is waited for any more.
    cut: CancellationToken,
}

/// The times for which videos are waited for, and the pauses between questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VideoTimeouts {
    /// The time from the order to the end.
    pub deadline: Duration,
    /// The time from the order to the first question.
    pub poll_first: Duration,
    /// The longest pause between two questions.
    pub poll_most: Duration,
}

impl Default for VideoTimeouts {
    /// The spec's limits.
    fn default() -> Self {
        let (deadline, poll_first) = (limits::VIDEO_DEADLINE, limits::VIDEO_POLL_FIRST);
        Self { deadline, poll_first, poll_most: limits::VIDEO_POLL_MOST }
    }
}

impl Videos {
    /// Videos that are made by this gateway and paid from this credit.
    #[must_use]
    pub fn new(
        gateway: Gateway,
        credit: Ledger,
        store: Store,
        clock: Clock,
        patience: VideoTimeouts,
        public_url: Option<String>,
    ) -> Self {
        let (tasks, stopping, cut) = (TaskTracker::new(), CancellationToken::new(), CancellationToken::new());
        let watched = WatchedTasks::default();
        Self { gateway, credit, store, clock, patience, public_url, tasks, watched, stopping, cut }
    }

    /// Watches the open tasks that nobody watches: those that earlier starts left, or whose watch broke. Returns how many. With
    /// several servers on a ledger, each watches what a gone server left: it ends once all the same.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn sweep(&self) -> Result<usize, StoreError> {
        let (mut after, mut found) = (None, 0);
        loop {
            let page = sql::open_tasks(self.store.readers(), self.credit.epoch(), after.as_ref(), SWEEP_ROWS).await?;
            after = page.last().map(|task| (task.created_at_ms, task.id.clone()));
            let is_last = i64::try_from(page.len()).unwrap_or(i64::MAX) < SWEEP_ROWS;
            for task in page {
                let Some(watching) = self.watched.enter_if_free(&task.id) else { continue };
                self.start_watch(task, watching);
                found += 1;
            }
            if is_last {
                break;
            }
        }
        if found > 0 {
            tracing::info!(videos = found, "videos that nobody watched are watched again");
        }
        Ok(found)
    }

    /// Sweeps again and again, for ever.
    pub async fn sweep_for_ever(&self) {
        let mut ticks = interval(SWEEP_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.sweep().await {
                tracing::warn!(error = &error as &dyn std::error::Error, "open videos could not be read");
            }
        }
    }

    /// Ends the watches: their tasks stay open, and the next start watches them again.
    pub fn stop_watching(&self) {
        self.stopping.cancel();
    }

    /// Stops waiting for providers: an order on its way is left to the next start.
    pub fn cut(&self) {
        self.cut.cancel();
    }

    /// Waits until nothing is under way. New orders must have stopped coming.
    pub async fn finish(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}
