//! The use of a connection: the number of its requests in flight, and the time since there are none.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Instant, sleep_until};

use super::stall::StreamPace;

/// The use of one connection. Clones are of the same connection.
#[derive(Debug, Clone)]
pub(super) struct ConnectionActivity(Arc<Mutex<ConnectionUse>>);

#[derive(Debug)]
struct ConnectionUse {
    open: usize,
    asked: bool,
    /// Time since which no request is in flight.
    since: Instant,
}

/// The longest times that a connection may have no request in flight.
#[derive(Debug, Clone, Copy)]
pub(super) struct IdleTimeouts {
    /// Before its first request.
    pub first: Duration,
    /// After its first request.
    pub later: Duration,
}

/// One request in flight; it is over when this is dropped.
#[derive(Debug)]
pub(super) struct RequestInFlight(ConnectionActivity);

impl ConnectionActivity {
    /// The activity of a connection that begins now.
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(ConnectionUse { open: 0, asked: false, since: Instant::now() })))
    }

    /// Counts a request that begins.
    pub(super) fn begin(&self) -> RequestInFlight {
        let mut now = self.now();
        now.open += 1;
        now.asked = true;
        drop(now);
        RequestInFlight(self.clone())
    }

    /// True if there has been a request.
    pub(super) fn has_had_requests(&self) -> bool {
        self.now().asked
    }

    /// Resolves when there has been none for as long as there may be, counted from `start` at the earliest.
    pub(super) async fn idle(&self, start: Instant, leisure: IdleTimeouts) {
        loop {
            let (open, since, longest) = {
                let now = self.now();
                (now.open > 0, now.since.max(start), if now.asked { leisure.later } else { leisure.first })
            };
            let until = if open { Instant::now() } else { since } + longest;
            if !open && until <= Instant::now() {
                return;
            }
            sleep_until(until).await;
        }
    }

    /// Plain values are changed under the lock, so that a panic elsewhere leaves them right.
    fn now(&self) -> MutexGuard<'_, ConnectionUse> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RequestInFlight {
    fn drop(&mut self) {
        let mut now = self.0.now();
        now.open -= 1;
        now.since = Instant::now();
    }
}

/// The body of an answer; its request is in flight as long as this lives.
#[derive(Debug)]
pub(super) struct WatchedBody {
    body: Body,
    pace: Option<StreamPace>,
    _in_flight: RequestInFlight,
}

impl WatchedBody {
    /// A body that the client can begin to take.
    pub(super) fn new(body: Body, in_flight: RequestInFlight) -> Self {
        let pace = StreamPace::current();
        pace.iter().for_each(StreamPace::offer);
        Self { body, pace, _in_flight: in_flight }
    }
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Some(pace) = &self.pace {
            if polled.is_ready() { pace.offer() } else { pace.taken() }
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEISURE: IdleTimeouts = IdleTimeouts { first: Duration::from_secs(10), later: Duration::from_secs(300) };

    #[tokio::test(start_paused = true)]
    async fn a_connection_may_be_idle_for_so_long_and_no_longer() {
        let (activity, start) = (ConnectionActivity::new(), Instant::now());
        activity.idle(start, LEISURE).await;
        assert_eq!((start.elapsed(), activity.has_had_requests()), (LEISURE.first, false));
        let (first, second) = (activity.begin(), activity.begin());
        drop(first);
        let ended = async {
            tokio::time::sleep(LEISURE.later * 2).await;
            drop(second);
            Instant::now()
        };
        let idle = async {
            activity.idle(start, LEISURE).await;
            Instant::now()
        };
        let (ended, idle) = tokio::join!(ended, idle);
        assert_eq!((idle - ended, activity.has_had_requests()), (LEISURE.later, true));
        let start = Instant::now();
        activity.idle(start, LEISURE).await;
        assert_eq!(start.elapsed(), LEISURE.later, "counted from the start");
    }
}
