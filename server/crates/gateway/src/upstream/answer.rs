//! A provider's answer, read piece by piece under an idle timeout and a deadline for the whole.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode};
use http_body::Body;
use tokio::time::{Instant, Sleep, sleep_until};

use tollgate_api::generated::limits;
use tollgate_api::{BodyMemory, BodyMemoryPermit};
use tollgate_net::ResponseBody;

use super::UpstreamError;
use super::permit::UpstreamPermit;

/// The head of an answer, and its body to be read.
#[derive(Debug)]
pub struct UpstreamAnswer {
    /// The provider's status.
    pub status: StatusCode,
    /// The provider's headers, all of them.
    pub headers: HeaderMap,
    /// The body, not yet read.
    pub body: AnswerBody,
}

/// The deadlines of an answer.
#[derive(Debug, Clone, Copy)]
pub struct AnswerDeadlines {
    /// The deadline for the point from which on it [flows](AnswerBody::flow).
    pub begin: Instant,
    /// The deadline for its end.
    pub whole: Instant,
}

/// The body of an answer. Dropping it cancels the request.
#[derive(Debug)]
pub struct AnswerBody {
    body: ResponseBody,
    _place: UpstreamPermit,
    /// The longest time between two reads once it flows.
    idle: Duration,
    deadlines: AnswerDeadlines,
    flows: bool,
    first_read: Option<Instant>,
    last_read: Instant,
    /// The timer, set to the nearer deadline. It is not moved at every read, but checked when it fires.
    alarm: Pin<Box<Sleep>>,
}

impl AnswerBody {
    pub(super) fn new(body: ResponseBody, idle: Duration, deadlines: AnswerDeadlines, place: UpstreamPermit) -> Self {
        let alarm = Box::pin(sleep_until(deadlines.begin.min(deadlines.whole)));
        let last_read = Instant::now();
        Self { body, _place: place, idle, deadlines, flows: false, first_read: None, last_read, alarm }
    }

    /// Switches from the deadline for the beginning to the idle timeout.
    pub fn flow(&mut self) {
        self.flows = true;
        let bound = self.bound();
        self.alarm.as_mut().reset(bound);
    }

    /// Moves the deadline for the whole nearer; it never moves away.
    pub fn hurry(&mut self, deadline: Instant) {
        self.deadlines.whole = self.deadlines.whole.min(deadline);
        let bound = self.bound();
        self.alarm.as_mut().reset(bound);
    }

    /// The next piece; `None` at a proper end.
    pub fn poll_data(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, UpstreamError>>> {
        // Checked before every read: an answer that trickles in must not last longer than its hold.
        if self.deadline() <= Instant::now() {
            return Poll::Ready(Some(Err(UpstreamError::TooSlow)));
        }
        loop {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Ready(Some(Err(error))) => {
                    return Poll::Ready(Some(Err(UpstreamError::BrokeOff(error.into()))));
                }
                Poll::Ready(Some(Ok(frame))) => {
                    self.last_read = Instant::now();
                    if let Ok(data) = frame.into_data() {
                        self.first_read.get_or_insert(self.last_read);
                        return Poll::Ready(Some(Ok(data)));
                    }
                }
                Poll::Pending => break,
            }
        }
        loop {
            ready!(self.alarm.as_mut().poll(cx));
            let bound = self.bound();
            if bound <= Instant::now() {
                return Poll::Ready(Some(Err(UpstreamError::TooSlow)));
            }
            self.alarm.as_mut().reset(bound);
        }
    }

