//! A notice that was sent, and the answer of the merchant.

use serde::Serialize;

/// A sending of a notice, as `GET /control/notices` tells it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Sent {
    pub(super) payment_request_id: String,
    pub(super) notify_type: String,
    /// The merchant's status; absent where it was not reached.
    pub(super) status: Option<u16>,
    pub(super) acknowledged: bool,
    /// True if the acknowledgement was signed by the merchant.
    pub(super) signed: bool,
}
