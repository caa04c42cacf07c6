//! A request whose operation is known.

use tokio::time::Instant;

use super::{Envelope, Operation, RequestId};

/// A request of a known operation, on its way to an answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct DispatchedRequest {
    pub operation: &'static Operation,
    pub envelope: &'static Envelope,
    pub request_id: RequestId,
    pub started: Instant,
}
