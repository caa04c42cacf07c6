//! The options of one call.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;

use super::head::ResponseHead;

/// The options of one call.
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// Carries the request out once, however often it is sent; it is then sent again where that can help. For the calls that
    /// say so of themselves; the others do not send anything with it.
    pub idempotency_key: Option<String>,
    /// Further headers.
    pub headers: HeaderMap,
    /// Times that a request is sent again, where it may be.
    pub max_retries: Option<u32>,
    /// Time to wait for the head of an answer, and for each further part of it.
    pub timeout: Option<Duration>,
    /// Is told of each answer's head, before its body is read.
    pub on_response: Option<OnResponse>,
}

/// An observer of the heads of answers.
#[derive(Clone)]
pub struct OnResponse(pub(super) Arc<dyn Fn(&ResponseHead) + Send + Sync>);

impl OnResponse {
    /// Calls `tell` with each head.
    pub fn new(tell: impl Fn(&ResponseHead) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }
}

impl fmt::Debug for OnResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("OnResponse")
    }
}
