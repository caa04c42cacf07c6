//! Values that the admin API writes otherwise than commands do: times in seconds, reasons, and numbers.

use serde::{Deserialize, Deserializer};

use tollgate_base::Clock;

use super::error::RemoteError;

/// The reason that is sent where the admin API wants one and none was typed.
pub(super) const REASON: &str = "by the command line";

/// Reads unix seconds as milliseconds.
pub(super) fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    i64::deserialize(deserializer).map(|seconds| seconds.saturating_mul(1000))
}

/// Reads unix seconds, where there are any, as milliseconds.
pub(super) fn milliseconds_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Option::<i64>::deserialize(deserializer).map(|seconds| seconds.map(|seconds| seconds.saturating_mul(1000)))
}

/// A moment so many days from now, in unix seconds.
pub(super) fn in_days(days: u32) -> i64 {
    const DAY_SECONDS: i64 = 24 * 60 * 60;
    Clock::system().now_ms() / 1000 + i64::from(days) * DAY_SECONDS
}

/// Checks that a key or an agent is named by its number, by which alone the admin API knows it.
pub(super) fn by_number(named: &str, thing: &'static str, list: &'static str) -> Result<(), RemoteError> {
    named.parse::<i64>().map(drop).map_err(|_| RemoteError::ByNumber { thing, list })
}
