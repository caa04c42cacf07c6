//! Stall detection for HTTP/2 streams. Each stream has a window of its own: a client that never opens it blocks no socket, answers
//! every ping, and would keep the answer for ever.
//!
//! hyper asks a body for its next piece when the stream's window has taken the one before. So a body that gave a piece, or
//! has just begun, and is not asked again waits for the client; one that was asked and has nothing yet waits for us. A
//! client has the time for each piece, so pieces are small.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::rt::Executor;
use hyper_util::rt::TokioExecutor;
use tokio::task_local;
use tokio::time::{Instant, sleep_until};

task_local! {
    /// The pace of the stream whose task this is: hyper hands its executor a task, and not what is in it.
    static PACE: StreamPace;
}

/// Time since which a stream waits for its client, while it does. Clones are of the same stream.
#[derive(Debug, Clone, Default)]
pub(super) struct StreamPace(Arc<Mutex<Option<Instant>>>);

impl StreamPace {
    /// The pace of the stream that is served here; `None` in HTTP/1, where the socket itself tells.
    pub(super) fn current() -> Option<Self> {
        PACE.try_with(Clone::clone).ok()
    }

    /// There is something for the client to take.
    pub(super) fn offer(&self) {
        self.set(Some(Instant::now()));
    }

    /// The client has taken all that there was.
    pub(super) fn taken(&self) {
        self.set(None);
    }

    /// Resolves when the client has taken nothing for so long.
    async fn stalled(&self, longest: Duration) {
        loop {
            let since = self.get();
            let until = since.unwrap_or_else(Instant::now) + longest;
            if since.is_some() && until <= Instant::now() {
                return;
            }
            sleep_until(until).await;
        }
    }

    fn get(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, since: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }
}

/// Runs the tasks of HTTP/2 streams, each as long as its client takes what is there. A task that is dropped resets its
/// stream.
#[derive(Debug, Clone)]
pub(super) struct PacedExecutor {
    pub(super) longest: Duration,
}

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for PacedExecutor {
    fn execute(&self, stream: F) {
        let (pace, longest) = (StreamPace::default(), self.longest);
        let bounded = async move {
            let pace = PACE.get();
            tokio::select! {
                biased;
                () = stream => {}
                () = pace.stalled(longest) => tracing::debug!("a client takes nothing of its answer; its stream is reset"),
            }
        };
        TokioExecutor::new().execute(PACE.scope(pace, bounded));
    }
}
