//! The observer of answers, for logs and metrics.

use http::StatusCode;
use tokio::time::Instant;

use super::{CodeInfo, Operation, RequestId};

/// An observer, told of every answer once its head is known; a stream may still be running.
/// Called on the request's task, so it must be quick.
pub trait ResponseObserver: Send + Sync + 'static {
    /// One answer.
    fn answered(&self, answered: &ObservedResponse);
}

/// One answer, as an observer learns of it.
#[derive(Debug, Clone, Copy)]
pub struct ObservedResponse {
    /// The operation; `None` where no operation matched.
    pub operation: Option<&'static Operation>,
    /// The request.
    pub request_id: RequestId,
    /// The status that was sent.
    pub status: StatusCode,
    /// The error code, unless it succeeded.
    pub code: Option<&'static CodeInfo>,
    /// The moment at which the request arrived; the head of the answer is about to be sent.
    pub began: Instant,
}
