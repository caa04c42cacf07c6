//! The commits of this room. Whatever is written here becomes durable by one of these steps, and before and after each of
//! them a test can end the process: nothing of a step may be there after the one, and all of it after the other.
//!
//! Such an end is compiled in with the feature `crash-points` alone, which the tests of the workspace turn on and a build of
//! the server does not. `tests/tidy/commits.rs` sees to it that nobody commits past this file.

use super::ledger::Plan;
use crate::store::{StoreError, Transaction};

macro_rules! steps {
    ($($(#[$doc:meta])+ $step:ident = $name:literal,)+) => {
        /// What is made durable by a commit of its own, or by that of the batch it is in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Step {
            $($(#[$doc])+ $step,)+
        }

        #[cfg(feature = "crash-points")]
        impl Step {
            /// Each of them.
            pub const ALL: &[Self] = &[$(Self::$step),+];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$step => $name,)+
                }
            }
        }
    };
}

steps! {
    /// Money is reserved.
    Hold = "hold",
    /// It is charged, and the rest given back.
    Settle = "settle",
    /// It is given back whole.
    Release = "release",
    /// It is given back because its time is over and its owner gone.
    Sweep = "sweep",
    /// Money is reserved for what outlives the process.
    Keep = "keep",
    /// That is charged.
    SettleKept = "settle-kept",
    /// That is given back.
    ReleaseKept = "release-kept",
    /// Credit is given by hand.
    Grant = "grant",
    /// A server starts, and what starts held that are gone is given back.
    Start = "start",
    /// A server says that it is there.
    Beat = "beat",
    /// Servers that went silent are taken for gone.
    Bury = "bury",
    /// A server says that it has ended.
    Resign = "resign",
    /// A link of the chain of seals.
    Seal = "seal",
    /// Its head is told.
    TellSeal = "tell-seal",
    /// A request has its Idempotency-Key.
    GiveKey = "give-key",
    /// What came of it is kept, or that it may run again.
    EndKey = "end-key",
    /// Keys whose time is over are forgotten.
    PurgeKeys = "purge-keys",
}

/// On which side of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Everything is written and nothing committed.
    Before,
    /// It is committed and nobody was told.
    After,
}

#[cfg(feature = "crash-points")]
impl Side {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Before, Self::After];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

/// Commits a transaction that makes `step` durable.
pub(super) async fn commit(transaction: Transaction, step: Step, what: &'static str) -> Result<(), StoreError> {
    reached(step, Side::Before);
    transaction.commit().await.map_err(StoreError::commit(what))?;
    reached(step, Side::After);
    Ok(())
}

/// The writer commits a batch in the words of its database, between two of these.
pub(super) fn batch_reached(plan: &Plan<'_>, side: Side) {
    for hold in &plan.holds {
        reached(if hold.rider.is_empty() { Step::Hold } else { Step::Keep }, side);
    }
    for receipt in &plan.receipts {
        let ending = receipt.ending;
        reached(
            match (ending.if_expired, ending.rider.is_empty(), ending.usage.is_some()) {
                (true, _, _) => Step::Sweep,
                (false, true, true) => Step::Settle,
                (false, true, false) => Step::Release,
                (false, false, true) => Step::SettleKept,
                (false, false, false) => Step::ReleaseKept,
            },
            side,
        );
    }
}

#[cfg(not(feature = "crash-points"))]
const fn reached(_: Step, _: Side) {}

#[cfg(feature = "crash-points")]
use self::armed::reached;

#[cfg(feature = "crash-points")]
mod armed {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{Side, Step};

    /// `settle.before:3`: the process ends where it comes before the commit of a settlement for the third time.
    const ARMED_BY: &str = "TOLLGATE_CRASH_AT";

    struct Armed {
        point: String,
        left: AtomicU64,
    }

    pub(super) fn reached(step: Step, side: Side) {
        static ARMED: OnceLock<Option<Armed>> = OnceLock::new();
        let Some(armed) = ARMED.get_or_init(read) else { return };
        let here = armed.point.split_once('.') == Some((step.name(), side.name()));
        if here && armed.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            std::process::abort();
        }
    }

    fn read() -> Option<Armed> {
        let told = std::env::var(ARMED_BY).ok()?;
        let (point, times) = told.split_once(':')?;
        Some(Armed { point: point.to_owned(), left: AtomicU64::new(times.parse().ok()?) })
    }
}
