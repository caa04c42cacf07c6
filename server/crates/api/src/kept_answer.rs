//! Answers that are kept to be given again, and the ends of requests that leave one or none.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, StatusCode};

use super::{ProxyReply, ProxyReplyBody, RequestId};
use crate::generated::runtime_headers::SHOULD_RETRY;

/// An answer as it is given again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The request that it was given to.
    pub first: RequestId,
    /// Its status.
    pub status: StatusCode,
    /// Its headers, but for those that every answer gets.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

impl KeptAnswer {
    /// A whole answer as it is kept, if it is one that can be given again.
    #[must_use]
    pub fn of(reply: ProxyReply, first: RequestId) -> Option<Self> {
        let ProxyReply { status, headers, body: ProxyReplyBody::Whole(body) } = reply else { return None };
        let is_kept = is_json(&headers) && !may_run_again(status, &headers, false);
        is_kept.then_some(Self { first, status, headers, body })
    }
}

/// The end of a first request.
#[derive(Debug, PartialEq, Eq)]
pub enum IdempotentEnd {
    /// It was answered, and the answer can be given again if it is not too large.
    Answered(KeptAnswer),
    /// It was answered by a stream, which cannot be given again.
    Done,
    /// It may be sent again: nothing came of it, unless it was charged.
    MayRunAgain,
}

/// True for an answer after which the request may be sent again, so that nothing of it is kept. `is_refusal`: it refuses the
/// request, whatever its status.
pub(super) fn may_run_again(status: StatusCode, headers: &HeaderMap, is_refusal: bool) -> bool {
    let says_so = headers.get(SHOULD_RETRY).is_some_and(|told| told == "true") || headers.contains_key(RETRY_AFTER);
    // What is refused for want of money or rights is another matter once these are there.
    let lacks = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::PAYMENT_REQUIRED | StatusCode::FORBIDDEN);
    // Of an operation whose refusals are told with a status of success.
    let refused = status.is_success() && is_refusal;
    status.is_server_error() || says_so || lacks || refused
}

pub(super) fn is_json(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}
