//! Holds without rows, so that the workspace's bench can measure what the ledger costs a gateway.
//!
//! Compiled in with the feature `money-off` alone, which the bench turns on and a build of the server does not; and then still
//! of no effect without an environment variable. Nothing is written, nothing is charged, and nobody waits for the writer.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

use super::hold::{OpenHold, WriterQueue};
use super::hold_ending::HoldEnding;
use super::limits::RateLimitState;
use super::{Hold, HoldRequest, SettledAmounts};
use tollgate_base::{HoldId, Usd};

/// Features are joined over a workspace, so a binary that was built beside the bench may have this one. Whoever sets the
/// variable by its name alone has not said what it does.
const ASKED_FOR_BY: &str = "TOLLGATE_MONEY_OFF";
const ASKED_FOR: &str = "nothing is charged";

/// True if this process holds and charges nothing.
pub(super) fn is_on() -> bool {
    static ON: OnceLock<bool> = OnceLock::new();
    *ON.get_or_init(|| {
        let on = std::env::var(ASKED_FOR_BY).is_ok_and(|asked| asked == ASKED_FOR);
        if on {
            tracing::error!(target: "alarm", alarm = "money-off", "nothing is held and nothing is charged by this process");
        }
        on
    })
}

/// A hold without a row.
pub(super) fn hold(ask: &HoldRequest, queue: &WriterQueue) -> Hold {
    static LAST: AtomicI64 = AtomicI64::new(0);
    let held = OpenHold {
        id: HoldId(LAST.fetch_add(1, Ordering::Relaxed)),
        account: ask.account,
        request: ask.request,
        amount: ask.want,
        standing: RateLimitState::default(),
    };
    Hold::durable(held, queue)
}

/// Ends a hold without a row.
pub(super) fn end(hold: Hold, ending: &HoldEnding) -> SettledAmounts {
    drop(hold);
    SettledAmounts { charged: ending.cost, shortfall: Usd::ZERO }
}
