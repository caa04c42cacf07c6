//! What may differ for one call.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;

use super::head::ResponseHead;

/// What may differ for one call.
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// Carries the request out once, however often it is sent; it is then sent again where that can help. For the calls that
    /// say so of themselves; the others do not send anything with it.
    pub idempotency_key: Option<String>,
    /// Further headers.
    pub headers: HeaderMap,
    /// How often a request that may be sent again is sent again.
    pub max_retries: Option<u32>,
    /// How long to wait for the head of an answer, and for each further part of it.
    pub timeout: Option<Duration>,
    /// Is told of each answer's head, before its body is read.
    pub on_response: Option<OnResponse>,
}

/// What is told of the heads of answers.
#[derive(Clone)]
pub struct OnResponse(pub(super) Arc<dyn Fn(&ResponseHead) + Send + Sync>);

impl OnResponse {
    /// Tells this.
    pub fn new(tell: impl Fn(&ResponseHead) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }
}

impl fmt::Debug for OnResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("OnResponse")
    }
}
