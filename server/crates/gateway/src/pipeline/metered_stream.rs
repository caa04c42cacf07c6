//! The body that a client of a stream is given. It is read by the connection's own task: no task and no channel stand
//! between provider and client, so a slow reader slows the provider.
//!
//! Dropped before its end, because the client has gone, it hands what is left to a task that reads on for a bounded
//! time and charges what the provider reports. A client that stays and does not read is charged when its time is up: the
//! stream is not asked for more then, so a watch beside it ends it before the hold does.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::metering::cost;
use crate::streaming::chunk::{ForwardBuffer, StreamChunk, StreamState};
use crate::streaming::client_error::ClientStreamError;
use crate::streaming::forward::StreamForwarder;
use crate::upstream::{AnswerBody, UpstreamError};

use super::billing::BilledRequest;
use super::disconnect::DisconnectGrace;
use super::settlement_policy::CallEnding;

/// Makes the error of a stream that broke, for its request and in the client's format.
pub type StreamErrorRenderer = fn(StreamFault, &BilledRequest) -> ClientStreamError;

/// The cause that broke a stream which had begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamFault {
    /// The provider broke off, stalled, or sent what we cannot keep.
    BrokeOff,
    /// The charge could not be recorded.
    NotRecorded,
}

/// A stream on its way to the client.
#[derive(Debug)]
pub struct MeteredStream {
    phase: MeteredPhase,
    tasks: TaskTracker,
    /// The time for which it is read on when the client has gone.
    absence: DisconnectGrace,
    fault_event: StreamErrorRenderer,
    /// Counts the stream as a task: who waits for the tasks waits for it, and it finds the ledger open.
    _counted: TaskTrackerToken,
    /// Dropped with the stream, which ends the watch.
    _watched: oneshot::Sender<()>,
}

/// Shared with the watch, which takes it when the time is up.
type SharedReading = Arc<Mutex<Option<Box<StreamReading>>>>;

#[derive(Debug)]
enum MeteredPhase {
    Reading(SharedReading),
    /// The end is held back until the charge is recorded; the task does so even when the client goes.
    Settling(JoinHandle<Bytes>),
    Done,
}

#[derive(Debug)]
struct StreamReading {
    tab: Box<BilledRequest>,
    flow: Box<StreamForwarder>,
    answer: AnswerBody,
    /// The output of the reads before the stream was handed over.
    first: Option<StreamChunk>,
    /// Bytes that wait for the cost, which is told beside the last counts of tokens, before the end.
    waits: ForwardBuffer,
}

impl MeteredStream {
    /// A stream whose first read was `first`.
    #[must_use]
    pub fn new(
        tab: Box<BilledRequest>,
        mut flow: Box<StreamForwarder>,
        answer: AnswerBody,
        first: StreamChunk,
        tasks: TaskTracker,
        absence: DisconnectGrace,
        fault_event: StreamErrorRenderer,
    ) -> Self {
        let deadline = answer.deadline();
        flow.room().wait_until(deadline);
        let reading = StreamReading { tab, flow, answer, first: Some(first), waits: ForwardBuffer::default() };
        let shared: SharedReading = Arc::new(Mutex::new(Some(Box::new(reading))));
        let (watched, ended) = oneshot::channel();
        tasks.spawn(watch(shared.clone(), deadline, ended));
        let counted = tasks.token();
        let phase = MeteredPhase::Reading(shared);
        Self { phase, tasks, absence, fault_event, _counted: counted, _watched: watched }
    }

    /// Starts the settlement of a stream that has ended. The end that the client is shown waits for it.
    fn settle(&mut self, then: StreamState) {
        let Some(reading) = self.take_reading() else { return };
        let StreamReading { tab, mut flow, waits, .. } = *reading;
        flow.room().stop_waiting();
        let fault_event = self.fault_event;
        self.phase = MeteredPhase::Settling(self.tasks.spawn(async move {
            if matches!(then, StreamState::TooLarge | StreamState::NoRoom) {
                let request_id = tab.request_id;
                tracing::warn!(%request_id, cause = ?then, "a stream was ended, because we cannot keep what it sends");
            }
            let not_recorded = fault_event(StreamFault::NotRecorded, &tab);
            let (ending, last) = match then {
                StreamState::Ends(event) => (CallEnding::Complete, event),
                // The provider said that it was finished, and only forgot to say that the stream is.
                StreamState::Goes if flow.tally().finished() => (CallEnding::Complete, Bytes::new()),
                // The provider's own words, where the client can read them.
                StreamState::Failed(event) if !event.is_empty() => (CallEnding::BrokeOff, event),
                StreamState::Goes
                | StreamState::Failed(_)
                | StreamState::Broken
                | StreamState::TooLarge
                | StreamState::NoRoom => {
                    (CallEnding::BrokeOff, flow.error_event(&fault_event(StreamFault::BrokeOff, &tab)))
                }
            };
            let response = if tab.keeps() && ending == CallEnding::Complete { flow.response(&last) } else { None };
            let (cost_in, mut end) = (tab.cost_in(), waits);
            match tab.complete(ending, flow.tally(), response).await {
                Ok(charged) => {
                    end.push(last);
                    let end = end.join();
                    cost_in.zip(charged).map_or(end.clone(), |(format, charged)| cost::in_end(format, &end, charged))
                }
                Err(_) => {
                    end.push(flow.error_event(&not_recorded));
                    end.join()
                }
            }
        }));
    }

