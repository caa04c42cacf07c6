//! A provider's answer, read piece by piece under two bounds: between two reads, and for the whole.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode};
use http_body::Body;
use tokio::time::{Instant, Sleep, sleep_until};

use super::UpstreamError;

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

/// The body of an answer. Dropping it cancels the request.
#[derive(Debug)]
pub struct AnswerBody {
    body: Pin<Box<reqwest::Body>>,
    idle: Duration,
    deadline: Instant,
    last_read: Instant,
    /// Wakes at the nearer bound as of when it was set; it is not moved at every read, but checked when it fires.
    alarm: Pin<Box<Sleep>>,
}

impl AnswerBody {
    pub(super) fn new(body: reqwest::Body, idle: Duration, deadline: Instant) -> Self {
        let last_read = Instant::now();
        let alarm = Box::pin(sleep_until(deadline.min(last_read + idle)));
        Self { body: Box::pin(body), idle, deadline, last_read, alarm }
    }

    /// Moves the bound for the whole nearer; it never moves away.
    pub fn hurry(&mut self, deadline: Instant) {
        self.deadline = self.deadline.min(deadline);
        self.alarm.as_mut().reset(self.deadline.min(self.last_read + self.idle));
    }

    /// The next piece; `None` at a proper end.
    pub fn poll_data(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, UpstreamError>>> {
        // Looked at before every read: a slow reader must not stretch the whole beyond what was held for.
        if self.deadline <= Instant::now() {
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
                        return Poll::Ready(Some(Ok(data)));
                    }
                }
                Poll::Pending => break,
            }
        }
        loop {
            ready!(self.alarm.as_mut().poll(cx));
            let bound = self.deadline.min(self.last_read + self.idle);
            if bound <= Instant::now() {
                return Poll::Ready(Some(Err(UpstreamError::TooSlow)));
            }
            self.alarm.as_mut().reset(bound);
        }
    }

    /// When the whole must have been read.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The next piece; `None` at a proper end.
    pub async fn data(&mut self) -> Option<Result<Bytes, UpstreamError>> {
        poll_fn(|cx| self.poll_data(cx)).await
    }

    /// Everything, up to `bytes_max`. What had arrived when it failed is given back with the failure.
    pub async fn whole(&mut self, bytes_max: usize) -> Result<Bytes, (Bytes, UpstreamError)> {
        let mut first = Bytes::new();
        let mut more = BytesMut::new();
        while let Some(piece) = self.data().await {
            match piece {
                Err(error) => return Err((joined(first, more), error)),
                Ok(piece) if first.len() + more.len() + piece.len() > bytes_max => {
                    return Err((joined(first, more), UpstreamError::TooLarge));
                }
                // Most answers come in one piece, which is then never copied.
                Ok(piece) if first.is_empty() => first = piece,
                Ok(piece) => more.extend_from_slice(&piece),
            }
        }
        Ok(joined(first, more))
    }
}

fn joined(first: Bytes, more: BytesMut) -> Bytes {
    if more.is_empty() { first } else { [first, more.freeze()].concat().into() }
}
