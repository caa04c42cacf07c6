//! Time is passed in, so that expiry is a test and not a wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A source of wall-clock time, in unix milliseconds. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Clock(ClockSource);

#[derive(Clone, Debug)]
enum ClockSource {
    System,
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The machine's own clock.
    #[must_use]
    pub fn system() -> Self {
        Self(ClockSource::System)
    }

    /// A clock that moves only when its [`ManualClock`] says so.
    #[must_use]
    pub fn manual(start_ms: i64) -> (Self, ManualClock) {
        let at = Arc::new(AtomicI64::new(start_ms));
        (Self(ClockSource::Manual(at.clone())), ManualClock(at))
    }

    /// Unix time in milliseconds.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        match &self.0 {
            ClockSource::System => system_now_ms(),
            ClockSource::Manual(at) => at.load(Ordering::SeqCst),
        }
    }
}

/// The control of a [`Clock::manual`].
#[derive(Clone, Debug)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// Moves the clock forward by `ms` milliseconds, or back when negative.
    pub fn advance_ms(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

/// The one place that asks the machine for the time of day.
#[expect(clippy::disallowed_methods, reason = "this is the clock that the rule points to")]
fn system_now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Unix milliseconds as RFC 3339 in UTC with milliseconds, as receipts and logs show it: `2026-11-21T08:30:00.125Z`.
/// Times outside the years 1 to 9999 are shown as the nearest end of that range.
#[must_use]
pub fn rfc3339(unix_ms: i64) -> String {
    let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(unix_ms) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    at.format(&Rfc3339).expect("a UTC date of four-digit years always formats")
}
