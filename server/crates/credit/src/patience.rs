//! The time that callers of the ledger wait for it.

use std::time::Duration;

/// The longest wait of a caller for something to be written. A client is told within five seconds what becomes of its request,
/// and the rest of the way takes some of them. A hold that is written after all is released; an ending stays queued.
pub(super) const PATIENCE: Duration = Duration::from_secs(4);
