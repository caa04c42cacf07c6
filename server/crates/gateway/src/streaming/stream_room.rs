//! The memory of one stream: an event that has not come whole, what is held back, and what a converted answer has gathered.
//!
//! A stream waits for memory as long as a whole answer does, and in one line with them. Until it has it, the provider is not asked
//! for more.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use tokio::time::Instant;

use tollgate_api::generated::limits;
use tollgate_api::{BodyMemory, BodyMemoryPermit};

use super::chunk::{StreamChunk, StreamState};

/// The bytes that a stream keeps uncounted. Nearly all streams stay below.
pub const UNCOUNTED_BYTES: usize = limits::UPSTREAM_LINE;

/// The bytes that a stream may keep, counted with those of whole answers once they are many.
#[derive(Debug)]
pub struct StreamRoom {
    bytes_max: usize,
    /// The memory that all answers share; absent where only the size is bounded.
    budget: Option<BodyMemory>,
    spent: BodyMemoryPermit,
    counted: usize,
    /// The wait for memory that the stream keeps already, which is no more than one read has brought.
    wait: Option<RoomWait>,
    /// The end of all waits.
    deadline: Option<Instant>,
}

struct RoomWait {
    /// The bytes that are missing.
    bytes: usize,
    /// Gives them, or `None` when the time is up.
    permit: Pin<Box<dyn Future<Output = Option<BodyMemoryPermit>> + Send + Sync>>,
}

impl fmt::Debug for RoomWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoomWait").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl StreamRoom {
    /// Room for so many bytes, out of the memory of all answers.
    #[must_use]
    pub fn new(bytes_max: usize, budget: BodyMemory) -> Self {
        Self { budget: Some(budget), ..Self::uncounted(bytes_max) }
    }

    /// Room for so many bytes, whatever other answers take.
    #[must_use]
    pub fn uncounted(bytes_max: usize) -> Self {
        Self { bytes_max, budget: None, spent: BodyMemoryPermit::default(), counted: 0, wait: None, deadline: None }
    }

    /// Waits no longer than this: behind it, nobody reads what is waited for.
    pub fn wait_until(&mut self, deadline: Instant) {
        self.deadline = Some(deadline);
    }

    /// Gives up the place among those that wait.
    pub fn stop_waiting(&mut self) {
        self.wait = None;
    }

    /// True if the stream may keep so many bytes.
    #[must_use]
    pub fn fits(&self, bytes: usize) -> bool {
        bytes <= self.bytes_max
    }

    /// The output of a read, after which the stream keeps `kept` bytes. It ends here where it may not.
    pub fn passed(&mut self, chunk: StreamChunk, kept: usize) -> StreamChunk {
        let StreamChunk { forward, then } = chunk;
        let forward = self.on(forward);
        let then = match then {
            StreamState::Goes => self.keep(kept),
            StreamState::Ends(last) => StreamState::Ends(self.on(last)),
            then => then,
        };
        StreamChunk { forward, then }
    }

    /// A large event that is kept no more, counted until the client has it.
    fn on(&mut self, bytes: Bytes) -> Bytes {
        if self.counted == 0 || bytes.len() <= UNCOUNTED_BYTES {
            return bytes;
        }
        (self.counted, self.wait) = (0, None);
        std::mem::take(&mut self.spent).on(bytes)
    }

    fn keep(&mut self, bytes: usize) -> StreamState {
        if !self.fits(bytes) {
            return StreamState::TooLarge;
        }
        let Some(budget) = &self.budget else { return StreamState::Goes };
        // The buffer doubles as it grows.
        let needed = if bytes <= UNCOUNTED_BYTES { 0 } else { bytes.next_power_of_two().min(self.bytes_max) };
        self.wait = None;
        if needed > self.counted && !budget.try_acquire(needed - self.counted, &mut self.spent) {
            let ends = Instant::now() + limits::ANSWERS_IN_FLIGHT_WAIT;
            let ends = self.deadline.map_or(ends, |deadline| deadline.min(ends));
            self.wait = Some(RoomWait::new(budget.clone(), needed - self.counted, ends));
            return StreamState::Goes;
        }
        self.spent.shrink(needed);
        self.counted = needed;
        StreamState::Goes
    }

    /// Waits for the memory that is missing. False if there was none in time: the stream ends then.
    pub fn poll_had(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        let Some(wait) = &mut self.wait else { return Poll::Ready(true) };
        let (more, bytes) = (ready!(wait.permit.as_mut().poll(cx)), wait.bytes);
        self.wait = None;
        let Some(more) = more else { return Poll::Ready(false) };
        self.spent.join(more);
        self.counted += bytes;
        Poll::Ready(true)
    }
}

