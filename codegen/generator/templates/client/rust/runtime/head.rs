//! The head of an answer.

use std::time::Duration;

use reqwest::header::HeaderMap;

use super::operation::Operation;

/// The head of an answer: its status and headers.
#[derive(Debug, Clone)]
pub struct ResponseHead {
    /// The operation that was called.
    pub operation: &'static str,
    /// The status.
    pub status: u16,
    /// Id of the request, as on its receipt.
    pub request_id: Option<String>,
    /// Its headers.
    pub headers: HeaderMap,
    pub(super) should_retry: bool,
    pub(super) retry_after: Option<Duration>,
}

impl ResponseHead {
    pub(super) fn of(operation: &'static Operation, response: &reqwest::Response) -> Self {
        let word = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        Self {
            operation: operation.id,
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            request_id: word("{{request_id}}").map(str::to_owned),
            should_retry: word("{{should_retry}}") == Some("true"),
            retry_after: word("retry-after").and_then(|text| text.parse().ok()).map(Duration::from_secs),
        }
    }

    /// True if events follow.
    pub(super) fn is_stream(&self) -> bool {
        let kind = self.headers.get(reqwest::header::CONTENT_TYPE);
        kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
    }
}
