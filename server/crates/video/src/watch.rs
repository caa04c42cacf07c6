//! The watch over one open task: it asks the provider for the task until that is over, with growing pauses.

use std::time::Duration;

use tokio::time::sleep;

use tollgate_api::generated::machines::video_task::State;
use tollgate_credit::DurableEndFailed;
use tollgate_gateway::{VideoPollResult, VideoTaskId, VideoTaskReport, VideoTaskState};

use super::Videos;
use super::end::TaskFailure;
use super::sql;
use super::task::VideoTaskRow;
use super::watch_list::WatchEntry;

/// The number of answers in a row after which a provider is believed that it does not know a task. Its own stores may lag behind.
const UNKNOWN_MAX: u32 = 5;

/// The progress, in per cent, after which it is written again.
const PROGRESS_STEP: u8 = 10;

/// A task, and what is known of it beyond its row.
struct TaskWatch {
    task: VideoTaskRow,
    /// The provider's name for it, until that is in the row.
    unwritten: Option<String>,
    unknown: u32,
    /// The failure that could not be written yet.
    failing: Option<TaskFailure>,
    _watching: WatchEntry,
}

/// The result of a look at a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WatchResult {
    /// The provider says that it is not over.
    Open,
    /// Nobody could say, or nothing could be written down.
    Unknown,
    /// It is over.
    Over,
}

impl Videos {
    /// Watches a task as its row has it. A task without a provider, or without its name there, is of an order that was on its way
    /// when its process died.
    pub(super) fn start_watch(&self, task: VideoTaskRow, watching: WatchEntry) {
        let failing = task.maker.is_none().then(TaskFailure::crashed);
        self.spawn_watch(TaskWatch { task, unwritten: None, unknown: 0, failing, _watching: watching });
    }

    /// Watches a task that was just ordered, under a name that may not be in its row.
    pub(super) fn watch_ordered(&self, task: VideoTaskRow, unwritten: Option<String>, watching: WatchEntry) {
        self.spawn_watch(TaskWatch { task, unwritten, unknown: 0, failing: None, _watching: watching });
    }

    /// Watches a failed task until its end is written.
    pub(super) fn watch_failing(&self, task: VideoTaskRow, failing: TaskFailure, watching: WatchEntry) {
        let failing = Some(failing);
        self.spawn_watch(TaskWatch { task, unwritten: None, unknown: 0, failing, _watching: watching });
    }

    fn spawn_watch(&self, mut watched: TaskWatch) {
        let videos = self.clone();
        self.tasks.spawn(async move {
            let stopping = videos.stopping.clone();
            stopping.run_until_cancelled(videos.watch(&mut watched)).await;
        });
    }

    async fn watch(&self, watched: &mut TaskWatch) {
        let mut pause = self.patience.poll_first;
        loop {
            sleep(jittered(pause)).await;
            pause = (pause * 3 / 2).min(self.patience.poll_most);
            if self.poll(watched).await == WatchResult::Over {
                return;
            }
        }
    }

    async fn poll(&self, watched: &mut TaskWatch) -> WatchResult {
        if let Some(failing) = watched.failing.clone() {
            return self.end_failing(watched, failing).await;
        }
        if let Some(name) = watched.unwritten.clone() {
            self.write_name(watched, name).await;
        }
        let watch = self.ask(watched).await;
        // The provider is asked first: a video that is finished by now is charged and delivered, however late it is noticed. A
        // provider that cannot be asked is given as much time again.
        let VideoTaskRow { created_at_ms, deadline_at_ms, .. } = watched.task;
        let given_up_at_ms = match watch {
            WatchResult::Over => return watch,
            WatchResult::Open => deadline_at_ms,
            WatchResult::Unknown => deadline_at_ms.saturating_add(deadline_at_ms.saturating_sub(created_at_ms)),
        };
        if given_up_at_ms <= self.clock.now_ms() {
            return self.end_failing(watched, TaskFailure::late()).await;
        }
        watch
    }