impl RoomWait {
    fn new(budget: BodyMemory, bytes: usize, deadline: Instant) -> Self {
        let permit = Box::pin(async move {
            let mut more = BodyMemoryPermit::default();
            budget.acquire_until(deadline, bytes, &mut more).await.then_some(more)
        });
        Self { bytes, permit }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    const MIB: usize = 1 << 20;

    fn goes(forward: &Bytes) -> StreamChunk {
        StreamChunk { forward: forward.clone(), then: StreamState::Goes }
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_stream_keeps_is_counted_until_the_client_has_it() {
        let budget = BodyMemory::new(20 * MIB);
        let is_free = |bytes: usize| budget.try_acquire(bytes, &mut BodyMemoryPermit::default());
        let mut room = StreamRoom::new(32 * MIB, budget.clone());
        let nothing = Bytes::new();
        assert_eq!(room.passed(goes(&nothing), UNCOUNTED_BYTES).then, StreamState::Goes);
        assert!(is_free(20 * MIB), "a small one is not counted");
        assert_eq!(room.passed(goes(&nothing), 5 * MIB).then, StreamState::Goes);
        assert!(is_free(12 * MIB) && !is_free(13 * MIB), "8 MiB are counted");
        assert!(poll_fn(|cx| room.poll_had(cx)).await, "nothing is missing");
        // The event has come whole: it is the client's.
        let shown = room.passed(goes(&vec![b'x'; 5 * MIB].into()), 0).forward;
        assert!(!is_free(13 * MIB));
        drop(shown);
        assert!(is_free(20 * MIB));
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_waits_for_memory_as_a_whole_answer_does() {
        let budget = BodyMemory::new(20 * MIB);
        let mut other = BodyMemoryPermit::default();
        assert!(budget.try_acquire(8 * MIB, &mut other));
        let mut room = StreamRoom::new(32 * MIB, budget.clone());
        let nothing = Bytes::new();
        assert_eq!(room.passed(goes(&nothing), 9 * MIB).then, StreamState::Goes);
        let ends = async move {
            tokio::time::sleep(limits::ANSWERS_IN_FLIGHT_WAIT / 2).await;
            drop(other);
        };
        let (had, ()) = tokio::join!(poll_fn(|cx| room.poll_had(cx)), ends);
        assert!(had, "the other one has ended");
        assert!(!budget.try_acquire(5 * MIB, &mut BodyMemoryPermit::default()), "16 MiB are counted");
        assert_eq!(room.passed(goes(&nothing), 17 * MIB).then, StreamState::Goes);
        let since = Instant::now();
        assert!(!poll_fn(|cx| room.poll_had(cx)).await, "there is no more than 20 MiB");
        assert!(since.elapsed() >= limits::ANSWERS_IN_FLIGHT_WAIT);
        drop(room);
        assert!(budget.try_acquire(20 * MIB, &mut BodyMemoryPermit::default()));
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_beyond_the_deadline_or_keeps_a_place_that_is_not_wanted() {
        let budget = BodyMemory::new(20 * MIB);
        let mut room = StreamRoom::new(32 * MIB, budget.clone());
        let (since, nothing) = (Instant::now(), Bytes::new());
        room.wait_until(since + limits::ANSWERS_IN_FLIGHT_WAIT / 5);
        assert_eq!(room.passed(goes(&nothing), 17 * MIB).then, StreamState::Goes);
        assert!(!poll_fn(|cx| room.poll_had(cx)).await);
        assert!(since.elapsed() < limits::ANSWERS_IN_FLIGHT_WAIT / 2);
        // One that waits is first in the line, until it leaves it.
        room.wait_until(Instant::now() + limits::ANSWERS_IN_FLIGHT_WAIT);
        assert_eq!(room.passed(goes(&nothing), 17 * MIB).then, StreamState::Goes);
        assert!(poll_fn(|cx| Poll::Ready(room.poll_had(cx).is_pending())).await);
        assert!(!budget.try_acquire(MIB, &mut BodyMemoryPermit::default()));
        room.stop_waiting();
        assert!(budget.try_acquire(20 * MIB, &mut BodyMemoryPermit::default()));
    }

    #[test]
    fn an_end_is_counted_as_any_event_is() {
        let budget = BodyMemory::new(8 * MIB);
        let mut room = StreamRoom::new(32 * MIB, budget.clone());
        assert_eq!(room.passed(goes(&Bytes::new()), 8 * MIB).then, StreamState::Goes);
        let ends = StreamState::Ends(vec![b'x'; 8 * MIB].into());
        let last = room.passed(StreamChunk { forward: Bytes::new(), then: ends }, 0);
        assert!(!budget.try_acquire(1, &mut BodyMemoryPermit::default()));
        drop(last);
        assert!(budget.try_acquire(8 * MIB, &mut BodyMemoryPermit::default()));
    }

    #[test]
    fn no_stream_keeps_more_than_one_may() {
        let mut room = StreamRoom::uncounted(10);
        assert_eq!(room.passed(goes(&Bytes::new()), 10).then, StreamState::Goes);
        assert_eq!(room.passed(goes(&Bytes::new()), 11).then, StreamState::TooLarge);
    }
}
