//! How one model does at one upstream: a breaker, a cooling time that the provider asked for, and its usual latency.
//!
//! Closed, requests go. After [`FAILURES_TO_OPEN`] failures in a row it opens: requests pass it by for a while. Then one
//! request goes as a probe; its success closes the breaker, its failure opens it for twice as long. A probe that ends
//! without either, because its client left, gives its place to the next. In memory, a node of several for itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Failures in a row that open the breaker.
const FAILURES_TO_OPEN: u32 = 5;
/// How long it stays open at first.
const OPEN_FIRST: Duration = Duration::from_secs(2);
/// How long it stays open at most.
const OPEN_MAX: Duration = Duration::from_secs(60);
/// A provider's wish to be left alone is granted up to this.
const COOLING_MAX: Duration = Duration::from_secs(60);
/// How much of the usual latency a new one makes: an eighth.
const LATENCY_SHARE: u64 = 8;

/// What is known of one model at one upstream.
#[derive(Debug, Default)]
pub struct Health {
    state: Mutex<State>,
    /// The usual time to the first byte in microseconds; 0 while nothing is known.
    latency_us: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// Nothing is sent before this.
    shut_until: Option<Instant>,
    /// How long the breaker opens the next time.
    open_next: Option<Duration>,
    probing: bool,
}

/// Leave to send one request. What became of it has to be told; dropped untold it counts as neither good nor bad.
#[derive(Debug)]
pub struct Leave<'h> {
    health: &'h Health,
    probe: bool,
}

impl Health {
    /// Leave to send a request now; `None` while the breaker is open or the provider cools.
    pub fn leave(&self, now: Instant) -> Option<Leave<'_>> {
        let mut state = self.state();
        if state.shut_until.is_some_and(|until| now < until) {
            return None;
        }
        let probe = state.failures >= FAILURES_TO_OPEN;
        if probe && std::mem::replace(&mut state.probing, true) {
            return None;
        }
        Some(Leave { health: self, probe })
    }

    /// The usual time to the first byte, once there was one.
    #[must_use]
    pub fn latency(&self) -> Option<Duration> {
        match self.latency_us.load(Ordering::Relaxed) {
            0 => None,
            micros => Some(Duration::from_micros(micros)),
        }
    }

    /// When requests may go again, while they may not.
    #[must_use]
    pub fn shut_until(&self, now: Instant) -> Option<Instant> {
        self.state().shut_until.filter(|until| now < *until)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn learn(&self, first_byte: Duration) {
        let micros = u64::try_from(first_byte.as_micros()).unwrap_or(u64::MAX).max(1);
        // Two requests at once may lose one of the two figures, which does no harm.
        let usual = self.latency_us.load(Ordering::Relaxed);
        let next = if usual == 0 { micros } else { usual - usual / LATENCY_SHARE + micros / LATENCY_SHARE };
        self.latency_us.store(next.max(1), Ordering::Relaxed);
    }
}

impl Leave<'_> {
    /// The provider answered; a refusal of the request is an answer too.
    pub fn answered(self, first_byte: Duration) {
        let mut state = self.health.state();
        *state = State::default();
        drop(state);
        self.health.learn(first_byte);
    }

    /// The provider failed.
    pub fn failed(self, now: Instant) {
        let mut state = self.health.state();
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES_TO_OPEN {
            let open = state.open_next.unwrap_or(OPEN_FIRST);
            state.shut_until = Some(now + open);
            state.open_next = Some((open * 2).min(OPEN_MAX));
        }
    }

    /// The provider takes no more for now, and says for how long where it does.
    pub fn limited(self, now: Instant, retry_after: Option<Duration>) {
        let mut state = self.health.state();
        state.shut_until = retry_after.map(|wait| now + wait.min(COOLING_MAX)).max(state.shut_until);
    }
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        if self.probe {
            self.health.state().probing = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fail(health: &Health, now: Instant, times: u32) {
        for _ in 0..times {
            health.leave(now).expect("closed").failed(now);
        }
    }

    #[test]
    fn it_opens_probes_and_closes() {
        let (health, start) = (Health::default(), Instant::now());
        fail(&health, start, FAILURES_TO_OPEN);
        assert!(health.leave(start).is_none(), "open");
        let later = start + OPEN_FIRST;
        let probe = health.leave(later).expect("a probe");
        assert!(health.leave(later).is_none(), "one probe at a time");
        probe.failed(later);
        assert!(health.leave(later + OPEN_FIRST).is_none(), "open for twice as long");
        let probe = health.leave(later + OPEN_FIRST * 2).expect("another probe");
        probe.answered(Duration::from_millis(5));
        fail(&health, later, FAILURES_TO_OPEN - 1);
        assert!(health.leave(later).is_some(), "closed, and counts from nothing");
    }

    #[test]
    fn a_probe_without_an_end_makes_room_for_the_next() {
        let (health, start) = (Health::default(), Instant::now());
        fail(&health, start, FAILURES_TO_OPEN);
        drop(health.leave(start + OPEN_FIRST).expect("a probe"));
        assert!(health.leave(start + OPEN_FIRST).is_some());
    }

    #[test]
    fn a_provider_that_asks_for_rest_gets_it_within_bounds() {
        let (health, start) = (Health::default(), Instant::now());
        health.leave(start).expect("closed").limited(start, Some(Duration::from_secs(3600)));
        assert!(health.leave(start + COOLING_MAX - Duration::from_millis(1)).is_none());
        assert!(health.leave(start + COOLING_MAX).is_some());
        health.leave(start + COOLING_MAX).expect("closed").limited(start, None);
        assert!(health.leave(start + COOLING_MAX).is_some(), "no wish, no rest");
    }

    #[test]
    fn latency_follows_slowly() {
        let (health, now) = (Health::default(), Instant::now());
        assert_eq!(health.latency(), None);
        for (sample, usual) in [(80, 80), (160, 90), (80, 88)] {
            health.leave(now).expect("closed").answered(Duration::from_millis(sample));
            let found = health.latency().expect("known").as_millis();
            assert!(found.abs_diff(usual) <= 1, "{found} for {usual}");
        }
    }
}
