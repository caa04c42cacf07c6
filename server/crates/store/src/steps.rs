//! Commits with a name. Rooms that move money make nothing durable but by a step of theirs, and before and after each of them
//! a test can end the process: nothing of a step may be there after the one, and all of it after the other.
//!
//! Such an end is compiled in with the feature `crash-points` alone, which the tests of the workspace turn on and a build of
//! the server does not.

use super::{StoreError, StoreTransaction};

/// The steps of a room, as an enum with the names that tests know them by.
#[macro_export]
macro_rules! steps {
    ($($(#[$doc:meta])+ $step:ident = $name:literal,)+) => {
        /// A step that is made durable by a commit of its own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Step {
            $($(#[$doc])+ $step,)+
        }

        impl Step {
            /// Each of them.
            #[cfg(feature = "crash-points")]
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
/// A side of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitSide {
    /// Everything is written and nothing committed.
    Before,
    /// It is committed and nobody was told.
    After,
}

#[cfg(feature = "crash-points")]
impl CommitSide {
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

/// Commits a transaction that makes a step durable.
///
/// # Errors
/// When it was not committed, or it is not known whether it was.
pub async fn commit_step(transaction: StoreTransaction, step: &str, what: &'static str) -> Result<(), StoreError> {
    reached(step, CommitSide::Before);
    #[cfg(any(test, feature = "testing"))]
    ends_at(CommitSide::Before, what)?;
    transaction.commit().await.map_err(StoreError::commit(what))?;
    #[cfg(any(test, feature = "testing"))]
    ends_at(CommitSide::After, what)?;
    reached(step, CommitSide::After);
    Ok(())
}

#[cfg(any(test, feature = "testing"))]
tokio::task_local! {
    /// Beside which side of its commits whatever runs in it ends, as if the process did: rolled back, or told to nobody.
    pub static ENDS_AT: CommitSide;
}

#[cfg(any(test, feature = "testing"))]
fn ends_at(side: CommitSide, what: &'static str) -> Result<(), StoreError> {
    let ends = ENDS_AT.try_with(|ends| *ends == side).unwrap_or(false);
    if ends { Err(StoreError::commit(what)(sqlx::Error::WorkerCrashed)) } else { Ok(()) }
}

/// Says that a step has come to one side of its commit: where a test wants the process to end, it does.
#[cfg(not(feature = "crash-points"))]
pub const fn reached(_: &str, _: CommitSide) {}

#[cfg(feature = "crash-points")]
pub use armed::reached;

#[cfg(feature = "crash-points")]
mod armed {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::CommitSide;

    /// `settle.before:3`: the process ends where it comes before the commit of a settlement for the third time.
    const ARMED_BY: &str = "TOLLGATE_CRASH_AT";

    struct ArmedCrashPoint {
        point: String,
        left: AtomicU64,
    }

    /// Says that a step has come to one side of its commit: where a test wants the process to end, it does.
    pub fn reached(step: &str, side: CommitSide) {
        static ARMED: OnceLock<Option<ArmedCrashPoint>> = OnceLock::new();
        let Some(armed) = ARMED.get_or_init(read) else { return };
        let here = armed.point.split_once('.') == Some((step, side.name()));
        if here && armed.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            std::process::abort();
        }
    }

    fn read() -> Option<ArmedCrashPoint> {
        let told = std::env::var(ARMED_BY).ok()?;
        let (point, times) = told.split_once(':')?;
        Some(ArmedCrashPoint { point: point.to_owned(), left: AtomicU64::new(times.parse().ok()?) })
    }
}
