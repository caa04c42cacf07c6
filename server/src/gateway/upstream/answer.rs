//! A provider's answer, read piece by piece under two bounds: on its silence, and on the whole.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode};
use http_body::Body;
use tokio::time::{Instant, Sleep, sleep_until};

use super::UpstreamError;
use super::send::Place;

/// The head of an answer, and its body to be read.
#[derive(Debug)]
pub struct Answer {
    /// The provider's status.
    pub status: StatusCode,
    /// The provider's headers, all of them.
    pub headers: HeaderMap,
    /// What follows.
    pub body: AnswerBody,
}

/// By when an answer must have come how far.
#[derive(Debug, Clone, Copy)]
pub struct Deadlines {
    /// To the point from which on it [flows](AnswerBody::flow).
    pub begin: Instant,
    /// To its end.
    pub whole: Instant,
}

/// The body of an answer. Dropping it cancels the request.
#[derive(Debug)]
pub struct AnswerBody {
    body: Pin<Box<reqwest::Body>>,
    _place: Place,
    /// The longest silence once it flows.
    idle: Duration,
    deadlines: Deadlines,
    flows: bool,
    first_read: Option<Instant>,
    last_read: Instant,
    /// Wakes at the nearer bound as of when it was set; it is not moved at every read, but checked when it fires.
    alarm: Pin<Box<Sleep>>,
}

impl AnswerBody {
    pub(super) fn new(body: reqwest::Body, idle: Duration, deadlines: Deadlines, place: Place) -> Self {
        let alarm = Box::pin(sleep_until(deadlines.begin.min(deadlines.whole)));
        let last_read = Instant::now();
        Self { body: Box::pin(body), _place: place, idle, deadlines, flows: false, first_read: None, last_read, alarm }
    }

    /// From here on a silence ends the answer, and no longer the time by which it had to begin.
    pub fn flow(&mut self) {
        self.flows = true;
        let bound = self.bound();
        self.alarm.as_mut().reset(bound);
    }

    /// Moves the bound for the whole nearer; it never moves away.
    pub fn hurry(&mut self, deadline: Instant) {
        self.deadlines.whole = self.deadlines.whole.min(deadline);
        let bound = self.bound();
        self.alarm.as_mut().reset(bound);
    }

    /// The next piece; `None` at a proper end.
    pub fn poll_data(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, UpstreamError>>> {
        // Looked at before every read: what comes in drops must not stretch the whole beyond what was held for.
        if self.deadline() <= Instant::now() {
            return Poll::Ready(Some(Err(UpstreamError::TooSlow)));
        }
        loop {
            match self.body.as_mut().poll_frame(cx) {
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Ready(Some(Err(error))) => {
                    return Poll::Ready(Some(Err(UpstreamError::BrokeOff(error.without_url()))));
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

    /// The bound that no read moves: for beginning, and then for the whole.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        if self.flows { self.deadlines.whole } else { self.deadlines.begin.min(self.deadlines.whole) }
    }

    fn bound(&self) -> Instant {
        if self.flows { self.deadline().min(self.last_read + self.idle) } else { self.deadline() }
    }

    /// When its first piece came.
    #[must_use]
    pub fn first_read(&self) -> Option<Instant> {
        self.first_read
    }

    /// The next piece; `None` at a proper end.
    pub async fn data(&mut self) -> Option<Result<Bytes, UpstreamError>> {
        poll_fn(|cx| self.poll_data(cx)).await
    }

    /// Everything, up to `bytes_max`.
    ///
    /// # Errors
    /// Says why not everything came.
    pub async fn whole(&mut self, bytes_max: usize) -> Result<Bytes, UpstreamError> {
        let mut first = Bytes::new();
        let mut more = BytesMut::new();
        while let Some(piece) = self.data().await {
            let piece = piece?;
            if first.len() + more.len() + piece.len() > bytes_max {
                return Err(UpstreamError::TooLarge);
            }
            // Most answers come in one piece, which is then never copied.
            if first.is_empty() {
                first = piece;
            } else {
                more.extend_from_slice(&piece);
            }
        }
        Ok(if more.is_empty() { first } else { [first, more.freeze()].concat().into() })
    }
}