    async fn ask(&self, watched: &mut TaskWatch) -> WatchResult {
        let task = &watched.task;
        let Some(maker) = &task.maker else { return WatchResult::Unknown };
        let name = match watched.unwritten.as_deref().or(task.name.as_deref()) {
            Some(name) => VideoTaskId::Theirs(name),
            None => VideoTaskId::Ours(&task.id),
        };
        match self.gateway.poll_video(maker, name).await {
            VideoPollResult::Report(report) => self.handle_report(watched, report).await,
            VideoPollResult::Unnamed => self.end_failing(watched, TaskFailure::crashed()).await,
            VideoPollResult::Unknown => {
                watched.unknown += 1;
                if watched.unknown < UNKNOWN_MAX {
                    return WatchResult::Unknown;
                }
                let was_named = watched.task.name.is_some() || watched.unwritten.is_some();
                let failing = if was_named { TaskFailure::forgotten() } else { TaskFailure::crashed() };
                self.end_failing(watched, failing).await
            }
            VideoPollResult::Later => WatchResult::Unknown,
        }
    }

    async fn handle_report(&self, watched: &mut TaskWatch, report: VideoTaskReport) -> WatchResult {
        watched.unknown = 0;
        if watched.task.name.is_none() && watched.unwritten.is_none() {
            // Found by our name for it.
            watched.unwritten = Some(report.id.clone());
            self.write_name(watched, report.id.clone()).await;
        }
        match (report.stage, &report.fault) {
            (VideoTaskState::Completed, _) => {
                // The video is read by its name, so that has to be there first.
                if watched.unwritten.is_some() {
                    return WatchResult::Unknown;
                }
                let ended = self.complete(&watched.task, &report).await;
                self.over(watched, ended).await
            }
            (VideoTaskState::Failed, fault) => {
                let failing = fault.clone().map_or_else(TaskFailure::forgotten, TaskFailure::by_provider);
                self.end_failing(watched, failing).await
            }
            (VideoTaskState::Queued | VideoTaskState::InProgress, _) => {
                self.write_progress(watched, &report).await;
                WatchResult::Open
            }
        }
    }

    async fn write_progress(&self, watched: &mut TaskWatch, report: &VideoTaskReport) {
        let task = &mut watched.task;
        let begins = report.stage == VideoTaskState::InProgress && task.state == State::Queued;
        // It never goes back, whatever a provider says.
        let progress = report.progress.unwrap_or(0).max(task.progress).min(99);
        // Each write is a commit of the ledger's file.
        if !begins && progress < task.progress.saturating_add(PROGRESS_STEP) {
            return;
        }
        match sql::progress(&self.store, task, begins, progress).await {
            Ok(true) => {
                task.progress = progress;
                if begins {
                    task.state = State::InProgress;
                }
            }
            Ok(false) => self.read_again(watched).await,
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(task = task.id, error, "the progress of a video could not be written down");
            }
        }
    }

    async fn write_name(&self, watched: &mut TaskWatch, name: String) {
        match sql::name(&self.store, &watched.task.id, &name).await {
            Ok(()) => {
                watched.unwritten = None;
                watched.task.name = Some(name);
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(task = watched.task.id, error, "the name of a video could not be written down");
            }
        }
    }

    async fn end_failing(&self, watched: &mut TaskWatch, failing: TaskFailure) -> WatchResult {
        let ended = self.fail(&watched.task, &failing).await;
        if ended.is_err() && failing.hidden {
            watched.failing = Some(failing);
        }
        self.over(watched, ended).await
    }

    async fn over(&self, watched: &mut TaskWatch, ended: Result<(), DurableEndFailed>) -> WatchResult {
        match ended {
            Ok(()) => WatchResult::Over,
            Err(DurableEndFailed::Ended) => {
                self.read_again(watched).await;
                if watched.task.state.is_final() { WatchResult::Over } else { WatchResult::Unknown }
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(task = watched.task.id, error, "the end of a video could not be written down yet");
                WatchResult::Unknown
            }
        }
    }

    /// Reads the state again, because another server has moved the task.
    async fn read_again(&self, watched: &mut TaskWatch) {
        match sql::state(self.store.readers(), &watched.task.id).await {
            Ok(state) => watched.task.state = state,
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(task = watched.task.id, error, "a video could not be read");
            }
        }
    }
}

/// A pause and up to a fifth more, so that many tasks do not ask at once after a start.
fn jittered(pause: Duration) -> Duration {
    let share = u32::try_from(getrandom::u64().unwrap_or_default() % 21).unwrap_or_default();
    pause + pause * share / 100
}