    /// The deadline that no read moves: for the beginning, and later for the whole.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        if self.flows { self.deadlines.whole } else { self.deadlines.begin.min(self.deadlines.whole) }
    }

    fn bound(&self) -> Instant {
        if self.flows { self.deadline().min(self.last_read + self.idle) } else { self.deadline() }
    }

    /// The time of the first piece.
    #[must_use]
    pub fn first_read(&self) -> Option<Instant> {
        self.first_read
    }

    /// The next piece; `None` at a proper end.
    pub async fn data(&mut self) -> Option<Result<Bytes, UpstreamError>> {
        poll_fn(|cx| self.poll_data(cx)).await
    }

    /// The whole body, within the limits of `room`.
    ///
    /// # Errors
    /// [`UpstreamError`] where the body broke off, was too slow or too large, or memory was short.
    pub async fn whole(&mut self, room: AnswerRoom<'_>) -> Result<WholeAnswer, UpstreamError> {
        let told = self.body.size_hint().exact().map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        let mut reading = WholeAnswerReader {
            room,
            told,
            spent: BodyMemoryPermit::default(),
            first: Bytes::new(),
            more: BytesMut::new(),
        };
        while let Some(piece) = self.data().await {
            reading.add(piece?).await?;
        }
        Ok(reading.done())
    }
}

/// The memory that a whole answer may use.
#[derive(Debug, Clone, Copy)]
pub struct AnswerRoom<'a> {
    /// The most bytes of this answer.
    pub bytes_max: usize,
    /// The memory that all answers share.
    pub budget: &'a BodyMemory,
}

/// A whole answer and its share of the memory.
#[derive(Debug)]
pub struct WholeAnswer {
    /// The answer.
    pub bytes: Bytes,
    spent: BodyMemoryPermit,
}

impl WholeAnswer {
    /// The answer, or bytes made of it; its memory is accounted as long as any part of them is kept.
    #[must_use]
    pub fn counted(self, bytes: impl FnOnce(Bytes) -> Bytes) -> Bytes {
        self.spent.on(bytes(self.bytes))
    }
}

/// A whole answer that is being read.
struct WholeAnswerReader<'a> {
    room: AnswerRoom<'a>,
    /// Its size from the Content-Length, where there is one.
    told: Option<usize>,
    spent: BodyMemoryPermit,
    /// The first piece. Most answers come in one, which is then never copied.
    first: Bytes,
    more: BytesMut,
}

impl WholeAnswerReader<'_> {
    async fn add(&mut self, piece: Bytes) -> Result<(), UpstreamError> {
        let read = self.first.len().max(self.more.len());
        let needed = read + piece.len();
        if needed.max(self.told.unwrap_or_default()) > self.room.bytes_max {
            return Err(UpstreamError::TooLarge);
        }
        if read == 0 {
            self.take(self.told.unwrap_or_default().max(needed)).await?;
            self.first = piece;
            return Ok(());
        }
        if needed > self.more.capacity() {
            self.grow(needed).await?;
        }
        self.more.extend_from_slice(&piece);
        Ok(())
    }

    /// Grows the buffer to at least `needed` bytes: to the announced size, accounted already, or the next power of two.
    /// The memory of the old buffer is given back after its bytes were moved.
    async fn grow(&mut self, needed: usize) -> Result<(), UpstreamError> {
        let told = self.told.unwrap_or_default();
        let capacity = if needed <= told { told } else { needed.next_power_of_two().min(self.room.bytes_max) };
        if capacity > told {
            self.take(capacity).await?;
        }
        let mut more = BytesMut::with_capacity(capacity);
        more.extend_from_slice(if self.more.is_empty() { &self.first } else { &self.more });
        (self.first, self.more) = (Bytes::new(), more);
        self.spent.shrink(capacity);
        Ok(())
    }

    async fn take(&mut self, bytes: usize) -> Result<(), UpstreamError> {
        let deadline = Instant::now() + limits::ANSWERS_IN_FLIGHT_WAIT;
        match self.room.budget.acquire_until(deadline, bytes, &mut self.spent).await {
            true => Ok(()),
            false => Err(UpstreamError::NoRoom),
        }
    }

    fn done(mut self) -> WholeAnswer {
        let bytes = if self.more.is_empty() { self.first } else { self.more.freeze() };
        self.spent.shrink(bytes.len());
        WholeAnswer { bytes, spent: self.spent }
    }
}