    /// Takes what is being read, unless the watch has taken it; the phase is over then.
    fn take_reading(&mut self) -> Option<Box<StreamReading>> {
        match std::mem::replace(&mut self.phase, MeteredPhase::Done) {
            MeteredPhase::Reading(shared) => taken(&shared),
            MeteredPhase::Settling(_) | MeteredPhase::Done => None,
        }
    }

    fn poll_bytes(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            match &mut self.phase {
                MeteredPhase::Reading(shared) => {
                    let shared = shared.clone();
                    let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
                    // Taken by the watch: charged, and without its end.
                    let Some(reading) = guard.as_mut() else { return Poll::Ready(None) };
                    let (StreamChunk { forward, then }, at_end) = ready!(reading.poll_taken(cx));
                    let forward = reading.without_waiting(forward);
                    drop(guard);
                    if at_end || then != StreamState::Goes {
                        self.settle(then);
                    }
                    if !forward.is_empty() {
                        return Poll::Ready(Some(forward));
                    }
                }
                MeteredPhase::Settling(task) => {
                    let last = ready!(Pin::new(task).poll(cx));
                    self.phase = MeteredPhase::Done;
                    // A settlement that panicked has no last words; the stream ends without its terminal event.
                    return Poll::Ready(last.ok().filter(|last| !last.is_empty()));
                }
                MeteredPhase::Done => return Poll::Ready(None),
            }
        }
    }
}

fn taken(shared: &SharedReading) -> Option<Box<StreamReading>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The most bytes that wait for the cost.
const WAITING_BYTES: usize = 1 << 20;

/// The time behind the answer's own deadline at which the watch looks.
///
/// A client that reads is told by the answer that it broke off, and the watch must not be quicker than that.
const WATCH_LATER: Duration = Duration::from_secs(1);

/// Ends a stream whose client has not read it by the deadline. The hold outlives the deadline, so the charge finds it.
async fn watch(shared: SharedReading, deadline: Instant, ended: oneshot::Receiver<()>) {
    tokio::select! {
        _ = ended => {}
        () = sleep_until(deadline + WATCH_LATER) => {
            if let Some(reading) = taken(&shared) {
                let StreamReading { tab, mut flow, .. } = *reading;
                flow.room().stop_waiting();
                // A failure was logged; the hold then ends by its expiry.
                let _ = tab.close(CallEnding::ClientGone, flow.tally()).await;
            }
        }
    }
}

impl StreamReading {
    /// The next read, and whether it was the provider's last.
    fn poll_taken(&mut self, cx: &mut Context<'_>) -> Poll<(StreamChunk, bool)> {
        if let Some(first) = self.first.take() {
            return Poll::Ready((first, false));
        }
        if !ready!(self.flow.poll_room(cx)) {
            return Poll::Ready((StreamChunk { forward: self.flow.held(), then: StreamState::NoRoom }, true));
        }
        Poll::Ready(match ready!(self.answer.poll_data(cx)) {
            Some(Ok(read)) => (self.flow.take(&read), false),
            None => (self.flow.end(), true),
            Some(Err(error)) => {
                let request_id = self.tab.request_id;
                tracing::warn!(%request_id, error = &error as &dyn std::error::Error, "a provider broke off a stream");
                (StreamChunk { forward: self.flow.held(), then: StreamState::Broken }, true)
            }
        })
    }

    /// The bytes that go to the client now.
    ///
    /// Where it wants the cost, all that comes once the provider has said why the answer ended waits for the charge, unless
    /// that is more than counts of tokens can be.
    fn without_waiting(&mut self, forward: Bytes) -> Bytes {
        if self.tab.cost_in().is_none() || !self.flow.tally().finished() {
            return forward;
        }
        self.waits.push(forward);
        if self.waits.len() > WAITING_BYTES { std::mem::take(&mut self.waits).join() } else { Bytes::new() }
    }

    /// The next read of a stream without a client.
    async fn read_on(&mut self) -> Option<Result<Bytes, UpstreamError>> {
        if self.flow.has_room().await { self.answer.data().await } else { Some(Err(UpstreamError::NoRoom)) }
    }

    /// Reads on without a client, then charges.
    async fn drain(mut self, mut absence: DisconnectGrace) {
        self.answer.hurry(absence.deadline());
        let mut then = self.first.take().map_or(StreamState::Goes, |first| first.then);
        while then == StreamState::Goes {
            let read = tokio::select! {
                read = self.read_on() => read,
                () = absence.wait_until_over() => break,
            };
            match read {
                Some(Ok(read)) => then = self.flow.take(&read).then,
                None => {
                    then = self.flow.end().then;
                    break;
                }
                Some(Err(_)) => break,
            }
        }
        self.flow.room().stop_waiting();
        // It can be asked for by the id that the client was shown.
        let response = match then {
            StreamState::Ends(last) if self.tab.keeps() => self.flow.response(&last),
            StreamState::Ends(_)
            | StreamState::Goes
            | StreamState::Failed(_)
            | StreamState::Broken
            | StreamState::TooLarge
            | StreamState::NoRoom => None,
        };
        // A failure was logged; the hold then ends by its expiry.
        let _ = self.tab.complete(CallEnding::ClientGone, self.flow.tally(), response).await;
    }
}

impl Drop for MeteredStream {
    fn drop(&mut self) {
        if let Some(reading) = self.take_reading() {
            self.tasks.spawn(reading.drain(self.absence.clone()));
        }
    }
}

impl Body for MeteredStream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.get_mut().poll_bytes(cx).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.phase, MeteredPhase::Done)
    }
}
